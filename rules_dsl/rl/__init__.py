"""Games as environments for learners: PettingZoo, Gymnasium, OpenSpiel, and batches.

Everything here needs the extra `rl` (`pip install 'rules-dsl[rl]'`); a library is imported when an
environment of its kind is made.

>>> import rules_dsl as rd
>>> from rules_dsl import rl
>>> env = rl.pettingzoo_env(rd.load("tic_tac_toe"))
>>> env.reset(seed=1)
>>> env.agent_selection, env.action_space("player_0").n
('player_0', np.int64(9))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compiler.runtime.bots import Policy
    from compiler.runtime.game import Game
    from rules_dsl.rl.gymnasium_seat import SeatEnv
    from rules_dsl.rl.limits import Bounds
    from rules_dsl.rl.pettingzoo_aec import TurnEnv
    from rules_dsl.rl.pettingzoo_parallel import TogetherEnv
    from rules_dsl.rl.rewards import Illegal, Reward
    from rules_dsl.rl.vector import VectorEnv

__all__ = [
    "ExtraMissing",
    "bounds",
    "gymnasium_env",
    "openspiel_game",
    "parallel_env",
    "pettingzoo_env",
    "vector_env",
]


class ExtraMissing(ImportError):
    """A library of the extra `rl` is not installed."""


def _needs(library: str, error: ImportError) -> ExtraMissing:
    if error.name is not None and error.name.partition(".")[0] == "rules_dsl":
        raise error
    return ExtraMissing(f"this needs {library}: `pip install 'rules-dsl[rl]'` ({error})")


def pettingzoo_env(
    game: Game, reward: Reward = "win", illegal: Illegal = "lose", render_mode: str | None = None
) -> TurnEnv:
    """A PettingZoo environment in which agents act one after another (AEC).

    An observation is `{"observation", "action_mask"}`; `reward` is "win" (-1 to 1, sum 0) or
    "score"; an action that the mask forbids loses the game, or raises `IllegalMove` with
    `illegal="raise"`.

    >>> import rules_dsl as rd
    >>> env = pettingzoo_env(rd.load("kuhn_poker"), reward="score")
    >>> env.reset(seed=3)
    >>> env.step(env.last()[0]["action_mask"].argmax())
    >>> env.agent_selection
    'player_1'
    """
    try:
        from rules_dsl.rl.pettingzoo_aec import TurnEnv
    except ImportError as error:
        raise _needs("PettingZoo", error) from None
    return TurnEnv(game, reward, illegal, render_mode)


def parallel_env(
    game: Game, reward: Reward = "win", illegal: Illegal = "lose", render_mode: str | None = None
) -> TogetherEnv:
    """A PettingZoo environment in which agents act at the same time.

    Those who choose secretly at the same time act together; agents who have nothing to decide take
    the last action, "wait".

    >>> import rules_dsl as rd
    >>> env = parallel_env(rd.load("goofspiel"))
    >>> observations, _ = env.reset(seed=1)
    >>> [int(o["action_mask"].sum()) for o in observations.values()]
    [13, 13]
    """
    try:
        from rules_dsl.rl.pettingzoo_parallel import TogetherEnv
    except ImportError as error:
        raise _needs("PettingZoo", error) from None
    return TogetherEnv(game, reward, illegal, render_mode)


def gymnasium_env(
    game: Game,
    seat: int = 0,
    bots: Policy | Sequence[Policy] = "random",
    reward: Reward = "win",
    illegal: Illegal = "lose",
    render_mode: str | None = None,
) -> SeatEnv:
    """A Gymnasium environment for one seat; bots, which see only their own seats, play the others.

    >>> import rules_dsl as rd
    >>> env = gymnasium_env(rd.load("tic_tac_toe"), seat=1, bots="greedy")
    >>> observation, info = env.reset(seed=1)
    >>> int(observation["action_mask"].sum())
    8
    """
    try:
        from rules_dsl.rl.gymnasium_seat import SeatEnv
    except ImportError as error:
        raise _needs("Gymnasium", error) from None
    return SeatEnv(game, seat, bots, reward, illegal, render_mode)


def openspiel_game(game: Game, reward: Reward = "win") -> Any:
    """The game as a `pyspiel.Game`, registered as "rules"; secret choices one after another.

    Once `rules_dsl.rl.openspiel` is imported, `pyspiel.load_game("rules(game=tikal,players=3)")`
    loads one by name.

    >>> import rules_dsl as rd
    >>> game = openspiel_game(rd.load("kuhn_poker"), reward="score")
    >>> game.num_distinct_actions(), game.max_chance_outcomes(), game.max_game_length()
    (4, 3, 3)
    """
    try:
        from rules_dsl.rl.openspiel import spiel_game
    except ImportError as error:
        raise _needs("OpenSpiel", error) from None
    return spiel_game(game, reward)


def vector_env(game: Game, n: int, seed: int = 0, reward: Reward = "win") -> VectorEnv:
    """Many games side by side, on batches; see `VectorEnv`.

    >>> import rules_dsl as rd
    >>> env = vector_env(rd.load("tic_tac_toe"), 4, seed=1)
    >>> env.observations().shape, env.masks().sum(axis=1).tolist()
    ((4, 47), [9, 9, 9, 9])
    """
    try:
        from rules_dsl.rl.vector import VectorEnv
    except ImportError as error:
        raise _needs("numpy", error) from None
    return VectorEnv(game, n, seed, reward)


def bounds(game: Game, reward: Reward = "win", prove: bool = False) -> Bounds:
    """The range of rewards, and the maximum length of a game.

    The length follows from the measures of loops. With `prove` these are proved
    first (`verify.run` with the obligation "termination"), and `proved` says whether it was.

    >>> import rules_dsl as rd
    >>> bounds(rd.load("kuhn_poker"), reward="score")
    Bounds(low=-2.0, high=2.0, decisions=3, draws=3, proved=False)
    """
    from rules_dsl.rl.limits import bounds_of

    return bounds_of(game, reward, prove)
