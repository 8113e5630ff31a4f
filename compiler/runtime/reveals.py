"""The revealed values, as lines for the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from compiler.ir import PLACE
from compiler.runtime.events import key_text

if TYPE_CHECKING:
    from compiler.runtime.game import Game


def reveal_lines(game: Game, found: Iterable[tuple[int, int, int]]) -> Iterator[tuple[str, int]]:
    """Each value that was revealed, as a sentence, and to which player (-1: all players).

    `found` is what the Python code passes to its listeners: the number of the text, a value, and
    to whom. The parts of an index come before the value that lies there.
    """
    place: list[tuple[str, int]] = []
    for number, value, whom in found:
        text, kind = game.machine.meta["reveals"][number]
        if text == PLACE:
            place.append((kind, value))
        else:
            yield _sentence(game, text, place, _words(game, kind, value)), whom
            place = []


def _sentence(game: Game, text: str, place: list[tuple[str, int]], value: str) -> str:
    """A sentence about a value. The name of a local says nothing to players."""
    if not place:
        return f"shown: {value}" if text.isidentifier() else f"{text} is {value}"
    name = text.removesuffix(PLACE)
    array = game.machine.meta["arrays"].get(name)
    of = [_words(game, kind, at) for kind, at in place]
    if array is None:
        return f"shown: {value} of {', '.join(of)}"
    for k, (dimension, (kind, at)) in enumerate(zip(array["dimensions"], place, strict=True)):
        if kind == "int":
            of[k] = key_text(game, dimension, at)
    label = game.label(name).replace("_", " ")
    if len(label) > 1 and label[1].islower():
        label = label[0].lower() + label[1:]
    return f"{label} of {', '.join(of)} is {value}"


def _words(game: Game, kind: str, value: int) -> str:
    """A value as people read it, players by the names that they have at this table."""
    player = kind.partition("?")[0] == "Player" and value >= 0
    return game.player_names[value] if player else game.reader.names.label(kind, value)
