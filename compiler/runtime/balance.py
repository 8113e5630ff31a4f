"""The results of many games of two rule sets, side by side, with confidence intervals.

Intervals are 95 % intervals: Wilson's for shares, normal ones for means and for their differences.
Two games are called different in something only if the interval of the difference leaves out 0.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from compiler.runtime.bots import Policy, bots_for
from compiler.runtime.fleet import on_processes
from compiler.runtime.simulation import game_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from compiler.loading import Recipe
    from compiler.runtime.game import Game

# Half the width of a 95 % interval, in standard errors.
Z = 1.959964
# Number of games that a process plays at a time.
PART = 10
# Points scored during another player's move, or at the end.
ELSEWHERE = "without an own move"


@define
class Sample:
    """A mean that grows with the games: how many, their sum and the sum of squares.

    >>> sample = Sample()
    >>> for value in (1, 2, 3): sample.add(value)
    >>> sample.mean, round(sample.variance, 3)
    (2.0, 1.0)
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Take in a value."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def take_in(self, other: Sample) -> None:
        """Add the values of another sample."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        """The variance, as estimated from a sample."""
        if self.count < 2:
            return 0.0
        return max(0.0, (self.squares - self.total * self.mean) / (self.count - 1))

    def padded(self, games: int) -> Sample:
        """The same, where games that are not counted yet count as 0."""
        return Sample(games, self.total, self.squares)

    def interval(self) -> Interval:
        """The mean with its interval."""
        half = Z * math.sqrt(self.variance / max(1, self.count))
        return Interval(self.mean, self.mean - half, self.mean + half)


@frozen
class Interval:
    """A value and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def differs(self) -> bool:
        """Whether 0 lies outside: for a difference, whether there is one."""
        return self.low > 0 or self.high < 0


def share(hits: float, games: int) -> Interval:
    """A share with Wilson's interval.

    >>> found = share(50, 100)
    >>> round(found.low, 3), round(found.high, 3)
    (0.404, 0.596)
    """
    if games == 0:
        return Interval(0.0, 0.0, 1.0)
    p = hits / games
    below = 1 + Z * Z / games
    middle = (p + Z * Z / (2 * games)) / below
    half = Z * math.sqrt(p * (1 - p) / games + Z * Z / (4 * games * games)) / below
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def difference(one: Sample, two: Sample) -> Interval:
    """The difference of the second mean from the first."""
    error = one.variance / max(1, one.count) + two.variance / max(1, two.count)
    middle, half = two.mean - one.mean, Z * math.sqrt(error)
    return Interval(middle, middle - half, middle + half)


@define
class Balance:
    """The results of the games of one rule set."""

    name: str
    title: str
    seats: tuple[str, ...]
    policy: str
    games: int = 0
    # Shared wins count in parts.
    wins: list[Sample] = field(factory=list)
    scores: list[Sample] = field(factory=list)
    # The best score of a game, and its lead over the next.
    best: Sample = field(factory=Sample)
    margin: Sample = field(factory=Sample)
    lengths: Sample = field(factory=Sample)
    # Number of moves of a kind in a game, by all players.
    moves: dict[str, Sample] = field(factory=dict)
    # Points a player and game, by the kind of the own move that brought them.
    sources: dict[str, Sample] = field(factory=dict)
    # Number of moves that name a card, in a game.
    cards: dict[str, Sample] = field(factory=dict)

    def take_in(self, other: Balance) -> None:
        """Add the games of another part of the same measurement."""
        self.games += other.games
        for own, more in zip(self._single(), other._single(), strict=True):
            own.take_in(more)
        for name in ("moves", "sources", "cards"):
            table: dict[str, Sample] = getattr(self, name)
            for key, more in getattr(other, name).items():
                table.setdefault(key, Sample()).take_in(more)

    def _single(self) -> list[Sample]:
        return [*self.wins, *self.scores, self.best, self.margin, self.lengths]

    def used(self, table: dict[str, Sample], name: str, per: int = 1) -> Sample:
        """A sample of a table in which games without it count as 0."""
        return table.get(name, Sample()).padded(self.games * per)


def measure(
    game: Game,
    games: int,
    policy: Policy = "random",
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    jobs: int = 1,
) -> Balance:
    """Play games with seeds seed, seed + 1, … and record every move.

    The result does not depend on the number of processes.

    >>> import rules_dsl as rd
    >>> found = measure(rd.load("tic_tac_toe"), 20)
    >>> found.games, found.lengths.mean > 4
    (20, True)
    """
    found = _empty(game, policy)
    parts = [range(seed + k, seed + min(k + PART, games)) for k in range(0, games, PART)]
    if jobs == 1:
        for part in parts:
            found.take_in(_measured(game, policy, part))
            if progress is not None:
                progress(found.games)
        return found
    recipe = game.origin.recipe()
    done: dict[int, Balance] = {}
    for start, measured in on_processes(
        _measured_elsewhere, ((recipe, policy, part) for part in parts), jobs
    ):
        done[start] = measured
        if progress is not None:
            progress(sum(one.games for one in done.values()))
    # Sums of fractions depend on their order.
    for _, measured in sorted(done.items()):
        found.take_in(measured)
    return found


