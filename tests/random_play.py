"""Positions that random moves lead to."""

from __future__ import annotations

import random

import rules_dsl as rd


def played(game: rd.Game, seed: int, plies: int) -> rd.State:
    """The position after a number of random moves, or at the end of the game."""
    rng = random.Random(seed)
    state = game.start(seed=seed)
    for _ in range(plies):
        if state.over:
            break
        state = state.play(rng.choice(state.moves()))
    return state
