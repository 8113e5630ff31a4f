"""What a player has seen in the course of a game, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from compiler.runtime.elementary import ElementaryStep, elementary_steps, face_down, open_round
from compiler.runtime.sight import Sight
from compiler.runtime.unplayed import HiddenStart

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

# Who decides where chance does.
CHANCE = -2


@define
class Knowledge:
    """What a player has seen up to a position, step by step."""

    game: Game
    player: int
    steps: list[ElementaryStep]
    # What the player saw after every step; the first entry is the start.
    sights: list[Sight]
    start: bytes
    end: bytes
    # Steps of others that are still face down: their codes are not known.
    face_down: frozenset[int] = field(factory=frozenset)
    # What is hidden at the start, if that is not the opening.
    hidden: HiddenStart | None = None


def knowledge_of(state: State, player: int) -> Knowledge:
    """The knowledge of a player at a position."""
    game = state.game
    steps = elementary_steps(state)
    start = steps[0].before if steps else state.cells
    sights = game.sights
    seen = [sights.of(start, player), *(sights.of(step.after, player) for step in steps)]
    secret = {
        number for number in face_down(game, steps, state.cells) if steps[number].who != player
    }
    hidden = None if start == sights.opening else HiddenStart(game, player, start)
    return Knowledge(game, player, steps, seen, start, state.cells, frozenset(secret), hidden)


def before_open_round(knowledge: Knowledge) -> Knowledge:
    """The knowledge before the current round of secret choices, if there is one."""
    steps = knowledge.steps
    unfinished = open_round(knowledge.game, steps, knowledge.end) & knowledge.face_down
    if not unfinished:
        return knowledge
    start = min(unfinished)
    return Knowledge(
        knowledge.game,
        knowledge.player,
        steps[:start],
        knowledge.sights[: start + 1],
        knowledge.start,
        steps[start].before,
        frozenset(number for number in knowledge.face_down if number < start),
        knowledge.hidden,
    )
