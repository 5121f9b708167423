"""Forms in which versions of CUDA and of the libraries that come with it are printed and told."""

from __future__ import annotations

from triage.parsers.versions.forms.common import DRIVER, SAYS
from triage.parsers.versions.packages import BUILD, IMPLIED, PRINTED, REQUESTED, SAID, SUFFIX, WEAK
from triage.reading.lazy import Pattern

_CUDA = r"(?P<v>(?:9|1[0-3])\.[0-9](?:\.[0-9]{1,3})?)(?![0-9])"
_HELD = r"(?!\+| or (?:newer|later|higher|above)| (?:is|are) required)"
# What a program asks for: "requires CUDA Toolkit 12.9 or newer", "at least CUDA 12.3", "CUDA 12.8+".
_LEAST = (
    r"(?:CUDA|Cuda|cuda) ?(?:[Tt]oolkit |[Rr]untime |[Dd]river )?(?:[Vv]ersion )?(?:>=? ?|\u2265 ?|of at least )?"
    r"v?(?P<v>(?:8|9|1[0-3])(?:\.[0-9])?)(?:\.[0-9]{1,3})?(?!\w|\.[0-9])"
)
_OR_LATER = r"(?:\+| (?:or|and) (?:newer|later|higher|above|greater|up)| is the minimum| (?:is|are) required)"
# One field for both, as TensorFlow's form of issues has it.
_BOTH = (
    r"(?:CUDA|Cuda|cuda) ?/ ?(?i:cudnn) [vV]ersions?(?: \([^)\n]{0,40}\))?[ *_`:=-]{0,8}\n{0,2}[ *_`>-]{0,8}"
    r"(?:(?i:cuda)[ :_]{0,2}|release ){0,2}"
)
_BUILD_OF_CONDA = Pattern(r"cuda(?<![A-Za-z0-9]cuda)(?P<v>[789][0-9]|1[0-3][0-9])(?:_(?:mkl_|generic_|openblas_)?)?py[23][0-9]{1,2}_?h")
_CUDA_JOINED = Pattern(
    r"(?:uda|UDA)(?<=[cC]uda|CUDA)(?<![\w/\\.][cC](?:uda|UDA))(?P<v>75|80|9[0-2]|10[0-2]|11[0-8]|12[0-9]|13[0-2])(?![\w./\\])"
)
_CUDA_APART = Pattern(  # as in the names of wheels, with a blank: "Cuda 118"
    r"\b(?:[Cc]uda|CUDA) (?P<v>10[0-2]|11[1-8]|12[0-9]|13[0-2])"
    r"(?![\w/\\:%*)\]-]|\.[0-9]| ?(?:cores?|threads?|blocks?|kernels?|errors?|out)\b)"
)
_TORCH_BUILT = Pattern(
    r"[Tt]orch (?:\S{1,20} )?(?:(?:is|was|were) )?(?:built|compiled|made) (?:for|with|against|on) (?:CUDA |cuda )?" + _CUDA
)

