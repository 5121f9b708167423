"""Second thoughts on whose version a number is, where the nearest word misleads."""

from __future__ import annotations

from triage.facts.quantities import parse_cuda_version
from triage.parsers.versions.finds import OLD_CUDA, Finds
from triage.parsers.versions.packages import BUILD, IMPLIED, OWN_NAMES, PRINTED, SAID, SUFFIX, WEAK
from triage.parsers.versions.writing import LOCAL_CUDA
from triage.reading import Line
from triage.reading.lazy import Pattern

_LOCAL_ROCM = Pattern(r"\+rocm([4-9]\.[0-9](?:\.[0-9])?)")
# "pt" is a point or a file of weights, but torch among versions of what goes with it: "pt 2.1, cu121", "py3.10 pt2.0".
_AMONG_SOFTWARE = Pattern(
    r"(?i)\b(?:cu(?:da|dnn)?|py(?:thon)?|tf|vllm|driver|xformers|triton|transformers|lightning|deepspeed|flash.attn|rocm)[ =:-]{0,2}v?[0-9]"
)
_BUILD_OF_JETPACK = Pattern(r"\A[4-7]\.[0-9](?:\.[0-9])?-b[0-9]{1,3}\Z")
_PATH = Pattern(r"[/\\][^\n]*\Z")
# Wheels whose local suffix names the CUDA that they were built for.
_BUILT_FOR_CUDA = ("torch", "torchvision", "torchaudio", "vllm", "flash-attn", "xformers", "nccl")
# Compute capabilities that no release of CUDA had for a number.
_CAPABILITIES_ALONE = frozenset(("3.7", "5.2", "5.3", "6.1", "6.2", "7.2", "8.6", "8.7", "8.9"))
_OTHER_MAKERS = ("npu", "NPU", "scend", "\u6607\u817e")


def admit(package: str, number: str, strength: int, word: str, line: Line, context: str, finds: Finds) -> None:
    """Add a version of the package that the words before it name, unless it cannot be one, and what follows from it.

    `word` is the nearest word, `context` what stands before the number, both as printed.
    """
    major = int(number.partition(".")[0])
    text = line.text
    if major > 16 and "nvcr.io/nvidia/" in context[-48:]:
        return  # the month of the image
    if _BUILD_OF_JETPACK.search(number) and word.startswith("nvidia-"):  # a package that holds nothing but what it depends on
        finds.add("jetpack", number.partition("-")[0], line, IMPLIED)
        return
    if package == "cuda" and "uDNN " in text and context.endswith("(built against CUDA "):
        strength = WEAK  # of another library
    if package == "cuda" and context.endswith("uild cuda_"):
        package = "nvcc"  # the last line of `nvcc --version`
    if _is_of_something_else(package, number, major, text) or (word == "pt" and _AMONG_SOFTWARE.search(text) is None):
        return
    if word == "transformer" and (number.count(".") < 2 or not 2 <= major <= 5):
        return  # a model, or an architecture
    if package == "torch" and major > 4:
        if major < 20 and ("compile" in context or "CUDA" in context or "cuda" in context):
            finds.add("cuda", number, line, BUILD if "compile" in context or "buil" in context else WEAK)
        return
    if package == "cuda":
        package, strength = _as_cuda(number, major, strength, word, line, context, finds)
        if not package:
            return
    elif package == "python":
        if major not in (2, 3):
            return
        joined = LOCAL_CUDA.search(number)
        if joined:  # "python3.9+cuda11.3"
            number = number[: joined.start()]
            finds.add("cuda", str(parse_cuda_version(joined[1])), line, SAID)
        if word.endswith("python") and _PATH.search(context[-40:]):
            strength = IMPLIED
    elif package == "driver" and word == "nvidia-smi" and "Driver Version" in text:
        return  # the tool's own, which under WSL or in a container can be another
    elif package == "driver" and 8 <= major < 20 and context.rstrip(" :=").lower().endswith("cuda driver"):
        package = "driver_cuda"  # "CUDA driver: 12.2", which is not the driver's own number
    elif package == "driver" and major < 100 and ("rc" in number.lower() or any(map(text.__contains__, _OTHER_MAKERS))):
        pass  # of Ascend and others, whose drivers count otherwise
    elif (package == "driver" and major < 100) or (package == "cudnn" and (9 < major < 1000 or f"{number}-linux" in text)):
        return  # cudnn-9.0-linux-x64-v7 is cuDNN 7
    elif package == "driver_cuda" and major >= 100:
        package = "driver"  # "CUDA driver version" is said of either
    elif package == "nvcc":
        finds.add("toolkit", number, line, IMPLIED)
        finds.add("cuda", number, line, WEAK)
    elif package == "toolkit" or package == "runtime":
        finds.add("cuda", number, line, BUILD if "- CUDA Runtime " in text else WEAK)  # of what PyTorch was built with
    if package != word and word.startswith(("nvidia-", "nvidia_")) and package != "driver":
        strength = min(strength, IMPLIED)
    if package == "torch" and "+cuda" in number and "." in number.partition("+")[2]:  # two that are listed: "pytorch1.1+cuda9.0"
        number, _, listed = number.partition("+cuda")
        finds.add("cuda", listed, line, min(strength, SAID))
    elif package == "nccl" and "+cuda" in number:
        strength = max(strength, PRINTED + 1)  # what NCCL prints of itself
    elif package == "nccl" and context.endswith("NCCL_VERSION="):
        strength = WEAK  # of NVIDIA's image: torch brings its own
    if "xisting installation" in text or "ninstalling" in text:
        strength = min(strength, WEAK)
    finds.add(package, number, line, strength)
    _add_what_follows(package, number, strength, word, line, finds)


