"""The compiled rules and a plain Python game, played side by side.

The plain game is a generator: it yields who decides (`None` for chance) and the moves on offer, and
is sent the move that is made.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

import rules_dsl as rd

Step = tuple[int | None, list[str]]
Course = Generator[Step, str, Any]
# Chooses one of the moves for a player, or an outcome for chance (`None`).
Pick = Callable[[int | None, list[str]], str]


def side_by_side(game: rd.Game, course: Course, pick: Pick) -> Iterator[rd.State]:
    """The position after each move; both games must offer the same moves and end together."""
    who, offered = next(course)
    state = game.start()
    while not state.over:
        moves = state.outcomes() if state.is_chance else [(m, None) for m in state.moves()]
        mine = sorted(str(move) for move, _ in moves)
        assert state.player == who
        assert mine == sorted(offered)
        move = pick(who, mine)
        state = state.play(move)
        try:
            who, offered = course.send(move)
        except StopIteration:
            assert state.over
        yield state
