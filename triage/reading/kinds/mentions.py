"""Sentences of a person that deny, suppose or explain a failure: 'no error any more', 'if it were so, I'd expect an error'

Where all that a line says of failures is of that kind, it gets the role 'mention': it reports none, but what else it tells, of GPUs and
versions, is told of the same machine. What is advice gets the role 'document'.
"""

from __future__ import annotations

from triage.reading.lazy import Gated, Pattern
from triage.reading.log import NO_PREFIX, QUOTED, Line
from triage.reading.prose import ERROR_LINE, WEAK, looks_like_prose

_FAILURE = Gated(
    r"[Ee]rror|ERROR|\b[Oo]ut[- ]of[- ](?:\w+ )?memory|\boom\b|(?<![A-Za-z])OOM|[Mm]ismatch|\b[Ii]llegal (?:memory|address)|\b[Nn]o (?:CUDA"
    r"|kernel|GPU)|\b[Nn]ot compiled"
    r"|\b(?:NaN|nan)\b|[Hh]ang(?:s|ing)?\b|\b[Hh]ung\b|[Dd]ead-?lock|[Tt]ime-?outs?\b"
    r"|[Tt]imed[- ]out|[Cc]rash|[Ff]ail|\b[Kk]illed\b|\bSIG(?:KILL|SEGV|ABRT|BUS)\b|\b(?:return|exit) ?code ?=? ?-[0-9]"
    r"|\b[Cc]onflicts?\b|\bstuck\b|\bnever (?:returns|finishes|ends|completes)|\b[Ll]eak|错"
    r"|超时|耗尽|卡[住死在]|不动|挂起|找不到|未找到|被 ?(?:[Kk]ill|KILL|杀)|过[低旧高]|太[低旧高]|爆|溢出|不[足够]|死锁|失败|崩"
    r"|泄[漏露]|掉[卡线]"
    r"|[Ff]allen off the bus|\bexceed\w* (?:the )?(?:GPU|VRAM)|\btoo (?:old|new)\b|\binsufficient\b"
    r"|\b(?:stands?|stood) still\b|\bstandstill\b|\b[Ff]roze\b|\b[Ff]reezes\b(?! (?:the|its|all|every)\b)|\b(?:stops?|stopped) responding\b"
    r"|\b(?:PC|pc|[Cc]omputer|[Mm]achine|[Ss]erver|[Ww]orkstation) (?:\w+ )?(?:reboots|restarts|shuts|switches off|turns off)\b"
)
_DENIAL = Pattern(
    r"(?:\b(?:no|No|never|zero|not|any more)\b|n't) "
    # the message itself: "the no kernel image error", "a not compiled with CUDA error"
    r"(?!kernel image|(?:CUDA )?(?:GPUs?|devices?) (?:is |are |were |was )?(?:available|found|detected)|CUDA-capable"
    r"|available (?:memory|kernel)|space left|module named|such (?:file|process)|(?:enough|sufficient) (?:\w+ )?(?:memory|space|VRAM)"
    r"|compiled with|implemented for|contiguous)"
    # not "can not import it and the error is", nor "not sure how to solve the error"
    r"(?:(?!(?:because|due|with|idea|clue|sure|solutions?|know|understand|figure|solve|fix|resolve|way|rid|avoid|prevent|why) "
    r"|(?:and|so|then) (?:an?|the|its?|this|my|[Ii]|gets?|got|gives?|shows?|says?|throws?|raises?|fails?) )"
    r"[\w'-]+ ){0,5}?(?:errors?(?! (?:messages?|logs?|output|text|trace\w*|information|details)\b)|OOM|out of|hang|hung"
    r"|dead-?lock|time-?outs?"
    r"|timed|crash|fail|stuck)"
    # "without an error", but neither "without offload out of memory" nor "without any error message", which says that one is missed
    r"|\b(?:[Nn]o|NO|[Ww]ithout) [`*]{0,3}\w*(?:Error|ERROR|STATUS_)\w*"
    r"|\b[Ww]ithout (?:(?:an?|the|any|more|further|such|running|getting|going|hitting|seeing|causing|throwing|raising|these|those"
    r"|cuda|gpu|memory|[A-Z]{2,6}) ){0,4}(?:errors?"
    r"(?! (?:messages?|descriptions?|logs?|outputs?|text|trace\w*|info|information|reports?|details?)\b)"
    r"|OOM|out of|hang|hung|dead-?lock|time-?outs?|timed|crash|fail)"
    r"|\b[Ww]ithout \w+ing\b[^.;:]{1,80} or (?:causing|hitting|getting|running into|triggering) "
    r"|\bno longer\b|\b(?:is|are|was|were|been|has|have|now) (?:\w+ )?(?:avoided|prevented|fixed|solved"
    r"|resolved|gone)\b"
    r"|\b[Нн]ет (?:\w+ )?ошиб|\b[Бб]ез ошиб"
    r"|没有?再(?:出现|发生|报)"
    r"|不再|无 ?(?:hang|OOM|死锁|崩溃|报错|错误|超时)|没有"
    # not "没有安装的错误": what is missing is what the error says
    r"(?!被?(?:设置|安装|装|找到|检测到|识别到|定义|配置|编译|导入|权限|足够|可用|这个|该)[^，。；]{0,8}(?:的|这个) ?(?:错|报错))"
    r"(?:再|任何)?(?:出现|报)?.{0,6}(?:错(?!误?(?:信息|日志|提示|消息))"
    r"|超时|卡|溢出|失败|OOM)|已(?:经)?(?:解决|修复)"
    r"|(?:问题|bug|BUG|错误|异常)的?(?:修复|优化)(?:了|$|[，。；\s])"
    r"|不会(?:再|轻易|因此)?[^，。；]{0,10}(?:爆|溢出|OOM|卡[住死]|超时|崩|泄[漏露])|不(?:把|将|让)[^，。；]{0,12}(?:占满|撑爆|爆)|(?:不想|不希望|不愿|以免|免得)[^，。；]{0,8}(?:爆|溢出"
    r"|OOM|不足|卡)"
)
# What came about, and printed nothing: "it hangs without any error" denies the message, not the failure.
_SILENT = Pattern(
    r"\b(?:[Hh]angs?|[Hh]ung|[Hh]anging|[Ss]tuck|[Ss]tucks|[Ff]reezes|[Ff]roze|[Ff]rozen|[Ff]reezed|[Hh]alts|[Ss]talls|[Dd]eadlocks?|[Dd]eadlocked"
    r"|[Cc]rash(?:es|ed)|[Kk]illed|[Dd]ies|[Dd]ied)\b[^.;]{0,40}?\b(?:without|with no|there is no|there are no|no) "
    r"|(?:卡[住死]|不动|挂起|死锁|崩溃|闪退|假死|被杀)[^，。；]{0,12}?(?:没有?|无|不)(?:任何|出现|打印|输出)?报?错"
)
_DENIED_ITSELF = Pattern(
    r"(?:\b(?:no|never|not|nothing|doesn't|didn't|don't|any more) (?:\w+ ){0,2}?(?:hang|hung|stuck|freeze|crash|die|kill|dead)|不[会再])"
)
_PREVENTED = Pattern(  # by what is described; asked for where the sentence asks how
    r"(?<!fails )(?<!failed )(?<!unable )\b(?:to|also|can|and|will|helps?(?: to)?) (?:gracefully )?(?:avoid|prevent|reduce|handle"
    r"|detect|catch"
    r"|survive|recover from|deal with)\b"
    r"|\b(?:fixes|solves|resolves|addresses) (?:the|an?|this|that|our|most|all|some) (?!.*\b(?:not|but)\b)"
    r"|\b(?:when|while|for) (?:debugging|diagnosing|troubleshooting|investigating)\b"
    r"|\b(?:avoids|prevents|avoiding|preventing)\b(?! (?:me|us|my|our) )"
    r"|\beliminat(?:es|ed|ing)\b"
    r"|\b[Ss]uccessfully \w+ed\b.{0,160}\bto (?:resolve|fix|solve|avoid|work around)\b"
    r"|\b(?:OOM|NaN|[Hh]ang|[Cc]rash|[Tt]ime-?out|[Ee]rror)(?: [Ll]oss)?[- ]"
    r"(?:fix(?:es)?|Fix(?:es)?|hardening|[Rr]ecovery|[Hh]andling|[Rr]etry"
    r"|[Pp]rotection|[Pp]revention|back-?off|[Mm]itigation|[Dd]etection|guards?)\b"
    r"|\b(?:[Ww]e|PR|patch|commit|change) (?:\w+ )?(?:resolve[ds]?|fix(?:e[ds])?|solve[ds]?|address(?:e[ds])?)\b"
    r"|(?:解决|修复)了.{0,60}问题|(?:以|来|而|能|可|为|为了|^|[\u201d\u2019])(?:避免|防止)"
    r"|(?:为了?|用于|用来|旨在|有助于|可以|能够?|从而|进而|有效|目的是)(?:地)?(?:解决|克服|应对|缓解|避免|防止|减少)"
)
_SUPPOSED = Pattern(
    r"\b(?:[Ww]ill|[Ww]ould|[Cc]ould|[Mm]ight|[Mm]ay|[Ss]hould|[Dd]oes) (?:I|we|it|this|that|one|they|training|inference|the \w+)\b.{0,80}"
    r"(?:\b(?:run|go|running) out of\b|OOM|\bhang\b|deadlock|crash|fail).{0,200}\?"
    r"|会不会.{0,12}(?:爆|溢出|不足|OOM|卡|超时|报错)|会.{0,12}(?:爆|溢出|不足|OOM|卡[住死]|超时|报错).{0,6}吗|(?:如有|如遇|若有|如果有).{0,30}请"
    r"|(?:如果|若).{0,30}(?:出现|遇到|遇见|找不到|未找到|提示|报错?|过[低旧高]|太[低旧高]|不足|不够).{0,40}(?:请|查看|检查|可以|建议|尝试|需要)"
    r"|(?:如果|若).{0,40}(?:出现|遇到|遇见|提示|报).{0,120}(?:错误|报错)[，,].{0,8}(?:请|需要|可以|建议|应当?|尝试)"
    r"|(?:如果|若是?|要是|假如|倘若)(?:你|您|用户|机器|本地)?的?(?:显存|内存|GPU|gpu|显卡)[^。，]{0,12}(?:不够|不足|有限|较小|溢出|吃紧)"
    r"|除非.{0,30}否则.{0,20}(?:会|将)|でない限り"
    r"|\bin (?:the )?cases? of `?(?:cuda|hip)Error[A-Z]\w+"
)
# What would be seen if something were the case that is not: "if the driver was too old I'd expect …", "had it run out, you'd see …".
# Only with an expectation or in the past: "if I use two GPUs it would raise …" is how many tell of what happens.
_HYPOTHETICAL = Pattern(
    r"\b[Ii]f\b[^?]{3,200}?\b(?:I|we)(?:'d| would| should) (?:also |still |at least )?(?:have )?"
    r"(?:expect|assume|imagine|understand)(?:ed|d)?\b"
    r"|\b(?:I|we)(?:'d| would) (?:have )?expect(?:ed)? [^?,;]{3,160}? if\b"
    r"|\b[Ii]f (?:\S+ ){1,8}?(?:was|were|had been|wasn't|weren't|hadn't)\b[^?]{0,120}?\b(?:I|we|you|one|there|it|they|that)"
    r"(?:'d| would) (?:also |still |at least )?(?:have )?"
    r"(?:seen?|be|been|get|got|gotten|fail(?:ed)?|crash(?:ed)?|said?|say|shown?|complain(?:ed)?|expect(?:ed)?)\b"
    r"|\b[Hh]ad (?:the|it|this|that|my|our) [^?,;]{0,60}?\b(?:been|run|failed|crashed|died)\b[^?]{0,80}?\bwould\b"
    r"|\b(?:[Ww]ouldn't|[Ss]houldn't) (?:it|that|this|I|we|there|the \w+)\b[^?]{3,160}?\bif\b"
    r"|(?:如果|要是|若)(?:真)?是[^。？?]{2,60}(?:应该|理应|就)(?:会|该)[^。？?]{2,60}(?:才对|吧|但|可|而|却)"
    r"|(?:如果|要是|若)(?:真)?是[^。？?]{2,60}(?:应该会|理应会|就该)[^。？?]{2,60}(?:。|$)"
)
# What is said of failures in general: what a message means, and whom it meets.
_GENERALLY = Pattern(
    r"\b[Tt](?:he|his) (?:message|error)\b.{0,4}[`\"'\u201c].{3,300}[`\"'\u201d] (?:means|indicates|says|is raised|is printed)\b"
    r"|^(?:[-*+] {1,3})?[*]{0,2}[`\"\u201c][^`\"\u201d]{3,300}[`\"\u201d][*]{0,2}(?: ?[:：] ?(?:this|it|that) is\b| (?:means"
    r"|indicates|is (?:an? )?(?:real|genuine|harmless|benign|symptom|sign))\b)"
    r"|^[-*+] {1,3}[*]{2}[^*]{3,160}[*]{2} (?:means|indicates|signals|suggests|points to|appears? (?:when|during|where|if))\b"
    r"|\b[Tt]he [`\"\u201c][^`\"\u201d]{3,300}[`\"\u201d](?: (?:error|exception|message))?(?: in [\w.]{2,20})? "
    r"(?:signifies|denotes|means|indicates|typically|usually|often|generally)\b"
    r"|\b(?:[Cc]ommon|[Tt]ypical|[Uu]sual) (?:error )?messages? (?:are|is|include)\b"
    r"|\b(?:common|frequent|typical|well-known) (?:error|issue|problem|mistake)s?(?: message)? (?:encountered|you|developers|users)\b"
    r"|\b(?:commonly|typically|usually|generally) (?:invokes|raises|triggers|causes|produces|throws|ends in|leads to|results in)\b"
    r"(?!.*\b(?:my|I|our|we)\b)"
    r"|^\W{0,6}[A-Z][\w /-]{2,60} errors\W{1,3}(?:queries|scans|reads|checks|monitors|collects|watches|parses|tracks)\b"  # what a tool does
    r"|\b(?:errors?|OOMs?\)?|failures?|hangs?|crashes|time-?outs?|memory) (?:may|might|can|could) (?:also )?(?:occur|happen"
    r"|appear|arise|result|follow)\b"
    r"|\b(?:(?:[Ii]f|[Ww]hen|[Ii]n case|[Oo]nce) (?:you|one)(?:'re)?|[Uu]ntil (?:you|one)"
    # "it" is the reader's program where somebody is told to do something, and otherwise the poster's own
    r"|\b(?:Increase|Raise|Double|Try|Grow|Keep|Add|Set|Scale)\b [^.\n]{0,100}?\buntil it)(?: (?:still|ever|are|do"
    r"|does|get|gets|hit|hits|run|runs"
    r"|encounter|see|face|into|an?|the|GPU|CUDA)){0,6} (?:OOM(?:s|ing)?|out[- ]of[- ]memory)\b"
    r"|\b[Yy]ou(?:'ll| will| would|'d) (?:\w+ ){0,2}(?:OOM|hit OOM)\b"
    r"|\b(?:[Nn]ew |[Mm]any |[Ss]ome |[Mm]ost )(?:users|people|beginners|newcomers)\b.{0,80}\b(?:gets?|see|hit|run into|report|meet)\b"
    r"(?!.*\b(?:my|I|our|we)\b)"
    r"|\b(?:[Jj]obs?|[Uu]sers|[Pp]eople|[Nn]odes?)\b.{0,40}\bwill (?:then |also )?(?:see|get|hit|encounter|run into)\b"
    r"|\b[Ii]f (?:it|this|that) (?:still |ever |already )?(?:OOMs|(?:crashes|fails|dies|ends) with|runs out of)\b(?!.*\b(?:my|I|we|our)\b)"
    r"|\b[Ii]f (?:an? |the )?(?:CUDA |GPU )?(?:OOMs?|out[- ]of[- ]memory)(?: errors?)? (?:still )?(?:happens?|occurs?|arises?"
    r"|persists?|appears?)\b"
    r"|\b[Ii]f (?:an? |the )[\w -]{2,40}? (?:still |ever )?(?:runs? out of|exceeds?|OOMs?)\b[^?]{0,60},"
    r" (?:[\w-]+ ){1,5}(?:is|are) (?:\w+ly )?"
    r"(?:enabled|used|retried|tried|split|offloaded|reduced|lowered|halved|skipped|dropped|moved|tiled)\b"
    r"|\b[Ww]hen [\"`\u201c][^\"`\u201d]{3,200}[\"`\u201d] (?:error )?(?:happens|occurs|appears)\b"
    r"|\b[Oo]ne of the most (?:common|frequent|frustrating|annoying|typical) (?:errors?|problems?|issues?)\b"
    r"|\b(?:[Ww]ill|[Cc]an|[Mm]ay|[Mm]ight) (?:easily |quickly )?(?:lead to|cause|result in|trigger) (?:an? )?(?:CUDA |GPU )?(?:OOM"
    r"|out[- ]of[- ]memory)"
    r"(?!.*\b(?:my|I|our)\b)"
    r"|[;,.] ?[Oo]therwise,? [^.]{3,160}\b(?:fails?|crash(?:es)?|hangs?) (?:with|on|at)\b(?!.*\b(?:my|I|our)\b)"
    # what is brought about on purpose, to see what comes of it
    r"|\b(?:[Tt]est|[Vv]erif|[Vv]alidat|[Cc]heck|[Rr]eproduc|[Ee]xercis|[Cc]onfirm)\w*\b.{0,80}\bby "
    r"(?:artificially |deliberately |manually |intentionally )?"
    r"(?:triggering|injecting|simulating|provoking|forcing|faking|mocking|inducing|emulating|raising)\b"
    r"|\b(?:[Ii]nject|[Ss]imulat|[Ee]mulat|[Ff]ak|[Mm]ock)(?:e|es|ed|ing|s)? (?:an? |the |some |fake )?(?:\w+ ){0,2}?"
    r"(?:X[Ii][Dd]|xid|ECC|NVLink|OOM|[Ff]ault|[Ff]ailure|[Ee]rror)s?\b"
    r"|(?:模拟|注入|伪造|人为(?:制造|触发))[^。，；]{0,12}(?:X[Ii][Dd]|错误|故障|OOM|掉卡|异常)"
    # what not to do, for it brings what is named
    r"|(?:\bDo \*{0,2}not\*{0,2}|\bDon't|\bNever|\bAvoid) \w+\b.{0,160}\b(?:triggers?|causes?|leads to|results in|breaks)\b"
    r"(?!.*\b(?:my|I|our)\b)"
)
# The words of a message, which are told to be bad, and what somebody finds hard about failures in general
_WORDED = Pattern(
    r"\b(?:error|warning|out[- ]of[- ]memory|OOM|timeout) (?:messages?|codes?|descriptions?)\b (?:\w+ ){0,3}?(?:is|are) (?:\w+ ){0,3}?"
    r"(?:hard to (?:understand|read)|unclear|confusing|misleading|cryptic|unhelpful|vague|generic|(?:clear|helpful|informative|useful)\b"
    r"(?=.*\bnot\b|.*n't))(?![^.]{0,40}[:\"])"
    r"|\b(?:error codes?|[0-9]{1,4}) (?:says? that [0-9]{1,4} )?maps? to\b"
    r"|\b(?:live with|have|use[sd]?|using|set|setting|configured?) (?:an? |the |our )?(?:[0-9]+[- ]?(?:min\w*|s|sec\w*|h\w*)|default"
    r"|longer|shorter) (?:\w+ )?time-?outs?\b(?!.*\b(?:fail|hang|hung|stuck|crash|error|still)\w*)"
    r"|\b[Tt]here are (?:a (?:couple|few)|some|several|many)(?: of)? (?:\w+ )?cases (?:where|in which|when)\b"
    r"|\b[Oo]ne (?:\w+ )?pain point (?:of|with|in|when)\b"
    r"|\b[Ww]hen(?:ever)? (?:an? |the )?(?:\w+ ){0,3}(?:time-?outs?|hangs?|OOMs?|errors?|crash(?:es)?|failures?)"
    r" (?:happens?|occurs?|arises?), (?:can|could|would|will|should|is it possible|how about) "
    r"|^\W{0,3}(?:[Cc]an|[Cc]ould) (?:it|we|you|the (?:\w+ ){1,4}?)(?:please |also )?(?:print|show|log|report|tell|include|expose|output)\b"
)
# The end of a search for what fits, and what came to an end
_ENDED = Pattern(
    r"\b(?:until|before|without) (?:running|going|exceeding|hitting|getting|you run|one runs|we run) (?:(?:an?|the|GPU|CUDA|VRAM) ){0,3}"
    r"(?:out of|memory|OOMs?)\b|\bbefore (?:an )?OOM\b"
    r"|\b(?:OOM|out of memory)\b[^.;]{0,60}[;,] (?:so |then )?(?:we |I )?(?:reduced|lowered|dropped|cut|moved) "
    r"(?:it |that )?to [\w.-]{1,30} (?:to|which) fits?\b|[;,(] ?(?:since )?(?:resolved|fixed|solved) (?:at|by|in|once|with|via|since)\b"
    r"|出现.{0,40}(?:nan|NaN|inf|Inf).{0,6}时[，, ]?(?:减小|降低|跳过|则|自动|将)"
    r"|(?:可能|也许|有时)会?(?:出现|遇到)(?:一些|以下|如下|各种)?的?(?:问题|错误|报错)[，,]? ?(?:比如|例如|如|像)"
    r"|(?:故障|异常|问题|错误|情况)[（(](?:如|例如|比如)[^（）()]{2,60}[）)]"
    r"|当.{0,40}(?:不足|不够|溢出|OOM) ?时[，,]? ?(?:可以?|请|应|建议|需要|推荐)|会导致.{0,60}(?:甚至|从而).{0,30}(?:OOM|溢出|不足|崩溃)"
    r"|可能会?(?:导致|造成|引起|引入|引发).{0,30}(?:OOM|爆显存|显存不足|溢出|报错|失败|死锁|卡[住死]|超时|崩溃)"
    r"|可能会?(?:直接|一直)(?:挂起|卡[住死]|崩溃|失败|超时)(?!.*(?:怎么|如何|请问|吗|[?？]))"
)
# What a piece of advice is against, and what a program does in that case
_AGAINST = Pattern(
    r"(?:最好|建议|必须|应当?|应该|需要?|请|务必|注意|不要|避免|为了).{0,60}否则.{0,40}(?:会|将|可能|容易|导致)"
    r"|\b[Oo]therwise\b[^.]{0,60}\b(?:may|might|could) (?:\w+ly )?(?:hang|deadlock|crash|fail|run out|OOM)"
    r"|(?:^|[。；，])(?:当|在)[^。，]{0,20}(?:不足|不够|溢出|OOM) ?时[，,](?!.*(?:报错|崩|怎么|如何|请问|[?？]))"
    r"|(?:显存|内存)(?:不足|不够|溢出)(?:时|的时候|的情况下?)的?(?:技巧|(?i:trick)|小?窍门|方法|解决|处理|优化|应|可以|建议)"
    r"|(?:建议|推荐|只有)[:：,，]?在?(?:显存|内存)(?:不足|不够|紧张)时[，,]?(?:才|再|可以?)"
    r"|(?:初代|上一?代|前代|旧版|原版)[^。]{0,80}?就?会[^。]{0,12}(?:耗尽|溢出|不足|OOM|爆)[^。]{0,8}[，,；]而"
    r"|当(?:您|你)?(?:遇到|出现|发生).{0,12}(?:OOM|爆显存|显存不足|溢出|错误|报错).{0,6}(?:时|，)"
    r"|(?:小于|低于|少于|不足|超过|大于) ?[0-9]+ ?GB?.{0,6}(?:会|可能)(?:出现|导致|报).{0,6}(?:OOM|爆显存|显存不足"
    r"|溢出)(?!.*(?:怎么|如何|请问|吗|[?？]))"
    r"|\b[Tt]his (?:error|exception) (?:usually|typically|often|commonly) (?:occurs|arises|happens|appears) (?:when|because|due)\b"
    r"|\b[Yy]ou(?:'ll| will| may| might) (?:get|see|encounter|hit|run into) an? \w*(?:[Ee]rror|[Ee]xception)\b"
    r"|\b[Yy]ou (?:may|might) (?:also |still |sometimes )?(?:get|see|encounter|hit|run into|face) [`\"'\u2018\u201c]?(?:[\w.]{0,40}"
    r"(?:Error|Exception): |CUDA |cuda )"
    r"|\b[Yy]ou(?:'d| would) (?:get|see|encounter|hit|have|expect) (?:an? |the )?(?:\w+ ){0,2}(?:OOM|error|exception|out of memory)\b"
    r"|\b(?:[Aa]n?|[Aa]ny|[Nn]o|[Ee]very) (?:mismatch|unlisted|unsupported|missing|wrong|older) .{0,120}\bwill (?:hang|fail|crash|OOM)\b"
    r"|\b(?:[Yy]ou|[Oo]ne)(?:'ll| will| would| may| might| can| could)? (?:(?:quickly|eventually|soon|easily|just|simply) )?"
    r"(?:runs?|gets?|goes|go|ends? up) out of\b"
    r"|\b(?:may|might|can|could) (?:return|raise|give|report|throw|mean)\b.{0,160}(?:`[^`]{3,60}`,? ){1,8}or `[^`]{3,60}`"
    r"|(?:我们|你|您|用户|开发者|大家)?(?:可能会?|经常会?|常常会?|往往会?|通常会?)(?:遇到|碰到|看到|收到)"
    r"|(?:显存|内存)(?:不足|不够|有限|较小|太小)的(?:用户|同学|朋友|机器|设备|显卡|情况|小伙伴|话)(?!.*(?:怎么|如何|请问|[?？]))"
    r"|一旦(?:出现|发生|遇到|触发)[^。]{0,30}(?:就|则|会|将)(?!.*(?:怎么|如何|请问|[?？]))|(?:你|您)(?:最终|就|将)会(?:得到|看到)"
)
# What is over
_OVER = Pattern(
    r"由于.{0,30}(?:OOM|显存|溢出|不足).{0,10}，(?:我们|因此|所以)?(?:设置|采用|改用|使用|降低|减小|将|把)(?!.*(?:怎么|如何|请问|[?？]))"
    r"|容易(?:出现|导致|引发|触发|造成)[^。]{0,20}(?:OOM|显存不足|溢出|爆)[^。]{0,10}(?:情况|现象|问题)(?!.*(?:怎么|如何|请问|[?？]))"
    r"|直到(?:出现|遇到|发生).{0,30}(?:Error|OOM|溢出|不足)"
    r"|(?:之前|以前|原来|原先|起初|一?开始|刚开始).{0,30}(?:爆|溢出|不足|OOM|报错|卡).{0,20}(?:后来|现在|改成|换成|改用|换了|之后|直到).{0,80}"
    r"(?:没有?再|不再|正常|稳定|解决了|跑通|成功|可以了|好了)(?!.*(?:怎么|如何|请问|为什么|[?？]))"
)
# Hearsay
_HEARSAY = Pattern(
    r"\bI (?:read|heard) (?:somewhere )?that\b(?!.*\b(?:my|mine|still)\b)"
    r"|\b(?:[Tt]he|[Tt]heir|[Tt]his|[Tt]hat|[Aa]n?) (?:\w+ )?(?:papers?|authors?|article|blog(?: post)?|report|docs|documentation"
    r"|README|readme|guide|tutorial|changelog) (?:reports?|says?|states?|mentions?|claims?|notes?|describes?|shows?|explains?) that\b"
    r"(?!.*\b(?:but|yet|however|I|my|we)\b)"
    r"|(?:看到|听说|据说|刷到).{0,20}(?:有人|别人|网友|大家|其他人)(?:都|也)?(?:说|提到|反馈|反映|讲)"
    r"(?!.*(?:还是|仍|依然|我也|但))"
    r"|(?:都?将|就?会|可能)(?:会)?导致.{0,120}等(?:错误|报错|问题)|(?:开发者|用户|很多人|大家)(?:经?常|往往)(?:会)?(?:遇到|碰到|遭遇).{0,80}等?(?:错误|报错|问题)"
)
# What is feared: "感觉随时都可能爆显存", but neither 哪怕 nor 恐怕
_FEARED = Pattern(
    r"(?:随时(?:都|会|有|可能|要|就){1,4}[^，。；]{0,6}|(?:担心|担忧|生怕|害怕|(?<![哪恐])怕)(?:会|要|又|将)?[^，。；]{0,8})"
    r"(?:爆|溢出|OOM|不足|不够|卡[住死]|崩|挂)(?!.*(?:还是|仍|依然|结果|果然|但))"
    r"|都(?:有)?可能(?:会)?.{0,30}(?:导致|引发|造成)(?!.*(?:怎么|如何|请问|[?？]))|(?:会|可能)出现.{0,80}(?:这样|这类|之类)的(?:错误|报错|故障)?(?:信息|日志|提示|字样)?"
    r"|(?:这种|这类|此类)(?:故障|错误|问题|异常)(?:不仅|往往|通常|一般|常常?)(?!.*(?:怎么|如何|请问|[?？]))"
    r"|(?:这种|这类|此类)[^，。]{0,24}(?:故障|错误|问题|异常)[^，。]{0,24}(?:常见|普遍)(?!.*(?:怎么|如何|请问|[?？]))"
    r"|当(?:试图|尝试|你|您|我们).{0,120}?会(?:出现|报|抛出|引发|遇到)|(?:出现|产生|导致)(?:这个|该|此)(?:错误|问题|报错)的原因"
    r"|(?:卡[住死]|死锁|报错|溢出|OOM|超时)的(?:根本|主要)?原因(?:是|在于|有)(?!什么|啥|不是)"
)
# What a table of errors says of one: "出现"…"时，通常由…引起", "错误提示：…"
_TABULATED = Pattern(
    r"(?:出现|遇到|提示|看到|收到) ?[\"'`\u201c\u201d\u300c][^\"'`\u201c\u201d\u300d]{4,160}[\"'`\u201c\u201d\u300d]"
    r" ?(?:错误|报错|提示|信息|异常)?时[，, ]{0,2}"
    r"(?:通常|一般|往往|多半|大多|需要?|应当?|请|可以?|建议|检查|尝试|说明|表示|表明)(?!.*(?:怎么|如何|请问|[?？]))"
    r"|(?:通常|一般|往往|多半|大多)(?:都|是){0,2}由[^。；]{1,40}(?:引起|导致|造成|引发)(?!.*(?:怎么|如何|请问|吗|[?？]))"
    r"|(?:报错|错误|问题|Error|memory|[Oo][Oo][Mm])[^。；]{0,6}是[^。；]{2,40}(?:中|里|时)(?:最|非常|很|十分|较|比较)?(?:为)?常见的[^。；]{0,12}(?:问题|错误|报错|异常)"
    r"|(?:根本|主要)?原因(?:通常|一般|往往|多半)是(?!什么|啥)"
)
_TABULATING = "时因见由"  # characters of which every such sentence has one
_EXPLAINED = (_GENERALLY, _WORDED, _ENDED, _AGAINST, _OVER, _HEARSAY, _FEARED, _TABULATED)
# What a function gives instead of another code, neither of which is that it went well.
_CODE = r"(?:(?:CUDA|HIP|NVML|NVRTC|VK|CL|CU[A-Z]{2,8}|UR_RESULT|ZE_RESULT)_(?:ERROR|STATUS)_\w+|(?:cuda|hip|nccl)\w*Error\w*)"
_INSTEAD = Pattern(
    r"\b(?:returns?|returning|returned|emits?|gives?|reports?)\b.{0,80}?\b"
    + _CODE
    + r"\b.{0,30}? (?:instead of|rather than) .{0,40}?\b"
    + _CODE
)
_GENERAL = Pattern(  # said of anybody, in a sentence that holds the message
    r"\b(?:common|frequent|typical|well-known) (?:error|issue|problem)s?(?: message)? (?:encountered|you|developers|users|is|in)\b"
    r"|\b(?:nccl|cuda|CUDA_ERROR_|CUBLAS_STATUS_|CUDNN_STATUS_)\w{3,60}(?: (?:and|or) \w{3,60})? indicates? (?:that )?(?:an?|the|there)\b"
)
_MEANING = Pattern(r"(?:状态码|错误码|返回码) ?`?[A-Za-z]\w{4,60}`? ?(?:表示|是指|意味着|代表)(?!.*(?:什么|啥|吗|请问|怎么|如何|[?？]))")
_ADVISED = Pattern(  # what only one who answers says
    r"\W{0,4}[Ii]f (?:the )?(?:CUDA|GPU|VRAM|memory)(?: (?:is|are|runs?|goes))? out of (?:GPU |video )?memory,?"
    r" (?:you (?:can|may|should)|please|try|use|set)\b|"
    r"\W{0,4}(?:[0-9]{1,2}[.)] ?)?(?:[^*]{3,40}\*\*:? |(?:[Tt]ip|[Nn]ote|[Ss]tep)(?: ?#?[0-9]{1,2})?: |[Ww]hat )?[Ii]f (?:it happens"
    r"|you (?:get|see|encounter|meet|face|run into)|there is an?)\b"
    r"|\W{0,4}[Ww]hen(?:ever)? you (?:get|see|encounter|hit|face|run into) .{3,240}?, (?:please |then |just |first )?"
    r"(?:run|rerun|try|set|use|check|reduce|decrease|lower|increase|install|reinstall|upgrade|downgrade|restart|add|make sure|look)\b"
    # an entry of a list: what happens, and what to do
    r"|\s{0,8}[-*+] [*`]{0,2}(?:(?:GPU|CUDA|VRAM|[Mm]emory) )?(?:OOMs?|[Oo]ut[- ]of[- ][Mm]emory|NaNs?|[Tt]ime-?outs?|[Hh]angs)"
    r"(?: errors?)?[*`]{0,2}: "
    r"(?:reduce|lower|decrease|increase|enable|disable|use|set|try|check|keep|add|switch|drop|cut)\b(?!.*(?:n't| not | no |\?))"
    # what a feature shall be good for, and a message that shall be better
    r"|\W{0,4}(?:[Aa]dd|[Ss]upport|[Pp]rovide|[Aa]llow|[Ii]ntroduce|[Ii]mplement|[Oo]ffer) .{3,200}? so (?:that )?"
    r"(?:people|users|one|they|you|everyone|those|it|the)\b"
    r"|\W{0,4}(?:[Mm]ake|[Ii]mprove|[Cc]larify|[Rr]eword|[Ee]nhance) (?:the |an? |our )?(?:\w+ ){0,2}(?:messages?|warnings?|diagnostics)\b"
    r"|\s{0,8}(?:[0-9]{1,2}[.)]|[-*]) "
    r"(?:This (?:error|message) (?:indicates|means|is|occurs)\b|(?:这个|该|此)(?:错误|报错)(?:是|说明|表示|通常|一般))"
    # what is asked for, and the case in which anybody would want it
    r"|.{0,200}\b(?:[Cc]an|[Cc]ould) (?:you|we|it) (?:please )?(?:add|support|provide|offer)\b.{0,80}"
    r"\b(?:when|if|where) (?:you|users|people|one|someone)\b"
    r"|.{0,200}(?:\be\.g\.|\bsuch as|\bfor (?:example|instance)),? (?:an? )?(?:GPU )?X[Ii][Dd](?: errors?)? ?[0-9]{1,3}\b"
    r"|.{0,200}\((?:e\.g\.|such as|for example),? `?(?:VK_|DXGI_|CUDA_|HIP_|CU[A-Z]{2,8}_|cuda|hip|nccl)\w*(?:ERROR|STATUS|Error)\w*`?\)"
    r"|(?:# )?.{0,30}(?:无法|不能|失败|报错).{0,16}时[，,]? ?(?:自动|应当?|应该|希望|能否|可否)"  # what is asked for
    r"|\W{0,4}(?:[0-9]{1,2}[.)、] ?)?(?:如果|若|如)(?:您|你)?(?:出现|遇到|遇见|报错?|提示)"
    r"|\W{0,4}注意[，,:：]?(?:如果|若).{0,40}(?:出现|遇到|提示|报错?)"
)
# What a program tells beforehand, whatever stands before its line.
_NOTED = Pattern(
    r".{0,40}\b(?:INFO|NOTE|NOTICE|HINT|TIP|Info|Note|Hint|Tip)\b\W{1,8}"
    r"[Ii]f you (?:get|see|encounter|meet|face|run into|hit) (?:an?|the|this) .{0,20}?error\b"
)
# What a program or its author warns of, and what a line of a program would raise.
_WARNED = Pattern(
    r"\W{0,4}(?:(?:WARNING|Warning|WARN|NOTE|Note|CAUTION|Caution|Attention)\b.{0,300}|[^?]{3,200}[;,.] ?[Oo]therwise,? it "
    r"|(?:[Tt]his|[Tt]hese|[Tt]he) (?:\S+ )?(?:flag|option|setting|value|parameter|argument|mode|feature)s? )"
    r"(?:may|might|can|could) (?:\w+ly )?(?:cause|lead to|result in|trigger|provoke) (?:an? |the )?(?:potential |possible )?"
    r"(?:CUDA |GPU |VRAM |NCCL )?(?:[Oo]ut[- ][Oo]f[- ][Mm]emory|OOMs?\b|errors?\b|hangs?\b|deadlocks?\b|crash|time-?outs?\b|NaNs?\b"
    r"|illegal)"
    r"|.{0,200}\b(?:raise|throw(?: new)?) [\w.:]{1,60}(?:Error|Exception)\([^()]{0,200}\);?\s*$"
)
_WARNS = (" cause ", " lead to ", " result in ", " trigger ", " provoke ", "raise ", "throw ")
# What readers are told to leave, with what would come of it.
_FORBIDDEN = Pattern(
    r"\W{0,6}(?:[Dd]o not|[Dd]on't|DO NOT|[Nn]ever|[Aa]void) (?:add|call|change|combin|disabl|enabl|install|leav|mix|pass|put|rais|rely"
    r"|run|set|shar|skip|us)\w* .{2,160}?(?:--|[—–:;,(]|\.\*\*|\bsince|\bas|\bbecause)"
    r" ?(?:[Tt]hat|[Tt]his|[Ii]t|[Oo]r it|[Tt]hey|[Oo]therwise it|[Dd]oing so)? ?(?:will |can |may |might |could )?"
    r"(?:causes?|leads? to|triggers?|results? in|hangs?|crash(?:es)?|deadlocks?|OOMs?|breaks?)\b"
)
# A wish: what should be told, and what is told now.
_SHOULD = Pattern(
    r"\W{0,4}(?:[Ww]e|[Ii]t|[Tt]his|[Tt]he \w+|[Tt]riage|[Uu]sers) (?:should|could) (?:rather |better |also )?"
    r"(?:raise|throw|return|print(?: out)?|give|show|report|emit|get|see)\b"
    r"(?:[^.]{3,200}?\b(?:instead of|rather than)\b| (?:more|better|further) (?:info\w*|details?|context|messages?)\b)"
)
# An item of a list of changes.
_FIXES = Pattern(r"\W{0,6}.{0,160}?\bfix(?:es|ed) (?:the|an?|these|following) (?:following )?(?:errors?|crash|hang|failure|exceptions?)\b")
_STOPS = Pattern(
    r"\W{0,6}(?:Prevent|Stop|Keep)(?:s|ed|ing)? [^;]{2,240} from (?:causing|raising|throwing|triggering|producing|hanging|crashing"
    r"|failing|running)\b"
)
# The title of a commit or of a pull request that repairs something.
_REPAIRED = Pattern(
    r"\W{0,4}(?:\[\w+\] ?)?(?:[Ff]ix(?:e[sd])?|FIX|[Rr]esolve[sd]?|[Ss]olved?)\b:?"
    r"(?: (?:an?|the|this|that|for|of|issues?|bugs?|problems?|errors?|\(?#[0-9]+\)?|runtime|type|import)){0,4}"
    r":?[ `'\"]{1,3}(?:[A-Za-z_.]{0,60}(?:Error|Exception)\b|CUDA (?:error|out of memory)|OOM\b)"
)
# An item that begins with a message and says of it in general what it is; and what is read in the report of another.
_ITEM_ON_A_MESSAGE = Pattern(
    r"\s{0,8}[-*+] {1,3}[*]{0,2}[`\"\u201c][^`\"\u201d]{3,300}[`\"\u201d][*]{0,2} (?:is an? (?!new\b)|are |means |indicates |names )"
)
_TOLD_ELSEWHERE = Pattern(
    r"\b(?:[Ii]ssue|PR|[Tt]icket) #[0-9]{1,7}\b.{0,20}?\b(?:shows?|reports?|describes?|mentions?|documents?|muestra|reporta|menciona"
    r"|zeigt|beschreibt|montre|décrit)\b"
)
_THIS_ERROR = Pattern(r"If you (?:encounter|get|see|face|have|meet|run into) this (?:error|message|warning|issue)\b")  # named by the title
_MET = Pattern(r"\b(?:I|[Ww]e)(?:'ve| have| had)? (?:encountered?|got|get|hit|met|meet|ran into|saw|see|faced?|experienced?)\b")
# A reference that leads to another.
_REFERS = Pattern(
    r".{20,}[.!)] See (?:also )?the (?!(?:full|attached|whole|complete|above|following)\b)[^.]{3,80}? for [^.?]{3,100}\.?\s*$"
)
# What shall be written down, and where.
_TO_BE_WRITTEN = Pattern(
    r"(?:Also )?(?:[Ee]xplain|[Dd]ocument|[Dd]escribe|[Mm]ention|[Cc]larify|[Aa]dd(?= (?:\w+ ){0,2}doc)) .{0,60}"
    r"\b(?:docs?|docstring|documentation|pages?|guide|manual|README|FAQ|section|tutorial|wiki)\b"
)
# A remark of a file of settings: no heading begins so.
_REMARK = Pattern(r"# ?(?:[a-z(].{0,200} to avoid |(?:(?:[Tt]emporary|[Qq]uick|[Dd]irty) )?(?:[Ww]ork-?around|[Ff]ix|[Hh]ack) (?:for|to) )")
# What a change adds, and against which error.
_GUARDS = Pattern(
    r"\W{0,6}(?:[Aa]dd|[Uu]se|[Ss]et|[Mm]ove|[Rr]eplace|[Cc]hange|[Ee]nsure|[Cc]atch|[Ss]kip)(?:s|ed|ing|d)? [^.;\n]{2,100}?"
    r" to (?:avoid|prevent|suppress"
    r"|work around|get rid of) (?!it\b|this\b)"
)
_WRITES = ("Explain ", "Also ", "Add ", "add ", "Document ", "Describe ", "Mention ", "Clarify ")
# An item that only leads elsewhere, by the title of what is there.
_LEADS = Pattern(r"\s{0,8}(?:[-*+]|[0-9]{1,2}[.)]) {1,4}(?:\*\*[^*]{1,30}\*\*[:：]? ?)?\[.{3,400}\]\(https?://[^)\s]{3,400}\)[.,;]?\s*$")
_ASKED_WHY = Pattern(r"\b(?:[Ww]hy|[Hh]ow|[Ww]hat)\b|为什么|为何|怎么|如何|请问|求|有没有(?:办法|方法|什么)")
_SPEAKS = Pattern(r"\b(?:I|I'm|I've|[Mm]y|[Mm]ine|[Ww]e|[Oo]ur)\b|[Ss]till\b")
_NEEDS = Pattern(
    r"(?:[Yy]ou (?:need|should|must|have to|can|will need|may need) |(?:Please )?(?:[Tt]ry|[Uu]se|[Ss]et|[Uu]pgrade|[Rr]educe"
    r"|[Ll]ower|[Aa]dd) )"
)
_THANKS = Pattern(
    r"(?:Thanks|Thank you)(?: \w+)? for (?:(?:the|your) (?:report|issue|logs?|details|info\w*)|reporting|opening|raising|filing)\b"
)
_REQUESTS = Pattern(
    r"\b(?:[Cc]ould|[Cc]an|[Ww]ould) you (?:please |also |maybe )?(?:run|rerun|post|share|provide|paste|try|attach|check|tell|send)\b"
)
_LABELLED = Pattern(r"\s{0,8}[-*+] {1,3}[*`]{1,3}\S")
_MOST_OF_AN_ITEM = 6  # lines
_FEW_SPOKEN = 24  # lines of a reply at most
_CODES = Pattern(r"\bXid [0-9]{1,3} ?[(=:]")
_SEVERAL = 3  # codes that a sentence explains
_FEW, _NARROWEST, _WIDEST = 3, 56, 120  # lines of a sentence, and columns of a line that was wrapped
_SENTENCE = Pattern(r"[^.!?。！？\n]{1,2000}(?:[.](?=[\w,;:)])[^.!?。！？\n]{1,2000}){0,40}[.!?。！？]?")
_CLAUSE = Pattern(r"[^,;:，；：]{1,2000}")
_SAID_AGAIN = Pattern(r"\b[Oo]ut[- ][Oo]f[- ][Mm]emory ?\(OOM\)(?: errors?\b)?|\bOOM errors?\b")  # one failure, by several names


