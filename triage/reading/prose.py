"""Whether a person wrote a line or a program printed it."""

from __future__ import annotations

from triage.reading.lazy import Gated, Pattern
from triage.reading.log import NO_PREFIX, Line
from triage.reading.marks import without_marks

NONE, WEAK, STRONG = 0, 1, 2

LONG = 4096  # characters of a line beyond which it is not looked at
BEGINNING = 400  # characters of a line in which a person or an advice is looked for
LONGEST_HEADING = 60  # characters of a heading without marks
MANY_LINES = 5000  # beyond which a text is a log, whatever it quotes

ERROR_LINE = Pattern(
    r"\s*(?:[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Fault|Failure)\b(?:[:(]|$)"
    r"|\[?(?:[Ee]rror|ERROR|FATAL|FATA|[Ff]atal)\]?[:\[])"
)
_ERROR_WORDS = ("Error", "Exception", "Warning", "Interrupt", "Exit", "Fault", "Failure", "error", "ERROR", "FATA", "atal")
_PLACED = Pattern(r"[EFIW] \S{1,200}\.(?:cc|cpp|cu|h):[0-9]{1,5}\] ")  # TensorFlow 1 without a time
_FRAME = Pattern(r'\s*File "[^"]+", line [0-9]+')
_OUTPUT_MARKS = (
    "Traceback (most recent call last)", "During handling of the above", "The above exception was", "Segmentation fault", "core dumped",
    "CUDA error", "NVRM: ", "NCCL WARN", "NCCL INFO", "it/s]", "%|", "| N/A", "+-----", "frame #", "CUDA_LAUNCH_BLOCKING=1",
    "TORCH_USE_CUDA_DSA", "stacktrace below might be", "Warning:", "what():", "terminate called", "panicked at", "level=",
    "Exception raised from", "(local_rank: ", "Assertion `", "huggingface/tokenizers: ",
)  # fmt: skip
# Paths with line numbers, C++ names, assignments, brackets at the beginning: what people rarely write in sentences.
_PRINTED_STARTS = ("/", "./", "[", "<", "{", "|", "0x")
_MACHINE = Pattern(r".{0,300}?(?:\.(?:cuh?|cpp|cc|hpp|h|py|rs|go|c):[0-9]|\w::\w|[a-z0-9_]=[\w/'\"]|\[[A-Z]\] |: [0-9.]{1,12}$)")
_COLLECTOR = Pattern(r"(?:ERROR|WARNING|WARN|INFO|DEBUG|FATAL)\b|[a-z][\w.-]{1,40}: |[a-z][\w.-]{1,40}\[[0-9]{1,8}\]")
_LEVELS = ("ERROR", "WARN", "INFO", "DEBUG", "FATAL")
_FIRST_PERSON = Pattern(
    r"\b(?:I|I'm|I've|I'd|i(?:'m|'ve| (?:have|am|get|got|keep|use|run|tried|want|can't))|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|us"
    r"|[Aa]s you can see|[Aa]nyone|[Aa]ny (?:idea|help|suggestion|hint|pointer|thought|clue)s?|[Aa]ny advice"
    r"|[Ii]s there (?:an?|any) (?:\w+ )?(?:way|solution|fix|workaround|option|setting))\b(?![=:./_(\[-])|\?\s*$"
)
_PERSON_BEGINS = Pattern(
    r"(?:I|We) (?:have|am|use|get|got|want|try|tried|run|ran|can|can't|cannot|could|need|found|met|think|train|trained)\b"
)
_OWNERS = ("My ", "my ", "Our ", "our ", "FYI")
_OWN = Pattern(r"(?:FYI ?[:,]? ?)?(?:[Mm]y|[Oo]ur) (?:\w+ ){1,4}(?:is|are|has|have|with)\b")
# Sentences that only a person begins so, whatever they quote.
_TELLS = Pattern(
    r"(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear)\b[\w @]{0,30}[,.!\uff0c]? )?"
    r"(?:(?:[Ww]hen|[Ii]f|[Aa]fter|[Ww]hile|[Bb]ut|[Ss]o|[Tt]hen|[Nn]ow) )?"
    r"(?:I|I'm|I've) (?:[a-z']+ ){2}"
)
# What came of a try, and what a program said then: "With num_workers=4 it says …", "nvidia-smi now shows …".
_OUTCOME = (
    r"(?:is|was|gets?|got|says?|said|prints?|printed|fails?|failed|die[sd]|crash(?:es|ed)|hangs?|hung|ends?|ended|complain(?:s|ed)|turns?"
    r"|becomes?|became|works?|worked|runs?|ran|swaps?|shows?|showed|gives?|gave|returns?|returned|reports?|reported|throws?|threw"
    r"|stops?|stopped|refuse[sd]?|asks?|asked)"
)
_TRIED = Pattern(
    r"(?:With|Without|On|In|Inside|After|Before|Once|Setting|Using|Loading|Switching|Changing|Adding|Removing|Running|Sometimes|Then|Later)\b"
    r"[^\n]{2,80}?[, ](?:it|this|that|everything|the \w+(?: \w+)?)(?: (?:now|then|still|just|also|always|only|even))? " + _OUTCOME + r"\b"
    r"|(?:The \w+ (?:run|try|attempt|node|machine|time)|[\w.-]{2,30})(?: (?:now|then|also|still|even|always|suddenly)) " + _OUTCOME + r"\b"
)
_EASTERN_PERSON = (
    "我", "请问", "吗", "呢", "大佬", "请教", "求助", "为什么", "为啥", "怎么", "如何", "不知道", "报错", "爆显存", "卡死", "卡住",
    "請問", "嗎", "為什麼", "怎麼", "제가", "저는", "안녕하세요", "혹시", "私", "教えて", "どうして",
)  # fmt: skip
_SENTENCE_ENDS = ("니다", "요", "까", "는데", "ます", "です", "ました", "でした", "ません", "ください", "ですか", "ますか")
_CYRILLIC = Pattern(r"[А-Яа-яЁё]{2,}")
_RUSSIAN_PERSON = Pattern(
    r"\b(?:[Уу] меня|[Яя]|[Мм]не|[Мм]о[йяеи]|[Пп]одскажи\w*|[Пп]омоги\w*"
    r"|[Сс]пасибо|[Зз]дравствуйте|[Пп]ривет|[Пп]очему|кто-нибудь)\b|\?\s*$"
)
_SENTENCE_END = Pattern(r"[.!?:…。！？：，][)\"'”’*_]*\s*$")
_WORD = Pattern(r"(?<![\w./\\=-])[A-Za-z][a-z']*(?![\w/\\=(\[-])")
# What people add in few words, and what programs end with.
_ADDS = Pattern(
    r"(?i)(?<![\w.-])(?:works?|worked|fails?|happens?|happened|occurs?|appears?|crashes|hangs?|started|began|since|same|only|fine|tried|with"
    r"|setting|using|running|reducing|lowering|changing|switching|(?:down|up)grading|after|before|without|yesterday|also|still|sometimes"
    r"|always|never|helps?|helped|is|are|was|were|has|have|did|does)(?= [\w-])"
)
_ADVISES = Pattern(
    r"^(?:Please|See|Use|Try|Run|Set|Note|For|If|Make|Check|Consider|To|You|Press|Exiting|Aborting|Loading|Saving|Stopping|Job|Build)\b"
    r"|(?i:\bplease\b|\bexit(?:ed)? (?:code|status)|\breturn code|\byou(?:r)?\b|\bcould not\b|\bcannot\b|\bunable to\b|\bmay help\b)"
    r"|\.{2}|https?:|^\S+:|: ?[0-9]"
)
# What opens or closes a letter is short, and yet no program prints it.
_GREETING = Pattern(
    r"(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Tt]hanks?|[Tt]hank you|[Mm]any thanks|[Rr]egards|[Bb]est(?: regards| wishes)?|[Cc]heers"
    r"|[Pp]lease (?:help|check|advise|fix|suggest|tell|give|let)|[Hh]elp me|[Ll]ooking forward)\b(?![\w/\\:.=(-]*[/\\:=(])"
)
_GREETS = ("hi", "hello", "hey", "dear", "thank", "many", "regards", "best", "cheers", "please", "help", "looking")
_HEADING = Pattern(r"#{1,6} [A-Z]\w*(?: [\w%]+){0,8}\s*$|#{2,6} \S|\*\*[^*]+\*\*|</?(?:details|summary|b|p|br)\b")
_LIST_ITEM = Pattern(r"(?:[-*+]|[0-9]{1,2}[.)]) \S|\*\*\S")
_HEADING_STARTS = frozenset("#*<")
PERSON = Gated(
    r"\b(?:I|I'm|I've|I'd|I'll|[Mm]y|[Mm]e|[Mm]ine|im|(?<![-%])i)\b(?![=:./_(\[`'\"*-])"
    r"|\b[Ww]e (?:get|got|saw|encounter(?:ed)?|hit|run into"
    r"|ran into|noticed|tried|have tried|are (?:seeing|getting|running|using|trying|facing|hitting|unable))\b"
    r"|\b[Oo]ur (?:cluster|machines?|servers?|nodes?|setup)\b"
    r"|\b(?:[Tt]hanks?|[Tt]hank you|any (?:help|idea|suggestion|advice)|[Pp]lease help|help me|anyone(?! (?:on|who)\b))\b"
    r"|我(?!们提供|们建议|们推荐|就?结合|来?[为给]大家|将[为从和与带])|请问|请教|想问|求助|谢谢|大佬|怎么(?:办|解决|回事)|如何解决|是什么原因|为什么|有没有人"
)
# Python's and C++'s own words on their way out, and Paddle's, which underlines its titles.
_OWN_WORDS = (
    "C++ Traceback (most recent call last):", "No stack trace in paddle", "Error Message Summary:", "  [Hint: ", "  [TimeInfo: ",
    '  File "', "Traceback (most recent call last)", "terminate called ", "  what():", "Aborted (core dumped)", "Segmentation fault (",
    "You can suppress this exception and fall back to eager",
)  # fmt: skip


