"""Options of a server's engine in the words of the trainer that runs it: no command starts the engine there, and the trainer shares the
card with it.

Names by unsloth/models/loader.py, trl/trainer/grpo_config.py, verl/trainer/config/rollout/rollout.yaml, swift's command-line parameters and
openrlhf/cli/train_ppo_ray.py; of LLaMA-Factory, whose engine only serves, src/llamafactory/hparams/model_args.py.
"""

from __future__ import annotations

from triage.reading.lazy import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Final

# Of several trainers the one that the others are called by.
_PRECEDENCE: Final = ("unsloth", "verl", "openrlhf", "ms-swift", "llamafactory", "trl")
_NAMES: Final = {
    "unsloth": {
        "max-model-len": "max_seq_length", "gpu-memory-utilization": "gpu_memory_utilization", "kv-cache-dtype": "float8_kv_cache",
    },
    "verl": {
        "max-model-len": "max_model_len", "gpu-memory-utilization": "gpu_memory_utilization", "max-num-seqs": "max_num_seqs",
        "max-num-batched-tokens": "max_num_batched_tokens", "tensor-parallel-size": "tensor_model_parallel_size",
        "enforce-eager": "enforce_eager",
    },
    "openrlhf": {
        "gpu-memory-utilization": "vllm_gpu_memory_utilization", "tensor-parallel-size": "vllm_tensor_parallel_size",
        "enforce-eager": "enforce_eager",
    },
    "ms-swift": {
        "max-model-len": "vllm_max_model_len", "gpu-memory-utilization": "vllm_gpu_memory_utilization", "max-num-seqs": "vllm_max_num_seqs",
        "tensor-parallel-size": "vllm_tensor_parallel_size", "enforce-eager": "vllm_enforce_eager",
    },
    "llamafactory": {
        "max-model-len": "vllm_maxlen", "gpu-memory-utilization": "vllm_gpu_util", "enforce-eager": "vllm_enforce_eager",
    },
    "trl": {
        "max-model-len": "vllm_max_model_length", "gpu-memory-utilization": "vllm_gpu_memory_utilization",
        "tensor-parallel-size": "vllm_tensor_parallel_size",
    },
}  # fmt: skip
_SHARE: Final = "gpu-memory-utilization"
_APART: Final = ("llamafactory",)  # where the engine only serves or predicts
_MOST: Final = 0.7  # of a card on which a model is trained besides
_ONE: Final = r"(?:--[a-z][a-z0-9-]*(?:[ =][^\s-]\S*)?(?: |\Z))"
_OF_AN_ENGINE = Pattern(rf"(?:vllm serve(?: (?!-)\S+)? ?)({_ONE}*)\Z|({_ONE}+)\Z")
_OPTION = Pattern(r"--([a-z][a-z0-9-]*)(?:[ =]([^\s-]\S*))?")
_HIGH_SHARE: Final = (
    (" (towards 0.95)", ", as far as training leaves room,"),
    ("\uff08\u63a5\u8fd1 0.95\uff09", "\uff08\u987b\u7ed9\u8bad\u7ec3\u7559\u51fa\u4f59\u91cf\uff09"),
)


def trainer(shown: Collection[str]) -> str:
    """The trainer that runs the engine, of those that the text shows; '' where it shows none."""
    return next((name for name in _PRECEDENCE if name in shown), "")


def lines_for(lines: Iterable[str], name: str, given: Mapping[str, Collection[str]]) -> list[str]:
    """The lines with the engine's options as the trainer's; none of options that it does not hand on."""
    most = 1.0 if name in _APART else _MOST
    return [found for line in lines if (found := _line(line, name, given, most))]


def words_for(text: str, name: str) -> str:
    """A text with the trainer's names of the engine's options."""
    for option in ("max-model-len", _SHARE):
        own = _NAMES[name].get(option)
        plain = option.replace("-", "_")
        if own and plain in text and own not in text:
            text = text.replace(plain, own)
    for said, instead in () if name in _APART else _HIGH_SHARE:
        text = text.replace(said, instead)
    return text


def _line(line: str, name: str, given: Mapping[str, Collection[str]], most: float) -> str:
    found = _OF_AN_ENGINE.match(line)
    if found is None:
        return line
    options = [(option[1], option[2] or "") for option in _OPTION.finditer(found[1] or found[2] or "")]
    if not any(option in names for option, _ in options for names in _NAMES.values()):
        return "" if line.startswith("vllm serve") else line
    own = [(_NAMES[name][option], _value(option, value, most)) for option, value in options if option in _NAMES[name]]
    return _as_written([(option, value) for option, value in own if not _is_set(option, value, given)], name)


def _value(option: str, value: str, most: float) -> str:
    if option == _SHARE and _is_share(value) and float(value) > most:
        return str(most)
    return "True" if option in ("kv-cache-dtype", "enforce-eager") else value


def _is_set(option: str, value: str, given: Mapping[str, Collection[str]]) -> bool:
    """Whether the reader has an option as it is advised, or a higher share of the card."""
    told = given.get(option, ())
    if value in told:
        return True
    shares = option.endswith("utilization") and _is_share(value)
    return shares and any(_is_share(own) and float(own) >= float(value) for own in told)


def _is_share(text: str) -> bool:
    return text.replace(".", "", 1).isdigit() and 0 < float(text) <= 1


def _as_written(options: list[tuple[str, str]], name: str) -> str:
    """Options as the trainer takes them; '' for none."""
    if not options:
        return ""
    if name in ("unsloth", "trl"):
        arguments = ", ".join(f"{option}={value}" for option, value in options)
        if name == "trl":
            return f"GRPOConfig(use_vllm=True, {arguments})"
        return f"FastLanguageModel.from_pretrained(NAME, fast_inference=True, {arguments})"
    if name == "verl":
        return " ".join(f"actor_rollout_ref.rollout.{option}={value}" for option, value in options)
    if name == "openrlhf":
        return " ".join(f"--{option} {value}".removesuffix(" True") for option, value in options)
    return " ".join(f"--{option} {value.lower()}" for option, value in options)
