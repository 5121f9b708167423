"""The model of the caching allocator: worked examples from the documented behaviour, and what must always hold."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.verify.allocator_model import CachingAllocator, OutOfDeviceMemoryError, format_size
from triage.verify.allocator_settings import GIB, KIB, MIB, AllocatorSettings


def allocator(capacity: int = 10 * GIB, setting: str = "", **arguments: int) -> CachingAllocator:
    return CachingAllocator(capacity, settings=AllocatorSettings.parse(setting), **arguments)  # type: ignore[arg-type]


# worked examples


def test_small_requests_are_rounded_to_512_bytes_and_share_2_mib() -> None:
    one = allocator()
    one.malloc(1)
    one.malloc(513)
    assert one.allocated == 512 + 1024
    assert one.reserved == 2 * MIB


def test_requests_above_1_mib_share_20_mib() -> None:
    one = allocator()
    one.malloc(MIB)
    assert one.reserved == 2 * MIB, "1 MiB is still small"
    one.malloc(MIB + 1)
    one.malloc(9 * MIB)
    assert one.reserved == 22 * MIB, "both come from one large segment"


def test_requests_from_10_mib_get_their_own_segment_in_steps_of_2_mib() -> None:
    one = allocator()
    one.malloc(10 * MIB)
    one.malloc(11 * MIB)
    assert one.reserved == 22 * MIB


def test_a_freed_block_is_served_again_and_its_remainder_split() -> None:
    one = allocator()
    address = one.malloc(100 * MIB)
    one.release(address)
    assert one.malloc(60 * MIB) == address
    assert one.malloc(40 * MIB) == address + 60 * MIB
    assert one.reserved == 100 * MIB


def test_a_remainder_of_up_to_1_mib_is_not_split_off() -> None:
    one = allocator()
    one.release(one.malloc(100 * MIB))
    one.malloc(99 * MIB)
    assert one.allocated == 100 * MIB


def test_the_smallest_cached_block_that_fits_is_taken() -> None:
    one = allocator()
    large, small = one.malloc(300 * MIB), one.malloc(200 * MIB)
    one.release(large)
    one.release(small)
    assert one.malloc(150 * MIB) == small


def test_neighbours_are_joined_when_they_are_freed() -> None:
    one = allocator()
    one.release(one.malloc(120 * MIB))
    parts = [one.malloc(40 * MIB) for _ in range(3)]
    for part in (parts[0], parts[2], parts[1]):
        one.release(part)
    assert one.largest_cached() == 120 * MIB


def test_whole_cached_segments_are_given_back_before_a_request_fails() -> None:
    one = allocator(1 * GIB)
    one.release(one.malloc(600 * MIB))
    one.malloc(900 * MIB)
    assert one.reserved == 900 * MIB
    assert one.retries == 1


def test_partly_used_segments_cannot_be_given_back() -> None:
    one = allocator(1 * GIB)
    one.release(one.malloc(600 * MIB))
    one.malloc(310 * MIB)
    with pytest.raises(OutOfDeviceMemoryError, match=r"Tried to allocate 500\.00 MiB"):
        one.malloc(500 * MIB)


def test_max_split_size_keeps_large_blocks_whole() -> None:
    one = allocator(1 * GIB, "max_split_size_mb:200")
    one.release(one.malloc(600 * MIB))
    one.malloc(100 * MIB)
    assert one.reserved == 700 * MIB, "the 600 MiB block is not broken up for 100 MiB"
    one.malloc(590 * MIB)
    assert one.reserved == 700 * MIB, "a request within 20 MiB of it takes it"


def test_max_split_size_gives_oversize_blocks_back_when_memory_runs_short() -> None:
    one = allocator(1 * GIB, "max_split_size_mb:200")
    one.release(one.malloc(600 * MIB))
    one.malloc(500 * MIB)
    assert one.reserved == 500 * MIB
    assert one.retries == 0, "without giving back everything"


def test_expandable_segments_leave_one_free_range() -> None:
    for setting, served in (("", False), ("expandable_segments:True", True)):
        one = allocator(1 * GIB, setting)
        blocks = [one.malloc(200 * MIB) for _ in range(4)]
        for block in blocks:
            one.release(block)
        for _ in range(4):
            one.malloc(110 * MIB)
        if served:
            one.malloc(500 * MIB)
        else:
            with pytest.raises(OutOfDeviceMemoryError):
                one.malloc(500 * MIB)


def test_expandable_segments_map_20_mib_at_a_time() -> None:
    one = allocator(1 * GIB, "expandable_segments:True")
    one.malloc(25 * MIB)
    assert one.reserved == 40 * MIB
    one.malloc(15 * MIB)
    assert one.reserved == 40 * MIB


def test_expandable_segments_give_pages_inside_a_free_range_back() -> None:
    one = allocator(1 * GIB, "expandable_segments:True")
    first, middle, last = one.malloc(30 * MIB), one.malloc(100 * MIB), one.malloc(30 * MIB)
    one.release(middle)
    one.release_cached()
    assert one.reserved == 160 * MIB - 80 * MIB, "pages from 40 to 120 MiB are whole inside it"
    one.release(first)
    one.release(last)
    one.release_cached()
    assert one.reserved == 0


def test_expandable_segments_beside_max_split_size_waste_what_is_free() -> None:
    plain, both = allocator(1 * GIB, "expandable_segments:True"), allocator(1 * GIB, "expandable_segments:True,max_split_size_mb:128")
    for one in (plain, both):
        _, middle, _ = one.malloc(100 * MIB), one.malloc(600 * MIB), one.malloc(100 * MIB)
        one.release(middle)
        one.malloc(100 * MIB)
    assert plain.reserved == 800 * MIB
    assert both.reserved == 900 * MIB, "the free range in the middle is oversize and may not be split"


def test_garbage_collection_acts_only_under_a_memory_fraction() -> None:
    for allowed, reserved in ((None, 800 * MIB), (1000 * MIB, 400 * MIB)):
        one = CachingAllocator(2 * GIB, settings=AllocatorSettings.parse("garbage_collection_threshold:0.3"), allowed=allowed)
        one.release(one.malloc(400 * MIB))
        one.malloc(380 * MIB + 20 * MIB + 1)
        assert one.reserved >= reserved
        assert (one.segments_freed > 0) is (allowed is not None)


def test_a_memory_fraction_refuses_before_the_card_is_full() -> None:
    one = CachingAllocator(10 * GIB, allowed=1 * GIB)
    one.malloc(900 * MIB)
    with pytest.raises(OutOfDeviceMemoryError, match=r"1024\.00 MiB allowed"):
        one.malloc(200 * MIB)


def test_rounding_to_divisions_of_powers_of_two() -> None:
    one = allocator(setting="roundup_power2_divisions:4")
    assert one.round_size(1200 * MIB) == 1280 * MIB
    assert one.round_size(1024 * MIB) == 1024 * MIB
    assert one.round_size(1200) == 1536, "small sizes keep steps of 512"


def test_streams_do_not_share_cached_blocks() -> None:
    one = allocator()
    one.release(one.malloc(100 * MIB, stream=1))
    one.malloc(100 * MIB, stream=2)
    assert one.reserved == 200 * MIB


@pytest.mark.parametrize(
    ("wording", "words"),
    [
        (
            (2, 0),
            ["(GPU 0; 2.00 GiB total capacity; 600.00 MiB already allocated; 1.41 GiB free; 600.00 MiB reserved in total by PyTorch)"],
        ),
        ((2, 1), ["total capacty of 2.00 GiB", "max_split_size_mb"]),
        ((2, 6), ["total capacity of 2.00 GiB", "expandable_segments:True", "and 0 bytes is reserved by PyTorch but unallocated"]),
    ],
)
def test_the_message_is_that_of_the_release(wording: tuple[int, int], words: list[str]) -> None:
    one = CachingAllocator(2 * GIB, wording=wording)
    one.malloc(600 * MIB)
    with pytest.raises(OutOfDeviceMemoryError) as refused:
        one.malloc(1700 * MIB)
    assert all(word in str(refused.value) for word in words)


def test_sizes_are_printed_as_the_allocator_prints_them() -> None:
    assert [format_size(size) for size in (512, 1024, 704 * KIB, 2 * MIB, GIB, 6 * GIB)] == [
        "512 bytes", "1024 bytes", "704.00 KiB", "2.00 MiB", "1024.00 MiB", "6.00 GiB",
    ]  # fmt: skip


# what must always hold

SIZES = st.one_of(st.integers(1, 4 * KIB), st.integers(1, 4 * MIB), st.integers(1, 300 * MIB))
STEPS = st.lists(st.tuples(st.booleans(), SIZES, st.integers(0, 1), st.integers(0, 40)), max_size=60)
SETTINGS = st.sampled_from(
    [
        "", "max_split_size_mb:64", "expandable_segments:True", "expandable_segments:True,max_split_size_mb:64",
        "roundup_power2_divisions:4", "garbage_collection_threshold:0.5", "max_split_size_mb:64,max_non_split_rounding_mb:40",
        "large_segment_size_mb:12",
    ]
)  # fmt: skip


@given(STEPS, SETTINGS, st.sampled_from([None, 500 * MIB]))
def test_invariants(steps: list[tuple[bool, int, int, int]], setting: str, allowed: int | None) -> None:
    one = CachingAllocator(1 * GIB, outside=50 * MIB, settings=AllocatorSettings.parse(setting), allowed=allowed)
    live: dict[int, int] = {}
    for frees, size, stream, which in steps:
        if frees and live:
            address = sorted(live)[which % len(live)]
            one.release(address)
            del live[address]
        else:
            try:
                address = one.malloc(size, stream)
            except OutOfDeviceMemoryError:
                assert size + 2 * MIB > 0
                continue
            assert address not in live
            live[address] = size
        check(one, live, allowed)
    for address in live:
        one.release(address)
    one.release_cached()
    assert (one.allocated, one.reserved) == (0, 0)


def check(one: CachingAllocator, live: dict[int, int], allowed: int | None) -> None:
    blocks = one.blocks()
    for before, after in pairwise(blocks):
        assert before.address + before.size <= after.address, "blocks overlap"
    served = {block.address: block for block in blocks if block.live}
    assert served.keys() == live.keys()
    assert all(served[address].size >= size for address, size in live.items())
    assert one.allocated == sum(block.size for block in served.values())
    assert one.reserved == sum(block.size for block in blocks)
    assert one.allocated <= one.reserved <= one.capacity - one.outside
    assert one.reserved <= one.peak_reserved
    assert allowed is None or one.reserved <= allowed
    assert one.free >= 0


@given(STEPS)
def test_more_memory_never_serves_less(steps: list[tuple[bool, int, int, int]]) -> None:
    """With plain settings, what a card serves a larger card serves as well."""
    small, large = CachingAllocator(400 * MIB), CachingAllocator(4 * GIB)
    live: list[tuple[int, int]] = []
    for frees, size, _, which in steps:
        if frees and live:
            first, second = live.pop(which % len(live))
            small.release(first)
            large.release(second)
            continue
        try:
            first = small.malloc(size)
        except OutOfDeviceMemoryError:
            continue
        live.append((first, large.malloc(size)))
