"""The model against recordings from real GPUs: every allocation must land at the address at which it was recorded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from triage.verify.allocator_model import Block, CachingAllocator, Pool

RECORDINGS = sorted((Path(__file__).parent / "data").glob("recorded-*.json.gz"))


class AtRecordedAddresses(CachingAllocator):
    """Takes the addresses of its segments from a recording, as a driver would choose them."""

    def __init__(self, recording: dict[str, Any]) -> None:
        super().__init__(1 << 44)
        self.coming = [address for kind, address, _, _ in recording["events"] if kind == "S"]
        for address, size, stream, kind in recording["segments"]:
            inside = [(at, length) for at, length in recording["live"] if address <= at < address + size]
            self._hold(self.small if kind == "small" else self.large, stream, address, size, inside)

    def _segment_address(self) -> int:
        return self.coming.pop(0)

    def _hold(self, pool: Pool, stream: int, address: int, size: int, inside: list[tuple[int, int]]) -> None:
        """A segment that was there before the recording: live blocks, and cached ones between them."""
        self._reserve(size)
        end, before = address, None
        for at, length in [*sorted(inside), (address + size, 0)]:
            if at > end:
                before = self._linked(Block(pool, stream, end, at - end), before)
                pool.insert(before)
            if length:
                before = self._linked(Block(pool, stream, at, length), before)
                before.live = True
                self._live[at] = before
                self.allocated += length
            end = at + length

    @staticmethod
    def _linked(block: Block, before: Block | None) -> Block:
        block.link(before, None)
        return block


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name)
def test_every_allocation_lands_where_it_was_recorded(path: Path) -> None:
    recording = json.loads(gzip.decompress(path.read_bytes()))
    model = AtRecordedAddresses(recording)
    allocations = 0
    for kind, address, size, stream in recording["events"]:
        if kind == "a":
            allocations += 1
            assert model.malloc(size, stream) == address, f"allocation {allocations}"
        elif kind == "f":
            model.release(address)
        elif kind == "F" and any(block.address == address for block in model.blocks()):
            model.release_cached()  # the first of the segments that torch.cuda.empty_cache() gave back
    assert allocations > 2000
    assert model.coming == [], "a segment was recorded that the model did not need"
    assert model.reserved == recording["reserved_at_the_end"]


def test_there_are_recordings() -> None:
    assert len(RECORDINGS) >= 2
