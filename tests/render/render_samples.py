"""Reports written by hand: what every writer must be able to show, whatever the rules say today."""

from __future__ import annotations

import copy
from typing import Any

GIB = 1024**3
MIB = 1024**2

_OOM_LINE = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB (GPU 0; 31.74 GiB total capacity; "
    "21.11 GiB already allocated; 4.61 GiB free; 26.75 GiB reserved in total by PyTorch) If reserved memory is >> "
    "allocated memory try setting max_split_size_mb to avoid fragmentation."
)

EMPTY: dict[str, Any] = {
    "schema_version": 1,
    "lang": "en",
    "diagnoses": [],
    "noise": [],
    "environment": {"versions": {}, "gpus": []},
    "input": {"lines": 0, "bytes": 0, "omitted": [], "kind": "log"},
}

NOTHING: dict[str, Any] = {**EMPTY, "input": {"lines": 12, "bytes": 3400, "omitted": [], "kind": "log"}}

OOM: dict[str, Any] = {
    "schema_version": 1,
    "lang": "en",
    "diagnoses": [
        {
            "id": "memory.gpu-oom.fragmentation",
            "family": "memory.gpu-oom",
            "cause": "fragmentation",
            "family_title": "GPU out of memory",
            "cause_title": "fragmented memory",
            "confidence": 0.86,
            "title": "GPU 0 ran out of memory: 6.00 GiB did not fit into fragmented memory",
            "summary": "5.64 GiB is reserved by PyTorch but not in use; with the 4.61 GiB that are free that is more than the "
            "6.00 GiB asked for. What is reserved lies in pieces that are partly in use.",
            "facts": {
                "requested_bytes": 6 * GIB,
                "capacity_bytes": 34080559104,
                "allocated_bytes": 22666690560,
                "free_bytes": 4949949808,
                "gpu": 0,
                "gpu_name": "Tesla V100",
            },
            "gpu_memory": {
                "parts": [
                    {"label": "live", "bytes": 22666690560},
                    {"label": "reserved", "bytes": 6055903232},
                    {"label": "other", "bytes": 408015504},
                    {"label": "free", "bytes": 4949949808},
                ],
                "capacity": 34080559104,
                "requested": 6 * GIB,
            },
            "user_frame": {
                "path": "/srv/jobs/edit_llama2.py",
                "line": 88,
                "function": "<module>",
                "code": "result = editor.edit(prompts=prompts, target_new=targets)",
            },
            "evidence": [{"line": 20, "text": _OOM_LINE}],
            "why": ["The message states 26.75 GiB reserved and 21.11 GiB allocated.", "So 5.64 GiB is reserved and not in use."],
            "proof": [
                {
                    "text": "What is reserved lies in pieces.",
                    "rule": "memory.gpu-oom.fragmentation",
                    "evidence": [],
                    "children": [
                        {
                            "text": "The message states 26.75 GiB reserved and 21.11 GiB allocated.",
                            "rule": None,
                            "evidence": [{"line": 20, "text": _OOM_LINE}],
                            "children": [],
                        }
                    ],
                }
            ],
            "fixes": [
                {
                    "id": "allocator-config",
                    "title": "Let the allocator split large blocks",
                    "detail": "This wording is torch 2.0 or older, where `max_split_size_mb` is the setting.",
                    "commands": ["export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512"],
                    "verifiable": True,
                    "verdict": {
                        "verdict": "confirmed",
                        "backend": "model",
                        "where": "model",
                        "reason": "as reported it fails, with the fix it passes",
                        "limits": "the allocator is a model of PyTorch's",
                    },
                },
                {
                    "id": "quantize",
                    "title": "Load the weights in 8 or 4 bit",
                    "detail": "MEMIT writes the edited layers: quantise only the others.",
                    "commands": ["pip install -U bitsandbytes\npython edit.py --bits 8"],
                    "verifiable": False,
                    "leads_to": ["config.quantization"],
                },
            ],
            "will_not_help": [
                {"id": "reduce-batch-or-sequence", "title": "Smaller batch or sequence", "why": "One request is edited at a time already."}
            ],
            "missing": [{"fact": "torch version", "how": "python -m torch.utils.collect_env"}],
            "consequence_of": None,
            "cases": [
                {
                    "id": "easyedit-memit-oom",
                    "title": "MEMIT on two V100",
                    "score": 0.93,
                    "url": "https://github.com/zjunlp/EasyEdit/issues/1",
                }
            ],
            "references": ["https://pytorch.org/docs/stable/notes/cuda.html#memory-management"],
        },
        {
            "id": "distributed.collective-timeout",
            "family": "distributed.collective-timeout",
            "cause": None,
            "family_title": "Collective timed out",
            "cause_title": None,
            "confidence": 0.7,
            "title": "ALLREDUCE on rank 1 timed out",
            "summary": "Rank 1 waited 30 minutes.",
            "facts": {"rank": 1, "collective": "ALLREDUCE", "timeout_ms": 1800000},
            "gpu_memory": None,
            "user_frame": None,
            "evidence": [{"line": 31, "text": "[rank1]: Watchdog caught collective operation timeout"}],
            "why": ["The watchdog says so."],
            "proof": [{"text": "The watchdog says so.", "rule": None, "evidence": [], "children": []}],
            "fixes": [],
            "will_not_help": [],
            "missing": [],
            "consequence_of": "memory.gpu-oom.fragmentation",
            "cases": [],
            "references": [],
        },
        {
            "id": "numerics.nan",
            "family": "numerics.nan",
            "cause": None,
            "family_title": "NaN",
            "cause_title": None,
            "confidence": 0.55,
            "title": "The loss became NaN",
            "summary": "The log reports a loss of NaN.",
            "facts": {},
            "gpu_memory": None,
            "user_frame": None,
            "evidence": [{"line": 7, "text": "loss: nan"}, {"line": 8, "text": "loss: nan"}],
            "why": ["The log reports it."],
            "proof": [],
            "fixes": [{"id": "fix-numerics", "title": "Lower the learning rate", "detail": "", "commands": [], "verifiable": False}],
            "will_not_help": [],
            "missing": [],
            "consequence_of": None,
            "cases": [],
            "references": [],
        },
    ],
    "noise": [
        {"line": 2, "why": "The tokenizers fork warning is harmless."},
        {"line": 6, "why": "The tokenizers fork warning is harmless."},
    ],
    "environment": {"versions": {"torch": "2.0.1", "cuda": "11.8"}, "gpus": [{"gpu": 0, "gpu_name": "Tesla V100"}]},
    "input": {"lines": 31, "bytes": 5120, "omitted": [], "kind": "log"},
    "observations": [{"template": "signal", "slots": {"failure": "memory.gpu-oom", "requested_bytes": 6 * GIB, "line": 20}, "line": 20}],
}

