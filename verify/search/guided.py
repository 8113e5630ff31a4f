"""Continuing games that came near something that no game has shown yet.

The rules themselves say how far it is to each branch and option; of the games that came nearest the
last moves are taken back, again and again, and others made instead.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any, cast

from attrs import define, field, frozen

from compiler.rebuild import assemble
from verify.analysis.branches import arms_of, marked_for_approach
from verify.search.player import Player
from verify.search.policies import AnyMove, Balanced, BiasedPolicy, Cells, SearchPolicy
from verify.search.random_games import LONGEST, MOVES, Search, Thing

if TYPE_CHECKING:
    from compiler.runtime.game import Game

# Nearest games kept for each goal.
NEAREST_GAMES = 20
# Scale of the number of moves undone, and of new moves played afterwards.
MOST_MOVES_UNDONE = 40
# Number of guided games between two ordinary ones.
GAMES_PER_ORDINARY_GAME = 20
# Limit on moves, as a multiple of those of a search.
MOVES_FACTOR = 5


def approach(search: Search, game: Game) -> None:
    """Look for what a search has not seen, starting from games that came near it."""
    aims = search.aims or set()
    arms = arms_of(game.ir).keys() - search.carried.keys()
    marked, measured = marked_for_approach(game.ir, arms, aims - search.reached.keys())
    search.player = Player(assemble(game, game.origin.program(), marked), marked)
    Approach(search, measured).run(MOVES_FACTOR * MOVES[search.effort])


@define(eq=False)
class GuidedGame:
    """A game that is being played, with the position before each of its moves."""

    policy: SearchPolicy
    # Moves to play before the game is abandoned.
    most: int
    moves: list[int] = field(factory=list)
    positions: list[bytes] = field(factory=list)

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """A move by the policy of the game, while moves are left."""
        self.positions.append(bytes(cells))
        return self.policy.choose(cells, choices) if len(self.positions) <= self.most else None


@frozen
class Near:
    """A game that came near a goal: the distance, the moves up to there, the positions."""

    far: int
    moves: tuple[int, ...]
    positions: list[bytes]


@define(eq=False)
class Approach:
    """Approaches goals step by step."""

    search: Search
    # The marker rules that are called with a distance, and the goals of the distances.
    measured: dict[str, Thing]
    # For each goal, the games that came nearest to it.
    nearest: dict[Thing, list[Near]] = field(factory=dict)
    _course: GuidedGame = field(init=False)

    def run(self, budget: int) -> None:
        """Play a number of moves, or until everything is seen."""
        search = self.search
        with search.watched(), self.measuring():
            search.left = budget
            for wishes in search.witnesses:
                self.play(GuidedGame(search.wishful(wishes, Random(0), False), 2 * len(wishes)))
            for seed in count():
                if search.left <= 0 or search.content:
                    return
                self.play(self.course(seed))

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Receive the distances."""
        machine = self.search.player.game.machine
        code = cast(dict[str, Any], machine.code)
        names = {machine.meta["routines"][rule]: thing for rule, thing in self.measured.items()}
        before = {name: code[name] for name in names}
        for name, thing in names.items():
            code[name] = partial(self.told, self.nearest.setdefault(thing, []))
        try:
            yield
        finally:
            code.update(before)

    def told(self, places: list[Near], _: bytearray, far: int) -> None:
        """Note the distance to a goal, if it is small; not where a move is only tried."""
        course = self._course
        if self.search.player.game.machine.trying:
            return
        if self.search.line is course.moves and (
            len(places) < NEAREST_GAMES or far <= places[-1].far
        ):
            near = Near(far, tuple(course.moves), course.positions)
            places.insert(bisect_left(places, far, key=attrgetter("far")), near)
            del places[NEAREST_GAMES:]

    def play(self, course: GuidedGame) -> None:
        """Play a game from the opening, or from the last of its positions."""
        search, self._course = self.search, course
        if course.positions:
            cells = bytearray(course.positions.pop())
            choices = search.player.game.machine.moves(cells)
        else:
            cells, choices = search.opening()
        search.play_on(cells, course.moves, choices, course)

    def course(self, seed: int) -> GuidedGame:
        """A game that continues one that came near a goal, or an ordinary one."""
        search, random = self.search, Random(seed)
        missing = [
            places
            for thing, places in self.nearest.items()
            if places and thing not in search.reached and thing not in search.carried
        ]
        if not missing or seed % GAMES_PER_ORDINARY_GAME == 0:
            return GuidedGame(search.policy(seed), LONGEST)
        near = random.choice(missing[seed % len(missing)])
        reach = MOST_MOVES_UNDONE ** random.random()
        start = min(len(near.moves), len(near.positions) - 1) - int(random.expovariate(1 / reach))
        start = max(0, start)
        policies: list[SearchPolicy] = [
            AnyMove(random),
            Balanced(search.player, random),
            BiasedPolicy(search.player, random, search.untried),
        ]
        return GuidedGame(
            random.choice(policies),
            len(near.moves) + int(random.expovariate(1 / reach)) + 1,
            list(near.moves[:start]),
            near.positions[: start + 1],
        )
