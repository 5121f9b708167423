"""Product names of GPUs, in logs and in prose: "NVIDIA A100-SXM4-80GB", "RTX 3090", "two 3090s", "一张A800".

Long names speak for themselves. Short ones (T4, L4, A10) and bare numbers (3090) need a word beside them that tells what they are.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from triage.engine.values import Value
from triage.facts import Observation
from triage.parsers import cards
from triage.parsers.contrasts import Contrast
from triage.parsers.product_names import ANY_BARE, ASCEND_WORDS, BARE, BARE_ASCEND, BARE_RADEON, LETTER_DIGIT, NAME, WORDS, name_starts
from triage.parsers.seen import observe
from triage.reading import Block, Line
from triage.reading.lazy import Pattern
from triage.reading.log import NO_PREFIX
from triage.reading.prose import looks_like_prose

MAX_PRODUCTS = 64
MAX_PLACES = 5_000  # a block
_MAX_COUNTED = 256  # mentions of a name beside which a count is looked for
_LONGEST_SAID = 50_000  # characters of a block in which people speak of GPUs without a name

# The memory that people give with a card: "RTX 3090 (24GB)", "T4 with 16 GB", "24G 4090"; not the host's, nor what is used of it.
_MEMORY_AFTER = Pattern(
    r"(?: (?:graphics? card|video card|gpu|card))?"
    r"[ ,/:(\u00a0\u3000\uff08-]{1,3}(?:(?:with|has|have|had|having|of|only|each|an?|vram:?|\u663e\u5b58|\u5355\u5361|\u6bcf\u5f20) ?){0,3}"
    r"([1-9][0-9]{0,2}) ?G(?:i?B|RAM)?(?![A-Z0-9/])"
    r"(?! ?(?:of )?(?:(?:system|host|cpu|main|[0-9]+) ?)?(?:ram|memory of|ddr|ssd|disk|hdd|used|free|left|is|in use|\u5185\u5b58))",
    re.IGNORECASE,
)
# A form's answer on two lines, or the next field of the form.
_MEMORY_BELOW = Pattern(r" {0,2}\n(?: {0,4}|\n?#{1,4} (?:GPU )?VRAM[^\n]{0,24}\n{1,2})([1-9][0-9]?) ?[Gg][Bb]? *(?:\n|\Z)")
_MEMORY_BEFORE = Pattern(r"(?<![0-9.])([1-9][0-9]{0,2}) ?[Gg](?:[Ii]?[Bb])? ?(?:[ -]|\u663e\u5b58 ?\u7684? ?|\u7684 ?)\Z")
_SIZE_OF_ITS_OWN = Pattern(r" (?:[1-9][0-9]{1,2}) ?[gG][iI]?[bB]?\Z")
_SOLD_IN_SIZES = Pattern(
    r"(?:\b|\A)(?:(?:[AVav]100|[Aa]800|[Hh]100)\b.* (?:16|32|40|80|94) ?[Gg][Bb]?|(?:Orin|Xavier|A[23]000)\b.* (?:8|12|16|32|64) ?GB)\Z"
)  # of which the size tells the product
_MEMORY_WITHIN = Pattern(r"[ _-]([1-9][0-9]{1,2}|[368](?=GB)) ?[gG][iI]?[bB]?(?: Laptop(?: GPU)?)?\Z")
_SIZED = Pattern(
    r" ?[(\uff08-]?(?:[1-9][0-9] ?(?:G[iI]?B?|g[iI]?b|g(?= ?(?:[*xX\u00d7\n,;)\uff0c\u3002\uff09]|\Z)))(?![A-Za-z0-9])"
    r"|[2-8] ?[Gg][Bb](?= ?(?:[Vv][Rr][Aa][Mm]|[Gg][Pp][Uu]|card|\u663e))|[Gg][Pp][Uu]s?\b(?![ -]?(?:hour|sec|min))"
    r"|(?:card|machine|server|rig|workstation|laptop)\b|\u670d\u52a1\u5668|\u7b14\u8bb0\u672c"
    r"|\u663e\u5b58|\u663e\u5361|\u4e0a|\u62a5\u9519|[两双四八单一三1-8] ?[张块卡])"
    r"|(?:, ?|\uff0c| with (?:an? )?)[1-9][0-9] ?G[iI]?B?(?:\)| (?:of )?(?:VRAM|vram|memory)|\u663e\u5b58)|\uff0c ?\u663e\u5b58"
)  # "4090 24G": a card with its memory
_SIZE_ENDS = Pattern(r"(?:, ?|\uff0c)[1-9][0-9] ?G[iI]?B?\.?[ \t]*(?:\n|\Z)")  # "A10, 24G"
_AND_ABOVE = Pattern(r"s?\+(?![\w+])")  # "A100+ GPUs": what a message asks for
_TIMES = Pattern(r" ?[*xX\u00d7] ?[1-9][0-9]?(?![0-9.*xX])")  # "4090*2"
_PAIRED = Pattern(r" ?/ ?[2-5]0[5-9]0(?![0-9])")  # "3080/3090"
_SIZE_BEFORE = Pattern(r"(?<![0-9.])[1-9][0-9]? ?G[iI]?B? ?(?: |\u7684 ?)\Z")  # "in 24GB 4090"
_TIMES_BEFORE = Pattern(r"(?:\A|[^0-9.*xX])[1-9][0-9]? ?[*xX\u00d7] ?\Z")  # "8x4090"
_CLEAR = Pattern(
    r"NVIDIA|Nvidia|nvidia|Tesla|TESLA|tesla|GeForce|RTX|GTX|TITAN|[Tt]itan|[Qq]uadro|QUADRO|rtx|gtx|Jetson|Radeon|Instinct|MI[0-9]|G[BH][0-9]"
    r"|[ABHV][128]00|A[3-6]000|H20|Ascend|AMD|GRID|Xavier|Orin"
)
# A word that a name was joined to by mistake: "oneRTX3090", "withGTX 1080".
_STUCK = Pattern(
    r"(?:\A|[^A-Za-z0-9])(?:an?|one|two|three|four|eight|single|dual|my|the|with|on|using|use|is|are|gpus?|cards?)\Z", re.IGNORECASE
)
_JOINED = Pattern(r"(?:\A|[\s(,\uff08\uff0c:\uff1a]|[1-9][xX*\u00d7])[2-8]\Z")  # "8H800", "4x8A100"
_COUNTED = Pattern(
    r"(?:(?:\A|[\s(,])(?:an?|one|single|two|dual|three|four|six|eight|[Mm]y|our|the|on|[0-9]{1,3}) ?[x*\u00d7]? ?"
    r"(?:(?:external|laptop|lone|mobile|new|old|pass(?:ed)?[- ]?through|plain|single|spare|used) )?"
    r"|(?:\A|[\s(,])(?:[Ee]xternal|[Ll]aptop|[Pp]ass(?:ed)?[- ]?through|[Ss]ingle|[Dd]ual) "
    r"|\u5728 ?|[一两几]个 ?|[\u5f20\u5757\u5361\u4e00\u4e24\u53cc\u56db\u516b\u5355] ?|(?:\u5361|GPU|gpu)(?:\u662f|\u4e3a) ?)\Z"
)
# Words that tell a thing that people have, in lines of any role: "on an A10", "with two T4"; "我用的是3090", but not "用2080个样本".
_OWNED = Pattern(
    r"\b(?:on|with|using|use|have|has|got|of|own|for|On|With|Using) (?:an?|one|two|three|four|eight|a single|single|my|our|[2-8]) \Z"
    r"|\b(?i:single|dual|twin|a pair of|(?:upgraded|switched|moved) to(?: an?| the| my)?|bought (?:an?|the)|my (?:new|old|laptop)"
    r"|(?:a|the) new) \Z"
    r"|[\u53cc\u5757] ?\Z"
    r"|(?:\u7b14\u8bb0\u672c|\u79df[\u7684\u4e86]|\u672c\u5730|\u673a\u5668|\u670d\u52a1\u5668)(?:\u662f|\u7684|\u7528\u7684|\u4e3a)? ?\Z"
    r"|(?:\u7528\u7684?\u662f?|\u6211\u7684\u662f) ?\Z"
)
_BARELY_OWNED = Pattern(r"\b(?:on|with|using|of|for|[Mm]y|our|have|has|use|got an?|bought|new|is an?|detected|On|With|Using) \Z")
# A name that is no number tells more: "fails on K40: ", "Tested on T4, it ends", "we use K80"
_OWNED_NAME = Pattern(
    r"\b(?:on|with|using|On|With|Using|[Mm]y|[Oo]ur|use|have|has|had|got|bought|new|used|detected|there (?:is|are)(?: an?)?) \Z"
)
_NAME_ENDED = Pattern(
    r"s?(?:\s?[,:;(]|\.?[ \t]*(?:\n|\Z)"
    r"| (?:but|and|it|which|with|has|have|runs?|fails?|gpus?|cards?|here|cluster|server|machine|instance"
    r"|(?:for|to) (?:train|infer|fine-?tun|serv|run|test)[a-z]{0,5}|[io]n (?:colab|kaggle))\b)"
)
# The one that another was replaced with: "after replacing the 3090 with a 5070"
_REPLACING = Pattern(
    r"\b(?:replac|swap|upgrad|chang|switch)(?:e|p?ed|p?ing|ing)? (?:(?:my|the|an?|from) )?[\w -]{2,24}"
    r" (?:with|to|for|by) (?:(?:an?|the|my|new) ){0,2}\Z"
)
_AND_SOFTWARE = Pattern(r" ?(?:and|with|\+|&) ?(?i:cu(?:da|dnn)|(?:py)?torch|tensorflow|driver) ?v?[0-9]")  # "using 5090 and cuda12.6"
_ENDED = Pattern(r"\s?(?:[?!\uff1f\uff01)]|\+ |and (?:got|get|still|it|I)\b|but\b|[.,]?(?:\n|\Z))")  # "CUDA out of memory with 3070"
# What follows a number that "on", "with" or "using" stands before: "train on 4090 gives OOM", "fails on 4090, works on A100".
_AT_WORK = Pattern(
    r"[sS]?(?: ?[,;:] ?(?:it|but|and it|works?|fails?|gets?|got|gives?|oom|OOM|out of memory|CUDA|cuda)\b"
    r"| (?:but|gives?|gave|gets?|got|fails?|failed|ooms?|OOMs?|crash(?:es|ed)?|hangs?|works?|runs out|is (?:not|too)"
    r"|with (?:batch|cuda|CUDA|torch))\b"
    r"| (?:and|or|&) (?:[2-5]0[5-9]0|[ABHLV][1-9][0-9]{1,2})(?![0-9A-Za-z]| [a-z]{4,12}s\b)"
    r"| (?:for|to) (?:train|infer|fine-?tun|run|test|serv)[a-z]{0,5}\b(?! ?(?:,|and|or|/|;)[^\n]{0,16}?[0-9]))"
)
_SET_TO_WORK = Pattern(r"\b(?:[Oo]n|[Ww]ith|[Uu]sing|[Uu]se|[Ss]ingle[- ]card|[Oo]ne[- ]card) \Z")
_COUNTER = Pattern(r" ?[\u4e2a\u6761\u6b21\u6b65\u5143\u5e27\u7aef\u53f7\u5e74\u884c\u8f6e\u5f20\u7ef4]")
# Where an item of a list of what is used starts: "3090, torch 2.1", "cuda11.8 3090 torch2.0".
_ITEM = Pattern(r"(?:\A|[\n,;(/+|\uff0c\u3001\uff1a\uff08\u3002\u662f]\s*|[0-9\u5883] )\Z")
_ITEM_END = Pattern(
    r"\s*(?:[*\u00d7] ?)?(?:[,;|)\uff0c\u3001\u3002\uff09]|\.?(?:\n|\Z))"
    r"|(?:\s+| ?[/+&|] ?| and | with )(?i:(?:py)?torch|cu(?:da|dnn)|driver|python|tensorflow|vllm|ubuntu|win)"
)
# Memory of the GTX 10 and 16 series, in GB: "1060 6gb", "1060 3g".
_SIZES_OF = {"1050": "234", "1060": "356", "1070": "8", "1080": "8 11", "1650": "4", "1660": "6"}
_OWN_SIZE = Pattern(r" ?[(\uff08]?([2-8]|11) ?[Gg](?:[Bb])?(?![A-Za-z0-9])")
_NO_CARD_BEFORE = Pattern(r"(?:step|epoch|iter\w*|line|picture|image|size|loss|is|port|batch|of|=) ?\Z")
_OWNER_OF_A_CARD = Pattern(
    r"(?:\b(?:[Mm]y|[Oo]ur)(?: (?:old|poor|little|trusty|good old))? "
    r"|\b(?:[Uu]sing|[Hh]ave|[Gg]ot|[Oo]wn|[Rr]un(?:ning)?(?: it)? on) an?(?: old)? "
    r"|\b(?:GPU|gpu|graphics card|video card|my card)(?: is(?: an?)?)?[ :(]{1,2}"
    r"|(?:\u6211|\u672c\u4eba|\u81ea\u5df1|\u7535\u8111|\u7b14\u8bb0\u672c|\u663e\u5361|\u72ec\u663e|n\u5361|N\u5361)"
    r"(?:\u7684|\u662f|\u7528|\u7528\u7684\u662f|\u4e3a|[:\uff1a]){0,2} ?)\Z"
)
# What follows a card that is spoken of: the end of the clause, or what it does; no unit, picture or count.
_NOTHING_ELSE = Pattern(
    r" ?(?:[.,;!?)\uff0c\u3002\uff09\uff1b]|\.?\s*(?:\n|\Z)|(?:here|and|but|so|with|for|too|user|fails?|works?|crash\w*|does|can|is)\b"
    r"|[\u8dd1\u4e0a\u62a5\u663e\u7684\uff0c\u3002\u548c\u4f1a\u4e5f])"
)
# The field of a form or a table that asks for the card.
_FIELD = Pattern(
    r"(?:\bGPUs?|\b(?:graphics|video) cards?|\bcards?|\bhardware|\bdevices?|\bVGA|\baccelerators?|\benv(?:ironment)?|\bset-?up|\bspecs?"
    r"|\bmachine|\bserver|\u663e\u5361|\u786c\u4ef6|\u8bbe\u5907|\u73af\u5883|\u914d\u7f6e|\u5e73\u53f0|\u673a\u5668|\u670d\u52a1\u5668)(?:\(s\))?"
    r"(?:[ _](?:models?|types?|names?|[0-9]{1,2}|and memory|and configuration|used|card|info)|#?[0-9]{1,2}|\u578b\u53f7|\u4fe1\u606f){0,3}"
    r"\*{0,2} ?(?:[:\uff1a=|]|:\*\*|- | is(?: an?)? ) ?\*{0,2}`?\Z",
    re.IGNORECASE,
)
_CARD = Pattern(r"(?:显卡|顯卡|[Вв]идеокарт[аеуы]|[Кк]арт[аеуы]|그래픽 ?카드|글카|グラボ|GPU)(?:型号|是|为|用的|는|은|가|は|が)?[:：]? ?\Z")
# Where the number of a card begins a clause that says that it fails: "1660 就报错", "5070 can not run this".
_FAILING_CARD = Pattern(
    r"[sS]? ?(?:显卡|的卡|卡)?(?:上|跑|训练|推理|就|也|都|会|直接|一直|总是){1,3}[^,，。\n]{0,10}?"
    r"(?:报错|爆|OOM|oom|不行|不够|崩|卡死|挂|溢出|失败)"
    r"|[sS]? ?(?:\u5fae\u8c03|\u90e8\u7f72|\u8bad\u7ec3|\u63a8\u7406|\u8dd1) ?[a-zA-Z]"  # at work: "3090微调llama"
    r"|[sS]? ?(?:显卡)?(?:报错|跑不[了动]|运行|跑模型)"
    r"|[sS]?:? (?:fails?|failed|crash(?:es|ed)?|ooms?|OOMs?|hangs?|dies|(?:issue|problem|error)s? with)\b"
    r"|[sS]? (?:(?:issue|problem|error) (?:on|when)|(?:not|no longer) (?:supported|working|recogni[sz]ed|detected|found))\b"
    r"|[sS]? (?:can ?not|can't|won't|does(?: not|n't)|is(?: not|n't)) (?:run|work|train|infer|support|compatible|be used|use )"
)
_CLAUSE = Pattern(r"(?:\A|[\n，。,；;：:（(]|[\u4e00-\u9fff](?<![第到步轮第个次约]) ?) ?\Z")
_UNLISTED = Pattern(r"[=%|\[]|->")
# An enumeration of what is used: "T4, vLLM 0.6.1", "Colab T4."
_BESIDE = Pattern(r"[,;.)\uff0c]| (?:with|and|[+/&]) |\s*\Z|\s*$", re.MULTILINE)
_SOFTWARE = Pattern(
    r"(?i)\b(?:vllm|sglang|(?:py)?torch|tensorflow|transformers|tensorrt|jax|driver|python|ubuntu|windows|llama\.cpp) ?v?[0-9]"
    r"|\b[a-z][a-z_-]{2,24}[ =]{1,2}v?[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]|\b(?!\.))"
    r"|\bwin(?:dows)? ?(?:7|8|10|11)\b|\bi[3579](?:-[0-9]{3,5}[a-z]{0,2})?\b|\bryzen\b|\b[1-9][0-9]{0,2} ?gi?b (?:of )?(?:ddr[345] )?ram\b"
)
_RUN_ON = Pattern(
    r"\b(?:models?|gpus?|cards?|machines?|instances?|servers?|nodes?|box|training|inference|runs?|jobs?|laptop|workstation|colab|kaggle"
    r"|cluster) \(\Z",
    re.IGNORECASE,
)
_PART_OF_A_TEXT = Pattern(r"\b(?:[Ff]ig(?:ure|\.)?|[Tt]able|[Ll]ayer|[Ll]evel|[Ss]ection|[Ss]tep|[Ee]q\.?) \(\Z")
_CUDA_VERSION = Pattern(r"(?i)\bcu(?:da|dnn) ?v?[1-9]")
# The field of a form that asks for the GPU: "### Hardware: GPU", and the answer below it.
_HEADED = Pattern(r"(?:\A|\n)(?:[#*> ]{1,6}[^\n#]{0,24}\bGPUs?\b[^\n]{0,40}|(?:What|Which) (?:GPU|graphics card)[^\n]{0,40}\?)\n\s{0,6}\Z")
_GPU_WORDS = Pattern(
    r"GPU|gpu|NVIDIA|[Nn]vidia|CUDA|cuda|[Cc]ards?\b|\u5361|\u663e\u5b58|\u00d7|\bx ?[0-9]|[0-9] ?[x*\u00d7]|[Tt]esla|V(?:RAM|ram)|GB|GiB"
    r"|\bMac\b|Mac[Bb]ook"
    r"|グラボ|グラフィック|ビデオカード|그래픽|글카|видеокарт|видюх|карт[аеуы]\b|顯卡"
    r"|\btwo\b|\bfour\b|\beight\b|machine|node|server|instance|\u7269\u7406\u673a|\u670d\u52a1\u5668|\u673a\u5668|[Cc]olab|[Kk]aggle"
)


# What stands before a GPU that the text only compares with, asks for or recommends.
_COMPARED = Pattern(
    r"(?:\((?:e\.?g\.?|i\.e\.)[^()\n]{2,50}"
    r"|\b(?:than(?! my\b)|like|such as|e\.?g\.?,?|for example,?|instead of|compared (?:to|with)|vs\.?|versus"
    r"|requires?|recommend(?:s|ed|ation)?:?"
    r"|minimum|at least|(?<!\bI )(?<!\bwe )(?<=[a-z,] )(?:tested|trained) (?:on|with|using)"
    r"|(?:(?<!not )(?<!n't )(?<!\bto )(?:works?|worked|(?<!\bam )(?<!\bare )(?<!not )(?<!n't )(?<!stopped )(?<!stops )working)"
    r"|(?<!\bto )(?<!\bI )(?<!\bwe )(?<!\band )(?<!ing )(?<!\bthe )(?<!not )(?<!n't )(?:runs?|ran)(?<!\bis run)(?<!\bwas run)"
    r"(?<!\bmy run)(?<!\bfirst run)(?<!\bwhen run)|fine|ok|reproduced?)"
    r"(?: for (?:me|us|him|her|them))?(?: (?:perfect(?:ly)? |totally |just )?(?:fine|well|perfectly|ok))?"
    r"(?: for (?:\w+ ){0,2}(?:days|weeks|months|years))?"
    r" (?:on|with|using)"
    r"(?: (?:an|my |the )?other (?:machine|pc|computer|server|node|workstation|laptop)s? (?:with|that has|having))?"
    r"|(?:have|need) to use|should (?:i )?(?:use|buy|get)"
    r"|(?<!\bI )(?<!\bwe )(?<!\bafter )(?<!\bsince )(?<!\bjust )upgrad(?:e|ing) to|(?:be|when|once|if I|was|were|get) upgraded to"
    r"|swap(?:ped|ping)|replac(?:ed|ing)|(?:mov|upgrad|switch|com|migrat|chang)(?:ed?|ing)"
    r"(?: (?:my|the|our) (?:old )?(?:gpu|graphics card|video card|card))? from"
    r"|(?<!\bI )(?<!\bwe )switch(?:ing)? to|only supports?|supports|paper|authors?|(?-i:your)"
    r"|(?:paper|authors?|they|you)(?: (?:all|also|have|had|say|said|mentioned|that|was|were|only|just|guys)){0,3}"
    r"(?: (?:that )?(?:you|they|the authors?|it))? (?:used|(?<!you )uses?|trained|tested|experimented)"
    r"(?: (?:it|them|the model|this))?(?: on| with)?)"
    r"(?: (?:an?|the|one|single|two|four|eight|[0-9]{1,2} ?[x*]?|nvidia|my)){0,3}"
    r"|\u6362(?:\u6210|\u4e86|\u7528)?|\u9700\u8981|\u63a8\u8350|\u4f8b\u5982|\u6bd4\u5982|\u5efa\u8bae|\u81f3\u5c11|\u8981\u6c42|\u4f5c\u8005)"
    r"[ (~*-]{0,2}\Z",
    re.IGNORECASE,
)


# "It runs on an NVIDIA 3090": praise only where another GPU is named, or where "but" follows.
_JUST_RUN = Pattern(
    r"(?:(?:\A|[\n.:;(#]) ?|\b(?:it|code|machine|server|node|system|container|script|program|service|app) )runs? on"
    r"(?: (?:an?|one|1|single|two|nvidia|my)){0,3} \Z",
    re.IGNORECASE,
)
_BUT_NOT_THERE = Pattern(r"[^.\n]{0,60}?\b(?:but|however|while|whereas|not|fails?|only)\b")


# What follows a GPU that did not show the failure.
_SPARED = Pattern(
    r"[^.,;\n]{0,24}?\b(?:(?:is|was|are|were|it'?s) (?:ok|okay|fine|good|no problem|normal)"
    r"|(?:works?|worked|runs?|ran) (?:fine|well|ok|perfectly|without))"
    r"|[^.;,\n]{0,24}, there (?:is|was|are|were) no (?:such )?(?:errors?|problems?|issues?)\b"
    r"|(?: cards?| gpus?)?, (?:everything|all|it) (?:works?|worked|runs?|ran|is fine|was fine)\b"
    r"|[^.,;\uff0c\u3002\n]{0,6}?(?:\u53ef\u4ee5|\u80fd\u591f?)(?:\u6b63\u5e38)?(?:\u8fd0\u884c|\u8bad\u7ec3|\u63a8\u7406|\u8dd1)(?![^.,;\uff0c\u3002\n]{0,4}[\u5417\u4e48?\uff1f])"
    r"|[^.,;\uff0c\u3002\n]{0,12}?(?:\u6b63\u5e38|\u6ca1\u95ee\u9898|\u6ca1\u6709(?:\u8fd9[\u4e9b\u4e2a\u79cd])?\u95ee\u9898)",
    re.IGNORECASE,
)


_WORDS_OF_A_NAME = Pattern(r"[A-Za-z]+|[0-9]+")
_LENT = Pattern(r"s? (?:GPUs? )?(?:on|in|from|of) (?:[Gg]oogle )?(?:[Kk]aggle|[Cc]olab)")  # by a service that the text is about
# A card that another one was replaced with and that fails: "换成5090就不行了".
_SWAPPED = Pattern(r"\u6362(?:\u6210|\u4e86|\u5230|\u7528|\u4e3a) ?\Z")
_FAILS_THERE = Pattern(
    r" ?(?:\u4e4b\u540e|\u4ee5\u540e|\u540e|\u5c31|\u5374)[^.,;\uff0c\u3002\n]{0,6}?"
    r"(?:\u4e0d\u884c|\u4e0d\u80fd|\u62a5\u9519|\u5d29|\u6302|\u5931\u8d25|\u7206)"
    r"|[ ,\uff0c]{0,2}(?:\u8fd8\u662f|\u4ecd|\u4f9d\u7136|\u4e5f)"
)


class Named:
    """Products by printed name, and where each was first named as a GPU that the text is about."""

    def __init__(self) -> None:
        self.observations: dict[str, Observation] = {}
        self._places: dict[str, tuple[int, int]] = {}
        self._sound: dict[str, tuple[int, int]] = {}  # those with which all is well, beside others
        self._contrast: tuple[Block, Contrast] | None = None
        self._counts: dict[tuple[int, str], Observation] = {}  # of cards, with the name that they are told of
        self._mentions = 0

    def add(self, name: str, block: Block, start: int, line: Line) -> None:
        """Note a name that stands at an offset of a block, each once for what it is."""
        if self._mentions < _MAX_COUNTED and line.role != "code":
            self._mentions += 1
            told = cards.told_before(block.text, start)
            end = start + len(name)
            count, place = told or (cards.told_behind(block.text, end), start)
            if count is not None:
                self._count(count, name, block, (place, end), line)
        if name not in self.observations:
            if len(self.observations) >= MAX_PRODUCTS:
                return
            self.observations[name] = observe("gpu-name", {"gpu_name": name, **_memory(name, block.text, start)}, line)
        if name in self._places:
            return
        if _is_compared(block, start) and not (
            _failing_now(block.text, start, start + len(name)) or _LENT.match(block.text, start + len(name))
        ):
            if _only_runs(block, start, start + len(name)):
                self._sound.setdefault(name, (line.number, start))
            return
        if _SPARED.match(block.text, start + len(name)) is None:
            (self._sound if self._is_sound(block, start) else self._places).setdefault(name, (line.number, start))

    def _is_sound(self, block: Block, start: int) -> bool:
        if self._contrast is None or self._contrast[0] is not block:
            self._contrast = (block, Contrast(block))
        return self._contrast[1].holds(start)

    def _count(self, count: int, name: str, block: Block, span: tuple[int, int], line: Line) -> None:
        """Note how many cards a text tells at an offset, where they are those of the machine that it is about."""
        start, end = span
        if (count, name) in self._counts or len(self._counts) >= MAX_PRODUCTS or not cards.at_hand(block.text, start, end):
            return
        if not _is_compared(block, start) and _SPARED.match(block.text, end) is None and not self._is_sound(block, start):
            slots: dict[str, Value] = {"count": count, "gpu_name": name} if name else {"count": count}
            self._counts[count, name] = observe("told-cards", slots, line)

    def count_unnamed(self, block: Block) -> None:
        """Note counts of GPUs without a name, in what people say."""
        text = block.text
        if len(text) > _LONGEST_SAID or not any(line.role == "prose" for line in block.lines):
            return
        for count, start, end in cards.generic(text):
            line = block.line(start)
            if line.role == "prose":
                self._count(count, "", block, (start, end), line)

    def counts(self) -> list[Observation]:
        """How many cards the text tells of, each number of each name once; those without a name only where none has one."""
        named = [seen for (_, name), seen in self._counts.items() if name]
        return named or list(self._counts.values())

    def ordered(self) -> list[Observation]:
        """All of them, those the text is about with the number of such names before them."""
        self._places = self._places or self._sound
        for short in self._shorthands():
            del self.observations[short]
            self._places.pop(short, None)
        whole = [name.split(" ") for name in self._places]
        parts = {name for name in self._places if any(name in words and len(words) > 1 for words in whole)}  # the M2 of an "Apple M2 Max"
        for count, name in enumerate(sorted(self._places.keys() - parts, key=self._places.__getitem__)):
            self.observations[name].slots["count"] = count
        return list(self.observations.values())

    def _shorthands(self) -> list[str]:
        """Bare numbers that mean a card named in full elsewhere: "2070" of an "RTX 2070 SUPER", unless there is an "RTX 2070" too."""
        shorts: list[str] = []
        for short in self.observations:
            if not short.isdecimal():
                continue
            whole = [name for name in self.observations if name != short and short in _WORDS_OF_A_NAME.findall(name)]
            if whole and not any(name.endswith(short) for name in whole):
                shorts.append(short)
        return shorts


def _is_compared(block: Block, start: int) -> bool:
    """Whether the words before an offset say that a GPU is only compared with, asked for or recommended."""
    return _COMPARED.search(block.text, max(start - 60, block.starts[block.index(start)]), start) is not None


def _only_runs(block: Block, start: int, end: int) -> bool:
    """Whether a GPU is told to be what something runs on, without a word of how well."""
    ran = _JUST_RUN.search(block.text, max(0, start - 40), start) is not None
    return ran and _SPARED.match(block.text, end) is None and _BUT_NOT_THERE.match(block.text, end) is None


def _failing_now(text: str, start: int, end: int) -> bool:
    """Whether a GPU is one that another was replaced with, and that fails since."""
    return _FAILS_THERE.match(text, end) is not None and _SWAPPED.search(text, max(0, start - 4), start) is not None


def _memory(name: str, text: str, start: int) -> dict[str, Value]:
    """The memory that stands in a name or beside it."""
    end = start + len(name)
    found = _MEMORY_WITHIN.search(name) or _MEMORY_AFTER.match(text, end + (text[end : end + 1] in ("s", "S")))
    found = found or _MEMORY_BELOW.match(text, end) or _MEMORY_BEFORE.search(text[max(0, start - 12) : start])
    return {"capacity_bytes": int(found[1]) * 2**30} if found else {}


def find_products(block: Block, names: Named) -> None:
    """Add the names in a block. Places where a name may stand are found first; trying every name everywhere is slow."""
    text = block.text
    places = [match.start() for match in LETTER_DIGIT.finditer(text)]
    places += WORDS.starts(text)
    done = 0
    taken: list[tuple[int, int]] = []
    for place in sorted(places)[:MAX_PLACES]:
        if place < done:
            continue
        match = next((found for start in name_starts(text, place) if (found := NAME.match(text, start))), None)
        if match is not None:
            done = match.end()
            taken.append(match.span())
            _take(block, match, names)
    if ANY_BARE.search(text):
        _bare_numbers(block, names, taken)
    if "XT" in text or "0xt" in text or "0 xt" in text or "GRE" in text:
        for bare in BARE_RADEON.finditer(text):
            if not _inside(bare.start(), taken):
                names.add(bare[1], block, bare.start(), block.line(bare.start()))
    if ("910" in text or "310P" in text) and ASCEND_WORDS.search(text):
        for bare in BARE_ASCEND.finditer(text):
            line = block.line(bare.start())
            # three digits are any number, such as that of a step, but beside such a word
            if not _inside(bare.start(), taken) and (bare[1] != "910" or ASCEND_WORDS.search(line.text)):
                names.add(bare[1], block, bare.start(), line)


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    index = bisect_right(spans, (place, len(spans) and spans[-1][1])) - 1
    return index >= 0 and place < spans[index][1]


def _take(block: Block, match: re.Match[str], names: Named) -> None:
    start = match.start()
    head = block.text[max(0, start - 20) : start]
    previous = head[-1:]
    name = match[0].strip(" -")
    # "RTX 6000 48GB" is an RTX 6000; "NVIDIA GH200 480GB" and "A100 80GB" are names, and what lspci has in brackets
    if not name.startswith("NVIDIA G") and not (previous == "[" and block.text.startswith("]", match.end())):
        name = name if _SOLD_IN_SIZES.search(name) else _SIZE_OF_ITS_OWN.sub("", name)
    sized = _MEMORY_WITHIN.search(match[0].rstrip(" -")) is not None
    times = previous in "xX*" and _TIMES_BEFORE.search(head) is not None
    if previous in "2468" and match[0][0] in "ABHV":
        times = (block.line(start).role == "prose" or head[-2:-1] in "xX*\u00d7") and _JOINED.search(head) is not None
    attached = bool(previous) and previous.isascii() and (previous.isalnum() or previous in "_/.-")
    stuck = previous.isalpha() and len(name) > 5 and name[0].isupper() and block.text[match.end() : match.end() + 1] not in ("_", "-")
    stuck = stuck and _STUCK.search(head) is not None
    if attached and not (times or stuck or head.endswith(("GPU-", "GPU", "DGX-", "HGX-", "dgx-"))):
        return
    line = block.line(start)
    if line.role in ("diff", "source") or _AND_ABOVE.match(block.text, match.end()):
        return
    measured = not head.rstrip(" ")[-1:].isascii()  # 两张 T4: such a word counts things wherever it stands
    counted = (line.role == "prose" or measured) and _COUNTED.search(head) is not None
    counted = counted or (line.role != "code" and _OWNED.search(head) is not None)
    counted = counted or (
        line.role != "code" and _OWNED_NAME.search(head) is not None and _NAME_ENDED.match(block.text, match.end()) is not None
    )
    clear = len(name) > 3 and name[0] not in "abhvtpklm" and not name.endswith("000")
    counted = counted or (
        line.role != "code" and _BARELY_OWNED.search(head) is not None and _ENDED.match(block.text, match.end()) is not None
    )
    counted = counted or times or (line.role != "code" and (sized or _in_field(block.text, start)))
    counted = counted or (line.role != "code" and (_SIZE_BEFORE.search(head) or _SWAPPED.search(head)) is not None)
    counted = counted or (
        line.role != "code" and _FAILING_CARD.match(block.text, match.end()) is not None and _CLAUSE.search(head) is not None
    )
    counted = counted or (name[0].isupper() and (_in_brackets(line, block.text, start, match.end()) or _alone(line, name)))
    if clear or counted or _CLEAR.search(name) or _GPU_WORDS.search(line.text) or _among_software(line, block.text, match.end()):
        names.add(name, block, start, line)


def _alone(line: Line, name: str) -> bool:
    """Whether a name is all that a line says: "- T4"."""
    return line.role != "code" and line.text.strip(" \t.!\uff01'\"`*-") == name


def _in_brackets(line: Line, text: str, start: int, end: int) -> bool:
    """Whether a name stands alone in brackets in a sentence: "fine-tuning the model (T4)"."""
    if text[start - 1 : start] not in ("(", "\uff08") or text[end : end + 1] not in (")", "\uff09"):
        return False
    if _PART_OF_A_TEXT.search(text, max(0, start - 12), start) is not None:
        return False
    if line.role != "output" or line.prefix is not NO_PREFIX:
        return line.role == "prose"
    if _SOFTWARE.search(line.text) or _RUN_ON.search(text, max(0, start - 16), start):
        return True
    return looks_like_prose(line.text) > 0


def _in_field(text: str, start: int) -> bool:
    """Whether what stands at an offset is the answer to a field that asks for the card."""
    line = text.rfind("\n", max(0, start - 48), start) + 1 or max(0, start - 48)
    return _FIELD.search(text, line, start) is not None or _HEADED.search(text, max(0, start - 60), start) is not None


def _among_software(line: Line, text: str, end: int) -> bool:
    """Whether a memory's size follows a short name, or it is an item beside versions of software."""
    if line.role == "code":
        return False
    if _SIZED.match(text, end) is not None or _SIZE_ENDS.match(text, end) is not None:
        return True
    return _BESIDE.match(text, end) is not None and _SOFTWARE.search(line.text) is not None


