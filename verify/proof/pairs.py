"""Two paths of one step, taken by two runs from positions that look alike to a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Literal

import z3
from attrs import define, field, frozen

from rules_dsl.language.spans import Span
from verify.analysis.visibility import Sight
from verify.encode import terms as v
from verify.encode.statements import Revealed
from verify.encode.terms import Truth, Value
from verify.proof.look_alike import both_empty, in_sight, same_cards, same_sizes
from verify.proof.prover import EFFORTS, NO_SUMS, Prover
from verify.proof.seen_steps import SeenStep, Stop
from verify.proof.two_runs import SecondRun

Answer = Literal["unsat", "sat", "unknown"]
# Premises, from few to all: about unknowns that may differ, with cells at chosen or drawn places,
# facts and paths, invariants about the same unknowns, everything.
LEVELS = ("differences", "places", "paths", "related", "everything")
# Levels without invariants; levels with at most the invariants about the same unknowns.
QUICK, NEAR = LEVELS[:3], LEVELS[:4]
# Levels without premises about unknowns that the question does not name.
NARROW = LEVELS[:2]


@frozen(eq=False)
class Goal:
    """A value that must be the same in both runs; the solver is asked for its negation."""

    what: str
    differs: Truth
    span: Span


@frozen(eq=False)
class ShownCard:
    """A card that may have become visible: its place in each run, and whether that was the same."""

    table: str
    number: int
    one: Value
    two: Value
    alike: Truth


@define(eq=False)
class PathPair:
    """One path in the first run, one in the second."""

    prover: Prover
    sight: Sight
    # The steps of the two runs: two, if a secret choice parts them.
    step: SeenStep
    step_two: SeenStep
    run: SecondRun
    one: Stop
    two: Stop
    # What both runs have in common besides looking alike.
    given: list[Truth]
    # All values that were compared, so that their definitions are known.
    values: tuple[list[Value], list[Value]] = field(factory=lambda: ([], []))
    # Whether to ask with few premises and little effort.
    quick: bool = False
    # A player whom a local means, if this is one case of several.
    meant: tuple[z3.ExprRef, z3.ExprRef] | None = None
    # The premises of each run, by level and by how much was compared.
    _sides: dict[tuple[int, str, int], list[Truth]] = field(factory=dict)

    @property
    def twice(self) -> bool:
        """True if both runs take the same path."""
        return self.one is self.two

    @property
    def exclusive(self) -> bool:
        """True if the values that both runs share rule out one of the paths."""
        numbers = {
            part.get_id()
            for part in self.one.path
            if not isinstance(part, bool) and not self.run.changed(part)
        }
        return any(
            not isinstance(part, bool) and v.key(v.not_(part))[1] in numbers
            for part in self.two.path
        )

    def differ(self, one: Value, two: Value) -> Truth:
        """That a value of the first run differs from one of the second."""
        result = self.run.differ(one, two)
        if result is not False:
            self.values[0].append(one)
            self.values[1].append(two)
        return result

    def implied(self, one: Truth, two: Truth) -> Truth:
        """A condition of the first run and one of the second."""
        self.values[0].append(one)
        self.values[1].append(two)
        return v.and_((one, self.run.other(two)))

    # ---- what a step shows by itself -----------------------------------------------------------

    def shown_cards(self) -> Iterator[ShownCard]:
        """The cards that may have come into sight."""
        before = self.step.before
        for array in self.sight.module.arrays.values():
            if array.kind != "zone" or not self.moved(array.name):
                continue
            places = zip(
                before.arrays[array.name].values,
                self.one.machine.state.arrays[array.name].values,
                self.two.machine.state.arrays[array.name].values,
                strict=True,
            )
            for card, (old, one, two) in enumerate(places):
                shown = [self.shown(array.name, old, new) for new in (one, two)]
                if not all(isinstance(place, int) and place == -1 for place in shown):
                    alike = v.not_(self.differ(old, old))
                    table = array.dimensions[0].kind
                    yield ShownCard(table, card, shown[0], shown[1], alike)

    def shown(self, array: str, old: Value, new: Value) -> Value:
        """Where a card came into sight; -1 if it did not."""
        if v.same(old, new):
            return -1
        fresh = v.and_((in_sight(self.sight, array, new), v.not_(in_sight(self.sight, array, old))))
        return v.ite(fresh, v.number(new), -1)

    def moved(self, array: str) -> bool:
        """True if cards of a table were moved in either run."""
        version = self.step.before.arrays[array].version
        ends = (self.one, self.two)
        return any(stop.machine.state.arrays[array].version != version for stop in ends)

    def sizes(self) -> Iterator[tuple[Goal, Truth]]:
        """The number of cards that each place gained is the same; and that it is empty in both."""
        for array in self.sight.module.arrays.values():
            if array.kind != "zone" or not self.moved(array.name):
                continue
            # The sizes add up to the number of cards, so one of them follows from the others.
            targets = Counter(
                int(write.new)
                for stop in (self.one, self.two)
                for write in stop.machine.state.log
                if write.array == array.name and isinstance(write.new, int)
            )
            places = list(self.sight.sizes(array.name))
            places.remove(max(places, key=lambda place: targets[place]))
            for place in places:
                gained = [self.gained(stop, array.name, place) for stop in (self.one, self.two)]
                what = f"how many cards lie in {self.place_name(array.name, place)}"
                differs = self.differ(gained[0], gained[1])
                empty = [
                    v.and_(
                        v.not_(v.eq(card, place))
                        for card in stop.machine.state.arrays[array.name].values
                    )
                    for stop in (self.one, self.two)
                ]
                yield Goal(what, differs, self.one.span), self.implied(empty[0], empty[1])

    def gained(self, stop: Stop, array: str, place: int) -> Value:
        """Number of cards that a place gained, by the writes of a path."""
        parts: list[Value] = []
        for write in stop.machine.state.log:
            if write.array == array:
                # Both paths are without faults, so a card was at the source that the write names.
                old = write.old if write.source is None else write.source
                change = v.sub(v.ite(v.eq(write.new, place), 1, 0), v.ite(v.eq(old, place), 1, 0))
                parts.append(v.ite(write.guard, change, 0))
        return v.add(*parts)

    def place_name(self, array: str, place: int) -> str:
        """A place of cards in the words of the rules."""
        from verify.proof.counterexample import shown_value

        return shown_value(self.sight.module, self.sight.module.arrays[array], place)

    # ---- what is revealed ----------------------------------------------------------------------

    def reveals(self) -> Iterator[tuple[Truth, Goal]]:
        """Revealed values: each is revealed in both runs or in neither, and is the same in both."""
        first, second = (_by_place(stop.machine.reveals) for stop in (self.one, self.two))
        for key in dict.fromkeys((*first, *second)):
            one, two = first.get(key), second.get(key)
            when = [self.is_revealed(r) if r is not None else False for r in (one, two)]
            goal = Goal("whether something is revealed", self.differ(*when), key[0])
            same: Truth = True
            if one is not None and two is not None:
                equal = v.not_(self.differ(one.value, two.value))
                same = v.implies(self.implied(when[0], when[1]), equal)
            yield same, goal

    def order_of_reveals(self) -> Iterator[Goal]:
        """Pairs of values that the two runs reveal in opposite order."""
        first, second = (_by_place(stop.machine.reveals) for stop in (self.one, self.two))
        at = {key: number for number, key in enumerate(second)}
        for (key, one), (later, two) in combinations(first.items(), 2):
            if key in at and later in at and at[later] < at[key]:
                both = v.and_((self.is_revealed(one), self.is_revealed(two)))
                others = v.and_((self.is_revealed(second[key]), self.is_revealed(second[later])))
                yield Goal("in which order things are revealed", self.implied(both, others), key[0])

    def is_revealed(self, revealed: Revealed) -> Truth:
        """Whether something is revealed to the player."""
        if revealed.to is None:
            return revealed.guard
        return v.and_((revealed.guard, v.eq(revealed.to, self.sight.player)))

    # ---- questions -----------------------------------------------------------------------------

    def possible(
        self, wanted: Truth, more: Iterable[Truth] = (), levels: tuple[str, ...] = LEVELS
    ) -> tuple[Answer, z3.ModelRef | None]:
        """Whether two runs can take these paths so that something holds."""
        if wanted is False:
            return "unsat", None
        more = list(more)
        answer: Answer = "unknown"
        model: z3.ModelRef | None = None
        little, much = EFFORTS[self.prover.effort]
        tried = -1
        for level in QUICK if self.quick else levels:
            parts = self.known(wanted, more, level)
            if any(part is False for part in parts):
                return "unsat", None
            parts = [part for part in parts if part is not True]
            if len(parts) == tried:
                continue
            tried = len(parts)
            answer, model = self.ask(parts, much if level == LEVELS[-1] else little)
            if answer == "unsat":
                return answer, None
        return answer, model

    def known(self, wanted: Truth, more: list[Truth], level: str) -> list[Truth]:
        """The premises about both runs, and the condition in question."""
        both = [self.side(0, level), self.side(1, level)]
        if level in NARROW:
            # Only premises about unknowns that may differ, and of these only the ones that the
            # question names.
            about = self.run.differing_in(wanted)
            if level == "places":
                about |= self.reading(about, both)
                cases = self.prover.read_cases(set(about))
                both = [[*cases, *side] for side in both]
            more, *both = (
                [part for part in parts if set() < self.run.differing_in(part) <= about]
                for parts in (more, *both)
            )
            both[0] += self.ranges([wanted, *more, *both[0], *both[1]])
        names = self.prover.names([*both[0], *both[1], wanted, *more])
        second = [self.run.other(part) for part in both[1]]
        if self.twice:
            second = [b for a, b in zip(both[1], second, strict=True) if not v.same(a, b)]
        alike = same_cards(self.sight, self.step.before, self.run, names)
        if level == "paths":
            alike += both_empty(self.sight, self.step.before, self.run, names)
        if level not in QUICK:
            alike += same_sizes(self.sight, self.step.before, self.run, names)
        return self.in_case([wanted, *more, *self.given, *both[0], *second, *alike])

    def in_case(self, parts: list[Truth]) -> list[Truth]:
        """Some formulas, with a local replaced by the player whom it names in this case."""
        if self.meant is None:
            return parts
        known = (z3.simplify(z3.substitute(part, self.meant)) for part in map(v.term, parts))
        return [part for part in known if not z3.is_true(part)]

    def ranges(self, parts: list[Truth]) -> list[Truth]:
        """The ranges of the shared unknowns in some formulas."""
        limits = self.prover.world.limits
        shared = sorted(self.prover.names(parts) & self.run.shared & limits.keys())
        return [limits[n][1] for n in shared]

    def reading(self, cells: set[int], both: list[list[Truth]]) -> set[int]:
        """Reads at unknown places that may mean some cells and occur in either run."""
        readers = self.prover.world.readers
        found = {reader for cell in cells for reader in readers.get(cell, ())}
        return found & self.prover.names([*both[0], *both[1]]) if found else found

    def side(self, which: int, level: str) -> list[Truth]:
        """The premises about one run, as if it were the first; cached for the next goals."""
        key = which, level, len(self.values[which])
        known = self._sides.get(key)
        if known is None:
            step, stop = ((self.step, self.one), (self.step_two, self.two))[which]
            known = self._sides[key] = self.known_of(step, stop, self.values[which], level)
        return known

    def known_of(self, step: SeenStep, stop: Stop, values: list[Value], level: str) -> list[Truth]:
        """The premises about one run: its path, invariants, definitions and ranges."""
        near = [p for p in (*step.assumed, *stop.path) if p is not True]
        terms = [value for value in values if not isinstance(value, int)]
        names = self.prover.names([*near, *terms])
        invariants: list[Truth] = []
        if not step.initial:
            if level == "related":
                invariants = self.prover.related(self.prover.invariants, names)
            elif level == "everything":
                invariants = [*self.prover.invariants, *self.prover.conservation()]
        totals = NO_SUMS if level in QUICK else self.prover.world.totals
        known = len(near) + len(invariants) + len(terms)
        defined = self.prover.read_out([*near, *invariants, *terms], totals)[known:]
        parts = [*near, *invariants, *defined]
        limits = self.prover.world.limits
        spoken_of = self.prover.names([*parts, *terms])
        return parts + [limits[n][1] for n in sorted(spoken_of) if n in limits]

    def ask(self, parts: list[Truth], effort: int) -> tuple[Answer, z3.ModelRef | None]:
        """Whether all of these formulas can hold together."""
        solver = z3.SimpleSolver()
        solver.set("rlimit", effort)
        solver.set("random_seed", 1)
        for part in parts:
            # Its own `add` checks every sort first, which takes far longer.
            z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, part.as_ast())
        answer = str(solver.check())
        if answer == "unsat":
            self.prover.audit.refuted(parts)
            return "unsat", None
        if answer == "sat":
            return "sat", solver.model()
        return "unknown", None


def _by_place(revealed: list[Revealed]) -> dict[tuple[Span, int], Revealed]:
    """Values revealed, by place in the rules and number of earlier visits to it."""
    found: dict[tuple[Span, int], Revealed] = {}
    counts: dict[Span, int] = {}
    for one in revealed:
        at = counts.get(one.span, 0)
        counts[one.span] = at + 1
        found[one.span, at] = one
    return found
