"""Discharging obligations: the cheapest argument first, few premises before many."""

from __future__ import annotations

from collections.abc import Mapping
from time import process_time
from types import MappingProxyType
from typing import Literal

import z3
from attrs import define, field, frozen

from verify.encode import terms as v
from verify.encode.counting import Totals, goods_in_all
from verify.encode.expressions import Evaluator
from verify.encode.gathering import gather_unknowns
from verify.encode.hypotheses import ALL, INVARIANT
from verify.encode.terms import Truth
from verify.encode.unknowns import Total, World
from verify.proof.audit import Audit
from verify.proof.obligation import OF_INVARIANTS, Obligation
from verify.proof.waivers import hypotheses

# "disputed": the second solver disagrees.
Outcome = Literal["proved", "open", "unknown", "disputed"]

# Solver limits in z3's own unit of work, so that verdicts do not depend on the machine: for a first
# attempt, and for the last one.
EFFORTS: dict[str, tuple[int, int]] = {
    "low": (300_000, 1_000_000),
    "normal": (1_000_000, 5_000_000),
    "high": (5_000_000, 50_000_000),
}


# The premises of a proof, from few to all.
LEVELS = (
    "tight", "small", "local", "read", "kindred", "near", "bounds", "counts", "invariants",
    "spelled", "everything",
)  # fmt: skip
# Number of goals tried together when all at once are too many.
SOME_GOALS = 12
# Number of unknowns in a small formula; larger ones are tried only if these do not suffice.
FEW_UNKNOWNS = 40
NO_SUMS: Mapping[int, Total] = MappingProxyType({})
# Maximum number of rounds: facts on a cell may mention other cells at unknown places, and so on.
MOST_ROUNDS = 4


@frozen(eq=False)
class Verdict:
    """The outcome of an obligation."""

    outcome: Outcome
    by: str
    seconds: float
    model: z3.ModelRef | None = None
    reason: str = ""


