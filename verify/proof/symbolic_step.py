"""Steps: from one decision point to the next, with their obligations.

A step starts at the entry of a procedure, at the head of a loop, after a decision, a draw or a
call. Where it starts, the invariants and the facts of the place are known; at every decision point
the invariants are proved. A step continues through decisions, draws and calls while that gives few
paths (what happened before is then known exactly), and otherwise ends there, where others start.
From the opening position it continues longer, so that set-up needs no invariants of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from compiler import ir
from compiler.rule_id import decision_name, rule_name
from rules_dsl.language.spans import Span
from verify.analysis.fact_places import (
    NONE_REFUSED,
    FactPlace,
    Refused,
    entry_name,
    ghost_name,
)
from verify.analysis.facts import FactBase, facts_of
from verify.encode import terms as v
from verify.encode.choices import head_parts, legal, too_many_sets
from verify.encode.loop_cuts import LoopCuts
from verify.encode.statements import Locals
from verify.encode.terms import Truth
from verify.encode.unknowns import World
from verify.proof.claims import ClaimedCall
from verify.proof.definedness import scoring_faults, text_faults
from verify.proof.step_goals import StepGoals
from verify.proof.step_opening import MOST_PATHS, block_of
from verify.proof.step_parts import (
    ENTRY,
    OpenCall,
    Start,
    TooManyPathsError,
    Trail,
    Unknown,
)


@define(eq=False)
class Explorer:
    """The steps of a module, one start at a time."""

    world: World
    refused: Refused = NONE_REFUSED
    # Cuts loops that are too much work; None carries every loop out.
    cuts: LoopCuts | None = None
    facts: FactBase = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.facts = facts_of(self.world.module, self.world.effects, self.refused)

    @property
    def opening(self) -> Start:
        """Where the game starts."""
        main = self.world.module.procedures[self.world.module.main]
        return Start(main.name, main.blocks[0].id, ENTRY)

    def explore(self, start: Start) -> StepRun:
        """The obligations of a step."""
        run = StepRun(self, start, {})
        run.begin()
        return run

    def case(self, whole: StepRun, fixed: dict[Unknown, int]) -> StepRun:
        """The obligations of a step in one case, in which some unknowns have fixed values."""
        run = StepRun(self, whole.start, fixed, routes=whole.routes, whole=False)
        run.begin()
        return run


@define(eq=False)
class StepRun(StepGoals):
    """One step, all its paths."""

    # ---- paths ---------------------------------------------------------------------------------

    def follow(
        self, procedure: ir.Procedure, number: int, trail: Trail, first: bool = False
    ) -> None:
        """Carry out a block and continue until the step ends."""
        self.followed.add(procedure.name)
        trail.procedure = procedure.name
        trail.route = self.routes.after(trail.route, procedure.name, number)
        block = block_of(procedure, number)
        if block.heads_loop and not first and not self.round(procedure, block, trail):
            return
        machine = trail.machine
        before = len(machine.faults)
        machine.run(block.statements)
        self.checked(procedure, trail, before)
        match block.terminator:
            case ir.Jump(target):
                if block.terminator.back:
                    self.decreased(procedure, block_of(procedure, target), trail, block)
                self.follow(procedure, target, trail)
            case ir.Fork(condition, then, otherwise):
                self.fork(procedure, condition, then, otherwise, trail)
            case ir.Together(then, otherwise):
                self.together(procedure, then, otherwise, trail)
            case ir.Enter():
                self.enter(procedure, block, block.terminator, trail)
            case ir.Exit():
                self.exit(procedure, trail, block.terminator.span)
            case ir.End():
                self.over(trail, block.terminator.span)
            case ir.Decide():
                self.decide(procedure, block, block.terminator, trail)
            case ir.Chance():
                self.chance(procedure, block, block.terminator, trail)
            case _:
                raise AssertionError(block.terminator)

    def fork(
        self, procedure: ir.Procedure, condition: ir.Expr, then: int, otherwise: int, trail: Trail
    ) -> None:
        before = len(trail.machine.faults)
        test = trail.machine.evaluator().truth(condition, trail.machine.locals)
        self.checked(procedure, trail, before)
        if isinstance(test, bool):
            self.follow(procedure, then if test else otherwise, trail)
            return
        self.paths += 1
        if self.paths > MOST_PATHS:
            raise TooManyPathsError(procedure.name)
        other = trail.copy()
        other.path.append(v.not_(test))
        trail.path.append(test)
        self.follow(procedure, then, trail)
        self.follow(procedure, otherwise, other)

    def together(self, procedure: ir.Procedure, then: int, otherwise: int, trail: Trail) -> None:
        """Follow both branches: whether choices made together can be finished is unknown."""
        self.paths += 1
        if self.paths > MOST_PATHS:
            raise TooManyPathsError(procedure.name)
        other = trail.copy()
        self.follow(procedure, then, trail)
        self.follow(procedure, otherwise, other)

    def goes_on(self, trail: Trail, ways: int, chooses: bool = False) -> bool:
        """True if the step continues through a decision point; a case does where the whole did."""
        trail.route = self.routes.after(trail.route, "waits", ways)
        if self.whole:
            may = self.budget.chooses or not chooses
            self.routes.goes_on[trail.route] = may and self.affords(trail, ways)
        elif trail.route not in self.routes.goes_on:
            raise TooManyPathsError(trail.procedure)
        if not self.routes.goes_on[trail.route]:
            return False
        trail.waits += 1
        self.paths += ways - 1
        return True

    def affords(self, trail: Trail, ways: int) -> bool:
        """True if continuing gives few paths."""
        return (
            trail.waits < self.budget.waits
            and ways <= self.budget.ways
            and self.paths + ways - 1 <= self.budget.paths
        )

    def stop(self, trail: Trail, *starts: Start) -> None:
        """End the step; others start here and at the returns of the open calls."""
        self.next.update(dict.fromkeys(starts))
        for frame in trail.frames:
            self.next[Start(frame.procedure.name, frame.block, 0)] = None
            if frame.call is not None and self.whole:
                self.claims.behind(frame.call)

    def claim(
        self,
        start: Start,
        trail: Trail,
        measures: Locals | None = None,
        more: Callable[[], list[Truth]] = list,
    ) -> None:
        """The facts of a place where the step ends, of the locals of its own procedure."""
        if self.whole:
            env = {**trail.machine.locals, **(measures or {})}
            self.claims.at(start.place, trail.machine, env, list(trail.path), more)

    # ---- invariants, loops, calls --------------------------------------------------------------

    def over(self, trail: Trail, span: Span) -> None:
        """The end of the game: the invariants hold, and everybody has a score."""
        self.owe_invariants(trail, span, "the end")
        self.ends = True
        self.defined("scores", scoring_faults(trail.machine), trail)

    def round(self, procedure: ir.Procedure, block: ir.Block, trail: Trail) -> bool:
        """At the head of a loop; returns whether the step continues into it."""
        self.owe_invariants(trail, block.span, "a loop")
        machine = trail.machine
        # A kept fact may mention the element of the next round, even when none is left: it is
        # proved and assumed as the same formula, whether it has a value or not.
        self.has_values(block.measure, machine.locals, trail, procedure)
        for fact in block.facts:
            goals = machine.silent().conjuncts(fact, machine.locals)
            rule = rule_name(procedure.name)
            self.owe("safety", rule, "what the loop keeps", goals, trail, block.span, rule=rule)
            self.know("safety", rule, rule, goals, trail)
        # Rounds that are counted by a local can be followed; other loops are cut at their head.
        reads = self.world.effects.reads
        counted = block.measure and not any(reads(m).arrays for m in block.measure)
        if counted and self.goes_on(trail, 1):
            self.remember(machine, block)
            return True
        start = Start(procedure.name, block.id)
        self.claim(start, trail, self.measured(machine, block))
        self.stop(trail, start)
        return False

    def exit(self, procedure: ir.Procedure, trail: Trail, span: Span) -> None:
        """Back to the caller."""
        machine = trail.machine
        rule = rule_name(procedure.name)
        self.has_values(procedure.ensures, machine.locals, trail, procedure)
        goals = [
            c for e in procedure.ensures for c in machine.silent().conjuncts(e, machine.locals)
        ]
        if goals:
            self.owe("safety", rule, f"what {rule} ensures", goals, trail, span)
        if trail.frames:
            frame = trail.frames[-1]
            trail.frames = trail.frames[:-1]
            machine.locals = dict(frame.locals)
            self.follow(frame.procedure, frame.target, trail)
            return
        if procedure.name == self.module.main:
            self.over(trail, span)
            return
        self.owe_invariants(trail, span, f"the end of {rule}")
        if self.whole:
            place = FactPlace("exit", procedure.name)
            self.claims.at(place, machine, machine.locals, list(trail.path))

    def enter(
        self, procedure: ir.Procedure, block: ir.Block, enter: ir.Enter, trail: Trail
    ) -> None:
        """A call: followed if that leads to few paths, else up to its entry."""
        machine = trail.machine
        callee, bound = self.called(procedure, enter, trail)
        span = enter.span
        self.has_values(
            (*callee.requires, *callee.decreases, *callee.before), bound, trail, procedure
        )
        goals = [c for e in callee.requires for c in machine.silent().conjuncts(e, bound)]
        if goals:
            rule, what = rule_name(procedure.name), f"what {rule_name(callee.name)} assumes"
            self.owe("safety", rule, what, goals, trail, span, rule=rule)
            self.know("safety", rule, rule, goals, trail)
        self.recursion(procedure, callee, bound, trail, span)
        call = self.call(procedure, block, callee, bound, trail)
        waits = callee.name in self.world.effects.waiting
        if not waits or (not callee.recursive and self.goes_on(trail, 1)):
            frame = OpenCall(procedure, block.id, enter.target, machine.locals, call)
            machine.locals = dict(call.bound)
            trail.frames = (*trail.frames, frame)
            self.follow(callee, callee.blocks[0].id, trail)
            return
        self.owe_invariants(trail, span, f"the call of {rule_name(callee.name)}")
        entry = Start(callee.name, callee.blocks[0].id, ENTRY)
        if self.whole:
            self.claims.at(entry.place, machine, call.bound, list(trail.path))
            self.claims.behind(call)
        self.stop(trail, entry, Start(procedure.name, block.id, 0))

    def call(
        self,
        procedure: ir.Procedure,
        block: ir.Block,
        callee: ir.Procedure,
        bound: Locals,
        trail: Trail,
    ) -> ClaimedCall:
        """Record a call with the values that the contract of the callee compares."""
        machine = trail.machine
        look = machine.silent()
        self.open_arrays(callee, bound)
        for at, measure in enumerate(callee.decreases):
            bound[entry_name(at)] = look.number(measure, bound)
        for at, value in enumerate(callee.before):
            old = look.value(value, bound)
            bound[ir.before_name(at)] = machine.locals[ghost_name(callee.name, at)] = old
        place = FactPlace("edge", procedure.name, block.id, 0)
        made = machine.copy()
        return ClaimedCall(place, callee, made, bound, list(trail.path))

    def called(
        self, procedure: ir.Procedure, enter: ir.Enter, trail: Trail
    ) -> tuple[ir.Procedure, Locals]:
        """Who is called, and with what."""
        machine = trail.machine
        before = len(machine.faults)
        look = machine.evaluator()
        callee = self.module.procedures[enter.procedure]
        values = [look.value(a, machine.locals) for a in enter.args]
        self.checked(procedure, trail, before)
        return callee, {p.name: a for p, a in zip(callee.params, values, strict=True)}

    # ---- decisions and chance ------------------------------------------------------------------

    def decide(
        self, procedure: ir.Procedure, block: ir.Block, decide: ir.Decide, trail: Trail
    ) -> None:
        """A player decides: the invariants hold, and something can be chosen."""
        machine = trail.machine
        before = len(machine.faults)
        who = machine.evaluator().value(decide.actor, machine.locals)
        if isinstance(decide.actor, ir.Cell) and not decide.actor.index and not self.initial:
            actor = decide.actor
            cell = Unknown("", actor.array, actor.lo, actor.hi, "cell")
            self.unknown.setdefault(cell, self.before.arrays[actor.array].values[0])
        trails = [self.chosen(option, trail) for option in decide.options]
        self.checked(procedure, trail, before)
        for option in decide.options:
            listed = v.not_(too_many_sets(option, machine))
            if listed is not True:
                what = "not more sets than can be listed"
                rule = rule_name(procedure.name)
                self.owe("safety", rule, what, [listed], trail, option.span)
        self.owe_invariants(trail, decide.span, "a decision")
        for option, chosen in zip(decide.options, trails, strict=True):
            env, guard = chosen.machine.locals, chosen.path[0]
            subject = decision_name(procedure.name, decide.label)
            self.defined(subject, text_faults(option, machine, env, guard), trail)
        # Whether choices made together can be finished after an option is unknown.
        certain = tuple(o for o in decide.options if not decide.finishing(o))
        if decide.skip is None:
            subject = decision_name(procedure.name, decide.label)
            goal = v.or_(legal(certain, machine))
            goals = self.one_by_one(goal, who) if decide.secret else [goal]
            # They begin only if some way to finish them exists, and every choice leaves one.
            by = "structure" if decide.together else ""
            self.owe(
                "progress",
                subject,
                "something can be chosen",
                goals,
                trail,
                decide.span,
                procedure.cites,
                by,
            )
        ways = len(decide.options) + (decide.skip is not None)
        on = self.goes_on(trail, ways, chooses=True)
        known = list(trail.path)
        for way, (option, chosen) in enumerate(zip(decide.options, trails, strict=True)):
            chosen.path = [*known, *chosen.path]
            chosen.waits, chosen.route = trail.waits, trail.route
            if not on:
                self.claim(Start(procedure.name, block.id, way), chosen)
            elif not any(part is False for part in chosen.path):
                self.follow(procedure, option.target, chosen)
        if decide.skip is not None and (on or self.whole):
            nothing = trail.copy()
            others = tuple(o for o in certain if o.target != decide.skip)

            def none_legal() -> list[Truth]:
                return [v.not_(c) for c in legal(others, nothing.machine)]

            if on:
                nothing.path += none_legal()
                self.follow(procedure, decide.skip, nothing)
            else:
                self.claim(Start(procedure.name, block.id, ways - 1), nothing, more=none_legal)
        if not on:
            self.stop(trail, *(Start(procedure.name, block.id, way) for way in range(ways)))

    def chosen(self, option: ir.Option, trail: Trail) -> Trail:
        """The trail of a chosen option; what can go wrong in its requirements is noted."""
        result = trail.copy()
        result.path = []
        machine = result.machine
        machine.faults = trail.machine.faults
        look = machine.evaluator()
        guards: list[Truth] = []
        for param in option.params:
            name = param.range.name
            value = self.pick(result, name, param.lo, param.hi)
            low = look.value(param.range.low, machine.locals)
            high = look.value(param.range.high, machine.locals)
            machine.locals[name] = value
            guards += [v.le(low, value), v.le(value, high)]
        result.path = head_parts(option.head, look, machine.locals, v.and_(guards))
        silent = machine.silent()
        for line in option.head:
            if isinstance(line, ir.Define):
                machine.locals[line.name] = silent.value(line.value, machine.locals)
        machine.faults = list(trail.machine.faults)
        return result

    def chance(
        self, procedure: ir.Procedure, block: ir.Block, chance: ir.Chance, trail: Trail
    ) -> None:
        """Chance decides: something can be drawn."""
        machine = trail.machine
        before = len(machine.faults)
        value = self.pick(trail, chance.range.name, chance.range.low.lo, chance.range.high.hi)
        drawn = self.outcome(chance, machine, machine.evaluator(), value)
        self.checked(procedure, trail, before)
        self.owe_invariants(trail, chance.span, "a draw")
        look = machine.silent()
        some = ir.Aggregate("some", (chance.range,), None, None, lo=0, hi=1)
        found = [
            v.and_((guard, self.outcome(chance, machine, look, inner[chance.range.name])))
            for inner, guard in look.items(some, machine.locals)
        ]
        rule = rule_name(procedure.name)
        what = f"something to {chance.verb}"
        self.owe("safety", rule, what, [v.or_(found)], trail, chance.span)
        on = self.goes_on(trail, 1)
        trail.path.append(drawn)
        machine.locals[chance.range.name] = value
        if on:
            self.follow(procedure, chance.target, trail)
            return
        start = Start(procedure.name, block.id, 0)
        self.claim(start, trail)
        self.stop(trail, start)
