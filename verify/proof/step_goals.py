"""The obligations of a step on its paths, with their goals."""

from __future__ import annotations

from attrs import define

from compiler import ir
from compiler.rule_id import rule_name
from rules_dsl.language.spans import Span
from verify.analysis.fact_places import entry_name, measure_name
from verify.encode import terms as v
from verify.encode.expressions import Evaluator, SafetyCondition
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth, Value
from verify.proof.definedness import faults_of
from verify.proof.obligation import Kind, Obligation, Step
from verify.proof.step_opening import StepOpening
from verify.proof.step_parts import Proposed, Trail, Unknown
from verify.proof.waivers import reason_for


@define(eq=False)
class StepGoals(StepOpening):
    """The obligations that a step collects."""

    def checked(self, procedure: ir.Procedure, trail: Trail, before: int) -> None:
        """Conditions along the path, proved in order; each is a premise of the next."""
        for fault in trail.machine.faults[before:]:
            if fault.assumed:
                trail.path.append(fault.condition)
                continue
            if fault.proposal is not None:
                goal = Proposed(fault.proposal, fault.condition, list(trail.path))
                self.proposed.append(goal)
                continue
            rule = fault.rule or rule_name(procedure.name)
            kind: Kind = "conservation" if fault.conserves else "safety"
            subject = fault.conserves or rule
            self.owe(kind, subject, fault.what, [fault.condition], trail, fault.span, rule=rule)
            self.know(kind, subject, rule, [fault.condition], trail)

    def know(self, kind: Kind, subject: str, rule: str, goals: list[Truth], trail: Trail) -> None:
        """Make a goal a premise from here on, unless it is waived."""
        if not reason_for(self.module, kind, subject, rule):
            trail.path += goals

    def owe(
        self, kind: Kind, subject: str, what: str, goals: list[Truth], trail: Trail, span: Span,
        cites: tuple[str, ...] = (), by: str = "", rule: str = "",
    ) -> None:  # fmt: skip
        """Add an obligation."""
        step = Step(rule or self.label.rule, self.label.start, self.label.span)
        self.obligations.append(
            Obligation(kind, subject, step, what, goals, list(trail.path), span, cites, by)
        )

    def owe_invariants(self, trail: Trail, span: Span, place: str) -> None:
        """Add the invariants at a decision point."""
        reads = self.world.effects.reads
        state = trail.machine.state
        self.note_places(trail)
        kind: Kind = "init" if self.initial else "invariant"
        for invariant in self.module.invariants:
            arrays = reads(invariant.condition).arrays
            untouched = not self.initial and all(
                state.arrays[a].version == self.before.arrays[a].version for a in arrays
            )
            goals = [] if untouched else trail.machine.silent().conjuncts(invariant.condition, {})
            by = "frame" if untouched else ""
            self.owe(kind, invariant.name, f"at {place}", goals, trail, span, invariant.cites, by)
            if not untouched:
                self.defined(
                    invariant.name, faults_of(trail.machine, [invariant.condition], {}), trail
                )

    def defined(self, subject: str, faults: list[SafetyCondition], trail: Trail) -> None:
        """Add that expressions which no step executes have values."""
        for fault in faults:
            self.owe("scoring", subject, fault.what, [fault.condition], trail, fault.span)

    def has_values(
        self, exprs: tuple[ir.Expr, ...], env: Locals, trail: Trail, procedure: ir.Procedure
    ) -> None:
        """Add that the expressions of a contract or a measure have values."""
        rule = rule_name(procedure.name)
        for fault in faults_of(trail.machine, exprs, env):
            self.owe("safety", rule, fault.what, [fault.condition], trail, fault.span, rule=rule)
            self.know("safety", rule, rule, [fault.condition], trail)

    def decreased(
        self, procedure: ir.Procedure, head: ir.Block, trail: Trail, block: ir.Block
    ) -> None:
        """Add that a round decreases the measure; a loop without end has no such obligation."""
        if head.endless:
            return
        self.has_values(head.measure, trail.machine.locals, trail, procedure)
        look, names = trail.machine.silent(), trail.machine.locals
        now = [look.number(m, names) for m in head.measure]
        then = [names[measure_name(head.id, at)] for at in range(len(now))]
        what = "the loop's measure decreases"
        self.smaller(procedure, now, then, trail, block.terminator.span, what)

    def smaller(
        self,
        procedure: ir.Procedure,
        now: list[v.Number],
        then: list[Value | tuple[Value, ...]],
        trail: Trail,
        span: Span,
        what: str,
    ) -> None:
        """Add that a measure has decreased: the first of its numbers that differs is smaller."""
        goal: Truth = False
        for new, old in reversed(list(zip(now, then, strict=True))):
            assert not isinstance(old, tuple)
            goal = v.or_((v.lt(new, old), v.and_((v.eq(new, old), goal))))
        rule = rule_name(procedure.name)
        self.owe("termination", rule, what, [goal], trail, span, procedure.cites)

    def recursion(
        self, procedure: ir.Procedure, callee: ir.Procedure, bound: Locals, trail: Trail, span: Span
    ) -> None:
        """Add that the measure of a recursive procedure decreases with each call."""
        if not (procedure.recursive and callee.recursive):
            return
        if not (procedure.decreases and callee.decreases):
            return
        if len(procedure.decreases) != len(callee.decreases):
            return
        look = trail.machine.silent()
        now = [look.number(m, bound) for m in callee.decreases]
        then = [trail.machine.locals[entry_name(at)] for at in range(len(now))]
        what = f"{rule_name(callee.name)} has less to do"
        self.smaller(procedure, now, then, trail, span, what)
        # The bound on the machine's stack needs this even if termination is waived.
        owed = self.obligations[-1]
        rule = rule_name(procedure.name)
        self.owe("safety", rule, f"calls do not nest for ever: {what}", owed.goals, trail, span,
                 procedure.cites, rule=rule)  # fmt: skip

    def one_by_one(self, goal: Truth, who: Value) -> list[Truth]:
        """A goal split by player: each chooses in secret from cards and goods of their own."""
        some = [v.eq(who, player) for player in range(self.world.module.players)]
        return [*(v.implies(this, goal) for this in some), v.or_([*some, goal])]

    def outcome(
        self, chance: ir.Chance, machine: SymbolicRun, look: Evaluator, value: Value
    ) -> Truth:
        """The condition under which chance may give a value."""
        env: Locals = {**machine.locals, chance.range.name: value}
        parts: list[Truth] = [
            v.le(look.value(chance.range.low, env), value),
            v.le(value, look.value(chance.range.high, env)),
        ]
        look.guards += parts
        if chance.where is not None:
            parts.append(look.truth(chance.where, env))
            look.guards.append(parts[-1])
        if chance.weight is not None:
            parts.append(v.lt(0, look.number(chance.weight, env)))
        del look.guards[len(look.guards) - (2 + (chance.where is not None)) :]
        return v.and_(parts)

    def pick(self, trail: Trail, name: str, lo: int, hi: int) -> Value:
        """A value that a player or chance picks on the way."""
        unknown = Unknown(trail.procedure, name, lo, hi, "picked")
        if unknown in trail.picked:
            return self.world.fresh(unknown.text, lo, hi)
        trail.picked |= {unknown}
        self.unknown[unknown] = self.valued(unknown)
        return self.unknown[unknown]
