"""What a new rule says of its message: one sentence for each value that the message holds."""

from __future__ import annotations

import re

_SENTENCES = {
    "requested_bytes": ("{requested_bytes|bytes} was requested.", "申请了 {requested_bytes|bytes}。"),
    "needed_bytes": ("{needed_bytes|bytes} is needed.", "需要 {needed_bytes|bytes}。"),
    "capacity_bytes": ("The device has {capacity_bytes|bytes}.", "设备共有 {capacity_bytes|bytes}。"),
    "free_bytes": ("{free_bytes|bytes} is free.", "空闲 {free_bytes|bytes}。"),
    "allocated_bytes": ("{allocated_bytes|bytes} is allocated.", "已分配 {allocated_bytes|bytes}。"),
    "limit_bytes": ("The limit is {limit_bytes|bytes}.", "上限为 {limit_bytes|bytes}。"),
    "gpu": ("It happened on GPU {gpu}.", "发生在 GPU {gpu} 上。"),
    "devices": ("Devices: {devices|list}.", "涉及的设备：{devices|list}。"),
    "rank": ("It happened on rank {rank}.", "发生在 rank {rank} 上。"),
    "port": ("The port is {port}.", "端口为 {port}。"),
    "pid": ("The process is {pid}.", "进程号为 {pid}。"),
    "xid": ("The driver reports Xid {xid}.", "驱动报告 Xid {xid}。"),
    "exit_code": ("The exit status is {exit_code}.", "退出状态为 {exit_code}。"),
    "index": ("The index is {index}.", "索引为 {index}。"),
    "pci": ("The card is at {pci}.", "显卡位于 {pci}。"),
    "address": ("The address is {address}.", "地址为 {address}。"),
    "path": ("The file is {path}.", "文件为 {path}。"),
}
_SLOT = re.compile(r"%\{[A-Z]+:([a-z_]+)\}")


def summary_of(signature: str) -> dict[str, list[str]]:
    """Sentences in both languages, in the order in which the message has its values; {} where it has none that can be told."""
    slots = [slot for slot in dict.fromkeys(_SLOT.findall(signature)) if slot in _SENTENCES]
    if not slots:
        return {}
    return {lang: [_SENTENCES[slot][place] for slot in slots] for place, lang in enumerate(("en", "zh"))}
