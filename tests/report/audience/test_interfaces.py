"""Who works in a program's interface is told its own switches, and given lines for the Python that it brings with it."""

from __future__ import annotations

import pytest

from triage import explain
from triage.report.audience.interfaces import for_the_script, is_of_use, lines_for, python_of, with_its_python

_EMBEDDED = r".\python_embeded\python.exe"
_OOM = (
    "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total capacity; 7.00 GiB already allocated; 0 bytes free;"
    " 7.20 GiB reserved in total by PyTorch)"
)


def test_code_and_launchers_are_left_out_and_variables_are_set_alone() -> None:
    own = ["torchrun --nproc-per-node=2 train.py", "with torch.no_grad(): y = model(x)", "x = torch.utils.checkpoint.checkpoint(block, x)"]
    assert lines_for([*own, "nvidia-smi", "python train.py 2>&1 | tee train.log"]) == ["nvidia-smi"]
    assert lines_for(["CUDA_LAUNCH_BLOCKING=1 python train.py"]) == ["export CUDA_LAUNCH_BLOCKING=1"]
    assert lines_for(["compute-sanitizer --tool memcheck python train.py"]) == []
    assert lines_for(["python main.py --lowvram"]) == ["python main.py --lowvram"]


def test_advice_to_who_writes_the_program_is_of_no_use() -> None:
    assert not is_of_use("free-memory", {"comfyui"}, trains=False)
    assert not is_of_use("gradient-checkpointing", {"comfyui"}, trains=False)
    assert is_of_use("gradient-checkpointing", {"comfyui"}, trains=True)
    assert is_of_use("gradient-checkpointing", {"kohya"}, trains=False)
    assert is_of_use("offload", {"comfyui"}, trains=False)


def test_lines_take_the_python_of_the_program() -> None:
    lines = ["pip install -U torch", 'python -c "import torch"', "python -m pip check", "python -m venv fresh", "nvidia-smi"]
    assert with_its_python(lines, _EMBEDDED) == [
        rf"{_EMBEDDED} -m pip install -U torch", rf'{_EMBEDDED} -c "import torch"', rf"{_EMBEDDED} -m pip check", "nvidia-smi",
    ]  # fmt: skip
    assert with_its_python(["python main.py --lowvram"], _EMBEDDED) == [
        rf"{_EMBEDDED} -s ComfyUI\main.py --windows-standalone-build --lowvram"
    ]
    assert with_its_python(["python main.py --lowvram"], r"venv\Scripts\python.exe") == [r"venv\Scripts\python.exe main.py --lowvram"]


def test_of_several_pythons_none_is_taken() -> None:
    assert python_of(["webui"], []) == r"venv\Scripts\python.exe"
    assert python_of(["webui"], [_EMBEDDED]) == _EMBEDDED
    assert python_of(["webui"], [_EMBEDDED, r"runtime\python.exe"]) == ""
    assert python_of(["comfyui"], []) == ""


@pytest.mark.parametrize(
    ("shown", "told", "absent"),
    [
        (r'  File "D:\ComfyUI_windows_portable\ComfyUI\nodes.py", line 287, in decode', "--lowvram", "torchrun"),
        (r'  File "D:\sd\stable-diffusion-webui\modules\processing.py", line 9, in f', 'set "COMMANDLINE_ARGS=--medvram"', "torchrun"),
        ("I train a LoRA with kohya_ss on Windows 11", "--gradient_checkpointing", "torch.utils.checkpoint"),
        ("llamafactory-cli train lora.yaml", "per_device_train_batch_size: 1", "autocast"),
        ("Retrieval-based-Voice-Conversion-WebUI, go-web.bat", "batch size per card", "loss.item()"),
    ],
)
def test_the_report_speaks_to_who_clicks(shown: str, told: str, absent: str) -> None:
    fixes = explain(f"{shown}\ntorch.cuda.OutOfMemoryError: {_OOM}\n").diagnoses[0].fixes
    text = "\n".join(f"{fix.title} {fix.detail} {fix.commands}" for fix in fixes)
    assert told in text
    assert absent not in "\n".join(command for fix in fixes for command in fix.commands)


def test_who_writes_code_beside_an_interface_is_given_code() -> None:
    text = (
        f"In ComfyUI it works, but not here:\n\nimport torch\nfrom diffusers import FluxPipeline\n\ntorch.cuda.OutOfMemoryError: {_OOM}\n"
    )
    commands = "\n".join(command for fix in explain(text).diagnoses[0].fixes for command in fix.commands)
    assert "pipe." in commands


def test_a_portable_package_is_repaired_with_its_own_python() -> None:
    frame = r'  File "C:\ComfyUI_windows_portable\python_embeded\Lib\site-packages\torch\cuda\__init__.py", line 363, in _lazy_init'
    fixes = explain(f"{frame}\nAssertionError: Torch not compiled with CUDA enabled\n").diagnoses[0].fixes
    installs = [command for fix in fixes for command in fix.commands if "pip" in command]
    assert installs
    assert all(command.startswith(_EMBEDDED) for command in installs)


def test_a_title_without_numbers_does_not_hide_those_of_the_message() -> None:
    message = f"When it comes to 100 %, I get\nRuntimeError: {_OOM} If reserved memory is >> allocated memory try setting max_split_size_mb"
    text = f"# [bug]: RuntimeError: CUDA out of memory\n\n### VRAM\n\n8\n\n### What happened?\n\n{message}\n"
    assert "20.00 MiB was asked for" in explain(text).diagnoses[0].summary


def test_an_environment_is_taken_for_unpacked_where_python_s_own_library_lies_in_it() -> None:
    error = "AssertionError: Torch not compiled with CUDA enabled\n"
    packages = r'  File "F:\tts\env\lib\site-packages\torch\cuda\__init__.py", line 363, in _lazy_init'
    standard = r'  File "F:\tts\env\lib\threading.py", line 953, in run'
    for frames, start in ((f"{standard}\n{packages}", r"env\python.exe -m pip"), (packages, "pip ")):
        commands = [command for fix in explain(f"{frames}\n{error}").diagnoses[0].fixes for command in fix.commands]
        assert any(command.startswith(start) for command in commands)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("train_db.py", "--gradient_checkpointing --stop_text_encoder_training=-1"),
        ("sdxl_train_network.py", "--gradient_checkpointing --network_train_unet_only --cache_text_encoder_outputs"),
        ("train_network.py", "--gradient_checkpointing --network_train_unet_only"),
        ("", "--gradient_checkpointing --network_train_unet_only --cache_text_encoder_outputs"),
    ],
)
def test_options_of_the_script_that_trains(script: str, told: str) -> None:
    line = "--gradient_checkpointing --network_train_unet_only --cache_text_encoder_outputs"
    assert for_the_script([line], f"c:\\kohya_ss\\{script}") == [told]
