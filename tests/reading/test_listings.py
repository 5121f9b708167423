"""Tables of codes, and reports that name codes."""

from __future__ import annotations

from triage.reading import read


def test_three_codes_that_are_explained_are_a_table() -> None:
    text = "- cudaErrorInvalidConfiguration：尺寸不合法\n- cudaErrorIllegalAddress：访问了非法地址\n- cudaErrorAssert: a failed assertion\n"
    assert {line.role for line in read("常见的错误码有：\n" + text).lines[1:]} == {"document"}


def roles(text: str) -> list[str]:
    return [line.role for line in read(text).lines]


def test_elements_and_declarations() -> None:
    for line in ("    3: 'CUBLAS_STATUS_ALLOC_FAILED',", "    int cudaErrorMemoryAllocation", "  eMemory = VK_ERROR_OUT_OF_DEVICE_MEMORY,"):
        assert roles(f"{line}\n")[0] in ("document", "code")
    assert roles("CUBLAS_STATUS_ALLOC_FAILED\n") == ["output"]


def test_translations() -> None:
    assert roles('#: src/a.cpp:8\nmsgid "CUDA out of memory"\nmsgstr "Speicher voll"\n')[1:] == ["document"] * 2
    texts = '{\n  "oom.title": "CUDA out of memory",\n  "oom.hint": "Lower the resolution",\n  "none": "No GPU found"\n}\n'
    assert roles(texts)[1:4] == ["document"] * 3


def test_resources_of_an_application() -> None:
    assert roles('<string name="oom">Out of GPU memory. Close other apps.</string>\n') == ["document"]
    assert roles("<string>CUDA out of memory</string> is what it shows\n") != ["document"]


def test_a_report_in_json_is_no_translation() -> None:
    assert "document" not in roles('{\n  "event": "failed",\n  "host": "a",\n  "message": "CUDA out of memory",\n  "cluster": "b"\n}\n')
    assert "document" not in roles('{\n  "run": "a",\n  "text of it": "CUDA out of memory",\n  "attempt": 3,\n  "card": "b"\n}\n')


def test_versions_of_a_machine_in_json_are_no_translation() -> None:
    dumped = (
        '{\n  "cmake_version": "version 3.27.5",\n  "os": "Microsoft Windows 10",\n  "libc_version": "N/A",\n'
        '  "is_cuda_available": "True",\n  "nvidia_driver_version": "545.84",\n  "nvidia_gpu_models": "GPU 0: NVIDIA GeForce RTX 2060"\n}\n'
    )
    assert "document" not in roles(dumped)
    assert "document" not in roles('{\n  "accelerate": "0.28.0",\n  "diffusers": "0.27.2",\n  "pillow": "10.2.0"\n}\n')


def test_what_alerts_say_beforehand_and_when_they_fire() -> None:
    rule = '  - alert: Xid\n    expr: xid > 0\n    annotations:\n      summary: "NVRM: Xid 79, GPU has fallen off the bus"\n'
    assert roles(rule)[-1] == "document"
    fired = '{\n  "status": "firing",\n  "alerts": [\n    {\n      "description": "CUDA out of memory"\n    }\n  ]\n}\n'
    assert "document" not in roles(fired)


def test_codes_in_json() -> None:
    codes = '{"code": 802, "name": "cudaErrorA", "text": "not ready"}\n{"code": 803, "name": "cudaErrorB", "text": "mismatch"}\n'
    assert roles(codes) == ["document"] * 2


def test_names_of_tasks() -> None:
    play = "- name: Fail without a driver\n  ansible.builtin.fail:\n    msg: NVIDIA-SMI has failed\n"
    assert roles(play)[0] == roles(play)[2] == "document"
    assert "document" not in roles("- name: training\n  result: CUDA out of memory\n")


def test_what_nvidia_smi_counts() -> None:
    assert roles("GPU 00000000:3B:00.0\n    ECC Errors\n        Volatile : 0\n")[1] == "document"


def test_three_codes_that_were_printed_are_none() -> None:
    text = "cudaErrorInvalidConfiguration\ncudaErrorIllegalAddress\ncudaErrorAssert\n"
    assert all(line.role != "document" for line in read(text).lines)


def test_names_of_codes_that_stand_alone() -> None:
    names = "CUDA_SUCCESS\nno error\n\nCUDA_ERROR_OUT_OF_MEMORY\nout of memory\n\nCUDA_ERROR_NOT_INITIALIZED\ninitialization error\n"
    assert [role for role, text in zip(roles(names), names.split("\n"), strict=False) if text.startswith("CUDA_")] == ["document"] * 3
    assert "document" not in roles("CUDA_ERROR_OUT_OF_MEMORY\nstopped\nCUDA_ERROR_OUT_OF_MEMORY\n")


def test_options_and_what_they_do() -> None:
    for line in (
        "- `hang`: Detects GPU hangs and logs the command that ended in `VK_ERROR_DEVICE_LOST`.",
        "- `A_SKIP_CHECK`: `0` or `1`, suppress NCCL version mismatch checking, `0` by default",
    ):
        assert roles(f"{line}\n") == ["document"]
    for line in (
        "- `NCCL_P2P_DISABLE=1`: still hangs",
        "- `torch.compile`: CUDA error: out of memory",
        "- `nvidia-smi`: Failed to initialize NVML",
    ):
        assert roles(f"{line}\n") != ["document"]


def test_arguments_that_are_explained_and_what_functions_printed_below_their_names() -> None:
    explained = "    size: number of bytes to take\n    device: index of the GPU used\n    stream: where the copy is queued\n"
    assert roles(explained) == ["document"] * 3
    printed = "    ctx: buffer of the model is 8 MiB\n    alloc: cudaMalloc failed: out of memory\n    ctx: failed to allocate the buffer\n"
    assert roles(printed) == ["output"] * 3
    ended = (
        "    ctx: buffer of the model is 8 MiB\n    load_model: error loading model: no memory left\n    init: failed to load the model\n"
    )
    assert roles(ended) == ["output"] * 3
