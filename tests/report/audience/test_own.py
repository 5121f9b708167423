"""Lines to paste have the reader's own names where the text has one of a kind; words for values that nobody told are explained."""

from __future__ import annotations

import pytest

from triage import explain
from triage.report import Diagnosis

FAULT = "RuntimeError: CUDA error: an illegal memory access was encountered\n"
OOM = "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity; 21.66 GiB already allocated; 300.00 MiB free)\n"


def _first(text: str, lang: str = "en") -> Diagnosis:
    return explain(text)._in(lang)[0]


def _lines(text: str) -> str:
    return "\n".join(line for fix in _first(text).fixes for line in fix.commands)


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        ("$ python tools/fit.py --cfg a.yaml\n", "CUDA_LAUNCH_BLOCKING=1 python tools/fit.py"),
        ('Traceback (most recent call last):\n  File "/home/ada/net/fit.py", line 3, in <module>\n', "python /home/ada/net/fit.py"),
        ("$ python setup.py install\n", "CUDA_LAUNCH_BLOCKING=1 python train.py"),
        ("$ python fit.py\n$ python eval.py\n", "CUDA_LAUNCH_BLOCKING=1 python train.py"),
        ("$ python $(fit).py\n", "CUDA_LAUNCH_BLOCKING=1 python train.py"),
        ("$ python 'a b.py'\n", "CUDA_LAUNCH_BLOCKING=1 python train.py"),
    ],
)
def test_the_one_script_that_was_run_is_named(shown: str, line: str) -> None:
    assert line in _lines(shown + FAULT)


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        ("$ vllm serve org/chat-7b --max-model-len 8192\n", "vllm serve org/chat-7b --tensor-parallel-size 2"),
        ("$ vllm serve org/chat-7b\n$ vllm serve org/chat-14b\n", "vllm serve NAME --tensor-parallel-size 2"),
    ],
)
def test_the_one_model_that_is_served_is_named(shown: str, line: str) -> None:
    assert line in _lines(shown + "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.\n")


@pytest.mark.parametrize(
    ("shown", "rest"),
    [
        ("$ docker run --rm -v /data:/data --name job org/trainer:1.2 python fit.py\n", "--rm -v /data:/data --name job org/trainer:1.2 …"),
        ("$ docker run --gpus all --shm-size 8g -it a/b\n", "--gpus all -it a/b"),
        ("$ docker run -v $PWD:/data org/trainer:1.2\n", "org/trainer:1.2"),
        ("$ docker run -e HF_TOKEN=hf_x org/trainer:1.2\n", "org/trainer:1.2"),
        ("$ docker run --gpus all -it a/b\n$ docker run c/d\n", "…"),
        ("$ docker ps\n", "…"),
        ("$ docker run --gpus all nvidia / cuda: 9.0-base nvidia-smi\n", "…"),
    ],
)
def test_the_command_of_the_container_is_kept_up_to_its_image(shown: str, rest: str) -> None:
    text = shown + "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\n"
    assert f"docker run --shm-size=16g {rest}\n" in _lines(text)


def test_a_container_keeps_its_gpus() -> None:
    text = "$ docker run --gpus all -v $PWD:/data a/b:1 bash\nERROR: Unexpected bus error encountered in worker. "
    text += "This might be caused by insufficient shared memory (shm).\n"
    assert "docker run --gpus all --shm-size=16g a/b:1" in _lines(text)


SMALL = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 4.00 GiB total capacity; "
    "2.10 GiB already allocated; 0 bytes free; 2.50 GiB reserved in total by PyTorch)"
)


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        ('set "COMMANDLINE_ARGS=--autolaunch --medvram"\n', 'set "COMMANDLINE_ARGS=--autolaunch --lowvram --opt-sub-quad-attention"'),
        ("set COMMANDLINE_ARGS=--xformers --autolaunch\n", 'set "COMMANDLINE_ARGS=--xformers --autolaunch --lowvram"'),
        ("Launching Web UI with arguments: --api\n", "export COMMANDLINE_ARGS='--api --lowvram --opt-sub-quad-attention'"),
        ("webui-user.sh\n", "export COMMANDLINE_ARGS='--lowvram --opt-sub-quad-attention'"),
    ],
)
def test_switches_stand_beside_the_readers(shown: str, line: str) -> None:
    assert line in _lines(shown + SMALL)


def test_a_word_is_explained_once_and_only_where_it_stays() -> None:
    text = "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.\n$ vllm serve{}\n"
    told, named = ([fix.detail for fix in _first(text.format(model)).fixes] for model in (" --port 80", " org/chat-7b"))
    assert sum("NAME is the name or directory of the model." in detail for detail in told) == 1
    assert not any("NAME is" in detail for detail in named)
    assert any("NAME 指模型名称或目录。" in fix.detail for fix in _first(text.format(" --port 80"), "zh").fixes)


def test_what_is_advised_everywhere_does_not_lengthen_a_list() -> None:
    assert [fix.id for fix in _first(OOM).fixes] == ["reduce-batch-or-sequence", "lower-precision", "gradient-checkpointing"]
    several = [fix.id for fix in _first("8 GPUs, DDP\n" + OOM.replace("GPU 0", "GPU 3")).fixes]
    assert "shard-model" in several
