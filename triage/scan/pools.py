"""Where logs are read: in this process, in others of this machine, or on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, Protocol, Self


class PoolError(Exception):
    """Processes that cannot be had, or that died, with the reason and the remedy in one line."""


class Pool(Protocol):
    """What runs tasks: functions of a module, with arguments that can be sent to another process. `width` is how many run at a time
    while this process waits."""

    width: int

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None:
        """What is still under way is given up."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A handle of a task."""

    def result(self, handle: Any) -> Any:
        """What a task returned, once it has; what it raised is raised. Raises PoolError where a process died."""


class Here:
    """This process: a task runs when its result is asked for."""

    width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function, arguments

    def result(self, handle: Any) -> Any:
        function, arguments = handle
        return function(*arguments)


class Processes:
    """So many processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.width = jobs
        # Fresh processes, on every system alike: a fork would copy whatever threads there are in the middle of their work.
        self._pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_ignore_interrupts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        workers = list((self._pool._processes or {}).values())  # Python names them only from 3.14 on
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in workers:
            process.terminate()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return self._pool.submit(function, *arguments)
        except BrokenProcessPool as error:
            raise _killed() from error

    def result(self, handle: Any) -> Any:
        try:
            return handle.result()
        except BrokenProcessPool as error:
            raise _killed() from error


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the one that was asked ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _killed() -> PoolError:
    return PoolError("a process that read logs was killed, as happens where memory runs out: try fewer --jobs")


class Ray:
    """The cluster that RAY_ADDRESS names, or one that is started on this machine with so many CPUs. Raises PoolError."""

    def __init__(self, jobs: int) -> None:
        try:
            import ray
        except ImportError:
            raise PoolError("--engine ray needs Ray: pip install 'gpu-triage[ray]'") from None
        import logging

        self._ray: Any = ray
        self._errors = (ray.exceptions.RayError, ConnectionError, RuntimeError)
        self._remote: dict[Callable[..., Any], Any] = {}
        self._started = not ray.is_initialized()
        size = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": jobs}
        quiet = {"log_to_driver": False, "configure_logging": False, "logging_level": logging.ERROR, "include_dashboard": False}
        try:
            if self._started:
                self._ray.init(**quiet, **size)
            self.width = max(int(self._ray.cluster_resources().get("CPU", jobs)), 1)
        except self._errors as error:
            raise _failed(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._started:
            self._ray.shutdown()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function not in self._remote:
            self._remote[function] = self._ray.remote(function)
        return self._remote[function].remote(*arguments)

    def result(self, handle: Any) -> Any:
        try:
            return self._ray.get(handle)
        except self._errors as error:
            raise _failed(error) from error


def _failed(error: Exception) -> PoolError:
    return PoolError(f"Ray: {' '.join(str(error).split())[:300]}")


ENGINES: Final = ("local", "ray")


def open_pool(engine: str, jobs: int) -> Pool:
    """What runs tasks. Raises PoolError where that cannot be had, KeyError for an engine that ENGINES does not have."""
    makers: dict[str, Callable[[int], Pool]] = {"local": Processes if jobs > 1 else lambda _: Here(), "ray": Ray}
    return makers[engine](jobs)
