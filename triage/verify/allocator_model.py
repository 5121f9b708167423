"""A simulation of PyTorch's CUDA caching allocator for one device.

It answers what a run without a GPU cannot: given these requests in this order, on a card of this size and with
these settings, is the next request served? Sizes, thresholds and the order of attempts follow the documented
behaviour and the source of the allocator:

* https://pytorch.org/docs/stable/notes/cuda.html#memory-management
* https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDACachingAllocator.cpp

What it leaves out: the time at which blocks used on several streams become free (a free takes effect at once),
private pools of CUDA graphs, and what the driver itself wastes. Physical memory is never fragmented for the
driver (it maps 2 MiB pages), so a segment can be had whenever enough memory is free.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from triage.verify.allocator_settings import GIB, KIB, MIB, UNLIMITED, AllocatorSettings

MIN_BLOCK = 512
SMALL_LIMIT = 1 * MIB  # the largest request that the small pool serves
SMALL_SEGMENT = 2 * MIB
MIN_LARGE = 10 * MIB  # requests below share a large segment
LARGE_STEP = 2 * MIB

_SOME_PID = 4242  # shown for the other processes, which the model knows as one number
_ADDRESS_STEP = 1 << 40  # segments lie far apart, as nothing in the real allocator depends on their neighbours


class OutOfDeviceMemoryError(MemoryError):
    """The model could not serve a request; its text is worded as PyTorch words it."""


class Block:
    """A contiguous piece of a segment: live, cached, or (in an expandable segment) not backed by memory."""

    __slots__ = ("address", "age_base", "expandable", "live", "mapped", "next", "pool", "prev", "requested", "size", "stream")

    def __init__(self, pool: Pool, stream: int, address: int, size: int, expandable: bool = False, mapped: bool = True) -> None:
        self.pool = pool
        self.stream = stream
        self.address = address
        self.size = size
        self.expandable = expandable
        self.mapped = mapped
        self.live = False
        self.requested = 0
        self.age_base = 0
        self.prev: Block | None = None
        self.next: Block | None = None

    @property
    def is_split(self) -> bool:
        """Whether other blocks are left and right of it in its segment: a whole segment can be given back, a part of one cannot."""
        return self.prev is not None or self.next is not None

    @property
    def key(self) -> tuple[int, int, int]:
        """Its place in the order in which a pool looks for a block that fits."""
        return (self.stream, self.size, self.address)

    def link(self, before: Block | None, after: Block | None) -> None:
        """Make these its neighbours, and it theirs."""
        self.prev, self.next = before, after
        if before:
            before.next = self
        if after:
            after.prev = self


class Pool:
    """The cached blocks of one kind (small or large), ordered by stream, size and address."""

    __slots__ = ("blocks", "by_key", "is_small", "lookups", "unmapped")

    def __init__(self, is_small: bool) -> None:
        self.is_small = is_small
        self.blocks: list[tuple[int, int, int]] = []
        self.by_key: dict[tuple[int, int, int], Block] = {}
        self.unmapped: list[Block] = []
        self.lookups = 0

    def insert(self, block: Block) -> None:
        """Keep a block for later requests; its age counts from here."""
        block.age_base = self.lookups
        insort(self.blocks, block.key)
        self.by_key[block.key] = block

    def remove(self, block: Block) -> None:
        """Take out a block that the pool has."""
        del self.blocks[bisect_left(self.blocks, block.key)]
        del self.by_key[block.key]

    def position(self, stream: int, size: int) -> int:
        """Index of the smallest cached block of the stream that holds `size` bytes (or of what follows)."""
        return bisect_left(self.blocks, (stream, size, 0))

    def at(self, index: int, stream: int) -> Block | None:
        """The block at a place of the order; None beyond those of the stream."""
        if 0 <= index < len(self.blocks) and self.blocks[index][0] == stream:
            return self.by_key[self.blocks[index]]
        return None

    def listed(self) -> list[Block]:
        """All blocks in the order in which they are looked at."""
        return [self.by_key[key] for key in self.blocks]

    def age(self, block: Block) -> int:
        """How many lookups ago the block was kept."""
        return self.lookups - block.age_base


class CachingAllocator:
    """The allocator of one device.

    Args:
        capacity: total memory of the device, bytes.
        outside: what this process holds on the device outside its allocator (context, libraries), bytes.
        settings: as parsed from PYTORCH_CUDA_ALLOC_CONF.
        allowed: limit set with `set_per_process_memory_fraction`, bytes; None for none.
        device: index shown in the out-of-memory message.
        wording: release of PyTorch, `(major, minor)`, whose out-of-memory message is used.
        others: what other processes hold on the device, bytes.

    Attributes:
        allocated, reserved, peak_allocated, peak_reserved: bytes.
        retries, segments_freed: how often caches were given back to serve a request, and how many segments.
    """

    def __init__(
        self,
        capacity: int,
        outside: int = 0,
        settings: AllocatorSettings | None = None,
        allowed: int | None = None,
        device: int = 0,
        wording: tuple[int, int] = (2, 6),
        others: int = 0,
    ) -> None:
        self.capacity = capacity
        self.others = others
        self.outside = outside
        self.settings = settings or AllocatorSettings()
        self.allowed = allowed
        self.device = device
        self.wording = wording
        self.small = Pool(is_small=True)
        self.large = Pool(is_small=False)
        self.allocated = self.reserved = 0
        self.peak_allocated = self.peak_reserved = 0
        self.retries = self.segments_freed = 0
        self._live: dict[int, Block] = {}
        self._segments = 0

    @property
    def free(self) -> int:
        """Bytes of the device that nobody holds, as the driver reports them."""
        return self.capacity - self.outside - self.others - self.reserved

    def malloc(self, size: int, stream: int = 0) -> int:
        """Serves a request of `size` bytes (above 0) and returns its address.

        Raises:
            OutOfDeviceMemoryError: when neither cached blocks nor the device can serve it.
        """
        rounded = self.round_size(size)
        pool = self.small if rounded <= SMALL_LIMIT else self.large
        block = self._find_cached(pool, rounded, stream)
        if block is None:
            if self._collects_garbage:
                self._collect_garbage()
            block = self._new_block(pool, rounded, stream)
        if block is None and self._release_oversize(pool, rounded, stream):
            block = self._new_block(pool, rounded, stream)
        if block is None:
            self.release_cached()
            self.retries += 1
            block = self._new_block(pool, rounded, stream)
        if block is None:
            raise OutOfDeviceMemoryError(self._message(self.segment_size(rounded)))
        return self._hand_out(block, rounded, size)

    def release(self, address: int) -> None:
        """Takes back what `malloc` returned. Raises KeyError for any other address."""
        block = self._live.pop(address)
        block.live = False
        self.allocated -= block.size
        self._cache(block)

    def release_cached(self) -> None:
        """Gives every segment without a live block back to the device (`torch.cuda.empty_cache`)."""
        for pool in (self.large, self.small):
            cached = pool.listed()
            for block in cached:
                if not block.expandable and not block.is_split:
                    self._free_segment(block)
            for block in cached:
                if block.expandable:
                    self._unmap(block)

    # sizes

    def round_size(self, size: int) -> int:
        """The block size a request of `size` bytes needs."""
        if size < MIN_BLOCK:
            return MIN_BLOCK
        divisions = self.settings.divisions_for(size)
        if divisions > 1 and size > MIN_BLOCK * divisions:
            return _next_division(size, divisions)
        return -(-size // MIN_BLOCK) * MIN_BLOCK

    def segment_size(self, rounded: int) -> int:
        """What is asked of the device when no cached block serves a request of `rounded` bytes."""
        if rounded <= SMALL_LIMIT:
            return SMALL_SEGMENT
        if rounded < min(MIN_LARGE, self.settings.large_segment):
            return self.settings.large_segment
        return -(-rounded // LARGE_STEP) * LARGE_STEP

    # serving from the cache

    def _find_cached(self, pool: Pool, size: int, stream: int) -> Block | None:
        if self._collects_garbage:
            pool.lookups += 1
        index = pool.position(stream, size)
        block = pool.at(index, stream)
        if block is not None and block.expandable:
            block = self._find_expandable(pool, index, stream)
        if block is None:
            return None
        limit = self.settings.max_split_size
        if size < limit <= block.size:
            return None  # an oversize block is not broken up for a small request
        if size >= limit and block.size >= size + self.settings.max_non_split_rounding:
            return None  # nor wasted on a request much smaller than itself
        pool.remove(block)
        return block

    def _find_expandable(self, pool: Pool, index: int, stream: int) -> Block | None:
        """Best fit among expandable blocks counts what the block could grow to."""
        block = pool.at(index, stream)
        if self.settings.expandable_segments:
            following = pool.at(index + 1, stream)
            while block is not None and block.expandable and following is not None and _reach(following) < _reach(block):
                block = following
                index += 1
                following = pool.at(index + 1, stream)
            return block
        while block is not None and block.expandable:
            index += 1
            block = pool.at(index, stream)
        return block

    def _hand_out(self, block: Block, size: int, requested: int) -> int:
        remaining = block.size - size
        if block.pool.is_small or self.settings.expandable_segments:
            split = remaining >= MIN_BLOCK
        else:
            split = size < self.settings.max_split_size and remaining > SMALL_LIMIT
        if split:
            rest = Block(block.pool, block.stream, block.address + size, remaining, block.expandable)
            rest.link(block, block.next)
            block.size = size
            block.pool.insert(rest)
        block.live = True
        block.requested = requested
        self._live[block.address] = block
        self.allocated += block.size
        self.peak_allocated = max(self.peak_allocated, self.allocated)
        return block.address

    def _cache(self, block: Block) -> None:
        """Puts a block into its pool, joined with its free neighbours."""
        for neighbour in (block.prev, block.next):
            if neighbour is not None:
                _join(block, neighbour)
        block.pool.insert(block)

    # asking the device

    def _segment_address(self) -> int:
        self._segments += 1
        return self._segments * _ADDRESS_STEP

    def _can_reserve(self, size: int) -> bool:
        return size <= self.free and (self.allowed is None or self.reserved + size <= self.allowed)

    def _reserve(self, size: int) -> None:
        self.reserved += size
        self.peak_reserved = max(self.peak_reserved, self.reserved)

    def _new_block(self, pool: Pool, size: int, stream: int) -> Block | None:
        segment = self.segment_size(size)
        if self.allowed is not None and self.reserved + segment > self.allowed:
            return None
        if self.settings.expandable_segments:
            return self._expand(pool, size, stream)
        if not self._can_reserve(segment):
            return None
        self._reserve(segment)
        return Block(pool, stream, self._segment_address(), segment)

    def _expand(self, pool: Pool, size: int, stream: int) -> Block | None:
        """Grows an expandable segment, or starts one, until a free block of `size` bytes is mapped."""
        block = self._expandable_room(pool, size, stream)
        if not block.mapped and not self._map(block, min(block.size, size)):
            return None
        while block.size < size:
            following = block.next
            if following is None or not self._map(following, min(size - block.size, following.size)):
                return None
            block = following
        pool.remove(block)
        return block

    def _expandable_room(self, pool: Pool, size: int, stream: int) -> Block:
        """The lowest run of free and unmapped blocks with address space for `size` bytes."""
        for block in pool.unmapped:
            if block.stream != stream:
                continue
            start = block.prev if block.prev is not None and not block.prev.live else block
            if _address_space(start, size) >= size:
                return start
        page = self._page(pool)
        space = -(-(self.capacity + self.capacity // 8) // page) * page
        block = Block(pool, stream, self._segment_address(), space, expandable=True, mapped=False)
        pool.unmapped.append(block)
        return block

    def _page(self, pool: Pool) -> int:
        return SMALL_SEGMENT if pool.is_small else self.settings.large_segment

    def _map(self, block: Block, size: int) -> bool:
        """Backs the first `size` bytes of an unmapped block with memory, in whole pages."""
        page = self._page(block.pool)
        mapped = -(-size // page) * page
        if mapped > self.free:
            return False
        block.pool.unmapped.remove(block)
        if mapped < block.size:
            rest = Block(block.pool, block.stream, block.address + mapped, block.size - mapped, expandable=True, mapped=False)
            rest.link(block, block.next)
            block.size = mapped
            _insert_unmapped(rest)
        block.mapped = True
        self._reserve(mapped)
        self._cache(block)
        return True

    # giving back to the device

    def _free_segment(self, block: Block) -> None:
        block.pool.remove(block)
        self.reserved -= block.size
        self.segments_freed += 1

    def _unmap(self, block: Block) -> None:
        """Gives back the whole pages inside a cached block of an expandable segment."""
        page = self._page(block.pool)
        base = block.address // _ADDRESS_STEP * _ADDRESS_STEP
        first = base + -(-(block.address - base) // page) * page
        last = base + (block.address + block.size - base) // page * page
        if last <= first:
            return
        block.pool.remove(block)
        before, after = first - block.address, block.address + block.size - last
        if before:
            head = Block(block.pool, block.stream, block.address, before, expandable=True)
            head.link(block.prev, block)
            block.pool.insert(head)
        if after:
            tail = Block(block.pool, block.stream, last, after, expandable=True)
            tail.link(block, block.next)
            block.pool.insert(tail)
        block.address, block.size, block.mapped = first, last - first, False
        self.reserved -= block.size
        self.segments_freed += 1
        for neighbour in (block.prev, block.next):
            if neighbour is not None:
                _join(block, neighbour)
        _insert_unmapped(block)

    def _release_oversize(self, pool: Pool, size: int, stream: int) -> bool:
        """With max_split_size set: gives back oversize cached blocks, enough for the request and no more."""
        limit = self.settings.max_split_size
        if limit >= UNLIMITED:
            return False
        wanted = max(size, limit)
        index = pool.position(stream, wanted)
        block = pool.at(index, stream)
        if block is not None and not block.expandable:
            self._free_segment(block)
            return True
        released = 0
        while released < wanted:
            index -= 1
            block = pool.at(index, stream)
            if block is None or block.size < limit:
                break
            if not block.expandable:
                released += block.size
                self._free_segment(block)
        return released >= wanted

    @property
    def _collects_garbage(self) -> bool:
        return self.settings.garbage_collection_threshold > 0 and self.allowed is not None

    def _collect_garbage(self) -> None:
        """Gives back whole cached segments of the large pool, oldest first, once usage passes the threshold."""
        threshold = int(self.settings.garbage_collection_threshold * (self.allowed or 0))
        target = self.reserved - threshold
        candidates = [block for block in self.large.listed() if not block.is_split and not block.expandable]
        total = sum(self.large.age(block) for block in candidates)
        reclaimed = 0
        while reclaimed < target and candidates:
            mean = total / len(candidates)
            kept = []
            for block in candidates:
                if self.large.age(block) < mean:
                    kept.append(block)
                    continue
                total -= self.large.age(block)
                reclaimed += block.size
                self._free_segment(block)
            if len(kept) == len(candidates):
                return
            candidates = kept

    # reporting

    def blocks(self) -> list[Block]:
        """All blocks backed by memory, live and cached, by address."""
        cached = [*self.small.listed(), *self.large.listed()]
        return sorted([*cached, *self._live.values()], key=lambda block: block.address)

    def largest_cached(self) -> int:
        """Size of the largest cached block, bytes; 0 when nothing is cached."""
        return max((key[1] for pool in (self.small, self.large) for key in pool.blocks), default=0)

    def _message(self, size: int) -> str:
        allowed = f"{format_size(self.allowed)} allowed; " if self.allowed is not None else ""
        if self.wording < (2, 1):
            return (
                f"CUDA out of memory. Tried to allocate {format_size(size)} (GPU {self.device}; "
                f"{format_size(self.capacity)} total capacity; {format_size(self.allocated)} already allocated; "
                f"{format_size(self.free)} free; {allowed}{format_size(self.reserved)} reserved in total by PyTorch) "
                "If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  "
                "See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF"
            )
        others = f"Process {_SOME_PID} has {format_size(self.others)} memory in use. " if self.others else ""
        capacity = "capacity" if self.wording >= (2, 2) else "capacty"
        if self.wording >= (2, 2):
            advice = (
                "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  "
                "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"
            )
        else:
            advice = "max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF"
        return (
            f"CUDA out of memory. Tried to allocate {format_size(size)}. GPU {self.device} has a total {capacity} of "
            f"{format_size(self.capacity)} of which {format_size(self.free)} is free. {others}Including non-PyTorch memory, this process "
            f"has {format_size(self.reserved + self.outside)} memory in use. {allowed}Of the allocated memory "
            f"{format_size(self.allocated)} is allocated by PyTorch, and {format_size(self.reserved - self.allocated)} is reserved "
            f"by PyTorch but unallocated. If reserved but unallocated memory is large try setting {advice}"
        )


def format_size(size: int) -> str:
    """Bytes with two decimals and binary units, as the allocator's message prints them."""
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size > unit:
            return f"{size / unit:.2f} {name}"
    return f"{size} bytes"


def _next_division(size: int, divisions: int) -> int:
    if size & (size - 1) == 0:
        return size
    floor = 1 << (size.bit_length() - 1)
    step = floor >> (divisions.bit_length() - 1)
    if step == 0:
        return floor << 1
    return -(-size // step) * step


def _reach(block: Block) -> int:
    following = block.next
    return block.size + (following.size if following is not None and not following.mapped else 0)


def _address_space(block: Block | None, enough: int) -> int:
    total = 0
    while block is not None and not block.live and total < enough:
        total += block.size
        block = block.next
    return total


def _join(block: Block, neighbour: Block) -> None:
    """Merges a free neighbour of the same kind into `block`, which is in no pool at this moment."""
    if neighbour.live or neighbour.mapped != block.mapped:
        return
    if neighbour.mapped:
        neighbour.pool.remove(neighbour)
    else:
        neighbour.pool.unmapped.remove(neighbour)
    if block.prev is neighbour:
        block.address = neighbour.address
        before, after = neighbour.prev, block.next
    else:
        before, after = block.prev, neighbour.next
    block.size += neighbour.size
    block.link(before, after)


def _insert_unmapped(block: Block) -> None:
    insort(block.pool.unmapped, block, key=lambda other: other.address)
