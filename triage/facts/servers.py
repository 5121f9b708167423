"""The programs that serve a model: the one list of them, which the fix library, the words for readers and lines to paste go by."""

from __future__ import annotations

from collections.abc import Collection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# How each is started, NAME being the model; '' where it has many ways, or is a library under a program of somebody's own.
SERVERS: Final = {
    "vllm": "vllm serve NAME",
    "sglang": "python -m sglang.launch_server --model-path NAME",
    "tgi": "text-generation-launcher --model-id NAME",
    "tensorrt-llm": "trtllm-serve NAME",
    "lmdeploy": "lmdeploy serve api_server NAME",
    "ktransformers": "python ktransformers/server/main.py --model_path NAME --gguf_path GGUF",
    "fastchat": "python3 -m fastchat.serve.model_worker --model-path NAME",
    "infinity": "infinity_emb v2 --model-id NAME",
    "tei": "text-embeddings-router --model-id NAME",
    "mlc-llm": "",
    "exllama": "",
    "ggml": "",
}
# Those that embed texts: they keep no cache between requests, and each card serves a whole model.
EMBED: Final = frozenset(("infinity", "tei"))
STARTED_BY: Final = {name: line for name, line in SERVERS.items() if line}
# Those that users upgrade as the Python package of the same name; the others come as images or are built.
PACKAGED: Final = frozenset(("vllm", "sglang", "lmdeploy"))


def only_server(shown: Collection[str], among: Collection[str]) -> str:
    """The one server of `among` that is shown, '' where none is or several are. SGLang takes parts of vLLM, so that it counts before it."""
    servers = [name for name in among if name in shown]
    if "sglang" in servers:
        return "sglang"
    return servers[0] if len(servers) == 1 else ""
