"""Command lines and their options."""

from __future__ import annotations

import pytest
from parser_support import facts, values


def options(text: str) -> dict[object, object]:
    return {option["name"]: option["value"] for option in facts(text, "option")}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("$ python train.py", "python"),
        ("python3 -m torch.distributed.launch train.py", "python"),
        ("/usr/bin/python3.10 train.py", "python"),
        ("(env) ann@box:~/work$ python train.py", "python"),
        ("PS C:\\work> python train.py", "python"),
        ("+ python train.py", "python"),
        ("!python train.py", "python"),
        ("CUDA_VISIBLE_DEVICES=0 python train.py", "python"),
        ("nohup python -u train.py &", "python"),
        ("torchrun --nproc_per_node=2 train.py", "torchrun"),
        ("deepspeed --num_gpus 2 train.py", "deepspeed"),
        ("accelerate launch train.py", "accelerate"),
        ("vllm serve org/model", "vllm"),
        ("docker run --gpus all image", "docker"),
        ("mpirun -np 2 ./a.out", "mpirun"),
        ("srun -N 2 python train.py", "srun"),
        ("pip install torch", "pip"),
        ("llamafactory-cli train config.yaml", "llamafactory-cli"),
        ("Command: python train.py", "python"),
    ],
)
def test_commands(text: str, name: str) -> None:
    assert values(text, "command", "name") == [name]


@pytest.mark.parametrize(
    "text",
    [
        "python is slow",
        "I use python 3.10 and docker for everything",
        '  File "/usr/bin/python3.10/train.py", line 3, in f\n    python = 3',
        "vllm is installed",
        "ray tracing is on",
        "the docker image is large",
    ],
)
def test_mentions_are_no_commands(text: str) -> None:
    assert facts(text, "command") == []


def test_options_of_a_command() -> None:
    text = "$ python train.py --per_device_train_batch_size 1 --bf16 --bits=4 --learning-rate 2e-5 --name 'two words' -tp 4"
    assert options(text) == {
        "per_device_train_batch_size": "1",
        "bf16": "true",
        "bits": "4",
        "learning_rate": "2e-5",
        "name": "two words",
        "tp": "4",
    }
    assert facts(text, "option", "number")[0] == {"number": 1.0}
    assert facts(text, "option", "number")[3] == {"number": 2e-5}


def test_flag_before_the_script_takes_no_value() -> None:
    assert options("torchrun --standalone train.py --fp16") == {"standalone": "true", "fp16": "true"}


def test_negative_numbers_are_values() -> None:
    assert options("python train.py --local_rank -1") == {"local_rank": "-1"}


def test_sizes_are_numbers_in_bytes() -> None:
    assert facts("docker run --shm-size 16GiB image", "option", "name", "number") == [{"name": "shm_size", "number": float(16 << 30)}]


def test_continuation_lines() -> None:
    text = "vllm serve org/model \\\n  --tensor-parallel-size 4 \\\n  --gpu-memory-utilization 0.9\nINFO: ready"
    assert options(text) == {"tensor_parallel_size": "4", "gpu_memory_utilization": "0.9"}
    assert values(text, "option", "line") == [2, 3]
    assert values(text, "command", "value") == ["vllm serve org/model --tensor-parallel-size 4 --gpu-memory-utilization 0.9"]


def test_a_command_in_backticks_over_several_lines() -> None:
    text = "I start it with\n`vllm serve org/model \\\n  --max-model-len 4096 \\\n  --gpu-memory-utilization 0.97`\nand it fails."
    assert options(text)["gpu_memory_utilization"] == "0.97"


def test_arguments_in_a_manifest() -> None:
    text = 'args:\n  - --tensor-parallel-size=2\n  - "--max-model-len=4096"\n'
    assert options(text) == {"tensor_parallel_size": "2", "max_model_len": "4096"}


@pytest.mark.parametrize(
    "text",
    [
        "    command: --model org/model --max-model-len 4096 --enforce-eager",
        "    command: vllm serve org/model --max-model-len 4096 --enforce-eager",
        '    command: ["vllm", "serve", "org/model", "--max-model-len", "4096", "--enforce-eager"]',
        '    args: ["vllm serve org/model --max-model-len 4096 --enforce-eager"]',
        '        args: ["--max-model-len=4096", "--enforce-eager"]',
        'CMD ["--max-model-len", "4096", "--enforce-eager"]',
        'args:\n  - --max-model-len\n  - "4096"\n  - --enforce-eager\n',
        "    command: >\n      --model org/model\n      --max-model-len 4096\n      --enforce-eager\n",
    ],
)
def test_what_a_container_starts(text: str) -> None:
    found = options(text)
    assert (found["max_model_len"], found["enforce_eager"]) == ("4096", "true")


def test_the_model_that_a_container_serves() -> None:
    assert values('command: ["vllm", "serve", "org/model", "--port", "80"]', "command", "value") == ["vllm serve org/model --port 80"]


def test_switches_of_a_web_interface() -> None:
    for text in ('set "COMMANDLINE_ARGS=--xformers --medvram"', "Launching Web UI with arguments: --xformers --medvram"):
        assert options(text) == {"xformers": "true", "medvram": "true"}


def test_options_that_prose_names() -> None:
    text = "I start the server with --max-model-len 20000 and --enforce-eager, what else can I do?"
    assert options(text) == {"max_model_len": "20000", "enforce_eager": "true"}


@pytest.mark.parametrize(
    "text",
    [
        "usage: train.py [-h] [--weights WEIGHTS] [--cfg CFG]",
        "  --weights WEIGHTS   initial weights path",
        "train.py: error: unrecognized arguments: --foo",
        "ValueError: try a smaller --max-model-len",
        "1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)",
        "1. disable cuda graph by --disable-cuda-graph",
        "3. disable torch compile by not using --enable-torch-compile",
        "----------------",
        "--",
    ],
)
def test_help_and_messages_give_no_options(text: str) -> None:
    assert options(text) == {}


def test_arguments_alone_on_a_line() -> None:
    text = "Arguments: --model-id org/model-34b --max-total-tokens 6900  --quantize eetq\nready"
    assert options(text) == {"model_id": "org/model-34b", "max_total_tokens": "6900", "quantize": "eetq"}


def test_chinese_after_a_command() -> None:
    assert options("命令是 python train.py --bs 4，然后就报错了。") in ({"bs": "4"}, {})
    assert options("python train.py --bs 4，然后就报错了。") == {"bs": "4"}
