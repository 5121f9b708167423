"""Forms in which programs print versions that no words before the number name: a literal, a pattern, and what it tells."""

from __future__ import annotations

import re

from triage.parsers.packages import BUILD, IMPLIED, PRINTED, REQUESTED, SAID, SUFFIX, WEAK
from triage.reading.lazy import Pattern

_DRIVER = r"(?P<v>[3-6][0-9]{2}\.[0-9]{2,3}(?:\.[0-9]{2,3})?)(?![0-9])"
_DRIVER_RU = "\u0434\u0440\u0430\u0439\u0432\u0435\u0440"
_VERSION_RU = "\u0432\u0435\u0440\u0441\u0438\\w{1,3}"
_CUDA = r"(?P<v>(?:9|1[0-3])\.[0-9](?:\.[0-9]{1,3})?)(?![0-9])"
_LINUX = r"(?P<v>[2-7]\.[0-9]{1,2}(?:\.[0-9]{1,3})?(?:[.-][0-9]{1,4}){0,3}(?:[.-](?=[a-zA-Z0-9_.+-]*[a-zA-Z])[\w.+-]{1,40}\w)?)"
_SAYS = r"{}`?(?: -V| --version)?`? (?:\w+ )?(?:indicates|shows?|says|reports?|displays|gives|prints|tells|is|returns) {}`?"
_TENS = "ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_UNITS = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
SPOKEN = {word: number for number, word in enumerate(_UNITS.split("|"))} | {
    word: number * 10 for number, word in enumerate(_TENS.split("|"), 1)
}
# One field for both, as TensorFlow's form of issues has it.
_BOTH = (
    r"(?:CUDA|Cuda|cuda) ?/ ?(?i:cudnn) [vV]ersions?(?: \([^)\n]{0,40}\))?[ *_`:=-]{0,8}\n{0,2}[ *_`>-]{0,8}"
    r"(?:(?i:cuda)[ :_]{0,2}|release ){0,2}"
)

_BUILD_OF_CONDA = Pattern(r"cuda(?<![A-Za-z0-9]cuda)(?P<v>[789][0-9]|1[0-3][0-9])py[23][0-9]{1,2}h")
_PYTHON_JOINED = Pattern(r"ython3(?<=[Pp]ython3)(?<![\w/\\.-][Pp]ython3)(?P<v>[5-9]|1[0-4])(?![\w./\\-])")
_CUDA_JOINED = Pattern(
    r"(?:uda|UDA)(?<=[cC]uda|CUDA)(?<![\w/\\.][cC](?:uda|UDA))(?P<v>75|80|9[0-2]|10[0-2]|11[0-8]|12[0-9]|13[0-2])(?![\w./\\])"
)
_TORCH_BUILT = Pattern(
    r"[Tt]orch (?:\S{1,20} )?(?:(?:is|was|were) )?(?:built|compiled|made) (?:for|with|against|on) (?:CUDA |cuda )?" + _CUDA
)
_BRANCHES = (470, 510, 515, 525, 535, 545, 550, 560, 565, 570, 575, 580, 590, 595)
_LOADED = r"odule load (?:[\w./+-]{{1,60}} ){{0,8}}?(?i:{})/v?(?P<v>[0-9]{{1,2}}(?:\.[0-9]{{1,3}}){{1,3}}(?:rc[0-9])?)(?![0-9.])"
_DRIVER_ALONE = Pattern(r"(?<![\w.:/-])N?(?P<v>(?:4[1-9]|5[0-9])[05]\.[0-9]{2,3}\.0[0-9])(?![\w.:])")

