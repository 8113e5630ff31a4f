"""Two bots against each other until one of them is shown to be the better one.

A sequential test (A. Wald, 1945) decides between "no better than the other" and "wins 7 of 10": it
stops as soon as the games so far speak for one of them, with errors of at most 1 %. Seats change
every game; shared wins count in parts.
"""

from __future__ import annotations

import math

from attrs import frozen

import rules_dsl as rd
from compiler.runtime.balance import Interval, share
from compiler.runtime.bots import Bot

EQUAL, BETTER, ERROR = 0.5, 0.7, 0.01
# The evidence at which a contest ends.
ENOUGH = math.log((1 - ERROR) / ERROR)


@frozen
class Contest:
    """The result of a contest."""

    won: float
    games: int
    evidence: float

    @property
    def decided(self) -> bool:
        """Whether the first bot is shown to be the better one."""
        return self.evidence >= ENOUGH

    @property
    def interval(self) -> Interval:
        """The share of games that the first bot won, with its 95 % interval."""
        return share(self.won, self.games)

    def __str__(self) -> str:
        found = self.interval
        return f"won {self.won:g} of {self.games}: {found.low:.2f}..{found.high:.2f}"


def contest(game: rd.Game, one: Bot, two: Bot, most: int = 400) -> Contest:
    """Let two bots play until the evidence is enough, or `most` games are over.

    >>> found = contest(rd.load("tic_tac_toe"), rd.bots.greedy(), rd.bots.random())
    >>> found.decided
    True
    """
    won = evidence = 0.0
    for number in range(most):
        point = outcome(game, one, two, number)
        won += point
        evidence += point * math.log(BETTER / EQUAL)
        evidence += (1 - point) * math.log((1 - BETTER) / (1 - EQUAL))
        if abs(evidence) >= ENOUGH:
            break
    return Contest(won, number + 1, evidence)


def outcome(game: rd.Game, one: Bot, two: Bot, number: int) -> float:
    """The score of the first bot in one game: 1 for a win, a share of a shared one."""
    seat = number % 2
    bots = [one, two] if seat == 0 else [two, one]
    state = game.start(seed=number)
    while not state.over:
        assert state.player is not None
        state = state.play(bots[state.player].choose(state))
    winners = state.winners()
    return 1 / len(winners) if seat in winners else 0.0
