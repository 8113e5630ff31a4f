"""Looking for a game that breaks the rules: all short games, then many games at random.

Whatever is found is shortened, replayed on the compiled rules, and only then shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, cast

from attrs import define, field, frozen

from compiler import ir
from compiler.runtime.fault import Endless, Fault
from verify.search.follow import Wishful
from verify.search.player import Broken, Player, fault_of
from verify.search.policies import AnyMove, Balanced, BiasedPolicy, Cells, SearchPolicy
from verify.search.witnesses import Wish

# Number of moves to try, by effort: a count, so that results do not depend on the machine.
MOVES: dict[str, int] = {"low": 1_000, "normal": 20_000, "high": 200_000}
# Legal moves whose listing takes as long as playing one.
MOVES_LISTED_PER_MOVE = 200
MOST_EXTENSIONS = 20
# Number of extra moves that try to contradict what was proved.
MOVES_TO_CONTRADICT: dict[str, int] = {"low": 300, "normal": 2_000, "high": 50_000}
PATIENCE = 1
LONGEST = 3_000
MOST_SHORTENING = 400
# Cost of a move that does not end, in ordinary moves.
COST_OF_ENDLESS_MOVE = 1_000
# Number of times that a known game is followed, the first time unchanged.
FOLLOWED = 3
# Probability that a biased policy inherits the weights of one that found new coverage.
INHERITANCE_PROBABILITY = 0.7

# A way out of a point (procedure, block, which way), or a rule that is carried out.
Way = tuple[str, int, int]
Thing = Way | str


@frozen
class BrokenGame:
    """A game that breaks something: its moves, and what went wrong after the last one."""

    broken: Broken
    moves: tuple[int, ...]
    # Whether the last move could not be carried out.
    fails: bool


@define(eq=False)
class Search:
    """A search with a budget; `wanted` are the invariants to check."""

    player: Player
    effort: str = "normal"
    invariants: list[ir.Invariant] = field(factory=list)
    cycles: bool = False
    # If there is nothing to refute: the ways and the rules to be seen in play.
    aims: set[Way] | None = None
    rules: set[str] = field(factory=set)
    # The proved bound on the decisions of a game, if there is one; longer games are noted.
    most: int | None = None
    # Games to play first.
    witnesses: list[tuple[Wish, ...]] = field(factory=list)
    found: dict[tuple[str, str, str], BrokenGame] = field(factory=dict)
    # The options and draws that were seen to happen, each with the game that showed it.
    reached: dict[Way, tuple[int, ...]] = field(factory=dict)
    # The rules without decisions that were carried out, each with such a game.
    carried: dict[str, tuple[int, ...]] = field(factory=dict)
    # Whether all positions that can be reached were seen.
    complete: bool = False
    tried: int = 0
    left: int = 0
    # The points, by number, with the ways out of them that were never taken.
    untried: dict[int, set[int]] = field(init=False)
    # Policies that have shown something new.
    models: list[BiasedPolicy] = field(factory=list)
    # The moves of the game that is being played.
    line: list[int] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.untried = {
            number: set(range(len(point.get("options", "1"))))
            for number, point in enumerate(self.player.game.notation.points)
            if number
        }

    def run(self) -> None:
        """Search until the budget is used up, or there is nothing more to look for."""
        with self.watched():
            self.follow(FOLLOWED)
            self.left = MOVES[self.effort]
            self.breadth_first(self.left // 3)
            self.playouts(0)
            # A search for coverage goes on as long as it brings something new.
            idle = 0
            for number in range(1, MOST_EXTENSIONS if self.aims is not None else 1):
                before = self.seen
                self.left = MOVES[self.effort]
                self.playouts(number * self.left)
                idle = 0 if self.seen > before else idle + 1
                if idle == PATIENCE:
                    break

    def doubt(self) -> None:
        """Some more games by any policy: faults in them contradict what was proved."""
        with self.watched():
            self.left, seed = MOVES_TO_CONTRADICT[self.effort], 0
            while self.left > 0 and not self.complete:
                self.playout(AnyMove(Random(seed)))
                seed += 1

    def follow(self, times: int) -> None:
        """The known games, first exactly and then less closely."""
        for time in range(times):
            for wishes in self.witnesses:
                if self.content:
                    return
                self.left = 4 * len(wishes)
                self.playout(self.wishful(wishes, Random(time), time > 0))

    def wishful(self, wishes: tuple[Wish, ...], random: Random, wavering: bool) -> Wishful:
        """A policy that follows a known game."""
        return Wishful(self.player, random, list(wishes), self.attempted, wavering)

    def playouts(self, seed: int) -> None:
        """Games one after another, until the budget is used up."""
        while self.left > 0 and not self.content and (self.cycles or not self.complete):
            before = self.seen
            policy = self.policy(seed)
            self.playout(policy)
            if isinstance(policy, BiasedPolicy) and self.seen > before:
                self.models.append(policy)
            seed += 1

    def policy(self, seed: int) -> SearchPolicy:
        """The policies take turns; the biased one has two."""
        random, turn = Random(seed), seed % 5
        if turn == 0:
            return AnyMove(random)
        if turn == 1:
            return Balanced(self.player, random)
        if turn == 2 and self.witnesses:
            return self.wishful(random.choice(self.witnesses), random, wavering=True)
        if self.models and random.random() < INHERITANCE_PROBABILITY:
            return random.choice(self.models).heir(random)
        return BiasedPolicy(self.player, random, self.untried)

    @property
    def seen(self) -> int:
        """The coverage so far."""
        return len(self.reached) + len(self.carried)

    @property
    def carried_out(self) -> set[str]:
        """The rules without decisions that were carried out."""
        return set(self.carried)

    @property
    def content(self) -> bool:
        """Whether all aims have been seen."""
        return (
            self.aims is not None
            and self.aims <= self.reached.keys()
            and self.rules <= self.carried.keys()
        )

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note which rules the compiled game carries out."""
        machine = self.player.game.machine
        code = cast(dict[str, Any], machine.code)
        before = {}
        for rule, name in machine.meta["routines"].items():
            before[name] = code[name]
            code[name] = self.noting(rule, name, code[name])
        try:
            yield
        finally:
            code.update(before)

    def noting(self, rule: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A rule that notes, the first time, that it was carried out."""
        code = cast(dict[str, Any], self.player.game.machine.code)

        machine = self.player.game.machine

        def carried(*args: Any) -> Any:
            if not machine.trying:
                self.carried.setdefault(rule, tuple(self.line))
                code[name] = function
            return function(*args)

        return carried

    # ---- one move ------------------------------------------------------------------------------

    def opening(self) -> tuple[bytearray, list[int]]:
        """The position where the game first waits, and what can be done there."""
        self.line = []
        try:
            cells = self.player.game.machine.new()
        except Fault as fault:
            self.note(self.player.fault(fault), (), True)
            return bytearray(), []
        return cells, self.look(cells, [])

    def play(self, cells: bytearray, moves: list[int], move: int) -> list[int]:
        """Make a move in place; the moves that are possible then, none if the game is over."""
        self.left -= 1
        self.tried += 1
        self.reach(cells, moves, move)
        moves.append(move)
        self.line = moves
        try:
            self.player.game.machine.play(cells, move)
        except Fault as fault:
            self.note(self.player.fault(fault), tuple(moves), True)
            if isinstance(fault, Endless):
                self.left -= COST_OF_ENDLESS_MOVE
            return []
        return self.look(cells, moves)

    def attempted(self, cells: Cells, move: int) -> tuple[Cells, list[int]]:
        """The position after a move that is only tried, and what can be done there."""
        after, line = bytearray(cells), self.line
        choices = self.play(after, list(line), move)
        self.line = line
        return after, choices

    def look(self, cells: bytearray, moves: list[int]) -> list[int]:
        """Check the position after some moves; returns the moves that are possible there."""
        broken, choices = self.player.look(cells, self.invariants)
        if broken is not None:
            self.note(broken, tuple(moves), False)
        return choices

    def reach(self, cells: bytearray, moves: list[int], move: int) -> None:
        """Remember which way out of which point was taken."""
        number = self.player.game.machine.point(cells)
        way, _ = self.player.meaning(cells, move)
        untried = self.untried.get(number)
        if untried and way in untried:
            untried.remove(way)
            point = self.player.points[number]
            assert point is not None
            self.reached[point.procedure.name, point.block.id, way] = (*moves, move)

    def note(self, broken: Broken, moves: tuple[int, ...], fails: bool) -> None:
        """Keep the shortest game that breaks something."""
        key = (broken.obligation, broken.subject, broken.place)
        before = self.found.get(key)
        if before is None or len(moves) < len(before.moves):
            self.found[key] = BrokenGame(broken, moves, fails)

    # ---- strategies ----------------------------------------------------------------------------

    def breadth_first(self, budget: int) -> None:
        """All short games."""
        opening, choices = self.opening()
        seen = {bytes(opening)}
        todo = deque([(bytes(opening), choices, list[int]())])
        stop = self.left - budget
        whole = True
        while todo and self.left > stop and not self.content:
            position, choices, moves = todo.popleft()
            for move in choices:
                if len(choices) > MOVES_LISTED_PER_MOVE and self.left <= stop:
                    whole = False
                    break
                cells, line = bytearray(position), list(moves)
                after = self.play(cells, line, move)
                self.left -= len(after) // MOVES_LISTED_PER_MOVE
                if after and bytes(cells) not in seen:
                    seen.add(bytes(cells))
                    todo.append((bytes(cells), after, line))
        self.complete = whole and not todo and not self.content

    def playout(self, policy: SearchPolicy) -> tuple[int, ...]:
        """One game; returns its moves."""
        cells, choices = self.opening()
        if not choices:
            # The opening is always the same: no game has a move.
            self.left = 0
        return self.play_on(cells, [], choices, policy)

    def play_on(
        self, cells: bytearray, moves: list[int], choices: list[int], policy: SearchPolicy
    ) -> tuple[int, ...]:
        """The rest of a game after some moves; returns all moves."""
        machine = self.player.game.machine
        visited: dict[bytes, int] = {}
        decisions = 0
        while choices and self.left > 0 and len(moves) < LONGEST:
            if self.cycles and not machine.is_chance(cells):
                position = bytes(cells)
                if position in visited:
                    text = f"the position after move {visited[position]} comes back"
                    self.note(Broken("termination", "", text), tuple(moves), False)
                    break
                visited[position] = len(moves)
            move = policy.choose(cells, choices)
            if move is None:
                break
            decisions += not machine.is_chance(cells)
            choices = self.play(cells, moves, move)
            if self.most is not None and decisions > self.most:
                text = f"a game has more than {self.most} decisions"
                self.note(Broken("termination", "", text), tuple(moves), False)
        return tuple(moves)

    # ---- shortening ----------------------------------------------------------------------------

    def shortened(self, found: BrokenGame) -> BrokenGame:
        """A shorter game that breaks the same: moves are left out while it still does."""
        best = found
        tries = 0
        size = max(1, len(best.moves) // 2)
        while size >= 1 and tries < MOST_SHORTENING:
            at = 0
            changed = False
            while at < len(best.moves) and tries < MOST_SHORTENING:
                tries += 1
                shorter = self.attempt((*best.moves[:at], *best.moves[at + size :]), best.broken)
                if shorter is not None:
                    best = shorter
                    changed = True
                else:
                    at += size
            if not changed:
                size //= 2
        return best

    def attempt(self, moves: tuple[int, ...], broken: Broken) -> BrokenGame | None:
        """Play moves; whether the same thing breaks."""
        machine = self.player.game.machine
        try:
            cells = machine.new()
        except Fault:
            return None
        for at, move in enumerate(moves):
            try:
                if machine.over(cells) or move not in machine.moves(cells):
                    return None
                machine.play(cells, move)
            except Fault as fault:
                same = fault_of(fault)
                if (same.obligation, same.place) == (broken.obligation, broken.place):
                    return BrokenGame(same, moves[: at + 1], True)
                return None
            now = self.player.broken(cells, self.invariants)
            if now is not None and (now.obligation, now.subject) == (
                broken.obligation,
                broken.subject,
            ):
                return BrokenGame(now, moves[: at + 1], False)
        return None
