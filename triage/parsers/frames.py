"""Where a Python frame lies: in the user's own code, the standard library or an installed package."""

from __future__ import annotations

import re

from triage.reading.lazy import Pattern

_PACKAGE = Pattern(r"(?:site|dist)-packages[\\/](?:[\w.+-]+\.egg[\\/])?([\w.-]+)")
_STANDARD_LIBRARY = Pattern(
    r"[\\/]lib(?:64)?[\\/](?:python|pypy)[0-9]|<frozen |[\\/]python[0-9.]{0,5}[\\/]lib[\\/]|\A[A-Za-z]:[^:]*\\lib\\", re.IGNORECASE
)
_SCRIPT = Pattern(r"[\\/](?:bin|Scripts)[\\/][^\\/.]+(?:\.exe[\\/]__main__\.py)?\Z|\.exe[\\/]__main__\.py\Z")
# Where pip unpacks what it builds: …/pip-install-x1y2/flash-attn_ab12/setup.py
_UNPACKED = Pattern(r"[\\/]pip-(?:install|req-build|build-env|download|wheel)-[^\\/]+[\\/]")
_MARKS = ("lib", "Lib", "LIB", "<frozen", "bin/", "bin\\", "Scripts", ".exe")  # of the two, without a pattern
# Large packages that images and developers install from a checkout: /opt/vllm/vllm/…, /workspace/DeepSpeed/deepspeed/…
_CHECKOUTS = (
    "vllm", "sglang", "transformers", "torch", "deepspeed", "megatron", "accelerate", "peft", "trl", "diffusers", "flash_attn", "xformers",
    "tensorrt_llm", "lmdeploy", "nemo", "fairseq", "triton", "bitsandbytes", "ray", "verl", "llamafactory", "lightning", "apex",
    "axolotl", "detectron2", "unsloth",
)  # fmt: skip
# Programs that are run, not written, by those who ask: what their directories are called (ComfyUI_windows_portable, sd-webui-aki-v4).
_APPLICATION = Pattern(
    r"[\\/](?:(?:custom_nodes|(?:comfyui|stable-diffusion-webui|stable_diffusion_webui|sd-webui|sd\.webui|webui_forge|sd-scripts|kohya_ss"
    r"|invokeai|fooocus|text-generation-webui|onetrainer|fluxgym|facefusion|swarmui|sdnext)[^\\/]{0,60})[\\/]"
    r"|webui[\\/](?:launch|webui|modules|extensions)\b)",
    re.IGNORECASE,
)
_CALL = Pattern(
    r"(?<![\w.])(?:torch|dist|nn|F|functional|_C|_nn|_VF|VF|np|numpy|jnp|lax|tf|cp|cupy|paddle|ops|_ext|ext_module|\w{2,24}_(?:cuda|ext|ops))"
    r"(?:\.[A-Za-z_]\w{0,60}){0,4}?\.([a-z_]\w{1,60})\("
)
# Methods of tensors that check the shapes, dtypes or devices of what they are given: x.view(2, -1), energy.masked_fill(mask == 0, -1e9)
_METHOD = Pattern(
    r"\.(view|reshape|view_as|expand|expand_as|unflatten|permute|repeat_interleave|masked_fill|masked_scatter|masked_select|matmul|bmm|addmm|baddbmm"
    r"|index_select|index_add|index_copy|index_fill|gather|scatter|scatter_add|scatter_reduce|addcmul|addcdiv|tensordot|cumsum|argsort"
    r"|gt|ge|lt|le|eq|ne|mul|div|add|sub|mm|mv|dot|copy|lerp|where)_?\("
)
# Methods that make a tensor anew: what a line calls where it calls none of those above.
_COPYING = Pattern(
    r"\.(float|half|bfloat16|contiguous|clone|repeat|sum|mean|sort|chunk|split|unfold|norm|exp|pow|sigmoid|tanh|clamp|unique|nonzero"
    r"|new_zeros|new_ones|new_full|new_empty|log_softmax|logsumexp|flip|roll)_?\("
)
# Functions that are imported by name.
_BARE = Pattern(r"\b(einsum|scaled_dot_product_attention|memory_efficient_attention|flash_attn_(?:[a-z]{3,10}_){0,3}func)\(")
_NO_OPERATORS = frozenset((
    "fwd", "bwd", "forward",
    "no_grad", "inference_mode", "autocast", "device", "empty_cache", "synchronize", "backward", "run_backward", "apply", "load", "save",
    "enable_grad", "set_grad_enabled", "load_state_dict", "is_available", "manual_seed", "checkpoint", "compile", "jit", "grad",
))  # fmt: skip
# The last four are where CuPy 7 has them.
_BACKENDS = ("cupy_backends.cuda.", "cupy.cuda.runtime.", "cupy.cuda.driver.", "cupy.cuda.cublas.", "cupy.cuda.cudnn.")
_INSTALLED_ROOTS = ("/opt/", "/workspace/", "/usr/", "/sgl-workspace/", "/vllm-workspace/", "/app/", "/build/")


