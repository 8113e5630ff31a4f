"""Information that two games give to players: revealed values, and visible cells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from compiler.ir import PLACE
from compiler.runtime.game import Game

# The values that a move reveals, in words, and to whom.
Shown = list[str]


def sight(game: Game) -> object:
    """Who sees which cells, cards and scores."""
    module = game.ir
    return (
        {array.name: array.viewers for array in module.arrays.values()},
        {zone.name: zone.viewers for zone in module.zones.values()},
        module.scoring.hidden,
    )


@contextmanager
def overheard(game: Game) -> Iterator[Shown]:
    """Listen to what the rules reveal."""
    found: Shown = []
    reveals, names = game.machine.meta["reveals"], game.reader.names
    place = ""

    def listen(number: int, value: int, whom: int) -> None:
        nonlocal place
        text, kind = reveals[number]
        shown = place + names.label(kind, value)
        if text == PLACE:
            place = f"{shown}: "
        else:
            audience = "everybody" if whom == -1 else game.player_names[whom]
            found.append(f"{shown} to {audience}")
            place = ""

    listeners = game.machine.code["LISTENERS"]
    listeners.append(listen)
    try:
        yield found
    finally:
        listeners.remove(listen)


def in_words(shown: Shown) -> str:
    """The revealed values as a sentence."""
    return ", ".join(shown) or "nothing"
