"""What the verifier says of a trial, in Chinese: it writes English, as its records have it, and a person reads the report.

Each part of a sentence is known by its words; what no line here knows, such as the words of a program, stays as it is.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern

_SAID = (
    (Pattern(r"the failure occurs without the fix and not with it"), "不修复时出现该故障，修复后不再出现"),
    (Pattern(r"the same failure occurs with the fix"), "修复后仍出现同样的故障"),
    (Pattern(r"the failure occurs without the fix; with it "), "不修复时出现该故障；修复后，"),
    (Pattern(r"the failure occurs here; the fix needs "), "此处能重现该故障；但该修复需要 "),
    (Pattern(r"the program runs through here"), "程序在此处能运行到底"),
    (Pattern(r"nothing was shown: "), "未能得出结论："),
    (Pattern(r"the program fails in another way than reported: "), "程序的失败方式与报告的不同："),
    (Pattern(r"gone since (\S+) (\S+): (.*) \(here is (\S+)\)$"), r"自 \1 \2 起不再出现：\3（此处为 \4）"),
    (Pattern(r"; the report is of (\S+ \S+) \(here is (\S+?)\)"), r"；报告中为 \1（此处为 \2）"),
    (Pattern(r"the arm had not ended after ([0-9.]+) s and was killed"), r"程序运行 \1 秒仍未结束，已被终止"),
    (Pattern(r"the arm passed its limit of host memory at ([0-9]+) MiB and was killed"), r"程序的主机内存达到 \1 MiB，超过限额，已被终止"),
    (Pattern(r"the arm ended with failed \(exit status (-?[0-9]+)\), "), r"程序失败（退出码 \1），"),
    (Pattern(r"the arm ended with passed \(exit status (-?[0-9]+)\), "), r"程序正常结束（退出码 \1），"),
    (Pattern(r"the arm ended with (\w+) \(exit status (-?\w+)\), "), r"程序结束（\1，退出码 \2），"),
    (Pattern(r"triage reads no failure; its last line is "), "triage 没有读出故障；最后一行为 "),
    (Pattern(r"triage reads ([\w./-]+); its last line is "), r"triage 读出 \1；最后一行为 "),
    (Pattern(r"; the advised (\S+) does not serve the request"), r"；所建议的 \1 不能满足该申请"),
    (
        Pattern(r"; peak allocated ([0-9.]+ GiB) as reported, ([0-9.]+ GiB) with the fix"),
        r"；分配峰值：原样 \1，修复后 \2",
    ),
    (Pattern(r"a GPU that torch can use \(torch (\S+) is a build without CUDA\)"), r"torch 可用的 GPU（torch \1 是不含 CUDA 的构建）"),
    (Pattern(r"a GPU that torch can use"), "torch 可用的 GPU"),
    (Pattern(r"\b([0-9]+) GPU\(s\) that nobody uses, or one named with --gpu: "), r"\1 块空闲的 GPU，或用 --gpu 指定一块："),
    (Pattern(r"on GPU ([0-9]+) ([0-9]+) process\(es\) hold ([0-9]+) MiB: "), r"GPU \1 上有 \2 个进程占用 \3 MiB："),
    (Pattern(r"\b([0-9]+) GPUs \(here is ([0-9]+)\)"), r"\1 块 GPU（此处有 \2 块）"),
    (Pattern(r"a GPU with ([0-9]+ GiB) free \(here are ([0-9]+ GiB)\)"), r"有 \1 空闲显存的 GPU（此处为 \2）"),
    (Pattern(r"the package (\S+) \(here is (\S+)\)"), r"软件包 \1（此处为 \2）"),
    (Pattern(r"the package (\S+) for (\S+)"), r"\2 可用的软件包 \1"),
    (Pattern(r"a pass on the model of the allocator is no proof"), "在分配器模型上通过不算证明"),
    (
        Pattern(r"a pass without data is no proof: some checks and all values are missing"),
        "没有真实数据的通过不算证明：缺少部分检查和全部数值",
    ),
    (
        Pattern(r"the card here is smaller than the reported one: all sizes are multiplied by ([0-9.]+), models and counts are not"),
        r"此处的显卡比报告中的小：所有大小都乘以 \1，模型和数量不变",
    ),
    (Pattern(r"^needs "), "需要 "),
)


def in_chinese(text: str) -> str:
    """A reason or limit of the verifier with every part of it that is known in Chinese."""
    for pattern, said in _SAID:
        text = pattern.sub(said, text)
    return text
