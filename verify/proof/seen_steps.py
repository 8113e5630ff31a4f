"""Steps as players see them: from one decision point to the next, whole.

Unlike in proofs of invariants, a step never continues through a decision, a draw or a call of a
rule with decisions, and loops without decisions are executed as a whole: players do not see what
happens inside them.
"""

from __future__ import annotations

from typing import Any, Literal

from attrs import define, field, frozen

from compiler import ir
from rules_dsl.language.spans import Span
from verify.encode import terms as v
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth
from verify.proof.by_definition import ByDefinition
from verify.proof.step_parts import ENTRY, Start, TooManyPathsError, Trail
from verify.proof.symbolic_step import Explorer, StepRun

StopKind = Literal["decision", "draw", "call", "loop", "return", "end"]
# A loop with more rounds is cut at its head.
MOST_ROUNDS = 150


@frozen(eq=False)
class Stop:
    """Where one path of a step ends."""

    kind: StopKind
    procedure: ir.Procedure
    block: ir.Block
    machine: SymbolicRun
    path: list[Truth]
    # The starts of the following steps, each with its locals.
    next: tuple[tuple[Start, Locals], ...] = ()

    @property
    def point(self) -> tuple[str, str, int]:
        """The end of the path, as a key: equal for two paths that end at the same place."""
        at = -1 if self.kind == "return" or self.kind == "end" else self.block.id
        name = "" if self.kind == "end" else self.procedure.name
        return self.kind, name, at

    @property
    def span(self) -> Span:
        """The place in the rules."""
        return self.block.terminator.span


@define(eq=False)
class SeenExplorer(Explorer):
    """Steps whose only premises are the facts that hold by definition."""

    def __attrs_post_init__(self) -> None:
        self.facts = ByDefinition(self.world.module)  # type: ignore[assignment]


def seen_step(explorer: SeenExplorer, start: Start) -> SeenStep:
    """All paths of a step; raises `TooManyPathsError`."""
    step = SeenStep(explorer, start, {}, whole=False)
    step.begin()
    return step


@define(eq=False)
class SeenStep(StepRun):
    """One step, all its paths, and where they end."""

    stops: list[Stop] = field(factory=list)

    # ---- no obligations: proofs of views rest on the other proofs ------------------------------

    def owe_invariants(self, trail: Trail, span: Span, place: str) -> None:
        """None: invariants are proved elsewhere."""

    def owe(self, *_: Any, **__: Any) -> None:
        """None: everything else is proved elsewhere, too."""

    def goes_on(self, trail: Trail, ways: int, chooses: bool = False) -> bool:
        """Every decision, draw and call ends a step."""
        return False

    # ---- where a path ends ---------------------------------------------------------------------

    def stopped(
        self,
        kind: StopKind,
        procedure: ir.Procedure,
        block: ir.Block,
        trail: Trail,
        *following: tuple[Start, Locals],
    ) -> None:
        """A path ends here."""
        if any(part is False for part in trail.path):
            return
        self.stops.append(Stop(kind, procedure, block, trail.machine, list(trail.path), following))
        self.next.update(dict.fromkeys(start for start, _ in following))

    def follow(
        self, procedure: ir.Procedure, number: int, trail: Trail, first: bool = False
    ) -> None:
        """Carry out a block and continue until the step ends."""
        block = procedure.blocks[number]
        if not isinstance(block.terminator, ir.End):
            super().follow(procedure, number, trail, first)
            return
        before = len(trail.machine.faults)
        trail.machine.run(block.statements)
        self.checked(procedure, trail, before)
        self.stopped("end", procedure, block, trail)

    def decide(
        self, procedure: ir.Procedure, block: ir.Block, decide: ir.Decide, trail: Trail
    ) -> None:
        """A player decides."""
        ways = len(decide.options) + (decide.skip is not None)
        env = trail.machine.locals
        following = [(Start(procedure.name, block.id, way), env) for way in range(ways)]
        self.stopped("decision", procedure, block, trail, *following)

    def chance(
        self, procedure: ir.Procedure, block: ir.Block, chance: ir.Chance, trail: Trail
    ) -> None:
        """Chance decides."""
        start = Start(procedure.name, block.id, 0)
        self.stopped("draw", procedure, block, trail, (start, trail.machine.locals))

    def enter(
        self, procedure: ir.Procedure, block: ir.Block, enter: ir.Enter, trail: Trail
    ) -> None:
        """A call: followed unless it contains a decision."""
        if enter.procedure not in self.world.effects.waiting:
            super().enter(procedure, block, enter, trail)
            return
        callee, bound = self.called(procedure, enter, trail)
        entry = Start(callee.name, callee.blocks[0].id, ENTRY)
        behind = Start(procedure.name, block.id, 0)
        env = trail.machine.locals
        self.stopped("call", procedure, block, trail, (entry, bound), (behind, env))

    def exit(self, procedure: ir.Procedure, trail: Trail, span: Span) -> None:
        """Back to the caller."""
        if trail.frames:
            super().exit(procedure, trail, span)
            return
        self.stopped("return", procedure, procedure.blocks[0], trail)

    def round(self, procedure: ir.Procedure, block: ir.Block, trail: Trail) -> bool:
        """At the head of a loop: one without decisions is carried out whole."""
        if self.whole_loop(procedure, block, trail):
            return False
        start = Start(procedure.name, block.id)
        self.stopped("loop", procedure, block, trail, (start, trail.machine.locals))
        return False

    # ---- loops without decisions ---------------------------------------------------------------

    def whole_loop(self, procedure: ir.Procedure, head: ir.Block, trail: Trail) -> bool:
        """Carry out a loop and continue after it, if it has no decisions."""
        loop = _Loop.of(procedure, head)
        if loop is None or len(head.measure) != 1:
            return False
        machine: SymbolicRun = trail.machine
        before = len(machine.faults)
        rounds = min(head.measure[0].hi - min(0, head.measure[0].lo) + 1, MOST_ROUNDS)
        if not loop.carry_out(machine, rounds):
            raise TooManyPathsError(procedure.name)
        self.checked(procedure, trail, before)
        self.follow(procedure, loop.behind, trail)
        return True


