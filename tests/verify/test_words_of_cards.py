"""What PyTorch prints on a card, by the wording of its sources, is read as the failure that the reproduction stands for.

These are no logs of runs: such lie in tests/gpu/evidence once there was a card. They hold the closed loop of arms that need one.
"""

# ruff: noqa: E501 - a message a line
from __future__ import annotations

import pytest

from triage.facts.observation import Observation
from triage.pipeline import shared_triage
from triage.verify.catalog import catalog

ASYNC = "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\n"
GIB = 1 << 30
FULL = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {asked}. GPU 0 has a total capacity of 139.81 GiB of which 100.00 GiB is free. "
    "Including non-PyTorch memory, this process has {held} GiB memory in use. {allowed} GiB allowed; Of the allocated memory {live} GiB is "
    "allocated by PyTorch, and {idle} is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
    "PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
)
PRINTED = {
    "config.attention-backend.no-kernel": [
        "x.py:9: UserWarning: Flash Attention does not support non-null attn_mask. (Triggered internally at sdp_utils_cpp.h:262.)\nRuntimeError: No available kernel. Aborting execution.",
    ],
    "device.fork-reinit.after-fork": [
        "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method",
    ],
    "device.host-conversion.numpy": [
        "TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
    ],
    "device.invalid-ordinal.beyond-visible": [
        f"RuntimeError: CUDA error: invalid device ordinal\n{ASYNC}",
        f"torch.AcceleratorError: CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?\n{ASYNC}",
    ],
    "device.mismatch.input-not-moved": [
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_mm)",
        "RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_mm)",
    ],
    "device.mismatch.model-parallel-placement": [
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!",
    ],
    "device.mismatch.module-part-not-moved": [
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
    ],
    "device.unavailable.hidden-gpus": ["RuntimeError: No CUDA GPUs are available"],
    "distributed.duplicate-gpu.same-device": [
        "[default0]:[rank0]: torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:77, invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.27.3\n"
        "[default0]:[rank0]: ncclInvalidUsage: This usually reflects invalid usage of NCCL library.\n[default0]:[rank0]: Last error:\n[default0]:[rank0]: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 18000",
    ],
    "dtype.mismatch.operands": [
        "RuntimeError: expected scalar type Float but found BFloat16",
        "RuntimeError: mat1 and mat2 must have the same dtype, but got Float and BFloat16",
    ],
    "dtype.not-implemented.bf16-triu": ["RuntimeError: \"triu_tril_cuda_template\" not implemented for 'BFloat16'"],
    "kernel.device-assert.index-out-of-range": [
        f"/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1553: indexSelectLargeIndex: block: [0,0,0], thread: [0,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\nRuntimeError: CUDA error: device-side assert triggered\n{ASYNC}",
        f'IndexKernelUtils.cu:16: vectorized_gather_kernel: block: [0,0,0], thread: [0,0,0] Assertion `ind >=0 && ind < ind_dim_size && "vectorized gather kernel index out of bounds"` failed.\ntorch.AcceleratorError: CUDA error: device-side assert triggered\n{ASYNC}',
        f"Loss.cu:245: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [0,0,0] Assertion `t >= 0 && t < n_classes` failed.\nRuntimeError: CUDA error: device-side assert triggered\n{ASYNC}",
    ],
    "kernel.device-assert.probabilities": [
        f"TensorCompare.cu:112: _assert_async_cuda_kernel: block: [0,0,0], thread: [0,0,0] Assertion `probability tensor contains either `inf`, `nan` or element < 0` failed.\ntorch.AcceleratorError: CUDA error: device-side assert triggered\n{ASYNC}",
    ],
    "kernel.illegal-access.out-of-bounds": [
        f"RuntimeError: CUDA error: an illegal memory access was encountered\n{ASYNC}",
        f"torch.AcceleratorError: CUDA error: an illegal memory access was encountered\nSearch for `cudaErrorIllegalAddress' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\n{ASYNC}",
    ],
    "kernel.triton-resources.shared-memory": [
        "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 524288, Hardware limit: 232448. Reducing block sizes or `num_stages` may help.",
    ],
    "memory.gpu-oom.activations": [FULL.format(asked="2.00 GiB", held="23.10", allowed="24.00", live="22.60", idle="40.00 MiB")],
    "memory.gpu-oom.algorithm-parameter": [FULL.format(asked="172.00 MiB", held="79.70", allowed="79.35", live="76.90", idle="2.40 GiB")],
    "memory.gpu-oom.fragmentation": [FULL.format(asked="6.00 GiB", held="27.20", allowed="31.36", live="21.11", idle="5.64 GiB")],
    "memory.gpu-oom.leak": [FULL.format(asked="16.00 MiB", held="4.30", allowed="4.00", live="3.80", idle="180.00 MiB")],
    "memory.gpu-oom.missing-no-grad": [FULL.format(asked="64.00 MiB", held="16.20", allowed="16.00", live="15.80", idle="160.00 MiB")],
    "memory.gpu-oom.model-too-large": [FULL.format(asked="136.00 MiB", held="24.00", allowed="23.64", live="23.51", idle="20.00 MiB")],
    "memory.gpu-oom.request-too-large": [FULL.format(asked="64.00 GiB", held="1.20", allowed="24.00", live="0.75", idle="0 bytes")],
    "memory.library-alloc.cublas": [
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
    ],
}  # fmt: skip
AS_ON_THE_PROCESSOR = {"memory.gpu-oom.memory-cap", "numerics.nan.gradient", "shape.mismatch.matmul"}
"""Arms that print the same words on the processor, or on the model of the allocator, where they are run."""


def test_every_arm_for_a_card_has_its_words() -> None:
    assert PRINTED.keys() | AS_ON_THE_PROCESSOR == {one.id for one in catalog().values() if "cuda" in one.backends}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in PRINTED.items() for text in texts])
def test_the_words_of_a_card_lead_to_the_reproduction(name: str, text: str) -> None:
    one = catalog()[name]
    capacity = next((each.default for each in one.parameters if each.name == "capacity_bytes"), None)
    extra = [Observation("emulation", {"capacity_bytes": capacity, "gpu": 0, "name": "memory fraction"})] if "allowed" in text else []
    found = shared_triage().explain(text, extra=extra).diagnoses
    assert found[0].family == one.family
    if one.cause_shown:
        assert one.cause in {diagnosis.cause for diagnosis in found}
    assert "memory-cap" not in {diagnosis.cause for diagnosis in found}, "the verifier's own limit is never the cause"
