"""Reading a state by the names of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any

from attrs import frozen

from rules_dsl.language.viewers import everybody, mask_at

Cells = bytes | bytearray
Dimensions = tuple[tuple[int, int, str], ...]


@frozen
class Hidden:
    """A value that a player does not see; of cards the number is known."""

    count: int | None = None

    def __repr__(self) -> str:
        return "hidden" if self.count is None else f"{self.count} hidden"


class Unlimited:
    """The amount that a bank has of a good without a limit."""

    def __repr__(self) -> str:
        return "unlimited"


UNLIMITED = Unlimited()


class Names:
    """The enums of a game: from numbers to what people and programs see, and back."""

    def __init__(self, meta: Mapping[str, Any]) -> None:
        self.enums: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = meta["enums"]
        self._values: dict[str, Callable[[int], Any]] = {}

    def value(self, kind: str, number: int) -> Any:
        """A number as a value: players stay numbers, `none` is None, enums are names."""
        return self.values(kind)(number)

    def values(self, kind: str) -> Callable[[int], Any]:
        """The function from numbers to values of a kind."""
        if kind not in self._values:
            base, _, nothing = kind.partition("?")
            some = self._always(base)
            none = int(nothing) if nothing else None
            self._values[kind] = (
                some if none is None else lambda number: None if number == none else some(number)
            )
        return self._values[kind]

    def _always(self, base: str) -> Callable[[int], Any]:
        if base in ("int", "Player"):
            return int
        return bool if base == "bool" else self.enums[base][0].__getitem__

    def label(self, kind: str, number: int) -> str:
        """A number as a text."""
        base, _, nothing = kind.partition("?")
        if nothing and number == int(nothing):
            return "none"
        if base == "int":
            return str(number)
        if base == "bool":
            return "yes" if number else "no"
        return self.enums[base][1][number]

    def index(self, kind: str, key: Any) -> int | None:
        """The number that a key means, or nothing."""
        if kind == "int":
            return key if isinstance(key, int) else None
        values, labels, _ = self.enums[kind]
        if isinstance(key, int) and not isinstance(key, bool):
            return key if 0 <= key < len(values) else None
        for names in (values, labels):
            if key in names:
                return names.index(key)
        return None


def read_slot(slot: tuple[int, int, str, int, int], cells: Cells, index: int = 0) -> int:
    """The value of a cell."""
    offset, width, encoding, lo, _ = slot
    at = offset + index * width
    raw = cells[at] if width == 1 else int.from_bytes(cells[at : at + width], "little")
    if encoding == "offset":
        return raw + lo
    if encoding == "none" and raw == 256**width - 1:
        return -1
    return raw


def distinct_values(slot: tuple[int, int, str, int, int], cells: Cells, count: int) -> set[int]:
    """The values of so many cells, each once: most bytes of a position are the same few."""
    offset, width, *_ = slot
    if width > 1:
        return {read_slot(slot, cells, k) for k in range(count)}
    alone = (0, *slot[1:])
    return {read_slot(alone, bytes((raw,))) for raw in set(cells[offset : offset + count])}


def write_slot(
    slot: tuple[int, int, str, int, int], cells: bytearray, index: int, value: int
) -> None:
    """Change a cell."""
    offset, width, encoding, lo, _ = slot
    raw = value - lo if encoding == "offset" else value
    if encoding == "none" and value == -1:
        raw = int(256**width) - 1
    at = offset + index * width
    cells[at : at + width] = raw.to_bytes(width, "little")


class CellTable(Mapping[Any, Any]):
    """A named group of cells, read by index: `s["stock"][0]["maize"]`."""

    def __init__(
        self,
        name: str,
        dimensions: Dimensions,
        names: Names,
        leaf: Callable[[int], Any],
        base: int = 0,
    ) -> None:
        self._name = name
        self._dimensions = dimensions
        self._names = names
        self._leaf = leaf
        self._base = base

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            value: Any = self
            for part in key:
                value = value[part]
            return value
        low, size, kind = self._dimensions[0]
        number = self._names.index(kind, key)
        if number is None or not low <= number < low + size:
            raise KeyError(f"{self._name} has no {key!r}")
        return self._at(number - low)

    def _at(self, position: int) -> Any:
        flat = self._base * self._dimensions[0][1] + position
        if len(self._dimensions) == 1:
            return self._leaf(flat)
        return CellTable(self._name, self._dimensions[1:], self._names, self._leaf, flat)

    def __iter__(self) -> Iterator[Any]:
        low, size, kind = self._dimensions[0]
        return map(self._names.values(kind), range(low, low + size))

    def __len__(self) -> int:
        return self._dimensions[0][1]

    def plain(self) -> dict[Any, Any]:
        """The same as nested dictionaries."""
        size = self._dimensions[0][1]
        if len(self._dimensions) > 1:
            return {key: self._at(position).plain() for position, key in enumerate(self)}
        first = self._base * size
        return dict(zip(self, map(self._leaf, range(first, first + size)), strict=True))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CellTable):
            return self.plain() == other.plain()
        return self.plain() == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.plain())


class Reader:
    """Reads the cells of a game's states by name."""

    def __init__(self, meta: Mapping[str, Any]) -> None:
        self.meta = meta
        self.names = Names(meta)

    def known(self) -> list[str]:
        """The names that can be read: variables, pools and zones."""
        arrays = [n for n, a in self.meta["arrays"].items() if a["kind"] != "zone"]
        return [*arrays, *self.meta["zones"]]

    def read(self, cells: Cells, name: str, viewer: int | None = None, masked: bool = False) -> Any:
        """The value of a name; with `masked`, only what the viewer may see."""
        if name in self.meta["zones"]:
            return self._zone(cells, name, viewer, masked)
        array = self.meta["arrays"].get(name)
        if array is None or array["kind"] == "zone":
            raise KeyError(name)
        slot, kind = array["slot"], array["value"]
        dimensions: Dimensions = array["dimensions"]
        viewers = array["viewers"]
        value = self.names.values(kind)
        count = prod(size for _, size, _ in dimensions)
        bare = not masked or all(self._seen(mask, viewer) for mask in viewers)

        def seen(index: int) -> bool:
            return bare or self._seen(mask_at(viewers, count, index), viewer)

        def leaf(index: int) -> Any:
            return value(read_slot(slot, cells, index)) if seen(index) else Hidden()

        if array["kind"] == "set":
            low, size, element = dimensions[-1]
            named = self.names.values(element)

            def members(index: int) -> Any:
                if not seen(index * size):
                    return Hidden()
                return tuple(
                    named(low + k) for k in range(size) if read_slot(slot, cells, index * size + k)
                )

            return self._shaped(name, dimensions[:-1], members)
        if array["kind"] == "pool":
            goods = array["goods"]

            def contents(index: int) -> Any:
                return {g: leaf(index * len(goods) + k) for k, g in enumerate(goods)}

            return self._shaped(name, dimensions[:-1], contents)
        return self._shaped(name, dimensions, leaf)

    def _seen(self, mask: int, viewer: int | None) -> bool:
        """Whether one of the viewers looks; who is not a player sees what all players see."""
        if viewer is None:
            return (mask,) == everybody(self.meta["players"])
        return bool(mask >> viewer & 1)

    def _shaped(self, name: str, dimensions: Dimensions, leaf: Callable[[int], Any]) -> Any:
        return CellTable(name, dimensions, self.names, leaf) if dimensions else leaf(0)

    def _zone(self, cells: Cells, name: str, viewer: int | None, masked: bool) -> Any:
        table, array, dimensions, first, places, levels, _, viewers = self.meta["zones"][name]
        slot = self.meta["arrays"][array]["slot"]
        values = self.names.enums[table][0]
        lying = [(read_slot(slot, cells, k), k) for k in range(len(values))]

        def cards(index: int) -> Any:
            lowest = first + index * levels
            there = [(-at, k) for at, k in lying if lowest <= at < lowest + levels]
            found = tuple(values[k] for _, k in sorted(there))
            seen = not masked or self._seen(mask_at(viewers, places, index * levels), viewer)
            return found if seen else Hidden(len(found))

        return self._shaped(name, dimensions, cards)

    def everything(
        self, cells: Cells, viewer: int | None = None, masked: bool = False
    ) -> dict[str, Any]:
        """All names with their values, as plain dictionaries."""
        result = {}
        for name in self.known():
            value = self.read(cells, name, viewer, masked)
            result[name] = value.plain() if isinstance(value, CellTable) else value
        return result
