"""Advice to who serves a model with a ready-made server: it is started by a command of its own, which starts the ranks too, and its user
neither trains nor writes Python."""

from __future__ import annotations

from collections.abc import Iterable

from triage.reading.lazy import Pattern
from triage.report.audience.programs import PROGRAM_OF_PYTHON, SENTENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
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
# A line that starts a server with options, or has options alone; these, and how they are given to an engine in a script.
_OPTIONS = Pattern(r"(vllm serve NAME|python -m sglang\.launch_server --model-path NAME)?((?: ?--[a-z][a-z0-9-]*(?:[ =][^\s-]\S*)?)+)\Z")
_OPTION = Pattern(r"--([a-z][a-z0-9-]*)(?:[ =]([^\s-]\S*))?")
# Options that bound what is needed: a value as low as the advised one, or lower, is set already.
_BOUNDS: Final = frozenset((
    "max-num-seqs", "max-model-len", "max-num-batched-tokens", "max-running-requests", "context-length", "chunked-prefill-size",
    "cuda-graph-max-bs", "max-total-tokens", "max-batch-prefill-tokens", "max-input-length", "max-batch-size", "session-len",
))  # fmt: skip
_ENGINES: Final = {"vllm": "LLM(model=NAME, {})", "sglang": "sglang.Engine(model_path=NAME, {})"}
_PYTHON = Pattern(r"(?:with|if|for|import|from|assert|def|class) |@|[A-Za-z_][\w.]*(?:\(| = |\[)")


def lines_for(lines: Iterable[str], started: str) -> list[str]:
    """The lines to paste for a server: those that run a program start it, those of a launcher or of the program's own code are left out."""
    kept = (line for line in lines if not is_of_a_script(line) and not PROGRAM_OF_PYTHON.search(_PROGRAM.sub("", line)))
    return list(dict.fromkeys(_PROGRAM.sub(lambda match: started + (" " if match[0].endswith(" ") else ""), line) for line in kept))


def without_what_is_set(lines: Iterable[str], given: Mapping[str, Collection[str]]) -> list[str]:
    """The lines without options that the reader has set to the same value, or to a lower one where the option is a bound; none that would
    start the server as it is started now."""
    kept = []
    for line in lines:
        found = _OPTIONS.match(line)
        options = _options(found[2]) if found else []
        new = [(name, value) for name, value in options if not _is_set(name, value, given.get(name.replace("-", "_"), ()))]
        if found and len(new) < len(options):
            line = " ".join([*([found[1]] if found[1] else []), *(f"--{name} {value}".rstrip() for name, value in new)]) if new else ""
        kept.append(line)
    return list(filter(None, kept))


def _is_set(name: str, value: str, given: Collection[str]) -> bool:
    bound = name in _BOUNDS and value.isdigit()
    return (value or "true") in given or (bound and any(own.isdigit() and 0 < int(own) <= int(value) for own in given))


def for_an_engine(lines: Iterable[str], server: str) -> list[str]:
    """The lines for who calls the engine of a server from Python: options are arguments of its constructor."""
    if server not in _ENGINES:
        return list(lines)
    return [_as_arguments(line, _ENGINES[server]) for line in lines]


def _as_arguments(line: str, call: str) -> str:
    found = _OPTIONS.match(line)
    if found is None:
        return line
    return call.format(", ".join(f"{name.replace('-', '_')}={_as_value(value)}" for name, value in _options(found[2])))


def _options(text: str) -> list[tuple[str, str]]:
    return [(found[1], found[2] or "") for found in _OPTION.finditer(text)]


def _as_value(value: str) -> str:
    return "True" if not value else value if value.replace(".", "", 1).isdigit() else f"'{value}'"


def is_of_a_script(line: str) -> bool:
    """Whether a line is one of the code that somebody wrote, or starts the ranks of such a program."""
    return "LLM(" not in line and bool(_LAUNCHES.search(line) or _PYTHON.match(line))


def words_for(text: str) -> str:
    """A text of advice without the sentences that speak of how a training program is started or written."""
    if not _OF_A_TRAINER.search(text):
        return text
    kept = [said for said in SENTENCE.findall(text) if not _OF_A_TRAINER.search(said)]
    return "".join(kept).rstrip()
