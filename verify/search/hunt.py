"""Hunting for a game that breaks what could not be proved, when playing at random finds none.

All short games at once by the solver; landmarks backwards from a bad position and a search that
plays toward them; and again all short games, from the positions nearest to the landmarks. Whatever
they find is a list of moves that is played on the compiled rules: only they decide.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from itertools import count, cycle
from random import Random

from attrs import define, evolve, field, frozen

from compiler import ir
from compiler.runtime.fault import Fault
from verify.encode.replica import Replica, TooManyChoicesError
from verify.encode.unknowns import World
from verify.proof.obligation import Obligation
from verify.search.backward import Backwards, Landmark
from verify.search.bounded import Line, Unrolling, Wanted
from verify.search.random_games import Search


@frozen
class HuntBudget:
    """The budget, by effort: counts, so that results do not depend on the machine."""

    # Number of moves unrolled at once; limit on a query about them, in the solver's unit of work.
    moves: int
    spent: int
    # Number of queries, of steps backwards, and of moves played toward landmarks.
    questions: int
    steps: int
    played: int
    # Whether all short games are tried also from positions near the landmarks.
    near: bool = True


BUDGETS: dict[str, HuntBudget] = {
    "normal": HuntBudget(8, 3_000_000, 60, 12, 40_000),
    "high": HuntBudget(12, 30_000_000, 400, 40, 400_000),
}
# Number of cells from which on many moves are not unrolled: it costs more than it brings.
LARGE_CELLS = 150
LARGE_MOVES = 2
PLAYOUTS = 20
# Goals that each get the whole budget of moves.
MOST_HUNTED = 3
MOST_CHOICES = 60


def large(module: ir.Module) -> bool:
    """Whether a game has too many cells for formulas about many moves."""
    return module.cells > LARGE_CELLS


@define(eq=False)
class Hunt:
    """One hunt: `module` is what the obligations speak of, `search` plays and notes what breaks."""

    module: ir.Module
    search: Search
    wanted: Wanted
    effort: str
    budget: HuntBudget = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.budget = BUDGETS[self.effort]
        if large(self.module):
            # A move of a large game costs more, in formulas above all.
            self.budget = evolve(
                self.budget,
                moves=LARGE_MOVES,
                questions=self.budget.questions // 3,
                played=self.budget.played // 4,
                near=False,
            )

    def run(self) -> None:
        """Try everything, as long as something is wanted."""
        self.unroll(())
        found = self.landmarks()
        # Many goals share the budget.
        share = MOST_HUNTED * self.budget.played // max(MOST_HUNTED, len(found))
        for obligation, landmarks in found:
            if not self.wanted(obligation):
                continue
            course = Toward(self.search, landmarks, partial(self.found, obligation))
            course.run(share)
            for moves in course.nearest() if self.budget.near else ():
                if self.wanted(obligation):
                    self.unroll(moves)

    def found(self, obligation: Obligation) -> bool:
        """Whether there is nothing more to look for."""
        return not self.wanted(obligation)

    def landmarks(self) -> list[tuple[Obligation, list[Landmark]]]:
        """Landmarks for each goal that is left."""
        backwards = Backwards(self.module, self.wanted, self.budget.questions)
        return list(backwards.landmarks(self.budget.steps))

    def unroll(self, moves: tuple[int, ...]) -> None:
        """All short games from the position after some moves."""
        replica = Replica(World(self.module))
        try:
            cells = self.search.player.game.machine.new()
            replica.start()
            for move in moves:
                way, values = self.search.player.meaning(cells, move)
                self.search.player.game.machine.play(cells, move)
                replica.play(way, values)
        except (Fault, TooManyChoicesError):
            return
        if replica.over:
            return
        unrolling = Unrolling(replica.world, self.wanted, self.budget.spent)
        for _, line in unrolling.lines(replica, self.budget.moves):
            self.play(moves, line)

    def play(self, moves: tuple[int, ...], line: Line) -> None:
        """Play moves that the solver found; the search notes what they break."""
        machine = self.search.player.game.machine
        cells = machine.new()
        played: list[int] = []
        for move in moves:
            machine.play(cells, move)
            played.append(move)
        for way, values in line:
            move_ = self.chosen(bytes(cells), way, values)
            if move_ is None or not self.search.play(cells, played, move_):
                return

    def chosen(self, cells: bytes, way: int, values: dict[tuple[str, int, int], int]) -> int | None:
        """The legal move that a way with its values is."""
        player = self.search.player
        try:
            for move in player.game.machine.moves(cells):
                if player.meaning(cells, move) == (way, self.arguments(cells, way, values)):
                    return int(move)
        except Fault:
            return None
        return None

    def arguments(
        self, cells: bytes, way: int, values: dict[tuple[str, int, int], int]
    ) -> tuple[int, ...]:
        """The values of the parameters of a way, in order."""
        point = self.search.player.points[self.search.player.game.machine.point(cells)]
        assert point is not None
        terminator = point.block.terminator
        if isinstance(terminator, ir.Chance):
            range_ = terminator.range
            return (values.get((range_.name, range_.low.lo, range_.high.hi), 0),)
        assert isinstance(terminator, ir.Decide)
        if way >= len(terminator.options):
            return ()
        params = terminator.options[way].params
        return tuple(values.get((p.range.name, p.lo, p.hi), p.lo) for p in params)


# A position to continue from: its distance, a number to break ties, its bytes, its moves.
_Place = tuple[float, int, bytes, tuple[int, ...]]


@define(eq=False)
class Toward:
    """Plays toward landmarks: always from the position that is nearest to one.

    What is near depends on what is measured, and each measure has its own dead ends: they take
    turns.
    """

    search: Search
    landmarks: list[Landmark]
    done: Callable[[], bool]
    _places: tuple[list[_Place], ...] = field(factory=lambda: ([], [], []))
    _seen: set[bytes] = field(factory=set)
    _ties: count[int] = field(factory=count)

    def run(self, budget: int) -> None:
        """Play a number of moves, or until the goal is reached."""
        search = self.search
        search.left = budget
        opening, choices = search.opening()
        if not choices:
            return
        self.arrive(bytes(opening), ())
        random = Random(0)
        for _ in range(PLAYOUTS):
            self.sample(bytearray(opening), random, budget // (4 * PLAYOUTS))
        for places in cycle(self._places):
            if not places or search.left <= 0 or self.done():
                return
            _, _, position, moves = heappop(places)
            for move in self.choices(position, random):
                self.step(position, moves, move)

    def choices(self, position: bytes, random: Random) -> list[int]:
        """The moves to try from a position: all, or some of very many."""
        try:
            moves = self.search.player.game.machine.moves(position)
        except Fault:
            return []
        return random.sample(moves, MOST_CHOICES) if len(moves) > MOST_CHOICES else list(moves)

    def step(self, position: bytes, moves: tuple[int, ...], move: int) -> bytearray | None:
        """Make a move; returns the position after it, if the game continues."""
        cells, line = bytearray(position), list(moves)
        if not self.search.play(cells, line, move):
            return None
        self.arrive(bytes(cells), tuple(line))
        return cells

    def sample(self, cells: bytearray, random: Random, most: int) -> None:
        """A game at random, whose positions are known to be reachable."""
        moves: tuple[int, ...] = ()
        for _ in range(most):
            choices = self.choices(bytes(cells), random)
            if not choices:
                return
            move = random.choice(choices)
            after = self.step(bytes(cells), moves, move)
            if after is None:
                return
            cells, moves = after, (*moves, move)

    def arrive(self, position: bytes, moves: tuple[int, ...]) -> None:
        """Note a position to continue from; of two at one distance, the later one comes first."""
        if position in self._seen:
            return
        self._seen.add(position)
        tie = -next(self._ties)
        for places, far in zip(self._places, self.distances(position), strict=True):
            heappush(places, (far, tie, position, moves))

    def nearest(self) -> list[tuple[int, ...]]:
        """The moves to the positions that are nearest to a landmark, one for each measure."""
        return [places[0][3] for places in self._places if places]

    def distances(self, position: bytes) -> tuple[float, float, float]:
        """The distance to the nearest landmark, and from there to the goal.

        Measured in cells that differ, in parts of their ranges, and in steps of one.
        """
        player = self.search.player
        arrays = player.module.arrays
        names = {name for mark in self.landmarks for name, _ in mark.cells}
        known = {name: player.cells(position, name) for name in names}
        weight = len(self.landmarks) + 1
        best = [float("inf")] * 3
        for mark in self.landmarks:
            differ, parts, steps = 0, 0.0, 0
            for (name, k), value in mark.cells.items():
                apart = abs(known[name][k] - value)
                differ += apart > 0
                parts += apart / max(1, arrays[name].hi - arrays[name].lo)
                steps += apart
            found = (differ * weight + mark.left, parts * weight + mark.left, steps + mark.left)
            best = [min(old, new) for old, new in zip(best, found, strict=True)]
        return best[0], best[1], best[2]
