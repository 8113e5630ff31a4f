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
from compiler.runtime.fault import Fault
from verify.play import Broken, Player, fault_of

# How many moves may be tried, by effort: a count, so that results do not depend on the machine.
MOVES: dict[str, int] = {"low": 1_000, "normal": 20_000, "high": 200_000}
MOST_EXTENSIONS = 20
PATIENCE = 4
LONGEST = 3_000
MOST_SHORTENING = 400
# A known game goes on with one of so many of its next moves.
AHEAD = 8


@frozen
class Found:
    """A game that breaks something: its moves, and what went wrong after the last one."""

    broken: Broken
    moves: tuple[int, ...]
    # Whether the last move could not be carried out.
    fails: bool


@define(eq=False)
class Search:
    """A search with a budget; `wanted` are the laws to look at."""

    player: Player
    effort: str = "normal"
    laws: list[ir.Invariant] = field(factory=list)
    cycles: bool = False
    # If nothing is to be refuted: the ways and the rules to be seen in play.
    aims: set[tuple[str, int, int]] | None = None
    rules: set[str] = field(factory=set)
    # Games to play first, as moves in notation.
    witnesses: list[tuple[str, ...]] = field(factory=list)
    found: dict[tuple[str, str, str], Found] = field(factory=dict)
    # The options and draws that were seen to happen, each with the game that showed it.
    reached: dict[tuple[str, int, int], tuple[int, ...]] = field(factory=dict)
    # The rules in which nobody decides that were carried out.
    carried_out: set[str] = field(factory=set)
    # Whether all positions that can be reached were seen.
    complete: bool = False
    tried: int = 0
    left: int = 0

    def run(self) -> None:
        """Search until the budget is used up, or there is nothing more to look for."""
        with self.watched():
            for moves in self.witnesses:
                self.follow(moves)
            self.left = MOVES[self.effort]
            self.breadth_first(self.left // 3)
            self.playouts(0)
            # Where something is to be seen, it goes on as long as that brings something new.
            idle = 0
            for number in range(1, MOST_EXTENSIONS if self.aims is not None else 1):
                before = len(self.reached) + len(self.carried_out)
                self.left = MOVES[self.effort]
                self.playouts(number * self.left)
                news = len(self.reached) + len(self.carried_out) > before
                idle = 0 if news else idle + 1
                if idle == PATIENCE:
                    break

    def playouts(self, seed: int) -> None:
        """Games one after another, until the budget is used up."""
        while self.left > 0 and not self.content and (self.cycles or not self.complete):
            self.playout(seed)
            seed += 1

    @property
    def content(self) -> bool:
        """Whether all that was aimed at has been seen."""
        return (
            self.aims is not None
            and self.aims <= self.reached.keys()
            and (self.rules <= self.carried_out)
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

        def carried(*args: Any) -> Any:
            self.carried_out.add(rule)
            code[name] = function
            return function(*args)

        return carried

    # ---- one move ------------------------------------------------------------------------------

    def opening(self) -> bytearray | None:
        """The position where the game first waits."""
        try:
            cells = self.player.game.machine.new()
        except Fault as fault:
            self.note(fault_of(fault), (), True)
            return None
        broken = self.player.broken(cells, self.laws)
        if broken is not None:
            self.note(broken, (), False)
        return cells

    def play(self, cells: bytearray, moves: list[int], move: int) -> bool:
        """Make a move in place; whether the game goes on."""
        self.left -= 1
        self.tried += 1
        machine = self.player.game.machine
        self.reach(cells, moves, move)
        moves.append(move)
        try:
            machine.play(cells, move)
        except Fault as fault:
            self.note(fault_of(fault), tuple(moves), True)
            return False
        broken = self.player.broken(cells, self.laws)
        if broken is not None:
            self.note(broken, tuple(moves), False)
            return broken.obligation == "invariant" and not machine.over(cells)
        return not machine.over(cells)

    def reach(self, cells: bytearray, moves: list[int], move: int) -> None:
        """Remember which way out of which point was taken."""
        number = self.player.game.machine.point(cells)
        point = self.player.points[number]
        assert point is not None
        way = 0
        if isinstance(point.block.terminator, ir.Decide):
            meta = self.player.game.notation.points[number]
            way = self.player.game.notation.decode(meta, move)[0]
        key = (point.procedure.name, point.block.id, way)
        if key not in self.reached:
            self.reached[key] = (*moves, move)

    def note(self, broken: Broken, moves: tuple[int, ...], fails: bool) -> None:
        """Keep the shortest game that breaks something."""
        key = (broken.obligation, broken.subject, broken.place)
        before = self.found.get(key)
        if before is None or len(moves) < len(before.moves):
            self.found[key] = Found(broken, moves, fails)

    # ---- strategies ----------------------------------------------------------------------------

    def follow(self, moves: tuple[str, ...]) -> None:
        """A game that is known; where its next moves are not possible, others come in between."""
        machine, notation = self.player.game.machine, self.player.game.notation
        cells = self.opening()
        if cells is None or machine.over(cells):
            return
        random = Random(0)
        line: list[int] = []
        at = 0
        while at < len(moves) and len(line) < 2 * len(moves):
            try:
                choices = machine.moves(cells)
            except Fault:
                return
            texts = {str(notation.move(cells, m)): m for m in choices}
            ahead = [i for i in range(at, min(at + AHEAD, len(moves))) if moves[i] in texts]
            leaving = [texts[word] for word in ("stop", "pass") if word in texts]
            if ahead and (ahead[0] == at or not leaving):
                move, at = texts[moves[ahead[0]]], ahead[0] + 1
            elif leaving:
                # Somebody may go on who could not: that is over first.
                move = leaving[0]
            elif choices:
                move = self.choose(cells, choices, random, balanced=True)
            else:
                return
            if not self.play(cells, line, move):
                return

    def breadth_first(self, budget: int) -> None:
        """All short games."""
        machine = self.player.game.machine
        opening = self.opening()
        if opening is None or machine.over(opening):
            self.complete = True
            return
        seen = {bytes(opening)}
        todo: deque[tuple[bytes, list[int]]] = deque([(bytes(opening), [])])
        stop = self.left - budget
        while todo and self.left > stop and not self.content:
            position, moves = todo.popleft()
            try:
                choices = machine.moves(position)
            except Fault:
                continue
            for move in choices:
                cells, line = bytearray(position), list(moves)
                if not self.play(cells, line, move):
                    continue
                after = bytes(cells)
                if after in seen:
                    continue
                seen.add(after)
                todo.append((after, line))
        self.complete = not todo and not self.content

    def playout(self, seed: int) -> None:
        """One game: at random, or rather what was seldom played so far."""
        cells = self.opening()
        machine = self.player.game.machine
        if cells is None or machine.over(cells):
            self.left -= 1
            return
        random = Random(seed)
        moves: list[int] = []
        visited: dict[bytes, int] = {}
        for _ in range(LONGEST):
            if self.left <= 0:
                return
            if self.cycles and not machine.is_chance(cells):
                position = bytes(cells)
                if position in visited:
                    text = f"the position after move {visited[position]} comes back"
                    self.note(Broken("termination", "", text), tuple(moves), False)
                    return
                visited[position] = len(moves)
            try:
                choices = machine.moves(cells)
            except Fault:
                return
            if not choices:
                return
            move = self.choose(cells, choices, random, balanced=bool(seed % 2))
            if not self.play(cells, moves, move):
                return

    def choose(self, cells: bytearray, choices: list[int], random: Random, balanced: bool) -> int:
        """A move: any, or first a kind of move and then one of that kind."""
        if not balanced or len(choices) == 1:
            return choices[random.randrange(len(choices))]
        kinds: dict[str, list[int]] = {}
        for move in choices:
            kinds.setdefault(self.player.option(cells, move), []).append(move)
        names = sorted(kinds)
        chosen = kinds[names[random.randrange(len(names))]]
        return chosen[random.randrange(len(chosen))]

    # ---- shortening ----------------------------------------------------------------------------

    def shortened(self, found: Found) -> Found:
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

    def attempt(self, moves: tuple[int, ...], broken: Broken) -> Found | None:
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
                    return Found(same, moves[: at + 1], True)
                return None
            now = self.player.broken(cells, self.laws)
            if now is not None and (now.obligation, now.subject) == (
                broken.obligation, broken.subject,
            ):  # fmt: skip
                return Found(now, moves[: at + 1], False)
        return None
