"""Playing many games and counting."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import define, field

from compiler.runtime.arguments import whole_number
from compiler.runtime.backends import choose
from compiler.runtime.policies import Player, check_policy
from compiler.runtime.randomness import chance_key
from compiler.runtime.workers import worker_pool

if TYPE_CHECKING:
    from compiler.runtime.game import Game

Progress = Callable[[int], None] | None
CHUNK = 50


@define
class Simulation:
    """What many games came to.

    >>> import rules_dsl as rd
    >>> result = rd.load("tic_tac_toe").simulate(games=100, seed=1)
    >>> result.games, len(result.lengths), sum(result.moves.values()) == sum(result.lengths)
    (100, 100, True)
    """

    game: str
    players: int
    games: int
    policy: str
    seed: int
    # One tuple of scores for each game, in the order of their seeds.
    scores: list[tuple[int | Fraction, ...]] = field(factory=list)
    lengths: list[int] = field(factory=list)
    # Shared wins count in parts.
    wins: list[Fraction] = field(factory=list)
    moves: Counter[str] = field(factory=Counter)

    def add(self, other: Simulation) -> None:
        """Take in the games of another simulation."""
        self.scores += other.scores
        self.lengths += other.lengths
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.moves += other.moves

    def win_share(self) -> tuple[Fraction, ...]:
        """The share of games that each seat won."""
        return tuple(w / max(1, self.games) for w in self.wins)

    def mean_scores(self) -> tuple[Fraction, ...]:
        """The mean score of each seat."""
        count = max(1, len(self.scores))
        return tuple(
            sum((Fraction(s[p]) for s in self.scores), Fraction(0)) / count
            for p in range(self.players)
        )

    def score_spread(self, player: int) -> tuple[Fraction, ...]:
        """Least, lower quartile, median, upper quartile and greatest score of a seat."""
        ordered = sorted(Fraction(s[player]) for s in self.scores)
        last = len(ordered) - 1
        return tuple(ordered[round(last * k / 4)] for k in range(5)) if ordered else ()

    def to_json(self) -> str:
        """The counts as JSON; fractions are written as text."""
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
                    "least": min(self.lengths, default=0),
                    "mean": sum(self.lengths) / max(1, len(self.lengths)),
                    "greatest": max(self.lengths, default=0),
                },
                "moves": dict(sorted(self.moves.items())),
            },
            indent=1,
        )


def simulate(
    game: Game, games: int, policy: str, seed: int, backend: str, jobs: int, progress: Progress
) -> Simulation:
    """Play games with seeds seed, seed + 1, …; the result does not depend on `jobs`."""
    check_policy(policy)
    choose(game, backend)
    games = whole_number(games, "the number of games")
    jobs = whole_number(jobs, "the number of jobs")
    seed = whole_number(seed, "a seed")
    if games < 0:
        raise ValueError(f"the number of games cannot be negative, as {games} is")
    if jobs < 1:
        raise ValueError(f"at least one job is needed, not {jobs}")
    total = _empty(game, games, policy, seed)
    chunks = [range(seed + k, seed + min(k + CHUNK, games)) for k in range(0, games, CHUNK)]
    if jobs == 1 or len(chunks) < 2:
        for chunk in chunks:
            total.add(_chunk(game, policy, chunk))
            if progress:
                progress(len(total.lengths))
        return total
    with worker_pool(jobs, _take, game) as pool:
        for part in pool.map(_chunk_of_taken, [policy] * len(chunks), chunks):
            total.add(part)
            if progress:
                progress(len(total.lengths))
    return total


def _empty(game: Game, games: int, policy: str, seed: int) -> Simulation:
    return Simulation(
        game.name, game.players, games, policy, seed, wins=[Fraction(0)] * game.players
    )


# The game of a worker process: it is sent once, not with every chunk.
_taken: list[Game] = []


def _take(game: Game) -> None:
    _taken[:] = [game]


def _chunk_of_taken(policy: str, seeds: range) -> Simulation:
    return _chunk(_taken[0], policy, seeds)


def _chunk(game: Game, policy: str, seeds: range) -> Simulation:
    result = _empty(game, len(seeds), policy, seeds.start)
    for seed in seeds:
        _one(game, policy, seed, result)
    return result


def _one(game: Game, policy: str, seed: int, result: Simulation) -> None:
    from compiler.runtime.state import State

    machine = game.machine
    cells = machine.new()
    key = chance_key(seed)
    player = Player(game, policy, seed)
    points: tuple[dict[str, Any], ...] = machine.meta["points"]
    draws = machine.settle(cells, key, 0)
    length = 0
    used: Counter[str] = Counter()
    while not machine.over(cells):
        move = player.choose(cells)
        index, _ = game.notation.decode(points[machine.point(cells)], move)
        used[points[machine.point(cells)]["options"][index][0]] += 1
        machine.play(cells, move)
        draws = machine.settle(cells, key, draws)
        length += 1
    end = State(game, bytes(cells), seed, draws, None)
    result.scores.append(end.scores())
    result.lengths.append(length)
    result.moves += used
    winners = end.winners()
    for winner in winners:
        result.wins[winner] += Fraction(1, len(winners))
