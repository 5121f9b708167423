"""Forms in which versions of packages, of programs and of Linux are printed and told."""

from __future__ import annotations

import re

from triage.parsers.versions.forms.common import DRIVER, UNITS
from triage.parsers.versions.packages import IMPLIED, PRINTED, REQUESTED, SAID, SUFFIX, WEAK
from triage.reading.lazy import Pattern

_LINUX = r"(?P<v>[2-7]\.[0-9]{1,2}(?:\.[0-9]{1,3})?(?:[.-][0-9]{1,4}){0,3}(?:[.-](?=[a-zA-Z0-9_.+-]*[a-zA-Z])[\w.+-]{1,40}\w)?)"
_PYTHON_JOINED = Pattern(r"ython3(?<=[Pp]ython3)(?<![\w/\\.-][Pp]ython3)(?P<v>[5-9]|1[0-4])(?![\w./\\-])")
_NO_SOFTWARE = r"(?i:api|go|os|file|bios|vbios|git|build|server|client|schema|library|model|image|data|format|kernel|protocol)\b"
_ANY_SOFTWARE = Pattern(
    rf"^[ *`#>-]{{0,6}}(?!{_NO_SOFTWARE})(?P<name>[A-Za-z][\w.-]{{2,40}})`? "
    r"[Vv]ersion(?:: |\*\*(?: \([^)\n]{1,20}\))? {0,3}: ?) {0,2}[`*v]{0,3}"
    r"(?P<v>[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,8}(?:[A-Za-z0-9.+-]{0,24}[A-Za-z0-9])?)(?=[`*,;]?(?:\s|$))",
    re.M,
)
# What sessionInfo() of R lists
# A release that is checked out of a repository named after its package
_TAG = r"(?:tags/)?v(?P<v>[0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,4})?(?:[.-]?(?:post|rc)[0-9]{1,3})?)(?![\w.])"
_REPOSITORY = r"(?:https://|git@)[\w.-]{2,40}[/:][\w.-]{1,60}/(?P<name>[A-Za-z][\w-]{1,40}?)(?:\.git)?/?"
_OPTIONS = r"(?:--?[\w-]{1,24}[ =](?:[0-9]{1,3} )?){0,4}"
_CHECKED_OUT = Pattern(
    rf"git clone {_OPTIONS}{_REPOSITORY}\s+(?:(?:&& )?cd [^\n&]{{1,60}}\s+){{0,2}}(?:&& )?git (?:checkout|switch) {_TAG}"
)
_CLONED_AT = Pattern(rf"git clone {_OPTIONS}(?:-b|--branch)[ =]{_TAG} {_OPTIONS}{_REPOSITORY}(?=[\s;&]|$)")
_SESSION = Pattern(
    r"(?:^ {0,2}\[ {0,2}[0-9]{1,3}\]| ) {0,20}(?P<name>[A-Za-z][A-Za-z0-9.]{1,30})_(?P<v>[0-9]+(?:[.-][0-9]+){1,3})(?=\s|$)",
    re.M,
)

