"""The truth about a small game: all its positions, on the plain interpreter.

What goes wrong is noted with the rule in which it happens, as a report names it: a result that
calls this rule safe is then false, whatever else the report says.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from compiler import ir
from compiler.contracts import with_contracts
from compiler.interpret import IRFault
from compiler.reference import ReferenceMachine, RunningProcedure
from compiler.rule_id import decision_name, rule_name
from verify.proof.waivers import hypotheses

# Games with more positions are left out.
MOST_POSITIONS = 4_000
# A step that carries out more blocks never ends.
MOST_BLOCKS = 3_000

INSIDE = " inside"
REQUIREMENTS = "requirements of "

Values = tuple[tuple[str, tuple[int, ...]], ...]
Frames = tuple[tuple[str, int, tuple[tuple[str, int], ...]], ...]


class TooLargeError(Exception):
    """A game with too many positions."""


class EndlessError(Exception):
    """A step that goes on without end."""


@frozen
class Wrong:
    """Something that goes wrong: the obligation that denies it, and its subject."""

    obligation: str
    subject: str
    message: str = ""


@frozen
class Position:
    """A position, with the invariants broken on the way: proofs speak of it if there are none."""

    values: Values
    frames: Frames
    over: bool
    broken: frozenset[str]


@define
class Truth:
    """What is true of all positions of a game."""

    # What goes wrong in some game, and what does so before an invariant is broken.
    wrong: set[Wrong] = field(factory=set)
    wrong_first: set[Wrong] = field(factory=set)
    # The most decisions of a game; none if positions come back.
    longest: int | None = 0
    positions: int = 0
    # Whether all games were looked at for what players can tell.
    looked: bool = False
    # The rules in which a step began and ended that tells something.
    telling: frozenset[str] = frozenset()

    def note(self, wrong: Wrong, broken: frozenset[str]) -> None:
        """Something goes wrong after some invariants were broken, perhaps this one itself."""
        self.wrong.add(wrong)
        if not broken - ({wrong.subject} if wrong.obligation == "invariant" else set()):
            self.wrong_first.add(wrong)

    def happens(self, obligation: str, subject: str) -> bool:
        """Whether something goes wrong in some game."""
        return any((w.obligation, w.subject) == (obligation, subject) for w in self.wrong)


class Observed(ReferenceMachine):
    """Knows the rule that is under way, and which invariants were broken on the way."""

    def __init__(self, module: ir.Module) -> None:
        # Procedure and routines that are under way; after a fault, those in which it happened.
        self.under_way: list[str] = []
        self.broken: frozenset[str] = frozenset()
        self.blocks = 0
        self.invariants = hypotheses(module)
        self.begun = False
        super().__init__(module)

    def begin(self) -> None:
        """Start the game, which may fail."""
        self.begun = True
        self.go()

    @property
    def rule(self) -> str:
        """The rule that is under way, as a report names it."""
        return rule_name(self.under_way[-1])

    def here(self) -> None:
        """Only the procedure is under way."""
        self.under_way[:] = [self.frame.procedure.name]

    def go(self) -> None:
        self.here()
        while self.begun and not self.over:
            self.blocks += 1
            if self.blocks > MOST_BLOCKS:
                raise EndlessError
            self.look()
            self.run(self.block.statements, self.frame.env)
            waits = self.terminator(self.block.terminator)
            self.here()
            if waits:
                return

    def look(self) -> None:
        """Proofs rest on the invariants wherever a step may start: at calls and heads of loops."""
        if not self.trying:
            self.broken |= {
                invariant.name for invariant in self.invariants if self.breaks(invariant)
            }

    def breaks(self, invariant: ir.Invariant) -> bool:
        """Whether the present position breaks an invariant, or gives it no value."""
        try:
            return not self.interpreter.value(invariant.condition, {})
        except IRFault:
            return True

    def routine(self, name: str, args: list[int]) -> None:
        # The caller owes what is required; what is ensured is owed by the routine itself.
        known = len(self.under_way)
        if not name.startswith(REQUIREMENTS) and f"{name}{INSIDE}" not in self.module.routines:
            self.under_way.append(name.removesuffix(INSIDE))
        super().routine(name, args)
        if not name.endswith(INSIDE):
            del self.under_way[known:]

    def attempt(self, block: int) -> ReferenceMachine:
        plain = super().attempt(block)
        other = object.__new__(Observed)
        other.__dict__.update(plain.__dict__)
        other.interpreter = type(plain.interpreter)(self.module, other.read)
        other.under_way, other.broken, other.blocks = self.under_way, frozenset(), 0
        other.invariants, other.begun = (), True
        return other

    def leads_on(self, decide: ir.Decide, option: ir.Option, values: tuple[int, ...]) -> bool:
        found = super().leads_on(decide, option, values)
        self.here()
        return found


class Explorer:
    """All positions of a game, with its contracts as assertions."""

    def __init__(self, module: ir.Module) -> None:
        self.module = with_contracts(module)
        self.truth = Truth()
        self.lengths: dict[Position, int | None] = {}
        self.machine: Observed
        self.totals: dict[str, int] = {}

    def explore(self) -> Truth:
        self.machine = Observed(self.module)
        try:
            self.machine.begin()
        except IRFault as fault:
            self.fault(fault)
            return self.truth
        except EndlessError:
            self.endless()
            return self.truth
        self.totals = {
            good: sum(array.initial[k] for array, k in self.cells_of(good))
            for good in self.module.goods
        }
        self.truth.longest = self.length(self.position())
        self.truth.positions = len(self.lengths)
        return self.truth

    def fault(self, fault: IRFault) -> None:
        self.truth.note(Wrong("safety", self.machine.rule, str(fault)), self.machine.broken)

    def endless(self) -> None:
        self.truth.longest = None
        self.truth.note(Wrong("termination", ""), self.machine.broken)

    def cells_of(self, good: str) -> Iterator[tuple[ir.Array, int]]:
        """Where a good may be."""
        for array in self.module.arrays.values():
            if array.kind == "pool" and good in array.goods:
                for k in range(array.goods.index(good), array.size, len(array.goods)):
                    yield array, k

    def position(self) -> Position:
        machine = self.machine
        return Position(
            tuple((name, tuple(cells)) for name, cells in machine.values.items()),
            tuple((f.procedure.name, f.block, tuple(sorted(f.env.items()))) for f in machine.stack),
            machine.over,
            machine.broken,
        )

    def restore(self, position: Position) -> None:
        machine = self.machine
        machine.values = {name: list(cells) for name, cells in position.values}
        machine.stack = [
            RunningProcedure(self.module.procedures[name], block, dict(env))
            for name, block, env in position.frames
        ]
        machine.over, machine.broken, machine.blocks = position.over, position.broken, 0
        if not machine.over:
            machine.here()

    def length(self, position: Position) -> int | None:
        """The most decisions from a position on; none if it may come back."""
        if position in self.lengths:
            return self.lengths[position]
        if len(self.lengths) > MOST_POSITIONS:
            raise TooLargeError
        self.lengths[position] = None  # while it is open, coming back is going round
        most: int | None = 0
        self.look(position)
        for option, values in self.moves(position):
            self.restore(position)
            decides = self.machine.player >= 0
            try:
                self.machine.play(option, values)
            except IRFault as fault:
                self.fault(fault)
                continue
            except EndlessError:
                self.endless()
                most = None
                continue
            rest = self.length(self.position())
            most = None if rest is None or most is None else max(most, rest + decides)
        self.lengths[position] = most
        return most

    def moves(self, position: Position) -> list[tuple[int, tuple[int, ...]]]:
        self.restore(position)
        if self.machine.over:
            return []
        try:
            found = self.machine.moves()
            decides = self.machine.player >= 0
        except IRFault as fault:
            self.fault(fault)
            return []
        if not found:
            wrong = Wrong("progress" if decides else "safety", self.waits_at(decides), "nothing")
            self.truth.note(wrong, position.broken)
        return found

    def waits_at(self, decides: bool) -> str:
        """Where the game waits, as a report names it."""
        terminator = self.machine.block.terminator
        label = terminator.label if decides and isinstance(terminator, ir.Decide) else ""
        return decision_name(self.machine.frame.procedure.name, label)

    def look(self, position: Position) -> None:
        """The invariants and goods, the texts of a decision, the scores at the end."""
        self.restore(position)
        machine, before = self.machine, position.broken
        for invariant in self.module.invariants:
            if machine.breaks(invariant):
                self.truth.note(Wrong("invariant", invariant.name), before)
        for good, total in self.totals.items():
            if total != sum(machine.values[a.name][k] for a, k in self.cells_of(good)):
                self.truth.note(Wrong("conservation", good), before)
        if machine.over:
            self.look_at_scores(before)
        elif isinstance(machine.block.terminator, ir.Decide):
            self.look_at_texts(machine.block.terminator, before)

    def look_at_scores(self, broken: frozenset[str]) -> None:
        scoring = self.module.scoring
        for player in range(self.module.players):
            try:
                for expr in (scoring.numerator, *(tie.value for tie in scoring.ties)):
                    self.machine.interpreter.value(expr, {scoring.player: player})
            except IRFault:
                self.truth.note(Wrong("scoring", "scores"), broken)

    def look_at_texts(self, decide: ir.Decide, broken: frozenset[str]) -> None:
        for option in decide.options:
            ranges = tuple(p.range for p in option.params)
            try:
                found = list(self.machine.interpreter.combinations(ranges, self.machine.frame.env))
                for env in found:
                    self.texts(option, dict(env), broken)
            except IRFault:
                continue  # a fault of the move itself

    def texts(self, option: ir.Option, env: dict[str, int], broken: frozenset[str]) -> None:
        """A reason is told if the requirements before it hold, the notation if all do.

        A requirement without a value is a fault of the move itself: nothing is told of it.
        """
        for line in option.head:
            if isinstance(line, ir.Define):
                env[line.name] = self.machine.interpreter.value(line.value, env)
                continue
            holds = self.machine.interpreter.value(line.condition, env)
            self.text(line.text, env, broken)
            if not holds:
                return
        self.text(option.notation, env, broken)

    def text(
        self, parts: tuple[ir.TextPart, ...], env: dict[str, int], broken: frozenset[str]
    ) -> None:
        for part in parts:
            if isinstance(part, ir.Shown):
                try:
                    self.machine.interpreter.value(part.expr, env)
                except IRFault as fault:
                    wrong = Wrong("scoring", self.waits_at(decides=True), str(fault))
                    self.truth.note(wrong, broken)
