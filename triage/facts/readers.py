"""Who reads: every program, library and circumstance that advice may speak to, and what is true of its users.

The one list of them. The types of `kb/` take their names from it, so that `triage rules lint` tells a name that is none; the words and
lines for readers (`triage/report/audience`) go by its traits. The servers stand in `servers.py`, with the commands that start them."""

from __future__ import annotations

from functools import cache

from triage.facts.servers import SERVERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Traits, as they stand behind the names below:
#   apart         its programs do not import PyTorch, whose lines would only mislead them
#   compiled      no Python is around it
#   no-model      its users write no model, or have no such means to train it
#   runs-models   its users mostly run models that others trained, and choose in what precision
#   trainer       a library that trains as its own configuration says
#   engine-inside trains, and runs a server's engine for it; its options are the program's, by names of its own
#   interface     used through an interface of its own: its user writes no code
#   only-runs     such a program that only runs models, to draw or to read: nothing is trained, unless the text says so
#   no-switches   such a program that may train and has no setting for what is recomputed
#   several-gpus  such a program that has a use for more than one GPU
#   loads-data    such a program that has settings for how data are loaded
#   desktop       a program with windows and menus, which came compiled
#   around-ggml   a program around llama.cpp, or one beside it with the same backends, by which its users know it
#   container     what runs containers
_PROGRAMS: Final = {
    # what programs are written with
    "torch": "", "transformers": "", "diffusers": "", "horovod": "", "accelerate": "",
    "jax": "apart", "xla": "apart", "tensorflow": "apart", "paddle": "apart", "mindspore": "apart", "mxnet": "apart", "megengine": "apart",
    "tinygrad": "apart", "mlx": "apart", "caffe2": "apart", "cntk": "apart", "theano": "apart", "thinc": "apart", "nd4j": "apart",
    "javacpp": "apart", "torch7": "apart compiled no-model", "caffe": "apart compiled no-model", "darknet": "apart compiled no-model",
    "kaldi": "apart compiled no-model", "marian": "apart compiled no-model", "matlab": "apart compiled no-model",
    "r-torch": "apart compiled", "torch-rb": "apart compiled",
    "julia": "apart compiled no-model", "candle": "apart compiled runs-models",
    "cudarc": "apart compiled runs-models", "burn": "apart compiled", "taichi": "apart no-model",
    "rust": "apart compiled runs-models",
    "java": "apart compiled no-model", "dotnet": "apart compiled no-model",
    "go": "apart compiled no-model", "native": "apart compiled no-model",
    "onnxruntime": "apart", "tensorrt": "apart", "openvino": "apart", "directml": "apart", "ctranslate2": "apart", "tvm": "apart",
    "mlc-llm": "apart", "triton-server": "apart",
    "cupy": "apart no-model", "numba": "apart no-model", "pycuda": "apart", "warp": "apart no-model", "rmm": "apart",
    "rapids": "apart no-model", "xgboost": "apart no-model", "lightgbm": "apart no-model", "catboost": "apart no-model", "faiss": "apart",
    "opencv": "apart no-model", "opencl": "apart", "metal": "apart", "vulkan": "apart", "wgpu": "apart", "cubecl": "apart",
    "physx": "apart no-model", "ffmpeg": "apart compiled no-model", "qiskit": "apart", "solvers": "apart", "relion": "apart",
    "openmm": "apart no-model", "amrex": "apart compiled no-model", "lammps": "apart compiled no-model",
    # llama.cpp, and what is built around it
    "ggml": "apart compiled no-model", "llama-cpp-python": "apart no-model", "ollama": "apart compiled no-model around-ggml",
    "lm-studio": "around-ggml", "koboldcpp": "around-ggml", "textgen": "around-ggml", "gpt4all": "around-ggml",
    "whisper.cpp": "around-ggml", "stable-diffusion.cpp": "around-ggml",
    # libraries that train
    "axolotl": "trainer", "colossalai": "trainer", "deepspeed": "trainer", "diffusers-scripts": "trainer", "lightning": "trainer",
    "megatron": "trainer", "ms-swift": "trainer engine-inside", "nemo": "trainer", "openmmlab": "trainer",
    "openrlhf": "trainer engine-inside", "sentence-transformers": "trainer", "spacy": "trainer", "torchtitan": "trainer",
    "torchtune": "trainer", "trl": "trainer engine-inside", "ultralytics": "trainer", "unsloth": "trainer engine-inside",
    "verl": "trainer engine-inside",
    # programs with an interface; `app` is one that is known only by what starts it
    "comfyui": "interface only-runs several-gpus", "webui": "interface only-runs several-gpus", "fooocus": "interface only-runs",
    "framepack": "interface only-runs", "sdnext": "interface only-runs", "wan2gp": "interface only-runs",
    "invokeai": "interface only-runs", "chainner": "interface only-runs", "deepfacelab": "interface no-switches",
    "kohya": "interface loads-data", "onetrainer": "interface", "ai-toolkit": "interface", "gpt-sovits": "interface",
    "rvc": "interface no-switches", "rwkv": "interface only-runs no-switches", "marker": "interface only-runs no-switches",
    "mineru": "interface only-runs no-switches", "wan": "interface only-runs several-gpus",
    "llamafactory": "interface several-gpus loads-data engine-inside", "app": "interface no-switches",
    "blender": "desktop", "ncnn-vulkan": "desktop", "obs": "desktop", "resolve": "desktop",
    # what runs containers
    "docker": "container", "podman": "container", "apptainer": "container", "enroot": "container",
}  # fmt: skip
_TRAITS: Final = {name: frozenset(traits.split()) for name, traits in _PROGRAMS.items()}
PROGRAMS: Final = tuple(dict.fromkeys((*SERVERS, *_PROGRAMS)))
# How those write themselves that texts speak of, where it is not as above.
_WRITTEN: Final = {
    "torch": "PyTorch", "jax": "JAX", "xla": "XLA", "tensorflow": "TensorFlow", "paddle": "Paddle", "mindspore": "MindSpore",
    "mxnet": "MXNet", "megengine": "MegEngine", "mlx": "MLX", "caffe": "Caffe", "caffe2": "Caffe2", "cntk": "CNTK", "theano": "Theano",
    "thinc": "Thinc", "nd4j": "ND4J", "torch7": "Torch7", "darknet": "Darknet", "kaldi": "Kaldi", "marian": "Marian", "matlab": "MATLAB",
    "julia": "Julia", "taichi": "Taichi", "burn": "Burn",
    "onnxruntime": "ONNX Runtime", "tensorrt": "TensorRT", "openvino": "OpenVINO", "directml": "DirectML",
    "ctranslate2": "CTranslate2", "tvm": "TVM", "mlc-llm": "MLC LLM", "triton-server": "Triton", "cupy": "CuPy", "numba": "Numba",
    "pycuda": "PyCUDA", "warp": "Warp", "rmm": "RMM", "rapids": "RAPIDS", "xgboost": "XGBoost", "lightgbm": "LightGBM",
    "catboost": "CatBoost", "faiss": "Faiss", "opencv": "OpenCV", "opencl": "OpenCL", "metal": "Metal", "vulkan": "Vulkan",
    "cubecl": "CubeCL", "physx": "PhysX", "ffmpeg": "FFmpeg", "dali": "DALI", "qiskit": "Qiskit", "relion": "RELION", "openmm": "OpenMM",
    "rwkv": "RWKV", "wan": "Wan", "amrex": "AMReX", "lammps": "LAMMPS", "ggml": "llama.cpp", "vllm": "vLLM", "sglang": "SGLang",
    "tgi": "TGI", "tensorrt-llm": "TensorRT-LLM", "lmdeploy": "LMDeploy", "exllama": "ExLlama", "ktransformers": "KTransformers",
    "fastchat": "FastChat", "tei": "TEI", "deepspeed": "DeepSpeed", "ascend": "CANN",
}  # fmt: skip
# Under which circumstances a program is used: the system, the maker of the GPU, or a kind of program.
CIRCUMSTANCES: Final = (
    "inference", "server", "trainer", "desktop", "kubernetes", "own-python", "colab", "kaggle", "windows", "wsl", "jetson",
    "amd", "amd-windows", "apple", "ascend", "aws-neuron", "cambricon", "gaudi", "google-tpu", "graphcore", "intel", "intel-windows",
    "moore-threads", "native-amd",
)  # fmt: skip


def written(name: str) -> str:
    """The name of a program as it writes itself: "onnxruntime" → ONNX Runtime."""
    return _WRITTEN.get(name, name)


@cache
def having(trait: str) -> frozenset[str]:
    """The programs of whose users something is true."""
    return frozenset(name for name, traits in _TRAITS.items() if trait in traits)
