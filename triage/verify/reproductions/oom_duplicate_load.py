"""One process loads the same weights a second time, and the cards hold one copy only.

The weights are spread over two cards once, as device_map="auto" does. Then a second replica is made of the same
checkpoint in the same process, as a server does that builds one for each name in its list. The first copy is alive,
so the second does not fit. The order in which a second device_map fills the cards is the library's business; here it
is the same as the first.
"""

from __future__ import annotations

from typing import Any

from triage.verify.allocator_settings import GIB
from triage.verify.reproduction import Facts, Fix, Parameter, Reproduction, count, size, wording
from triage.verify.toolkit.card import Card
from triage.verify.toolkit.harness import Parameters


def _one_copy_fits(facts: Facts) -> float | None:
    """As many parameters as leave, loaded once in 16 bits over two cards of the reported size, three tenths of them free."""
    capacity = facts.get("capacity_bytes")
    return round(0.692 * capacity / 1e9, 1) if isinstance(capacity, int) else None


REPRODUCTION = Reproduction(
    id="memory.gpu-oom.duplicate-load",
    family="memory.gpu-oom",
    cause="duplicate-load",
    title="Out of memory because one process loads the weights twice",
    shows="Cards that hold one copy of the weights do not hold two; loading once, or 4-bit weights, fit.",
    backends={
        "fake": "the number of parameters is not in the report: it is such that one copy fills seven tenths of the cards; "
        "NF4 is laid out, not computed; loading is shown, not serving"
    },
    parameters=(
        size("capacity_bytes", 25_436_943_811, "total memory of one card", "capacity_bytes", low=GIB),
        Parameter("billions", "real", 17.6, "parameters of the model, in billions", low=0.001, high=10_000, read=_one_copy_fits),
        count("cards", 2, "cards the weights are spread over", high=64),
        count("copies", 2, "how often they are loaded", low=2, high=16),
        wording(),
    ),
    fixes={
        "load-once": Fix("makes one replica and hands it out"),
        "quantize": Fix("loads both copies in NF4"),
        "larger-gpu": Fix("the same on cards of 80 GiB"),
        "lower-precision": Fix("float16 in place of bfloat16", advised=False),
        "allocator-config": Fix("sets expandable_segments:True", advised=False),
    },
    sources=("https://huggingface.co/docs/accelerate/usage_guides/big_modeling", "https://github.com/THUDM/CogVLM"),
)


def reported(p: Parameters) -> None:
    """Two replicas, each spread over the cards."""
    _serve(p, p.copies)


def fixed(p: Parameters, fix: str) -> None:
    """The same with one thing changed."""
    _serve(
        p,
        1 if fix == "load-once" else p.copies,
        bits=4.5 if fix == "quantize" else 16,
        dtype="float16" if fix == "lower-precision" else "bfloat16",
        capacity=80 * GIB if fix == "larger-gpu" else p.capacity_bytes,
        setting="expandable_segments:True" if fix == "allocator-config" else "",
    )


def _serve(p: Parameters, copies: int, bits: float = 16, dtype: str = "bfloat16", capacity: int = 0, setting: str = "") -> None:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    capacity = capacity or p.capacity_bytes
    devices = tuple(f"cuda:{index}" for index in range(p.cards))
    replicas = []
    with FakeTensorMode(), torch.no_grad(), Card(p, capacity, setting=setting, devices=devices):
        for number in range(copies):
            replicas.append(_load(p, devices, bits, getattr(torch, dtype)))
            print(f"replica {number + 1}: weights loaded")


def _load(p: Parameters, devices: tuple[str, ...], bits: float, dtype: Any) -> Any:
    """The layers of a model, in blocks of 16,384 × 8,192 weights, in turn on each card, a contiguous run on each."""
    import torch
    from torch import nn

    rows, columns = 16_384, 8_192
    blocks = max(len(devices), round(p.billions * 1e9 / (rows * columns)))
    model = nn.ModuleList()
    for index in range(blocks):
        device = devices[index * len(devices) // blocks]
        layer = nn.Module()
        if bits < 16:
            layer.register_buffer("codes", torch.empty(round(rows * columns * bits / 8), dtype=torch.uint8, device=device))
        else:
            layer.weight = nn.Parameter(torch.empty(rows, columns, dtype=dtype, device=device), requires_grad=False)
        model.append(layer)
    return model
