"""Bots that play a seat and see only what that seat may see.

>>> import rules_dsl as rd
>>> s = rd.load("tic_tac_toe").start()
>>> rd.bots.random(seed=3).choose(s) in s.moves()
True
"""

from __future__ import annotations

from compiler.runtime.arguments import at_least_one
from compiler.runtime.bots import Aim, Bot, GreedyBot, MctsBot, RandomBot

__all__ = ["Bot", "GreedyBot", "MctsBot", "RandomBot", "greedy", "mcts", "random"]


def random(seed: int = 0) -> RandomBot:
    """Any legal move, all equally likely.

    >>> random(seed=1).seed
    1
    """
    return RandomBot(seed)


def greedy(seed: int = 0, samples: int = 4) -> GreedyBot:
    """The best lead one step ahead, on average over samples of what is hidden and of chance.

    >>> greedy(samples=2).samples
    2
    """
    return GreedyBot(seed, at_least_one(samples, "the number of samples"))


def mcts(playouts: int = 200, seed: int = 0, curiosity: float = 0.7, aim: Aim = "win") -> MctsBot:
    """Monte Carlo tree search with fair samples; stronger and slower with more playouts.

    Where points count, as in poker, give it the aim "score".

    >>> mcts(playouts=50).playouts
    50
    """
    return MctsBot(at_least_one(playouts, "the number of playouts"), seed, curiosity, aim)