# Literal that must occur, pattern with the version as `v` (and, where it says so itself, the package as `name`), other packages that it is
# the version of, form of the version, strength.
FORMS = (
    (
        "yours is ",
        Pattern(r"was trained with (?P<name>[A-Za-z][\w.-]{1,30}) [\w.+-]{1,30}, yours is (?P<v>[0-9][\w.+]{0,30}\w)"),
        "",
        "{}",
        PRINTED + 1,
    ),
    ("yours is ", Pattern(r"\(yours is for CUDA (?P<v>[0-9]{1,2}\.[0-9](?:\.[0-9])?)\)"), "driver_cuda cuda", "{}", PRINTED + 1),  # CUDA.jl
    ("yours is ", Pattern(r"with torch [\w.+-]{1,30}, yours is [0-9][\w.]{0,12}\+cu(?P<v>[0-9]{3})"), "cuda", "cuda", SUFFIX),
    (
        "DNN",
        Pattern(r"(?i:cuda ?/ ?cudnn)(?: versions?)?:? ?[vV]?[0-9]{1,2}\.[0-9][0-9.]{0,10} ?/ ?(?P<v>[5-8][0-9]{3}|9[0-9]{4})\b"),
        "cudnn",
        "{}",
        PRINTED,
    ),
    ("py3", Pattern(r"py3(?P<v>[0-9]{1,2})_cu[0-9]{3}"), "python", "3.{}", IMPLIED),  # torch_extensions/py310_cu118
    ("py3", Pattern(r"py3[0-9]{1,2}_cu(?:da)?(?P<v>[0-9]{3})"), "cuda", "cuda", IMPLIED),
    (
        "py3",
        Pattern(r"(?<![A-Za-z0-9])(?:cuda[0-9]{2,3})?py3(?P<v>[5-9]|1[0-4])(?:_cuda[0-9]{2,3}|h[0-9a-f]{7})_[0-9]"),
        "python",
        "3.{}",
        IMPLIED,
    ),
    *((f"cuda{digit}", _BUILD_OF_CONDA, "cuda", "compact", BUILD) for digit in "1789"),
    # run together: "python36 cuda80"
    *((f"ython3{digit}", _PYTHON_JOINED, "python", "3.{}", SAID - 1) for digit in "156789"),
    *((f"uda{digit}", _CUDA_JOINED, "cuda", "compact", SAID - 1) for digit in "1789"),
    *((f"UDA{digit}", _CUDA_JOINED, "cuda", "compact", SAID - 1) for digit in "1789"),
    ("V1", Pattern(r"(?<![\w.])V(?P<v>1[0-3]\.[0-9])\.[0-9]{2,3}(?![\w.])"), "cuda", "{}", WEAK),  # as nvcc has it
    ("cupy-cuda", Pattern(r"cupy-cuda(?P<v>[89][0-9]|1[0-3][0-9])(?![0-9x])"), "cuda", "compact", IMPLIED),
    ("torch2", Pattern(r"(?<![A-Za-z0-9/.])torch(?P<v>2[0-9]{2})(?![\w.])"), "torch", "dotted", IMPLIED),  # names of environments
    (
        "used to compile",
        Pattern(r"used to compile\s{1,12}PyTorch \((?P<v>[0-9]{1,2}\.[0-9]{1,2})\)"),
        "cuda",
        "{}",
        PRINTED + 1,
    ),
    # the message and its values as a tuple
    ("same CUDA versions.', '", Pattern(r"same CUDA versions\.', '(?P<v>[0-9]{1,2}\.[0-9]{1,2})'"), "toolkit", "{}", PRINTED + 1),
    (
        "same CUDA versions.', '",
        Pattern(r"same CUDA versions\.', '[0-9.]{3,5}', '(?P<v>[0-9]{1,2}\.[0-9]{1,2})'"),
        "cuda",
        "{}",
        PRINTED + 1,
    ),
    ("nccl.version(", Pattern(r"nccl\.version\(\)[^\n(]{0,60}\n?[^\n(]{0,20}\((?P<v>2, [0-9]{1,2}, [0-9]{1,2})\)"), "nccl", "{}", PRINTED),
    (
        ".version.cuda",
        Pattern(r"torch\.version\.cuda\)?\s{0,4}\n(?:Out ?\[\d{1,4}\]: ?)?'?(?P<v>[0-9]{1,2}\.[0-9]{1,2})"),
        "cuda",
        "{}",
        PRINTED + 1,
    ),
    (
        ".version.cuda",
        Pattern(r"torch\.version\.cuda`? ?(?:==?|:) ?[\"'`]{0,2}(?P<v>[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,4})?)(?![0-9])"),
        "cuda",
        "{}",
        PRINTED + 1,
    ),
    ("cudnnGetVersion", Pattern(r"cudnnGetVersion\(\) ?: ?(?P<v>[5-9][0-9]{3}|[1-9][0-9]{4})(?![0-9])"), "cudnn", "{}", PRINTED),
    ("which supports up to ", Pattern(r"driver \(which supports up to (?P<v>[0-9]{1,2}\.[0-9])\)"), "driver_cuda", "{}", PRINTED),
    (
        " driver",
        Pattern(r"(?:\b[Tt]he|\ban?|\bmy) (?P<v>3[0-9]{2}|4[0-9]{2}|5[0-9]{2}) (?:NVIDIA |nvidia )?driver\b"),
        "driver",
        "{}",
        SAID - 1,
    ),
    (" driver", Pattern(r"\b(?:with|using|on) (?P<v>3[0-9]{2}|4[0-9]{2}|5[0-9]{2}) (?:NVIDIA |nvidia )?drivers?\b"), "driver", "{}", WEAK),
    # a driver by its number alone: three parts, the last padded with a zero
    *((f"{branch}.", _DRIVER_ALONE, "driver", "{}", IMPLIED) for branch in _BRANCHES),
    ("addle fluid", Pattern(r"addle fluid[ :]{1,2}v?(?P<v>[012]\.[0-9]{1,2}(?:\.[0-9]{1,2})?)"), "paddle", "{}", SAID),
    # modules of a cluster: "module load GCC/9.3.0 CUDA/11.3"
    *(
        ("odule load ", Pattern(_LOADED.format(name)), name.lower(), "{}", IMPLIED)
        for name in ("CUDA", "GCC", "cuDNN", "NCCL", "OpenMPI", "Python", "UCX")
    ),
    ("orchv", Pattern(r"[Tt]orchv(?P<v>[012]\.[0-9]{1,2}\.[0-9]{1,2})(?![\w.])"), "torch", "{}", SAID),
    # TensorFlow's GIT_VERSION, and the version after it
    (
        "-g",
        Pattern(
            r"\bv?[12]\.[0-9]{1,2}\.[0-9]{1,2}(?:-rc[0-9]{1,2})?-[0-9]{1,6}-g[0-9a-f]{7,12}[`'\", ]{1,4}"
            r"(?P<v>[12]\.[0-9]{1,2}\.[0-9]{1,2}(?:-?rc[0-9]{1,2})?)"
        ),
        "tensorflow",
        "{}",
        PRINTED + 1,
    ),
    (
        '{ version = "',
        Pattern(r"^(?P<name>[a-z][\w-]{1,40}) = \{ version = \"[=^~]?(?P<v>[0-9]+\.[0-9]+(?:\.[0-9]+)?)\"", re.M),
        "",
        "{}",
        SAID,
    ),  # Cargo.toml
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
    (".cp3", Pattern(r"\.cp3(?P<v>[0-9]{1,2})-win"), "python", "3.{}", IMPLIED),  # extensions on Windows
    (".cpython-3", Pattern(r"\.cpython-3(?P<v>[0-9]{1,2})m?-"), "python", "3.{}", IMPLIED),
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
    # as people put it
    ("smi", Pattern(_SAYS.format(r"\b(?:nvidia-)?smi", r"(?:[Dd]river )?(?:version )?") + _DRIVER), "driver", "{}", SAID),
    (
        "smi",
        Pattern(r"\bsmi`? (?:\w+ )?(?:shows?|says|reports?|displays|gives|prints) (?:driver )?[3-6][0-9]{2}\.[0-9.]{2,8} ?[(/,] ?" + _CUDA),
        "driver_cuda",
        "{}",
        SAID,
    ),
    (
        "CUDA ",
        Pattern(r"(?P<v>[3-6](?<![\w.][3-6])[0-9]{2}\.[0-9]{2,3}\.[0-9]{2})(?:,| /| and| with|;)? \(?CUDA (?:version )?[0-9]"),
        "driver",
        "{}",
        IMPLIED,
    ),
    # a table that nvidia-smi was asked for: the column of that name, in the row below
    (
        "driver_version",
        Pattern(r"\bdriver_version(?:, [^,\n]{1,40}){0,8}\n{1,2}(?:[^,\n]{1,80}, ){0,8}?" + _DRIVER),
        "driver",
        "{}",
        PRINTED,
    ),
    ("nvcc", Pattern(_SAYS.format("nvcc", r"(?:CUDA |cuda |release |version |V){0,2}") + _CUDA), "nvcc toolkit", "{}", SAID),
    *((word, _TORCH_BUILT, "cuda", "{}", BUILD) for word in (" built ", " compiled ", " made ")),
    ("river ", Pattern(r"[Dd]river [^\n(,.;]{0,30}(?:\(|\bto (?:the )?(?:latest |newest )?(?:version )?)" + _DRIVER), "driver", "{}", SAID),
    (
        "river ",
        Pattern(r"(?<![\w.-])[Dd]river (?:[Vv]ersion\*{0,2} ?[:=]?\*{0,2} {1,3})?(?P<v>[3-6][0-9]{2})(?![0-9]|\.[0-9])"),
        "driver",
        "{}",
        SAID - 1,
    ),
    ("driver: ", Pattern(r"\b(?:system|host|gpu|GPU) driver: (?P<v>[3-6][0-9]{2})(?![0-9]|\.[0-9])"), "driver", "{}", SAID - 1),
    ("ersion: r", Pattern(r"[Tt]ensor[Ff]low [Vv]ersion: r(?P<v>[12]\.[0-9][0-9.]{0,5})(?![0-9.])"), "tensorflow", "{}", PRINTED),
    (
        "river:",
        Pattern(r"(?m:^)[-*# ]{0,4}(?:NVIDIA |Nvidia )?[Dd]river: ?(?:(?:NVIDIA|Nvidia|nvidia)[ -])?(?P<v>[3-6][0-9]{2})(?m: *$)"),
        "driver",
        "{}",
        SAID - 1,
    ),
    # Linux, for which the driver's module has to be built
    ("/lib/modules/", Pattern(r"/lib/modules/" + _LINUX + r"(?=[/\s'\"`),;:]|$)"), "kernel", "as printed", IMPLIED),
    (
        "uname -",
        Pattern(r"uname -s?[ra]`{0,3}\s{0,4}\n(?:> ?)?(?:Linux \S{1,60} )?" + _LINUX + r"(?![\w.])"),
        "kernel",
        "as printed",
        PRINTED,
    ),
    (" #", Pattern(r"^Linux \S{1,60} " + _LINUX + r" #[0-9]", re.M), "kernel", "as printed", PRINTED),
    (
        "ernel",
        Pattern(
            r"ernel(?<=[Kk]ernel)(?:(?: version| release)?(?::| is|=)? {1,3}| [Rr]elease\n{1,2})(?:Linux )?" + _LINUX + r"(?![\w.]|\s?%)"
        ),
        "kernel",
        "as printed",
        SAID,
    ),
    *((word, Pattern(r"N(?:vidia|VIDIA) " + _DRIVER), "driver", "{}", SAID - 1) for word in ("Nvidia ", "NVIDIA ")),
    (
        "Interface -- v",
        Pattern(r"System Management Interface -- v" + _DRIVER),
        "driver",
        "{}",
        PRINTED,
    ),  # nvidia-smi -h
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
    ("NN ", Pattern(_BOTH + r"(?P<v>[89]|1[0-3])[ \t]{0,4}(?=\n|\Z)"), "cuda", "{}", REQUESTED),
    ('Version "', Pattern(r"Version \"\w{2,20}\" v(?P<v>[0-9]\.[0-9]{1,3})-"), "darknet", "{}", PRINTED),
    ("river: nvidia v: ", Pattern(r"river: nvidia v: " + _DRIVER), "driver", "{}", PRINTED),  # inxi
    ("-nvidia-", Pattern(r"-nvidia-[0-9]:" + _DRIVER), "driver", "{}", IMPLIED),  # packages of RPM Fusion
    (" driver", Pattern(r"\b(?:the|nvidia|NVIDIA|Nvidia|version) (?P<v>[3-6][0-9]{2}) (?:series )?drivers?\b"), "driver", "{}", SAID - 1),
    ("smi: ", Pattern(r"\bnvidia-smi`?: " + _CUDA), "driver_cuda", "{}", SAID),
    # in Russian: the driver, of a version
    (_DRIVER_RU, Pattern(_DRIVER_RU + r"\w{0,3}(?: (?i:nvidia))?(?: " + _VERSION_RU + r")?:? " + _DRIVER), "driver", "{}", SAID),
    (_DRIVER_RU, Pattern(_VERSION_RU + " " + _DRIVER_RU + r"\w{0,3}:? " + _DRIVER), "driver", "{}", SAID),
    (_DRIVER_RU, Pattern(_DRIVER + " " + _VERSION_RU + " " + _DRIVER_RU), "driver", "{}", SAID),
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
    # Numbers in words: "driver five-fifty", "CUDA twelve point four"
    (
        "river",
        Pattern(
            r"river(?<=[Dd]river)(?i:s?(?: (?:is|version|from|the|branch|of|at)){0,2} "
            rf"(?P<v>(?:three|four|five|six)[- ](?:{_TENS})(?:[- ]five)?)\b)"
        ),
        "driver",
        "spoken",
        SAID - 1,
    ),
    (
        " point ",
        Pattern(rf"(?i)\b(?P<name>cuda|python|torch|pytorch)(?: (?:is|version)){{0,2}} (?P<v>(?:{_UNITS}) point (?:{_UNITS}))\b"),
        "",
        "spoken",
        SAID - 1,
    ),
    ("rivers ", Pattern(r"[Dd]rivers (?:were|was|are|is|on|at|ver\.?|to) " + _DRIVER), "driver", "{}", SAID),
    ("PyTorch version", Pattern(r"PyTorch version [^\n:0-9]{1,30}: {0,3}(?P<v>[0-2]\.[0-9]{1,2}(?:\.[0-9])?)"), "torch", "{}", SAID),
    (", cu1", Pattern(r"PyTorch version[^\n]{0,60}, cu(?P<v>1[0-3]\.[0-9])\b"), "cuda", "{}", SAID),
    ("gcc-", Pattern(r"(?<![\w.-])(?P<name>gcc)-[0-9]{1,2} \((?P<v>[0-9]{1,2}(?:\.[0-9]{1,2}){1,2})\)"), "", "{}", SAID),
    ("nvidia-fabricmanager-", Pattern(r"nvidia-fabricmanager-[0-9]{3} \(" + _DRIVER), "nvidia-fabricmanager", "{}", SAID),
    ("llama.cpp ", Pattern(r"llama\.cpp (?:build |release |tag |version |at )b?(?P<v>[0-9]{4,5})(?![0-9.])"), "llama.cpp", "{}", SAID),
    ("_py3.", Pattern(r"_py(?P<v>3\.[0-9]{1,2})_"), "python", "{}", IMPLIED),
    ("oolkit ", Pattern(r"(?<![Cc]ontainer )(?<![\w-])[Tt]oolkit (?:is |at |version )?v?" + _CUDA), "toolkit", "{}", SAID),
    ("kernel", Pattern(r"kernel (?:module|driver|side|has|is)[^\n.,;0-9]{0,20}" + _DRIVER), "kernel_module", "{}", SAID),
    (
        "odule ",
        Pattern(r"(?:loaded (?:kernel )?module|[Mm]odule (?:that is )?loaded)[^\n.,;0-9]{0,20}" + _DRIVER),
        "kernel_module",
        "{}",
        SAID,
    ),
    (
        "/proc/driver/nvidia/version",
        Pattern(r"/proc/driver/nvidia/version`? (?:\w+ )?(?:says|shows|reports|has|is|gives) `?" + _DRIVER),
        "kernel_module",
        "{}",
        SAID,
    ),
    ("space", Pattern(r"[Uu]ser[- ]?space[^\n.,;0-9]{0,30}" + _DRIVER), "userspace", "{}", SAID),
    (" librar", Pattern(_DRIVER.replace("(?![0-9])", "") + r" (?:user[- ]?space )?librar(?:y|ies)"), "userspace", "{}", SAID),
    (
        "odules ",
        Pattern(r"(?:open|proprietary|kernel|NVIDIA|nvidia) modules (?:version )?v?" + _DRIVER),
        "kernel_module driver",
        "{}",
        SAID - 1,
    ),
    ("odule ", Pattern(r"[Mm]odule (?:is|was) (?:still )?(?:at )?" + _DRIVER), "kernel_module", "{}", SAID),
    (
        "river ",
        Pattern(
            r"[Dd]river:? (?:version:? )?[3-6][0-9]{2}\.[0-9.]{2,8} ?[(/] ?(?:with |supports |max(?:imum)? )?(?:CUDA|cuda) (?:version )?"
            + _CUDA
        ),
        "driver_cuda",
        "{}",
        SAID,
    ),
    ("librar", Pattern(r"(?:client|driver|user) librar(?:y|ies)[^\n.,;0-9]{0,20}" + _DRIVER), "userspace", "{}", SAID),
    ("libcuda", Pattern(r"libcuda(?:\.so\.|(?:\.so)? (?:is|at|has) )" + _DRIVER), "userspace", "{}", SAID),
    (
        "libnvidia-",
        Pattern(r"libnvidia-(?:ml|compute)(?:\.so\.|(?:\.so)?(?:-[0-9]{3})? (?:is|at|has) )" + _DRIVER),
        "userspace",
        "{}",
        SAID,
    ),
    (
        "modules ",
        Pattern(r"modules (?:\w+ )?(?:from|of|at|are|is) (?:the |tag |branch |version )?`?" + _DRIVER),
        "kernel_module",
        "{}",
        SAID,
    ),
    ("containerd:", Pattern(r"(?P<name>containerd):\s*\n {1,4}Version: {1,16}v?(?P<v>[0-9]+(?:\.[0-9]+){1,2})"), "", "{}", PRINTED),
    ("library context (", Pattern(r"initializing library context \(version=(?P<v>[0-9.]{3,9}[0-9])"), "libnvidia-container", "{}", PRINTED),
    (
        "ersion: ",  # of any other software
        Pattern(
            r"^[ *`#>-]{0,6}(?!(?i:api|go|os|file|bios|vbios|git|build|server|client|schema|library|model|image|data|format)\b)"
            r"(?P<name>[A-Za-z][\w.-]{2,40})`? [Vv]ersion: {1,3}[`*v]{0,3}"
            r"(?P<v>[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,8}[A-Za-z0-9.+-]{0,24}[A-Za-z0-9])(?=[`*,;]?(?:\s|$))",
            re.M,
        ),
        "",
        "{}",
        WEAK,
    ),
    ("tmp_conda_3", Pattern(r"tmp_conda_(?P<v>3\.[0-9]{1,2})_[0-9]"), "python", "{}", IMPLIED),  # where torch was built for Windows
    ("py3", Pattern(r"[\\/]py3(?P<v>[0-9]{1,2})[\\/]"), "python", "3.{}", WEAK),  # the name of an environment
    (
        "driver",
        Pattern(r"(?:(?:NVIDIA|Nvidia|nvidia|CUDA|GPU)[ -]drivers?(?: is)?:? `?|drivers? \(?version:? )(?P<v>[0-9]{3})(?![0-9]|\.[0-9])"),
        "driver",
        "{}",
        SAID,
    ),
    ("nvidia", Pattern(r"nvidia(?!-fabric|-imex|-nscq)[\w-]{0,40}(?:\.so\.|[/ ,]{1,40}|-|\s?\(version |)" + _DRIVER), "driver", "{}", SAID),
    # llama.cpp: the number of the build
    ("version: ", Pattern(r"^version: (?P<v>[0-9]{3,6}) \([0-9a-f]{7,10}\)", re.M), "llama.cpp", "{}", PRINTED),
    ("build: ", Pattern(r"\bbuild: (?P<v>[0-9]{3,6}) \([0-9a-f]{7,10}\)"), "llama.cpp", "{}", PRINTED),
    ("build = ", Pattern(r"\bbuild = (?P<v>[0-9]{3,6}) \([0-9a-f]{7,10}\)"), "llama.cpp", "{}", PRINTED),
    ("built with ", Pattern(r"^built with (?:GNU|g?cc)(?: \([^)\n]{1,60}\))? (?P<v>[0-9]{1,2}\.[0-9]\.[0-9])", re.M), "gcc", "{}", SAID),
    # pyenv and EasyBuild name the whole version in their paths
    ("/versions/3.", Pattern(r"/versions/(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})/(?:lib|bin)/"), "python", "{}", SAID - 1),
    ("\\versions\\3.", Pattern(r"\\versions\\(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})\\"), "python", "{}", SAID - 1),
    ("/Python/3.", Pattern(r"/Python/(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})-"), "python", "{}", SAID - 1),
    ("cpython-3", Pattern(r"[\\/]cpython-(?P<v>3\.[0-9]{1,2}\.[0-9]{1,2})[-\\/]"), "python", "{}", SAID - 1),
    ("version: ", Pattern(r"^ {0,12}version: {1,12}[\"']?" + _DRIVER + r"[\"']?$", re.M), "driver", "{}", PRINTED),  # modinfo, Helm
    ("-m nvidia", Pattern(r"-m nvidia -v " + _DRIVER), "driver", "{}", SAID),
    ("nvidia-driver-", Pattern(r"nvidia-driver-(?P<v>[0-9]{3})(?![0-9.])"), "driver", "{}", IMPLIED),
    ("cuda-drivers", Pattern(r"cuda-drivers[\w.]{0,12}\s{1,80}" + _DRIVER), "driver", "{}", SAID),
    ("\u9a71\u52a8", Pattern("\u9a71\u52a8(?:\u7528\u7684|\u88c5\u7684)?[\u662f\u4e3a]? ?" + _DRIVER), "driver", "{}", SAID),
    ("驅動", Pattern("驅動(?:程式)?(?:的?版本)?[是為:：]{0,2} ?v?" + _DRIVER), "driver", "{}", SAID),
    ("ドライバ", Pattern("ドライバー?(?:の?バージョン)?[はが:：]? ?(?:[Vv](?:er\\.?)? ?)?" + _DRIVER), "driver", "{}", SAID),
    ("드라이버", Pattern("드라이버 ?(?:버전)?[은는이가:]{0,2} ?v?" + _DRIVER), "driver", "{}", SAID),
    (
        "райвер",
        Pattern(r"(?i:драйвер)\w{0,3}(?: (?:версии|nvidia|NVIDIA|Nvidia|видеокарты)){0,2} ?[:=—-]? ?v?" + _DRIVER),
        "driver",
        "{}",
        SAID,
    ),
    ("파이토치", Pattern(r"파이토치 ?(?:버전[은이]? ?)?(?P<v>[0-2]\.[0-9]{1,2}(?:\.[0-9])?)(?![\w.])"), "torch", "{}", SAID),
    ("파이썬", Pattern(r"파이썬 ?(?:버전[은이]? ?)?(?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w.])"), "python", "{}", SAID),
    ("CuDNN (v", Pattern(r"CuDNN \(v(?P<v>[0-9]{4,5}) "), "cudnn", "{}", PRINTED),  # what cuDNN itself logs
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
    (
        "cudart64_",
        Pattern(r"cudart64_(?P<v>[0-9]{3})\.dll(?!.{0,2}(?:; dlerror|not found|-> not|\(or one of|is not|was not))"),
        "cuda",
        "cuda",
        IMPLIED,
    ),
    ("NN ", Pattern(_BOTH + r"[^/\n]{1,30}/ ?(?:(?i:cudnn) )?v?(?P<v>[0-9]{1,2}(?:\.[0-9]{1,3}){1,3})"), "cudnn", "{}", IMPLIED),
    ("NN ", Pattern(_BOTH + r"[vV]?(?P<v>[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,4})?) ?[/,]"), "cuda", "{}", SAID),
    ("NN ", Pattern(_BOTH + r"(?P<v>[89]|1[0-3]) ?/ ?[5-9](?![0-9])"), "cuda", "{}", REQUESTED),
    ("NN ", Pattern(_BOTH + r"(?:[89]|1[0-3]) ?/ ?(?P<v>[5-9])(?![0-9.])"), "cudnn", "{}", REQUESTED),
    ("NN ", Pattern(_BOTH + r"(?P<v>[5-8][0-9]{3}|[19][0-9]{4,5})(?![0-9.])"), "cudnn", "{}", SAID),
    (
        "NN ",
        Pattern(
            _BOTH + r"[vV]?[0-9]{1,2}(?:\.[0-9]{1,3}){0,2}(?:, [vV][0-9.]{3,12}[0-9])?`?"
            r"(?: ?[/,|&;+] ?|  ?and | - | )`?(?:(?i:cudnn)[ :]?)?(?:-[0-9.]{3,4}-)?[vV]?(?P<v>[0-9]{1,2}(?:\.[0-9]{1,3}){1,3})(?![0-9])"
        ),
        "cudnn",
        "{}",
        SAID,
    ),
    ("NN ", Pattern(_BOTH + r"(?P<v>[89]|1[0-3])(?= *(?:\n|\Z))"), "cuda", "{}", REQUESTED),
    ("ython version: ", Pattern(r"(?m:^)[-*# ]{0,4}Python version: (?P<v>[23])(?m: *$)"), "python", "{}", REQUESTED),
    ("river: NVIDIA", Pattern(r"[Dd]river: NVIDIA (?:UNIX \w{1,20} )?(?:Kernel Module {1,4})?" + _DRIVER), "driver", "{}", SAID),
    ("DRIVER: NVIDIA", Pattern(r"DRIVER: NVIDIA " + _DRIVER), "driver", "{}", SAID),
    (
        ".__version__",
        Pattern(
            r"\b(?P<name>torch|tensorflow|jax|jaxlib|vllm|transformers|cupy|xformers|triton|deepspeed|mxnet|keras|numba|cv2|paddle|onnxruntime"
            r"|flash_attn|diffusers|accelerate|peft|bitsandbytes)\.__version__\)?['\"]?\s{0,4}\n"
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
    ("driver version b'", Pattern(r"driver version b'" + _DRIVER), "driver", "{}", PRINTED),  # what NVML gives as bytes
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
    ("client version ", Pattern(r"client version " + _DRIVER), "userspace", "{}", PRINTED),
    ("\u7528\u6237\u7a7a\u95f4", Pattern("\u7528\u6237\u7a7a\u95f4\u5e93? ?[:\uff1a]? ?" + _DRIVER), "userspace", "{}", SAID),
    ("CUDA Runtime Version", Pattern(r"CUDA Runtime Version {0,8}: (?P<v>[0-9]{4,5})\b"), "runtime", "{}", PRINTED),
    ("cudaDriverVersion ", Pattern(r"cudaDriverVersion (?P<v>[0-9]{4,5})\b"), "driver_cuda", "{}", PRINTED),  # NCCL
    ("CUDA Driver Version", Pattern(r"CUDA Driver Version {0,8}: (?P<v>[0-9]{4,5})\b"), "driver_cuda", "{}", PRINTED),
    # in Chinese: what nvidia-smi shows, what nvcc does
    (
        "nvidia-smi",
        Pattern("nvidia-smi`? ?(?:命令)?(?:显示|看到|查看|里|中)[^\\n0-9]{0,20}?(?i:cuda)[^\\n0-9]{0,12}?" + _CUDA),
        "driver_cuda",
        "{}",
        SAID,
    ),
    (
        "nvcc",
        Pattern("nvcc(?: -V| --version)?`? ?(?:命令)?(?:验证|显示|查看|看到|得到)[^\\n0-9]{0,20}?" + _CUDA),
        "nvcc toolkit",
        "{}",
        SAID,
    ),
    (
        "nvidia-smi",
        Pattern(
            r"nvidia-smi`? (?:\w+ )?(?:indicates|shows?|says|reports?|displays|gives|prints|tells)[^\n]{0,60}?(?:\n[^\n]{0,60}?)?"
            r"\b(?:CUDA|Cuda|cuda)(?: [Vv]ersion)?(?: is)?:? {0,2}(?P<v>(?:9|1[0-3])\.[0-9])(?![0-9])"
        ),
        "driver_cuda",
        "{}",
        SAID,
    ),
    ("/ Runtime Version", Pattern(r"/ Runtime Version {1,20}(?P<v>[0-9]{1,2}\.[0-9]) /"), "driver_cuda", "{}", PRINTED),
    ("/ Runtime Version", Pattern(r"/ Runtime Version {1,20}[0-9]{1,2}\.[0-9] / (?P<v>[0-9]{1,2}\.[0-9])"), "runtime", "{}", PRINTED),
    ("/ Runtime Version", Pattern(r"/ Runtime Version {1,20}[0-9]{1,2}\.[0-9] / (?P<v>[0-9]{1,2}\.[0-9])"), "cuda", "{}", WEAK),
    ("too old (found version ", Pattern(r"too old \(found version (?P<v>[0-9]{4,5})\)"), "driver_cuda", "{}", PRINTED),
    ("found: CUDA_VERSION=", Pattern(r"settings found: CUDA_VERSION=(?P<v>[0-9]{3})(?![0-9])"), "cuda", "cuda", BUILD),  # bitsandbytes
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
    ("CUDA.jl", Pattern(r"\bCUDA\.jl:? v?(?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "cuda.jl", "{}", SAID),
    ("Detected CUDA version ", Pattern(r"Detected CUDA version (?P<v>[0-9]{3})(?![0-9])"), "cuda", "cuda", IMPLIED),
    ("libbitsandbytes_cuda", Pattern(r"libbitsandbytes_cuda(?P<v>[0-9]{3})(?![0-9])"), "cuda", "cuda", IMPLIED),
    ("(you have ", Pattern(r"PyTorch \S{1,40} with CUDA \S{1,20} \(you have [0-9.]{3,12}\+cu(?P<v>[0-9]{2,3})\)"), "cuda", "cuda", BUILD),
    ("(you have ", Pattern(r"Python {1,3}[0-9.]{3,8} \(you have (?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)\)"), "python", "{}", PRINTED),
    ("was detected and compat", Pattern(r"version " + _DRIVER + r" was detected and compat"), "driver", "{}", PRINTED),  # NGC images
    ("(you have ", Pattern(r"PyTorch \S{1,40} with CUDA \S{1,20} \(you have (?P<v>[0-9][\w.+]{1,40})\)"), "torch", "{}", PRINTED),
    ("NVRM version: ", Pattern(r"NVRM version: .{0,60}Kernel Module\D{0,20}(?P<v>[0-9]{3}[.0-9]{3,10})"), "kernel_module", "{}", SAID),
    (
        "\nVersion: ",
        Pattern(r"^Package: (?P<name>[a-z][\w.+-]{0,80})\nVersion: (?:[0-9]:)?(?P<v>[0-9]+(?:\.[0-9]+){1,3})", re.M),
        "",
        "{}",
        PRINTED,
    ),
    ("\nVersion: ", Pattern(r"^Name: (?P<name>[A-Za-z][\w.-]{0,80})\nVersion: (?P<v>[0-9][\w.+!-]{0,60})$", re.M), "", "{}", PRINTED),
    ("Info-----", Pattern(r"-{4,}\s?(?P<name>[A-Za-z]\w{1,20}) Info-{4,}\nVersion {1,12}: (?P<v>[0-9][\w.+]{0,40})"), "", "{}", PRINTED),
    ("not supported by the ", Pattern(r"supported by the (?P<v>[2-9][0-9]{2}\.[0-9]{2,3}(?:\.[0-9]{2})?)\s"), "driver", "{}", SAID),
    (" cuda/", Pattern(r" cuda/(?P<v>[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,4})?)(?![\w./])"), "cuda", "{}", SAID),  # environment modules
    (" gcc/", Pattern(r" (?P<name>gcc)/(?P<v>[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w./])"), "", "{}", SAID),
    (" python/", Pattern(r" (?P<name>python)/(?P<v>3\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w./])"), "", "{}", SAID),
    (" nccl/", Pattern(r" (?P<name>nccl)/(?P<v>2\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?![\w./])"), "", "{}", SAID),
    (" cudnn/", Pattern(r" cudnn/(?P<v>[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,4}){0,2})(?![\w./])"), "cudnn", "{}", SAID),
    ("CUDA Build Version", Pattern(r"CUDA Build Version {0,8}: (?P<v>[0-9]{4,5})\b"), "cuda", "cuda", PRINTED),  # cupy.show_config
    ("TensorRT v", Pattern(r"TensorRT v(?P<v>[5-9][0-9]{3}|1[0-9]{5})\b"), "tensorrt", "tensorrt", PRINTED),  # trtexec
    ("\\ROCm\\", Pattern(r"\\ROCm\\(?P<v>[4-9]\.[0-9])(?=\\)"), "rocm", "{}", IMPLIED),  # the HIP SDK on Windows
    ("Driver Version Detected", Pattern(r"Driver Version Detected {1,8}\| {1,4}" + _DRIVER), "driver", "{}", PRINTED),  # dcgmi diag
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
    ("NCCL Runtime Version", Pattern(r"NCCL Runtime Version {0,8}: (?P<v>[0-9]{4,6})\b"), "nccl", "{}", PRINTED),
    ("driver version", Pattern(r"driver version:? (?P<v>1[0-3][0-9]{3})\b"), "driver_cuda", "{}", PRINTED),
    ("runtime version", Pattern(r"runtime version:? (?P<v>1[0-3][0-9]{3})\b"), "runtime", "{}", PRINTED),
    ("kernel version ", Pattern(r"kernel version (?P<v>[0-9]{3}[.0-9]{3,8}) does not match DSO"), "kernel_module", "{}", PRINTED),
    (" DSO version ", Pattern(r"does not match DSO version (?P<v>[0-9]{3}[.0-9]{3,8}[0-9])"), "userspace", "{}", PRINTED),
    ("kernel reported version", Pattern(r"kernel reported version is: (?P<v>[0-9]{3}[.0-9]{3,8})"), "kernel_module", "{}", PRINTED),
    ("libcuda.so.", Pattern(r"libcuda\.so\." + _DRIVER), "driver", "{}", SAID),
    # TensorFlow's loader of libraries
    (
        " library libcu",
        Pattern(r"opened (?:CUDA|dynamic) library libcu(?:blas|fft|rand|dart)\.so\.(?P<v>[0-9]{1,2}\.[0-9])(?:\.[0-9]{1,3})?(?![0-9.])"),
        "cuda",
        "{}",
        WEAK,
    ),
    (" library libcu", Pattern(r"opened (?:CUDA|dynamic) library libcudnn\.so\.(?P<v>[4-9])(?![0-9.])"), "cudnn", "{}", WEAK),
    (
        " library cu",
        Pattern(r"opened (?:CUDA|dynamic) library cu(?:blas|fft|rand|dart)64_(?P<v>75|80|9[0-2]|1[0-3][0-9])\.dll"),
        "cuda",
        "compact",
        WEAK,
    ),
    (" library cu", Pattern(r"opened (?:CUDA|dynamic) library cudnn64_(?P<v>[4-9])\.dll"), "cudnn", "{}", WEAK),
    ("libcudart.so.", Pattern(r"libcudart\.so\.(?P<v>[0-9]{1,2}\.[0-9])(?:\.[0-9]{1,3})?(?= \(libc6| ->|\n|\Z)"), "cuda", "{}", WEAK),
    ("nvidia-", Pattern(r"(?<![\w/-])nvidia-(?P<v>[3-6][0-9]{2})(?:-(?:open|server))?(?![\w-]|\.[0-9])"), "driver", "{}", SAID - 1),
    ("oolkit", Pattern(r"(?<![\w.])v?(?P<v>[0-9]{1,2}\.[0-9])(?:\.[0-9]{1,3})? (?:CUDA |cuda )?[Tt]oolkit"), "toolkit", "{}", SAID),
    ("oolkit", Pattern(r"(?<![\w.])v?(?P<v>[0-9]{1,2}\.[0-9])(?:\.[0-9]{1,3})? (?:CUDA |cuda )?[Tt]oolkit"), "cuda", "{}", WEAK),
    ("libcuda reported version", Pattern(r"libcuda reported version is: (?P<v>[0-9]{3}[.0-9]{3,8})"), "userspace", "{}", PRINTED),
    ("_cuda", Pattern(r"_cuda(?P<v>[0-9]{1,2}\.[0-9](?:\.[0-9]{1,3})?)_cudnn"), "cuda", "{}", BUILD),  # build strings of conda
    ("_cuda", Pattern(r"_cuda(?P<v>[89][0-9]|1[0-3][0-9])_cudnn"), "cuda", "compact", BUILD),
    ("_cudnn", Pattern(r"_cudnn(?P<v>[5-9](?:\.[0-9]{1,3}){0,3})_[0-9]"), "cudnn", "{}", IMPLIED),
    (
        "NVIDIA ",
        Pattern(r"NVIDIA (?P<v>3(?:04|46|52|61|67|75|78|81|84|87|90|96)|4(?:10|18|95)|5(?:15|25|35|45|55|65|75))(?![\w.])"),
        "driver",
        "{}",
        WEAK,
    ),
    ("-cudnn", Pattern(r"-cudnn(?P<v>[4-9])-(?:devel|runtime)"), "cudnn", "{}", IMPLIED),  # tags of images
    ("cudnn-", Pattern(r"cudnn-[0-9.]{3,5}-(?:linux|windows)\S{0,12}-v(?P<v>[0-9](?:\.[0-9]{1,3}){1,3})"), "cudnn", "{}", SAID),
    ("-toolkit-", Pattern(r"cuda-toolkit-(?P<v>[0-9]{2}-[0-9])\b"), "toolkit", "{}", IMPLIED),
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
    ("found ", Pattern(r"driver[^\n]{0,80}\bfound (?:version )?(?P<v>[0-9]{3}\.[0-9.]{1,6}[0-9])"), "driver", "{}", PRINTED),
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
    (
        "- version: ",  # Lightning's details of the environment
        Pattern(r"\bCUDA:[ \t]*\n(?:[^\n]{0,160}\n){1,20}?[ \t]*- version: {1,14}(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"),
        "cuda",
        "{}",
        PRINTED,
    ),
    ("CUDA\\v", Pattern(r"CUDA\\v(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"), "cuda", "{}", IMPLIED),
    ("cuda\\v", Pattern(r"cuda\\v(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"), "cuda", "{}", IMPLIED),
    ('"CUDA SDK"', Pattern(r"\"CUDA SDK\",\s{1,40}\"version\" : \"(?P<v>[0-9]{1,2}(?:\.[0-9]{1,4}){1,2})\""), "cuda", "{}", SAID),
    ("CUDA.Version.: ", Pattern(r"CUDA\.Version\.: (?P<v>[0-9]{1,2}\.[0-9])"), "driver_cuda cuda", "{}", PRINTED),  # hashcat
    ("CUDA-version: ", Pattern(r"CUDA-version: (?P<v>[0-9]{4,5}) \("), "cuda", "cuda", PRINTED),  # darknet
    ("CUDA-version: ", Pattern(r"CUDA-version: [0-9]{4,5} \((?P<v>[0-9]{4,5})\)"), "driver_cuda", "cuda", PRINTED),
    ("onnxruntime-", Pattern(r"onnxruntime-(?:win|linux|osx)-[\w-]{2,40}-(?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "onnxruntime", "{}", SAID),
    ("nvidia-drivers ", Pattern(r"nvidia-drivers (?P<v>[3-6][0-9]{2}(?:\.[0-9]{2,3}){0,2})\b"), "driver", "{}", SAID),
    ("requires CUDA_VERSION >= ", Pattern(r"requires CUDA_VERSION >= (?P<v>[0-9]{4,5})\b"), "required_cuda", "{}", PRINTED),
    ("with CUDA_VERSION ", Pattern(r"compiled\s{1,6}with CUDA_VERSION (?P<v>[0-9]{4,5})\b"), "cuda", "{}", PRINTED),
    # Leela Chess Zero
    ("supported by the driver: ", Pattern(r"A supported by the driver: (?P<v>[0-9]+(?:\.[0-9]){1,2})"), "driver_cuda", "{}", PRINTED),
    ("Runtime version: gpu ", Pattern(r"ONNX ?Runtime version: gpu (?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "onnxruntime", "{}", PRINTED),
    ("OnnxRuntime.", Pattern(r"ML\.OnnxRuntime\.\w{3,10}(?: version|:)? (?P<v>[0-9]+\.[0-9]+\.[0-9]+)"), "onnxruntime", "{}", SAID),
    ("py3", Pattern(r"[\\/]envs[\\/][A-Za-z][\w.-]{0,40}[-_]py3(?P<v>[0-9]{1,2})[\\/]"), "python", "3.{}", WEAK),
    ("py3", Pattern(r"[\\/]envs[\\/]py3(?P<v>[0-9]{1,2})[a-z_-]"), "python", "3.{}", WEAK),
    # the kernel log
    (
        "API mismatch: ",
        Pattern(r"the client[^\n]{0,60}?(?:\n[^\n]{0,40}NVRM: )?has the version (?P<v>[0-9][0-9.-]{3,11}[0-9])"),
        "userspace",
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
    ("NVIDIA ", Pattern(r"the\s{1,40}(?:NVRM: {1,4})?NVIDIA " + _DRIVER + r" driver release"), "driver", "{}", PRINTED),
    # what is asked for
    (
        "condition: driver",
        Pattern(r"unsatisfied condition: driver ?>=? ?(?P<v>[0-9]{3}(?:\.[0-9]{1,3}){0,2})"),
        "required_driver",
        "{}",
        PRINTED,
    ),
    ("NVIDIA Driver Release ", Pattern(r"built for NVIDIA Driver Release (?P<v>[0-9]{3}\.[0-9]{2,3})"), "required_driver", "{}", PRINTED),
    ("required is at least", Pattern(r"CUDA\w{0,8}: Found unsuitable version \"(?P<v>[0-9]{1,2}\.[0-9])"), "toolkit", "{}", PRINTED),
    (
        "required is at least",
        Pattern(r"CUDA\w{0,8}: Found .{0,40}required is at least \"(?P<v>[0-9]{1,2}\.[0-9])"),
        "required_cuda",
        "{}",
        PRINTED,
    ),
    (
        "is required but found ",
        Pattern(r"(?P<name>[A-Za-z][\w-]{1,40}) ?[<>=!~]{1,2} ?[0-9][\w.]* is required but found (?P<v>[0-9]+\.[0-9][\w.+]{0,40})"),
        "",
        "{}",
        PRINTED,
    ),
    ("' not found", Pattern(r"version `GLIBC_(?P<v>2\.[0-9]{1,2})' not found"), "required_glibc", "{}", PRINTED),
    ("' not found", Pattern(r"version `GLIBCXX_(?P<v>3\.4(?:\.[0-9]{1,2})?)' not found"), "required_glibcxx", "{}", PRINTED),
    ("Unsupported .version ", Pattern(r"Unsupported \.version (?P<v>[0-9]\.[0-9])"), "ptx", "{}", PRINTED),
    ("using ptxas ", Pattern(r"You are using ptxas (?P<v>[0-9]{1,2}\.[0-9.]{1,8}[0-9])"), "ptxas", "{}", PRINTED),  # XLA
    (
        "/registry/src/",
        Pattern(r"/registry/src/[^/\s]{1,80}/(?P<name>[a-z][\w-]{0,60}?)-(?P<v>[0-9]+\.[0-9]+\.[0-9]+)/"),
        "",
        "{}",
        IMPLIED,
    ),
)
