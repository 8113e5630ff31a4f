"""Fields over a relation, for generated code: sets of places as whole numbers, one bit a place.

A step that leads equally far from many places is one shift of all of them at once. Answers
are kept by the bytes of the cells that they were read from, so that they are right in any position.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from typing import Generic, TypeVar

Mask = int
# The places that one step of a price leads to.
Image = Callable[[Mask], Mask]
T = TypeVar("T")

# Maximum number of different shifts; with more, steps are listed place by place.
MAX_SHIFTS = 32
# Number of positions with kept answers, and of answers for each; games ask few questions at once.
MAX_POSITIONS = 16
MAX_KEPT = 512
# Maximum number of bytes of a set that are looked up in tables of their members.
MOST_TABLES = 128
# Maximum number of tables that are kept, some 20 kB each: those of a few sets on the largest board.
KEPT_TABLES = 4 * MOST_TABLES
# From digits to something that is true or false.
_TRUTHS = bytes(byte == ord("1") for byte in range(256))


class Memory(Generic[T]):
    """Answers, by the cells that they were read from and by their arguments.

    Questions are asked many times at one position: its answers are found without reading all its
    bytes. `last` is replaced as a whole, so that threads do not disturb each other.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, dict[Hashable, T]] = {}
        self.last: tuple[bytes, dict[Hashable, T]] = b"", self._known.setdefault(b"", {})

    def at(self, read: bytes | bytearray) -> dict[Hashable, T]:
        """The answers that were read from such cells."""
        if len(self._known) >= MAX_POSITIONS:
            self._known = {}
        cells = bytes(read)
        here = self._known.setdefault(cells, {})
        self.last = cells, here
        return here

    def keep(self, here: dict[Hashable, T], asked: Hashable, value: T) -> T:
        """Note an answer."""
        if len(here) >= MAX_KEPT:
            here.clear()
        here[asked] = value
        return value


class Steps:
    """The steps of a relation in some position; places are numbered from 0."""

    def __init__(self, places: int) -> None:
        self.places = places
        # By price and by how far a step leads: where it starts.
        self.found: dict[int, dict[int, Mask]] = {}
        self._images: tuple[Image | None, tuple[tuple[int, Image], ...]] | None = None
        self._areas: tuple[Mask, tuple[Mask, ...]] | None = None
        self._components: tuple[int, ...] | None = None

    def add(self, place: int, there: int, price: int = 1) -> None:
        """A step from one place to another."""
        shifts = self.found.setdefault(price, {})
        shifts[there - place] = shifts.get(there - place, 0) | 1 << place

    def add_all(
        self, shifts: tuple[tuple[int, Mask], ...], starts: Mask, ends: Mask, joined: bool
    ) -> None:
        """Steps by how far they lead, from some places to some places."""
        for by, mask in shifts:
            at = mask & starts & (ends >> by if by >= 0 else ends << -by)
            if at:
                known = self.found.setdefault(0 if joined else 1, {})
                known[by] = known.get(by, 0) | at
                if joined:
                    there = at << by if by >= 0 else at >> -by
                    known[-by] = known.get(-by, 0) | there

    def join(self, place: int, there: int) -> None:
        """Two places that are one."""
        self.add(place, there, 0)
        self.add(there, place, 0)

    @property
    def images(self) -> tuple[Image | None, tuple[tuple[int, Image], ...]]:
        """Where steps lead that cost nothing (if there are any), and the others by price."""
        if self._images is None:
            made = {price: _image(shifts) for price, shifts in self.found.items()}
            self._images = made.pop(0, None), tuple(sorted(made.items()))
        return self._images

    @property
    def areas(self) -> tuple[Mask, tuple[Mask, ...]]:
        """Sets of places between which steps cost nothing, and all of them together.

        None where such a step leads one way only.
        """
        if self._areas is None:
            free = self.found.get(0, {})
            both = all(
                free.get(-by, 0) == (mask << by if by >= 0 else mask >> -by)
                for by, mask in free.items()
            )
            left = everywhere = 0
            if both:
                for mask in free.values():
                    left |= mask
            everywhere = left
            image = _image(free)
            found: list[Mask] = []
            while left:
                found.append(_flood(image, left & -left, 0))
                left &= ~found[-1]
            self._areas = everywhere, tuple(found)
        return self._areas

    @property
    def components(self) -> tuple[int, ...]:
        """For each place the least one that is connected with it."""
        if self._components is None:
            both: dict[int, Mask] = {}
            for shifts in self.found.values():
                for by, mask in shifts.items():
                    both[by] = both.get(by, 0) | mask
                    there = mask << by if by >= 0 else mask >> -by
                    both[-by] = both.get(-by, 0) | there
            image = _image(both)
            result = [-1] * self.places
            for place in range(self.places):
                if result[place] < 0:
                    for member in listed(_flood(image, 1 << place, 0)):
                        result[member] = place
            self._components = tuple(result)
        return self._components