def is_short(line: Line) -> bool:
    """Whether a line is short enough to be looked at."""
    return len(line.text) <= LONG


def says(line: Line) -> bool:
    """Whether a line holds anything."""
    return bool(line.text) and not line.text.isspace()


def is_printed(line: Line) -> bool:
    """Whether a program printed a line: it has the prefix of one, or belongs to a traceback."""
    if line.prefix is not NO_PREFIX or line.role == "source" or line.text.startswith(_OWN_WORDS):
        return True
    return line.text[1:2] == " " and _PLACED.match(line.text) is not None


def tells_of_a_person(line: Line) -> bool:
    """Whether somebody speaks of themselves in a line, asks or thanks."""
    return PERSON.search(line.text[:BEGINNING]) is not None


def is_list_item(text: str) -> bool:
    """Whether a line is an item of a Markdown list, or starts in bold, with words in it."""
    return _LIST_ITEM.match(text) is not None and len(_WORD.findall(text)) >= 3


def looks_like_output(line: Line) -> bool:
    """Whether a program evidently printed this line."""
    if line.prefix is not NO_PREFIX:
        return True
    text = without_marks(line.text)
    if _TELLS.match(text):
        return False
    return (
        ERROR_LINE.match(text) is not None
        or any(mark in text for mark in _OUTPUT_MARKS)
        or _FRAME.match(text) is not None
        or text.lstrip().startswith(("$ ", ">>> ", "% ", "root@", "(base)"))
    )


