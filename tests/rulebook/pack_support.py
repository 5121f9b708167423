"""Rule packs for tests: one that adds a failure and a case, and what makes variations of it."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """
pack: acme
title: {en: Failures of the toy allocator, zh: 玩具分配器的故障}
schema: 1
engine: ">=0.1"
"""
RULE = """
failure: memory.gpu-oom/toy
title: {en: Toy ran out, zh: 玩具显存不足}
signatures:
  - id: toy
    text: 'toy allocator refused %{SIZE:requested_bytes}'
diagnoses:
  - id: toy-large
    cause: request-too-large
    when:
      - test: requested_bytes > 1 GiB
    confidence: 0.9
    cases: [toy-case]
    fixes:
      - id: reduce-batch-or-sequence
        leads_to: [memory.gpu-oom.toy-plain]
  - id: toy-plain
    confidence: 0.7
    fixes: [larger-gpu]
"""
CASE = """
id: toy-case
title: {en: A toy that was too large, zh: 过大的玩具}
symptom: ["toy allocator refused 2 GiB"]
family: memory.gpu-oom
cause: {en: It was too large., zh: 太大。}
fix: {en: Take a smaller toy., zh: 换小一点的玩具。}
fixes: [reduce-batch-or-sequence]
outcome: reported
source: [{url: "https://example.org/toy/1"}]
date: 2026-01-01
"""
LOG = "toy allocator refused 2 GiB"
OOM = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 23.65 GiB total capacity; 20.12 GiB already "
    "allocated; 1.10 GiB free; 22.30 GiB reserved in total by PyTorch)"
)


def write_pack(directory: Path, rule: str = RULE, manifest: str | None = MANIFEST, case: str | None = CASE) -> Path:
    """A pack in a directory that is made for it."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "toy.yaml").write_text(rule, encoding="utf-8")
    if manifest is not None:
        (directory / "pack.yaml").write_text(manifest, encoding="utf-8")
    if case is not None:
        (directory / "cases").mkdir(exist_ok=True)
        (directory / "cases" / "toy-case.yaml").write_text(case, encoding="utf-8")
    return directory
