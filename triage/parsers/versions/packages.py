"""Which words before a version name which package, and how far a place that shows a version can be trusted."""

from __future__ import annotations

from triage.reading.lazy import Pattern

# Strengths: what a program prints about itself, what a person says, what a name or a path implies, what was merely asked for.
PRINTED, BUILD, SAID, SUFFIX, IMPLIED, WEAK, REQUESTED = 9, 8, 6, 5, 4, 3, 2

# Words before a version → package. Names that are the same as the package are in KNOWN.
ALIASES = {
    "k8s": "kubernetes",
    "nvidia-linux-x86_64": "driver", "nvidia-linux-aarch64": "driver", "cuda_version": "cuda", "nccl_version": "nccl",
    "cuda-ppc64le": "cuda", "cuda-arm64": "cuda",
    "cudnn_version": "cudnn", "mmcv_full": "mmcv-full", "mmdetection": "mmdet", "mmdetection3d": "mmdet3d",
    "hip": "hip", "cpython": "python", "pytorch": "torch", "libtorch": "torch", "vllm-openai": "vllm", "flash_attn": "flash-attn",
    "vllm-openai-rocm": "vllm",
    "flash-attention": "flash-attn", "flashattention": "flash-attn", "flash_attn_2": "flash-attn", "flashinfer-python": "flashinfer",
    "tf": "tensorflow",
    "tensorflow-gpu": "tensorflow", "tensorflow_gpu": "tensorflow", "paddlepaddle": "paddle", "paddlepaddle-gpu": "paddle",
    "paddlepaddle_gpu": "paddle", "libcudnn": "cudnn", "libnccl": "nccl", "cudatoolkit": "cuda", "pytorch-cuda": "cuda",
    "pytorch-lightning": "pytorch-lightning", "pytorch_lightning": "pytorch-lightning", "auto_gptq": "auto-gptq", "autogptq": "auto-gptq",
    "gptqmodel": "gptqmodel", "onnxruntime-gpu": "onnxruntime", "onnxruntime_gpu": "onnxruntime", "llama_cpp_python": "llama-cpp-python",
    "jax_cuda12_plugin": "jax-cuda12-plugin", "nvidia-driver": "driver", "nvidia-smi": "driver", "py": "python",
    "nvidia-nccl-cu11": "nccl", "nvidia-nccl-cu12": "nccl", "nvidia-nccl-cu13": "nccl", "nvidia-cudnn-cu11": "cudnn",
    "nvidia-cudnn-cu12": "cudnn", "nvidia-cudnn-cu13": "cudnn", "nvidia-cuda-runtime-cu11": "cuda", "nvidia-cuda-runtime-cu12": "cuda",
    "nvidia-cuda-runtime": "cuda", "pl": "pytorch-lightning",
    "nvidia_nccl_cu12": "nccl", "\u9a71\u52a8": "driver", "\u663e\u5361\u9a71\u52a8": "driver", "drivers": "driver", "forceware": "driver",
    "gpu-driver": "driver", "nvidia-drv": "driver",
    "pythin": "python", "phyton": "python", "pyton": "python", "pyhton": "python", "python3": "python", "python2": "python",
    "pytorch-triton": "triton", "pytorch-triton-rocm": "triton", "cuda_runtime": "runtime",
    "g++": "gcc", "ort": "onnxruntime", "flashattention-2": "flash-attn", "flash-attention-2": "flash-attn", "flash-attn-2": "flash-attn",
    "nvinfer": "tensorrt", "trt": "tensorrt", "trt_llm": "tensorrt-llm", "cudart": "runtime", "nemo-toolkit": "nemo",
    "nemo_toolkit": "nemo", "torch_sparse": "torch-sparse", "pytorch_geometric": "torch-geometric", "torch_geometric": "torch-geometric",
    "pyg": "torch-geometric", "transformer_engine": "transformer-engine", "sentence_transformers": "sentence-transformers",
    "causal_conv1d": "causal-conv1d", "mamba_ssm": "mamba-ssm", "faster_whisper": "faster-whisper",
    "transformer": "transformers", "transfomers": "transformers", "tranformers": "transformers", "trasformers": "transformers",
    "pt": "torch", "pytroch": "torch", "ytorch": "torch", "pythorch": "torch", "pytorh": "torch", "pytorc": "torch",
    "cndnn": "cudnn", "cuddn": "cudnn", "ubantu": "ubuntu",
    "tf-nightly": "tensorflow", "tf-nightly-gpu": "tensorflow", "tf_nightly": "tensorflow", "tf_nightly_gpu": "tensorflow",
    "tensorflow-cpu": "tensorflow", "tensorflow-rocm": "tensorflow", "tf-gpu": "tensorflow", "cudn": "cuda", "cu": "cuda",
    "nvidia-jetpack": "jetpack", "nvidia-l4t-core": "l4t", "transformerengine": "transformer-engine",
    "pytorch-nightly": "torch", "torch-nightly": "torch", "pytorch-training": "torch", "pytorch-inference": "torch",
    "tensorflow-training": "tensorflow", "tensorflow-inference": "tensorflow", "sage-attention": "sageattention",
    "llama-factory": "llamafactory", "llama_factory": "llamafactory",
    "bnb": "bitsandbytes", "tgi": "text-generation-inference", "ds": "deepspeed", "deepspeed-chat": "deepspeed",
}  # fmt: skip
# Distributions that are told by their own name too: a report shows what is installed as it is installed.
OWN_NAMES = frozenset(
    ("flashinfer-python", "cudatoolkit", "tensorflow-gpu", "onnxruntime-gpu", "paddlepaddle", "paddlepaddle-gpu", "faiss-gpu")
)
KNOWN = frozenset((
    "rust", "rustc", "burn", "acemd", "amber", "torchsparse", "mumax3", "theano", "cubecl", "ethminer",
    "hip", "mmcv-full", "mmengine", "mmdet3d", "mmsegmentation", "opencv", "opencv-python", "scikit-learn", "julia", "onnxruntime-gpu",
    "torch", "transformers", "vllm", "sglang", "nccl", "cuda", "driver", "cudnn", "python", "triton", "peft", "accelerate", "deepspeed",
    "bitsandbytes", "xformers", "flash-attn", "flashinfer", "jax", "jaxlib", "tensorflow", "keras", "mxnet", "byteps", "numpy",
    "pydantic", "diffusers", "datasets", "tokenizers", "safetensors", "trl", "unsloth", "lightning", "torchvision", "torchaudio",
    "torchtext", "apex", "ray", "lmdeploy", "autoawq", "optimum", "onnxruntime", "tensorrt", "tensorrt-llm", "cupy",
    "paddle", "mmcv", "mmdet", "detectron2", "colossalai", "megatron-core", "fairscale", "fairseq", "gradio", "rocm", "nvcc", "openmpi",
    "ucx", "horovod", "torchao", "torchdata", "timm", "ultralytics", "spacy", "scipy", "pandas", "onnx", "numba", "torch-scatter",
    "dgl", "torch_geometric", "huggingface-hub", "sentence-transformers", "exllamav2",
    "llama-cpp-python", "ollama", "comfyui", "mamba-ssm", "causal-conv1d", "llamafactory", "ms-swift", "swift", "xtuner", "verl",
    "openrlhf", "cutlass", "nvshmem", "cuequivariance", "haiku", "flax", "optax", "pytorch-lightning", "auto-gptq", "gptqmodel",
    "xgboost", "lightgbm", "rapids", "cudf", "cuml", "warp-lang", "gsplat", "docker", "gcc", "ubuntu", "cmake", "ninja", "setuptools",
    "magma", "jax-cuda12-plugin", "jax-cuda12-pjrt", "jax-cuda13-plugin", "jax-cuda13-pjrt",
    "chainer", "nemo", "jetpack", "l4t", "theano", "pygpu", "pycuda", "caffe", "gluonnlp", "gluoncv", "fastai", "pytorch3d", "kaolin",
    "spconv", "minkowskiengine", "torch-sparse", "torch-cluster", "torch-geometric", "transformer-engine", "nvidia-dali", "cugraph", "dask",
    "rmm", "rocblas", "miopen", "rocm-core", "hipblaslt", "openvino", "paddleocr", "paddlex", "paddlenlp", "paddledetection", "mmpose",
    "mmaction2", "ctranslate2", "faster-whisper", "whisperx", "deepstream", "tvm", "darknet", "torch-tensorrt", "torch2trt", "zluda",
    "intel-extension-for-pytorch", "ipex", "torchmetrics", "llvmlite", "cuda-python", "cupti", "cub", "thrust", "polygraphy", "koboldcpp",
    "llama.cpp", "lammps", "gromacs", "openmm", "text-generation-inference", "aphrodite", "cntk",
    "bazel", "java", "autogluon", "catboost", "librosa",
    "paddlehub", "paddleclas", "paddleseg", "paddlespeech", "paddlegan", "mmcls", "mmpretrain", "mmrotate", "mmocr", "mmselfsup",
    "opencompass", "modelscope", "fschat", "funasr", "kornia", "einops", "torchtune", "torchtitan", "litgpt", "axolotl", "mosaicml",
    "llm-foundry", "pyopencl", "torch-spline-conv", "pyg-lib", "torch-xla", "torch-npu", "cann", "mindspore", "mlx",
    "torch-mlu", "torch-musa", "torch-neuronx", "neuronx-cc", "neuronx-distributed", "torch-directml", "habana", "oneapi", "level-zero",
    "jax-metal", "npu-smi", "vulkan",
    "coremltools", "isaacgym", "isaaclab", "isaacsim", "brax", "mujoco", "mujoco-mjx", "tritonclient", "tritonserver", "dcgm", "containerd",
    "slurm", "singularity", "apptainer", "yolov5", "stable-baselines3", "gymnasium", "llamafile", "exllama", "tabbyapi", "mlc-llm",
    "lightllm", "fastllm", "sageattention", "natten", "nerfstudio", "tiny-cuda-nn", "tinycudann", "nvdiffrast", "pytorch-metric-learning",
    "segmentation-models-pytorch", "monai", "nnunet", "nnunetv2", "detrex", "basicsr", "facexlib", "gfpgan", "realesrgan", "insightface",
    "lm-studio",
    "invokeai", "fooocus", "audiocraft", "coqui-tts", "espnet", "speechbrain", "demucs", "spleeter", "pyannote-audio", "pyannote.audio",
    "deepface", "easyocr", "surya-ocr", "marker-pdf", "rapidocr", "optuna", "wandb", "tensorboard", "h5py", "pillow", "matplotlib",
    "protobuf", "flair", "allennlp", "opennmt-py", "sentencepiece", "tiktoken", "compressed-tensors", "llm-compressor", "llmcompressor",
    "auto-round", "hqq", "quanto",
    "pip", "conda", "docker-desktop", "podman", "openai-whisper", "whisper", "nvidia-container-toolkit",
    "dlib", "face_recognition", "lc0", "deeplabcut", "rasa", "openmpi",
    "hashcat", "xmrig", "xmr-stak", "picongpu", "blender", "ffmpeg", "kubernetes", "k3s", "rke2", "gpu-operator", "nvidia-device-plugin",
    "k8s-device-plugin", "nvidia-docker", "nvidia-docker2", "libnvidia-container", "nvidia-container-runtime", "nvidia-fabricmanager",
    "cudss", "cutensor", "cusparselt", "nvcomp", "pynvml", "nvidia-ml-py", "gdrcopy", "aws-ofi-nccl", "nccl-tests", "kokkos", "faiss",
    "faiss-gpu", "dask-cuda", "nvhpc", "clang", "llvm", "frigate", "immich", "stable-diffusion-webui", "whisper.cpp", "alphafold",
    "colabfold", "relion", "cryosparc", "namd", "hoomd", "proxmox", "truenas", "unraid", "debian", "centos", "rhel", "fedora",
    "opensuse", "sles", "glibc", "kubevirt", "hami", "dcgm-exporter", "mig-parted", "openshift", "cri-o", "talos", "microk8s", "jellyfin",
    "nixos", "harvester",
    "cudnn-frontend", "candle", "candle-core", "cudarc", "nvitop", "gpustat", "open-webui", "exllamav3", "xinference", "vllm-ascend",
    "vllm-gaudi", "tpu-inference", "lmcache", "kserve", "nunchaku", "localai", "deepspeed-mii", "mindie", "fastertransformer",
    "auto_gptq", "autogptq", "ktransformers", "koboldcpp",
    "k2", "icefall", "lhotse", "jittor", "exla", "xla", "nx", "torchx", "bumblebee", "axon", "elixir", "livebook", "nd4j", "dl4j",
    "deeplearning4j", "javacpp", "jcuda",
    "djl", "torchsharp", "candle-nn", "candle-kernels", "candle-transformers", "candle-flash-attn", "bindgen_cuda", "tch",
    "cublas", "cufft", "cusolver", "cusparse", "curand", "windows", "macos", "wsl", "cython",
))  # fmt: skip

