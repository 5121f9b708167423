"""What stands in the holes of signatures: values with their types, and the words around errors that differ from program to program."""

from __future__ import annotations

# Packages of the GPU stack, as messages write them.
_PACKAGES = (
    "[Pp]y[Tt]orch", "[Tt]orch(?:ao|vision|audio|data|codec|_xla)?", "torch_npu", "torch_mlu", "oneccl_bindings_for_pytorch", "pyg-lib",
    "[Tt]ransformers", "[Aa]ccelerate", "[Dd]iffusers", "[Oo]ptimum", "[Pp]eft", "PEFT", "TRL", "trl", "[Ll]ightning",
    "[Uu]nsloth(?:_zoo)?", "[Ss]afetensors", "[Tt]okenizers", "[Hh]uggingface[-_]hub",
    "[Ll]iger-[Kk]ernel", "[Dd]eep[Ss]peed", "[Mm]egatron[-_ ][Cc]ore", "mcore",
    "[Tt]ransformer[- _]?[Ee]ngine", "TE", "[Aa]pex", "[Bb]its[Aa]nd[Bb]ytes", "[Aa]uto[-_]?(?:gptq|GPTQ)", "[Gg][Pp][Tt][Qq][Mm]odel",
    "[Cc]ompressed-tensors", "llm-compressor", "[Tt]riton", "[Tt]ile[Ll]ang", "[Xx][Ff]ormers", "[Ff]lash[-_ ]?[Aa]tt(?:n|ention)",
    "[Ff]lash[Ii]nfer", "flash-linear-attention", "[Mm]amba[-_ ]?(?:ssm|SSM)", "causal[-_]conv1d", "natten", "NATTEN", "spconv",
    "vLLM", "vllm", "[Ss][Gg][Ll]ang", "[Rr]ay", "mlx(?:-lm|-vlm)?", "AITER", "aiter", "DeepGEMM", "DeepEP", "NIXL", "nvshmem",
    "NCCL", "cu[Dd][Nn][Nn]", "[Tt]ensor[Rr][Tt](?:-LLM)?", "nvidia-[a-z0-9-]{3,24}", "cuda-(?:python|tile)", "[Cc]u[Pp]y", "[Nn]umba",
    "xfuser", "xDiT", "yunchang", "nunchaku", "gsplat", "nvdiffrast", "[Pp]y[Tt]orch3[Dd]", "[Dd]etectron2",
    "torch[-_](?:scatter|sparse|cluster)", "[Nn]um[Pp]y", "[Jj]axlib", "[Jj]ax", "JAX", "[Tt]ensor[Ff]low", "[Kk]eras",
    "[Oo][Nn][Nn][Xx] ?[Rr]untime",
)  # fmt: skip
# Packages with compiled CUDA code of their own, by the names of their distributions and modules: what is built, and does not fit others.
_COMPILED = (
    "flash[-_]attn\\w*", "apex", "xformers", "mamba[-_]ssm", "causal[-_]conv1d\\w*", "deepspeed", "detectron2", "mmcv(?:-full)?",
    "pytorch3d", "torch[-_](?:scatter|sparse|cluster|spline[-_]conv)", "pyg[-_]lib", "bitsandbytes", "auto[-_]gptq", "autoawq\\w*",
    "gptqmodel", "exllamav[23]", "llama[-_]cpp[-_]python", "vllm", "sglang", "sgl[-_]kernel", "flashinfer\\w*", "tinycudann",
    "nvdiffrast", "gsplat", "diff[-_](?:gaussian|surfel)[-_]rasterization", "simple[-_]knn", "spconv\\w*", "cumm(?:-cu[0-9]+)?",
    "minkowskiengine", "cupy\\w*", "pycuda", "horovod", "transformer[-_]engine\\w*", "grouped[-_]gemm", "megablocks", "natten", "kaolin",
    "torchsparse", "dcnv[234]", "groundingdino\\w*", "sageattention", "sageattn3", "ctranslate2", "lietorch\\w*", "curope", "quant[-_]cuda",
    "pointops\\w*", "pointgroup[-_]ops", "pointnet2(?:[-_](?:ops|lib|batch)\\w*)?", "multiscaledeformableattention",
    "torch[-_]points[-_]kernels",
    "fused[-_](?:ssim|bilagrid)", "custom[-_]rasterizer", "warp[-_]?(?:rnnt|ctc)\\w*", "openpcdet", "pcdet", "deep[-_](?:ep|gemm)",
    "flash[-_]mla", "fast[-_]hadamard[-_]transform", "spas[-_]sage[-_]attn", "selective[-_]scan\\w*", "block[-_]sparse[-_]attn",
    "(?:grid|freq|sh)encoder", "raymarching", "nerfacc", "knn[-_]cuda", "torchmcubes", "xentropy[-_]cuda[-_]lib",
    "dropout[-_]layer[-_]norm", "rotary[-_]emb", "fused[-_]dense[-_]lib", "torch[-_]memory[-_]saver", "tiny[-_]cuda[-_]nn",
    "sam[-_]2", "o[-_]voxel", "cumesh", "flex[-_]?gemm", "vox2seq", "diffoctreerast",
    "alt_cuda_corr", "corr_sampler", "openfold",
)  # fmt: skip
# Operators of frameworks, functions and layers, as people name them in a sentence.
_OPERATORS = (
    "conv(?:_transpose)?[123]d", "Conv(?:Transpose)?[123]d", "matmul", "b?addmm", "baddbmm", "bmm", "einsum", "(?:log_)?softmax",
    "embedding(?:_bag)?", "interpolate", "upsample_\\w+", "grid_sample", "gather", "scatter(?:_add|_reduce)?",
    "index_(?:select|add|put|copy)", "masked_(?:fill|select|scatter)", "repeat_interleave", "nonzero", "multinomial", "topk",
    "arg(?:sort|max)", "cumsum", "bincount", "unique", "cdist", "svd", "eigh", "cholesky", "i?r?fft", "i?stft", "cross_entropy",
    "nll_loss", "bce_loss", "ctc_loss", "binary_cross_entropy(?:_with_logits)?", "(?:layer|batch|group)_norm", "(?:Layer|Group|RMS)Norm",
    "BatchNorm[123]d", "LSTM", "GRU", "scaled_dot_product_attention", "flash_attn_(?:\\w+_)?func", "(?:max|avg)_pool[123]d",
)  # fmt: skip
# What Windows says where a DLL is not found (126), lacks a procedure (127) or fails to start (1114), in the languages it speaks.
_DLL_126 = (
    "[Tt]he specified module could not be found", "找不到指定的模[块組组]", "[Nn]o se puede encontrar el módulo especificado",
    "[Nn]o se encontró el módulo especificado", "[Ll]e module spécifié est introuvable", "[Dd]as angegebene Modul wurde nicht gefunden",
    "[Нн]е найден указанный модуль", "[Nn]ão foi possível encontrar o módulo especificado", "[Ii]mpossibile trovare il modulo specificato",
    "指定されたモジュールが見つかりません", "지정된 모듈을 찾을 수 없습니다", "[Nn]ie można odnaleźć określonego modułu",
    "[Bb]elirtilen modül bulunamadı",
)  # fmt: skip
_DLL_127 = (
    "[Tt]he specified procedure could not be found", "找不到指定的程序", "[Nn]o se encontró el proceso especificado",
    "[Nn]o se encontró el procedimiento especificado", "[Ll]a procédure spécifiée est introuvable",
    "[Dd]ie angegebene Prozedur wurde nicht gefunden", "[Нн]е найдена указанная процедура",
    "[Nn]ão foi possível encontrar o procedimento especificado", "[Ii]mpossibile trovare la procedura specificata",
    "指定されたプロシージャが見つかりません", "지정된 프로시저를 찾을 수 없습니다", "[Nn]ie można odnaleźć określonej procedury",
    "[Bb]elirtilen yordam bulunamadı",
)  # fmt: skip
_DLL_1114 = (
    r"[Aa] dynamic link library \(DLL\) initialization routine failed", r"动态链接库 ?\(DLL\) ?初始化例程失败",
    r"動態連結程式庫 ?\(DLL\) ?初始化例行程序失敗", r"[Ee]rror en una rutina de inicialización de biblioteca de vínculos dinámicos",
    r"[Uu]ne routine d.initialisation d.une bibliothèque de liens dynamiques", "[Ee]ine DLL-Initialisierungsroutine ist fehlgeschlagen",
    r"сбой в программе инициализации библиотеки динамической компоновки", r"ダイナミック ?リンク ?ライブラリ ?\(DLL\) ?初期化ルーチン",
)  # fmt: skip
# A function of CUDA's runtime or driver, or of HIP, with its arguments; those of the libraries on top have other names.
_CUDA_CALL = (
    r"(?:cuda[A-Z]|cu(?:Ctx|Mem|Module|Launch|Stream|Event|Device|Init|Link|Func|Graph|Array|Library|Kernel|Ipc|Driver|Pointer)|hip[A-Z])"
    r"\w*(?:\([^\n]*?\))?,?"
)
# ollama's word for what cuInit or cudaSetDevice answered when it looked for GPUs: its libraries by their files.
_DISCOVERED = r"\b(?:(?i:nvcuda|cudart|cuda driver library) init failure|cuInit err): "
# Gaps are without bounds: RE2 unrolls counted ones, and these expressions are compiled when their text is first met.
# Before the text of an error of CUDA or HIP, where other programs have the text too ("out of memory", "unknown error"): nothing that a
# program without a GPU prints. First what may still stand between these words and the text: numbers, places and calls.
_GAP = r"(?:[^\n]*?(?:[^A-Za-z\s,;_]|[0-9)\]],|\b(?i:error|failure|failed|returned|status|reason|with)))? {0,2}[\"'(]{0,2}"
_OF_CUDA = (
    # "CUDA Runtime API error 2: ", "HIP failure (", "GPU last error detected in file X line 12: ", "GPUassert: "
    r"(?i:\b(?:ggml_)?(?:cuda|cudart|hip|rocm|musa|gpu)(?:[ _-]?(?:driver|runtime|api|kernel|launch|execution|call|last|check))*[ _]?"
    rf"(?:error|failure|exception|err|fail|failed|assert)\b){_GAP}",
    # TensorRT, MXNet, samples of the toolkit, CUTLASS
    r"\bCuda Runtime \(|\bCUDA Driver: [0-9]+ |\b(?:Driver|Runtime) API error\b[^\n]*?[:\"] ?|\bbad cuda status: ",
    r"\bTHCudaCheck FAIL file=[^\n]*? error=[0-9]+ : ",
    # dlib, and the macro of a book
    r"\bError while calling (?:cu|hip)\w+\([^\n]*?reason ?: ?|\bError: [^\s:]+:[0-9]+, code: ?[0-9]+, reason: ",
    r"(?i:\bcuda_?success\b)(?:[^\n]*?\([0-9]+ vs\. 0\)[^A-Za-z\n]{1,6}|\. [0-9]+ vs 0\. Error at: [^\n]*?: )",
    r"(?:^|Check failed: [^\n]*? )CUDA: ",
    r"\bTriton Error \[(?:CUDA|HIP)\]: (?: Code: [0-9]+, Messs?age: )?",
    r"\b(?:cudaError|CUDA_ERROR_|hipError)[A-Za-z_]+(?: \([0-9]+\))?[ ,:\"'()]{1,4}",
)
# The same of programs without a framework, in words that name CUDA in passing or not at all.
_OF_PROGRAM = (
    r"(?i:\bkernel launch fail(?:ed|ure)):? ?\(?",
    r"\bcudaError_t [0-9]+ : \"|\[cuda\] {1,6}|\(CUDA\) ",  # Kaldi, jetson-utils, QUDA
    # "error in nms_kernel: ", "Error in load_const (gpu_burn-drv.cpp:123): ", and the samples of the toolkit
    r"(?i:\berror in \w*(?:kernel|cuda|im2col|col2im|pool|roi|nms|gpu)\w*: )|\bError in \w+ \(gpu_burn\S+\): |\(error code ",
    # a line of CUDA's source: "kernels.cu(12): "
    r"(?i:\.cuh?['\")>\]]?[:, (@]{1,3}(?:(?:at )?line:? ?)?[0-9]{1,5}[)\]]?)[: ,-]{1,4}(?:[^\n]*?[: ('\"])?",
    # algorithms of Thrust and CUB
    r"\b(?:parallel_for|for_each|reduce_by_key|copy_if|(?:in|ex)clusive_scan|radix_sort|merge_sort|uninitialized_\w+)"
    r"(?: failed|: failed [a-z ]+): |\b\w+:? failed (?:to synchronize|on [12](?:st|nd) step): "
    r"|\bafter reduction step [12]: |\btrivial_device_copy \w->\w failed: ",
    # Triton Inference Server: "unable to create stream: ", "failed to open CUDA IPC handle: ", "Failed to open the cudaIpcHandle. error: "
    r"(?i:\b(?:unable|failed) to (?:create stream(?: for \w+ \w+)?|get number of cuda devices|set device for \S+"
    r"|use CUDA copy for tensor \S+"
    r"|(?:open|close|get|share|create|destroy|synchronize|use|set|recover|revert|record|start|finish|instantiate|allocate|release)"
    r" [^\n:.]{0,40}?\bcuda[^\n:.]{0,60}))(?:\. error)?: (?:\[[0-9]+\] )?",
    # NAMD, nvfortran, RMM, Theano, AMBER, xmrig, Qiskit Aer, OpenCV
    r" device [0-9]+ pci [0-9a-f:.]+\): |\bALLOCATE: [0-9]+ bytes requested; status = [0-9]+\(|\bbytes of device memory \("
    r"|\bRMM_(?:ALLOC|REALLOC|FREE): |\bgpu_\w+: (?:down|up)load failed |\bthread #[0-9]+ failed with error <[^>\n]+>:[0-9]+ \""
    r"|\berror: GPU API call : |\b(?:ChunkContainer|TensorNet)::\w+[^\n:]* :{1,2} |\bGpu API call\)? \(?|\(-217\) ",
)
# A function of CUDA's that failed; those for memory of the host apart from the others.
_FAILED = rf"(?:\([^\n]*?\) ?:|(?:[^\n]*?(?:failed|failure|returned|error)\b|:| ->)(?: [A-Z_]+,)?){_GAP}"
_DEVICE_CALL = (
    r"(?:cuda(?:[A-GI-LN-Z]\w*|Mem\w*|Malloc(?:[A-GI-Z0-9]\w*)?)|hip(?:[A-GI-LN-Z]\w*|Mem\w*|Malloc(?:[A-GI-Z0-9]\w*)?)"
    r"|cu(?:Ctx|Module|Launch|Stream|Event|Device|Init|Link|Func|Graph|Array|Library|Kernel|Ipc|Driver|Pointer)\w*"
    r"|cuMem(?:Alloc(?:[A-GI-Z_]\w*)?|[B-GI-Za-z]\w*|A[a-km-z]\w*))"
)
_HOST_CALL = r"(?:cuda(?:Host\w+|MallocHost)|hip(?:Host\w+|MallocHost)|cuMem(?:Host\w+|AllocHost\w*))"
# Programs that check with glog print both sides: "Check failed: error == cudaSuccess (77 vs. 0)"; the text behind is often lost.
_CHECKED = r"(?-i:\b(?:cuda|hip)Success (?:== [^\n]{1,100}? \(0 vs\. |\())"
# The place before the number, as the macro of TensorRT's plugins does: "Cuda failure in file 'yololayer.cu' line 51: 35".
_PLACED = r"(?i:\bcuda failure in file '[^'\n]{1,200}' line [0-9]{1,6}: ?)"
# TensorRT up to 7: "engine.cpp (725) - Cuda Error in reportTimes: 77"; the text of the error follows from 6 on only.
_RUNNER = r"(?i:\) - cuda error in \w{2,60}: )"
# XLA and TensorFlow, for codes that they have no word for: "Failed call to hipGetFuncBySymbol: hipError_t(98)".
_TYPED = r"\b(?:hipError_t|cudaError_t|CUresult)\("
HOLES: dict[str, str] = {
    "SIZE": r"[0-9][0-9.,]*[ \t]?(?:[kKMGTP]i?[Bb](?:ytes)?|[KMGT]|[Bb]ytes?|B)",
    "INT": r"-?[0-9]+",
    "NUM": r"-?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?",
    "DURATION": (
        r"(?:[0-9]+ days?, )?[0-9]+(?::[0-9]{2}:[0-9]{2})?(?:\.[0-9]+)?[ \t]*"
        r"(?:milliseconds?|microseconds?|seconds?|minutes?|hours?|msecs?|secs?|mins?|ms|us|s)?"
    ),
    "WORD": r"[A-Za-z0-9_.\-]+",
    "NAME": r"[A-Za-z_][A-Za-z0-9_.:\-]*",
    "PATH": r"(?:[A-Za-z]:)?[^\s'\"`:,;()<>|]+",
    "DEVICE": r"(?:cuda|cpu|xpu|mps|hip|npu|meta|privateuseone|xla|hpu|musa|CUDA|CPU|GPU|gpu)(?:[: ][0-9]+)?",
    "DTYPE": r"(?:c10::|torch\.|at::)?[A-Za-z](?:[A-Za-z0-9_.]*[A-Za-z0-9_])?",
    "VERSION": r"v?[0-9]+(?:\.[0-9]+)*(?:[A-Za-z0-9_.+\-]*[A-Za-z0-9])?",
    "HEX": r"(?:0x)?[0-9a-fA-F_]+",
    "HOST": r"[A-Za-z0-9_.\-:\[\]]*[A-Za-z0-9_\]]",
    "QUOTED": r"(?:'[^']*'|\"[^\"]*\"|`[^`]*`)",
    "LIST": r"(?:\[[^\]]*\]|\([^)]*\))",
    "ANY": r".*?",
    "REST": r".*",
    "PCI": r"(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2})?(?:\.[0-9a-fA-F])?",
    "OP": r"[A-Za-z_][A-Za-z0-9_:.<>, ~\-]*",
    "SM": r"(?:sm_|compute_)?[0-9]{1,3}(?:\.[0-9])?[a-z]?",
    "OPERATOR": f"(?:{'|'.join(_OPERATORS)})",  # as people name one, without its module
    "PACKAGE": f"(?:{'|'.join(_PACKAGES)})",  # what others ask for by version
    "COMPILED": f"(?:{'|'.join(_COMPILED)})",
    "NOMODULE": f"(?:{'|'.join(_DLL_126)})",
    "NOPROCEDURE": f"(?:{'|'.join(_DLL_127)})",
    "NOSTART": f"(?:{'|'.join(_DLL_1114)})",
    # What programs print before the text of an error of CUDA or HIP; and in two parts, without calls for the memory of the host.
    "OFGPU": rf"(?:{'|'.join((*_OF_CUDA, *_OF_PROGRAM))}|\b(?-i:(?:{_DEVICE_CALL}|{_HOST_CALL})){_FAILED})",
    "OFCUDA": rf"(?:{'|'.join(_OF_CUDA)}|\b(?-i:{_DEVICE_CALL}){_FAILED})",
    "OFPROGRAM": rf"(?:{'|'.join(_OF_PROGRAM)})",
    # What follows such a text in such a program: a line of CUDA's source, a function of CUDA's, or a place as some print it.
    "INGPU": (
        r"(?:['\"):.,!;\]]{0,3}(?: {1,2}(?:at|in|from|file|(?:GPU|CUDA) error at|line [0-9]+ in(?: file)?|[0-9]+)){0,2}[: ]{0,2}"
        r"[<'\"(\[]?[^\s:]*\.cuh?\b"
        r"|(?-i: in cu[A-Z]\w+ ?\(| (?:cuda|cu|hip)[A-Z]\w+\(|['\"]\([0-9]+\) (?:from|at) hip\w+\(| launching kernel \w)"
        r"| in \S+ at line [0-9]+ \(error-code| before \S+:[0-9]| at line [0-9]+ in file \S*pythonInterface\.c|['\"] on CUDA API call)"
    ),
    # What stands before the number of such an error where no text follows: "CUDA error code 700", "cuMemAlloc_v2 failed with error (",
    # "cudaMemcpy(...) failed; Error code: [". Libraries on top of CUDA count their own: cublasCreate, cuDNN and the like don't fit.
    "STATUS": (
        r"(?:(?i:\b(?:cuda|hip)(?: (?:driver|runtime|api|kernel))* ?(?:error|failure|exception)(?: (?:code|number|status))?"
        r"|\bcuda initiali[sz]ation (?:failure|failed) with error"  # TensorRT's, before the number of cudaFree(0)
        r"|\bcuda (?:execution )?failed with error)"  # of spconv and cumm
        rf"[ :=#(\['\"]{{0,4}}|\b{_CUDA_CALL} (?:returned|failed|error)"
        r"(?i:[;,.!]? ?(?:(?:with|an?|error|status|code|result|value)\b ?){0,4})[ :=#(\['\"]{0,4}"
        rf"|\bPhysX error: [A-Z][^\n]{{0,80}}? fail(?:ed)?(?: to launch(?: kernel)?)?!{{1,2}} "
        rf"|{_DISCOVERED}|{_CHECKED}|{_PLACED}|{_RUNNER}|{_TYPED})"
    ),
    # The same before a number of one or two digits, which many a line holds: only where the words leave no doubt.
    "CODE": (
        r"(?:(?i:\b(?:cuda (?:error|failure|exception)|cuda[ _](?:runtime|driver|api)[ _]error|cuda runtime failure|hip error"
        r"|cuda initiali[sz]ation (?:failure|failed) with error|cuda (?:execution )?failed with error)"
        r"(?: (?:code|number|status))?)[ :=#(\['\"]{0,4}"
        rf"|\b{_CUDA_CALL} (?:failed(?: with (?:error|status|code)|(?: in [\w:]{{3,80}})?[;,] [Ee]rror code|: error)"
        r"|returned (?:error|status|code))"
        rf"(?: code)?[ :=#(\['\"]{{1,4}}|{_DISCOVERED}|{_CHECKED}|{_PLACED}|{_RUNNER}|{_TYPED})"
    ),
    # Before the name of such an error where it stands in quotes or has another prefix: Paddle's hint, TensorFlow on ROCm, Numba
    # but for its linking, whose errors have readings of their own.
    "HINTED": r"(?:\[Hint: '(?:cuda|hip)Error|\b(?:HIP|ROCM)_ERROR_|\bCall to cu(?:[A-KM-Z]|L[a-hj-z])\w{2,39} results in CUDA_ERROR_)",
    # The same of NVML, whose codes have numbers of their own: "nvmlInit_v2 failed with error ", "NVML error: ".
    "NVML": (
        r"(?:\bnvml[A-Z]\w*(?:\([^\n]*?\))? ?(?:returned|failed|error|->|=>|=)"
        r"(?i:[;,.!:]? ?(?:(?:with|an?|nvml|error|status|code|result|value|return|ret|rc)\b ?){0,4})[ :=#(\['\"]{0,4}"
        r"|(?i:\bnvml(?:return_t)?(?: library)?(?: init\w*)? ?(?:error|failure|failed|returned|return|status|code)"
        r"(?:,? (?:with|error|status|code|value|number)){0,3})[ :=#(\['\"]{0,4}"
        r"|\bFailed to initialize NVML: ?)"
    ),
    # A back end of ggml in the path of its source, and the rest of the path up to the line: "ggml-cuda/getrows.cu:240".
    "GGML": "cuda|hip|metal|vulkan|sycl|cann|opencl|musa|webgpu",
    "GGMLFILE": r"(?:[-/\\][\w./\\-]{1,80})?\.(?:cu|cuh|m|mm|cpp|hpp|h):[0-9]+",
    # What ends such a number: a bracket, a quote, the end of the line, or where it happened; not further digits, units or counts.
    "CODED": r"(?:[\])'\"`!;,?，。；]| \?|: | vs\. 0\)|\.? *$| (?:in|at|after|while|when)\b|(?-i:\[cu(?:da)?[A-Z]\w+\())",
    # The same of OpenCL, whose errors are negative: "clEnqueueReadBuffer (", "clFinish(): CL_", "[GPU] clFlush, error code: ".
    "OPENCL": (
        r"(?:\bCL ERROR CODE ?: ?|"  # MNN
        r"(?:\bcl(?:Build|Compile|Create|Enqueue|Finish|Flush|Get|Link|Release|Retain|Set|SVM|Wait)\w*(?:\([^\n]*?\))?"
        r"(?:,? (?:failed|returned|error))?|(?i:\bopencl (?:error|failure|exception)|\bopencl ?(?:后端)?(?:报错|错误码?)))"
        r"(?i:[;,.!:]? ?(?:(?:with|an?|error|status|code|result|value|encountered)\b ?){0,4})[ :=#(\['\"]{0,4}(?:- )?(?:CL_)?)"
    ),
    # What stands before a return code of CANN's runtime, as torch_npu, Paddle's plug-in, MindSpore and CANN itself print it.
    "ACL": (
        r"(?:\b(?:NPU|OPS|HCCL) function error ?: ?[^\n]*?, ?error code is ?|\bACL error, ?the error code is ?: ?"
        r"|\bCall ascend api <[^\n]*? failed, error code \[|\b[Cc]all (?:rt api )?(?:rt|acl)\w+ failed[.,]? ?ret(?:: |\[)"
        r"|\b(?:rt|acl)[A-Z]\w+[^\n]*?\b(?i:fail(?:ed)?|error)\b[^\n]*?\b(?i:ret(?:code)?|error ?code|result)(?: is|:|=|\[| =| :){1,2} ?"
        r"|\bruntime result = |\bret[Cc]ode[=:] ?"
        # programs in C++ and Python on AscendCL, after CANN's samples
        r"|\bacl(?:rt|mdl|op|tdt|vdec)?[A-Z.][\w.]*(?:\([^\n]{0,160}?\))? failed(?:\. ERROR|,? error(?: code)?)?:? ?(?:ret=)?"
        r"|\bfailed[.,][^\n]{0,90}?\b(?:errorCode|ret) ?(?:=|is|:) ?|\bfailed\. ERROR: |\baclError: ?|\bCANN failure )"
    ),
    # The same before the reason that the runtime gives in words.
    "ACLWHY": r"(?:\b(?:rt|acl)[A-Z]\w+ execut(?:e|ion) failed, ?reason=\[?)",
    # What leads up to the release that was found, after the one that is asked for: ", but found ", ". Current version: ".
    "FINDS": (
        r"(?:.{0,80}?\b(?:found|[Cc]urrent|you have|[Dd]etected|[Ii]nstalled|but|[Yy]our version|you are using|got)\b[^0-9\n]{0,30}?)"
    ),
    # What stands before the words of what is raised, or logged as an error: "RuntimeError: ", "AssertionError: sorry, ".
    "RAISED": r"(?:Error|Exception|Exit|ERROR|FATAL|CRITICAL): (?:.{0,160}[ ,])?",
    # How programs name a way to compute attention.
    "ATTENTION": (
        r"(?:\b(?:[Ff]lash[- _]?[Aa]ttention|flash_attn\w*|flash-attn|FlashAttn\w*|FA[2-4](?: SDPA| flash_attention)?|[Ff]lash[Ii]nfer"
        r"|FlashMLA|[Xx][Ff]ormers|(?:Torch )?SDPA|[Ff]lex[_ ]?[Aa]ttention|[Ss]age[- _]?[Aa]ttention|[Rr]ing [Aa]ttention|FMHAv2"
        r"|FLASH_ATTN\w*|FLASHINFER\w*|TRITON_ATTN\w*|XFORMERS|[Tt]riton [Aa]ttention|MSA block-sparse attention|\w+_flash_attn\w*)"
        r"(?:[- ]?v?[1-4](?:\.[0-9])?)?(?:`?(?: (?:backend|kernels?|implementation|prefill|decode|forward|backward)){1,2})?"
        r"(?: on SM[0-9]{2,3})?)"
    ),
    # How programs name a GPU when any would do: "at least one NVIDIA GPU", "a CUDA-capable device", "CUDA".
    "ANYGPU": (
        r"(?:(?:an?|any|the|at least (?:one|1|a)|one|1|single|usable|suitable|visible|available|accessible|supported|compatible|physical"
        r"|valid|working|(?i:nvidia|amd|cuda|hip|rocm|xpu|gpu)(?:[- ](?:capable|enabled|compatible))?) ){0,4}"
        r"(?:(?i:gpu|cuda|hip|rocm|xpu)s?(?:[- ](?:(?:capable|enabled|compatible|graphics) )?(?i:device|gpu|accelerator|card)s?)?"
        r"|(?:graphics|video) cards?)"
    ),
    # What may follow where nothing more is asked of it: not the number of a version, not tensors, not its memory.
    "ALONE": (
        r"(?:[.;:!]|, [a-z]{2,}\b|,$| ?\(|\s*$| but\b| and no\b| to (?:run|be|use|work|train|execute|function|operate)\b| in order\b"
        r"| for (?:training|inference|this|that)\b| (?:on|in) (?:this|your|the)\b| or \w+ device)"
    ),
    # How people say that what they tried did not suffice: "…, but it still fails".
    "VAIN": (
        r"(?:\bbut (?:it|that|this|the (?:same|error|problem|issue)|no|nothing|i (?:get|got)|unfortunately|with no)\b|\bstill\b|\bsame\b"
        r"|\bno (?:luck|help|use|effect|hope)\b|\b(?:not|n.t) (?:help|work|solve|fix)\b|没用|无效|还是|仍|依然)"
    ),
    # How people say that something makes the failure go away: "…, and everything works".
    "HELPS": (
        r"(?:\b(?:works?|worked|working|succeeds?|succeeded|(?:is|are|was|were) (?:ok|okay|fine|normal))\b"
        r"|\b(?:runs?|ran|running|trains)(?: again| fine| well| ok| normally| smoothly| correctly| perfectly| without|\s*[.,;!)]|\s*$)"
        r"|\b(?:help(?:s|ed)?|fix(?:es|ed)|solve[sd]|resolve[sd]) (?:it|this|that|the (?:problem|issue|error))\b"
        r"|\b(?:error|problem|issue|it) (?:is gone|goes away|went away|disappears?|disappeared|vanishe[sd])\b)"
    ),
    # How people lead up to an error that they name in a sentence, and what may stand between: "with two cards I only get an …".
    "TELLS": (
        r"(?:\b(?:get|gets|got|getting|gives?|gave|giving|say|says|said|saying|raises?|raised|raising|throws?|threw|throwing|sees?|saw|seeing"
        r"|hits?|hitting|have|had|shows?|showed|reports?|reported|complain(?:s|ed|ing)?|encounter(?:s|ed|ing)?|fac(?:es?|ed|ing)"
        r"|fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|stop(?:s|ped)?|ends?|ended|die[sd]?|becomes?|became|turns?|runs? into|ran into"
        r"|running into|there (?:is|was|are|were|will be)|errors?|errored|(?:led|lead(?:s|ing)?) to|results? in|resulted in|causes?|caused"
        r"|(?:before(?: that)?|previously|earlier|at first|now|then|sometimes|once),? (?:it|this|that|the error) (?:is|was)|refuse[sd]?"
        r"|brings?|goes|went|comes?|came|met|meets?|receiv(?:e|es|ed|ing)|(?:will|would|it) prompts?|prompts (?:me|that|an?)|pops? up"
        r"|tells? me|told me|prints?|printed|warns?|warned|quits?|exits? with|exited with|produc(?:e|es|ed|ing)|yield(?:s|ed)?"
        r"|counts?|counted|lists?|listed|logs?|logged|finds?|found|notic(?:e|es|ed)|observ(?:e|es|ed)|triggers?|triggered"
        r"|(?:it|there) (?:will )?(?:occurs?|occurr?ed|appears?|appeared)"
        r"|(?:troubled|bothered|plagued|annoyed) (?:by|with)|suffer(?:s|ed|ing)? from|struggl(?:e|es|ed|ing) with"
        r"|managed to (?:fix|solve|resolve|avoid|get (?:rid of|past|over|around))"
        r"|fix(?:ed|ing)|solv(?:ed|ing)|resolv(?:ed|ing)|got (?:rid of|past)|avoids|avoided"
        r"|(?:it|this|that|error|which)(?: is|.s| was) (?:then |now |always |only |just |instead )?(?:an?|the|[\"'`“]))(?:\b|[^\w])"
        r"|报|出现|遇到|碰到|提示|抛出|触发|导致|变成|变为|显示|说|又是|则是|[上时后]是)[^\n.;。；]{0,60}?"
    ),
    # What stands around an error that is a title of its own: "[Bug]: NCCL error when …", and what people say of one that they met.
    "TITLED": (
        r"^(?:#{1,4} )?(?:\[[\w /-]{1,20}\]:? ?){0,2}(?:(?:bug|issue|question|help|error)[:：] ?)?"
        r"[\"'`“]?(?:(?:an?|the|getting|random) )?"
    ),
    "WHEN": (
        r"[\"'`”]?(?: errors?| issues?| problems?| failures?)?"
        r"(?:,? (?:for|with|on|when|in|during|at|using|after|while|if|every|despite|even|but|from|as|and|then|before|too|instead|again)\b"
        r"|\W{0,3}$)"
    ),
    "OCCURS": (
        r"[^\n.;,]{0,24}?\b(?:(?:occurr|appear|happen)ed|(?:popped|showed|came) up|was (?:thrown|raised|reported|printed|shown)"
        r"|(?:occurs|appears|happens|pops up|shows up|comes up)"
        r"(?: (?:again|after|every|at|randomly|sometimes|as soon|immediately|on my|in my|when i|even)\b|\W{0,3}$))"
    ),
    # That something did not go well, without the words of a message: "torch.compile crashes", "the build does not work here".
    "FAILS": (
        r"(?:\b(?:fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|die[sd]|errors?|errored|aborts?|aborted|refuse[sd]?|reject(?:s|ed)"
        r"|complain(?:s|ed)?|breaks|broke|broken|impossible|unable|raise[sd]?|throws?|threw"
        r"|(?:does|do|did|is|are|was|were|could) ?(?:not|n.t)(?: \w+){0,2}? (?:work|possible|supported|available|installed|found|usable"
        r"|used|run|load|compile|compiled|build|built|start|imported|importable|an option|find|see)"
        r"|(?:cannot|can ?not|can.t) (?:be|find|see|load|run|use|build|compile|import|handle))\b"
        r"|报错|失败|崩溃|不行|出错|不支持|用不了)"
    ),
    # How people name work that several GPUs share, and a program that does not go on.
    "SHARED": (
        r"(?:\b(?:(?:[2-9]|1[0-9]|two|three|four|six|eight|both|multiple|several|more than one)[ -]?x? ?"
        r"(?:\w+ ){0,2}?(?:gpus?|cards|nodes|ranks|machines)"
        r"|-{0,2}(?:tp|pp|dp)(?:[-_]size)?[ =]?[2-9]|(?:tensor|pipeline|expert)[-_ ]parallel\w*(?:[-_]size)?"
        r"|(?:num|nproc)[-_]\w+[ =][2-9]|fsdp|ddp|zero-?[23]|torchrun|distributed training|multi[- ]?(?:gpu|node)"
        r"|(?:other|remaining|all)(?: [0-9]{1,5})? (?:ranks|workers|gpus)|every (?:rank|worker|gpu)"
        r"|rank ?[0-9]+|init[_ ]process[_ ]group)\b"
        r"|双卡|多卡|[两四八2-9] ?张?卡|多机|其他(?:卡|进程))"
    ),
    "HANGS": (
        r"(?:\b(?:hangs?|hung|hanging|stuck|freezes?|froze|frozen|stalls?|stalled|deadlocks?|deadlocked"
        r"|waits? (?:forever|endlessly|for (?:the )?(?:others?|dead))|blocked (?:on|in|for)|no progress"
        r"|never (?:returns|finishes|starts|continues|ends|comes up|gets (?:past|beyond|to)))\b"
        r"|卡住|卡死|卡在|挂起|不动了|(?:一直|一动|停着|卡着|就)不动)"
    ),
}