def looks_like_prose(text: str, fewest: int = 8) -> int:
    """`STRONG` where a person evidently wrote the line, `WEAK` where it is a sentence that a program may print too, of so many words."""
    if text[:1] == " " and text[1:2].isupper():
        text = text[1:]  # a blank before a sentence slips in
    first = text[:1]
    if first.isspace():
        return NONE
    if first in _HEADING_STARTS and _HEADING.match(text):
        return STRONG
    plain = text.isascii()
    if len(text) < 200 and text[:8].lower().startswith(_GREETS) and _GREETING.match(text):
        return STRONG if _TELLS.match(text) else WEAK
    if (plain and text.count(" ") < 3) or _looks_printed(text):
        return NONE
    letters = 0 if plain else sum("\u3040" <= character <= "\ud7a3" for character in text[:400])  # Chinese, Japanese, Korean
    if letters > 1:
        if 3 * letters < len(text) and "我" not in text and _MACHINE.match(text):  # people name settings as `k=v` too
            return NONE
        marked = any(mark in text for mark in "，。？！；、") or text.endswith(("：", ":"))
        spoken = marked or text.rstrip(" .?!~)^").endswith(_SENTENCE_ENDS) or any(word in text for word in _EASTERN_PERSON)
        return STRONG if letters > 3 and spoken else WEAK
    if not plain and (spoken_so := _cyrillic(text)):
        return spoken_so
    words = len(_WORD.findall(text))
    if words == 3 and text.rstrip().endswith("?") and text.count(" ") < 8 and _MACHINE.match(text) is None:
        return STRONG  # programs ask with the answers behind the question mark
    if words < 4 or words * 3 < text.count(" ") + 1:
        begins = _PERSON_BEGINS if text.startswith(("I ", "We ")) else _OWN if text.startswith(_OWNERS) else None
        return STRONG if words == 3 and begins and begins.match(text) else NONE
    if _FIRST_PERSON.search(text):
        return STRONG if words >= 8 or _MACHINE.match(text) is None else NONE
    if _SENTENCE_END.search(text) is None:
        return NONE
    return WEAK if (words >= fewest and _MACHINE.match(text) is None) or _TRIED.match(text) else NONE


