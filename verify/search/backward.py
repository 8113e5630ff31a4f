"""Backward search from a break: one step before it, one before that, ...

The steps form one formula, whose solutions are positions that the invariants allow and from which
that number of steps leads to the break. Of all possible predecessors, the one with the fewest
differences from the opening is taken. These positions are landmarks for a search that plays
forward. They prove nothing by themselves: events between two calls of a rule are not tracked.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3
from attrs import define, field, frozen

from compiler import ir
from verify.encode import terms as v
from verify.encode.terms import Truth
from verify.encode.unknowns import SymbolicState, World
from verify.proof.counterexample import number_of, smallest
from verify.proof.obligation import Obligation
from verify.proof.prover import EFFORTS, Prover
from verify.proof.step_parts import Start, TooManyPathsError, Trail
from verify.proof.symbolic_step import Explorer, StepRun
from verify.search.bounded import Wanted

Cells = dict[tuple[str, int], int]
# The cells that matter at some time, as terms over the first position.
Mark = dict[tuple[str, int], z3.ExprRef]


@frozen
class Landmark:
    """The cells that matter, with their values, some steps before a break."""

    cells: Cells
    left: int


@frozen(eq=False)
class _Ending:
    """The condition at the end of a step."""

    state: SymbolicState
    path: list[Truth]


@define(eq=False)
class _Recorded(StepRun):
    """A step that remembers how it ends."""

    endings: dict[Start, list[_Ending]] = field(factory=dict)

    def stop(self, trail: Trail, *starts: Start) -> None:
        super().stop(trail, *starts)
        ending = _Ending(trail.machine.state, list(trail.path))
        for start in starts:
            self.endings.setdefault(start, []).append(ending)


@frozen(eq=False)
class _Way:
    """A path to the break: its first step, the conditions there, and the cells along it."""

    run: _Recorded
    goal: list[Truth]
    # The last position before the break first.
    marks: list[Mark]
    model: z3.ModelRef
    # Number of cells that differ from the opening.
    differences: int


@define(eq=False)
class Backwards:
    """Finds landmarks on a path to a goal."""

    module: ir.Module
    wanted: Wanted
    # Maximum number of solver calls.
    questions: int
    prover: Prover = field(init=False)
    _explorer: Explorer = field(init=False)
    _runs: list[_Recorded] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        world = World(self.module)
        self.prover = Prover(world, "low")
        self._explorer = Explorer(world)

    def landmarks(self, steps: int) -> Iterator[tuple[Obligation, list[Landmark]]]:
        """Landmarks for each goal, the last one before the break first."""
        self.explore()
        seen: set[tuple[str, str]] = set()
        for run in self._runs:
            for obligation in run.obligations:
                about = (obligation.subject, obligation.what)
                if about in seen or obligation.by or not self.wanted(obligation):
                    continue
                denied = v.not_(v.and_(obligation.goals))
                way = self.solved(run, [denied, *run.assumed, *obligation.path], [])
                if way is not None:
                    seen.add(about)
                    yield obligation, self.chain(way, steps)

    def explore(self) -> None:
        """All steps of the game."""
        todo = [self._explorer.opening]
        seen = set(todo)
        while todo:
            run = _Recorded(self._explorer, todo.pop(), {})
            try:
                run.begin()
            except TooManyPathsError:
                continue
            self._runs.append(run)
            todo += [start for start in run.next if start not in seen]
            seen.update(run.next)

    def chain(self, way: _Way, steps: int) -> list[Landmark]:
        """Predecessors, up to the opening or the given number of steps."""
        for _ in range(1, steps):
            before = self.before(way)
            if before is None:
                break
            way = before
            if way.run.initial:
                break
        return [
            Landmark({cell: self.number(way.model, term) for cell, term in mark.items()}, left)
            for left, mark in enumerate(way.marks)
            if mark
        ]

    def before(self, way: _Way) -> _Way | None:
        """The same path with one step before it: the one that leaves fewest differences."""
        found = [
            self.solved(run, [*run.assumed, *ending.path, *goal], marks)
            for run in self._runs
            for ending in run.endings.get(way.run.start, ())
            for goal, marks in [self.lifted(way, ending.state)]
        ]
        known = [other for other in found if other is not None]
        return min(known, key=lambda w: (not w.run.initial, w.differences), default=None)

    def lifted(self, way: _Way, after: SymbolicState) -> tuple[list[Truth], list[Mark]]:
        """The premises about a position, in terms of its predecessor.

        Everything else that is unknown there gets a new name: it was chosen at another time.
        """
        cells = {
            cell.get_id(): value
            for name, unknown in self.prover.world.any_state.arrays.items()
            for cell, value in zip(unknown.values, after.arrays[name].values, strict=True)
            if not isinstance(cell, int)
        }
        pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        for old in _unknowns([*way.goal, *(x for mark in way.marks for x in mark.values())]):
            if old.get_id() in cells:
                new = cells[old.get_id()]
                pairs.append((old, v.term(v.truth(new) if z3.is_bool(old) else v.number(new))))
            else:
                pairs.append((old, self.renamed(old)))
        return (
            [z3.substitute(v.term(part), *pairs) for part in way.goal],
            [
                {cell: z3.substitute(v.term(x), *pairs) for cell, x in mark.items()}
                for mark in way.marks
            ],
        )

    def renamed(self, old: z3.ExprRef) -> z3.ExprRef:
        """Another unknown of the same range."""
        new = z3.FreshConst(old.sort(), "then")
        limit = self.prover.world.limits.get(old.get_id())
        if limit is not None:
            self.prover.world.limit(new, z3.substitute(v.term(limit[1]), (old, new)))
        return new

    def solved(self, run: _Recorded, goal: list[Truth], marks: list[Mark]) -> _Way | None:
        """A solution with few differences; none if there is none, or the effort is used up."""
        goal = self.prover.spelled_out([part for part in goal if part is not True])
        if self.questions <= 0 or any(part is False for part in goal):
            return None
        self.questions -= 1
        model = smallest(self.prover, self.prover.everything(goal, run.initial), EFFORTS["low"][1])
        if model is None:
            return None
        relevant = self.prover.names(goal)
        here: Mark = {}
        differences = 0
        for array in self.module.arrays.values():
            cells = self.prover.world.any_state.arrays[array.name].values
            for k, cell in enumerate(cells):
                if not isinstance(cell, int) and cell.get_id() in relevant:
                    here[array.name, k] = cell
                    differences += self.number(model, cell) != array.initial[k]
        return _Way(run, goal, [*marks, here], model, differences)

    def number(self, model: z3.ModelRef, term: z3.ExprRef) -> int:
        """The value of a term in a solution."""
        return number_of(model.eval(v.term(term), model_completion=True))


def _unknowns(parts: list[Truth]) -> list[z3.ExprRef]:
    """The unknowns in some formulas."""
    found: dict[int, z3.ExprRef] = {}
    todo = [part for part in parts if not isinstance(part, int)]
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        if node.num_args() == 0 and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[node.get_id()] = node
        todo += node.children()
    return [found[identity] for identity in sorted(found)]
