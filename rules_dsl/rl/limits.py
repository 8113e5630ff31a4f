"""The range of rewards, and the maximum length of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from rules_dsl.rl.rewards import Reward, check_reward

if TYPE_CHECKING:
    from compiler.runtime.game import Game


@frozen
class Bounds:
    """Rewards lie in `low`..`high`; `decisions` and `draws` bound the length of a game.

    `decisions` and `draws` are None if the rules say that a loop may go on for ever. `proved` says
    whether it was proved here that the loops end as the rules say.
    """

    low: float
    high: float
    decisions: int | None
    draws: int | None
    proved: bool


def reward_bounds(game: Game, reward: Reward) -> tuple[float, float]:
    """The minimum and maximum reward of a player."""
    check_reward(reward)
    if reward == "win":
        return (-1.0, 1.0)
    scoring = game.ir.scoring
    return (
        scoring.numerator.lo / scoring.denominator,
        scoring.numerator.hi / scoring.denominator,
    )


def bounds_of(game: Game, reward: Reward, prove: bool) -> Bounds:
    """The bounds of a game; with `prove`, the ends of its loops are proved first."""
    from compiler.rebuild import with_ghosts
    from verify.analysis import length_bound

    low, high = reward_bounds(game, reward)
    module = with_ghosts(game).ir
    decisions = length_bound.decisions(module)
    draws = length_bound.draws(module)
    proved = False
    if prove:
        import verify

        report = verify.run(game, checks=["termination"], jobs=1)
        proved = report.ok and bool(report.bounds)
    return Bounds(low, high, decisions, draws, proved)
