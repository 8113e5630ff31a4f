"""Observations of players in play: games that look alike to a player, on the plain interpreter.

A player's history is everything seen at each decision point, every public move, the player's secret
moves and the revealed values. Games with the same history must offer the player the same moves. If
a step without chance follows the same history and the same move, the player must see the same
afterwards, except for cards that the step brings into sight and values that it reveals.
"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

from attrs import define, frozen

from compiler import ir
from compiler.interpret import Interpreter, IRFault
from compiler.plan.known_locals import PublicLocals
from compiler.reference import ReferenceMachine, RunningProcedure
from compiler.rule_id import rule_name
from verify.analysis.visibility import Sight

# Games with more decision points are left out.
MOST_POINTS = 6_000
# Longer games are not followed to their end.
LONGEST = 400

History = tuple[Hashable, ...]
# The option and the values of a move, or the value of a draw.
Choice = tuple[int, tuple[int, ...]]
Line = tuple[Choice, ...]
# Text and kind of a revealed value, the value, and the player (-1 is everybody).
Revelation = tuple[str, str, int, int]


@frozen
class Told:
    """Two games that look alike to a player until the last move, and what differs then."""

    player: int
    what: str
    one: Line
    two: Line
    # The rules in which the last step began and ended, and those that called them.
    rules: frozenset[str]


class TooManyGamesError(Exception):
    """There are more games than the search may explore."""


class LookAlikes:
    """Games of a module, as each player sees them.

    A draw may be made before the eyes of all: what follows it at once counts only if the locals are
    the same, unless it is to count `after_draws`.
    """

    def __init__(self, module: ir.Module, after_draws: bool = True) -> None:
        self.module = module
        self.after_draws = after_draws
        self.sights = [Sight(module, player) for player in range(module.players)]
        # The continuation of a history: the first one found, with its game.
        self.offered: dict[Hashable, tuple[Hashable, Line]] = {}
        self.seen_next: dict[Hashable, tuple[Hashable, Line]] = {}
        self.public = PublicLocals(module)
        self.points = 0
        self.leak: Told | None = None
        self.course: Course | None = None

    def explore(self) -> Told | None:
        """A leak to some player in any game, if there is one."""
        try:
            machine = Watched(self.module)
        except IRFault:
            return None
        self.arrive(machine, self.nobody, None)
        return self.leak

    def sample(self, points: int, seed: int = 0) -> Told | None:
        """A leak to some player in games at random: few ways of deciding, many draws."""
        number = 0
        while self.points < points and not self.leak:
            self.course = Course(Random(f"{seed} {number % 4}"), Random(f"{seed} draws {number}"))
            number += 1
            self.points += 1
            try:
                self.arrive(Watched(self.module), self.nobody, None)
            except (IRFault, TooManyGamesError):
                continue
        return self.leak

    @property
    def nobody(self) -> list[History]:
        """Nothing has been seen yet."""
        return [()] * self.module.players

    # ---- games -----------------------------------------------------------------------------------

    def arrive(self, machine: Watched, before: list[History], step: MadeMove | None) -> None:
        """At a decision, a draw, or the end."""
        if self.leak:
            return
        self.points += 1
        if self.course is None and self.points > MOST_POINTS:
            raise TooManyGamesError
        if len(machine.line) > LONGEST:
            raise TooManyGamesError
        if not machine.over and machine.player < 0:
            following = None if step is None else step.by_chance()
            for _, values in self.followed(machine):
                known = self.with_draw(machine, values, before)
                self.go_on(machine, 0, values, known, following)
            return
        histories = []
        for player, sight in enumerate(self.sights):
            seen = self.sight(machine, sight)
            if step is not None:
                self.compare(step, player, before[player], seen, machine)
                seen = (step.label(player), step.told(player, machine), seen)
            else:
                seen = (told_to(player, machine.revealed), seen)
            histories.append((*before[player], seen))
            if not machine.over:
                self.ask(player, histories[player], self.offer(machine, player), machine, step)
        if machine.over:
            return
        for option, values in self.followed(machine):
            following = MadeMove(machine, option, values)
            self.go_on(machine, option, values, histories, following)

    def with_draw(
        self, machine: Watched, values: tuple[int, ...], before: list[History]
    ) -> list[History]:
        """What everybody knows after a draw: the machine names its outcome, or does not."""
        end = machine.block.terminator
        assert isinstance(end, ir.Chance)
        if not self.public.public(machine.frame.procedure.name, end.range.name):
            return before
        return [(*history, ("drawn", values)) for history in before]

    def go_on(
        self,
        machine: Watched,
        option: int,
        values: tuple[int, ...],
        before: list[History],
        step: MadeMove | None,
    ) -> None:
        """Make a move; a game that breaks down shows nothing."""
        after = copied(machine)
        after.line = (*machine.line, (option, values))
        try:
            after.play(option, values)
            self.arrive(after, before, step)
        except IRFault:
            return

    def moves(self, machine: ReferenceMachine) -> list[Choice]:
        """The possible choices or draws."""
        try:
            return machine.moves()
        except IRFault:
            return []

    def followed(self, machine: ReferenceMachine) -> list[Choice]:
        """The moves that are followed: all, or one of them."""
        found = self.moves(machine)
        return found if self.course is None else self.course.one(found, machine.player < 0)

    # ---- what is seen ----------------------------------------------------------------------------

    def sight(self, machine: ReferenceMachine, sight: Sight) -> Hashable:
        """Cells, cards and sizes, where the game stands, who decides, and the scores."""
        cells: list[Hashable] = []
        for array in self.module.arrays.values():
            values = machine.values[array.name]
            if array.kind == "zone":
                looked = set(sight.places(array.name))
                cells.append(tuple(place if place in looked else -1 for place in values))
                cells.append(tuple(values.count(place) for place in sight.sizes(array.name)))
            else:
                cells.append(tuple(v for k, v in enumerate(values) if sight.cell(array, k)))
        where: Hashable = "over"
        if not machine.over:
            where = (machine.frame.procedure.name, machine.frame.block, machine.player)
        return where, tuple(cells), self.scores(machine)

    def scores(self, machine: ReferenceMachine) -> Hashable:
        scoring = self.module.scoring
        if scoring.hidden or machine.over:
            return ()
        found = []
        for player in range(self.module.players):
            try:
                value = machine.interpreter.value(scoring.numerator, {scoring.player: player})
            except IRFault:
                value = None
            found.append(value)
        return tuple(found)

    def offer(self, machine: ReferenceMachine, player: int) -> Hashable:
        """The choices on offer, if the player decides."""
        return tuple(self.moves(machine)) if machine.player == player else ()

    def ask(
        self,
        player: int,
        history: Hashable,
        offer: Hashable,
        machine: Watched,
        step: MadeMove | None,
    ) -> None:
        """The same history, the same offer."""
        # What was drawn may be known while it is a local.
        drawn = not self.after_draws and (step is None or step.chance)
        known, line = self.offered.setdefault(
            (player, history, machine.locals if drawn else ()), (offer, machine.line)
        )
        if known != offer:
            what = "what may be chosen"
            self.leak = Told(player, what, line, machine.line, rules_of(step, machine))

    def compare(
        self, step: MadeMove, player: int, before: History, seen: Hashable, machine: Watched
    ) -> None:
        """The same history and the same move, the same sight."""
        if step.chance:
            return
        move = (player, before, step.label(player))
        told = step.told(player, machine)
        shown = step.shown(self.sights[player], machine)
        # What is revealed next, if anything is, may follow from what was revealed before.
        compared: list[tuple[Hashable, Hashable, str]] = [
            (
                ("told", move, told[:k]),
                told[k][:2] if k < len(told) else None,
                "whether something is revealed",
            )
            for k in range(len(told) + 1)
        ]
        compared += [
            (("shown", move, told), len(shown), "how many cards come into sight"),
            (("seen", move, told, shown), seen, "the position"),
        ]
        for key, value, what in compared:
            known, line = self.seen_next.setdefault(key, (value, machine.line))
            if known != value:
                self.leak = Told(player, what, line, machine.line, rules_of(step, machine))


@define
class Course:
    """Decides and draws in one game at random."""

    decisions: Random
    draws: Random

    def one(self, moves: list[Choice], drawn: bool) -> list[Choice]:
        """One of the moves, if there are any."""
        return [(self.draws if drawn else self.decisions).choice(moves)] if moves else []


def rules_of(step: MadeMove | None, machine: ReferenceMachine) -> frozenset[str]:
    """The rules in which a step began and ended, and those that called them.

    What follows when a rule returns is looked at in the rule that called it.
    """
    ends = [] if machine.over else machine.stack
    begins = [] if step is None else step.before.stack
    return frozenset(rule_name(running.procedure.name) for running in (*begins, *ends))


def told_to(player: int, revealed: list[Revelation]) -> tuple[Revelation, ...]:
    """What of the revealed was revealed to a player."""
    return tuple(what for what in revealed if what[3] in (-1, player))


class MadeMove:
    """A move and what came of it."""

    def __init__(self, before: Watched, option: int, values: tuple[int, ...]) -> None:
        self.before = copied(before)
        self.option, self.values = option, values
        self.player = before.player
        decide = before.block.terminator
        assert isinstance(decide, ir.Decide)
        self.decide = decide
        self.chance = False

    def by_chance(self) -> MadeMove:
        """The same step, with a draw on the way."""
        other = object.__new__(MadeMove)
        other.__dict__.update(self.__dict__, chance=True)
        return other

    def label(self, player: int) -> Hashable:
        """The move as a player knows it."""
        if self.decide.secret and player != self.player:
            return "chosen"
        return self.option, self.values

    def told(self, player: int, after: ReferenceMachine) -> tuple[Revelation, ...]:
        """What was revealed to a player, secret choices that all have made included."""
        return told_to(player, after.revealed[len(self.before.revealed) :])

    def shown(self, sight: Sight, after: ReferenceMachine) -> tuple[tuple[str, int, int], ...]:
        """Cards that came into sight."""
        found = []
        for array in sight.module.arrays.values():
            if array.kind == "zone":
                looked = set(sight.places(array.name))
                pairs = zip(self.before.values[array.name], after.values[array.name], strict=True)
                for card, (old, new) in enumerate(pairs):
                    if new in looked and old not in looked:
                        found.append((array.name, card, new))
        return tuple(found)


class Watched(ReferenceMachine):
    """Notes also its moves, and what is known once all players have chosen in secret."""

    line: Line = ()

    @property
    def locals(self) -> Hashable:
        """The locals of all procedures that are under way."""
        return tuple(tuple(sorted(frame.env.items())) for frame in self.stack)

    def statement(self, node: ir.Statement, env: dict[str, int]) -> None:
        """Carry out a statement."""
        if isinstance(node, ir.Reveal) and not node.text:
            self.revealed.append(("", "", self.interpreter.value(node.value, env), -1))
        else:
            super().statement(node, env)


def copied(machine: Watched) -> Watched:
    """A copy of the position, to continue from."""
    other = object.__new__(Watched)
    other.module, other.over = machine.module, machine.over
    other.revealed = list(machine.revealed)
    other.values = {name: list(cells) for name, cells in machine.values.items()}
    other.stack = [RunningProcedure(f.procedure, f.block, dict(f.env)) for f in machine.stack]
    other.interpreter = Interpreter(machine.module, other.read)
    return other
