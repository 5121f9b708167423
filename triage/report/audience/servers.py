"""Advice to who serves a model with a ready-made server: it is started by a command of its own, which starts the ranks too, and its user
neither trains nor writes Python."""

from __future__ import annotations

from collections.abc import Iterable

from triage.reading.lazy import Pattern
from triage.report.audience.programs import PROGRAM_OF_PYTHON, SENTENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Advice to who trains, or places the layers of a model himself.
OF_TRAINING: Final = frozenset((
    "gradient-checkpointing", "gradient-accumulation", "use-peft", "no-grad", "balance-device-map", "find-unused-parameters",
))  # fmt: skip
# Advice to who feeds a program with data: what a server reads are the weights.
OF_LOADING: Final = frozenset(("reduce-workers", "reduce-batch-or-sequence"))
# Servers load weights in 16 bits unless they are told otherwise.
OF_MEMORY: Final = frozenset(("lower-precision",))
# What trains models with such a server beside it: its user does both.
TRAINERS: Final = frozenset((
    "trl", "verl", "openrlhf", "deepspeed", "peft", "axolotl", "llamafactory", "swift", "lightning", "megatron", "nemo", "nemo_rl", "slime",
))  # fmt: skip
_LAUNCHES = Pattern(r"\b(?:torchrun|accelerate launch|horovodrun|ds_report|srun python)\b")
_OF_A_TRAINER = Pattern(
    r"\b(?:torchrun|init_process_group|autocast|DataLoader|device_map|fullgraph|aot_eager|suppress_errors|DistributedDataParallel|DataParallel)\b"
)
_PROGRAM = Pattern(r"python (?:-X faulthandler )?(?:train|app|main)\.py(?: *\Z| +(?=[|>&2]))")
_PYTHON = Pattern(r"(?:with|if|for|import|from|assert|def|class) |@|[A-Za-z_][\w.]*(?:\(| = |\[)")


def lines_for(lines: Iterable[str], started: str) -> list[str]:
    """The lines to paste for a server: those that run a program start it, those of a launcher or of the program's own code are left out."""
    kept = (line for line in lines if not is_of_a_script(line) and not PROGRAM_OF_PYTHON.search(_PROGRAM.sub("", line)))
    return list(dict.fromkeys(_PROGRAM.sub(lambda match: started + (" " if match[0].endswith(" ") else ""), line) for line in kept))


def is_of_a_script(line: str) -> bool:
    """Whether a line is one of the code that somebody wrote, or starts the ranks of such a program."""
    return "LLM(" not in line and bool(_LAUNCHES.search(line) or _PYTHON.match(line))


def words_for(text: str) -> str:
    """A text of advice without the sentences that speak of how a training program is started or written."""
    if not _OF_A_TRAINER.search(text):
        return text
    kept = [said for said in SENTENCE.findall(text) if not _OF_A_TRAINER.search(said)]
    return "".join(kept).rstrip()
