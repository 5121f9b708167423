"""Forms in which versions of NVIDIA's driver are printed and told: its kernel module, its libraries, the driver itself."""

from __future__ import annotations

import re

from triage.parsers.versions.forms.common import DRIVER, SAYS, TENS
from triage.parsers.versions.packages import IMPLIED, PRINTED, SAID, WEAK
from triage.reading.lazy import Pattern

_DRIVER_RU = "\u0434\u0440\u0430\u0439\u0432\u0435\u0440"
_VERSION_RU = "\u0432\u0435\u0440\u0441\u0438\\w{1,3}"
_BRANCHES = (450, 455, 460, 465, 470, 510, 515, 525, 535, 545, 550, 560, 565, 570, 575, 580, 590, 595)
_DRIVER_ALONE = Pattern(r"(?<![\w.:/-])N?(?P<v>(?:4[1-9]|5[0-9])[05]\.[0-9]{2,3}\.0[0-9])(?![\w.:])")

DRIVER_FORMS = (
    ("| npu-smi ", Pattern(r"\| npu-smi (?P<v>[0-9][\w.]{2,20}) {1,40}Version: "), "npu-smi driver", "as printed", PRINTED),
    ("mthreads-gmi:", Pattern(r"mthreads-gmi:[0-9.]{3,9} {1,30}Driver Version: ?(?P<v>[0-9.]{3,9}[0-9])"), "driver", "{}", PRINTED),
    ("HL-SMI ", Pattern(r"Driver Version: {1,40}(?P<v>1\.[0-9]{1,2}\.[0-9]{1,3}-[0-9a-f]{7,8})"), "driver", "as printed", PRINTED),
    (
        "is too old. Expected ",
        Pattern(r"is too old\. Expected \"[\w.]{2,20}\" or newer, but got \"(?P<v>[0-9][\w.]{2,20})\""),
        "driver",
        "as printed",
        PRINTED,
    ),
    (
        "Version mismatch",
        Pattern(r"Version mismatch, kernel version (?P<v>[0-9.]{6,12}[0-9]) user version"),
        "kernel_module",
        "{}",
        PRINTED,
    ),
    (
        "Version mismatch",
        Pattern(r"Version mismatch, kernel version [0-9.]{6,12} user version (?P<v>[0-9.]{6,12}[0-9])"),
        "userspace",
        "{}",
        PRINTED,
    ),
    ("Version mismatch", Pattern(r"Version mismatch: nvidia(?:-modeset)?\.ko\((?P<v>[0-9.]{6,12}[0-9])\)"), "kernel_module", "{}", PRINTED),
    (
        "river version is ",
        Pattern(r"Driver version is (?P<v>[0-9.]{2,5}[0-9]) and CUDA Toolkit version is [0-9]"),
        "driver_cuda",
        "{}",
        PRINTED,
    ),
    (
        "old CUDA driver",
        Pattern(r"old CUDA driver detected [^\n]{0,80} version=(?P<v>[0-9]{1,2}\.[0-9])"),
        "driver_cuda",
        "{}",
        PRINTED,
    ),  # ollama
    ("cuda_ver=", Pattern(r"^cuda_ver=(?P<v>[0-9]{1,2}\.[0-9])0?$", re.M), "driver_cuda", "{}", PRINTED),  # the test of OBS for NVENC
    (
        "river",
        Pattern(
            r"\b(?:[Uu]pgrad|[Uu]pdat|[Dd]owngrad|[Cc]hang)(?:ed|ing) (?:the |my |our )?(?:(?i:nvidia) )?[Dd]rivers? (?:version )?"
            r"from v?[3-6][0-9.]{2,11} to v?(?P<v>[3-6][0-9]{2}(?:\.[0-9]{2,3}(?:\.[0-9]{2})?)?)(?![0-9])"
        ),
        "driver",
        "{}",
        SAID,
    ),
    ("river", Pattern(r"\b(?i:nvidia) [Dd]river(?P<v>[345][0-9]{2})(?![0-9]|\.[0-9])"), "driver", "{}", SAID - 1),
    (
        " driver",
        Pattern(r"(?:\b[Tt]he|\ban?|\bmy) (?P<v>3[0-9]{2}|4[0-9]{2}|5[0-9]{2}) (?:NVIDIA |nvidia )?driver\b"),
        "driver",
        "{}",
        SAID - 1,
    ),
    (
        " driver",
        Pattern(r"\b(?:[Nn]vidia|NVIDIA|[Tt]he|[Mm]y) (?:host )?driver(?: version)? (?:is|=) (?P<v>[345][0-9]{2})(?![0-9]|\.[0-9])"),
        "driver",
        "{}",
        SAID - 1,
    ),
    (" driver", Pattern(r"\b(?:with|using|on) (?P<v>3[0-9]{2}|4[0-9]{2}|5[0-9]{2}) (?:NVIDIA |nvidia )?drivers?\b"), "driver", "{}", WEAK),
    # a driver by its number alone: three parts, the last padded with a zero
    *((f"{branch}.", _DRIVER_ALONE, "driver", "{}", IMPLIED) for branch in _BRANCHES),
    ("cuda_", Pattern(r"\bcuda_[0-9.]{3,7}_" + DRIVER + r"_(?:windows|win1[01]|linux)"), "driver", "{}", IMPLIED),  # names of installers
    # as people put it
    ("smi", Pattern(SAYS.format(r"\b(?:nvidia-)?smi", r"(?:[Dd]river )?(?:version )?") + DRIVER), "driver", "{}", SAID),
    (
        "CUDA ",
        Pattern(r"(?P<v>[3-6](?<![\w.][3-6])[0-9]{2}\.[0-9]{2,3}\.[0-9]{2})(?:,| /| and| with|;)? \(?CUDA (?:version )?[0-9]"),
        "driver",
        "{}",
        IMPLIED,
    ),
    # As Windows numbers them: the last five digits are those of the release, 23.21.13.9135 for 391.35
    *(
        (
            f".1{digit}.",
            Pattern(rf"(?<![\w.])(?P<v>(?:9|10|2[1-7]|3[0-9])\.[0-9]{{1,2}}\.1{digit}\.[0-9]{{4}})(?![\w.])"),
            "driver",
            "{}",
            SAID,
        )
        for digit in "345"
    ),
    # CUDA Forward Compatibility: the driver of the container, then that of the host
    ("ernel driver version ", Pattern(r"with kernel driver version " + DRIVER), "driver", "{}", PRINTED + 1),
    # a table that nvidia-smi was asked for: the column of that name, in the row below
    (
        "driver_version",
        Pattern(r"\bdriver_version(?:, [^,\n]{1,40}){0,8}\n{1,2}(?:[^,\n]{1,80}, ){0,8}?" + DRIVER),
        "driver",
        "{}",
        PRINTED,
    ),
    ("river ", Pattern(r"[Dd]river [^\n(,.;]{0,30}(?:\(|\bto (?:the )?(?:latest |newest )?(?:version )?)" + DRIVER), "driver", "{}", SAID),
    (
        "river ",
        Pattern(r"(?<![\w.-])[Dd]river (?:[Vv]ersion\*{0,2} ?[:=]?\*{0,2} {1,3})?[rR]?(?P<v>[3-6][0-9]{2})(?![0-9]|\.[0-9])"),
        "driver",
        "{}",
        SAID - 1,
    ),
    (
        "river ",
        Pattern(
            r"(?<!required )(?<!equired NVIDIA )(?<!equired Nvidia )\b[Dd]river (?:[A-Za-z]+ ){0,12}(?:is|was|as|=|:) (?:version )?v?"
            rf"{DRIVER}(?! or (?:newer|later|higher|above|greater))"
        ),
        "driver",
        "{}",
        SAID,
    ),
    (
        "ersion: ",
        Pattern(r"\b(?:[Mm]y|[Cc]urrent|[Ii]nstalled|[Hh]ost) version: v?(?P<v>[345][0-9]{2}\.[0-9]{2,3}(?:\.[0-9]{2})?)(?![0-9.]*[0-9])"),
        "driver",
        "{}",
        WEAK,
    ),
    ("driver: ", Pattern(r"\b(?:system|host|gpu|GPU) driver: (?P<v>[3-6][0-9]{2})(?![0-9]|\.[0-9])"), "driver", "{}", SAID - 1),
    (
        "river:",
        Pattern(r"(?m:^)[-*# ]{0,4}(?:NVIDIA |Nvidia )?[Dd]river: ?(?:(?:NVIDIA|Nvidia|nvidia)[ -])?(?P<v>[3-6][0-9]{2})(?m: *$)"),
        "driver",
        "{}",
        SAID - 1,
    ),
    *((word, Pattern(r"N(?:vidia|VIDIA) " + DRIVER), "driver", "{}", SAID - 1) for word in ("Nvidia ", "NVIDIA ")),
    (
        "rivers to ",
        Pattern(r"(?:pgrad|owngrad|pdat|oll|witch)\w{0,4}(?: back)? (?:\w+ ){0,3}drivers to (?P<v>[3-6][0-9]{2})(?![0-9]|\.[0-9])"),
        "driver",
        "{}",
        SAID,
    ),
    # "a GTX-1080 with 367.35"
    *(
        (
            f" with {digit}",
            Pattern(
                r"(?:[GR]TX|TITAN|Titan|Tesla|Quadro|GeForce|[AHKPV][1-9][0-9]{1,2})[\w -]{0,16}(?: \([^)\n]{1,20}\))?"
                rf" with (?={digit}){DRIVER}"
            ),
            "driver",
            "{}",
            SAID - 1,
        )
        for digit in "3456"
    ),
    # by its branch alone, where no card has that number
    *(
        (
            f"vidia {digit}",
            Pattern(r"vidia (?P<v>340|3(?:61|67|75|84|87|90|96)|4(?:1[058]|3[05]|40|5[05]|65|95)|5(?:[1-4]5|10))(?![\w.-]|\s?[MG]i?B)"),
            "driver",
            "{}",
            SAID - 1,
        )
        for digit in "345"
    ),
    *((word, Pattern(r"(?m:^)[-*# ]{0,4}N(?:vidia|VIDIA): " + DRIVER), "driver", "{}", SAID - 1) for word in ("Nvidia: ", "NVIDIA: ")),
    (
        "Interface -- v",
        Pattern(r"System Management Interface -- v" + DRIVER),
        "driver",
        "{}",
        PRINTED,
    ),  # nvidia-smi -h
    ("river: nvidia v: ", Pattern(r"river: nvidia v: " + DRIVER), "driver", "{}", PRINTED),  # inxi
    ("-nvidia-", Pattern(r"-nvidia-[0-9]:" + DRIVER), "driver", "{}", IMPLIED),  # packages of RPM Fusion
    (" driver", Pattern(r"\b(?:the|nvidia|NVIDIA|Nvidia|version) (?P<v>[3-6][0-9]{2}) (?:series )?drivers?\b"), "driver", "{}", SAID - 1),
    # in Russian: the driver, of a version
    (_DRIVER_RU, Pattern(_DRIVER_RU + r"\w{0,3}(?: (?i:nvidia))?(?: " + _VERSION_RU + r")?:? " + DRIVER), "driver", "{}", SAID),
    (_DRIVER_RU, Pattern(_VERSION_RU + " " + _DRIVER_RU + r"\w{0,3}:? " + DRIVER), "driver", "{}", SAID),
    (_DRIVER_RU, Pattern(DRIVER + " " + _VERSION_RU + " " + _DRIVER_RU), "driver", "{}", SAID),
    # A branch of the driver: "the 535 series", "R535 driver", "550.x"
    (
        "river",
        Pattern(
            r"river(?<=[Dd]river)s?(?: (?:is|are|comes?|version|branch|series|from|of|on|the|in)){1,4} R?(?P<v>[3-6][0-9]{2})"
            r"(?:\.x+|(?= (?:series|branch|line)\b)|(?<=(?:branch|series) [0-9]{3})(?![0-9]|\.[0-9]))"
        ),
        "driver",
        "{}",
        SAID - 1,
    ),
    ("river", Pattern(r"R(?<![\w.]R)(?P<v>[3-6][0-9]{2}) (?:(?:NVIDIA|nvidia) )?[Dd]river"), "driver", "{}", SAID - 1),
    (
        "river",
        Pattern(r"(?P<v>[3-6](?<![\w.][3-6])[0-9]{2})(?:\.x+|[- ](?:series|branch)) (?:(?:NVIDIA|nvidia) )?[Dd]river"),
        "driver",
        "{}",
        SAID - 1,
    ),
    # numbers in words: "driver five-fifty"
    (
        "river",
        Pattern(
            r"river(?<=[Dd]river)(?i:s?(?: (?:is|version|from|the|branch|of|at)){0,2} "
            rf"(?P<v>(?:three|four|five|six)[- ](?:{TENS})(?:[- ]five)?)\b)"
        ),
        "driver",
        "spoken",
        SAID - 1,
    ),
    ("rivers ", Pattern(r"[Dd]rivers (?:were|was|are|is|on|at|ver\.?|to) " + DRIVER), "driver", "{}", SAID),
    ("kernel", Pattern(r"kernel (?:module|driver|side|has|is)[^\n.,;0-9]{0,20}" + DRIVER), "kernel_module", "{}", SAID),
    (
        "odule ",
        Pattern(r"(?:loaded (?:kernel )?module|[Mm]odule (?:that is )?loaded)[^\n.,;0-9]{0,20}" + DRIVER),
        "kernel_module",
        "{}",
        SAID,
    ),
    (
        "/proc/driver/nvidia/version",
        Pattern(r"/proc/driver/nvidia/version`? (?:\w+ )?(?:says|shows|reports|has|is|gives) `?" + DRIVER),
        "kernel_module",
        "{}",
        SAID,
    ),
    ("space", Pattern(r"[Uu]ser[- ]?space[^\n.,;0-9]{0,30}" + DRIVER), "userspace", "{}", SAID),
    (" librar", Pattern(DRIVER.replace("(?![0-9])", "") + r" (?:user[- ]?space )?librar(?:y|ies)"), "userspace", "{}", SAID),
    (
        "odules ",
        Pattern(r"(?:open|proprietary|kernel|NVIDIA|nvidia) modules (?:version )?v?" + DRIVER),
        "kernel_module driver",
        "{}",
        SAID - 1,
    ),
    ("odule ", Pattern(r"[Mm]odule (?:is|was) (?:still )?(?:at )?" + DRIVER), "kernel_module", "{}", SAID),
    ("librar", Pattern(r"(?:client|driver|user) librar(?:y|ies)[^\n.,;0-9]{0,20}" + DRIVER), "userspace", "{}", SAID),
    ("libcuda", Pattern(r"libcuda(?:\.so\.|(?:\.so)? (?:is|at|has) )" + DRIVER), "userspace", "{}", SAID),
    (
        "libnvidia-",
        Pattern(r"libnvidia-(?:ml|compute)(?:\.so\.|(?:\.so)?(?:-[0-9]{3})? (?:is|at|has) )" + DRIVER),
        "userspace",
        "{}",
        SAID,
    ),
    (
        "modules ",
        Pattern(r"modules (?:\w+ )?(?:from|of|at|are|is) (?:the |tag |branch |version )?`?" + DRIVER),
        "kernel_module",
        "{}",
        SAID,
    ),
    (
        "driver",
        Pattern(r"(?:(?:NVIDIA|Nvidia|nvidia|CUDA|GPU)[ -]drivers?(?: is)?:? `?|drivers? \(?version:? )(?P<v>[0-9]{3})(?![0-9]|\.[0-9])"),
        "driver",
        "{}",
        SAID,
    ),
    ("nvidia", Pattern(r"nvidia(?!-fabric|-imex|-nscq)[\w-]{0,40}(?:\.so\.|[/ ,`]{1,40}|-|\s?\(version |)" + DRIVER), "driver", "{}", SAID),
    ("version: ", Pattern(r"^ {0,12}version: {1,12}[\"']?" + DRIVER + r"[\"']?$", re.M), "driver", "{}", PRINTED),  # modinfo, Helm
    ("-m nvidia", Pattern(r"-m nvidia -v " + DRIVER), "driver", "{}", SAID),
    ("driver-", Pattern(r"^[ \t>*+-]{0,6}driver-(?P<v>[3-6][0-9]{2}(?:\.[0-9]{2,3}){0,2})[ \t]*$", re.M), "driver", "{}", SAID),
    # but not one that `ubuntu-drivers devices` offers
    (
        "nvidia-driver-",
        Pattern(r"nvidia-driver-(?P<v>[0-9]{3})(?![0-9.]|(?:-open|-server){0,2} - (?:distro|third-party|manual) )"),
        "driver",
        "{}",
        IMPLIED,
    ),
    ("cuda-drivers", Pattern(r"cuda-drivers[\w.]{0,12}\s{1,80}" + DRIVER), "driver", "{}", SAID),
    ("\u9a71\u52a8", Pattern("\u9a71\u52a8(?:\u7528\u7684|\u88c5\u7684)?[\u662f\u4e3a]? ?" + DRIVER), "driver", "{}", SAID),
    # whatever stands between, unless it asks for one: "驱动只能装到385.54", "drivers in version 470.63", "the host is on 346.46"
    (
        "驱动",
        Pattern(r"驱动(?![^\n0-9]{0,12}?(?:至少|需要?|要求|以上|高于|低于|大于|建议))[^\n0-9，。；]{1,12}" + DRIVER),
        "driver",
        "{}",
        IMPLIED,
    ),
    ("rivers in ", Pattern(r"[Dd]rivers in (?:the )?version " + DRIVER), "driver", "{}", SAID),
    (
        " on ",
        Pattern(r"\b(?:[Hh]ost|[Ss]ystem|[Mm]achine|[Ss]erver|[Nn]ode|PC)s? (?:is|are|was) (?:on|at|running) v?" + DRIVER),
        "driver",
        "{}",
        SAID - 1,
    ),
    ("river: ", Pattern(r"(?:\A|[\s|,;(])[Dd]river: (?P<v>[3-6][0-9]{2})(?= ?[/,;|)])"), "driver", "{}", SAID - 1),
    ("river R", Pattern(r"[Dd]river R(?P<v>[3-6][0-9]{2})(?![0-9.])"), "driver", "{}", SAID - 1),
    # a branch: "驱动版本 535", "升级到 535 驱动", "升级驱动到 555"
    *(
        (
            word,
            Pattern(
                "(?:驱动|驅動)(?:程序|程式)?的?(?:版本|号)?(?:是|为|為|用的是?|装的是?|升级?到|更新到|降到|回退到|到)? ?[:：]? ?"
                r"(?P<v>[3-6][0-9]{2})(?![0-9]|\.[0-9]|[ 个条次张步]?(?:MB|M\b|个|条|次|张|步))"
            ),
            "driver",
            "{}",
            SAID - 1,
        )
        for word in ("驱动", "驅動")
    ),
    ("驅動", Pattern("驅動(?:程式)?(?:的?版本)?[是為:：]{0,2} ?v?" + DRIVER), "driver", "{}", SAID),
    ("ドライバ", Pattern("ドライバー?(?:の?バージョン)?[はが:：]? ?(?:[Vv](?:er\\.?)? ?)?" + DRIVER), "driver", "{}", SAID),
    ("드라이버", Pattern("드라이버 ?(?:버전)?[은는이가:]{0,2} ?v?" + DRIVER), "driver", "{}", SAID),
    (
        "райвер",
        Pattern(r"(?i:драйвер)\w{0,3}(?: (?:версии|nvidia|NVIDIA|Nvidia|видеокарты)){0,2} ?[:=—-]? ?v?" + DRIVER),
        "driver",
        "{}",
        SAID,
    ),
    (
        "\u9a71\u52a8",
        Pattern(
            r"(?:\u82f1\u4f1f\u8fbe|[Nn][Vv][Ii][Dd][Ii][Aa]|N\u5361) ?(?P<v>[3-6][0-9]{2}(?:\.[0-9]{2,3})?)"
            r" ?(?:\u7248\u672c)?\u7684?\u9a71\u52a8"
        ),
        "driver",
        "{}",
        SAID,
    ),
    ("river: NVIDIA", Pattern(r"[Dd]river: NVIDIA (?:UNIX \w{1,20} )?(?:Kernel Module {1,4})?" + DRIVER), "driver", "{}", SAID),
    ("DRIVER: NVIDIA", Pattern(r"DRIVER: NVIDIA " + DRIVER), "driver", "{}", SAID),
    ("driver version b'", Pattern(r"driver version b'" + DRIVER), "driver", "{}", PRINTED),  # what NVML gives as bytes
    (
        " driver",
        Pattern(r"(?<![0-9.])(?P<v>[3-9][0-9]{2}\.[0-9]{2,3}(?:\.[0-9]{2})?) (?:(?:as|is) (?:my|the) )?(?:NVIDIA |nvidia )?driver"),
        "driver",
        "{}",
        SAID,
    ),
    (".run", Pattern(r"NVIDIA-Linux-\w{3,10}-(?P<v>[0-9]{3}(?:\.[0-9]{2,4}){1,2})(?:-\w{1,20})?\.run"), "userspace", "{}", SAID),
    (
        "ernel Modules Version",
        Pattern(r"NVIDIA Open GPU Kernel Modules Version\s{0,8}\n\s{0,8}(?:[Dd]river )?(?P<v>[0-9]{3}\.[0-9]{2,3}(?:\.[0-9]{2})?)"),
        "driver",
        "{}",
        SAID,
    ),
    ("-kernel-modules", Pattern(r"open-gpu-kernel-modules-(?P<v>[0-9]{3}(?:\.[0-9]{2,4}){1,2})"), "kernel_module", "{}", SAID),
    ("client version ", Pattern(r"client version " + DRIVER), "userspace", "{}", PRINTED),
    ("\u7528\u6237\u7a7a\u95f4", Pattern("\u7528\u6237\u7a7a\u95f4\u5e93? ?[:\uff1a]? ?" + DRIVER), "userspace", "{}", SAID),
    ("was detected and compat", Pattern(r"version " + DRIVER + r" was detected and compat"), "driver", "{}", PRINTED),  # NGC images
    ("NVRM version: ", Pattern(r"NVRM version: .{0,60}Kernel Module\D{0,20}(?P<v>[0-9]{3}[.0-9]{3,10})"), "kernel_module", "{}", SAID),
    ("not supported by the ", Pattern(r"supported by the (?P<v>[2-9][0-9]{2}\.[0-9]{2,3}(?:\.[0-9]{2})?)\s"), "driver", "{}", SAID),
    ("Driver Version Detected", Pattern(r"Driver Version Detected {1,8}\| {1,4}" + DRIVER), "driver", "{}", PRINTED),  # dcgmi diag
    ("kernel version ", Pattern(r"kernel version (?P<v>[0-9]{3}[.0-9]{3,8}) does not match DSO"), "kernel_module", "{}", PRINTED),
    (" DSO version ", Pattern(r"does not match DSO version (?P<v>[0-9]{3}[.0-9]{3,8}[0-9])"), "userspace dso", "{}", PRINTED),
    ("kernel reported version", Pattern(r"kernel reported version is: (?P<v>[0-9]{3}[.0-9]{3,8})"), "kernel_module driver", "{}", PRINTED),
    ("libcuda.so.", Pattern(r"libcuda\.so\." + DRIVER), "driver", "{}", SAID),
    ("libnv", Pattern(r"libnv(?:idia-[a-z0-9-]{2,24}|optix|cuvid)\.so\." + DRIVER), "driver", "{}", IMPLIED),
    ("nvidia-", Pattern(r"(?<![\w/-])nvidia-(?P<v>[3-6][0-9]{2})(?:-(?:open|server))?(?![\w-]|\.[0-9])"), "driver", "{}", SAID - 1),
    ("libcuda reported version", Pattern(r"libcuda reported version is: (?P<v>[0-9]{3}[.0-9]{3,8})"), "userspace libcuda", "{}", PRINTED),
    (
        "NVIDIA ",
        Pattern(r"NVIDIA (?P<v>3(?:04|46|52|61|67|75|78|81|84|87|90|96)|4(?:10|18|95)|5(?:15|25|35|45|55|65|75))(?![\w.])"),
        "driver",
        "{}",
        WEAK,
    ),
    ("found ", Pattern(r"driver[^\n]{0,80}\bfound (?:version )?(?P<v>[0-9]{3}\.[0-9.]{1,6}[0-9])"), "driver", "{}", PRINTED),
    ("nvidia-drivers ", Pattern(r"nvidia-drivers (?P<v>[3-6][0-9]{2}(?:\.[0-9]{2,3}){0,2})\b"), "driver", "{}", SAID),
    # the kernel log
    (
        "API mismatch: ",
        Pattern(r"the client[^\n]{0,60}?(?:\n[^\n]{0,40}NVRM: )?has the version (?P<v>[0-9][0-9.-]{3,11}[0-9])"),
        "userspace client",
        "{}",
        PRINTED + 1,
    ),
    (
        "API mismatch: ",
        Pattern(r"this kernel module has(?:\s|#012|NVRM: ){1,40}the version (?P<v>[0-9][0-9.-]{3,11}[0-9])"),
        "kernel_module",
        "{}",
        PRINTED + 1,
    ),
    ("NVIDIA ", Pattern(r"the\s{1,40}(?:NVRM: {1,4})?NVIDIA " + DRIVER + r" driver release"), "driver", "{}", PRINTED),
    # what is asked for
    (
        "condition: driver",
        Pattern(r"unsatisfied condition: driver ?>=? ?(?P<v>[0-9]{3}(?:\.[0-9]{1,3}){0,2})"),
        "required_driver",
        "{}",
        PRINTED,
    ),
    ("NVIDIA Driver Release ", Pattern(r"built for NVIDIA Driver Release (?P<v>[0-9]{3}\.[0-9]{2,3})"), "required_driver", "{}", PRINTED),
)