def _bare_numbers(block: Block, names: Named, taken: list[tuple[int, int]]) -> None:
    """Numbers of GeForce cards without their series, as people write them."""
    text = block.text
    for bare in BARE.finditer(text):
        start = bare.start()
        line = block.line(start)
        if _inside(start, taken) or line.role in ("diff", "source"):
            continue
        head = text[max(0, start - 20) : start]
        suffixed = not bare[1].isdigit()  # "3090 Ti", "NVIDIA 3090"
        counted = _COUNTED.search(head) is not None
        words = _GPU_WORDS.search(line.text) is not None
        measured = counted and not head.rstrip(" ")[-1:].isascii()
        sized = _SIZED.match(text, bare.end()) is not None or _SIZE_BEFORE.search(head) is not None
        told = suffixed or counted or words or sized
        times = not bare[1][-4:].startswith("1") and (_TIMES.match(text, bare.end()) or _TIMES_BEFORE.search(head)) is not None
        if (
            times
            or (told and (line.role == "prose" or sized or suffixed or measured or (counted and words)))
            or _PAIRED.match(text, bare.end())
            or _HEADED.search(text, max(0, start - 60), start)
            or line.text.strip() == f"({bare[1]})"
            or (bare[1][0] in "2345" and _in_brackets(line, text, start, bare.end()))
            or (head.endswith(("GPU (", "gpu (", "card (")) and text.startswith(")", bare.end()))
            or _owned(line, text, bare)
            or _failing_now(text, start, bare.end())
            or (bare[1][:1] == "1" and line.role not in ("code", "table") and _is_old_card(bare[1], head, text, bare.end()))
            or (line.role != "code" and _FAILING_CARD.match(text, bare.end()) and _CLAUSE.search(head))
        ):
            names.add(bare[1], block, start, line)


