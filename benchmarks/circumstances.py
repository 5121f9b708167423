"""How often advice does not fit what the reader says of the machine and of what was done.

    python benchmarks/circumstances.py [-v] [--only NAME] [PATH…]

To the positive examples of the shipped rules (or of the given rule files) a sentence is added in which the reader tells of a
circumstance; the report may then not advise what that makes impossible or what it says is done already. Counted are the reports that
still do. The peer is the same example without the sentence, where such advice is in place. Examples that show another circumstance
themselves are left out, and those whose failure the sentence changes. The table is written as Markdown.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from robustness import positives

from triage.pipeline import Triage

_NEVER = r"(?!)"
_OF_ANOTHER = r"(?i)metal|\bnpu|\bxpu|\bmps\b|intel|musa"
_OF_NVIDIA = r"nvidia|nvrm|cuda|cudnn|cublas|nccl|\bxid|\bsm_[0-9]|\b[rg]tx\b|geforce|tesla|quadro|\b[avht][0-9]{2,3}\b|tensorrt"
_OF_LINUX = (
    r"/(?:home|usr|opt|root|tmp|var|dev|proc|etc|mnt|data|lib|workspace|srv)\b"
    r"|(?i:nvrm|kernel:|linux|ubuntu|docker|slurm|dmesg|\.so\b|nccl|kube)"
)
_SEVERAL = r"(?i)\brank|nproc|torchrun|cuda:[1-9]|GPU [1-9]|tensor[-_]parallel|nccl|\b[2-9] ?[x×*] ?[avh][0-9]|\bgpus\b|\bcards\b|卡"


class Circumstance(NamedTuple):
    """What the reader says, and what may not be advised then."""

    sentence: str
    fixes: frozenset[str] = frozenset()
    commands: str = _NEVER  # an expression for those that do not fit
    families: str = ""  # how those begin that the circumstance speaks of
    otherwise: str = _NEVER  # an expression for texts that show another circumstance
    meant: str = _NEVER  # an expression for advice that is given because of the circumstance


CIRCUMSTANCES: Mapping[str, Circumstance] = {
    "a Volta": Circumstance(
        "The card is a Tesla V100 32GB.",
        commands=r"torch_dtype=torch\.bfloat16|autocast\([^)]*bfloat16|--bf16(?: True|$)|bf16=True|flash_attention_2",
        otherwise=r"(?i)\b[rg]tx\b|\b[ahlbt][0-9]{1,3}\b|\b[3-5]0[6-9]0|\bamd\b|\bmps\b|npu|gfx|bf16|bfloat16|flash",
        meant="has no bf16 in hardware",
    ),
    "Windows": Circumstance(
        "I am on Windows 11, without WSL.",
        commands=r"^export |^sudo |\bdmesg\b|\bapt(?:-get)? |^ulimit|\bsystemctl\b",
        otherwise=_OF_LINUX,
    ),
    "one GPU": Circumstance(
        "I only have one GPU.",
        commands=r"tensor-parallel-size [2-9]|--tp(?:-size)? [2-9]|balanced_low_0|num_processes [2-9]|nproc[-_]per[-_]node[= ][2-9]",
        otherwise=_SEVERAL,
    ),
    "a batch of one": Circumstance("The batch size is already 1.", commands=r"batch_size ?= ?[1248]\b", families="memory.gpu-oom"),
    "LoRA": Circumstance("I train with LoRA (r=8).", frozenset({"use-peft"}), families="memory.gpu-oom"),
    "checkpointing": Circumstance(
        "gradient_checkpointing is already enabled.", frozenset({"gradient-checkpointing"}), families="memory.gpu-oom"
    ),
    "AMD": Circumstance(
        "The GPU is an AMD Radeon RX 7900 XTX with ROCm 6.2.",
        commands=r"\bnvidia-smi\b|download\.pytorch\.org/whl/cu1|\bnvcc\b|--gpus all",
        otherwise=rf"{_OF_ANOTHER}|{_OF_NVIDIA}",
    ),
    "no root": Circumstance(
        "It is a shared cluster and I do not have root.",
        commands=r"^sudo |\bapt(?:-get)? install|^reboot|\bmodprobe\b|\bsystemctl re",
        meant="administrators",  # to whom such lines are to be handed
    ),
    "inference": Circumstance(
        "I only run inference, nothing is trained.",
        frozenset({"gradient-checkpointing", "use-peft"}),
        commands=r"loss\.backward|GradScaler|gradient_accumulation|optim=|per_device_train",
        otherwise=r"(?i)train|backward|loss|optimi[sz]er|epoch|fine-?tun|\blora\b|训练|微调",
    ),
    "Apple": Circumstance(
        "It runs on a MacBook Pro M2 (MPS).",
        commands=r"\bnvidia-smi\b|download\.pytorch\.org/whl/cu1|--gpus all|\bnvcc\b",
        otherwise=rf"{_OF_ANOTHER}|{_OF_NVIDIA}|rocm|\bhip|\bgfx|radeon",
    ),
}


def _unfit(report: Mapping[str, Any], circumstance: Circumstance) -> list[str]:
    """The lines of the first diagnosis's advice that do not fit."""
    found: list[str] = []
    for fix in report["diagnoses"][0]["fixes"]:
        if re.search(circumstance.meant, f"{fix['title']} {fix['detail'] or ''}"):
            continue
        found += [fix["id"]] * (fix["id"] in circumstance.fixes)
        found += [command for command in fix["commands"] if re.search(circumstance.commands, command)]
    return found


def _row(triage: Triage, name: str, circumstance: Circumstance, examples: Iterable[tuple[str, str, str]], verbose: bool) -> None:
    alone = total = wrong = 0
    shown: list[str] = []
    for where, text, family in examples:
        if not family.startswith(circumstance.families) or re.search(circumstance.otherwise, text):
            continue
        before = triage.explain(text).to_dict()
        after = triage.explain(f"{circumstance.sentence}\n\n{text}").to_dict()
        if [report["diagnoses"][0]["family"] for report in (before, after) if report["diagnoses"]] != [family] * 2:
            continue
        total += 1
        alone += bool(_unfit(before, circumstance))
        if unfit := _unfit(after, circumstance):
            wrong += 1
            shown.append(f"    {where}: {after['diagnoses'][0]['id']}: {'; '.join(unfit)}")
    print(f"| {name} | {total} | {alone} | {wrong} | {100 * wrong / max(total, 1):.1f} % |", flush=True)
    if verbose and shown:
        print("\n".join(shown))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="rule files or directories; default: all that are shipped")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the advice that does not fit")
    parser.add_argument("--only", choices=sorted(CIRCUMSTANCES), help="this circumstance alone")
    args = parser.parse_args()
    triage, examples = Triage(), list(positives(args.paths))
    print(
        "| the reader says | examples | advised without the sentence | advised all the same | share |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for name, circumstance in CIRCUMSTANCES.items():
        if args.only in (None, name):
            _row(triage, name, circumstance, examples, args.verbose)
    return 0


if __name__ == "__main__":
    sys.exit(main())