def operator_of(code: str) -> str:
    """Name of the framework's function, or else of the tensor's method, that a line of source calls; '' where none is seen.

    `return torch._C._nn.gelu(x)` → gelu, `x = x.view(n, -1)` → view.
    """
    for call in _CALL.finditer(code[:500]):
        if call[1] not in _NO_OPERATORS:
            return call[1]
    bare = _BARE.search(code[:500])
    if bare is not None:
        return bare[1]
    for pattern in (_METHOD, _COPYING):
        methods = {call[1] for call in pattern.finditer(code[:500])}
        if methods:
            return methods.pop() if len(methods) == 1 else ""  # of several it is unknown which one failed
    return "matmul" if code[:500].count(" @ ") == 1 else ""


def checked_by(path: str, function: str, code: str) -> str:
    """The function of torch.nn.functional that refuses its arguments itself, or the one that NumPy dispatches; '' for other lines."""
    if path.startswith("<__array_function__"):
        return function
    return function if code.lstrip().startswith("raise ") and path.replace("\\", "/").endswith("torch/nn/functional.py") else ""


def backend_call(functions: list[str]) -> str:
    """The call of a CUDA library that CuPy's compiled frames name, past the check of its status: gemmEx; '' where there is none."""
    for function in reversed(functions[-3:]):
        if not function.startswith(_BACKENDS):
            break
        name = function.rsplit(".", 1)[-1]
        if not name.startswith("check_"):
            return name
    return ""


# Cython names its sources by where they lay when the package was built.
_CYTHON = Pattern(r"(?:([A-Za-z]\w*)/(?:\w+/)*\w+|_([a-z]\w*))\.(?:pyx|pxi)\Z")


def package_of(path: str) -> str:
    """Distribution-like name of the installed package that a path lies in, lower case; '' for other paths."""
    match = _PACKAGE.search(path)
    if match:
        return match[1].removesuffix(".py").lower()
    if "transformers_modules" in path:
        return "transformers_modules"
    if path.endswith((".pyx", ".pxi")) and (compiled := _CYTHON.match(path)):
        name = compiled[1] or compiled[2]
        return "cupy" if name.startswith("cupy") else name.lower()
    parts = path.replace("\\", "/").lower().split("/")
    for name in _CHECKOUTS:
        if name in parts[:-1]:
            first = parts.index(name)
            if (
                path.startswith(_INSTALLED_ROOTS)
                or (first > 0 and parts[first - 1].replace("-", "_").startswith(name))
                or parts.count(name) > 1
                or (first > 1 and parts[first - 1] == "src")
            ):
                return name
    return ""


def is_user_code(path: str, package: str) -> bool:
    """Whether a path lies outside installed packages, the standard library, launcher scripts and programs that are only run."""
    if package or (any(mark in path for mark in _MARKS) and (_STANDARD_LIBRARY.search(path) or _SCRIPT.search(path))):
        return False
    if "pip-" in path and _UNPACKED.search(path):
        return False
    if "torchinductor" in path or path.endswith((".pyx", ".pxi")):  # what torch.compile generated, or Cython compiled
        return False
    if _APPLICATION.search(path):
        return False
    return path != "<string>" and not path.startswith(("<frozen", "<decorator", "<__array_function__", "<@beartype", "<pip-"))