def _is_old_card(number: str, head: str, text: str, end: int) -> bool:
    """Whether a number of the GTX 10 or 16 series, which is that of much else, has a card's memory behind it, a word for a card before
    it, or an owner."""
    sized = _OWN_SIZE.match(text, end)
    if sized is not None and sized[1] in _SIZES_OF.get(number[:4], ""):
        return _NO_CARD_BEFORE.search(head) is None
    return _OWNER_OF_A_CARD.search(head) is not None and _NOTHING_ELSE.match(text, end) is not None


def _owned(line: Line, text: str, bare: re.Match[str]) -> bool:
    """Whether words around a number say that it is a card people have, or it is an item among versions."""
    if line.role == "code":
        return False
    head = text[max(0, bare.start() - 20) : bare.start()]
    if bare[1].startswith("1"):  # what many other numbers are, too
        return _in_field(text, bare.start()) and _ITEM_END.match(text, bare.end()) is not None
    if _OWNED.search(head) is not None:
        return _COUNTER.match(text, bare.end()) is None
    if _SET_TO_WORK.search(head) is not None and _AT_WORK.match(text, bare.end()) is not None:
        return True
    if head.endswith((" with ", " to ", " for ", " by ", " a ", " new ")) and _REPLACING.search(
        text, max(0, bare.start() - 60), bare.start()
    ):
        return True
    ends = _ITEM_END.match(text, bare.end()) is not None
    if _BARELY_OWNED.search(head) is not None and (_ENDED.match(text, bare.end()) or _AND_SOFTWARE.match(text, bare.end())):
        return True
    if head.endswith(("GPU ", "gpu ", " card ", "\u73af\u5883\uff1a", "\u914d\u7f6e\uff1a")) or _in_field(text, bare.start()):
        return ends
    if not head.rstrip(" :").isascii() and _CARD.search(head) is not None:
        return _COUNTER.match(text, bare.end()) is None
    listed = _SOFTWARE.search(line.text) or _CUDA_VERSION.search(line.text)
    if not ends or listed is None or len(line.text) >= 160 or _UNLISTED.search(line.text) is not None:
        return False
    return _ITEM.search(head) is not None
