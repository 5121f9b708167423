"""Every error of CUDA that names a failure by itself is recognised in the words of every program that prints it.

The strings and names are those of `kb/tables/cuda-errors.yaml`; the forms are how libraries and the macros of programs print them.
"""

# ruff: noqa: E501 - the forms stand as they are printed

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from triage.knowledge.tables import load_tables
from triage.pipeline import Triage

KB = Path(__file__).parents[2] / "kb"

FORMS = {
    "PyTorch": "RuntimeError: CUDA error: {string}",
    "PyTorch 2.8": (
        "torch.AcceleratorError: CUDA error: {string}\n"
        "Search for `{name}' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information."
    ),
    "PyTorch 1.4": "RuntimeError: CUDA error: {string} (launch_kernel at /pytorch/aten/src/ATen/native/cuda/Loops.cuh:102)",
    "PyTorch 0.4": "RuntimeError: cuda runtime error ({code}) : {string} at /pytorch/aten/src/THC/THCGeneral.cpp:51",
    "Triton": "RuntimeError: Triton Error [CUDA]: {string}",
    "TensorFlow": "F tensorflow/stream_executor/cuda/cuda_driver.cc:1201] could not synchronize on CUDA context: {driver_name}: {string} :: ***",
    "JAX": "jaxlib.xla_extension.XlaRuntimeError: INTERNAL: Failed to launch CUDA kernel: fusion with block dimensions: 128x1x1: {driver_name}: {string}",
    "CuPy": "cupy_backends.cuda.api.runtime.CUDARuntimeError: {name}: {string}",
    "Numba": "numba.cuda.cudadrv.driver.CudaAPIError: [{code}] Call to cuMemcpyDtoH results in {driver_name}",
    "PyCUDA": "pycuda._driver.LogicError: cuMemcpyDtoH failed: {string}",
    "PaddlePaddle": "OSError: (External) CUDA error({code}), {string}. \n  [Hint: '{name}'. ] (at /paddle/phi/backends/gpu/cuda/cuda_info.cc:251)",
    "MXNet": "mxnet.base.MXNetError: src/storage/./pooled_storage_manager.h:157: Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading : CUDA: {string}",
    "TVM": "InternalError: Check failed: (e == cudaSuccess || e == cudaErrorCudartUnloading) is false: CUDA: {string}",
    "Caffe": "F0412 11:02:55.120001  4400 math_functions.cu:28] Check failed: error == cudaSuccess ({code} vs. 0)  {string}",
    "Darknet": "CUDA Error: {string}",
    "ONNX Runtime": "[ONNXRuntimeError] : 1 : FAIL : CUDA failure {code}: {string} ; GPU=0 ; hostname=box ; expr=cudaSetDevice(info_.device_id);",
    "TensorRT-LLM": "RuntimeError: [TensorRT-LLM][ERROR] CUDA runtime error in cudaMallocAsync(ptr, n): {string} (/src/tllmBuffers.h:112)",
    "FasterTransformer": "what():  [FT][ERROR] CUDA runtime error: {string} /src/fastertransformer/utils/allocator.h:160",
    "vLLM": "RuntimeError: Failed: Cuda error /workspace/csrc/custom_all_reduce.cuh:364 '{string}'",
    "llama.cpp": "CUDA error: {string}\n  current device: 0, in function ggml_cuda_mul_mat at ggml-cuda.cu:1234\n  cudaStreamSynchronize(stream)",
    "llama.cpp of 2023": "CUDA error {code} at ggml-cuda.cu:6292: {string}",
    "CTranslate2": "RuntimeError: CUDA failed with error {string}",
    "candle": 'Error: DriverError({driver_name}, "{string}")',
    "Julia": "ERROR: CUDA error: {string} (code {code}, ERROR_X)",
    "Taichi": "[E 01/01/24 10:00:00.000 123] [cuda_driver.h:operator()@88] CUDA Error {driver_name}: {string} while calling stream_synchronize (cuStreamSynchronize)",
    "Warp": "Warp CUDA error {code}: {string} (in function wp_alloc_device, /build/warp.cu:100)",
    "Thrust": "terminate called after throwing an instance of 'thrust::system::system_error'\n  what():  for_each: failed to synchronize: {name}: {string}",
    "RAFT": "RuntimeError: exception occured! file=/raft/cpp/include/raft/mr.hpp line=33: call='cudaMalloc', Reason={name}:{string}",
    "Kokkos": "cudaDeviceSynchronize() error( {name}): {string} /kokkos/core/src/Cuda/Kokkos_Cuda_Instance.cpp:151",
    "XGBoost": "xgboost.core.XGBoostError: /src/common/device_helpers.cuh:431: Check failed: e == cudaSuccess: {string}",
    "Faiss": "Faiss assertion 'err__ == cudaSuccess' failed in void faiss::gpu::f() at GpuIndex.cu:12; details: CUDA error {code} {string}",
    "OpenCV": "cv2.error: OpenCV(4.5.5) /opencv/core/src/cuda/gpu_mat.cu:116: error: (-217:Gpu API call) {string} in function 'allocate'",
    "GROMACS": "Asynchronous H2D copy failed. CUDA error #{code} ({name}): {string}.",
    "Horovod": "horovod.common.exceptions.HorovodInternalError: cudaEventSynchronize failed: {string}",
    "COLMAP": "F20240101 10:00:00.000 cudacc.cc:33] CUDA error at src/mvs/gpu_mat.h:12 - {string}",
    "CUDA samples": 'CUDA error at main.cu:120 code={code}({name}) "cudaDeviceSynchronize()" ',
    "CUDA samples, a kernel": "getLastCudaError() CUDA error : kernel failed : main.cu(12) : ({code}) {string}.",
    "CUDA samples before 5.0": "Cuda error in file 'main.cu' in line 120 : {string}.",
    "a macro": "cudaSafeCall() failed at src/main.cu:44 : {string}",
    "another macro": "GPUassert: {string} main.cu 44",
}
# An initialisation that failed is put down to forking by frameworks of Python, to the driver elsewhere, and left open where neither is told.
SEVERAL_READINGS = {3}
# Strings that say nothing of GPUs, in a form that says nothing of them either.
BARE = {("another macro", 802), ("PaddlePaddle", 52), ("PaddlePaddle", 912)}
# What the program makes of an error: PyTorch met it while it started CUDA, Triton's kernels are always for this GPU.
OF_ITS_OWN = {("PyTorch 0.4", 999), ("Triton", 200)}


def _errors() -> list[dict[str, Any]]:
    (table,) = [table for table in load_tables(KB) if table.name == "cuda-errors"]
    rows = [table.slots(row) for row in table.rows]
    return [row for row in rows if row.get("family") and row["code"] not in SEVERAL_READINGS]


@pytest.fixture(scope="module")
def triage() -> Triage:
    return Triage([])


@pytest.mark.parametrize("form", sorted(FORMS))
def test_errors_are_recognised_as_printed(triage: Triage, form: str) -> None:
    missed = []
    for row in _errors():
        text = FORMS[form].format(**{"driver_name": row["name"], **row})
        found = [diagnosis.family for diagnosis in triage.explain(text).diagnoses]
        if found[:1] != [row["family"]] and (form, row["code"]) not in BARE | OF_ITS_OWN:
            missed.append((row["code"], row["string"], row["family"], found))
    assert missed == []
