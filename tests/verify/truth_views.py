"""What players can tell in all games of a small program, on the plain interpreter.

A player's history is everything seen at each decision point, every public move, the own secret ones
and what was revealed. Games with the same history must offer the player the same. And if a step
without chance follows from the same history and the same move, what the player sees afterwards must
be the same, but for cards that it brings into sight and what it reveals.
"""

from __future__ import annotations

from collections.abc import Hashable

from compiler import ir
from compiler.interpret import Interpreter, IRFault
from compiler.reference import Frame, ReferenceMachine
from verify.analysis.visibility import Sight

# Games with more decision points are left out.
MOST_POINTS = 6_000

History = tuple[Hashable, ...]


class TooManyGamesError(Exception):
    """There are more games than are looked at."""


class LookAlikes:
    """All games of a module, as each player sees them."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.sights = [Sight(module, player) for player in range(module.players)]
        # What follows a history: the first one met.
        self.offered: dict[Hashable, Hashable] = {}
        self.seen_next: dict[Hashable, Hashable] = {}
        self.points = 0
        self.leak = ""

    def explore(self) -> str:
        """What some player can tell and should not, or nothing."""
        try:
            machine = Watched(self.module)
        except IRFault:
            return ""
        nobody: list[History] = [()] * self.module.players
        self.arrive(machine, nobody, None)
        return self.leak

    # ---- games -----------------------------------------------------------------------------------

    def arrive(self, machine: ReferenceMachine, before: list[History], step: Step | None) -> None:
        """At a decision, a draw, or the end."""
        if self.leak:
            return
        self.points += 1
        if self.points > MOST_POINTS:
            raise TooManyGamesError
        if not machine.over and machine.player < 0:
            for _, values in self.moves(machine):
                self.go_on(machine, 0, values, before, None if step is None else step.by_chance())
            return
        histories = []
        for player, sight in enumerate(self.sights):
            seen = self.sight(machine, sight)
            if step is not None:
                self.compare(step, player, before[player], seen, machine)
                seen = (step.label(player), step.told(player, machine), seen)
            histories.append((*before[player], seen))
            if not machine.over:
                self.ask(player, histories[player], self.offer(machine, player))
        if machine.over:
            return
        for option, values in self.moves(machine):
            following = Step(machine, option, values)
            self.go_on(machine, option, values, histories, following)

    def go_on(
        self, machine: ReferenceMachine, option: int, values: tuple[int, ...],
        before: list[History], step: Step | None,
    ) -> None:  # fmt: skip
        """Make a move; a game that breaks down shows nothing."""
        after = copied(machine)
        try:
            after.play(option, values)
            self.arrive(after, before, step)
        except IRFault:
            return

    def moves(self, machine: ReferenceMachine) -> list[tuple[int, tuple[int, ...]]]:
        try:
            return machine.moves()
        except IRFault:
            return []

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
        """What may be chosen, if the player decides."""
        return tuple(self.moves(machine)) if machine.player == player else ()

    def ask(self, player: int, history: Hashable, offer: Hashable) -> None:
        """The same history, the same offer."""
        if self.offered.setdefault((player, history), offer) != offer:
            self.leak = f"player {player} is offered something else"

    def compare(
        self, step: Step, player: int, before: History, seen: Hashable, machine: ReferenceMachine
    ) -> None:
        """The same history and the same move, the same sight."""
        if step.chance:
            return
        move = (player, before, step.label(player))
        told = step.told(player, machine)
        shown = step.shown(self.sights[player], machine)
        for key, value, what in (
            (move, len(told), "how much is revealed"),
            ((*move, told), len(shown), "how many cards come into sight"),
            ((*move, told, shown), seen, "something else"),
        ):
            if self.seen_next.setdefault(key, value) != value:
                self.leak = f"player {player} sees {what}"


class Step:
    """A move and what came of it."""

    def __init__(self, before: ReferenceMachine, option: int, values: tuple[int, ...]) -> None:
        self.before = copied(before)
        self.option, self.values = option, values
        self.player = before.player
        decide = before.block.terminator
        assert isinstance(decide, ir.Decide)
        self.decide = decide
        self.chance = False

    def by_chance(self) -> Step:
        """The same step, with a draw on the way."""
        other = object.__new__(Step)
        other.__dict__.update(self.__dict__, chance=True)
        return other

    def label(self, player: int) -> Hashable:
        """The move as a player knows it."""
        if self.decide.secret and player != self.player:
            return "chosen"
        return self.option, self.values

    def told(self, player: int, after: ReferenceMachine) -> tuple[Hashable, ...]:
        """What was revealed to a player, secret choices that all have made included."""
        new = after.revealed[len(self.before.revealed) :]
        return tuple(what for what in new if what[3] in (-1, player))

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
    """Notes also what is known once all players have chosen in secret."""

    def statement(self, node: ir.Statement, env: dict[str, int]) -> None:
        """Carry out a statement."""
        if isinstance(node, ir.Reveal) and not node.text:
            self.revealed.append(("", "", self.interpreter.value(node.value, env), -1))
        else:
            super().statement(node, env)


def copied(machine: ReferenceMachine) -> Watched:
    """The same position, to go on from."""
    other = object.__new__(Watched)
    other.module, other.over = machine.module, machine.over
    other.revealed = list(machine.revealed)
    other.values = {name: list(cells) for name, cells in machine.values.items()}
    other.stack = [Frame(f.procedure, f.block, dict(f.env)) for f in machine.stack]
    other.interpreter = Interpreter(machine.module, other.read)
    return other
