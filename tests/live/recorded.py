# ruff: noqa: N801, N818 - the names are those of the library
"""NVML answers in place of the library: what a machine said, by function name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

GIB = 1 << 30


class NVMLError(Exception):
    """Base of the library's errors."""


class NVMLError_NotSupported(NVMLError):
    def __str__(self) -> str:
        return "Not Supported"


class NVMLError_LibraryNotFound(NVMLError):
    def __str__(self) -> str:
        return "NVML Shared Library Not Found"


class NVMLError_LibRmVersionMismatch(NVMLError):
    def __str__(self) -> str:
        return "RM has detected an NVML/RM version mismatch."


class NVMLError_GpuIsLost(NVMLError):
    def __str__(self) -> str:
        return "GPU is lost"


def healthy_gpu(index: int = 0, **changes: Any) -> dict[str, Any]:
    """An idle data-center GPU."""
    answers: dict[str, Any] = {
        "nvmlDeviceGetName": "NVIDIA A100-SXM4-80GB",
        "nvmlDeviceGetUUID": f"GPU-00000000-0000-0000-0000-00000000000{index}",
        "nvmlDeviceGetPciInfo": SimpleNamespace(busId=f"00000000:0{index + 7}:00.0".encode()),
        "nvmlDeviceGetCudaComputeCapability": (8, 0),
        "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=80 * GIB, used=1 * GIB, free=79 * GIB),
        "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=0, memory=0),
        "nvmlDeviceGetTemperature": 31,
        "nvmlDeviceGetComputeRunningProcesses": [],
        "nvmlDeviceGetGraphicsRunningProcesses": [],
        "nvmlDeviceGetPersistenceMode": 1,
        "nvmlDeviceGetComputeMode": 0,
        "nvmlDeviceGetMigMode": [0, 0],
        "nvmlDeviceGetEccMode": [1, 1],
        "nvmlDeviceGetTotalEccErrors": 0,
        "nvmlDeviceGetRetiredPagesPendingStatus": 0,
        "nvmlDeviceGetRemappedRows": (0, 0, 0, 0),
        "nvmlDeviceGetCurrentClocksThrottleReasons": 0,
        "nvmlDeviceGetNvLinkState": 1,
        "nvmlDeviceGetMaxMigDeviceCount": 7,
    }
    return {**answers, **changes}


class RecordedNvml:
    """Answers like the module `pynvml`: a value is the answer, an error is raised, what is missing is not supported."""

    NVMLError = NVMLError

    def __init__(self, gpus: list[dict[str, Any] | NVMLError] | None = None, init: NVMLError | None = None, **system: Any) -> None:
        self._gpus = gpus or []
        self._init = init
        self._system = {
            "nvmlSystemGetDriverVersion": "550.54.15",
            "nvmlSystemGetCudaDriverVersion_v2": 12040,
            "nvmlSystemGetProcessName": b"/usr/bin/python3",
            "nvmlDeviceGetCount": len(self._gpus),
            **system,
        }

    def nvmlInit(self) -> None:  # noqa: N802
        if self._init:
            raise self._init

    def nvmlShutdown(self) -> None:  # noqa: N802
        pass

    def nvmlDeviceGetHandleByIndex(self, index: int) -> dict[str, Any]:  # noqa: N802
        answers = self._gpus[index]
        if isinstance(answers, NVMLError):
            raise answers
        return answers

    def __getattr__(self, name: str) -> Any:
        def answer(*arguments: Any) -> Any:
            source = arguments[0] if arguments and isinstance(arguments[0], dict) else self._system
            value = source.get(name, NVMLError_NotSupported())
            if isinstance(value, NVMLError):
                raise value
            return value(*arguments[1:]) if callable(value) else value

        return answer
