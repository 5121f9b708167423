"""Where logs are read: in processes of this machine, or on a Ray cluster. Both give results in the order of the items, and keep
only so many under way that none waits long for its reader."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

from triage.scan.outcome import Outcome
from triage.scan.sources import Source

Task = Callable[[Source], Outcome]
_AHEAD: Final = 4  # items under way for each that is worked on


class PoolError(Exception):
    """Processes that cannot be had, or that died, with the reason and the remedy in one line."""


def local(task: Task, sources: Sequence[Source], jobs: int) -> Generator[Outcome, None, None]:
    """In so many processes of this machine. Raises PoolError where one dies."""
    # Fresh processes, on every system alike: a fork would copy whatever threads there are in the middle of their work.
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield from _in_order(lambda source: pool.submit(task, source), Future.result, sources, jobs)
        pool.shutdown()
    except BrokenProcessPool as error:
        raise PoolError("a process that read logs was killed, as happens where memory runs out: try fewer --jobs") from error
    finally:  # who stops early, or interrupts, does not wait for what is under way
        workers = list((pool._processes or {}).values())  # Python names them only from 3.14 on
        pool.shutdown(wait=False, cancel_futures=True)
        for process in workers:
            process.terminate()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the one that was asked ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def ray(task: Task, sources: Sequence[Source], jobs: int) -> Generator[Outcome, None, None]:
    """On the cluster that RAY_ADDRESS names, or one that is started on this machine with so many CPUs. Raises PoolError."""
    try:
        import ray as cluster
    except ImportError:
        raise PoolError("--engine ray needs Ray: pip install 'gpu-triage[ray]'") from None
    import logging
    import os

    started = not cluster.is_initialized()
    try:
        if started:
            size: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": jobs}
            cluster.init(log_to_driver=False, logging_level=logging.ERROR, configure_logging=False, include_dashboard=False, **size)
        remote = cluster.remote(_called(task))
        width = max(int(cluster.cluster_resources().get("CPU", jobs)), 1)
        yield from _in_order(remote.remote, cluster.get, sources, width)
    except (cluster.exceptions.RayError, ConnectionError, RuntimeError) as error:
        raise PoolError(f"Ray: {' '.join(str(error).split())[:300]}") from error
    finally:
        if started:
            cluster.shutdown()


def _called(task: Task) -> Task:
    """The task as Ray takes it: a function, which a partial is not."""

    def read_log(source: Source) -> Outcome:
        return task(source)

    return read_log


def _in_order(
    submit: Callable[[Source], Any], result: Callable[[Any], Outcome], sources: Iterable[Source], width: int
) -> Generator[Outcome, None, None]:
    under_way: deque[Any] = deque()
    for source in sources:
        under_way.append(submit(source))
        if len(under_way) >= _AHEAD * width:
            yield result(under_way.popleft())
    while under_way:
        yield result(under_way.popleft())


ENGINES: Final[dict[str, Callable[[Task, Sequence[Source], int], Generator[Outcome, None, None]]]] = {"local": local, "ray": ray}
