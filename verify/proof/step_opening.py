"""The start of a step: its unknowns, its premises, and what the step records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3
from attrs import define, field

from compiler import ir
from compiler.rule_id import rule_name
from compiler.traverse import locals_in
from verify.analysis.fact_places import entry_name, measure_name
from verify.analysis.fact_sets import Facts
from verify.encode import terms as v
from verify.encode.counting import Totals
from verify.encode.expressions import Evaluator, local_cells
from verify.encode.hypotheses import ALL, FACT
from verify.encode.instances import instances
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells, SymbolicState, World
from verify.proof.claims import Claims
from verify.proof.obligation import Obligation, Step
from verify.proof.step_parts import (
    ENTRY,
    Proposed,
    Routes,
    Start,
    StepBudget,
    Trail,
    Unknown,
)
from verify.proof.waivers import hypotheses

if TYPE_CHECKING:
    from verify.proof.symbolic_step import Explorer

MOST_PATHS = 400
FROM_OPENING = StepBudget(waits=80, paths=100, ways=4)
FROM_ANYWHERE = StepBudget(waits=8, paths=24, ways=3)
# In a game with many cells, continuing through a decision point costs more than it gains; with very
# many cells this holds for choices in set-up, too, where a player picks one of hundreds of places.
IN_LARGE_GAMES = StepBudget(waits=0, paths=12, ways=2)
LARGE = 150
FROM_OPENING_OF_HUGE_GAMES = StepBudget(waits=80, paths=100, ways=4, chooses=False)
HUGE = 1_500


@define(eq=False)
class StepOpening:
    """The part of a step that every path shares: where it starts."""

    explorer: Explorer
    start: Start
    fixed: dict[Unknown, int]
    # Whether this is a whole step; a case of a split step makes no claims.
    whole: bool = True
    routes: Routes = field(factory=Routes.none)
    obligations: list[Obligation] = field(factory=list)
    # The premises at the start of the step: facts, split into conjuncts.
    assumed: list[Truth] = field(factory=list)
    # Unknowns that may be split into cases, with their values, and the number of writes whose place
    # each determines; locals from before the step are split only if they determine one.
    unknown: dict[Unknown, Value] = field(factory=dict)
    kept: dict[Unknown, Value] = field(factory=dict)
    places: dict[Unknown, int] = field(factory=dict)
    # The facts that it claims where it ends.
    claims: Claims = field(init=False)
    # The facts proposed for cut loops: proved before any other result counts.
    proposed: list[Proposed] = field(factory=list)
    # The procedures that the paths lead through.
    followed: set[str] = field(factory=set)
    # The starts of the next steps: the places where this one ends.
    next: dict[Start, None] = field(factory=dict)
    # The facts that give locals their values, without which the step would be another one.
    needed: set[str] = field(factory=set)
    initial: bool = False
    # Whether some path leads to the end of the game.
    ends: bool = False
    paths: int = 1
    before: SymbolicState = field(init=False)
    locals: Locals = field(factory=dict)
    label: Step = field(init=False)
    budget: StepBudget = FROM_ANYWHERE

    @property
    def world(self) -> World:
        return self.explorer.world

    @property
    def module(self) -> ir.Module:
        return self.explorer.world.module

    # ---- the start -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Set up the state at the start of the step, and follow every path."""
        procedure = self.module.procedures[self.start.procedure]
        block = block_of(procedure, self.start.block)
        base = self.explorer.facts
        self.initial = self.start == self.explorer.opening
        if self.initial:
            huge = self.module.cells > HUGE
            self.budget = FROM_OPENING_OF_HUGE_GAMES if huge else FROM_OPENING
        elif self.module.cells > LARGE:
            self.budget = IN_LARGE_GAMES
        self.claims = Claims(self.world, base)
        self.before = self.world.first_state if self.initial else self.world.any_state
        self.world.places.clear()
        self.fix_cells()
        self.label = Step(rule_name(procedure.name), self.name(block), block.span)
        self.open_locals(procedure, block)
        machine = SymbolicRun(
            self.world, self.before.copy(), dict(self.locals), Totals(self.world, self.before),
            cuts=self.explorer.cuts,
        )  # fmt: skip
        target = block.id
        facts = {} if self.initial else base.at(self.start.place)
        if self.start.way is None:
            self.remember(machine, block)
        elif self.start.way != ENTRY:
            target = targets_of(block.terminator)[self.start.way]
        self.name_values(machine, facts)
        for number, fact in facts.items():
            said = machine.silent().conjuncts(fact, machine.locals)
            for part in said:
                self.world.note_source(part, f"{FACT}{number}")
            self.assumed += said
        self.locals = dict(machine.locals)
        if any(fact is False for fact in self.assumed):
            self.needed.add(ALL)
            return
        trail = Trail(machine, [])
        self.follow(procedure, target, trail, self.start.way is None)
        self.assumed += self.invariants_where_it_writes()

    def name_values(self, machine: SymbolicRun, facts: Facts) -> None:
        """Give locals that only facts mention the values that the facts state, or unknown ones.

        A fact that says what a local is cannot be assumed and broken at the same time, since only
        facts mention it.
        """
        for number, fact in facts.items():
            match fact:
                case ir.Op("eq", (ir.Local(name), value)) if name not in machine.locals:
                    if self.world.effects.reads(value).locals <= machine.locals.keys():
                        self.needed.add(f"{FACT}{number}")
                        machine.locals[name] = machine.silent().value(value, machine.locals)
        for fact in facts.values():
            missing = self.world.effects.reads(fact).locals - machine.locals.keys()
            for local in locals_in(fact) if missing else ():
                if local.name in missing:
                    name = f"{self.start.procedure}.{local.name}"
                    machine.locals[local.name] = self.world.loose(name, local.lo, local.hi)

    def invariants_where_it_writes(self) -> list[Truth]:
        """The invariants, instantiated at the unknown places that the step changes."""
        if self.initial:
            return []
        where: dict[tuple[int, int], list[Value]] = {}
        for unknown in self.places:
            value = self.unknown[unknown]
            if isinstance(value, z3.ExprRef):
                where.setdefault((unknown.lo, unknown.hi), []).append(value)
        look = Evaluator(self.world, self.before, sums=Totals(self.world, self.before).evaluate)
        return instances(hypotheses(self.module), look, where) if where else []

    def fix_cells(self) -> None:
        """Set the single cells to which this case of a split gives a value."""
        for unknown, value in self.fixed.items():
            if unknown.role == "cell":
                self.assumed.append(v.eq(self.before.arrays[unknown.name].values[0], value))
                self.before.arrays[unknown.name] = Cells((value,))

    def open_locals(self, procedure: ir.Procedure, block: ir.Block) -> None:
        """Unknown locals; those that the move or chance just chose may be split into cases."""
        self.open_arrays(procedure, self.locals)
        for variable in procedure.params:
            self.unknown_local(variable.name, variable.lo, variable.hi)
        for variable in procedure.variables:
            if variable.size == 1:
                self.kept_local(variable)
        if self.start.way is not None and self.start.way != ENTRY:
            match block.terminator:
                case ir.Decide(_, _, options) if self.start.way < len(options):
                    for param in options[self.start.way].params:
                        self.unknown_local(param.range.name, param.lo, param.hi)
                case ir.Chance(_, range_):
                    self.unknown_local(range_.name, range_.low.lo, range_.high.hi)
        for other in procedure.blocks:
            for at, measure in enumerate(other.measure):
                self.noted_local(measure_name(other.id, at), measure)
        for at, measure in enumerate(procedure.decreases):
            self.noted_local(entry_name(at), measure)
        for at, value in enumerate(procedure.before):
            self.noted_local(ir.before_name(at), value)

    def open_arrays(self, procedure: ir.Procedure, locals_: Locals) -> None:
        """Make cells for secret choices; their values are unknown before they are made."""
        for variable in procedure.variables:
            if variable.size > 1:
                name = f"{procedure.name}.{variable.name}"
                locals_[variable.name] = local_cells(self.world, name, variable.lo, variable.hi)

    def unknown_local(self, name: str, lo: int, hi: int) -> None:
        """Open a local that was just chosen, or given by a caller."""
        unknown = Unknown(self.start.procedure, name, lo, hi, "opened")
        self.locals[name] = self.unknown[unknown] = self.valued(unknown)

    def noted_local(self, name: str, value: ir.Expr) -> None:
        """Open a local that remembers a value; never worth a split."""
        unknown = Unknown(self.start.procedure, name, value.lo, value.hi, "kept")
        self.locals[name] = self.valued(unknown)

    def kept_local(self, variable: ir.Variable) -> None:
        """Open a local from before the step; split only if it determines a written place."""
        unknown = Unknown(self.start.procedure, variable.name, variable.lo, variable.hi, "kept")
        self.locals[variable.name] = self.kept[unknown] = self.valued(unknown)

    def valued(self, unknown: Unknown) -> Value:
        """The value of an unknown: fixed by this case of a split, or symbolic."""
        if unknown in self.fixed:
            return self.fixed[unknown]
        return self.world.unknown(unknown.text, unknown.lo, unknown.hi)

    def note_places(self, trail: Trail) -> None:
        """Note which unknowns determine the places that the step writes."""
        names = {
            value.get_id(): unknown
            for unknown, value in (*self.unknown.items(), *self.kept.items())
            if isinstance(value, z3.ExprRef) and unknown.role in ("opened", "kept")
        }
        counts: dict[Unknown, int] = {}
        for write in trail.machine.state.log:
            for at in write.index:
                unknown = names.get(at.get_id()) if isinstance(at, z3.ExprRef) else None
                if unknown is not None:
                    counts[unknown] = counts.get(unknown, 0) + 1
        for unknown, count in counts.items():
            self.places[unknown] = max(count, self.places.get(unknown, 0))
            self.unknown[unknown] = self.valued(unknown)

    def remember(self, machine: SymbolicRun, block: ir.Block) -> None:
        """At the head of a loop the measure of the round is the present one."""
        machine.locals.update(self.measured(machine, block))

    def measured(self, machine: SymbolicRun, block: ir.Block) -> Locals:
        """The measure of a loop, by the names that remember it."""
        look = machine.silent()
        return {
            measure_name(block.id, at): look.number(measure, machine.locals)
            for at, measure in enumerate(block.measure)
        }

    def name(self, block: ir.Block) -> str:
        """The event just before the step."""
        if self.start.way == ENTRY:
            return "set-up" if self.initial else "the start"
        if self.start.way is None:
            return "a round"
        match block.terminator:
            case ir.Decide(_, _, options) if self.start.way < len(options):
                return options[self.start.way].name
            case ir.Decide():
                return "nothing to choose"
            case ir.Chance(verb, range_):
                return f"{verb} {range_.name}"
            case ir.Enter(procedure):
                return rule_name(procedure)
        return ""

    def follow(
        self, procedure: ir.Procedure, number: int, trail: Trail, first: bool = False
    ) -> None:
        """Go on from the start of a block, path by path."""
        raise NotImplementedError


def block_of(procedure: ir.Procedure, number: int) -> ir.Block:
    block = procedure.blocks[number]
    assert block.id == number
    return block


def targets_of(terminator: ir.Terminator) -> list[int]:
    match terminator:
        case ir.Decide(_, _, options, _, skip):
            found = [o.target for o in options]
            return found if skip is None else [*found, skip]
        case ir.Chance() | ir.Enter():
            return [terminator.target]
    raise AssertionError(terminator)  # no step starts after anything else
