"""A small rule base that lint finds nothing wrong with, and a way to spoil it."""

from __future__ import annotations

from pathlib import Path

from triage.rulebook.errors import Problem
from triage.workshop.lint import lint

MODELINE = "# yaml-language-server: $schema=rule.schema.json\n"

TAXONOMY = """
version: 1
families:
  memory.gpu-oom: {en: {title: GPU out of memory, about: No room.}, zh: {title: 显存不足, about: 显存不足。}}
  device.mismatch: {en: {title: Wrong device, about: Two devices.}, zh: {title: 设备不一致, about: 两个设备。}}
causes:
  fragmentation: {en: {title: Fragmentation, about: In pieces.}, zh: {title: 碎片化, about: 不连续。}}
  activations: {en: {title: Activations, about: Large inputs.}, zh: {title: 激活值, about: 输入过大。}}
fixes: [reduce-batch-or-sequence, larger-gpu, empty]
"""
FIXES = """
reduce-batch-or-sequence:
  title: {en: Use a smaller batch, zh: 减小批大小}
  detail: {en: Lower the batch size., zh: 减小批大小。}
  commands: []
  references: ["https://example.org/batch"]
larger-gpu:
  title: {en: Use a larger GPU, zh: 使用更大的显卡}
  detail: {en: Move to a card with more memory., zh: 换用显存更大的显卡。}
  commands: []
  references: ["https://example.org/gpu"]
"""
TABLE = """
table: features
about: The release from which a package knows a setting.
source: [{url: "https://example.org/features", date: 2026-01-01}]
key: [package, name]
join: {package: package}
columns:
  - {name: package, description: distribution name}
  - {name: name, description: what it knows}
  - {name: version, type: version, description: first release that knows it}
rows:
  - [torch, expandable_segments, "2.1"]
"""
COMMON = (
    MODELINE
    + """
rules:
  - id: stands
    when: [{candidate: {"*": bind}}, {not: {overshadowed: {id: $id}}}]
    assert: [{diagnosis: {id: $id, family: $family, cause: $cause, line: $line, confidence: $confidence, specific: $specific}}]
  - id: cause-beats-no-cause
    when: [{candidate: {id: $weak, family: $family, specific: false}}, {candidate: {id: $strong, family: $family, specific: true}}]
    assert: [{overshadowed: {id: $weak, by: $strong}}]
"""
)
HEALTHY = "step 1: loss 2.31, toy arena 3 GiB in use\nstep 2: loss 2.29\n"

GOOD = (
    MODELINE
    + """
failure: memory.gpu-oom/toy
status: stable
title: {en: The toy arena is full, zh: 玩具显存池已满}
about: {en: The arena has a fixed size., zh: 显存池大小固定。}
references:
  - {url: "https://example.org/toy/arena.c", note: the messages}
signatures:
  - id: refused
    text: 'toy arena refused %{SIZE:requested_bytes} of %{SIZE:capacity_bytes}'
    versions: {toy: ">=2.0"}
    source: https://example.org/toy/arena.c
  - id: exhausted
    text: 'toy arena exhausted after %{SIZE:allocated_bytes}'
    versions: {toy: "<2.0"}
    source: https://example.org/toy/v1/arena.c
diagnoses:
  - id: toy-too-large
    cause: activations
    on: refused
    when:
      - test: "requested_bytes > 0.9 * capacity_bytes"
    confidence: 0.9
    summary: {en: "Asked for {requested_bytes|bytes}.", zh: "申请 {requested_bytes|bytes}。"}
    fixes:
      - reduce-batch-or-sequence
      - id: larger-gpu
        when: "requested_bytes > 64 GiB"
        detail: {en: "More than {requested_bytes|bytes}.", zh: "需要超过 {requested_bytes|bytes}。"}
    no_use:
      - id: larger-gpu
        when: "requested_bytes <= 64 GiB"
        why: {en: The arena keeps its size., zh: 显存池大小不变。}
  - id: toy-plain
    confidence: 0.7
    fixes: [reduce-batch-or-sequence]
examples:
  - name: one large request
    text: "ERROR toy arena refused 7 GiB of 7.5 GiB"
    expect: {family: memory.gpu-oom, cause: activations, facts: {requested_bytes: 7 GiB}}
  - name: the wording before 2.0
    text: "ERROR toy arena exhausted after 7 GiB"
    expect: {family: memory.gpu-oom}
  - name: a report of use
    near_miss: true
    text: "the toy arena refused nothing today"
    expect: none
"""
)


class Workplace:
    """A directory with rules, a pack and a small `kb`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rules, self.pack, self.kb = root / "rules", root / "pack", root / "kb"
        for path, text in {
            self.rules / "common.yaml": COMMON,
            self.pack / "toy.yaml": GOOD,
            self.kb / "taxonomy.yaml": TAXONOMY,
            self.kb / "fixes.yaml": FIXES,
            self.kb / "tables" / "features.yaml": TABLE,
            self.kb / "healthy" / "training.log": HEALTHY,
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def write(self, name: str, text: str) -> Path:
        path = self.pack / name
        path.write_text(text, encoding="utf-8")
        return path

    def lint(self) -> list[Problem]:
        """Findings in the pack."""
        return lint([self.pack], rules=self.rules, kb=self.kb)

    def lint_changed(self, old: str, new: str) -> list[Problem]:
        """Findings in the pack after one change, which must be one."""
        assert GOOD.count(old) == 1, old
        self.write("toy.yaml", GOOD.replace(old, new))
        return self.lint()