@frozen(eq=False)
class _Loop:
    """The blocks of a loop without decisions."""

    procedure: ir.Procedure
    head: ir.Block
    fork: ir.Fork
    # For every fork inside, the block where its two branches meet again.
    meets: dict[int, int]

    @staticmethod
    def of(procedure: ir.Procedure, head: ir.Block) -> _Loop | None:
        """The loop with this head; None if it contains a decision or an exit."""
        if not isinstance(head.terminator, ir.Fork):
            return None
        after: dict[int, list[int]] = {}
        todo = [head.terminator.then]
        while todo:
            number = todo.pop()
            if number in after:
                continue
            match procedure.blocks[number].terminator:
                case ir.Jump(target, True):
                    if target != head.id:
                        return None  # a loop in the loop
                    after[number] = []
                case ir.Jump(target):
                    after[number] = [target]
                case ir.Fork(_, then, otherwise):
                    after[number] = [then, otherwise]
                case ir.Decide() | ir.Chance() | ir.Enter() | ir.Together() | ir.Exit() | ir.End():
                    return None
                case _:
                    raise AssertionError(procedure.blocks[number].terminator)
            if number == head.terminator.otherwise or number == head.id:
                return None
            todo += after[number]
        return _Loop(procedure, head, head.terminator, _meeting(after))

    @property
    def behind(self) -> int:
        """The block after the loop."""
        return self.fork.otherwise

    def carry_out(self, machine: SymbolicRun, rounds: int) -> bool:
        """Carry out all rounds; false if there may be more than the limit."""
        for _ in range(rounds + 1):
            machine.run(self.head.statements)
            test = machine.evaluator().truth(self.fork.condition, machine.locals)
            if test is False:
                return True
            machine.when(test, self.one_round)
        return False

    def one_round(self, machine: SymbolicRun) -> None:
        """One round, from the body to the jump back."""
        self.walk(machine, self.fork.then, None)

    def walk(self, machine: SymbolicRun, number: int, until: int | None) -> None:
        """Carry out blocks up to another one, or to the jump back."""
        at: int | None = number
        while at is not None and at != until:
            block = self.procedure.blocks[at]
            machine.run(block.statements)
            match block.terminator:
                case ir.Jump(target, back):
                    at = None if back else target
                case ir.Fork(condition, then, otherwise):
                    meet = self.meets[at]
                    test = machine.evaluator().truth(condition, machine.locals)
                    if isinstance(test, bool):
                        at = then if test else otherwise
                        continue
                    one, two = machine.apart(test), machine.apart(v.not_(test))
                    self.walk(one, then, meet)
                    self.walk(two, otherwise, meet)
                    machine.join(test, one, two)
                    at = meet
                case _:
                    raise AssertionError(block.terminator)


def _meeting(after: dict[int, list[int]]) -> dict[int, int]:
    """For every block with two successors, the first block that both must reach."""
    reached: dict[int, list[int]] = {}

    def always(number: int) -> list[int]:
        """The blocks on every path from a block, in order, the block included."""
        if number not in reached:
            ways = [always(target) for target in after[number]]
            common = [n for n in ways[0] if all(n in way for way in ways)] if ways else []
            reached[number] = [number, *common]
        return reached[number]

    return {
        number: next(n for n in always(number)[1:])
        for number, targets in after.items()
        if len(targets) > 1
    }
