"""Forms in which operating systems, their kernels and compilers are told: often by their major version alone, or run together."""

from __future__ import annotations

from triage.parsers.versions.packages import IMPLIED, PRINTED, REQUESTED, SAID
from triage.reading.lazy import Pattern

_ALONE = r"(?![A-Za-z0-9_*%-]|\.[0-9]| ?(?:\+|or (?:newer|later|higher|above)|and (?:newer|later|above|up)))"
_WINDOWS = Pattern(
    r"(?<![A-Za-z0-9_/\\.-])[Ww](?:in|indows?|INDOWS)(?:[ -]|, ?)?(?P<v>7|8\.1|8|10|11)"
    r"(?:(?=x(?:64|86))|(?![A-Za-z0-9_/\\]|\.[0-9a-z]|-[a-z]))"
)
_UBUNTU = Pattern(r"(?<![A-Za-z0-9_/\\.])[Uu](?:buntu|BUNTU)(?::|[ -](?:LTS )?)?(?P<v>1[468]|2[0246])" + _ALONE)
_GCC = Pattern(
    r"(?<![A-Za-z0-9_/\\.-])(?P<name>[Gg][Cc][Cc]|g\+\+|[Cc]lang)(?:/[Gg]\+\+)?(?: [Vv]ersion)?(?: ?[:=] ?|-| )v?(?P<v>[4-9]|1[0-6])"
    + _ALONE
)
_OTHER_LINUX = Pattern(
    r"(?<![A-Za-z0-9_/\\.-])(?P<name>[Dd]ebian|[Ff]edora|[Cc]ent[Oo][Ss]|RHEL|Rocky|AlmaLinux)(?: GNU/Linux| Linux| Stream| release)?"
    r" ?(?P<v>[6-9]|[1-4][0-9])" + _ALONE
)
_MACOS = Pattern(
    r"\b(?:Catalina|Big Sur|Monterey|Ventura|Sonoma|Sequoia|Tahoe)(?: v| [Vv]ersion| \()? ?"
    r"(?P<v>1[0-9]\.[0-9]{1,2}(?:\.[0-9])?|2[6-9]\.[0-9](?:\.[0-9])?)"
    r"(?![\w.]*[0-9])"
)
# What Python's `platform.platform()` gives, and with it collect_env: "Linux-5.15.0-91-generic-x86_64-with-glibc2.35"
_PLATFORM = r"Linux-(?P<v>[2-7]\.[0-9]{1,2}\.[0-9][\w.+-]{0,60}?)-(?:x86_64|aarch64|ppc64le|amd64)(?:-(?:x86_64|with)|(?![\w-]))"

SYSTEM_FORMS = (
    # as /etc/os-release has it: 24.04.3 LTS (Noble Numbat)
    (" LTS (", Pattern(r"(?<![\w.])(?P<v>[12][0-9]\.04(?:\.[0-9])?) LTS \([A-Z][a-z]+ [A-Z][a-z]+\)"), "ubuntu", "{}", PRINTED),
    # the form of ONNX Runtime's issues
    (
        "### OS Version",
        Pattern(r"### Platform\s{1,4}Windows\s{1,4}### OS Version\s{1,4}(?P<v>7|8\.1|8|10|11)(?!\S)"),
        "windows",
        "{}",
        REQUESTED,
    ),
    *((word, _WINDOWS, "windows", "{}", REQUESTED) for word in ("indow", "INDOWS", "in10", "in11", "in 10", "in 11")),
    *((word, _UBUNTU, "ubuntu", "{}", REQUESTED) for word in ("buntu1", "buntu2", "buntu 1", "buntu 2", "buntu-1", "buntu-2", "buntu:")),
    *((word, _GCC, "", "{}", REQUESTED) for word in ("gcc", "GCC", "Gcc", "g++", "lang")),
    # the build of the distribution in brackets, without the release that --version prints behind it
    (
        "(Ubuntu ",
        Pattern(r"\b(?P<name>gcc|g\+\+|GCC) \(Ubuntu(?:/Linaro)? (?P<v>[4-9]\.[0-9]\.[0-9]|1[0-6]\.[0-9]\.[0-9])-[0-9]{1,2}ubuntu"),
        "",
        "{}",
        SAID,
    ),
    *((word, _MACOS, "macos", "{}", SAID) for word in ("Catalina", "Big Sur", "Monterey", "Ventura", "Sonoma", "Sequoia", "Tahoe")),
    ("Optimizing Compiler Version ", Pattern(r"\+ Optimizing Compiler Version (?P<v>19\.[0-9]{2}\.[0-9]{5})"), "msvc", "{}", PRINTED),
    ("MSVC ", Pattern(r"\bMSVC (?:v\.?)?(?P<v>19[0-9]{2}|19\.[0-9]{2}(?:\.[0-9]{5})?(?:\.[0-9])?)(?![0-9.])"), "msvc", "{}", SAID),
    ("Linux-", Pattern(_PLATFORM), "kernel", "as printed", PRINTED),
    # the release alone, as people list what they have
    (
        "-generic",
        Pattern(r"(?<![\w./-])(?P<v>[2-7]\.[0-9]{1,2}\.[0-9]{1,2}-[0-9]{1,9}-generic)(?![\w.-])"),
        "kernel",
        "as printed",
        IMPLIED,
    ),
    (
        "(GNU/Linux ",
        Pattern(r"\(GNU/Linux (?P<v>[2-7]\.[0-9]{1,2}\.[0-9][\w.+-]{0,60}) \w{3,10}\)"),
        "kernel",
        "as printed",
        PRINTED,
    ),  # at login
    (
        ": installed",  # dkms status
        Pattern(r"nvidia[\w-]{0,20}[,/] ?[0-9.]{6,12}, (?P<v>[2-7]\.[0-9]{1,2}\.[0-9][\w.+-]{0,60}), \w{3,10}: installed"),
        "kernel",
        "as printed",
        PRINTED,
    ),
    (
        "Server Version: ",
        Pattern(r"(?m:^) {0,4}Server Version: (?P<v>[12][0-9]\.[0-9]{1,2}\.[0-9]{1,2})(?![0-9.])"),
        "docker",
        "{}",
        PRINTED,
    ),  # docker info
    (
        "release='",
        Pattern(r"system='Linux',[^\n)]{0,120}? release='(?P<v>[2-7]\.[0-9]{1,2}[\w.+-]{0,60})'"),
        "kernel",
        "as printed",
        PRINTED,
    ),
    ("ibc version: ", Pattern(r"Libc version: glibc-(?P<v>2\.[0-9]{1,2})"), "glibc", "{}", PRINTED + 1),  # asked of the library
    ("-with-glibc", Pattern(r"-with-glibc(?P<v>2\.[0-9]{1,2})"), "glibc", "{}", PRINTED),
    ("-with-", Pattern(r"-with-(?P<name>debian|Ubuntu|centos|fedora|redhat)-(?P<v>[0-9]{1,2}\.[0-9]{1,2})"), "", "{}", PRINTED),
    *((word, _OTHER_LINUX, "", "{}", REQUESTED) for word in ("ebian", "edora", "entOS", "entos", "RHEL", "ocky Linux ", "lmaLinux ")),
    ("-ubuntu", Pattern(r"-ubuntu(?P<v>1[4-8]|2[0-6])\.?(?:04|10)(?![0-9])"), "ubuntu", "{}.04", IMPLIED),  # tags of images
)
