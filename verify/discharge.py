"""Discharging obligations: the cheapest argument first, the solver with little before much."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Literal

import z3
from attrs import define, field, frozen

from verify.auditing import Audit
from verify.obligations import Obligation
from verify.smt import values as v
from verify.smt.expressions import Evaluator
from verify.smt.totals import Totals
from verify.smt.values import Truth
from verify.smt.world import World, good_total

# Disputed is what two solvers disagree on.
Outcome = Literal["proved", "open", "unknown", "disputed"]

# What the solver may spend (z3's own unit of work, so that verdicts do not depend on the machine).
EFFORTS: dict[str, tuple[int, int]] = {
    "low": (300_000, 1_000_000),
    "normal": (1_000_000, 5_000_000),
    "high": (5_000_000, 50_000_000),
}


@frozen(eq=False)
class Verdict:
    """What became of an obligation."""

    outcome: Outcome
    by: str
    seconds: float
    model: z3.ModelRef | None = None
    reason: str = ""


@define(eq=False)
class Prover:
    """Proves obligations about steps that start in any state that the laws allow."""

    world: World
    effort: str = "normal"
    # Is told of every contradiction that the solver finds.
    audit: Audit = field(factory=Audit)
    _laws: list[Truth] | None = None
    # Which laws speak of an unknown.
    _speaking: dict[int, list[int]] | None = None
    _unknowns: dict[int, tuple[z3.ExprRef, frozenset[int]]] = field(factory=dict)

    # ---- what is known -------------------------------------------------------------------------

    @property
    def laws(self) -> list[Truth]:
        """The laws in the state where a step starts, by the conjunct."""
        if self._laws is None:
            state = self.world.any_state
            totals = Totals(self.world, state)
            look = Evaluator(self.world, state, sums=totals.evaluate)
            self._laws = [
                part
                for law in self.world.module.invariants
                for part in look.conjuncts(law.condition, {})
                if part is not True
            ]
        return self._laws

    def conservation(self) -> list[Truth]:
        """The totals of all goods never change."""
        module = self.world.module
        state = self.world.any_state
        result = []
        for good in module.goods:
            cells: list[v.Value] = []
            for array in module.arrays.values():
                if array.kind == "pool" and good in array.goods:
                    at, step = array.goods.index(good), len(array.goods)
                    cells += state.arrays[array.name].values[at::step]
            if cells:
                result.append(v.eq(v.add(*cells), good_total(module, good)))
        return result

    # ---- proofs --------------------------------------------------------------------------------

    def prove(self, obligation: Obligation, assumed: list[Truth], initial: bool) -> Verdict:
        """Try the arguments in order."""
        started = perf_counter()

        def verdict(outcome: Outcome, by: str, reason: str = "", model: object = None) -> Verdict:
            return Verdict(outcome, by, perf_counter() - started, model, reason)

        if obligation.by:
            return verdict("proved", obligation.by)
        laws = [] if initial else self.laws
        given = {t.get_id() for t in (*laws, *assumed, *obligation.path) if not isinstance(t, bool)}
        goals = [
            g for g in obligation.goals
            if g is not True and (g is False or g.get_id() not in given)
        ]  # fmt: skip
        if not goals:
            return verdict("proved", "frame")
        near = [p for p in (*assumed, *obligation.path) if p is not True]
        if any(p is False for p in near):
            return verdict("proved", "frame")
        # All at once is quick where it is easy; otherwise the parts of a law stand alone.
        together = self.quickly(goals, near, laws)
        if together:
            return verdict("proved", together)
        by = ""
        given_up = ""
        for goal in goals:
            answer, by, model, reason = self.goal(goal, near, laws, initial)
            if answer == "sat":
                return verdict("open", "everything", model=model)
            if answer == "unknown":
                given_up = reason or "the solver gave up"
        return verdict("unknown", "everything", given_up) if given_up else verdict("proved", by)

    def quickly(self, goals: list[Truth], near: list[Truth], laws: list[Truth]) -> str:
        """How all goals follow from little; nothing if they do not follow easily."""
        if len(goals) == 1:
            return ""
        denied = v.not_(v.and_(goals))
        parts = [denied, *near, *self.related(laws, [denied])]
        answer, _, _ = self.ask(parts, EFFORTS[self.effort][0] // 3)
        return "local" if answer == "unsat" else ""

    def goal(
        self, goal: Truth, near: list[Truth], laws: list[Truth], initial: bool
    ) -> tuple[str, str, z3.ModelRef | None, str]:
        """One goal: first what speaks of the same unknowns, then ever more."""
        denied = v.not_(goal)
        little, much = EFFORTS[self.effort]
        tried: set[int] = set()
        for by, parts in self.selections(denied, near, laws):
            if len(parts) in tried:
                continue
            tried.add(len(parts))
            answer, model, reason = self.ask(parts, little)
            if answer == "unsat":
                return answer, by, None, ""
        everything = self.everything([denied, *near], initial)
        answer, model, reason = self.ask(everything, much)
        if answer == "unknown":
            # The older arithmetic is better at some puzzles with many sums.
            answer, model, reason = self.ask(everything, much, old_arithmetic=True)
        return answer, "everything", model, reason

    def query(self, obligation: Obligation, assumed: list[Truth], initial: bool) -> list[Truth]:
        """All there is to know, and that the goal does not hold."""
        denied = v.not_(v.and_(obligation.goals))
        return self.everything([denied, *assumed, *obligation.path], initial)

    def everything(self, parts: list[Truth], initial: bool) -> list[Truth]:
        """Some formulas with all laws, totals spelled out."""
        if not initial:
            parts = [*parts, *self.laws, *self.conservation()]
        return self.spelled_out([p for p in parts if p is not True])

    def selections(
        self, goal: Truth, near: list[Truth], laws: list[Truth]
    ) -> Iterator[tuple[str, list[Truth]]]:
        """What to know for a proof: little first."""
        yield "local", [goal, *self.related(near, [goal]), *self.related(laws, [goal])]
        local = [goal, *near, *self.related(laws, [goal, *near])]
        yield "local", local
        bounds = self.bounds(local)
        if bounds:
            yield "bounds", [*local, *bounds]
        yield "laws", [goal, *near, *laws]

    def bounds(self, parts: list[Truth]) -> list[Truth]:
        """What the sums in some formulas are at least."""
        names = self.names(parts)
        state = self.world.any_state
        totals = Totals(self.world, state)
        return [
            bound
            for identity, total in self.world.totals.items()
            if identity in names
            for bound in totals.bounds(total)
            if bound is not True
        ]

    def names(self, parts: list[Truth]) -> set[int]:
        """The unknowns in some formulas."""
        names: set[int] = set()
        for part in parts:
            names |= self.unknowns(part)
        return names

    def related(self, parts: list[Truth], focus: list[Truth]) -> list[Truth]:
        """What speaks of the same unknowns."""
        names = self.names(focus)
        if parts is not self._laws:
            return [part for part in parts if names & self.unknowns(part)]
        if self._speaking is None:
            self._speaking = {}
            for at, law in enumerate(parts):
                for name in self.unknowns(law):
                    self._speaking.setdefault(name, []).append(at)
        found = {at for name in names for at in self._speaking.get(name, ())}
        return [parts[at] for at in sorted(found)]

    def spelled_out(self, parts: list[Truth]) -> list[Truth]:
        """With the definitions of all totals."""
        names = self.names(parts)
        return parts + [t.definition for n, t in self.world.totals.items() if n in names]

    def ask(
        self, parts: list[Truth], effort: int, old_arithmetic: bool = False
    ) -> tuple[str, z3.ModelRef | None, str]:
        """Whether all of this can be true at once."""
        solver = z3.SimpleSolver()  # the plain core: up to fifty times faster here than the default
        solver.set("rlimit", effort)
        solver.set("random_seed", 1)
        if old_arithmetic:
            solver.set("arith.solver", 2)
        if any(part is False for part in parts):
            return "unsat", None, ""
        asked = [part for part in parts if part is not True]
        limits = (self.world.limits.get(name) for name in sorted(self.names(asked)))
        asked += [limit[1] for limit in limits if limit is not None]
        for part in asked:
            solver.add(part)
        answer = str(solver.check())
        if answer == "sat":
            return answer, solver.model(), ""
        if answer == "unsat":
            self.audit.refuted(asked)
        return answer, None, solver.reason_unknown() if answer == "unknown" else ""

    def unknowns(self, part: Truth) -> frozenset[int]:
        """The unknowns in a formula."""
        if isinstance(part, bool):
            return frozenset()
        memo = self._unknowns
        stack: list[z3.ExprRef] = [part]
        while stack:
            node = stack[-1]
            identity = node.get_id()
            if identity in memo:
                stack.pop()
                continue
            children = node.children()
            missing = [c for c in children if c.get_id() not in memo]
            if missing:
                stack += missing
                continue
            stack.pop()
            found = frozenset().union(*(memo[c.get_id()][1] for c in children))
            if node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                found |= {identity}
            memo[identity] = (node, found)
        return memo[part.get_id()][1]
