"""A stream with an encoding that may be a terminal, for tests of what is written to one."""

from __future__ import annotations

import io


class Stream(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8", tty: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty

    def written(self) -> bytes:
        return self.buffer.getvalue()  # type: ignore[attr-defined]