def listed(mask: Mask, first: int = 0) -> list[int]:
    """The members of a set, in order; bit 0 stands for `first`.

    >>> listed(0b10110), listed(0b101, first=7)
    ([1, 2, 4], [7, 9])
    """
    size = mask.bit_length() + 7 >> 3
    if size > MOST_TABLES:
        bits = f"{mask:b}"[::-1].encode().translate(_TRUTHS)
        return list(compress(range(first, first + len(bits)), bits))
    found: list[int] = []
    for byte in mask.to_bytes(size, "little"):
        if byte:
            found += _OF_BYTE[first][byte]
        first += 8
    return found


class _Unkept:
    """The members that a byte stands for, worked out when asked: making a table costs more."""

    def __init__(self, first: int) -> None:
        self.first = first

    def __getitem__(self, byte: int) -> tuple[int, ...]:
        return tuple(self.first + k for k in range(8) if byte >> k & 1)


class _OfByte(dict[int, Sequence[tuple[int, ...]] | _Unkept]):
    """The members that each byte of a set stands for, by the number of its lowest bit."""

    def __missing__(self, first: int) -> Sequence[tuple[int, ...]] | _Unkept:
        if len(self) >= KEPT_TABLES:
            return _Unkept(first)
        numbers = range(first, first + 8)
        table = tuple(tuple(n for k, n in enumerate(numbers) if b >> k & 1) for b in range(256))
        self[first] = table
        return table


_OF_BYTE = _OfByte()


def members(mask: Mask, first: int = 0) -> Iterator[int]:
    """The members of a set one after the other, for callers that rarely need all of them.

    >>> next(members(0b10110)), list(members(0b101, first=7))
    (1, [7, 9])
    """
    while mask:
        least = mask & -mask
        yield first + least.bit_length() - 1
        mask ^= least


def cells(s: bytes | bytearray, first: int, end: int, table: bytes) -> Mask:
    """The set of cells whose byte a table turns into the digit 1 (and all others into 0).

    >>> cells(b"\\2\\0\\2", 0, 3, b"001" + b"0" * 253)
    5
    """
    return _mask(bytes(s[first:end]), table)


# A decision asks several times for the same cells, of which few have changed since the last one.
@lru_cache(maxsize=256)
def _mask(part: bytes, table: bytes) -> Mask:
    return int(part.translate(table)[::-1], 2)


def _image(shifts: dict[int, Mask]) -> Image:
    if len(shifts) > MAX_SHIFTS:
        return _by_lists(shifts)
    up = tuple((by, mask) for by, mask in shifts.items() if by >= 0)
    down = tuple((-by, mask) for by, mask in shifts.items() if by < 0)

    def image(places: Mask) -> Mask:
        there = 0
        for by, mask in up:
            there |= (places & mask) << by
        for by, mask in down:
            there |= (places & mask) >> by
        return there

    return image


