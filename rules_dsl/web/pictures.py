"""Pictures of games for the lobby: a position some way into a game, as everybody sees it."""

from __future__ import annotations

from functools import lru_cache

import rules_dsl as rd
from rules_dsl.web.drawings import drawing

SEED, DECISIONS = 7, 40


@lru_cache
def picture(name: str) -> str:
    """A position of a game, the same for everybody.

    >>> picture("tic_tac_toe").startswith("<svg")
    True
    """
    state = rd.load(name).start(seed=SEED)
    bot = rd.bots.random(seed=SEED)
    for _ in range(DECISIONS):
        after = state.play(bot.choose(state))
        if after.over:
            break
        state = after
    return drawing(state, None)
