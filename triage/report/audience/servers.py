"""Advice to who serves a model with a ready-made server: it is started by a command of its own, which starts the ranks too, and its user
neither trains nor writes Python."""

from __future__ import annotations

from collections.abc import Iterable
from re import escape

from triage.facts.servers import STARTED_BY
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
# Advice to who feeds a program with data, or loads a model: what a server reads are the weights, and these once.
OF_LOADING: Final = frozenset(("reduce-workers", "reduce-batch-or-sequence", "load-once"))
# Servers load weights in 16 bits unless they are told otherwise, and bring attention of their own.
OF_MEMORY: Final = frozenset(("lower-precision", "efficient-attention"))
# Options that say over how many ranks a model is divided, and those of servers on several machines.
RANKS: Final = frozenset(("tensor_parallel_size", "tp", "tp_size", "num_shard", "pipeline_parallel_size", "pp", "pp_size", "n_gpu"))
_STAGES = frozenset(("pipeline_parallel_size", "pp", "pp_size"))  # of layers: each of them is divided all the same
NODES: Final = frozenset((
    "nnodes", "node_rank", "dist_init_addr", "nnode", "distributed_executor_backend", "data_parallel_address", "headless", "master_addr",
    "kv_transfer_config", "disaggregation_mode",
))  # fmt: skip
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
_ONE: Final = r"--[a-z][a-z0-9_-]*(?:[ =][^\s-]\S*)?"
_OPTIONS = Pattern(rf"((?:[A-Z][A-Z0-9_]*=\S+ )*(?:{'|'.join(map(escape, STARTED_BY.values()))}))?( ?{_ONE}(?: {_ONE})*)\Z")
_VARIABLES = Pattern(r"\A(?:[A-Z][A-Z0-9_]*=\S+ )+")  # set for the one command
_OPTION = Pattern(r"--([a-z][a-z0-9_-]*)(?:[ =]([^\s-]\S*))?")
# Options that bound what is needed: a value as low as the advised one, or lower, is set already.
_BOUNDS: Final = frozenset((
    "max-num-seqs", "max-model-len", "max-num-batched-tokens", "max-running-requests", "context-length", "chunked-prefill-size",
    "cuda-graph-max-bs", "cuda-graph-max-bs-decode", "max-total-tokens", "max-batch-prefill-tokens", "max-input-length", "max-batch-size",
    "session-len", "max-num-tokens", "max-seq-len", "max-prefill-token-num", "cache-lens", "chunk-size",
))  # fmt: skip
# Options that a server takes under several names, or prints under another one; a step holds no more tokens than the context that is given.
_ALSO_CALLED: Final = {
    "max_model_len": ("max_seq_len",), "max_num_batched_tokens": ("max_model_len", "max_seq_len"),
    "tensor_parallel_size": ("tp", "tp_size"), "tp": ("tp_size", "tensor_parallel_size"), "max_input_length": ("max_input_tokens",),
    "kv_cache_free_gpu_memory_fraction": ("kv_cache_free_gpu_mem_fraction", "free_gpu_memory_fraction"),
    "cuda_graph_max_bs": ("cuda_graph_max_bs_decode",), "cuda_graph_max_bs_decode": ("cuda_graph_max_bs",),
}  # fmt: skip
# What says over how many GPUs a server divides a model, by how a line that starts it begins.
_DIVIDES: Final = {"vllm serve": "tensor-parallel-size", "python -m sglang": "tp", "lmdeploy serve": "tp", "text-generation": "num-shard"}
_DECIMAL = Pattern(r"0?\.[0-9]+\Z|1\.0+\Z")
# Sentences about a setting that the reader has already.
_OF_SETTINGS: Final = {"kv_cache_dtype": ("fp8", Pattern(r"FP8[- ]KV|fp8 KV|KV cache in fp8|FP8 KV 缓存"))}
_ENGINES: Final = {"vllm": "LLM(model=NAME, {})", "sglang": "sglang.Engine(model_path=NAME, {})"}
_PYTHON = Pattern(r"(?:with|if|for|import|from|assert|def|class) |@|[A-Za-z_][\w.]*(?:\(| = |\[)")


def lines_for(lines: Iterable[str], started: str) -> list[str]:
    """The lines to paste for a server: those that run a program start it, those of a launcher or of the program's own code are left out."""
    kept = (line for line in lines if not is_of_a_script(line) and not PROGRAM_OF_PYTHON.search(_PROGRAM.sub("", line)))
    return list(dict.fromkeys(_PROGRAM.sub(lambda match: started + (" " if match[0].endswith(" ") else ""), line) for line in kept))


def without_what_is_set(lines: Iterable[str], given: Mapping[str, Collection[str]]) -> list[str]:
    """The lines without options that the reader has set to the same value, or to a lower one where the option is a bound; none that would
    start the server as it is started now. A line that starts it divides the model as the reader does."""
    kept = []
    for line in lines:
        found = _OPTIONS.match(line)
        options = _options(found[2]) if found else []
        new = [(name, value) for name, value in options if not _is_set(name, value, _given(name, given))]
        if found and len(new) < len(options):
            line = " ".join([*([found[1]] if found[1] else []), *(f"--{name} {value}".rstrip() for name, value in new)]) if new else ""
        if found and found[1] and new:
            line += _divided(found[1], new, given)
        kept.append(line)
    return list(filter(None, kept))


def _divided(start: str, options: Iterable[tuple[str, str]], given: Mapping[str, Collection[str]]) -> str:
    """The option that divides a model over the reader's GPUs, where the options of a line that starts the server say nothing of it."""
    start = _VARIABLES.sub("", start)
    name = next((name for begun, name in _DIVIDES.items() if start.startswith(begun)), "")
    told = {value for other in ("tensor_parallel_size", "tp", "tp_size", "num_shard") for value in given.get(other, ())}
    if not name or len(told) != 1 or any(other.replace("-", "_") in RANKS - _STAGES for other, _ in options):
        return ""
    ranks = told.pop()
    return f" --{name} {ranks}" if ranks.isdigit() and int(ranks) > 1 else ""


def _given(name: str, given: Mapping[str, Collection[str]]) -> Collection[str]:
    """The values that the reader gave an option, under any of its names."""
    name = name.replace("-", "_")
    return {value for other in (name, *_ALSO_CALLED.get(name, ())) for value in given.get(other, ())}


def _is_set(name: str, value: str, given: Collection[str]) -> bool:
    bound = name.replace("_", "-") in _BOUNDS and value.isdigit()
    return (
        (value or "true").lower() in map(str.lower, given)  # engines print their settings as Python does
        or (bound and any(own.isdigit() and 0 < int(own) <= int(value) for own in given))
        or (_DECIMAL.match(value) is not None and any(_DECIMAL.match(own) and float(own) == float(value) for own in given))
    )


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


def words_for(text: str, given: Mapping[str, Collection[str]]) -> str:
    """A text of advice without the sentences that speak of how a training program is started or written, or of what is set already."""
    needless = [_OF_A_TRAINER, *_about_what_is_set(given)]
    if not any(pattern.search(text) for pattern in needless):
        return text
    kept = [said for said in SENTENCE.findall(text) if not any(pattern.search(said) for pattern in needless)]
    return "".join(kept).rstrip()


def _about_what_is_set(given: Mapping[str, Collection[str]]) -> list[Pattern]:
    return [
        pattern for name, (begun, pattern) in _OF_SETTINGS.items() if any(value.lower().startswith(begun) for value in given.get(name, ()))
    ]
