"""Which framework a text shows: by the packages that it names, else by words that only one of them writes."""

from __future__ import annotations

from triage.facts.readers import having
from triage.reading.lazy import Pattern
from triage.report.audience.programs import speaks_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set

# Frameworks that only run on the GPUs of one maker, whose messages therefore tell whose GPU it is.
MADE_BY = {
    "rocm": "amd", "zluda": "amd", "xpu": "intel", "oneccl": "intel", "openvino": "intel", "mps": "apple", "metal": "apple",
    "mlx": "apple", "ascend": "ascend", "hccl": "ascend", "musa": "moore-threads",
    "neuron": "aws-neuron", "tpu": "google-tpu", "habana": "gaudi", "cambricon": "cambricon", "ipu": "graphcore",
}  # fmt: skip
# Frameworks whose users see no PyTorch, by the packages that a traceback or a list of versions names.
_FRAMEWORKS = {
    "tensorflow": "tensorflow", "keras": "tensorflow", "jax": "jax", "jaxlib": "jax", "jax_plugins": "jax", "paddle": "paddle",
    "mxnet": "mxnet", "mindspore": "mindspore", "cupy": "cupy", "tensorrt": "tensorrt", "tvm": "tvm", "pycuda": "pycuda",
    "catboost": "catboost", "openmm": "openmm", "taichi": "taichi",
    "onnxruntime": "onnxruntime", "openvino": "openvino",
    "ctranslate2": "ctranslate2", "faster_whisper": "ctranslate2", "faster-whisper": "ctranslate2",
    "cudf": "rapids", "cuml": "rapids", "cugraph": "rapids", "cuspatial": "rapids", "dask_cudf": "rapids",
}  # fmt: skip
# What else tells a framework, in small letters: the first that stands in a text without PyTorch and what is built upon it.
_SHOWN_BY = {
    "alphafold": "jax", "colabfold": "jax",  # TensorFlow only reads their inputs
    "tensorflow": "tensorflow", "sess.run(": "tensorflow", "feed_dict": "tensorflow",
    "paddle": "paddle", "mindspore": "mindspore", "mxnet": "mxnet", "jaxlib": "jax", "xlaruntimeerror": "jax",
    "external/xla/": "jax", "external/local_xla/": "tensorflow", "jax ": "jax", "jax-based": "jax", "xla runtime executable": "jax",
    "onnxruntime": "onnxruntime", "openvino": "openvino",
    "in-memory cubin": "jax", "load ptx text as a module": "jax",
    "ollama": "ollama", "ggml": "ggml", "llama.cpp": "ggml", "cudf": "rapids", "cuml": "rapids", "spark-rapids": "rapids",
    "ctranslate2": "ctranslate2", "faster-whisper": "ctranslate2", "faster_whisper": "ctranslate2", "fasterwhisper": "ctranslate2",
    "src/operator/": "mxnet", "check failed: error == cudasuccess (": "caffe",
    "check failed: status == cublas_status_success (": "caffe", "check failed: status == cudnn_status_success (": "caffe",
    "cuda error in func '": "native", "cryptonight_": "native",
    "-pure.cl": "native", "-optimized.cl": "native",
    "warp cuda error": "warp", "[taichi]": "taichi", "import taichi": "taichi", "cuda_driver.h:operator()@": "taichi",
    "[jit_cuda.cpp": "taichi", "tvmerror": "tvm", "tvm._ffi": "tvm", "pycuda._driver": "pycuda",
    "cupy": "cupy", "numba": "numba", "catboost": "catboost", "xgboost": "xgboost",
    "lightgbm": "lightgbm", "faiss": "faiss", "darknet": "darknet", "caffe": "caffe", "theano": "theano", "opencv(": "opencv",
    "opencv error: ": "opencv", "tensorrt": "tensorrt", "[trt]": "tensorrt", "amrex": "amrex", "dlib": "native", "kokkos": "native",
    "geryon/": "lammps", "gpu library not compiled for this accelerator": "lammps",
    "lammps": "lammps", "gromacs": "native", "namd ": "native", "openmm": "openmm", "blender": "native", "pmemd": "native",
    "no compatible cuda device": "openmm", "amber_minimize": "openmm", "error invoking kernel: cuda error (": "openmm",
    "error initializing fft: ": "openmm", "error executing fft: ": "openmm", "cublas error, `cu": "paddle", "cudnn error, `cu": "paddle",
    "tritonserver": "triton-server", "triton inference server": "triton-server", "pinned_memory_manager.cc": "triton-server",
    ".julia/packages": "julia", "julia>": "julia", "cuda.jl": "julia", "cuarray": "julia", "gc.gc()": "julia", "alicevision": "native",
    "amdgpu.jl": "julia", "metal.jl": "julia", "rocarray": "julia", "hiperror(code": "julia",
    "_nvenc @": "ffmpeg", "dl_fn->cuda_dl": "ffmpeg", "avhwdevicecontext": "ffmpeg", "libavcodec": "ffmpeg",
    "cpyrit": "native", "pyrit": "native", "gpurir": "native",
    "meshroom": "native", "colmap": "native", "[zluda]": "native", "mallocmc": "native",
    "matconvnet": "native", "pygpu": "theano", "gpuarrayexception": "theano", "cntk": "cntk", "marian": "marian", "kaldi": "kaldi",
    "cu-device.cc": "kaldi", "cu-allocator.cc": "kaldi", "cu-matrix.cc": "kaldi", "cu-vector.cc": "kaldi",
    "vulkan": "vulkan",  # last: programs of every kind above compute with it
}  # fmt: skip
# Libraries that train as their own configuration says: kb/fixes.yaml may have words of its own for who uses them.
TRAINS = having("trainer")
# Those of them that run a server's engine inside: its options are theirs, by names of their own.
RUNS_ENGINES = having("engine-inside")
# LibTorch called from other languages: the messages are PyTorch's, the lines of its Python are nobody's there.
BINDINGS_OF_TORCH = frozenset(("r-torch", "torch-rb", "dotnet"))  # the last by TorchSharp
# What programs in Rust are written with: where there are no words of its own, those for Rust are.
IN_RUST = frozenset(("candle", "burn", "cudarc"))
# The bindings of llama.cpp count where no program is known that is built upon them.
BINDINGS_OF_GGML = "llama-cpp-python"
# What runs below a framework or program: its message does not tell what the reader runs.
RUNTIMES = frozenset((
    "cuda", "rocm", "hip", "zluda", "xpu", "sycl", "oneccl", "metal", "musa", "vulkan", "opencl", "ascend", "nccl", "rccl", "neuron", "tpu",
    "habana", "cambricon", "ipu",
))  # fmt: skip
_OF_TORCH7 = ("luajit", "cutorch", "luarocks")  # it lends PyTorch its name, and shares nothing that a user could paste
_OF_PADDLE = "error: (external) "  # how it hands on what a library of CUDA, or NCCL, answered
_TORCHS_WORLD = Pattern(
    r"torch|\baten\b|\bc10|\bthc|processgroup|tcpstore|transformers|accelerate|vllm|sglang|diffusers|deepspeed|megatron|lightning|comfy"
    r"|bitsandbytes|flash.attn|xformers|exllama|text.generation|\bnccl\b|apex|pointnet|furthest_point_sampling|_ext-src"
    r"|criterion\.cu\b|(?:index|scattergather|multinomial|distribution)kernel\.cu\b|nllloss2d\.cu\b"  # files of PyTorch's own kernels
)
_OF_CPP = Pattern(r"\w\.(?:(?:cuh?|cpp|cc|cxx|hpp)\b|h[:(][0-9])")
_COMPILES = Pattern(r"\bnvcc\b|\bcmake\b|\bninja\b|\bptxas\b|\berror: ")


