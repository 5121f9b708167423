"""Advice fits the framework whose message it was."""

from __future__ import annotations

import pytest

from triage import explain


def _lines(text: str) -> str:
    [first, *_] = explain(text).to_dict()["diagnoses"]
    return "\n".join(line for fix in first["fixes"] for line in fix["commands"])


@pytest.mark.parametrize(
    "text",
    [
        "ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512] and type float on device:GPU:0 by allocator GPU_0_bfc",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes.",
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9216.00 MiB on device 0: cudaMalloc failed: out of memory",
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 4,294,967,296 bytes (allocated so far: 8,589,934,592 bytes).",
    ],
)
def test_other_frameworks_are_given_no_line_of_pytorch(text: str) -> None:
    assert explain(text).to_dict()["diagnoses"][0]["family"] == "memory.gpu-oom"
    lines = _lines(text)
    assert not any(word in lines for word in ("torch", "AutoModel", "PYTORCH_", "accelerate"))


def test_a_fix_without_words_of_its_own_fits_the_framework_too() -> None:
    lines = _lines("jaxlib.xla_extension.XlaRuntimeError: INTERNAL: operation gpusolverDnCreate(&handle) failed: cuSolver internal error")
    assert "jax" in lines
    assert "torch" not in lines


def test_xla_speaks_for_the_program_that_built_it() -> None:
    told = "Allocator (GPU_0_bfc) ran out of memory trying to allocate 16.00GiB (rounded to 17179869184)requested by op "
    of_jax = f"2024-11-05 10:11:12.131415: W external/xla/xla/tsl/framework/bfc_allocator.cc:497] {told}"
    of_tensorflow = of_jax.replace("external/xla/", "external/local_xla/")
    assert "JAX" in explain(of_jax).diagnoses[0].summary
    assert "TensorFlow" in explain(of_tensorflow).diagnoses[0].summary
    assert "jax" in _lines(of_jax)
    assert "TF_" not in _lines(of_jax)


def test_pytorch_and_its_servers_keep_their_lines() -> None:
    told = "Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.69 GiB of which 1.10 GiB is free. Including non-PyTorch memory, "
    told += "this process has 22.50 GiB memory in use. Of the allocated memory 22.00 GiB is allocated by PyTorch, "
    told += "and 100.00 MiB is reserved by PyTorch but unallocated."
    assert "torch" in _lines(f"torch.OutOfMemoryError: CUDA out of memory. {told}")


def test_what_no_framework_is_known_of_gets_all_lines() -> None:
    assert "torch" in _lines("what():  CUDA error: out of memory")


def test_what_is_only_told_stands_first_in_the_evidence_of_it() -> None:
    report = explain(
        "Training a 65B model on 4 x RTX A5000 (24GB) runs out of memory\n\nI investigate,\n"
        "ValueError: Cannot copy out of meta tensor; no data!\nand with 8 bits I get CUDA out of memory.\n"
    )
    told = next(diagnosis for diagnosis in report.diagnoses if diagnosis.family == "memory.gpu-oom")
    assert "out of memory" in told.evidence[0].text


def _fix(text: str, name: str) -> str:
    fix = next(fix for fix in explain(text).diagnoses[0].fixes if fix.id == name)
    return "\n".join((fix.title, fix.detail, *fix.commands))


def test_one_fix_is_told_as_the_family_needs_it() -> None:
    worker = _fix("RuntimeError: DataLoader worker (pid 4242) is killed by signal: Bus error. ", "reduce-workers")
    build = _fix("nvcc error   : 'cicc' died due to signal 9 (Kill signal)", "reduce-workers")
    assert ("MAX_JOBS" in worker, "num_workers" in worker) == (False, True)
    assert ("MAX_JOBS" in build, "num_workers" in build) == (True, False)


def test_what_belongs_to_the_system_is_not_installed_with_pip() -> None:
    text = 'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].'
    assert "pip install" not in _lines(text)
    assert "nvidia-container-toolkit" in _lines(text)


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("mat1 and mat2 must have the same dtype, but got Double and Float", "dtype=torch.float32"),
        ("mat1 and mat2 must have the same dtype, but got Half and Float", "dtype=torch.float16"),
        ("mat1 and mat2 must have the same dtype, but got BFloat16 and Float", "dtype=torch.bfloat16"),
        ("mat1 and mat2 must have the same dtype, but got Half and BFloat16", "next(model.parameters()).dtype): output"),
        ("expected scalar type Long but found Float", "labels.long()"),
    ],
)
def test_dtypes_meet_as_their_kinds_need(message: str, line: str) -> None:
    assert line in _lines(f"RuntimeError: {message}\n")


def test_a_quantised_model_that_does_not_fit_is_not_quantised_again() -> None:
    refused = (
        '  File "/env/lib/python3.11/site-packages/transformers/quantizers/quantizer_bnb_4bit.py", line 102, in validate_environment\n'
        "    raise ValueError(\n"
        "ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM to fit the quantized model.\n"
    )
    fixes = [fix.id for fix in explain(refused).diagnoses[0].fixes]
    assert "quantize" not in fixes
    assert "device_map={'': 0}" in _lines(refused)


def test_what_is_lacking_is_no_negative_size() -> None:
    told = "Tried to allocate 4.44 GiB. GPU 0 has a total capacity of 10.58 GiB of which 4.44 GiB is free. Including non-PyTorch memory, "
    told += "this process has 6.14 GiB memory in use. Of the allocated memory 5.77 GiB is allocated by PyTorch, "
    told += "and 178.42 MiB is reserved by PyTorch but unallocated."
    for diagnosis in explain(f"Memory grows with every step.\ntorch.OutOfMemoryError: CUDA out of memory. {told}").diagnoses:
        assert " -" not in diagnosis.summary


def test_an_evaluation_that_keeps_its_outputs_is_told_so() -> None:
    told = "Tried to allocate 4.44 GiB. GPU 0 has a total capacity of 10.58 GiB of which 4.40 GiB is free. Including non-PyTorch memory, "
    told += "this process has 6.14 GiB memory in use. Of the allocated memory 5.77 GiB is allocated by PyTorch, "
    told += "and 178.42 MiB is reserved by PyTorch but unallocated."
    account = "As far as I can tell, memory usage starts to creep up at a certain point until it overflows. "
    account += "The memory is fixed during training, while it overflows during evaluation.\n"
    assert "argmax" in _lines(f"torch.cuda.OutOfMemoryError: CUDA out of memory. {told}\n{account}")


def test_a_method_of_quantisation_is_given_its_own_package() -> None:
    lines = _lines("ImportError: Loading an AWQ quantized model requires auto-awq library (`pip install autoawq`)\n")
    assert "pip install -U autoawq" in lines
    assert "bitsandbytes" not in lines


def test_a_process_killed_while_it_loads_is_told_to_load_with_less() -> None:
    killed = (
        "Loading checkpoint shards:  33%|###3      | 1/3 [00:10<00:20, 10.1s/it]\nrun.sh: line 14:  9051 Killed          python serve.py\n"
    )
    assert "mmap=True" in _lines(killed)
    assert "num_workers" not in _lines(killed)


def test_no_data_loader_for_a_program_that_has_none() -> None:
    killed = "error: process didn't exit successfully: `target/release/train` (signal: 9, SIGKILL: kill)\nLoading CUDA device 0\n"
    assert "DataLoader" not in _lines(killed)