def closes(text: str) -> bool:
    """Whether a line is a short sentence in which somebody adds to the message above what else they saw or tried: "Works with torch 2.3."

    Too short to be told from what programs print, but for its words, and only at the end of a text."""
    if not text[:1].isupper() or len(text) > 160 or not text.rstrip().endswith((".", "!", "?")) or text.rstrip().endswith(".."):
        return False
    return _ADDS.search(text) is not None and _ADVISES.search(text) is None and not _looks_printed(text) and _MACHINE.match(text) is None


def _cyrillic(text: str) -> int:
    """The same of a sentence in Russian or a language with its letters; NONE where it holds no sentence."""
    words = len(_CYRILLIC.findall(text[:400]))
    if words < 3 or 2 * words < text.count(" ") - 2 or _MACHINE.match(text):
        return NONE
    return STRONG if _RUSSIAN_PERSON.search(text) else WEAK


def _looks_printed(text: str) -> bool:
    """Whether a line begins as programs begin theirs: with an error's class, a level, a name before a colon, a path, a bracket."""
    if text.startswith(_PRINTED_STARTS) or (text[1:3] == ":\\" and text[0].isalpha()):
        return True
    head = text.partition(": ")[0]
    if head.endswith(("Error", "Exception")) and head.replace(".", "").isidentifier():  # the frequent case without a pattern
        return True
    if any(word in text for word in _ERROR_WORDS) and ERROR_LINE.match(text):
        return True
    token = text.partition(" ")[0]
    return (token.endswith(":") or "[" in token or token.startswith(_LEVELS)) and _COLLECTOR.match(text) is not None


def not_printed(lines: list[Line]) -> list[Line]:
    """What no program printed. What a traceback raised counts as printed where a person says that they met it."""
    person = any(map(tells_of_a_person, lines))
    said = []
    traced = False
    for line in lines:
        frame = line.text.startswith(' File "')  # of a traceback whose indentation was lost
        printed = is_printed(line) or (person and (frame or (traced and ERROR_LINE.match(line.text) is not None)))
        traced = printed and line.prefix is NO_PREFIX
        if not printed:
            said.append(line)
    return said
