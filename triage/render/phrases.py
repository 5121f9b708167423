"""The words of the frame: headings and labels around what a report says, in every language."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


LANGUAGES: Final = ("en", "zh")

_PHRASES: Final[dict[str, tuple[str, str]]] = {
    # key: (English, Chinese)
    "nothing": ("Nothing GPU-related found", "没有发现与 GPU 有关的错误"),
    "nothing-detail": (
        "{lines} lines read; no failure of the GPU stack that triage knows is reported in them.",
        "读了 {lines} 行，其中没有 triage 所认识的 GPU 软硬件故障。",
    ),
    "one-line-detail": (
        "One line read; no failure of the GPU stack that triage knows is reported in it.",
        "读了 1 行，其中没有 triage 所认识的 GPU 软硬件故障。",
    ),
    "empty-detail": ("The input is empty.", "输入是空的。"),
    "omitted": (
        "{count} of the {lines} lines were searched for known failures only: the text is that large.",
        "文本很大：{lines} 行中有 {count} 行只检索了已知错误。",
    ),
    "gpu": ("GPU {gpu}", "GPU {gpu}"),
    "rank": ("rank {rank}", "rank {rank}"),
    "line": ("line {line}", "第 {line} 行"),
    "lines": ("lines {lines}", "第 {lines} 行"),
    "confidence": ("{percent} sure", "把握 {percent}"),
    "your-code": ("Your code", "你的代码"),
    "in-function": ("in {function}", "函数 {function}"),
    "memory": ("GPU memory, {capacity}", "显存，共 {capacity}"),
    "memory-of-gpu": ("Memory of GPU {gpu}, {capacity}", "GPU {gpu} 的显存，共 {capacity}"),
    "requested": ("{size} requested", "申请 {size}"),
    "live": ("{size} live", "使用中 {size}"),
    "reserved": ("{size} reserved, not in use", "已保留未使用 {size}"),
    "other": ("{size} other", "其他占用 {size}"),
    "free": ("{size} free", "空闲 {size}"),
    "unknown": ("{size} unaccounted for", "去向不明 {size}"),
    "evidence": ("Evidence", "依据"),
    "more": ("and {count} more", "另有 {count} 处"),
    "fixes": ("What to do, best first", "怎么办（最有效的在前）"),
    "leads-to": ("Once that is done, this may come next: {ids}", "这样做之后，接下来可能遇到：{ids}"),
    "confirmed": ("Tried ({where}): it prevents the failure.", "已试过（{where}）：可以避免该故障。"),
    "refuted": ("Tried ({where}): it does not prevent the failure.", "已试过（{where}）：不能避免该故障。"),
    "partly": ("Tried ({where}): {reason}.", "已试过（{where}）：{reason}。"),
    "not-reproduced": ("Tried ({where}), the failure does not occur there: {reason}.", "已试过（{where}），故障没有重现：{reason}。"),
    "no-proof": ("Note: {limits}.", "注意：{limits}。"),
    "not-possible": ("Could not be tried: {reason}.", "无法试验：{reason}。"),
    "will-not-help": ("Will not help here", "在这里没有用的办法"),
    "missing": ("What would make this surer", "还缺少的信息"),
    "cases": ("Similar known cases", "相似的已知案例"),
    "references": ("Sources", "参考"),
    "why": ("Why", "推理过程"),
    "by-rule": ("rule {rule}", "规则 {rule}"),
    "further": ("Also reported", "文中还报告了"),
    "consequences": ("Consequences of the above, not causes", "上述问题的后果，并非原因"),
    "because-of": ("follows from {id}", "由 {id} 引起"),
    "noise": ("Noise, not the problem", "无关的噪声"),
    "environment": ("Environment", "环境"),
    "facts": ("Facts", "事实"),
    "observations": ("Everything read from the text", "从文中读到的全部事实"),
    "rule-fired": ("The rule {rule} did fire on this text.", "规则 {rule} 在这段文本上已经触发。"),
    "rule-silent": ("Why {rule} did not fire, the nearest obstacle first", "规则 {rule} 没有触发的原因（最接近触发的在前）"),
    "rule-outdone": ("Why {rule} is not among the diagnoses: it fired, but", "{rule} 虽已触发，却不在诊断之列的原因"),
    "absent": ("nothing of the kind was read or derived", "没有读到、也没有推出这样的事实"),
    "other-value": ("there are such facts, but with other values", "有这样的事实，但取值不同"),
    "blocked-by-negation": ("this must not be there, and is", "这里不应出现，却出现了"),
    "test-false": ("the test is false", "条件不成立"),
    "test-unknown": ("not known: {names}", "未知：{names}"),
    "never": ("no parser and no rule gives this fact", "没有任何解析器或规则会给出这样的事实"),
    "with-values": ("with {values}", "其中 {values}"),
    "given-by": ("could come from {rules}", "可能来自 {rules}"),
    "symptom": ("Symptom", "现象"),
    "cause": ("Cause", "原因"),
    "fix": ("What helped", "解决办法"),
    "no-use": ("What does not help", "无效的办法"),
    "outcome-confirmed": ("Outcome: confirmed", "结果：已证实"),
    "outcome-reported": ("Outcome: reported", "结果：据报告有效"),
    "checked": ("What was checked", "已核实的内容"),
    "no-cases": ("No case speaks of that.", "没有相关的案例。"),
    "report-title": ("GPU failure report", "GPU 故障报告"),
    "times-until": ("{count} times, the last in line {line}", "共 {count} 次，最后一次在第 {line} 行"),
    "in-one-log": ("in one log, {count} ×", "出现在 1 份日志中，共 {count} 次"),
    "in-logs": ("in {logs} logs, {count} ×", "出现在 {logs} 份日志中，共 {count} 次"),
    "scan-one": (
        "One log read, {lines} lines, {size}: {failed} with failures",
        "读了 1 份日志（{lines} 行，{size}），其中 {failed} 份有故障",
    ),
    "scan-all": (
        "{logs} logs read, {lines} lines, {size}: {failed} with failures",
        "读了 {logs} 份日志（{lines} 行，{size}），其中 {failed} 份有故障",
    ),
    "scan-together": (
        "Are they logs of one job? `triage explain LOG LOG …` finds which failed first, and says what to do.",
        "若它们属于同一个作业，`triage explain 日志 日志 …` 会找出最先失败的一份，并说明怎么办。",
    ),
    "scan-passed-over": ("{count} files passed over: binary, or source code", "略过 {count} 个文件：二进制文件或源代码"),
    "scan-unreadable": ("{count} could not be read", "{count} 个无法读取"),
    "made-by": ("Explained by triage from the text alone.", "由 triage 仅根据文本得出。"),
}


def phrase(key: str, lang: str, **values: object) -> str:
    """The phrase `key` in `lang` ('en' for a language that is not there), with `{name}` filled in.

    Raises KeyError for an unknown key or a value that is missing.
    """
    text = _PHRASES[key][1 if lang == "zh" else 0]
    return text.format_map(values) if values else text


def keys() -> tuple[str, ...]:
    """All keys, in the order of a report."""
    return tuple(_PHRASES)
