"""The logs of one job: what several processes, or programs beside them, wrote into files of their own.

Each log is read by itself. Together they are numbered as if they stood one behind the other, so that every line of the job has a
number of its own by which facts are told apart; `Job.place` leads back to the file and its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from triage.reading.log import Log

# What launchers call the files of their processes: rank3.log, worker_12.out, job.4711.7.err of srun's %t, 3/stderr.log of torchrun.
_RANK = re.compile(r"(?:^|[^a-z])(?:global_?)?(?:rank|worker|task|proc|process|pid)[-_.]?([0-9]{1,6})(?![0-9])", re.IGNORECASE)
_TORCHRUN = re.compile(r"(?:^|[/\\])attempt_[0-9]{1,4}[/\\]([0-9]{1,6})[/\\]std(?:out|err)\.log$")


class Job(Log):
    """Several logs as one. It has no lines of its own, only parts."""

    __slots__ = ("_logs", "_starts")

    def __init__(self, logs: Sequence[Log]) -> None:
        kinds = [log.kind for log in logs]
        super().__init__(
            [],
            sum(log.total_lines for log in logs),
            sum(log.total_bytes for log in logs),
            kind=next((kind for kind in ("log", "traceback", "issue") if kind in kinds), kinds[0] if kinds else "empty"),
        )
        self._logs = list(logs)
        self._starts: list[int] = []
        start = 0
        for log in self._logs:
            self._starts.append(start)
            start += log.total_lines + 1

    @property
    def parts(self) -> Sequence[tuple[Log, int]]:
        """The logs, each with what to add to its line numbers."""
        return list(zip(self._logs, self._starts, strict=True))

    def place(self, number: int) -> tuple[str, int]:
        """The file, and the line in it, of a line of the job."""
        part = max(bisect_right(self._starts, number - 1) - 1, 0)
        return (self._logs[part].name, number - self._starts[part]) if self._logs else ("", number)


def rank_in_name(name: str) -> int | None:
    """The rank that the name of a log tells, as launchers name the files of their processes; None where it tells none."""
    match = _TORCHRUN.search(name) or next(iter(_RANK.finditer(name.replace("\\", "/").rpartition("/")[2])), None)
    return int(match[1]) if match else None
