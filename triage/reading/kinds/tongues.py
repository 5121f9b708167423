"""Guides in German, Dutch, French, Spanish, Portuguese, Russian, Japanese and Korean, and Chinese articles: what they quote is no report.

Their lines get the role 'document'. A text is a guide where it tells its reader several times what to do, and an article where its
author says what it is about; nobody speaks of their own case in it, or shows how a program ended.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX, Line, as_document

_LONG = 2000
_ENOUGH = 2  # times that the reader is told what to do
_SHOWN, _ENOUGH_FOR_A_LOG = 3, 4  # lines that a program printed, and what it takes to take them for what a guide shows
_ADVICE = Pattern(
    # German
    r"\b(?:Stellen|Überprüfen|Prüfen|Installieren|Aktualisieren|Verringern|Reduzieren|Erhöhen|Verwenden|Setzen|Starten|Achten|Führen"
    r"|Fügen|Ändern|Deaktivieren|Aktivieren|Versuchen|Öffnen|Laden) Sie\b|\bSie (?:können|müssen|sollten|benötigen)\b"
    r"|\b(?:Falls|Wenn) (?:Sie|der|die|das|beim|ein)\b|\bFehlerbehebung\b"
    # French
    r"|\b[Vv]ous (?:devez|pouvez|voyez|devriez)\b|\b(?:Vérifiez|Assurez-vous|Installez|Réduisez|Utilisez|Essayez|Redémarrez|Exécutez"
    r"|Désactivez|Ajoutez|Consultez)\b|\bSi vous\b|\bDépannage\b"
    # Spanish and Portuguese
    r"|\b[Pp]uede (?:usar|utilizar|instalar|reducir|que)\b|\b[Dd]ebe (?:instalar|usar|actualizar)\b"
    r"|\b(?:[Aa]segúrese|[Cc]ertifique-se|[Vv]erifique|[Rr]eduzca|[Rr]eduza|[Uu]tilice|[Ii]nstale|[Cc]ompruebe|[Aa]ctualice|[Ii]ntente"
    r"|[Ee]jecute|[Ee]xecute|[Aa]tualize)\b|\bSi aparece\b|\b[Vv]ocê (?:pode|deve)\b|\bSolución de problemas\b"
    # Dutch
    r"|\b(?:[Cc]ontroleer|[Ii]nstalleer|[Vv]erlaag|[Vv]erhoog|[Gg]ebruik|[Hh]erstart|[Vv]ervang|[Vv]erwijder|[Vv]oer .{1,40} uit"
    r"|[Zz]org (?:ervoor )?dat)\b|\b(?:U|u|[Jj]e) (?:kunt|kan|moet|dient)\b|\b(?:Als|Wanneer|Indien) (?:u|je|de|het|er|een)\b"
    r"|\bProbleemoplossing\b|\bOplossing\b"
    # Russian
    r"|[Пп]опробуйте|[Оо]бновите|[Уу]становите|[Пп]роверьте|[Уу]бедитесь|[Уу]меньшите|[Ии]спользуйте|[Дд]обавьте|[Зз]апустите"
    r"|\b[Мм]ожно\b|\b[Нн]ужно\b|[Сс]ледует|[Рр]екомендуется|\b[Оо]бычно\b|[Вв] этой статье|[Рр]уководство|[Рр]ешение проблем|означает"
    r"|\b[Ее]сли (?:ты|вы)\b|\b[Тт]ы (?:получишь|увидишь|можешь)"
    r"|[Вв]от (?:полезные|подробный|несколько)|[Кк]ак (?:с этим|это) (?:бороться|исправить)"
    r"|[Вв] этом (?:руководстве|уроке|посте)|[Рр]азбер(?:ём|ем)"
    # Japanese
    r"|てください|て下さい|ましょう|場合は|必要があります|ことがあります|おすすめ|推奨|解説|対処法|対処する方法|解決策は|避けて通れ(?:ない|ません)|トラブルシューティング|できます"
    # Korean
    r"|하세요|십시오|[는은] 경우|수 있습니다|해결 ?방법|문제 해결|필요합니다|권장"
    r"|수 있다\.|해야 한다|(?:확인|비교|조사|점검|수집|대조|분리|검사|설정|사용|남)(?:한|긴)다\.|먼저 본다|면 안 된다"
)
_DUTCH = Pattern(r"\b(?:het|een|niet|wordt|deze|voor|zijn|moet|kunt|naar|geen|controleer|gebruik)\b", 2)
_DUTCH_ENOUGH = 5  # words that no other language has so often
_PERSON = Pattern(
    r"\b(?:ik|mijn|wij|bedankt|iemand)\b"
    r"|\b(?:I|I'm|I've|[Mm]y)\b"
    r"|\b(?:[Ii]ch|[Mm]ein(?:e[mnrs]?)?|mir|mich|[Ww]ir|[Dd]anke|jemand)\b"
    r"|\b(?:[Jj]e|[Mm]on|[Mm]es|moi|[Mm]erci|[Bb]onjour)\b|\b[Jj]['’]"
    r"|\b(?:[Hh]ola|[Tt]engo|alguien|[Gg]racias|ayud\w+|[Yy]o|[Mm]inha|[Oo]brigad[oa])\b"
    r"|\b(?:[Яя]|[Уу] меня|[Мм]не|[Мм]о[йяи]|[Пп]омогите|[Пп]одскажите|[Сс]пасибо|[Зз]дравствуйте|[Пп]ривет|что делать)\b"
    r"|私|僕|俺|教えて|困って|でしょうか|お願い|(?<!ことはあり)(?<!てい)ませんか|(?<!ご存じ)(?<!存知)ですか|(?<!ことがあり)ますか[。?？]|てしまい|のですが|助けて"
    r"|저는|제가|도와|안녕하세요|질문|까요|나요|감사|납니다|는데"
)
_ARTICLE = Pattern(  # what only the author of a Chinese article says
    r"本文(?:就?从|将|会|结合|深入|详细|详解|介绍|总结|主要|带你|旨在|针对|围绕|分析|梳理|整理|剖析)|先来看一个(?:典型)?(?:的)?(?:场景|例子|案例)"
    r"|本篇(?:文章|博客)|(?:在|读完)这篇(?:文章|博客)|下面我们(?:将|来)"
    r"|^(?:引言|前言|摘要|导读|概述)[:：]|^常见(?:错误|原因|问题)[:：]"
    r"|^\W{0,4}(?:【[^】]{1,20}】)?(?:成功|完美|已)解决.{0,8}(?:Error|Exception|CUDA)|^简介[:：]|踩坑总结"
    r"|大家好[,，!！。 ]{0,3}今天(?:我们|咱们)?(?:就|来|给|为|和|一起|要)"
    r"|(?:今天|这次|本期)(?:我们|咱们)?(?:就|一起)?来(?:聊聊|聊一聊|说说|讲讲|谈谈|看看|梳理)"
    r"|那些事儿?[!！。]?$|^\W{0,4}(?:手把手|保姆级|小白也能)|(?:典型|常见)(?:的)?(?:症状|表现|现象)(?:与|和|及)(?:影响|原因|表现)"
    r"|(?:很多|许多|不少|大多数)(?:开发者|用户|初学者|新手|朋友|读者|人).{0,12}(?:遇到|遭遇|碰到)|以下是(?:一些)?(?:可能|常见)的?(?:原因|解决|问题)"
)
_OTHER_ARTICLE = Pattern(  # what only the author of a Japanese or Korean one says
    r"(?:この|本)(?:記事|ガイド|ページ|シリーズ)(?:では|は)|この記事を|実践ガイド|完全ガイド|徹底(?:解説|解決)|完全攻略|よくある(?:エラー|質問|原因|間違い)"
    r"|例えるなら|見てみましょう|について(?:解説|説明|紹介)します"
    r"|(?:이번|이|본) (?:글|포스팅?|문서|가이드|포스트)(?:에서|은|는)|알아보겠습니다|살펴보겠습니다|정리해 ?보겠습니다|알아봅시다|알아보자"
    r"|(?:설명|소개|정리|안내)해 ?(?:드릴게요|드리겠습니다)|가장 (?:많이|흔히|자주) (?:겪|발생하|마주치|접하)는"
)
_PARTS = tuple(  # headings without marks of a page that explains an error; all of them stand in it
    Pattern(r"^(?:[0-9一二三四五六]{1,2}[.、] ?)?(?:" + words + r")[:：]?\s*$")
    for words in (
        "常见错误|错误(?:信息|描述|表现|现象)",
        "(?:根本|可能的?|常见|错误|问题)原因|原因(?:分析)?|错误的?成因",
        "解决(?:方案|方法|办法)",
    )
)
# The same where the text goes on behind the heading; that the causes are only possible ones tells help from a report.
_HELP = tuple(
    Pattern(r"^\W{0,4}(?:[0-9一二三四五六]{1,2}[.、] ?)?(?:" + words + r")(?:[:：]|\s*$)")
    for words in (
        "(?:故障|问题|错误)?(?:现象|症状)|(?:典型|常见)(?:表现|症状|现象)",
        "(?:可能|常见|典型)的?原因",
        "排查(?:(?:与|和|及)?(?:解决|处理|步骤|方法|思路))?|处理(?:方法|措施|步骤|建议)|解决(?:方案|方法|办法|建议)",
    )
)
_CHINESE_PERSON = Pattern(r"我(?!们|将)|请问|请教|想问|求助|大佬|怎么(?:办|解决)|如何解决[?？]|有没有人|谢谢")
_INSTRUCTED = Pattern(r"(?:如果|若|当|假如)您|您(?:可以|可能|需要|应当?|应该|只需|必须|将)|建议您|帮助您")  # readers of a manual
_ENOUGH_INSTRUCTED = 3
_QUESTION = Pattern(r"[?？]\s*$")
_OTHER_LETTERS = Pattern(r"[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0400-\u04ff\u3040-\u30ff\uac00-\ud7af]")
_CHINESE = Pattern(r"[\u4e00-\u9fff]")
_TRACEBACK = "Traceback (most recent call last)"


def mark_other_tongues(lines: list[Line]) -> None:
    """Mark the lines of a guide or an article that is written in one of these languages."""
    spoken = [line.text for line in lines if line.text and len(line.text) <= _LONG]
    printed = sum(line.prefix is not NO_PREFIX for line in lines)
    if printed > _SHOWN or any(_TRACEBACK in line.text for line in lines) or not spoken or _QUESTION.search(spoken[-1]):
        return
    if printed and sum(len(_ADVICE.findall(text)) for text in spoken) < _ENOUGH_FOR_A_LOG:
        return
    whole = "\n".join(spoken)
    foreign = _OTHER_LETTERS.search(whole) is not None or len(_DUTCH.findall(whole)) >= _DUTCH_ENOUGH
    elsewhere = foreign and (_is_guide(spoken) or _is_other_article(spoken))
    if elsewhere or (_CHINESE.search(whole) and _is_article(spoken)):
        as_document(lines)


def _is_guide(spoken: list[str]) -> bool:
    return sum(len(_ADVICE.findall(text)) for text in spoken) >= _ENOUGH and not any(map(_PERSON.search, spoken))


def _is_other_article(spoken: list[str]) -> bool:
    return any(map(_OTHER_ARTICLE.search, spoken)) and not any(map(_PERSON.search, spoken))


def _is_article(spoken: list[str]) -> bool:
    stated = any(map(_ARTICLE.search, spoken)) or any(all(any(map(part.match, spoken)) for part in parts) for parts in (_PARTS, _HELP))
    instructed = sum(len(_INSTRUCTED.findall(text)) for text in spoken) >= _ENOUGH_INSTRUCTED
    return (stated or instructed) and not any(map(_CHINESE_PERSON.search, spoken))