def _is_of_something_else(package: str, number: str, major: int, text: str) -> bool:
    """Whether the name of a system before a number does not make it that system's version."""
    if package == "ubuntu":
        return not 12 <= major <= 40 or f"{number}-" in text  # GCC 14.2.0 of Ubuntu: "(Ubuntu 14.2.0-4ubuntu2~24.04.1)"
    if package == "conda":
        return major < 4
    if package == "glibc":  # what a binary wants, and the system does not have
        return f"GLIBC_{number}" in text and "not found" in text
    if package == "docker":  # its releases began with 1.0; what is older is the image of another program
        return major < 1
    if package == "rocm":  # the tag of an image that is named by what it runs on: "vllm-openai-rocm:v0.14.0"
        return major < 1
    if package == "windows":
        return major not in (7, 8, 10, 11)
    if package == "flash-attn":  # as Transformers calls the second generation: "does not support Flash Attention 2.0 yet"
        return number == "2.0" and "Flash Attention 2.0" in text
    # of GCC, and of the kernel as `uname -a` prints it
    return package == "debian" and (f"{number}-" in text or (number.count(".") > 1 and "SMP" in text))


def _as_cuda(number: str, major: int, strength: int, word: str, line: Line, context: str, finds: Finds) -> tuple[str, int]:
    """Whose version a number is that follows CUDA's name, and its strength; '' where it is nobody's, or was added here."""
    text = line.text
    if "[052768ef]" in text:  # the package of Julia, not what it downloads
        finds.add("cuda.jl", number, line, PRINTED)
        return "", strength
    if text.startswith("- CUDA: ") and major < 9 and not number.startswith(OLD_CUDA):
        return "", strength  # the package of Julia, in its list
    if "." not in number and context.endswith(" at "):
        return "", strength  # so many layers, workers or percent
    if major < 4 or (major < 9 and ("CUDA Toolkit" in text or "capability" in text or word.endswith("capability"))):
        return "", strength
    if _is_capability(number, text, context):
        return "", strength
    if "river on your system supports CUDA" in context:  # MATLAB, of what the driver takes
        finds.add("driver_cuda", number, line, PRINTED)
        return "", strength
    if major >= 10 and ("NVIDIA-SMI" in text or "Driver Version" in text):  # nvidia-smi tells it since driver 410
        finds.add("driver_cuda", number, line, PRINTED)
        return "cuda", IMPLIED
    if 300 <= major < 1000:
        return "driver", strength  # which people take for CUDA's
    if major > 20:
        return "", strength
    if major < 9 and "udnn" in context.lower() and not number.startswith(OLD_CUDA):
        return "cudnn", min(strength, IMPLIED)  # the only one that a field for both holds
    return "cuda", strength


def _is_capability(number: str, text: str, context: str) -> bool:
    """Whether it is the compute capability that people call CUDA's version: there was no such release, or the line has it as sm_86 too."""
    if number in _CAPABILITIES_ALONE and "udnn" not in text.lower() and "udnn" not in context.lower():
        return True
    joined = number.replace(".", "")
    return len(joined) == 2 and any(f"{word}{joined}" in text for word in ("sm_", "sm", "SM", "compute_"))


def _add_what_follows(package: str, number: str, strength: int, word: str, line: Line, finds: Finds) -> None:
    """Add what a version tells besides: of the distribution by its own name, and what a build was made for."""
    own = word.replace("_", "-")
    if own in OWN_NAMES or word.startswith("cupy-cuda"):
        finds.add(own, number, line, strength)
    if package in _BUILT_FOR_CUDA:
        local = LOCAL_CUDA.search(number)
        if local:
            finds.add("cuda", str(parse_cuda_version(local[1])), line, SUFFIX if package == "torch" else IMPLIED)
    if package == "torch" and "+rocm" in number:
        rocm = _LOCAL_ROCM.search(number)
        if rocm:
            finds.add("rocm", rocm[1], line, SUFFIX)