CUDA_FORMS = (
    (
        "CUDA Version  ",  # nvidia-smi -q
        Pattern(r"Driver Version {2,40}: [0-9.]{5,12}\s{1,12}CUDA Version {2,40}: (?P<v>[0-9]{1,2}\.[0-9])"),
        "driver_cuda",
        "{}",
        PRINTED,
    ),
    (
        '"CUDA SDK"',  # version.json of the toolkit
        Pattern(r"\"name\" ?: ?\"CUDA SDK\",\s{0,20}\"version\" ?: ?\"(?P<v>[0-9]{1,2}(?:\.[0-9]{1,8}){1,2})"),
        "toolkit cuda",
        "{}",
        PRINTED,
    ),
    ("cuda-1", Pattern(r"(?<![\w./-])cuda-(?P<v>1[0-3]-[0-9])(?![\w.-])"), "cuda", "{}", REQUESTED),  # of apt
    ("equire", Pattern(rf"[Rr]equire[sd]? (?:at least |cuDNN \S{{1,5}} and )?{_LEAST}"), "required_cuda", "{}", SAID),
    ("t least ", Pattern(rf"[Aa]t least {_LEAST}"), "required_cuda", "{}", SAID),
    ("UDA", Pattern(rf"(?<![/\w.-]){_LEAST}{_OR_LATER}"), "required_cuda", "{}", SAID),
    ("cudaDriverGetVersion ", Pattern(r"cudaDriverGetVersion returned (?P<v>[0-9]{4,5})\b"), "driver_cuda", "{}", PRINTED),
    ("oolkit version ", Pattern(r"Driver supports cuda toolkit version (?P<v>[0-9]{1,2}\.[0-9])"), "driver_cuda", "{}", PRINTED),
    (" reports ", Pattern(r"CUDA Toolkit [^\n]{5,80} reports (?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"), "toolkit cuda", "{}", PRINTED),
    (
        "equired (found ",
        Pattern(r"CUDA Toolkit version \S{2,6} is required \(found (?P<v>[0-9.]{3,6}[0-9])"),
        "toolkit cuda",
        "{}",
        PRINTED,
    ),
    (" runtime is ", Pattern(r"but the (?P<name>cuDNN|NCCL) runtime is (?P<v>[0-9]{1,2}(?:\.[0-9]{1,3}){1,3})"), "", "{}", PRINTED),
    (", runtime ", Pattern(r"driver [0-9]{1,2}\.[0-9], runtime (?P<v>[0-9]{1,2}\.[0-9])\b"), "runtime", "{}", PRINTED),
    ("compiled with CUDA", Pattern(r"compiled with CUDA(?P<v>[0-9.]{3,5}[0-9])/cuDNN[0-9.]{1,8}, ?but"), "built_against", "{}", PRINTED),
    ("r machine is CUDA", Pattern(r"in your machine is CUDA(?P<v>[0-9]{1,2}\.[0-9])"), "cuda installed", "{}", PRINTED + 1),
    ("r machine is CUDA", Pattern(r"in your machine is CUDA[0-9.]{3,5}/cuDNN(?P<v>[0-9]\.[0-9])"), "cudnn", "{}", PRINTED + 1),
    ("(local: ", Pattern(r"NCCL version mismatch with remote peer \S{1,60} \(local: (?P<v>[0-9.]{3,8}), remote"), "nccl", "{}", PRINTED),
    (" found) had an issue", Pattern(r"cuDNN < [0-9.]{3,8} \((?P<v>[0-9]{4,6}) found\)"), "cudnn", "as printed", PRINTED),  # JAX
    ("yours is ", Pattern(r"\(yours is for CUDA (?P<v>[0-9]{1,2}\.[0-9](?:\.[0-9])?)\)"), "driver_cuda cuda", "{}", PRINTED + 1),  # CUDA.jl
    # Paddle until 1.7
    (", Runtime Version: ", Pattern(r"Capability: [0-9]{2}, Driver Version: (?P<v>[0-9]{1,2}\.[0-9]), Run"), "driver_cuda", "{}", PRINTED),
    (
        ", Runtime Version: ",
        Pattern(r"Driver Version: [0-9.]{3,4}, Runtime Version: (?P<v>[0-9]{1,2}\.[0-9])"),
        "runtime cuda",
        "{}",
        PRINTED,
    ),
    (".post1", Pattern(r"paddlepaddle-gpu[ =:]{1,24}[0-9.]{5,9}\.post(?P<v>1[0-9]{2})\b"), "cuda", "cuda", SUFFIX),
    ("yours is ", Pattern(r"with torch [\w.+-]{1,30}, yours is [0-9][\w.]{0,12}\+cu(?P<v>[0-9]{3})"), "cuda", "cuda", SUFFIX),
    (
        "DNN",
        Pattern(r"(?i:cuda ?/ ?cudnn)(?: versions?)?:? ?[vV]?[0-9]{1,2}\.[0-9][0-9.]{0,10} ?/ ?(?P<v>[5-8][0-9]{3}|9[0-9]{4})\b"),
        "cudnn",
        "{}",
        PRINTED,
    ),
    ("CUDA compiler ", Pattern(r"CUDA compiler (?:is |version is |version )v?(?P<v>[0-9]{1,2}\.[0-9])(?![0-9])"), "cuda", "{}", SAID),
    ("/compiler.", Pattern(r"\bcuda_(?P<v>[0-9]{1,2}\.[0-9])\.r[0-9.]{3,5}/compiler\."), "nvcc", "{}", PRINTED),
    ("_cu1", Pattern(r"torch[0-9][0-9.]{2,7}_cu(?P<v>1[0-3]\.[0-9])(?![0-9.])"), "cuda", "{}", IMPLIED),  # Colossal-AI's extensions
    # torchvision tells of both
    ("CUDA Version=", Pattern(r"PyTorch has CUDA Version=(?P<v>[0-9]{1,2}\.[0-9])"), "torch_cuda", "{}", PRINTED),
    ("CUDA Version=", Pattern(r"torchvision has CUDA Version=(?P<v>[0-9]{1,2}\.[0-9])"), "torchvision_cuda", "{}", PRINTED),
    # TensorRT counts the forms that it writes its engines in
    # nvidia-docker 1, and how bitsandbytes names the release to build for
    ("unsupported CUDA version: ", Pattern(r"CUDA version: driver (?P<v>[0-9]{1,2}\.[0-9]) < image"), "driver_cuda", "{}", PRINTED),
    ("unsupported CUDA version: ", Pattern(r"driver [0-9.]{3,4} < image (?P<v>[0-9]{1,2}\.[0-9])"), "required_cuda", "{}", PRINTED),
    ("CUDA_VERSION=1", Pattern(r"\bCUDA_VERSION=(?P<v>1[0-3][0-9])(?![0-9.])"), "cuda", "compact", REQUESTED),
    ("Serialized Engine Version: ", Pattern(r"Current Version: (?P<v>[0-9]{1,4}), Serialized Engine"), "current", "{}", PRINTED),
    ("Serialized Engine Version: ", Pattern(r"Serialized Engine Version: (?P<v>[0-9]{1,4})(?![0-9.])"), "serialized", "{}", PRINTED),
    ("py3", Pattern(r"py3[0-9]{1,2}_cu(?:da)?(?P<v>[0-9]{3})"), "cuda", "cuda", IMPLIED),
    *((f"cuda{digit}", _BUILD_OF_CONDA, "cuda", "compact", BUILD) for digit in "1789"),
    *((f"uda{digit}", _CUDA_JOINED, "cuda", "compact", SAID - 1) for digit in "1789"),
    *((f"UDA{digit}", _CUDA_JOINED, "cuda", "compact", SAID - 1) for digit in "1789"),
    *((f"{name} 1", _CUDA_APART, "cuda", "compact", SAID - 1) for name in ("uda", "UDA")),
    ("V1", Pattern(r"(?<![\w.])V(?P<v>1[0-3]\.[0-9])\.[0-9]{2,3}(?![\w.])"), "cuda", "{}", WEAK),  # as nvcc has it
    # NVCaffe's first lines
    ("CUDA version: ", Pattern(r"\bCUDA version: (?P<v>[5-9]0[0-9]0|1[0-3]0[0-9]0)(?![0-9.])"), "cuda", "cuda", PRINTED),
    (
        "CUDA driver version: ",
        Pattern(r"\bCUDA driver version: (?P<v>[5-9]0[0-9]0|1[0-3]0[0-9]0)(?![0-9.])"),
        "driver_cuda",
        "cuda",
        PRINTED,
    ),
    # numba -s
    (
        "CUDA driver version  ",
        Pattern(r"CUDA driver version {2,40}: (?P<v>[5-9]0[0-9]0|1[0-3]0[0-9]0)(?![0-9.])"),
        "driver_cuda",
        "{}",
        PRINTED,
    ),
    ("cuda library version ", Pattern(r"cuda library version (?P<v>[0-9]{4,5})(?![0-9])"), "cuda", "{}", BUILD),  # MXNet
    # cupy.show_config()
    ("CUDA Build Version", Pattern(r"CUDA Build Version {1,20}: (?P<v>[0-9]{4,5})(?![0-9])"), "cuda", "{}", BUILD),
    ("NCCL Runtime Version", Pattern(r"NCCL Runtime Version {0,20}: (?P<v>2[0-9]{3,4})(?![0-9])"), "nccl", "nccl", PRINTED),
    ("cupy-cuda", Pattern(r"cupy-cuda(?P<v>[89][0-9]|1[0-3][0-9])(?![0-9x])"), "cuda", "compact", IMPLIED),
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
    (
        "CCL ",  # a number where torch.cuda.nccl.version() gave one, until 1.9
        Pattern(r"NCCL (?:[vV]ersion)(?: is)?[ :=]{0,3}(?P<v>2[0-9]{3,4})(?![0-9.])"),
        "nccl",
        "{}",
        PRINTED,
    ),
    (
        "nccl.version(",
        Pattern(
            r"nccl\.version\(\)\)?`?(?: (?:is|yields|gives?|gave|returns?|returned|prints?|printed|shows?|says|outputs?))?[ \t:=]{0,4}\n?"
            r"(?:>>> ?|Out ?\[\d{1,4}\]: ?)?(?P<v>2[0-9]{3,4})(?![0-9]|\.[0-9])"
        ),
        "nccl",
        "{}",
        PRINTED,
    ),
    ("NCCL: (2, ", Pattern(r"\bNCCL: \((?P<v>2, [0-9]{1,2}, [0-9]{1,2})\)"), "nccl", "{}", PRINTED),
    ("CUDA Runtime version: ", Pattern(r"CUDA Runtime version: (?P<v>[0-9]{4,5})(?![0-9.])"), "runtime", "cuda", PRINTED),
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
    (  # the command itself as the name of a field, as forms for reports ask for it
        ".version.cuda",
        Pattern(r"torch\.version\.cuda\)['\"]?`?[)\uff09]?\*{0,2} ?[:\uff1a]\*{0,2} {0,2}`?" + _CUDA),
        "cuda",
        "{}",
        PRINTED + 1,
    ),
    ("cudnnGetVersion", Pattern(r"cudnnGetVersion\(\) ?: ?(?P<v>[5-9][0-9]{3}|[1-9][0-9]{4})(?![0-9])"), "cudnn", "{}", PRINTED),
    ("which supports up to ", Pattern(r"driver \(which supports up to (?P<v>[0-9]{1,2}\.[0-9])\)"), "driver_cuda", "{}", PRINTED),
    (
        "smi",
        Pattern(r"\bsmi`? (?:\w+ )?(?:shows?|says|reports?|displays|gives|prints) (?:driver )?[3-6][0-9]{2}\.[0-9.]{2,8} ?[(/,] ?" + _CUDA),
        "driver_cuda",
        "{}",
        SAID,
    ),
    ("nvcc", Pattern(SAYS.format("nvcc", r"(?:CUDA |cuda |release |version |V){0,2}") + _CUDA), "nvcc toolkit", "{}", SAID),
    *((word, _TORCH_BUILT, "cuda", "{}", BUILD) for word in (" built ", " compiled ", " made ")),
    ("NN ", Pattern(_BOTH + r"(?P<v>[89]|1[0-3])[ \t]{0,4}(?=\n|\Z)"), "cuda", "{}", REQUESTED),
    ("smi: ", Pattern(r"\bnvidia-smi`?: " + _CUDA), "driver_cuda", "{}", SAID),
    *(
        (
            f"-{smi}",
            Pattern(
                r"(?:CUDA|cuda)(?: [Vv]ersion)? (?:as )?(?:reported|shown|displayed|given|listed|supported) (?:by|in|on|according to) "
                r"`?(?:NVIDIA|nvidia)-(?:SMI|smi)`?\)?:?\*{0,2} " + _CUDA
            ),
            package,
            "{}",
            strength,
        )
        for smi in ("SMI", "smi")
        for package, strength in (("driver_cuda", SAID), ("cuda", IMPLIED))
    ),
    (
        "smi",
        Pattern(r"\bnvidia-smi`? ?(?:shows?|says|reports?|displays|gives|显示(?:的?是|为)?|看到(?:的?是)?)[:：]? ?" + _CUDA),
        "driver_cuda",
        "{}",
        SAID,
    ),
    (", cu1", Pattern(r"PyTorch version[^\n]{0,60}, cu(?P<v>1[0-3]\.[0-9])\b"), "cuda", "{}", SAID),
    ("etect", Pattern(r"\b[Dd]etect(?:s|ed|ing)? (?:CUDA|Cuda|cuda)(?: version)? v?" + _CUDA), "toolkit", "{}", SAID),
    ("oolkit ", Pattern(r"(?<![Cc]ontainer )(?<![\w-])[Tt]oolkit (?:is |at |version )?v?" + _CUDA + _HELD), "toolkit", "{}", SAID),
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
    ("CuDNN (v", Pattern(r"CuDNN \(v(?P<v>[0-9]{4,5}) "), "cudnn", "{}", PRINTED),  # what cuDNN itself logs
    (
        "cudart64_",
        Pattern(r"cudart64_(?P<v>[0-9]{3})\.dll(?!.{0,2}(?:; dlerror|not found|-> not|\(or one of|is not|was not))"),
        "cuda",
        "cuda",
        IMPLIED,
    ),
    ("NN ", Pattern(_BOTH + r"[^/\n]{1,30}/ ?(?:(?i:cudnn) )?v?(?P<v>[4-9](?:\.[0-9]{1,3}){1,3})"), "cudnn", "{}", IMPLIED),
    ("NN ", Pattern(_BOTH + r"[vV]?(?P<v>[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,4})?) ?[/,]"), "cuda", "{}", SAID),
    ("NN ", Pattern(_BOTH + r"(?P<v>[89]|1[0-3]) ?/ ?[5-9](?![0-9])"), "cuda", "{}", REQUESTED),
    ("NN ", Pattern(_BOTH + r"(?:[89]|1[0-3])(?:\.[0-9]{1,3})? ?/ ?(?P<v>[5-9])(?![0-9.])"), "cudnn", "{}", REQUESTED),
    ("NN ", Pattern(_BOTH + r"(?P<v>[5-8][0-9]{3}|[19][0-9]{4,5})(?![0-9.])"), "cudnn", "{}", SAID),
    (
        "NN ",
        Pattern(
            _BOTH + r"[vV]?[0-9]{1,2}(?:\.[0-9]{1,3}){0,2}(?:, [vV][0-9.]{3,12}[0-9])?`?"
            r"(?: ?[/,|&;+] ?|  ?and | - | )`?(?:(?i:cudnn)[ :]?)?(?:-[0-9.]{3,4}-)?[vV]?(?P<v>[4-9](?:\.[0-9]{1,3}){1,3})(?![0-9])"
        ),
        "cudnn",
        "{}",
        SAID,
    ),
    ("NN ", Pattern(_BOTH + r"(?P<v>[89]|1[0-3])(?= *(?:\n|\Z))"), "cuda", "{}", REQUESTED),
    ("CUDA Runtime Version", Pattern(r"CUDA Runtime Version {0,20}: (?P<v>[0-9]{4,5})\b"), "runtime", "{}", PRINTED),
    ("CUDA Runtime Version", Pattern(r"CUDA Runtime Version {0,20}: (?P<v>[0-9]{4,5})\b"), "cuda", "cuda", WEAK),
    ("cudaDriverVersion", Pattern(r"cudaDriverVersion:? (?P<v>[0-9]{4,5})\b"), "driver_cuda", "cuda", PRINTED),  # NCCL
    ("CUDA Driver Version", Pattern(r"CUDA Driver Version {0,20}: (?P<v>[0-9]{4,5})\b"), "driver_cuda", "{}", PRINTED),
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
        Pattern("nvcc(?: -V| --version)?`? ?(?:命令)?(?:验证|显示|查看|看到|得到|中|里|的|是|为)[^\\n0-9]{0,20}?" + _CUDA),
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
    (": driver ", Pattern(r"insufficient for CUDA runtime version\W{1,4}driver (?P<v>[0-9]{1,2}\.[0-9])\b"), "driver_cuda", "{}", PRINTED),
    (", runtime ", Pattern(r"insufficient for CUDA runtime version\W{1,4}driver [0-9.]{3,5}, runtime " + _CUDA), "cuda", "{}", PRINTED),
    ("too old (found version ", Pattern(r"too old \(found version (?P<v>[0-9]{4,5})\)"), "driver_cuda", "{}", PRINTED),
    ("found: CUDA_VERSION=", Pattern(r"settings found: CUDA_VERSION=(?P<v>[0-9]{3})(?![0-9])"), "cuda", "cuda", BUILD),  # bitsandbytes
    ("Detected CUDA version ", Pattern(r"Detected CUDA version (?P<v>[0-9]{3})(?![0-9])"), "cuda", "cuda", IMPLIED),
    ("libbitsandbytes_cuda", Pattern(r"libbitsandbytes_cuda(?P<v>[0-9]{3})(?![0-9])"), "cuda", "cuda", IMPLIED),
    ("(you have ", Pattern(r"PyTorch \S{1,40} with CUDA \S{1,20} \(you have [0-9.]{3,12}\+cu(?P<v>[0-9]{2,3})\)"), "cuda", "cuda", BUILD),
    (" cuda/", Pattern(r" cuda/(?P<v>[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,4})?)(?![\w./])"), "cuda", "{}", SAID),  # environment modules
    (" cudnn/", Pattern(r" cudnn/v?(?P<v>[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,4}){0,2})(?![\w./])"), "cudnn", "{}", SAID),
    ("CUDA Build Version", Pattern(r"CUDA Build Version {0,8}: (?P<v>[0-9]{4,5})\b"), "cuda", "cuda", PRINTED),
    ("TensorRT v", Pattern(r"TensorRT v(?P<v>[5-9][0-9]{3}|1[0-9]{5})\b"), "tensorrt", "tensorrt", PRINTED),  # trtexec
    ("driver version", Pattern(r"driver version:? (?P<v>1[0-3][0-9]{3})\b"), "driver_cuda", "{}", PRINTED),
    ("runtime version", Pattern(r"runtime version:? (?P<v>1[0-3][0-9]{3})\b"), "runtime", "{}", PRINTED),
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
    ("oolkit", Pattern(r"(?<![\w.])v?(?P<v>[0-9]{1,2}\.[0-9])(?:\.[0-9]{1,3})? (?:CUDA |cuda )?[Tt]oolkit"), "toolkit", "{}", SAID),
    ("oolkit", Pattern(r"(?<![\w.])v?(?P<v>[0-9]{1,2}\.[0-9])(?:\.[0-9]{1,3})? (?:CUDA |cuda )?[Tt]oolkit"), "cuda", "{}", WEAK),
    ("_cuda", Pattern(r"_cuda(?P<v>[0-9]{1,2}\.[0-9](?:\.[0-9]{1,3})?)_cudnn"), "cuda", "{}", BUILD),  # build strings of conda
    ("_cuda", Pattern(r"_cuda(?P<v>[89][0-9]|1[0-3][0-9])_cudnn"), "cuda", "compact", BUILD),
    ("_cudnn", Pattern(r"_cudnn(?P<v>[5-9](?:\.[0-9]{1,3}){0,3})_[0-9]"), "cudnn", "{}", IMPLIED),
    ("-cudnn", Pattern(r"-cudnn(?P<v>[4-9])-(?:devel|runtime)"), "cudnn", "{}", IMPLIED),  # tags of images
    ("cudnn-", Pattern(r"cudnn-[0-9.]{3,5}-(?:linux|windows)\S{0,12}-v(?P<v>[0-9](?:\.[0-9]{1,3}){1,3})"), "cudnn", "{}", SAID),
    # names of installers: cuda_12.2.1_536.67_windows.exe
    (
        "cuda_",
        Pattern(r"\bcuda_(?P<v>(?:[89]|1[0-3])\.[0-9](?:\.[0-9]{1,3})?)_(?:[3-6][0-9]{2}\.|win|linux|local|network)"),
        "cuda",
        "{}",
        IMPLIED,
    ),
    (
        "using CUDA_HOME=",  # PyTorch, where it finds no GPU
        Pattern(r"using CUDA_HOME='[^'\n]{0,120}?(?:cuda-|CUDA[\\/]{1,2}v)(?P<v>[0-9]{1,2}\.[0-9])(?![0-9])"),
        "toolkit",
        "{}",
        IMPLIED,
    ),
    ("bin/nvcc", Pattern(r"cuda-(?P<v>[0-9]{1,2}\.[0-9])/bin/nvcc"), "toolkit", "{}", IMPLIED),
    ("bin\\nvcc", Pattern(r"CUDA\\v(?P<v>[0-9]{1,2}\.[0-9])\\bin\\nvcc"), "toolkit", "{}", IMPLIED),
    ("-toolkit-", Pattern(r"cuda-toolkit-(?P<v>[0-9]{2}[-.][0-9])\b"), "toolkit", "{}", IMPLIED),
    (
        "- version: ",  # Lightning's details of the environment
        Pattern(r"\bCUDA:[ \t]*\n(?:[^\n]{0,160}\n){1,20}?[ \t]*- version: {1,14}(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"),
        "cuda",
        "{}",
        PRINTED,
    ),
    ("CUDA\\", Pattern(r"CUDA\\{1,2}v(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"), "cuda", "{}", IMPLIED),
    (
        "CUDA/v",
        Pattern(r"Toolkit/CUDA/v(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"),
        "cuda",
        "{}",
        IMPLIED,
    ),  # as Git Bash, CMake and Python write it
    ("cuda\\v", Pattern(r"cuda\\v(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"), "cuda", "{}", IMPLIED),
    ("Driver.Version.: ", Pattern(r"Driver\.Version\.: " + DRIVER), "driver", "{}", PRINTED),
    ("CUDA.Version.: ", Pattern(r"CUDA\.Version\.: (?P<v>[0-9]{1,2}\.[0-9])"), "driver_cuda cuda", "{}", PRINTED),  # hashcat
    (
        "CUDA Toolkit ",
        Pattern(r"CUDA Toolkit [0-9.]{3,5}, Driver (?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"),
        "driver_cuda",
        "{}",
        PRINTED,
    ),  # Warp
    (
        " driver=",
        Pattern(r"library=(?i:cuda) .{0,160}?\bdriver=(?P<v>[0-9]{1,2}\.[0-9])(?![0-9.])"),
        "driver_cuda",
        "{}",
        PRINTED,
    ),  # Ollama
    ("CUDA-version: ", Pattern(r"CUDA-version: (?P<v>[0-9]{4,5}) \("), "cuda", "cuda", PRINTED),  # darknet
    ("CUDA-version: ", Pattern(r"CUDA-version: [0-9]{4,5} \((?P<v>[0-9]{4,5})\)"), "driver_cuda", "cuda", PRINTED),
    ("requires CUDA_VERSION >= ", Pattern(r"requires CUDA_VERSION >= (?P<v>[0-9]{4,5})\b"), "required_cuda", "{}", PRINTED),
    ("with CUDA_VERSION ", Pattern(r"compiled\s{1,6}with CUDA_VERSION (?P<v>[0-9]{4,5})\b"), "cuda", "{}", PRINTED),
    # Leela Chess Zero
    ("supported by the driver: ", Pattern(r"A supported by the driver: (?P<v>[0-9]+(?:\.[0-9]){1,2})"), "driver_cuda", "{}", PRINTED),
    ("required is at least", Pattern(r"CUDA\w{0,8}: Found unsuitable version \"(?P<v>[0-9]{1,2}\.[0-9])"), "toolkit", "{}", PRINTED),
    (
        "required is at least",
        Pattern(r"CUDA\w{0,8}: Found .{0,40}required is at least \"(?P<v>[0-9]{1,2}\.[0-9])"),
        "required_cuda",
        "{}",
        PRINTED,
    ),
    ("Unsupported .version ", Pattern(r"Unsupported \.version (?P<v>[0-9]\.[0-9])"), "ptx", "{}", PRINTED),
    ("using ptxas ", Pattern(r"You are using ptxas (?P<v>[0-9]{1,2}\.[0-9.]{1,8}[0-9])"), "ptxas", "{}", PRINTED),  # XLA
)