def around_ggml(shown: Set[str], bound: bool) -> str:
    """The one program around llama.cpp among those that the text shows, else its bindings; '' where none is or several are."""
    found = having("around-ggml") & shown
    if found:
        return next(iter(found)) if len(found) == 1 else ""
    return BINDINGS_OF_GGML if bound or BINDINGS_OF_GGML in shown else ""


def named(packages: Set[str]) -> str:
    """The one framework that these packages are of, where PyTorch is not among them; '' otherwise."""
    known = {_FRAMEWORKS[name] for name in packages if name in _FRAMEWORKS}
    return known.pop() if len(known) == 1 and "torch" not in packages else ""


def shown(text: str, built_by_make: bool) -> str:
    """The framework whose name a text in small letters bears, where none of its words is of PyTorch's world; 'native' where it shows
    sources of C++ or CUDA alone; '' otherwise."""
    if any(word in text for word in _OF_TORCH7):
        return "torch7"
    if _OF_PADDLE in text:
        return "paddle"
    if _TORCHS_WORLD.search(text):
        return ""
    found = next((framework for word, framework in _SHOWN_BY.items() if word in text), "")
    compiles = not built_by_make and _COMPILES.search(text)  # where pip or a setup.py builds, Python is spoken of
    if not found and _OF_CPP.search(text) and not compiles and not speaks_of_python([text]):
        return "native"
    return found
