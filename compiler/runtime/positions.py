"""Positions set up by hand, and the invariants in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from compiler.runtime.numbers_told import Numbers
from compiler.runtime.values import write_slot

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


class CheckedInvariant(NamedTuple):
    """An invariant in a position: its name, whether it holds, and a text with its values."""

    invariant: str
    holds: bool
    text: str


class PositionError(ValueError):
    """A position that cannot be set up as asked, or that breaks invariants (`.broken`)."""

    def __init__(self, message: str, broken: tuple[CheckedInvariant, ...] = ()) -> None:
        super().__init__(message)
        self.broken = broken


# ---- setting up ----------------------------------------------------------------------------------


def position(game: Game, values: Mapping[str, Any], at: State | None, lawful: bool) -> State:
    """The opening, or another position, with some values changed."""

    base = at if at is not None else game.start()
    cells = bytearray(base.cells)
    for name, value in values.items():
        _set(game, cells, name, value)
    state = game.states(game, bytes(cells), base.seed, base.draws, None)
    broken = tuple(one for one in check(game, state.cells) if not one.holds) if lawful else ()
    if broken:
        told = "; ".join(one.text for one in broken)
        raise PositionError(f"this position breaks {len(broken)} invariants: {told}", broken)
    return state


def _set(game: Game, cells: bytearray, name: str, value: Any) -> None:
    meta = game.machine.meta
    if name in meta["zones"]:
        _place_cards(game, cells, name, value)
    elif name in meta["arrays"] and meta["arrays"][name]["kind"] != "zone":
        array = meta["arrays"][name]
        _write(game, cells, name, array, array["dimensions"], 0, value)
    else:
        known = ", ".join(game.reader.known())
        raise PositionError(f"this game has no `{name}`; it has: {known}")


def _write(
    game: Game,
    cells: bytearray,
    name: str,
    array: Mapping[str, Any],
    dimensions: Any,
    base: int,
    value: Any,
) -> None:
    names = game.reader.names
    if not dimensions:
        number = _number(game, array["value"], value)
        low, high = array["slot"][3], array["slot"][4]
        if number is None or not low <= number <= high:
            raise PositionError(f"{name} cannot be {value!r}; it is {low}..{high}")
        write_slot(array["slot"], cells, base, number)
        return
    low, size, kind = dimensions[0]
    if array["kind"] == "set" and len(dimensions) == 1:
        wanted = {names.index(kind, element) for element in value}
        for k in range(size):
            write_slot(array["slot"], cells, base * size + k, int(low + k in wanted))
        return
    if not isinstance(value, Mapping):
        raise PositionError(f"{name} needs a dictionary by {kind}, not {value!r}")
    for key, inner in value.items():
        at = array["goods"].index(key) if key in array["goods"] else names.index(kind, key)
        if at is None or not 0 <= at - (0 if key in array["goods"] else low) < size:
            raise PositionError(f"{name} has no {key!r}")
        offset = at if key in array["goods"] else at - low
        _write(game, cells, name, array, dimensions[1:], base * size + offset, inner)


def _number(game: Game, kind: str, value: Any) -> int | None:
    base, _, nothing = kind.partition("?")
    if value is None:
        return int(nothing) if nothing else None
    if base in ("int", "bool"):
        return int(value) if isinstance(value, int) else None
    return game.reader.names.index(base, value)


def _place_cards(game: Game, cells: bytearray, name: str, value: Any) -> None:
    """Put cards into a zone; cards that lay there before and are not named stay.

    Cards of a pile lie among its shuffled ones.
    """
    table, array, dimensions, first, _, levels, below, _ = game.machine.meta["zones"][name]
    slot = game.machine.meta["arrays"][array]["slot"]

    def place(base: int, left: Any, cards: Any) -> None:
        if left:
            low, size, kind = left[0]
            for key, inner in cards.items():
                at = game.reader.names.index(kind, key)
                if at is None or not low <= at < low + size:
                    raise PositionError(f"{name} has no {key!r}")
                place(base * size + at - low, left[1:], inner)
            return
        for card in cards:
            number = game.reader.names.index(table, card)
            if number is None:
                raise PositionError(f"there is no {table} called {card!r}")
            write_slot(slot, cells, number, first + base * levels + below)

    place(0, dimensions, value)


# ---- invariants ----------------------------------------------------------------------------------


def check(game: Game, cells: bytes) -> tuple[CheckedInvariant, ...]:
    """Every invariant of the rules in a position."""
    told = Numbers(game, cells)
    found = []
    for invariant in game.ir.invariants:
        title = invariant.text or invariant.name.replace("_", " ")
        detail = told.broken(invariant.condition)
        text = title if detail is None else f"{title}: {detail}" if detail else title
        found.append(CheckedInvariant(invariant.name, detail is None, text))
    return tuple(found)
