"""Number formats that no GPU of the text computes in, or not the server's release: they are not advised."""

from __future__ import annotations

from functools import cached_property

from triage.engine.values import Version
from triage.reading.lazy import Pattern
from triage.report.told import capabilities, versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triage.engine.model import Model

_FAMILIES = "memory."  # elsewhere a format is what failed, or what is asked about
_FIRST_WITH_BF16 = Version((8, 0))
_FIRST_WITH_FP8 = Version((0, 5))  # of vLLM; its cache took one of the two formats since 0.3
# Of what is advised about memory; the longer words stand before those that they hold.
_WITHOUT_BF16 = {
    "torch.bfloat16": "torch.float16",
    "'bf16-mixed'  # before Ampere: '16-mixed'": "'16-mixed'",
    '"bf16"': '"fp16"',
    "bf16: auto": "fp16: true",
    "bf16: true": "fp16: true",
    "(bf16=True)": "(fp16=True)",
    "zero3_bf16": "zero3",
    "mixed_precision=bf16 --full_bf16": "mixed_precision=fp16 --full_fp16",
}
# Servers compute with weights and caches in FP8 on the same cards.
_WITHOUT_FP8 = ("--quantization fp8", "--kv-cache-dtype fp8", "float8_kv_cache=True)")
_OF_FP8 = Pattern(r"[^.\u3002]*(?:FP8 KV cache holds|FP8 KV \u7f13\u5b58\u53ef\u5bb9\u7eb3)[^.\u3002]*[.\u3002] ?")


class Precision:
    """Puts what is advised about memory into a number format that the reader's GPUs have."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def said(self, text: str, identifier: str) -> str:
        """What is said of a fix of a diagnosis, without such a format."""
        if not identifier.startswith(_FAMILIES) or not (self._before_bf16 or self._before_fp8) or not _OF_FP8.search(text):
            return text
        return _OF_FP8.sub("", text).rstrip()

    @cached_property
    def _before_bf16(self) -> bool:
        """Whether all GPUs of the text are from before Ampere."""
        cards = capabilities(self._model)
        return bool(cards) and cards[-1] < _FIRST_WITH_BF16

    @cached_property
    def _before_fp8(self) -> bool:
        """Whether the text names a vLLM from before it took weights and caches in FP8."""
        told = versions(self._model, "vllm")
        return bool(told) and told[-1] < _FIRST_WITH_FP8

    def lines(self, lines: list[str], identifier: str) -> list[str]:
        """The lines to paste with fp16 in place of bf16 where all GPUs of the text are from before Ampere, which computes in it first."""
        if not identifier.startswith(_FAMILIES):
            return lines
        if self._before_bf16 or self._before_fp8:
            lines = [line for line in lines if not line.endswith(_WITHOUT_FP8)]
        if not self._before_bf16:
            return lines
        for word, instead in _WITHOUT_BF16.items():
            lines = [line.replace(word, instead) for line in lines]
        return lines