def mark_mentions(lines: list[Line]) -> None:
    """Give the role 'mention' to lines of prose in which every failure is denied, supposed or explained."""
    for index, line in enumerate(lines):
        text = line.text
        if len(text) > 4000:
            continue
        if _is_advice(line):
            line.role = "document"
        elif line.role in ("prose", "output") and _FAILURE.search(text):
            if _is_of_others(text):
                line.role = "document"
            elif line.role == "prose" and _is_mention(text):
                line.role = "mention"
            elif (
                len(text) <= _WIDEST
                and len(paragraph := _wrapped(lines, index)) > 1
                and _is_mention(" ".join(near.text for near in paragraph))
            ):
                for near in paragraph:
                    near.role = "mention"
        if line.role in ("mention", "document") and text[:12].lstrip()[:1] in "-*+" and _LABELLED.match(text):
            _mark_the_rest(lines, index)
    spoken = [line for line in lines if line.text.strip()]
    if len(spoken) <= _FEW_SPOKEN and _is_reply(spoken):
        for line in spoken:
            line.role = "document"
    if len(spoken) > 1 and spoken[0].role not in QUOTED and _answers_the_title(spoken[1:]):
        spoken[0].role = "document"


def _mark_the_rest(lines: list[Line], index: int) -> None:
    """Give the lines in which an item with a label goes on the role of its first; who speaks of themselves there may tell what they met."""
    margin = len(lines[index].text) - len(lines[index].text.lstrip()) + 2
    for line in lines[index + 1 : index + 1 + _MOST_OF_AN_ITEM]:
        if not line.text.startswith(" " * margin) or line.role not in ("prose", "output") or line.prefix is not NO_PREFIX:
            return
        if _LABELLED.match(line.text) or ERROR_LINE.match(line.text.lstrip()) or _SPEAKS.search(line.text):
            return
        line.role = lines[index].role


