"""Pairs of positions that a player cannot tell apart, and their common values."""

from __future__ import annotations

from collections.abc import Iterator

import z3

from compiler import ir
from verify.analysis.visibility import Sight
from verify.encode import terms as v
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import SymbolicState
from verify.proof.two_runs import SecondRun

# A local, or one cell of a secret choice.
Name = tuple[str, int | None]


def in_sight(sight: Sight, array: str, place: Value) -> Truth:
    """The condition under which the player sees the place of a card."""
    return v.or_(
        v.and_((v.le(first, place), v.le(place, last)))
        for first, last in _stretches(sight.places(array))
    )


def seen_place(sight: Sight, array: str, place: Value) -> Value:
    """The place of a card as the player sees it: -1 if the player does not."""
    return v.ite(in_sight(sight, array, place), v.number(place), -1)


def _stretches(places: tuple[int, ...]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


def shared_cells(sight: Sight, state: SymbolicState) -> set[int]:
    """The unknown cells that are the same in positions that look alike to the player."""
    return {
        cell.get_id()
        for array, cells in state.arrays.items()
        for k, cell in enumerate(cells.values)
        if not isinstance(cell, int) and (array, k) not in sight.unknown
    }


def seen_atoms(sight: Sight, state: SymbolicState) -> dict[int, list[z3.ExprRef]]:
    """For each card, the statements "it lies at this visible place": true in both or in neither."""
    return {
        cell.get_id(): [v.eq(cell, place) for place in sight.places(array.name)]
        for array, cell in _cards(sight.module, state)
        if not z3.is_bool(cell)
    }


def same_cards(sight: Sight, state: SymbolicState, run: SecondRun, names: set[int]) -> list[Truth]:
    """The named cards lie at the same place in both positions, if the player sees them in one."""
    return [
        v.eq(seen_place(sight, array.name, cell), run.other(seen_place(sight, array.name, cell)))
        for array, cell in _cards(sight.module, state)
        if cell.get_id() in names and run.changed(cell)
    ]


def same_sizes(sight: Sight, state: SymbolicState, run: SecondRun, names: set[int]) -> list[Truth]:
    """Each place hidden from the player holds the same number of cards in both positions.

    That it is empty in both or in neither is added: it follows, but the solver needs no counting.
    """
    found = both_empty(sight, state, run, names)
    for place, cells in _unseen_places(sight, state, run, names):
        size = v.add(*(v.ite(v.eq(cell, place), 1, 0) for cell in cells))
        found.append(v.eq(size, run.other(size)))
    return found


def both_empty(sight: Sight, state: SymbolicState, run: SecondRun, names: set[int]) -> list[Truth]:
    """A place that the player does not see is empty in both positions, or in neither."""
    found: list[Truth] = []
    for place, cells in _unseen_places(sight, state, run, names):
        filled = v.or_(v.eq(cell, place) for cell in cells)
        found.append(v.eq(filled, run.other(filled)))
    return found


def _unseen_places(
    sight: Sight, state: SymbolicState, run: SecondRun, names: set[int]
) -> Iterator[tuple[int, tuple[Value, ...]]]:
    """The places hidden from the player, of tables with a named card that may differ."""
    for array in sight.module.arrays.values():
        if array.kind != "zone":
            continue
        cells = state.arrays[array.name].values
        spoken_of = any(not isinstance(c, int) and c.get_id() in names for c in cells)
        if spoken_of and any(run.changed(c) for c in cells):
            seen = set(sight.places(array.name))
            yield from ((place, cells) for place in sight.sizes(array.name) if place not in seen)


def _cards(module: ir.Module, state: SymbolicState) -> Iterator[tuple[ir.Array, z3.ExprRef]]:
    for array in module.arrays.values():
        if array.kind == "zone":
            for cell in state.arrays[array.name].values:
                if not isinstance(cell, int):
                    yield array, cell


def named(values: object) -> Iterator[tuple[Name, Value]]:
    """Locals by name, the cells of a secret choice one by one."""
    assert isinstance(values, dict)
    for name, value in values.items():
        if isinstance(value, tuple):
            yield from (((name, k), part) for k, part in enumerate(value))
        elif value is not None:
            yield (name, None), value
