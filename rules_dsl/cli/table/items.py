"""The parts of a position, as they are laid out on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from compiler.runtime.events import places_in
from compiler.runtime.values import Hidden
from rules_dsl.cli.table.labels import NOTHING, Labels, place_kind

if TYPE_CHECKING:
    from compiler.runtime.state import State

# A leaf: the keys that lead to it (as numbers or names) and its value.
Leaf = tuple[tuple[Any, ...], Any]


@frozen
class Item:
    """A variable, pool or zone, as a viewer sees it."""

    name: str
    # What it holds: "variable", "set", "pool" or "zone".
    kind: str
    # The kinds of its keys, and the number of keys of each.
    keys: tuple[tuple[str, int], ...]
    # The kind of a variable's values, a set's elements or a zone's cards.
    of: str
    value: Any
    # Goods of which the pool has an unlimited amount.
    endless: frozenset[str] = frozenset()

    @property
    def by_player(self) -> bool:
        """Whether each player has one."""
        return bool(self.keys) and self.keys[0][0] == "Player"

    def leaves(self) -> Iterator[Leaf]:
        """All values with their keys."""
        yield from _leaves((), self.value, len(self.keys))

    def at(self, *keys: Any) -> Any:
        """The value at some keys."""
        value = self.value
        for key in keys:
            value = value[key]
        return value

    def text(self, labels: Labels, value: Any) -> str:
        """A value as people read it."""
        if isinstance(value, Hidden):
            return labels.value(self.of, value)
        if self.kind == "pool" and any(isinstance(n, Hidden) for n in value.values()):
            return "hidden"
        if self.kind == "pool":
            shown = [
                f"{n} {labels.good(g)}" for g, n in value.items() if n and g not in self.endless
            ]
            return ", ".join(shown) or NOTHING
        if self.kind in ("set", "zone"):
            return ", ".join(labels.value(self.of, card) for card in value) or NOTHING
        return labels.value(self.of, value)

    def empty(self, value: Any) -> bool:
        """Whether a value is empty, so that it is not shown."""
        if isinstance(value, Hidden):
            return value.count == 0
        if self.kind == "pool":
            return not any(n for g, n in value.items() if g not in self.endless)
        if self.kind == "variable" and isinstance(value, int) and not isinstance(value, bool):
            return value == 0 and self.of == "int"
        return value is None or value is False or value == ()


def _leaves(keys: tuple[Any, ...], value: Any, depth: int) -> Iterator[Leaf]:
    if depth == 0:
        yield keys, value
    else:
        for key, inner in value.items():
            yield from _leaves((*keys, key), inner, depth - 1)


def items_of(state: State, viewer: int | None) -> list[Item]:
    """The view of a position, in the order of the rules.

    >>> import rules_dsl as rd
    >>> [item.name for item in items_of(rd.load("tic_tac_toe").start(), None)]
    ['mark', 'placed', 'mover', 'winner']
    """
    meta = state.game.machine.meta
    found = []
    for name, value in state.view(viewer).items():
        if name in meta["zones"]:
            table, _, dimensions, *_ = meta["zones"][name]
            found.append(Item(name, "zone", _keys(meta, dimensions), table, value))
            continue
        array = meta["arrays"][name]
        dimensions, kind = array["dimensions"], array["kind"]
        places = places_in(state.game, name)
        of = array["value"] if places is None else f"{place_kind(len(places))}?"
        endless: frozenset[str] = frozenset()
        if kind in ("set", "pool"):
            of = dimensions[-1][2]
            dimensions = dimensions[:-1]
        if kind == "pool" and array["bank"]:
            endless = frozenset(g for g in array["goods"] if meta["goods"].get(g) is None)
        found.append(Item(name, kind, _keys(meta, dimensions), of, value, endless))
    return found


def _keys(
    meta: dict[str, Any], dimensions: tuple[tuple[int, int, str], ...]
) -> tuple[tuple[str, int], ...]:
    return tuple(
        (place_kind(size) if (first, kind) == (0, "int") and size in meta["places"] else kind, size)
        for first, size, kind in dimensions
    )