def _empty(game: Game, policy: Policy) -> Balance:
    variants = "".join(f" + {variant}" for variant in game.variants)
    return Balance(
        f"{game.name}{variants}",
        f"{game.title}{variants}",
        game.player_names,
        str(policy),
        wins=[Sample() for _ in game.player_names],
        scores=[Sample() for _ in game.player_names],
    )


def _measured(game: Game, policy: Policy, seeds: range) -> Balance:
    found, cards = _empty(game, policy), _cards(game)
    for seed in seeds:
        _play(game, policy, seed, found, cards)
    return found


def _measured_elsewhere(recipe: Recipe, policy: Policy, seeds: range) -> tuple[int, Balance]:
    return seeds.start, _measured(game_of(recipe), policy, seeds)


def _cards(game: Game) -> dict[str, str]:
    """The labels of the rows of all tables, by their names."""
    return {name: f"{row.label}" for rows in game.tables.values() for name, row in rows.items()}


def _play(game: Game, policy: Policy, seed: int, found: Balance, cards: dict[str, str]) -> None:
    bots = bots_for(policy, game.players, seed)
    state = game.start(seed)
    moves: Counter[str] = Counter()
    named: Counter[str] = Counter()
    sources: list[dict[str, float]] = [{} for _ in range(game.players)]
    points = [float(score) for score in state.standing()]
    while not state.over:
        mover = state.player
        assert mover is not None
        move = bots[mover].choose(state)
        moves[move.name] += 1
        named.update(cards[arg] for arg in _words(move.args) if arg in cards)
        state = state.play(move)
        now = [float(score) for score in state.standing()]
        for p in range(game.players):
            if now[p] != points[p]:
                name = move.name if p == mover else ELSEWHERE
                sources[p][name] = sources[p].get(name, 0.0) + now[p] - points[p]
        points = now
    found.games += 1
    winners = state.winners()
    ranked = sorted(points, reverse=True)
    found.best.add(ranked[0])
    found.margin.add(ranked[0] - ranked[1] if len(ranked) > 1 else 0.0)
    found.lengths.add(sum(moves.values()))
    for p in range(game.players):
        found.wins[p].add(1 / len(winners) if p in winners else 0.0)
        found.scores[p].add(points[p])
        for name, gained in sources[p].items():
            found.sources.setdefault(name, Sample()).add(gained)
    for name, times in moves.items():
        found.moves.setdefault(name, Sample()).add(times)
    for name, times in named.items():
        found.cards.setdefault(name, Sample()).add(times)


def _words(args: tuple[Any, ...]) -> list[str]:
    return [str(a) for arg in args for a in (arg if isinstance(arg, tuple) else (arg,))]


# ---- the comparison -----------------------------------------------------------------------------


@frozen
class BalanceRow:
    """A measurement in both games."""

    name: str
    one: Interval
    two: Interval
    difference: Interval
    # Whether the values are shares, to be written in per cent.
    is_share: bool = False


@frozen
class BalanceSection:
    """Rows that belong together."""

    title: str
    rows: tuple[BalanceRow, ...]


def compared(one: Balance, two: Balance) -> list[BalanceSection]:
    """Both games side by side; rows that differ most come first in long sections.

    >>> import rules_dsl as rd
    >>> found = measure(rd.load("tic_tac_toe"), 20)
    >>> [section.title for section in compared(found, found)][:2]
    ['Wins by seat', 'Scores and length']
    """
    seats = range(min(len(one.seats), len(two.seats)))
    wins = tuple(
        BalanceRow(
            two.seats[p],
            share(one.wins[p].total, one.games),
            share(two.wins[p].total, two.games),
            difference(one.wins[p], two.wins[p]),
            True,
        )
        for p in seats
    )
    general = [_row(f"score of {two.seats[p]}", one.scores[p], two.scores[p]) for p in seats]
    general += [
        _row("best score", one.best, two.best),
        _row("lead of the winner", one.margin, two.margin),
        _row("decisions a game", one.lengths, two.lengths),
    ]
    players = len(one.seats)
    sections = [
        BalanceSection("Wins by seat", wins),
        BalanceSection("Scores and length", tuple(general)),
    ]
    sections.append(
        BalanceSection(
            "Points a player and game, by the move that brought them",
            _table(one, two, "sources", players),
        )
    )
    sections.append(BalanceSection("Moves a game", _table(one, two, "moves", 1)))
    sections.append(BalanceSection("Cards named by moves, a game", _table(one, two, "cards", 1)))
    return [section for section in sections if section.rows]


def _row(name: str, one: Sample, two: Sample) -> BalanceRow:
    return BalanceRow(name, one.interval(), two.interval(), difference(one, two))


def _table(one: Balance, two: Balance, what: str, per: int) -> tuple[BalanceRow, ...]:
    ours, theirs = getattr(one, what), getattr(two, what)
    rows = [
        _row(name.replace("_", " "), one.used(ours, name, per), two.used(theirs, name, per))
        for name in sorted(ours.keys() | theirs.keys())
    ]
    return tuple(sorted(rows, key=lambda row: -max(abs(row.one.value), abs(row.two.value))))