def _is_of_others(text: str) -> bool:
    """Whether a line tells what a message means wherever it is met, or what others reported."""
    if "#" in text and _TOLD_ELSEWHERE.search(text):
        return not _SPEAKS.search(text) and not _ASKED_WHY.search(text)
    return text.lstrip()[:1] in "-*+" and _ITEM_ON_A_MESSAGE.match(text) is not None and not _SPEAKS.search(text)


def _is_reply(spoken: list[Line]) -> bool:
    """Whether somebody answers what another reported: below quoted lines with what that one needs, or with thanks and a request."""
    own = [line for line in spoken if not line.raw.startswith(">")]
    if not own or any(line.prefix is not NO_PREFIX or ERROR_LINE.match(line.text) or _SPEAKS.search(line.text) for line in own):
        return False
    if len(own) < len(spoken) and any(_NEEDS.match(line.text) for line in own):
        return True
    return _THANKS.match(own[0].text) is not None and any(_REQUESTS.search(line.text) for line in own)


def _wrapped(lines: list[Line], index: int) -> list[Line]:
    """The lines over which a sentence was wrapped that stands in one: those before and behind it that end none, alike in width."""
    first = last = index
    while first > 0 and index - first < _FEW and _goes_on(lines[first - 1]) and _is_wide(lines[first]):
        first -= 1
    while last + 1 < len(lines) and last - index < _FEW and _goes_on(lines[last]) and _is_wide(lines[last + 1], ends=True):
        last += 1
    return lines[first : last + 1]