_ASKED_OF_PIP = Pattern(
    r"(?:conda|pip3?|mamba) (?:list|show) `?(?P<name>[a-z][\w-]{1,30})`? (?:gives|shows|says|returns|prints|reports):?\s{1,4}"
    r"(?:version )?v?(?P<v>[0-9]+(?:\.[0-9]+){1,3})"
)
PACKAGE_FORMS = (
    ("Foundation.Python.3", Pattern(r"PythonSoftwareFoundation\.Python\.(?P<v>3\.[0-9]{1,2})_"), "python", "{}", IMPLIED),
    (".linux-x86_64-", Pattern(r"build[/\\](?:lib|temp)\.linux-x86_64-(?P<v>[23]\.[0-9]{1,2})(?![0-9.])"), "python", "{}", IMPLIED),
    (".zip", Pattern(r"[/\\]python3(?P<v>[5-9]|1[0-9])\.zip\b"), "python", "3.{}", IMPLIED),
    ("cann-toolkit", Pattern(r"cann-toolkit_(?P<v>[0-9]\.[0-9]\.[0-9A-Za-z.]{1,12}?)_linux"), "cann", "as printed", PRINTED),
    ("cann-toolkit", Pattern(r"package_name=Ascend-cann-toolkit\s{1,3}version=(?P<v>[0-9][\w.]{2,16})"), "cann", "as printed", PRINTED),
    (  # CMake
        "(found ",
        Pattern(
            r"^[^\n-]{0,40}-- Found (?P<name>Python3|PythonInterp|PythonLibs|CUDAToolkit|CUDNN|Protobuf|Vulkan|Git): "
            r"[^\n]{1,200} \(found (?:suitable )?(?:exact )?version \"(?P<v>[0-9]{1,4}(?:\.[0-9]{1,6}){1,3})\"",
            re.M,
        ),
        "",
        "as printed",
        PRINTED + 1,
    ),
    (
        "yours is ",
        Pattern(r"was trained with (?P<name>[A-Za-z][\w.-]{1,30}) [\w.+-]{1,30}, yours is (?P<v>[0-9][\w.+]{0,30}\w)"),
        "",
        "{}",
        PRINTED + 1,
    ),
    # the form of Blender's tracker
    (
        "Broken: ",
        Pattern(r"Blender [Vv]ersion[*:]{0,3}\s{1,4}Broken: (?:version: )?(?P<v>[2-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?)"),
        "blender",
        "{}",
        PRINTED,
    ),
    ("git c", _CHECKED_OUT, "", "as printed", SAID),
    ("git c", _CLONED_AT, "", "as printed", SAID),
    ("py3", Pattern(r"py3(?P<v>[0-9]{1,2})[_+-]cu[0-9]{3}"), "python", "3.{}", IMPLIED),  # torch_extensions/py310_cu118
    (
        "py3",
        Pattern(r"(?<![A-Za-z0-9])(?:cuda[0-9]{2,3})?py3(?P<v>[5-9]|1[0-4])(?:_cuda[0-9]{2,3}|_?h[0-9a-f]{7})_[0-9]"),
        "python",
        "3.{}",
        IMPLIED,
    ),
    ("y3", Pattern(r"[Pp]y3(?<![\w./\\-][Pp]y3)(?P<v>[5-9]|1[0-4])(?![\w./\\-])"), "python", "3.{}", IMPLIED),
    (
        "ython",
        Pattern(r"ython3? (?:-V|--version)[ \t`]{0,4}\n(?:> ?)?(?P<v>[23]\.[0-9]{1,2}\.[0-9]{1,2})(?![\w.])"),
        "python",
        "{}",
        PRINTED,
    ),
    ("YOLOv5 ", Pattern(r"YOLOv5 \S{1,4} v(?P<v>[0-9]\.[0-9](?:\.[0-9]{1,2})?)"), "yolov5", "{}", PRINTED),
    (
        "face/transformers-",
        Pattern(r"huggingface/transformers-[a-z-]{3,30}:(?P<v>[0-9]{1,2}\.[0-9]{1,3}\.[0-9]{1,2})"),
        "transformers",
        "{}",
        IMPLIED,
    ),
    # run together: "python36 cuda80"
    *((f"ython3{digit}", _PYTHON_JOINED, "python", "3.{}", SAID - 1) for digit in "156789"),
    ("torch2", Pattern(r"(?<![A-Za-z0-9/.])torch(?P<v>2[0-9]{2})(?![\w.])"), "torch", "dotted", IMPLIED),  # names of environments
    (
        "full_version",
        Pattern(r"(?m:^)[ '\"]{0,4}full_version['\"]{0,1} ?[:=] ?['\"]?(?P<v>[0-3]\.[0-9]{1,2}\.[0-9][\w.-]{0,12})"),
        "paddle",
        "{}",
        PRINTED,
    ),
    (
        "loaded checkpoint from",
        Pattern(r"upgraded your loaded checkpoint from v[0-9][\w.]{2,12} to v(?P<v>[0-9]+(?:\.[0-9]+){1,2})"),
        "pytorch-lightning",
        "{}",
        PRINTED,
    ),
    (
        "CANN",  # of Ascend, whose releases are candidates of each other: 8.0.RC2
        Pattern(
            r"CANN(?:[ _-]?[vV]ersion|\u7248\u672c)?\W{0,4}?(?:is )?[vV]?"
            r"(?P<v>[5-9]\.[0-9](?:\.[0-9]{1,2})?\.(?:RC|rc|T)[0-9]{1,3}(?:\.(?:alpha|beta)?[0-9]{1,3})*)"
        ),
        "cann",
        "as printed",
        PRINTED,
    ),
    ("addle fluid", Pattern(r"addle fluid[ :]{1,2}v?(?P<v>[012]\.[0-9]{1,2}(?:\.[0-9]{1,2})?)"), "paddle", "{}", SAID),
    ("orchv", Pattern(r"[Tt]orchv(?P<v>[012]\.[0-9]{1,2}\.[0-9]{1,2})(?![\w.])"), "torch", "{}", SAID),
    # TensorFlow's GIT_VERSION, and the version after it
    (
        "-g",
        Pattern(
            r"\bv?[12]\.[0-9]{1,2}\.[0-9]{1,2}(?:-(?:rc|beta|alpha)[0-9]{1,2})?-[0-9]{1,6}-g[0-9a-f]{7,12}[`'\", ]{1,4}"
            r"(?P<v>[12]\.[0-9]{1,2}\.[0-9]{1,2}(?:-?(?:rc|beta|alpha)[0-9]{1,2})?)"
        ),
        "tensorflow",
        "as printed",
        PRINTED + 1,
    ),
    (
        '{ version = "',
        Pattern(r"^(?P<name>[a-z][\w-]{1,40}) = \{ version = \"[=^~]?(?P<v>[0-9]+\.[0-9]+(?:\.[0-9]+)?)\"", re.M),
        "",
        "{}",
        SAID,
    ),  # Cargo.toml
    # Maven, Gradle, NuGet and Mix
    (".version>", Pattern(r"<(?P<name>[a-z][\w-]{1,30})\.version>(?P<v>[0-9]+(?:\.[0-9]+)*(?:-[\w.]{1,16})?)</"), "", "as printed", SAID),
    (
        "<version>",
        Pattern(r"<artifactId>(?P<name>[A-Za-z][\w.-]{1,60})</artifactId>\s*<version>(?P<v>[0-9]+(?:\.[0-9]+)+(?:-[\w.-]{1,24})?)</"),
        "",
        "as printed",
        SAID,
    ),
    (
        "mplementation",
        Pattern(r"mplementation[ (]['\"][\w.-]{2,60}:(?P<name>[\w.-]{2,60}):(?P<v>[0-9]+(?:\.[0-9]+)+(?:-[\w.-]{1,24})?)['\"]"),
        "",
        "as printed",
        SAID,
    ),
    (
        "PackageReference",
        Pattern(r"PackageReference Include=\"(?P<name>[\w.-]{2,60})\" Version=\"(?P<v>[0-9]+(?:\.[0-9]+)+(?:-[\w.-]{1,24})?)\""),
        "",
        "as printed",
        SAID,
    ),
    ("{:", Pattern(r"\{:(?P<name>[a-z]\w{1,30}), \"(?:[~=>]{1,2} )?(?P<v>[0-9]+(?:\.[0-9]+){1,2})\""), "", "as printed", SAID),
    ("ython3", Pattern(r"ython3(?P<v>[0-9]{1,2})[\\/]"), "python", "3.{}", IMPLIED),
    (
        ".egg",
        Pattern(r"[\\/](?P<name>[A-Za-z][\w.]{1,40})-(?P<v>[0-9]+(?:\.[0-9]+){1,3}(?:\+\w{1,12})?)-py[23]\.[0-9]{1,2}(?:-\w{1,40})?\.egg"),
        "",
        "{}",
        IMPLIED,
    ),
    ("-py3.", Pattern(r"-py3\.(?P<v>[0-9]{1,2})(?:-\w{1,40})?\.egg"), "python", "3.{}", IMPLIED),
    ("-cp3", Pattern(r"-cp3(?P<v>[0-9]{1,2})-"), "python", "3.{}", WEAK),
    ("-cp27-", Pattern(r"-cp2(?P<v>7)-"), "python", "2.{}", WEAK),
    (".cp3", Pattern(r"\.cp3(?P<v>[0-9]{1,2})-win"), "python", "3.{}", IMPLIED),  # extensions on Windows
    (".cpython-3", Pattern(r"\.cpython-3(?P<v>[0-9]{1,2})m?-"), "python", "3.{}", IMPLIED),
    # where setuptools builds
    ("-cpython-3", Pattern(r"\b(?:temp|lib)\.(?:linux|win|macosx)[\w.-]{1,30}-cpython-3(?P<v>[0-9]{1,2})\b"), "python", "3.{}", IMPLIED),
    ("temp.", Pattern(r"\btemp\.(?:linux|win|macosx)[\w.-]{1,30}-(?P<v>3\.[0-9]{1,2})\b"), "python", "{}", IMPLIED),
    ("LLM", Pattern(r"(?<![\w.-])v(?P<v>0\.[0-9]{1,2}\.[0-9]{1,2}(?:\.post[0-9]|rc[0-9])?)[`*]{0,2} vLLM\b"), "vllm", "{}", SAID),
    # the form of Langchain-Chatchat's issues
    (
        "commit 号",
        Pattern(r"(?P<name>[A-Za-z][\w.-]{1,40}) ?版本 ?/ ?commit 号[:：] ?v?(?P<v>[0-9]+(?:\.[0-9]+){1,2})(?![\w.])"),
        "",
        "{}",
        SAID,
    ),
    ("libpython3.", Pattern(r"libpython3\.(?P<v>[0-9]{1,2})m?\.(?:so|a|dylib)\b"), "python", "3.{}", IMPLIED),
    # wheels of flash-attn and of others that name the torch they were built for
    ("torch2.", Pattern(r"\+cu1[0-9]{1,2}torch(?P<v>2\.[0-9]{1,2})(?=cxx11abi|-cp3)"), "torch", "{}", WEAK),
    # k2 and its relatives: 1.24.4.dev20241029+cuda12.1.torch2.3.0
    (".torch", Pattern(r"\+cuda[0-9]{1,2}\.[0-9]\.torch(?P<v>[12]\.[0-9]{1,2}\.[0-9]{1,2})(?![0-9])"), "torch", "{}", WEAK),
    (".torch", Pattern(r"\+cuda(?P<v>[0-9]{1,2}\.[0-9])\.torch[12]\.[0-9]"), "cuda", "{}", WEAK),
    (
        "Python request ",
        Pattern(r"Python request[s]? `(?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)`"),
        "python",
        "{}",
        IMPLIED,
    ),  # uv, with --verbose
    # what pip says of an installed package that another one does not fit
    (
        "but you have ",
        Pattern(r"but you have (?P<name>[A-Za-z][\w.-]{1,40}) (?P<v>[0-9][\w.+-]{0,40}) which is incompatible"),
        "",
        "{}",
        PRINTED + 1,
    ),
    ("version_info(", Pattern(r"version_info\(major=(?P<v>[23], minor=[0-9]{1,2}(?:, micro=[0-9]{1,2})?)"), "python", "fields", PRINTED),
    ("sys.version", Pattern(r"sys\.version(?:: ?| ?= ?|\)?\s{1,4})'?(?P<v>[23]\.[0-9]{1,2}\.[0-9]{1,2}) ?[|(]"), "python", "{}", PRINTED),
    (
        "-gpu",
        Pattern(r"(?<![\w./:-])(?P<v>[12]\.[0-9]{1,2}\.[0-9]{1,2}(?:-?rc[0-9])?)-gpu\b"),
        "tensorflow",
        "{}",
        IMPLIED,
    ),  # tags of images
    (
        "Docker Engine",
        Pattern(r"Docker Engine[^\n]{0,40}\n(?:[^\n]{0,80}\n){0,2}? {1,4}Version: {1,16}(?P<v>[0-9]+(?:\.[0-9]+){1,2})"),
        "docker",
        "{}",
        PRINTED,
    ),
    ("ersion: r", Pattern(r"[Tt]ensor[Ff]low [Vv]ersion: r(?P<v>[12]\.[0-9][0-9.]{0,5})(?![0-9.])"), "tensorflow", "{}", PRINTED),
    # Linux, for which the driver's module has to be built
    ("/lib/modules/", Pattern(r"/lib/modules/" + _LINUX + r"(?=[/\s'\"`),;:]|$)"), "kernel", "as printed", IMPLIED),
    (
        "uname -",
        Pattern(r"uname -s?[ra]`{0,3}(?:\s{0,4}\n(?:> ?)?| {0,2}(?:[=-]{1,4}>|:|=)? {0,2})(?:Linux \S{1,60} )?" + _LINUX + r"(?![\w.])"),
        "kernel",
        "as printed",
        PRINTED,
    ),
    ("uname\n", Pattern(r"^[-=#$ ]{0,6}uname\n" + _LINUX + r"$", re.M), "kernel", "as printed", PRINTED),
    (" #", Pattern(r"^Linux \S{1,60} " + _LINUX + r" #[0-9]", re.M), "kernel", "as printed", PRINTED),
    # the release alone, as distributions name theirs
    (
        "inux ",
        Pattern(
            r"\b[Ll]inux (?P<v>[3-7]\.[0-9]{1,2}\.[0-9]{1,3}-[0-9]{1,4}"
            r"(?:-(?:generic|azure|aws|gcp|amd64|lowlatency|oem|tegra|MANJARO)|(?:\.[0-9]{1,3}){0,4}\.(?:el|fc|amzn)[\w.]{1,12}))\b"
        ),
        "kernel",
        "as printed",
        SAID,
    ),
    (
        "ernel",
        Pattern(
            r"ernel(?<=[Kk]ernel)(?:(?: [Vv]ersion| release)?(?::\*{0,2}|\*\*:| is|=)? {1,3}| [Rr]elease\n{1,2})(?:Linux )?"
            + _LINUX
            + r"(?![\w.]|\s?%)"
        ),
        "kernel",
        "as printed",
        SAID,
    ),
    (
        "Compiling ",
        Pattern(
            r"Compiling (?P<name>tch|torch-sys|cudarc|candle-[a-z-]{2,20}|burn(?:-[a-z]{2,12})?|cust|ort|bindgen_cuda)"
            r" v(?P<v>[0-9]+\.[0-9]+\.[0-9]+)"
        ),
        "",
        "{}",
        PRINTED,
    ),  # cargo
    (
        "lib/",
        Pattern(r"^\s{1,12}\((?P<name>exla|torchx|xla|bumblebee) (?P<v>[0-9]+\.[0-9]+\.[0-9]+)\) lib/", re.M),
        "",
        "{}",
        IMPLIED,
    ),  # frames of Elixir
    ('Version "', Pattern(r"Version \"\w{2,20}\" v(?P<v>[0-9]\.[0-9]{1,3})-"), "darknet", "{}", PRINTED),
    (
        " point ",  # numbers in words: "CUDA twelve point four"
        Pattern(rf"(?i)\b(?P<name>cuda|python|torch|pytorch)(?: (?:is|version)){{0,2}} (?P<v>(?:{UNITS}) point (?:{UNITS}))\b"),
        "",
        "spoken",
        SAID - 1,
    ),
    ("PyTorch version", Pattern(r"PyTorch version [^\n:0-9]{1,30}: {0,3}(?P<v>[0-2]\.[0-9]{1,2}(?:\.[0-9])?)"), "torch", "{}", SAID),
    ("go version go", Pattern(r"\b(?P<name>go) version go(?P<v>1\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![0-9.])"), "", "{}", PRINTED),
    ("gcc-", Pattern(r"(?<![\w.-])(?P<name>gcc)-[0-9]{1,2} \((?P<v>[0-9]{1,2}(?:\.[0-9]{1,2}){1,2})\)"), "", "{}", SAID),
    ("nvidia-fabricmanager-", Pattern(r"nvidia-fabricmanager-[0-9]{3} \(" + DRIVER), "nvidia-fabricmanager", "{}", SAID),
    ("nccl-repo-", Pattern(r"nccl-repo-[a-z0-9]{3,12}-(?P<v>[0-9](?:\.[0-9]{1,2}){1,2})-ga"), "nccl", "{}", SAID),
    ("llama.cpp ", Pattern(r"llama\.cpp (?:build |release |tag |version |at )(?P<v>[0-9]{4,5})(?![0-9.])"), "llama.cpp", "{}", SAID),
    (
        "llama",
        Pattern(r"\bllama(?:[.-](?:cpp|server|cli|bench))?\b[^\n]{0,40}?[ (:=@-](?P<v>b[1-9][0-9]{3,4})(?![0-9A-Za-z.])"),
        "llama.cpp",
        "as printed",
        SAID,
    ),
    *(
        (f"{word} b", Pattern(rf"{word} (?P<v>b[1-9][0-9]{{3,4}})(?![0-9A-Za-z.])"), "llama.cpp", "as printed", SAID)
        for word in ("build", "elease", "ersion", "tag")
    ),
    (
        "\u540e",  # after an upgrade, in Chinese
        Pattern(
            r"(?:\u5347\u7ea7|\u66f4\u65b0|\u964d\u7ea7|\u5347)\u540e(?:\u7684)? ?"
            r"(?P<name>[A-Za-z][\w-]{1,20})[ =]{1,3}v?(?P<v>[0-9]{1,3}\.[0-9][\w.+]{0,18}\w)"
        ),
        "",
        "{}",
        SAID + 1,
    ),
    (
        " from ",  # a change that somebody considers: what it starts from is there
        Pattern(
            r"(?:\b[Ii]f|\b[Ww]hen|\b[Bb]y|\bto)(?: I| i| we| you)? (?:chang|downgrad|switch|revert|upgrad|mov|updat)(?:e|ing)?"
            r"(?: my| the)? (?P<name>[A-Za-z][\w-]{1,20})(?: version)? from v?(?P<v>[0-9]{1,3}\.[0-9][\w.+]{0,20}) to "
        ),
        "",
        "{}",
        SAID - 1,
    ),
    ("_py3.", Pattern(r"_py(?P<v>3\.[0-9]{1,2})_"), "python", "{}", IMPLIED),
    ("containerd:", Pattern(r"(?P<name>containerd):\s*\n {1,4}Version: {1,16}v?(?P<v>[0-9]+(?:\.[0-9]+){1,2})"), "", "{}", PRINTED),
    (
        "Client:",
        Pattern(
            r"^Client:(?: Docker[^\n]{0,40})?\s*\n(?: [^\n]{0,60}\n)?? {1,4}Version: {1,16}(?P<v>[0-9]+(?:\.[0-9]+){1,2}(?:-[ce]e)?)", re.M
        ),
        "docker",
        "as printed",
        PRINTED,
    ),
    ("cli-version: ", Pattern(r"^cli-version: (?P<v>[0-9.]{3,9}[0-9])$", re.M), "libnvidia-container", "{}", PRINTED),
    ("library context (", Pattern(r"initializing library context \(version=(?P<v>[0-9.]{3,9}[0-9])"), "libnvidia-container", "{}", PRINTED),
    *((word, _ASKED_OF_PIP, "", "{}", SAID) for word in ("list ", "show ")),
    (
        "ersion\n",  # the field of a form about software that nothing knows
        Pattern(
            r"^#{1,5} (?!(?i:api|go|os|file|bios|git|build|server|client|model|image|kernel|package|library|software|app|release)\b)"
            r"(?P<name>[A-Z][\w.-]{2,30}) [vV]ersion\n{1,3}"
            r"`{0,3}v?(?P<v>[0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,8})?(?:[a-z.+-]{1,5}[0-9]{1,4})?)`{0,3} *$",
            re.M,
        ),
        "",
        "{}",
        WEAK,
    ),
    (
        "library version",  # of a library that nothing knows
        Pattern(r"\b(?P<name>[A-Z][\w-]{2,30}) library version\*{0,2}(?: is|:) ?`?(?P<v>[0-9]+(?:\.[0-9]+){1,3})(?![\w.])"),
        "",
        "{}",
        WEAK,
    ),
    ("release/", Pattern(r"\b(?P<name>[A-Z]\w{2,30}) release/(?P<v>[0-9]+(?:\.[0-9]+){1,2})(?![\w.])"), "", "{}", SAID),
    (
        "uget ",
        Pattern(r"[Nn]u[Gg]et (?!package)(?P<name>[A-Za-z][\w.-]{2,60}) v?(?P<v>[0-9]+(?:\.[0-9]+){1,3})(?![\w.])"),
        "",
        "{}",
        SAID,
    ),
    (
        "uget package ",
        Pattern(r"(?P<name>[A-Z]\w{1,30}(?:\.\w{2,30}){1,5}) \((?i:nuget package version) v?(?P<v>[0-9]+(?:\.[0-9]+){1,3})\)"),
        "",
        "{}",
        SAID,
    ),
    *((word, _ANY_SOFTWARE, "", "{}", WEAK) for word in ("ersion: ", "ersion**")),
    # stable-diffusion-webui, its forks, and R
    (
        "\nCommit hash: ",
        Pattern(r"^Version: v(?P<v>1\.[0-9]{1,2}\.[0-9])\S*\nCommit hash: ", re.M),
        "stable-diffusion-webui",
        "{}",
        PRINTED,
    ),
    ("R version ", Pattern(r"\bR version (?P<v>[2-5]\.[0-9]{1,2}\.[0-9])(?![0-9.])"), "r", "{}", PRINTED),
    *((f"R: {digit}", Pattern(r"^[ *-]{0,4}R: (?P<v>[3-5]\.[0-9]{1,2}\.[0-9])$", re.M), "r", "{}", SAID) for digit in "345"),
    # what conda exports
    (
        "dependencies:\n",
        Pattern(r"^ {0,6}- (?P<name>[a-z][\w.-]{1,40})=(?P<v>[0-9]+(?:\.[0-9]+){1,3})=\w{1,40}$", re.M),
        "",
        "{}",
        SAID,
    ),
    *((word, _SESSION, "", "as printed", PRINTED) for word in ("loaded via a namespace", "other attached packages")),
    ("tmp_conda_3", Pattern(r"tmp_conda_(?P<v>3\.[0-9]{1,2})_[0-9]"), "python", "{}", IMPLIED),  # where torch was built for Windows
    ("py3", Pattern(r"[\\/]py3(?P<v>[0-9]{1,2})[\\/]"), "python", "3.{}", WEAK),  # the name of an environment
    # llama.cpp: the number of the build
    ("version: ", Pattern(r"^version: (?P<v>[0-9]{3,6}) \([0-9a-f]{7,10}\)", re.M), "llama.cpp", "{}", PRINTED),
    ("build: ", Pattern(r"\bbuild: (?P<v>[0-9]{3,6}) \([0-9a-f]{7,10}\)"), "llama.cpp", "{}", PRINTED),
    ("build = ", Pattern(r"\bbuild = (?P<v>[0-9]{3,6}) \([0-9a-f]{7,10}\)"), "llama.cpp", "{}", PRINTED),
    # as does its first line
    ("with cc (", Pattern(r"\bwith cc \([^)\n]{1,60}\) (?P<v>[0-9]{1,2}\.[0-9]\.[0-9]) for "), "gcc", "{}", SAID),
    ("built with ", Pattern(r"^built with (?:GNU|g?cc)(?: \([^)\n]{1,60}\))? (?P<v>[0-9]{1,2}\.[0-9]\.[0-9])", re.M), "gcc", "{}", SAID),
    # pyenv and EasyBuild name the whole version in their paths
    ("/versions/3.", Pattern(r"(?<!\.rbenv)/versions/(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})/(?:lib|bin|envs)/"), "python", "{}", SAID - 1),
    ("\\versions\\3.", Pattern(r"\\versions\\(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})\\"), "python", "{}", SAID - 1),
    ("/Python/3.", Pattern(r"/Python/(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})[-/]"), "python", "{}", SAID - 1),
    ("\\Python\\3.", Pattern(r"\\Python\\(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})\\"), "python", "{}", SAID - 1),
    ("\\3.", Pattern(r"(?i:py(?:thon)?\d{0,2})\\{1,2}(?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)\\{1,2}[Ll]ib\\"), "python", "{}", SAID - 1),
    ("cpython-3", Pattern(r"[\\/]cpython-(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})[-\\/]"), "python", "{}", SAID - 1),
    ("파이토치", Pattern(r"파이토치 ?(?:버전[은이]? ?)?(?P<v>[0-2]\.[0-9]{1,2}(?:\.[0-9])?)(?![\w.])"), "torch", "{}", SAID),
    ("파이썬", Pattern(r"파이썬 ?(?:버전[은이]? ?)?(?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w.])"), "python", "{}", SAID),
    ("ython version: ", Pattern(r"(?m:^)[-*# ]{0,4}Python version: (?P<v>[23])(?m: *$)"), "python", "{}", REQUESTED),
    (
        ".__version__",
        Pattern(
            r"\b(?P<name>torch|tensorflow|jax|jaxlib|vllm|transformers|cupy|xformers|triton|deepspeed|mxnet|keras|numba|cv2|paddle|onnxruntime"
            r"|flash_attn|diffusers|accelerate|peft|bitsandbytes|tf|torchvision|torchaudio|numpy|onnx|tensorrt|trl|datasets|ray|lightning"
            r"|pytorch_lightning|sglang|llama_cpp|mmcv|mmdet|dgl|torch_geometric|detectron2|flax|timm|unsloth)\.__version__\)?`{0,3}['\"]?\s{0,4}\n"
            r"(?:Out ?\[\d{1,4}\]: ?)?'?(?P<v>[0-9]+\.[0-9][\w.+]{0,40})"
        ),
        "",
        "{}",
        PRINTED,
    ),
    ("  version ", Pattern(r"█  version (?P<v>[0-9]+\.[0-9][\w.+]{0,40})"), "vllm", "{}", PRINTED),  # below its name in blocks
    (
        "-v",
        Pattern(r"\b(?P<name>vllm|sglang|lmdeploy|deepspeed) (?:-v|--version)\s{0,4}\n(?P<v>[0-9]+\.[0-9][\w.+]{0,40})"),
        "",
        "{}",
        PRINTED,
    ),
    ("版本的", Pattern(r"[vV]?(?P<v>[0-9]+(?:\.[0-9]+){1,2}) ?版本的 ?`?(?P<name>[A-Za-z][\w-]{1,30})"), "", "{}", SAID),
    (
        ".jar",
        Pattern(
            r"[\[/\\](?P<name>onnxruntime(?:_gpu)?|javacpp|nd4j(?:-[a-z]{3,12}){0,2}|deeplearning4j(?:-[a-z]{2,12})?|jcuda|cudf"
            r"|tensorflow(?:-core)?(?:-[a-z]{3,8})?|rapids-4-spark)(?:_[0-9.]{3,5})?-(?P<v>[0-9]+(?:\.[0-9]+){1,2}(?:-(?:M|beta)[0-9.]{1,4})?)\.jar"
        ),
        "",
        "{}",
        IMPLIED,
    ),
    # what Pkg.status() of Julia lists, with the first of the package's UUID
    *(
        (word, Pattern(r"\[[0-9a-f]{8}\] (?!CUDA )(?P<name>[A-Z]\w{1,40}) v(?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "", "{}", PRINTED)
        for word in ("Project.toml`", "[052768ef] CUDA", "[587475ba] Flux")
    ),
    ("julia/stdlib/v", Pattern(r"julia/stdlib/v(?P<v>[01]\.[0-9]{1,2})/"), "julia", "{}", IMPLIED),
    ("CUDA.jl", Pattern(r"\bCUDA\.jl:? v?(?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "cuda.jl", "{}", SAID),
    ("(you have ", Pattern(r"Python {1,3}[0-9.]{3,8} \(you have (?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)\)"), "python", "{}", PRINTED),
    ("(you have ", Pattern(r"PyTorch \S{1,40} with CUDA \S{1,20} \(you have (?P<v>[0-9][\w.+]{1,40})\)"), "torch", "{}", PRINTED),
    (
        "\nVersion: ",
        Pattern(r"^Package: (?P<name>[a-z][\w.+-]{0,80})\nVersion: (?:[0-9]:)?(?P<v>[0-9]+(?:\.[0-9]+){1,3})", re.M),
        "",
        "{}",
        PRINTED,
    ),
    ("\nVersion: ", Pattern(r"^Name: (?P<name>[A-Za-z][\w.-]{0,80})\nVersion: (?P<v>[0-9][\w.+!-]{0,60})$", re.M), "", "{}", PRINTED),
    ("Info-----", Pattern(r"-{4,}\s?(?P<name>[A-Za-z]\w{1,20}) Info-{4,}\nVersion {1,12}: (?P<v>[0-9][\w.+]{0,40})"), "", "{}", PRINTED),
    (" gcc/", Pattern(r" (?P<name>gcc)/(?P<v>[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w./])"), "", "{}", SAID),
    (" python/", Pattern(r" (?P<name>python)/(?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w./])"), "", "{}", SAID),
    (" nccl/", Pattern(r" (?P<name>nccl)/(?P<v>2\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w./])"), "", "{}", SAID),
    ("\\ROCm\\", Pattern(r"\\ROCm\\(?P<v>[4-9]\.[0-9])(?=\\)"), "rocm", "{}", IMPLIED),  # the HIP SDK on Windows
    ("pytorch_release_", Pattern(r"pytorch_release_(?P<v>[0-9]\.[0-9]{1,2}\.[0-9])"), "torch", "{}", IMPLIED),  # images of ROCm
    (
        "Detected version ",
        Pattern(
            r"need (?P<name>flash_attn(?:_2)?) package version to be greater or equal (?:to|than) [0-9.]{3,8}?\.? "
            r"Detected version (?P<v>[0-9]+(?:\.[0-9]+){1,2}(?:\.?post[0-9])?)"
        ),
        "",
        "{}",
        PRINTED + 1,
    ),
    ("but detected ", Pattern(r"requires a torch version .{0,40}but detected (?P<v>[0-9](?:\.[0-9]{1,3}){1,2})"), "torch", "{}", PRINTED),
    (
        "installed: ",
        Pattern(r"(?P<name>[A-Za-z][\w.-]{1,40}) \[required: [^\]\n]{1,60}, installed: (?P<v>[0-9][\w.+]{1,40})\]"),
        "",
        "{}",
        PRINTED,
    ),
    # the checks of Ultralytics: what is there, then what is asked for
    (
        "\u2705 ",
        Pattern(r"^(?P<name>[A-Za-z][\w.-]{1,30}) {2,30}\u2705 (?P<v>[0-9]+(?:\.[0-9]+){1,3}(?:\+\w{1,10})?)(?=[<>!=~]|\s|$)", re.M),
        "",
        "{}",
        PRINTED,
    ),
    # the form of Horovod's issues
    (
        "ramework version",
        Pattern(
            r"Framework:\s{0,3}(?:\([^)\n]{1,60}\),? ?)?"
            r"(?P<name>[Pp]y[Tt]orch|[Tt]ensor[Ff]low|TF|[Kk]eras|MXNet|mxnet)\b[^\n]{0,40}\n{1,2}"
            r"[^\nF]{0,8}Framework version:\s{0,3}v?(?P<v>[0-9]+\.[0-9]{1,2}(?:\.[0-9]{1,2})?)"
        ),
        "",
        "{}",
        SAID,
    ),
    # archives of releases: openpose-1.3.0-win64-cpu-binaries.zip
    *(
        (
            word,
            Pattern(
                r"(?<![\w.+-])(?!cud|lib|clang|python)(?P<name>[A-Za-z]\w{2,30})-v?(?P<v>[0-9]{1,3}(?:\.[0-9]{1,3}){1,2})"
                r"[-_](?:win|windows|linux|macos|osx)(?:32|64)?(?=[-_.\s]|$)"
            ),
            "",
            "{}",
            IMPLIED,
        )
        for word in ("-win", "-linux", "-macos", "-osx", "_win", "_linux")
    ),
    (
        "(version ",
        Pattern(r"Listening on \S{3,60} \(version (?P<v>[0-9]+\.[0-9]+\.[0-9]+(?:-rc[0-9]{1,2})?)[-\w]{0,30}\)"),
        "ollama",
        "{}",
        PRINTED,
    ),
    (" Commit ID: ", Pattern(r"ONNX ?Runtime [Vv]ersion or Commit ID: v?(?P<v>[0-9]+\.[0-9]+(?:\.[0-9]+)?)"), "onnxruntime", "{}", SAID),
    ("Ultralytics YOLOv", Pattern(r"Ultralytics YOLOv(?P<v>[0-9]{1,2}\.[0-9]{1,3}\.[0-9]{1,3})"), "ultralytics", "{}", PRINTED),
    # What find_package_handle_standard_args of CMake says of a package, and the summary of OpenCV's build.
    (
        'ersion "',
        Pattern(
            r"Found (?P<name>CUDA|CUDAToolkit|CUDNN|cuDNN|NCCL|OpenCV|TensorRT|HIP)(?: NVCC)?:[^\n]{1,300}"
            r"\(found (?:suitable (?:exact )?)?version \"(?P<v>[0-9][0-9.]{0,14}[0-9])\""
        ),
        "",
        "{}",
        PRINTED,
    ),
    ("YES (ver ", Pattern(r"(?:NVIDIA )?(?P<name>CUDA|cuDNN):\s+YES \(ver (?P<v>[0-9.]{1,12}[0-9])"), "", "{}", PRINTED),
    (
        ".so.",  # not one that is looked for
        Pattern(
            r"lib(?P<name>cudnn|nccl|nvinfer)(?:_\w{3,20})?\.so\.(?P<v>[0-9]{1,2}(?:\.[0-9]{1,3}){2})\b(?!['\"]?: cannot|[,}]| not found)"
        ),
        "",
        "{}",
        IMPLIED,
    ),
    (
        ",now ",
        Pattern(r"lib(?P<name>cudnn|nccl)[0-9]?(?:-dev)?/\S{1,60},now (?P<v>[0-9]{1,2}(?:\.[0-9]{1,3}){2,3})"),
        "",
        "{}",
        PRINTED,
    ),  # apt list
    ("onnxruntime-", Pattern(r"onnxruntime-(?:win|linux|osx)-[\w-]{2,40}-(?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "onnxruntime", "{}", SAID),
    ("Runtime version: gpu ", Pattern(r"ONNX ?Runtime version: gpu (?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "onnxruntime", "{}", PRINTED),
    (
        "OnnxRuntime.",
        Pattern(r"ML\.OnnxRuntime\.\w{3,10}(?: \([Nn]u[Gg]et(?: package)?)?(?: [Vv]ersion| VERSION|:)? (?P<v>[0-9]+\.[0-9]+\.[0-9]+)"),
        "onnxruntime",
        "{}",
        SAID,
    ),
    ("py3", Pattern(r"[\\/]envs[\\/][A-Za-z][\w.-]{0,40}[-_]py3(?P<v>[0-9]{1,2})[\\/]"), "python", "3.{}", WEAK),
    ("py3", Pattern(r"[\\/]envs[\\/]py3(?P<v>[0-9]{1,2})[a-z_-]"), "python", "3.{}", WEAK),
    (
        "but found ",
        Pattern(
            r"(?P<name>[A-Za-z][\w-]{1,40}) ?[<>=!~]{1,2} ?[0-9][\w.]* is required(?: for a normal functioning of this module,?)?"
            r" but found (?:[A-Za-z][\w-]{1,40}==)?(?P<v>[0-9]+(?:\.[0-9]+)+[\w+]{0,20})"
        ),
        "",
        "{}",
        PRINTED,
    ),
    ("' not found", Pattern(r"version `GLIBC_(?P<v>2\.[0-9]{1,2})' not found"), "required_glibc", "{}", PRINTED),
    ("' not found", Pattern(r"version `GLIBCXX_(?P<v>3\.4(?:\.[0-9]{1,2})?)' not found"), "required_glibcxx glibcxx", "{}", PRINTED),
    ("' not found", Pattern(r"version `CXXABI_(?P<v>1\.3(?:\.[0-9]{1,2})?)' not found"), "required_cxxabi cxxabi", "{}", PRINTED),
    ("-python3-", Pattern(r"-python3-(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})(?=-|/)"), "python", "{}", SUFFIX),  # the store of Nix
    (
        "/registry/src/",
        Pattern(r"/registry/src/[^/\s]{1,80}/(?P<name>[a-z][\w-]{0,60}?)-(?P<v>[0-9]+\.[0-9]+\.[0-9]+)/"),
        "",
        "{}",
        IMPLIED,
    ),
)
