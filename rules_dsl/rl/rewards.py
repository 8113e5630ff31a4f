"""Rewards at the end of a game, and the penalty for an illegal action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from compiler.runtime.state import State

Reward = Literal["win", "score"]
# An illegal action loses the game at once, or raises `IllegalMove`.
Illegal = Literal["lose", "raise"]


def check_reward(reward: str) -> None:
    """Raise `ValueError` for a reward that does not exist."""
    if reward not in ("win", "score"):
        raise ValueError(f"a reward is 'win' or 'score', not {reward!r}")


def check_illegal(illegal: str) -> None:
    """Raise `ValueError` for an answer to illegal actions that does not exist."""
    if illegal not in ("lose", "raise"):
        raise ValueError(f"the setting for illegal actions is 'lose' or 'raise', not {illegal!r}")


def rewards(state: State, reward: Reward) -> list[float]:
    """The rewards of all players at the end; zeros before it.

    >>> import rules_dsl as rd
    >>> s = rd.load("tic_tac_toe").start()
    >>> for move in ("a1", "a2", "b1", "b2", "c1"):
    ...     s = s.play(move)
    >>> rewards(s, "win")
    [1.0, -1.0]
    """
    players = state.game.players
    if not state.over:
        return [0.0] * players
    if reward == "score":
        return [float(score) for score in state.scores()]
    return shares(state.winners(), players)


def shares(winners: tuple[int, ...], players: int) -> list[float]:
    """A win between -1 and 1, with a sum of 0: winners share what the others lose.

    >>> shares((0,), 3), shares((0, 1), 2)
    ([1.0, -0.5, -0.5], [0.0, 0.0])
    """
    if players == 1:
        return [1.0]
    each = players / len(winners)
    return [((each if p in winners else 0.0) - 1) / (players - 1) for p in range(players)]


def lost_by(player: int, players: int) -> list[float]:
    """The rewards after an illegal action: that player loses, the others share the win."""
    return shares(tuple(p for p in range(players) if p != player), players) if players > 1 else [-1]