def _goes_on(line: Line) -> bool:
    """Whether a line of prose was wrapped, and its sentence goes on in the next."""
    return _is_wide(line) and len(line.text) >= _NARROWEST and line.text.rstrip()[-1] not in ".!?:;。"


def _is_wide(line: Line, *, ends: bool = False) -> bool:
    """Whether a line may be a line of a paragraph; the one that ends it may be short."""
    text = line.text
    if line.role not in ("prose", "output") or line.prefix is not NO_PREFIX or not text[:1].isalpha() or len(text) > _WIDEST:
        return False
    return ERROR_LINE.match(text) is None and text.count(" ") >= (1 if ends else _FEW)


def _answers_the_title(below: list[Line]) -> bool:
    """Whether all that stands below a title says what to do about the error it names, or where to write of it."""
    first = below[0].text
    answered = _THIS_ERROR.match(first) or _TO_BE_WRITTEN.match(first) or _TABULATED.search(first)
    return answered is not None and all(line.role in QUOTED for line in below)


def _is_advice(line: Line) -> bool:
    if line.role not in ("prose", "output"):
        return False
    if line.text[:1] == "#" and _REMARK.match(line.text):
        return True
    if "](http" in line.text and _LEADS.match(line.text):
        return True
    if "f you " in line.text and _NOTED.match(line.text):
        return True
    if line.prefix is not NO_PREFIX:
        return False
    if "fixe" in line.text and _FIXES.match(line.text) and not _ASKED_WHY.search(line.text) and not _DENIAL.search(line.text):
        return True
    if " from " in line.text and _STOPS.match(line.text) and not _ASKED_WHY.search(line.text):
        return True
    if line.text.startswith(_WRITES) and _TO_BE_WRITTEN.match(line.text):
        return True
    if " to " in line.text and _GUARDS.match(line.text) and _FAILURE.search(line.text) and not _ASKED_WHY.search(line.text):
        return True
    if (
        any(map(line.text.__contains__, _WARNS))
        and _WARNED.match(line.text)
        and not _ASKED_WHY.search(line.text)
        and not _MET.search(line.text)
    ):
        return True
    if _FORBIDDEN.match(line.text) and not _SPEAKS.search(line.text):
        return True
    if (" should " in line.text or " could " in line.text) and _SHOULD.match(line.text):
        return True
    if " See " in line.text and looks_like_prose(line.text) == WEAK and _REFERS.match(line.text):
        return True
    if line.text.count("Xid ") >= _SEVERAL and len(_CODES.findall(line.text)) >= _SEVERAL:
        return True
    if "码" in line.text and _MEANING.search(line.text):
        return True
    if any(map(line.text.__contains__, _TABULATING)) and _TABULATED.search(line.text) and not _SPEAKS.search(line.text):
        return True
    if "rror" in line.text and looks_like_prose(line.text) == WEAK and _GENERAL.search(line.text):
        return True
    return _ADVISED.match(line.text) is not None or (_REPAIRED.match(line.text) is not None and not line.text.rstrip().endswith("?"))


