"""A GPU of the reported size: real and limited, or made of PyTorch's own bookkeeping and a model of its allocator."""

from __future__ import annotations

import os
import weakref
from types import TracebackType
from typing import Any

from triage.verify.allocator_model import CachingAllocator, OutOfDeviceMemoryError
from triage.verify.allocator_settings import AllocatorSettings
from triage.verify.toolkit.harness import Parameters, measure


class Card:
    """Context in which tensors made on `device` count as memory of a card of `capacity` bytes.

    On the backend `cuda` the card is the real one, limited to `capacity - outside` with
    `set_per_process_memory_fraction`. On `fake` tensors are meta tensors and on `cpu` real ones: PyTorch runs the
    same program, forward and backward, and every storage it makes or drops is put to the model of the CUDA caching
    allocator. There, memory that kernels use inside (workspaces of libraries) is not seen.

    Args:
        p: parameters with `backend`; the model words its message as release `wording` does.
        capacity, outside: bytes; `outside` is what others hold on the card.
        setting: PYTORCH_CUDA_ALLOC_CONF.
        devices: what stands for the cards of `fake`; by default one card on the device "meta".
    """

    def __init__(self, p: Parameters, capacity: int, outside: int = 0, setting: str = "", devices: tuple[str, ...] = ()) -> None:
        self.backend: str = p.backend
        self.capacity = capacity
        self.outside = outside
        self.setting = setting
        self.devices = devices or ({"cuda": "cuda:0", "cpu": "cpu"}.get(p.backend, "meta"),)
        self.wording = tuple(int(part) for part in str(p.wording).split("."))[:2]
        self.allocators: dict[str, CachingAllocator] = {}
        self._mode: Any = None
        if p.backend == "cuda":
            os.environ["PYTORCH_CUDA_ALLOC_CONF"] = os.environ["PYTORCH_HIP_ALLOC_CONF"] = setting  # read when torch starts CUDA

    @property
    def device(self) -> str:
        """The device to make tensors on; the first one where there are several."""
        return self.devices[0]

    def __enter__(self) -> Card:
        import torch

        if self.backend == "cuda":
            total = torch.cuda.get_device_properties(0).total_memory
            for index in range(len(self.devices)):
                torch.cuda.set_per_process_memory_fraction(min(1.0, (self.capacity - self.outside) / total), index)
                torch.cuda.reset_peak_memory_stats(index)
            return self
        settings = AllocatorSettings.parse(self.setting)
        for index, name in enumerate(self.devices):
            self.allocators[name] = CachingAllocator(
                self.capacity, self.outside, settings, device=index, wording=(self.wording[0], self.wording[1])
            )
        self._mode = recording_mode(self.allocators)
        self._mode.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._mode is not None:
            self._mode.__exit__(kind, error, trace)
            peaks = [(one.peak_allocated, one.peak_reserved) for one in self.allocators.values()]
        else:
            import torch

            peaks = [(torch.cuda.max_memory_allocated(i), torch.cuda.max_memory_reserved(i)) for i in range(len(self.devices))]
        measure(
            capacity_bytes=self.capacity,
            peak_allocated_bytes=max(peak for peak, _ in peaks),
            peak_reserved_bytes=max(peak for _, peak in peaks),
        )


def recording_mode(allocators: dict[str, CachingAllocator]) -> Any:
    """A dispatch mode that puts each storage of the named devices to their allocator, from its birth to its end.

    Storages are counted once, however many tensors view them. Out of memory is raised as torch raises it.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_flatten

    by_device = {torch.device(name): allocator for name, allocator in allocators.items()}
    error_type: Any = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)

    class Recording(TorchDispatchMode):  # type: ignore[misc]  # torch is not typed here
        def __init__(self) -> None:
            super().__init__()
            self.live: dict[int, weakref.ref[Any]] = {}

        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            return False  # nothing is compiled here, and wrapping the mode for it imports all of Dynamo: as long as torch itself takes

        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = function(*args, **(kwargs or {}))
            for value in (result,) if isinstance(result, torch.Tensor) else tree_flatten(result)[0]:
                if isinstance(value, torch.Tensor):
                    allocator = by_device.get(value.device)
                    if allocator is not None:
                        self._count(value.untyped_storage(), allocator)
            return result

        def _count(self, storage: Any, allocator: CachingAllocator) -> None:
            key = storage._cdata
            if key in self.live or storage.nbytes() == 0:
                return
            try:
                address = allocator.malloc(storage.nbytes())
            except OutOfDeviceMemoryError as refused:
                raise error_type(str(refused)) from None
            self.live[key] = weakref.ref(storage, lambda _: self._drop(key, allocator, address))

        def _drop(self, key: int, allocator: CachingAllocator, address: int) -> None:
            del self.live[key]
            allocator.release(address)

    return Recording()