@define(eq=False)
class Prover:
    """Proves obligations about steps that start in any state that the invariants allow."""

    world: World
    effort: str = "normal"
    # Notes every contradiction that the solver finds.
    audit: Audit = field(factory=Audit)
    _invariants: list[Truth] | None = None
    _invariant_numbers: frozenset[int] | None = None
    # The invariants that contain an unknown, by its number.
    _speaking: dict[int, list[int]] | None = None
    # The unknowns of formulas by their number, and the formulas, so that they keep their numbers.
    _unknowns: dict[int, frozenset[int]] = field(factory=dict)
    _kept: list[z3.ExprRef] = field(factory=list)
    # Those of some unknowns that are not choices.
    _lasting: dict[frozenset[int], frozenset[int]] = field(factory=dict)
    # The unknowns in the proofs so far; the invariants and facts that they were about or used.
    spoken_of: set[int] = field(factory=set)
    used: set[str] = field(factory=set)
    _cells: frozenset[int] | None = None
    _cases: dict[int, list[tuple[frozenset[int], Truth]]] = field(factory=dict)

    # ---- what is known -------------------------------------------------------------------------

    @property
    def invariants(self) -> list[Truth]:
        """The invariants in the state where a step starts, by the conjunct."""
        if self._invariants is None:
            state = self.world.any_state
            totals = Totals(self.world, state)
            look = Evaluator(self.world, state, sums=totals.evaluate)
            self._invariants = []
            for invariant in hypotheses(self.world.module):
                said = [
                    part for part in look.conjuncts(invariant.condition, {}) if part is not True
                ]
                for part in said:
                    self.world.note_source(part, INVARIANT + invariant.name)
                self._invariants += said
        return self._invariants

    @property
    def invariant_numbers(self) -> frozenset[int]:
        """The numbers of the invariants as formulas."""
        if self._invariant_numbers is None:
            self._invariant_numbers = frozenset(
                invariant.get_id()
                for invariant in self.invariants
                if not isinstance(invariant, bool)
            )
        return self._invariant_numbers

    def conservation(self) -> list[Truth]:
        """The totals of all goods never change."""
        return goods_in_all(self.world, self.world.any_state)

    # ---- proofs --------------------------------------------------------------------------------

    def prove(
        self, obligation: Obligation, assumed: list[Truth], initial: bool, patient: bool = True
    ) -> Verdict:
        """Try the arguments in order; a patient proof may take long."""
        started = process_time()

        def verdict(outcome: Outcome, by: str, reason: str = "", model: object = None) -> Verdict:
            return Verdict(outcome, by, process_time() - started, model, reason)

        if obligation.by:
            return verdict("proved", obligation.by)
        if obligation.kind in OF_INVARIANTS:
            self.used.add(INVARIANT + obligation.subject)
        invariants = [] if initial else self.invariants
        given = {t.get_id() for t in (*assumed, *obligation.path) if not isinstance(t, bool)}
        given |= frozenset() if initial else self.invariant_numbers
        goals = [
            g for g in obligation.goals if g is not True and (g is False or g.get_id() not in given)
        ]
        near = [p for p in (*assumed, *obligation.path) if p is not True]
        self.use([g for g in obligation.goals if not isinstance(g, bool) and g.get_id() in given])
        if not goals:
            return verdict("proved", "frame")
        if any(p is False for p in near):
            self.use([False])
            return verdict("proved", "frame")
        # All at once is quick where it is easy; otherwise the parts are proved one by one, and what
        # was needed for one is tried first for the others.
        level = 0
        groups = [goals]
        while groups:
            group = groups.pop(0)
            if len(group) > 1:
                if not self.follows(group, near, invariants, level):
                    size = SOME_GOALS if len(group) > SOME_GOALS else 1
                    parts = [group[k : k + size] for k in range(0, len(group), size)]
                    groups = parts + groups
                continue
            answer, level, model, reason = self.goal(
                group[0], near, invariants, initial, level, patient
            )
            if answer == "sat":
                return verdict("open", "everything", model=model)
            if answer == "unknown":
                return verdict("unknown", "everything", reason or "the solver gave up")
        return verdict("proved", LEVELS[level])

    def follows(
        self, goals: list[Truth], near: list[Truth], invariants: list[Truth], level: int
    ) -> bool:
        """True if several goals follow easily from the premises of a level."""
        if level == len(LEVELS) - 1:
            return False
        parts = self.selection(v.not_(v.and_(goals)), near, invariants, level)
        answer, _, _ = self.ask(parts, EFFORTS[self.effort][0] // 3)
        return answer == "unsat"

    def goal(
        self,
        goal: Truth,
        near: list[Truth],
        invariants: list[Truth],
        initial: bool,
        level: int,
        patient: bool,
    ) -> tuple[str, int, z3.ModelRef | None, str]:
        """One goal: first with premises about the same unknowns, then with further ones."""
        denied = v.not_(goal)
        little, much = EFFORTS[self.effort]
        tried = -1
        for at in range(level, len(LEVELS) - 1):
            parts = self.selection(denied, near, invariants, at)
            if len(parts) == tried:
                continue
            tried = len(parts)
            answer, model, reason = self.ask(parts, little)
            if answer == "unsat":
                return answer, at, None, ""
        enough = much if patient else little
        everything = self.everything([denied, *near], initial)
        same = self.of_same_goods(denied, everything)
        if len(same) < len(everything):
            answer, model, reason = self.ask(same, enough)
            if answer == "unsat":
                return answer, len(LEVELS) - 1, None, ""
        answer, model, reason = self.ask(everything, enough)
        if answer == "unknown" and patient:
            # The older arithmetic is better at some puzzles with many sums.
            answer, model, reason = self.ask(everything, much, old_arithmetic=True)
        return answer, len(LEVELS) - 1, model, reason

    def query(self, obligation: Obligation, assumed: list[Truth], initial: bool) -> list[Truth]:
        """All premises, and the negation of the goal."""
        denied = v.not_(v.and_(obligation.goals))
        return self.everything([denied, *assumed, *obligation.path], initial)

    def everything(self, parts: list[Truth], initial: bool) -> list[Truth]:
        """Some formulas with all invariants, totals spelled out."""
        if not initial:
            parts = [*parts, *self.invariants, *self.conservation()]
        return self.spelled_out([p for p in parts if p is not True])

    def selection(
        self, goal: Truth, near: list[Truth], invariants: list[Truth], level: int
    ) -> list[Truth]:
        """The premises of a proof at a level, the goal included."""
        match LEVELS[level]:
            case "kindred":
                parts = self.of_same_goods(goal, near)
                kindred = [*parts, *self.related(invariants, self.names(parts))]
                return self.read_out(self.of_same_goods(goal, kindred[1:]))
            case "near" | "bounds":
                parts = [goal, *near, *self.related(invariants, self.names([goal, *near]))]
                if LEVELS[level] == "bounds":
                    parts += self.bounds(parts)
                return self.read_out(parts)
            case "counts":
                counts = self.counts(self.cone(goal))
                parts = self.related(invariants, self.cone(goal) | counts.keys())
                return self.read_out(self.of_same_goods(goal, [*near, *parts]), counts)
            case "invariants":
                return self.read_out(self.of_same_goods(goal, [*near, *invariants]))
            case "spelled":
                # Premises about the cells that the sums near a goal count.
                parts = self.spelled_out(self.cut_out(goal, near, invariants, level))
                return self.spelled_out([*parts, *self.touched(near, goal, self.names(parts))])
        return self.cut_out(goal, near, invariants, level)

    def cut_out(
        self, goal: Truth, near: list[Truth], invariants: list[Truth], level: int
    ) -> list[Truth]:
        """Premises about the unknowns of a goal; the lower the level, the fewer."""
        cone = self.cone(goal)
        # Premises about a chosen place may mention further reads at unknown places.
        cone |= self.names(self.touched(near, goal, cone)) & self.world.reads.keys()
        parts = [*self.touched(near, goal, cone), *self.related(invariants, cone)]
        match LEVELS[level]:
            case "tight":
                parts = [part for part in parts if self.lasting(part) <= cone]
            case "small":
                parts = [part for part in parts if len(self.unknowns(part)) <= FEW_UNKNOWNS]
            case "read":
                return self.read_out([goal, *parts])
        return [goal, *parts]

    def of_same_goods(self, goal: Truth, parts: list[Truth]) -> list[Truth]:
        """A goal, and the premises that count no other goods than it does.

        Other goods seldom matter, and a proof that does not use them survives their change.
        """
        goods = self.goods(goal)
        return [goal, *(part for part in parts if self.goods(part) <= goods)]

    def goods(self, part: Truth) -> frozenset[str]:
        """The goods that a formula counts."""
        counting = self.world.counting
        return frozenset().union(*(counting[n] for n in self.unknowns(part) & counting.keys()))

    def cone(self, goal: Truth) -> set[int]:
        """The cells and sums of a goal, including reads at places that a player chose."""
        lasting = self.lasting(goal)
        found = set(lasting)
        for name in lasting:
            found |= self.world.readers.get(name, set())
        return found

    def lasting(self, part: Truth) -> frozenset[int]:
        """The unknowns of a formula that are not choices: cells, sums, cells at unknown places."""
        found = self.unknowns(part)
        known = self._lasting.get(found)
        if known is None:
            cells, world = found & self.state_cells, self.world
            known = cells | (found & world.reads.keys()) | (found & world.totals.keys())
            self._lasting[found] = known
        return known

    def touched(self, near: list[Truth], goal: Truth, cone: set[int]) -> list[Truth]:
        """Premises about a cone, and premises about choices alone if the goal has these choices."""
        choices = self.unknowns(goal)
        found = []
        for part in near:
            lasting = self.lasting(part)
            if lasting & cone if lasting else self.unknowns(part) & choices:
                found.append(part)
        return found

    def bounds(self, parts: list[Truth]) -> list[Truth]:
        """Bounds of the sums in some formulas."""
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

    def related(self, invariants: list[Truth], names: set[int]) -> list[Truth]:
        """The invariants that contain any of some unknowns."""
        if not invariants:
            return []
        if self._speaking is None:
            self._speaking = {}
            for at, invariant in enumerate(invariants):
                for name in self.unknowns(invariant):
                    self._speaking.setdefault(name, []).append(at)
        found = {at for name in names for at in self._speaking.get(name, ())}
        return [invariants[at] for at in sorted(found)]

    def counts(self, cells: set[int]) -> dict[int, Total]:
        """The sums over no other cells than these."""
        return {
            name: total
            for name, total in self.world.totals.items()
            if self.unknowns(total.definition) - cells == {name}
        }

    def spelled_out(self, parts: list[Truth]) -> list[Truth]:
        """Formulas with the definitions of all sums and of all reads at unknown places."""
        return self.read_out(parts, self.world.totals)

    def read_out(self, parts: list[Truth], totals: Mapping[int, Total] = NO_SUMS) -> list[Truth]:
        """Formulas with the definitions of some sums and of all reads at unknown places."""
        reads = self.world.reads
        result, todo = list(parts), self.names(parts)
        done: set[int] = set()
        while todo:
            defined = [
                (totals.get(n) or reads[n]).definition
                for n in sorted(todo)
                if n in totals or n in reads
            ]
            result += defined
            done |= todo
            todo = self.names(defined) - done
        return result

    def read_cases(self, names: set[int]) -> list[Truth]:
        """For reads at unknown places: that each equals one of the named cells, if it means it."""
        result: list[Truth] = []
        seen: set[tuple[int, int]] = set()
        for _ in range(MOST_ROUNDS):
            found = [
                (name, at, part)
                for name in sorted(names & self.world.reads.keys())
                for at, (needed, part) in enumerate(self.cases(name))
                if needed <= names and (name, at) not in seen
            ]
            if not found:
                break
            seen.update((name, at) for name, at, _ in found)
            parts = [part for _, _, part in found]
            result += parts
            names |= self.names(parts)
        return result

    def cases(self, name: int) -> list[tuple[frozenset[int], Truth]]:
        """The cases of a read at an unknown place, each with the cells that it mentions."""
        known = self._cases.get(name)
        if known is None:
            known = self._cases[name] = [
                (self.cells(cell), v.implies(test, same))
                for test, same, cell in self.world.reads[name].cases
            ]
        return known

    def cells(self, value: v.Value) -> frozenset[int]:
        """The unknown cells of the starting state in a value."""
        return frozenset() if isinstance(value, int) else self.unknowns(value) & self.state_cells

    @property
    def state_cells(self) -> frozenset[int]:
        """The unknowns of the state where a step starts, and of cells that became unknown."""
        if self._cells is None:
            state = self.world.any_state
            self._cells = frozenset(
                cell.get_id()
                for cells in state.arrays.values()
                for cell in cells.values
                if not isinstance(cell, int)
            )
        return self._cells | self.world.opened if self.world.opened else self._cells

    def ask(
        self, parts: list[Truth], effort: int, old_arithmetic: bool = False
    ) -> tuple[str, z3.ModelRef | None, str]:
        """Whether all of these formulas can hold together."""
        solver = z3.SimpleSolver()  # the plain core: up to fifty times faster here than the default
        solver.set("rlimit", effort)
        solver.set("random_seed", 1)
        if old_arithmetic:
            solver.set("arith.solver", 2)
        if any(part is False for part in parts):
            self.use(parts)
            return "unsat", None, ""
        asked = [part for part in parts if not isinstance(part, bool)]
        names = self.names(asked)
        asked += [part for part in self.read_cases(names) if not isinstance(part, bool)]
        limits = (self.world.limits.get(name) for name in sorted(names))
        asked += [limit[1] for limit in limits if limit is not None]
        for part in asked:
            _assert(solver, part)
        answer = str(solver.check())
        if answer == "sat":
            return answer, solver.model(), ""
        if answer == "unsat":
            self.spoken_of |= names
            self.use(asked)
            self.audit.refuted(asked)
        return answer, None, solver.reason_unknown() if answer == "unknown" else ""

    def use(self, parts: list[Truth]) -> None:
        """Note the formulas that a proof used."""
        if any(part is False for part in parts):
            self.used.add(ALL)
        numbers = {part.get_id() for part in parts if not isinstance(part, bool)}
        for number in numbers & self.world.sources.keys():
            self.used |= self.world.sources[number][1]

    def unknowns(self, part: Truth) -> frozenset[int]:
        """The unknowns in a formula."""
        if isinstance(part, bool):
            return frozenset()
        memo = self._unknowns
        root = part.get_id()
        if root not in memo:
            self._kept.append(part)
            gather_unknowns(part, memo)
        return memo[root]


def _assert(solver: z3.Solver, part: z3.ExprRef) -> None:
    """Give a formula to a solver; its own `add` checks every sort first, which takes far longer."""
    z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, part.as_ast())