def _is_explained(sentence: str) -> bool:
    """Whether a sentence tells of a failure that nobody met just now."""
    return any(pattern.search(sentence) is not None for pattern in _EXPLAINED)


def _is_mention(text: str) -> bool:
    found = False
    for sentence in _SENTENCE.findall(text):
        if not _FAILURE.search(sentence):
            continue
        if _HYPOTHETICAL.search(sentence):  # what was seen instead may follow
            found = True
            sentence = sentence.partition(" but ")[2] or sentence.partition("但")[2]
            if not _FAILURE.search(sentence):
                continue
        if _is_explained(sentence) or _INSTEAD.search(sentence) or (_SUPPOSED.search(sentence) and not _ASKED_WHY.search(sentence)):
            found = True
            continue
        asked = _ASKED_WHY.search(sentence) is not None
        for clause in _CLAUSE.findall(sentence.replace(" but ", ", ").replace("但", "，")):
            if _FAILURE.search(clause):
                denied = (_DENIAL.search(clause) and not _is_silent(clause)) or (
                    not asked and _PREVENTED.search(clause) and not _MET.search(clause)
                )
                if not denied or len(_FAILURE.findall(_SAID_AGAIN.sub("OOM", clause))) > 2:
                    return False
                found = True
    return found


def _is_silent(clause: str) -> bool:
    return _SILENT.search(clause) is not None and not _DENIED_ITSELF.search(clause)
