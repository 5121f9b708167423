"""Environment variables in force; advice to set one is none."""

from __future__ import annotations

import pytest
from parser_support import facts, values

GIB = 1 << 30


def settings(text: str) -> list[tuple[object, object]]:
    return [(s["name"], s["value"]) for s in facts(text, "setting")]


@pytest.mark.parametrize(
    "text",
    [
        "export NCCL_DEBUG=INFO",
        "$ export NCCL_DEBUG=INFO",
        "NCCL_DEBUG=INFO",
        "NCCL_DEBUG=INFO torchrun --nproc_per_node 2 train.py",
        "`NCCL_DEBUG=INFO lmdeploy serve api_server model`",
        "OMP_NUM_THREADS=1 NCCL_DEBUG=INFO python train.py",
        "$ OMP_NUM_THREADS=1 NCCL_DEBUG=INFO python train.py",
        "ENV NCCL_DEBUG=INFO",
        "ENV NCCL_DEBUG INFO",
        'os.environ["NCCL_DEBUG"] = "INFO"',
        "os.environ['NCCL_DEBUG']='INFO'",
        'os.environ.setdefault("NCCL_DEBUG", "INFO")',
        'os.putenv("NCCL_DEBUG", "INFO")',
        "docker run --gpus all -e NCCL_DEBUG=INFO image",
        "docker run --gpus all --env NCCL_DEBUG=INFO image",
        "docker run --gpus all --env=NCCL_DEBUG=INFO image",
        "mpirun -np 2 -x NCCL_DEBUG=INFO python train.py",
        "env:\n  - name: NCCL_DEBUG\n    value: INFO",
        'env:\n  - name: NCCL_DEBUG\n    value: "INFO"',
        "environment:\n  NCCL_DEBUG: INFO",
        "set NCCL_DEBUG=INFO",
        '$env:NCCL_DEBUG="INFO"',
        "%env NCCL_DEBUG=INFO",
        "env: NCCL_DEBUG=INFO",
        "node:1:2 [0] NCCL INFO NCCL_DEBUG set by environment to INFO",
        "I start it with NCCL_DEBUG=INFO and it still hangs.",
        "我已经设置了 NCCL_DEBUG=INFO，还是不行。",
    ],
)
def test_ways_to_set(text: str) -> None:
    assert ("NCCL_DEBUG", "INFO") in settings(text)


@pytest.mark.parametrize(
    "text",
    [
        "If reserved memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.",
        "If reserved memory is large try setting\nPYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.",
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.",
        "RuntimeError: no. You can set NCCL_P2P_DISABLE=1 and try again",
        "# export NCCL_DEBUG=INFO",
        "To turn them off, set the environment variable `TF_ENABLE_ONEDNN_OPTS=0`.",
        "Please run with CUDA_LAUNCH_BLOCKING=1",
        "Run this:\n`CUDA_LAUNCH_BLOCKING=1`",
        "ERROR worker.py:405 -- Unhandled error (suppress with 'RAY_IGNORE_UNHANDLED_ERRORS=1')",
        "@@ -1 +1 @@\n+NCCL_DEBUG=INFO",
        "WorkNCCL(SeqNum=6, OpType=ALLREDUCE, NumelIn=1)",
        "https://example.org/?A_TOKEN=1&CUDA_X=2",
    ],
)
def test_advice_sets_nothing(text: str) -> None:
    assert settings(text) == []


@pytest.mark.parametrize("text", ['set "COMMANDLINE_ARGS=--xformers --medvram"', "@set COMMANDLINE_ARGS=--xformers --medvram"])
def test_all_switches_that_cmd_sets(text: str) -> None:
    assert settings(text) == [("COMMANDLINE_ARGS", "--xformers --medvram")]


def test_allocator_configuration_comes_apart() -> None:
    text = "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:1024,expandable_segments:True,garbage_collection_threshold:0.8"
    assert facts(text, "setting", "name", "key", "value", "number") == [
        {"name": "PYTORCH_CUDA_ALLOC_CONF", "key": "max_split_size_mb", "value": "1024", "number": float(GIB)},
        {"name": "PYTORCH_CUDA_ALLOC_CONF", "key": "expandable_segments", "value": "True"},
        {"name": "PYTORCH_CUDA_ALLOC_CONF", "key": "garbage_collection_threshold", "value": "0.8", "number": 0.8},
    ]


def test_allocator_lists_stay_whole() -> None:
    text = "PYTORCH_ALLOC_CONF=roundup_power2_divisions:[256:1,512:2],backend:native"
    assert values(text, "setting", "key") == ["roundup_power2_divisions", "backend"]
    assert values(text, "setting", "value") == ["[256:1,512:2]", "native"]


def test_flags_of_xla_come_apart() -> None:
    text = 'export XLA_FLAGS="--xla_gpu_autotune_level=0 --xla_dump_hlo_as_text"'
    assert facts(text, "setting", "key", "value") == [
        {"key": "xla_gpu_autotune_level", "value": "0"},
        {"key": "xla_dump_hlo_as_text", "value": "true"},
    ]


def test_lists_of_devices_stay_whole() -> None:
    assert settings("CUDA_VISIBLE_DEVICES=0,1,2,3 python train.py") == [("CUDA_VISIBLE_DEVICES", "0,1,2,3")]


def test_empty_value() -> None:
    assert settings("export CUDA_VISIBLE_DEVICES=") == [("CUDA_VISIBLE_DEVICES", "")]
    assert settings("CUDA_VISIBLE_DEVICES= python train.py") == [("CUDA_VISIBLE_DEVICES", "")]
    assert settings("CUDA_VISIBLE_DEVICES= 0,1") == [("CUDA_VISIBLE_DEVICES", "0,1")]


def test_threads_set_by_torchrun() -> None:
    text = "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded"
    assert settings(text) == [("OMP_NUM_THREADS", "1")]


def test_settings_are_reported_once() -> None:
    assert len(settings("export NCCL_DEBUG=INFO\n" * 50)) == 1