def _by_lists(shifts: dict[int, Mask]) -> Image:
    near: dict[int, Mask] = {}
    for by, mask in shifts.items():
        for place in listed(mask):
            near[place] = near.get(place, 0) | 1 << place + by

    def image(places: Mask) -> Mask:
        there = 0
        for place in listed(places):
            there |= near.get(place, 0)
        return there

    return image


def _flood(image: Image, start: Mask, seen: Mask, stops: Mask = 0) -> Mask:
    """The places reached by steps from `start`, without those seen before; stops are not left."""
    found = start
    front = start
    while front:
        front = image(front) & ~found & ~seen
        found |= front
        front &= ~stops
    return found


def rings(steps: Steps, sources: Mask, within: int | None, stops: Mask = 0) -> list[Mask]:
    """The places at each distance from the sources, up to `within`; sources are left, stops not.

    >>> line = Steps(4)
    >>> for place in range(3):
    ...     line.add(place, place + 1)
    >>> rings(line, 0b1, 2)
    [1, 2, 4]
    """
    free, priced = steps.images
    everywhere, areas = steps.areas
    if stops & everywhere:
        everywhere, areas = 0, ()
    waiting = {0: sources}
    seen = 0
    found: list[Mask] = []
    at = 0
    while waiting and (within is None or at <= within):
        new = waiting.pop(at, 0) & ~seen
        if new:
            if areas:
                # An area is reached as a whole, so that none of it was seen before.
                new = _with_areas(areas, everywhere, new)
            elif free is not None:
                left = new if at == 0 else new & ~stops
                new |= _flood(free, left, seen | new & ~left, stops)
            seen |= new
            left = new & ~stops if stops else new
            if at == 0:
                left |= sources
            for price, image in priced:
                there = image(left) & ~seen
                if there:
                    waiting[at + price] = waiting.get(at + price, 0) | there
        found.append(new)
        at += 1
    return found


def spread(steps: Steps, sources: Mask, within: int | None, stops: Mask = 0) -> Mask:
    """The places within a distance of the sources, which are left, stops not."""
    free, priced = steps.images
    everywhere, areas = steps.areas
    if (
        within is None
        or within < 0
        or len(priced) != 1
        or priced[0][0] != 1
        or (free is not None and (not areas or stops & everywhere))
    ):
        reached = 0
        for ring in rings(steps, sources, within, stops):
            reached |= ring
        return reached
    # Every step costs one or nothing; free steps lead to whole areas.
    ((_, image),) = priced
    reached = new = _with_areas(areas, everywhere, sources)
    left = new & ~stops | sources
    for _ in range(within):
        new = image(left) & ~reached
        if not new:
            break
        new = _with_areas(areas, everywhere, new)
        reached |= new
        left = new & ~stops
    return reached


def _with_areas(areas: tuple[Mask, ...], everywhere: Mask, places: Mask) -> Mask:
    """Places with all of the areas that they are in."""
    if places & everywhere:
        for area in areas:
            if places & area:
                places |= area
    return places


def distances(steps: Steps, sources: Mask, within: int) -> list[int]:
    """For each place how far it is from the sources, `within + 1` if farther than `within`."""
    result = [within + 1] * steps.places
    for distance, ring in enumerate(rings(steps, sources, within)):
        if ring:
            for place in listed(ring):
                result[place] = distance
    return result


def legs(steps: Steps, sources: Mask, within: int, stops: Mask, most: int) -> list[int]:
    """For each place the least number of legs that lead there, `most + 1` if more than `most`."""
    result = [most + 1] * steps.places
    for place in listed(sources):
        result[place] = 0
    seen = starts = sources
    for number in range(1, most + 1):
        new = spread(steps, starts, within, stops) & ~seen
        if not new:
            break
        for place in listed(new):
            result[place] = number
        seen |= new
        starts = new & stops
        if not starts:
            break
    return result