# What stands before "version" (or another closing word), longest first.
PHRASES = (
    ("cuda used to build pytorch", "cuda", BUILD + 1), ("rocm used to build pytorch", "rocm", BUILD + 1),
    ("hip used to build pytorch", "rocm", BUILD + 1), ("cuda driver version", "driver_cuda", PRINTED),
    ("driver's cuda", "driver_cuda", PRINTED), ("ptxas cuda version", "ptxas", PRINTED), ("ptx compiler version", "ptxas", PRINTED),
    ("cuda umd version", "cuda", PRINTED), ("kmd version", "driver", PRINTED),  # nvidia-smi from release 610 on
    ("nvidia driver version", "driver", PRINTED), ("cuda runtime version", "runtime", PRINTED), ("cuda runtime", "runtime", SAID),
    ("driver version", "driver", PRINTED), ("nvrm version", "driver", PRINTED),
    ("api server version", "vllm", PRINTED), ("cuda toolkit", "toolkit", PRINTED), ("cuda tool kit", "toolkit", PRINTED),
    ("cuda-toolkit", "toolkit", WEAK),
    ("cuda compilation tools, release", "nvcc", PRINTED),
    ("cuda compiler", "toolkit", PRINTED), ("cuda compiler           cuda", "toolkit", PRINTED),  # detectron2's table
    ("detected cuda version", "toolkit", PRINTED), ("installed cuda version", "toolkit", PRINTED),
    ("torch was compiled with", "cuda", BUILD), ("compiled with cuda", "cuda", BUILD), ("compiled with cuda version", "cuda", BUILD),
    ("driver api version", "driver_cuda", PRINTED), ("runtime api version", "runtime", PRINTED), ("rocm runtime version", "rocm", PRINTED),
    ("driver: nvidia", "driver", SAID), ("deepspeed info", "deepspeed", PRINTED),
    ("hip runtime version", "hip", PRINTED), ("miopen runtime version", "miopen", PRINTED), ("onnx runtime", "onnxruntime", SAID),
    ("llm engine", "vllm", PRINTED), ("nvml library version", "nvml", PRINTED), ("plugin pjrt api version", "plugin_pjrt", PRINTED),
    ("framework pjrt api version", "framework_pjrt", PRINTED), ("the client has the version", "userspace", PRINTED),
    ("kernel module has the version", "kernel_module", PRINTED), ("kernel module version", "kernel_module", PRINTED),
    ("kernel module", "driver", SAID), ("open kernel module for x86_64", "driver", PRINTED), ("torch cuda version", "cuda", BUILD),
    ("python env", "python", SAID), ("python environment", "python", SAID), ("python venv", "python", SAID),
    ("python revision", "python", PRINTED),  # stable-diffusion-webui
    ("torch.version.cuda", "cuda", BUILD), ("torch.__version__", "torch", PRINTED), ("torch.version", "torch", PRINTED),
    ("__version__", "", PRINTED),
    ("container toolkit cli version", "nvidia-container-toolkit", PRINTED),
    ("using cuda", "cuda", SAID), ("nvcc version", "nvcc", PRINTED), ("nvcc", "nvcc", PRINTED),
    ("rasa open source version", "rasa", PRINTED),
    ("deepspeed info: version", "deepspeed", PRINTED), ("onnx runtime version", "onnxruntime", PRINTED),
    ("hip sdk", "hip", SAID), ("level zero", "level-zero", SAID), ("tensor rt", "tensorrt", SAID), ("pytorch 3d", "pytorch3d", SAID),
    ("red hat enterprise linux", "rhel", SAID), ("centos linux", "centos", SAID), ("rocky linux", "rocky", SAID),
    ("debian gnu/linux", "debian", SAID), ("oracle linux server", "oracle-linux", SAID), ("oracle linux", "oracle-linux", SAID),
    ("opensuse leap", "opensuse", SAID), ("gnu make", "make", PRINTED),
    ("flash attention", "flash-attn", SAID), ("flash attn", "flash-attn", SAID),
    ("extension for pytorch", "intel-extension-for-pytorch", SAID),
    ("nvidia driver verion", "driver", SAID), ("driver verion", "driver", SAID), ("driver verison", "driver", SAID),
    ("dirver version", "driver", SAID), ("dirver verion", "driver", SAID),
)  # fmt: skip
PHRASE_ENDS = frozenset(phrase.rsplit(" ", 1)[-1] for phrase, _, _ in PHRASES)
_DEBIAN = Pattern(r"lib(cudnn|nccl|nvinfer|cublas)[0-9]{0,2}(?:-dev)?(?:-cuda-[0-9]{1,2})?\Z")
_DEBIAN_DRIVER = Pattern(
    r"nvidia-(?:driver|dkms|utils|compute-utils|kernel-source|kernel-common|headless)-[0-9]{3}(?:-server|-open)*(?::amd64)?\Z"
)
_BUILD_SUFFIX = Pattern(r"[-_](?:(?:cu|cuda|rocm)[0-9]{1,3}x?(?:mkl)?|gpu|mkl|directml|macos)\Z")


def canonical(name: str) -> str:
    """The distribution that a name stands for: "cupy-cuda12x" → cupy, "onnxruntime_gpu" → onnxruntime; unknown ones in lower case."""
    name = name.lower()
    known = ALIASES.get(name)
    if known is None and name not in KNOWN:
        if name.startswith("lib"):
            library = _DEBIAN.match(name)
            if library is not None:
                return ALIASES.get(library[1], library[1])
        elif name.startswith("nvidia-") and _DEBIAN_DRIVER.match(name):
            return "driver"
        base = _BUILD_SUFFIX.sub("", name)
        if base != name and (base in KNOWN or base in ALIASES):
            return ALIASES.get(base, base)
        dashed = name.replace("_", "-")
        return ALIASES.get(dashed, dashed if dashed in KNOWN else name)
    return known or name
