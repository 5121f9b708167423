"""The words around what a rule says, in every language."""

from __future__ import annotations

from typing import Final

_WORDS: Final[dict[str, tuple[str, str]]] = {
    "meaning": ("What it means and why it happens", "含义与成因"),
    "in-short": ("In short", "概览"),
    "recognise": ("How to recognise it", "如何识别"),
    "diagnoses": ("Why it happens, and what to do", "原因与对策"),
    "fixes": ("What to do, best first", "怎么办（最有效的在前）"),
    "no-use": ("What does not help", "无效的办法"),
    "missing": ("What to ask for", "还需要的信息"),
    "verified": ("How it is verified", "如何验证"),
    "examples": ("Examples", "示例"),
    "near-misses": ("Near misses: not this failure", "相似但不是该故障的文本"),
    "sources": ("Sources", "参考"),
    "changes": ("Changes", "变更"),
    "since": ("{status} since {since}", "{status}，自 {since} 起"),
    "status-nursery": ("nursery", "试用"),
    "status-stable": ("stable", "稳定"),
    "status-deprecated": ("deprecated", "已弃用"),
    "nursery": (
        "In the nursery: new, and not proved enough; its confidence is capped.",
        "试用阶段：规则较新、验证不足，置信度设有上限。",
    ),
    "deprecated": ("Deprecated.", "已弃用。"),
    "superseded": ("Deprecated; see {name}.", "已弃用，请见 {name}。"),
    "confidence": ("confidence {value}", "置信度 {value}"),
    "cause": ("Cause: {cause}", "原因：{cause}"),
    "no-cause": ("Where the text does not tell the cause", "文本没有说明原因时"),
    "when": ("when {conditions}", "条件：{conditions}"),
    "on": ("Reported by {signatures}.", "由 {signatures} 报告。"),
    "conditions": ("Concluded when", "成立条件"),
    "printed-by": ("printed by {versions}", "见于 {versions}"),
    "leads-to": ("Known to come next: {ids}", "之后可能遇到：{ids}"),
    "consequence-of": ("A consequence of {families} where those are reported too.", "若同时报告了 {families}，则是其后果。"),
    "yields-to": ("Gives way to {names}.", "让位于 {names}。"),
    "cases": ("Known cases: {cases}", "已知案例：{cases}"),
    "can-be-tried": ("`triage verify` can try it", "可用 `triage verify` 试验"),
    "examples-count": (
        "{positive} examples must be recognised and {near} near misses must not; `triage rules test` tries them with every change.",
        "{positive} 个示例必须识别，{near} 个相似文本不得误判；每次修改都由 `triage rules test` 检验。",
    ),
    "reproduced": (
        "The failure and these fixes are rerun by `triage verify`: {fixes}.",
        "`triage verify` 会重现该故障并试验这些办法：{fixes}。",
    ),
    "not-reproduced": (
        "There is no reproduction yet: texts and sources stand for it.",
        "目前没有可重现的程序，依据为示例文本与参考来源。",
    ),
    "index-title": ("GPU errors", "GPU 错误"),
    "index-about": (
        "Every failure that triage knows: what it means, why it happens, how to recognise it and what to do.",
        "triage 所认识的全部故障：含义、成因、识别方法与对策。",
    ),
    "by-message": ("By message", "按报错信息"),
    "by-library": ("By library", "按软件库"),
    "by-xid": ("By Xid", "按 Xid"),
    "by-domain": ("By domain", "按类别"),
    "message": ("Message", "报错信息"),
    "failure": ("Failure", "故障"),
    "library": ("Library", "软件库"),
    "code": ("Code", "代码"),
    "other-language": ("中文", "English"),
    "messages-about": (
        "Messages as the software prints them; `<name>` stands for a value, … for anything.",
        "软件输出的原文；`<名称>` 表示数值，… 表示任意内容。",
    ),
    "xid-about": (
        "Codes of the NVIDIA driver's messages in the kernel log (`NVRM: Xid`).",
        "NVIDIA 驱动写入内核日志的代码（`NVRM: Xid`）。",
    ),
    "memory": ("Memory", "显存与内存"),
    "device": ("Devices", "设备"),
    "dtype": ("Data types", "数据类型"),
    "version": ("Versions and builds", "版本与构建"),
    "kernel": ("Kernels", "核函数"),
    "library-domain": ("CUDA libraries", "CUDA 库"),
    "distributed": ("Distributed", "分布式"),
    "hardware": ("Hardware", "硬件"),
    "env": ("Environment", "运行环境"),
    "compile": ("Compilation", "编译"),
    "numerics": ("Numerics", "数值"),
    "data": ("Data loading", "数据加载"),
    "config": ("Configuration", "配置"),
    "shape": ("Shapes", "形状"),
}


def word(key: str, lang: str, **values: object) -> str:
    """The words of a key in "en" or "zh", with `{name}` filled in. Raises KeyError for an unknown key."""
    text = _WORDS[key][1 if lang == "zh" else 0]
    return text.format_map(values) if values else text


def status_word(status: str, since: str, lang: str) -> str:
    """The status of a failure, and the release that first has it."""
    return word("since", lang, status=word(f"status-{status}", lang), since=since)


def domain_word(domain: str, lang: str) -> str:
    """The name of a domain (the first part of a family); the domain itself where it has none."""
    key = "library-domain" if domain == "library" else domain
    return word(key, lang) if key in _WORDS else domain


def keys() -> tuple[str, ...]:
    """All keys."""
    return tuple(_WORDS)
