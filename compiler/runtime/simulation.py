"""Playing many games and counting."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from attrs import define, field

from compiler.runtime.arguments import whole_number
from compiler.runtime.bots import Policy, bots_for, policy_text
from compiler.runtime.fleet import on_executor, on_processes
from compiler.runtime.html import table
from compiler.runtime.policies import RandomPlayer
from compiler.runtime.randomness import chance_key
from compiler.runtime.state import State

if TYPE_CHECKING:
    from compiler.loading import Recipe
    from compiler.native.machine import NativeMachine
    from compiler.runtime.game import Game
    from compiler.runtime.machine import Machine

Progress = Callable[[int], None] | None
Policies = Policy | Sequence[Policy]
Score = int | Fraction
Value = TypeVar("Value", int, Score)
# Number of games in a chunk of work: about a tenth of a second of play.
PYTHON_CHUNK, NATIVE_CHUNK = 50, 2_000


@define(str=False)
class Simulation:
    """The results of many games. Everything is counted, so the size does not grow with the games.

    >>> import rules_dsl as rd
    >>> result = rd.load("tic_tac_toe").simulate(games=100, seed=1)
    >>> result.games, result.lengths.total(), sorted(result.scores[0])
    (100, 100, [-1, 0, 1])
    >>> result.moves["place"] == sum(length * n for length, n in result.lengths.items())
    True
    """

    game: str
    players: int
    games: int
    policy: str
    seed: int
    # For each seat the number of games by its score.
    scores: list[Counter[Score]] = field(factory=list)
    # Number of games by the number of decisions.
    lengths: Counter[int] = field(factory=Counter)
    # Number of games by winners: several seats where they share the win.
    winners: Counter[tuple[int, ...]] = field(factory=Counter)
    # Number of moves of each kind.
    moves: Counter[str] = field(factory=Counter)

    def add(self, other: Simulation) -> None:
        """Take in the games of another simulation."""
        for own, more in zip(self.scores, other.scores, strict=True):
            own.update(more)
        self.lengths.update(other.lengths)
        self.winners.update(other.winners)
        self.moves.update(other.moves)

    def win_share(self) -> tuple[Fraction, ...]:
        """The share of games that each seat won; shared wins count in parts."""
        played = max(1, self.winners.total())
        return tuple(
            sum((Fraction(n, len(w)) for w, n in self.winners.items() if seat in w), Fraction(0))
            / played
            for seat in range(self.players)
        )

    def mean_scores(self) -> tuple[Fraction, ...]:
        """The mean score of each seat."""
        return tuple(
            sum((Fraction(score) * n for score, n in counts.items()), Fraction(0))
            / max(1, counts.total())
            for counts in self.scores
        )

    def score_spread(self, player: int) -> tuple[Fraction, ...]:
        """Least, lower quartile, median, upper quartile and greatest score of a seat."""
        return tuple(Fraction(score) for score in _spread(self.scores[player]))

    def length_spread(self) -> tuple[int, ...]:
        """Least, lower quartile, median, upper quartile and greatest number of decisions."""
        return tuple(_spread(self.lengths))

    def mean_length(self) -> float:
        """The mean number of decisions in a game."""
        decisions = sum(length * n for length, n in self.lengths.items())
        return decisions / max(1, self.lengths.total())

    def _by_seat(self) -> list[list[str]]:
        """For each seat its share of wins, its mean score and the spread of its scores."""
        return [
            [
                f"seat {seat}",
                f"{float(share):.1%}",
                f"{float(mean):.2f}",
                " · ".join(f"{float(value):g}" for value in self.score_spread(seat)),
            ]
            for seat, (share, mean) in enumerate(
                zip(self.win_share(), self.mean_scores(), strict=True)
            )
        ]

    def __str__(self) -> str:
        """The results as a table.

        >>> import rules_dsl as rd
        >>> print(rd.load("tic_tac_toe").simulate(games=100, seed=1))
        tic_tac_toe, 2 players: 100 games (random), 5 to 9 decisions each
        seat 0  won 79.5%  mean score  0.59  -1 · 0 · 1 · 1 · 1
        seat 1  won 20.5%  mean score -0.59  -1 · -1 · -1 · 0 · 1
        """
        if not self.games:
            return f"{self.game}, {self.players} players: no games ({self.policy})"
        least, *_, greatest = self.length_spread()
        rows = self._by_seat()
        wide = max(len(mean) for _, _, mean, _ in rows)
        lines = (
            f"\n{seat}  won {won}  mean score {mean:>{wide}}  {spread}"
            for seat, won, mean, spread in rows
        )
        return (
            f"{self.game}, {self.players} players: {self.games:,} games ({self.policy}),"
            f" {least} to {greatest} decisions each" + "".join(lines)
        )

    def _repr_html_(self) -> str:
        head = [
            f"{self.game}, {self.games:,} games ({self.policy})",
            "won",
            "mean score",
            "least · lower quartile · median · upper quartile · greatest",
        ]
        return table(head, self._by_seat())

    def to_json(self) -> str:
        """The counts as JSON; fractions are written as text."""
        lengths = self.length_spread()
        return json.dumps(
            {
                "game": self.game,
                "players": self.players,
                "games": self.games,
                "policy": self.policy,
                "seed": self.seed,
                "win_share": [float(w) for w in self.win_share()],
                "mean_scores": [float(m) for m in self.mean_scores()],
                "score_spread": [
                    [float(x) for x in self.score_spread(p)] for p in range(self.players)
                ],
                "lengths": {
                    "least": min(lengths, default=0),
                    "mean": self.mean_length(),
                    "greatest": max(lengths, default=0),
                },
                "moves": dict(sorted(self.moves.items())),
            },
            indent=1,
        )


def _spread(counts: Mapping[Value, int]) -> list[Value]:
    """The values at 0, 1/4, 1/2, 3/4 and 1 of the way through all of them in order."""
    last = sum(counts.values()) - 1
    wanted = [round(last * k / 4) for k in range(5)] if last >= 0 else []
    found: list[Value] = []
    passed = 0
    for value in sorted(counts):
        passed += counts[value]
        while len(found) < len(wanted) and wanted[len(found)] < passed:
            found.append(value)
    return found


def simulate(
    game: Game,
    games: int,
    policy: Policies,
    seed: int,
    backend: str,
    jobs: int,
    progress: Progress,
    executor: Executor | None,
) -> Simulation:
    """Play games with seeds seed, seed + 1, …; the result does not depend on the workers."""
    bots_for(policy, game.players)
    games = whole_number(games, "the number of games")
    jobs = whole_number(jobs, "the number of jobs")
    seed = whole_number(seed, "a seed")
    if games < 0:
        raise ValueError(f"the number of games cannot be negative, as {games} is")
    if jobs < 1:
        raise ValueError(f"at least one job is needed, not {jobs}")
    if executor is not None and not isinstance(executor, Executor):
        raise TypeError(f"an executor is a concurrent.futures.Executor, not {executor!r}")
    if executor is None and jobs > 1:
        _check_that_it_travels(policy)
    machine = game.backends.choose(backend, games)
    total = _empty(game, games, policy, seed)
    size = NATIVE_CHUNK if _native(machine, policy) else PYTHON_CHUNK
    chunks = (range(seed + k, seed + min(k + size, games)) for k in range(0, games, size))
    if executor is None and (jobs == 1 or games <= size):
        parts: Iterator[Simulation] = (_chunk(game, machine, policy, s) for s in chunks)
    else:
        recipe = game.origin.recipe()
        work = ((recipe, policy, seeds, backend, games) for seeds in chunks)
        if executor is None:
            parts = on_processes(_chunk_elsewhere, work, jobs)
        else:
            parts = on_executor(_chunk_elsewhere, work, executor)
    for part in parts:
        total.add(part)
        if progress:
            progress(total.lengths.total())
    return total


def _check_that_it_travels(policy: Policies) -> None:
    """Other processes get a policy as bytes; not every object can become bytes."""
    from multiprocessing.reduction import ForkingPickler

    try:
        ForkingPickler.dumps(policy)
    except Exception:  # objects refuse this in many ways
        raise ValueError(
            f"{policy_text(policy)} cannot go to other processes: a policy for several jobs is a "
            "name, a bot or a function of a module"
        ) from None


def _empty(game: Game, games: int, policy: Policies, seed: int) -> Simulation:
    scores: list[Counter[Score]] = [Counter() for _ in range(game.players)]
    return Simulation(game.name, game.players, games, policy_text(policy), seed, scores)


@lru_cache(maxsize=4)
def game_of(recipe: Recipe) -> Game:
    """The game of a worker: loaded once, not with every chunk."""
    return recipe.load()


def _chunk_elsewhere(
    recipe: Recipe, policy: Policies, seeds: range, backend: str, games: int
) -> Simulation:
    game = game_of(recipe)
    return _chunk(game, game.backends.choose(backend, games), policy, seeds)


def _native(machine: Machine, policy: Policies) -> NativeMachine | None:
    """The machine that plays and counts whole games natively, if there is one."""
    from compiler.native.machine import NativeMachine

    return machine if policy == "random" and isinstance(machine, NativeMachine) else None


def _chunk(game: Game, machine: Machine, policy: Policies, seeds: range) -> Simulation:
    result = _empty(game, len(seeds), policy, seeds.start)
    native = _native(machine, policy)
    if native is not None:
        _natively(native, seeds, result)
    else:
        for seed in seeds:
            if policy == "random":
                _at_random(game, machine, seed, result)
            else:
                _by_bots(game, policy, seed, result)
    return result


def rollouts(state: State, n: int, seed: int, backend: str) -> Simulation:
    """Play at random from a position with seeds seed, seed + 1, …"""
    game = state.game
    n = whole_number(n, "the number of games")
    seed = whole_number(seed, "a seed")
    if n < 0:
        raise ValueError(f"the number of games cannot be negative, as {n} is")
    machine = game.backends.choose(backend, n)
    result = _empty(game, n, "random", seed)
    native = _native(machine, "random")
    if native is not None:
        _natively(native, range(seed, seed + n), result, state.cells)
    else:
        for k in range(n):
            _at_random(game, machine, seed + k, result, state.cells)
    return result


def _natively(
    machine: NativeMachine, seeds: range, result: Simulation, start: bytes | None = None
) -> None:
    played = machine.random_games(start, seeds.start, len(seeds))
    below = machine.meta["denominator"]
    for seat, counts in enumerate(result.scores):
        for score, n in Counter(played.scores[seat :: result.players]).items():
            counts[Fraction(score, below) if below > 1 else score] += n
    result.lengths.update(played.lengths)
    for mask, n in Counter(played.winners).items():
        result.winners[tuple(p for p in range(result.players) if mask >> p & 1)] += n
    names = [o[0] for point in machine.meta["points"] for o in point.get("options", ())]
    for name, n in zip(names, played.used, strict=False):
        if n:
            result.moves[name] += n


def _at_random(
    game: Game, machine: Machine, seed: int, result: Simulation, start: bytes | None = None
) -> None:
    cells = machine.new() if start is None else bytearray(start)
    key = chance_key(seed)
    player = RandomPlayer(machine, seed)
    points = machine.meta["points"]
    draws = machine.settle(cells, key, 0)
    length = 0
    while not machine.over(cells):
        move = player.choose(cells)
        point = points[machine.point(cells)]
        index, _ = game.notation.decode(point, move)
        result.moves[point["options"][index][0]] += 1
        machine.play(cells, move)
        draws = machine.settle(cells, key, draws)
        length += 1
    _count(State(game, bytes(cells), seed, draws, None), length, result)


def _by_bots(game: Game, policy: Policies, seed: int, result: Simulation) -> None:
    bots = bots_for(policy, game.players, seed)
    state = game.start(seed)
    length = 0
    while not state.over:
        assert state.player is not None
        move = bots[state.player].choose(state)
        result.moves[move.name] += 1
        state = state.play(move)
        length += 1
    _count(state, length, result)


def _count(end: State, length: int, result: Simulation) -> None:
    for counts, score in zip(result.scores, end.scores(), strict=True):
        counts[score] += 1
    result.lengths[length] += 1
    result.winners[end.winners()] += 1