# What a stranger could write into a log to reach a terminal, a page or an issue comment.
HOSTILE_TEXTS = (
    "\x1b[31mred\x1b]0;title\x07\x9b2J",
    "safe \u202e reversed \u2066 isolated \u200b hidden \ufeff",
    "\ud800 lone \udcff surrogates",
    "``` fence ```` longer `tick`",
    "{{ 7 * 7 }} {% for x in y %} {# c #} %(s)s {0} {lines}",
    "@octocat fixed #1 and GH-2 and org/repo#3 in 0123456789abcdef0123456789abcdef01234567",
    "<script>alert(1)</script><img src=x onerror=alert(1)> &lt;b&gt;",
    "![image](https://evil.example/x.png) [link](javascript:alert(1)) <https://evil.example> www.evil.example",
    "# heading\n- item\n1. one\n> quote\n| a | b |\n---\n    code",
    "--> <!-- ]]> </pre></code></details>",
    "$x^2$ ~~gone~~ **bold** _emph_ __init__ \\(a\\)",
    "x" * 100_000,
    "显存不足：\u3000申请 " + "很" * 5000,
)  # fmt: skip


def oom(lang: str = "en") -> dict[str, Any]:
    """A copy of `OOM`, with a few Chinese sentences where `lang` is zh."""
    report = copy.deepcopy(OOM)
    if lang == "zh":
        report["lang"] = "zh"
        lead = report["diagnoses"][0]
        lead["title"] = "GPU 0 显存不足：碎片化的显存放不下 6.00 GiB"
        lead["summary"] = (
            "PyTorch 保留了 5.64 GiB 却没有使用，加上空闲的 4.61 GiB，比申请的 6.00 GiB 还多。"
            "保留的显存散落在部分占用的段里，`max_split_size_mb` 可以缓解。"
        )
        lead["fixes"][0]["title"] = "让分配器切分大块"
        lead["fixes"][0]["detail"] = "这条报错的措辞属于 torch 2.0 或更早的版本，那里可用的设置是 `max_split_size_mb`。"
        lead["will_not_help"][0].update(title="减小批大小或序列长度", why="现在一次只编辑一条请求。")
    return report


def hostile(text: str) -> dict[str, Any]:
    """`OOM` with `text` in every place that may carry text of the log."""
    report = copy.deepcopy(OOM)
    for diagnosis in report["diagnoses"]:
        diagnosis.update(title=text, summary=text, why=[text])
        diagnosis["facts"].update(op=text, gpu_name=text, devices=[text, text])
        diagnosis["evidence"] = [{"line": 20, "text": text}]
        diagnosis["user_frame"] = {"path": text, "line": 8, "function": text, "code": text}
        diagnosis["proof"] = [{"text": text, "rule": text, "evidence": [{"line": 1, "text": text}], "children": []}]
        verdict = {"verdict": "partly", "backend": text, "where": text, "reason": text, "limits": text}
        fix = {"id": "pin-package", "title": text, "detail": text, "commands": [text], "verifiable": False}
        diagnosis["fixes"] = [{**fix, "leads_to": [text], "verdict": verdict}]
        diagnosis["will_not_help"] = [{"id": "offload", "why": text, "verdict": {**verdict, "verdict": "confirmed"}}]
        diagnosis["missing"] = [{"fact": text, "how": text}]
        diagnosis["cases"] = [{"id": text, "title": text, "score": 0.5, "url": text}]
        diagnosis["references"] = [text]
    report["noise"] = [{"line": 2, "why": text}]
    report["environment"] = {"versions": {"torch": text, text: "1"}, "gpus": [{"gpu": 0, "gpu_name": text}]}
    report["observations"] = [{"template": "signal", "slots": {"op": text, "devices": [text]}, "line": 20}]
    report["input"]["name"] = text
    return report
