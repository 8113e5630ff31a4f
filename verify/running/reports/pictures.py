"""Pictures of positions in which something breaks, for games that come with a drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.runtime.drawing import draw
from compiler.runtime.saving import DataError, ReplayError
from compiler.runtime.state import State
from compiler.runtime.values import write_slot
from verify.proof.results import Report, Result

if TYPE_CHECKING:
    from compiler.runtime.game import Game

BEFORE = "before the step that breaks it"
AFTER = "after it"
SUPPOSED = (
    "a position that the invariants allow, not known to be reachable; "
    "what the step does not look at is as it was before set-up"
)


@frozen
class Picture:
    """A position as SVG, and what it shows."""

    caption: str
    svg: str


# The pictures of each result, by its place in the report.
Pictures = dict[int, list[Picture]]


def pictures(report: Report, games: Mapping[str, Game]) -> Pictures:
    """Pictures of the results that break something; `games` are the checked configurations."""
    found: Pictures = {}
    for at, result in enumerate(report.results):
        game = games.get(result.configuration)
        if game is not None and (result.fails or result.waived):
            shown = [Picture(*pair) for pair in _drawn(result, game)]
            if shown:
                found[at] = shown
    return found


def _drawn(result: Result, game: Game) -> Iterator[tuple[str, str]]:
    for caption, state in positions(result, game):
        try:
            svg = draw(state)
        except Exception:
            # A drawing is made for positions of real games; others may be too much for it.
            continue
        if svg is not None:
            yield caption, svg


def positions(result: Result, game: Game) -> Iterator[tuple[str, State]]:
    """The positions of a result: before and after the breaking step, or a hypothetical one.

    A move that cannot be carried out has no position after it.
    """
    if result.record:
        try:
            last = game.replay(result.record)
        except (DataError, ReplayError):
            return
        if len(result.moves) > len(last.played()):
            yield BEFORE, last
            return
        if last.previous is not None:
            yield BEFORE, last.previous
        yield AFTER, last
    elif result.status == "UNPROVED" and result.cells:
        supposed = position_of(game, result.cells)
        if supposed is not None:
            yield SUPPOSED, supposed


def position_of(game: Game, cells: Mapping[str, str]) -> State | None:
    """A position given as differences from the one before set-up; none if a name is not known."""
    from verify.encode.unknowns import cell_name
    from verify.proof.counterexample import shown_value

    module = game.ir
    slots = {name: array["slot"] for name, array in game.machine.meta["arrays"].items()}
    position = bytearray(game.start(seed=0).cells)
    left = dict(cells)
    for array in module.arrays.values():
        for k, initial in enumerate(array.initial):
            text = left.pop(cell_name(module, array, k), None)
            value = initial
            if text is not None:
                number = int(text) if re.fullmatch(r"-?[0-9]+", text) else None
                values = range(array.lo, array.hi + 1) if number is None else (number,)
                value = next((n for n in values if shown_value(module, array, n) == text), initial)
            write_slot(slots[array.name], position, k, value)
    return None if left else State(game, bytes(position), None, 0, None)
