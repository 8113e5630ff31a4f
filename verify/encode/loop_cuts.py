"""Loops that are too long to be unrolled: an arbitrary round represents all of them.

A short loop without decisions is unrolled. A longer one is cut: an arbitrary round starts in a
state of which only the facts kept by every round are known, and the ranges of the cells that the
loop writes; its obligations are proved once. The same is known after the loop. The facts that the
loop keeps are proposed (invariants, bounds on counters) and proved, at the start of the loop and at
the end of an arbitrary round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import z3
from attrs import define, field, frozen

from compiler import build as b
from compiler import ir
from compiler.traverse import every_statement
from rules_dsl.language.spans import Span
from verify.analysis.loop_growth import Growth, growths
from verify.encode import terms as v
from verify.encode.counting import goods_in_all
from verify.encode.hypotheses import INVARIANT
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Opened, SymbolicState

if TYPE_CHECKING:
    from verify.encode.statements import Locals, SymbolicRun

# Loops of at most this many rounds are only cut if they are very much work, or inside a loop that
# is cut.
FEW_ROUNDS = 16
# The most work of a loop that is carried out: how often its rounds change something once more.
MOST_WORK, MOST_WORK_OF_FEW_ROUNDS = 500, 10_000

# Names of locals that only proposals mention: next round, first round, and values before the loop.
_NEXT, _FIRST, _BEFORE = "the next round", "the first round", "before the loop"


@frozen
class KeptByRounds:
    """Facts that every round of a loop is proposed to keep."""

    rule: str
    loop: Span
    kept: ir.Expr
    # The invariant that it is, if it is one.
    invariant: str = ""


@define(eq=False)
class _Work:
    """Number of times that the rounds of a loop overwrite cells of earlier rounds."""

    most: int
    done: int = 0
    _times: dict[tuple[str, int], int] = field(factory=dict)

    @property
    def too_much(self) -> bool:
        """Whether the loop is to be cut."""
        return self.done > self.most

    def note(self, arrays: dict[str, tuple[Value, ...]], run: SymbolicRun) -> None:
        """A round has been carried out; `arrays` are the values of cells and locals before it."""
        for name, after in _values(run).items():
            before = arrays.get(name)
            if before is None or before is after:
                continue
            for at, (old, new) in enumerate(zip(before, after, strict=True)):
                if isinstance(new, z3.ExprRef) and not v.same(old, new):
                    times = self._times.get((name, at), 0)
                    self._times[name, at] = times + 1
                    self.done += times


def _values(run: SymbolicRun) -> dict[str, tuple[Value, ...]]:
    """The values of all cells and locals; names of locals are told apart from those of arrays."""
    result = {name: cells.values for name, cells in run.state.arrays.items()}
    for name, value in run.locals.items():
        result[f"local {name}"] = value if isinstance(value, tuple) else (value,)
    return result


@define(eq=False)
class LoopCuts:
    """Carries out the loops of a step, and cuts those that are too much work."""

    invariants: tuple[ir.Invariant, ...]
    # Facts proposed for a loop of this step that could not be proved.
    dropped: set[KeptByRounds] = field(factory=set)
    # The loops that are carried out, the innermost last.
    under_way: list[_Work] = field(factory=list)
    # The number of loops that are cut around the present one.
    inside: int = 0

    def carry_out(
        self, run: SymbolicRun, loop: ir.Loop, low: v.Number, high: v.Number, rounds: range
    ) -> None:
        """All rounds one by one, or else any of them."""
        few = len(rounds) <= FEW_ROUNDS and not self.inside
        work = _Work(MOST_WORK_OF_FEW_ROUNDS if few else MOST_WORK)
        before, known = run.copy(), len(run.faults)
        places = {array: dict(found) for array, found in run.world.places.items()}
        self.under_way.append(work)
        for number in rounds:
            values = _values(run)
            run.one_round(loop, low, high, number)
            for one in self.under_way:
                one.note(values, run)
            if work.too_much:
                break
        self.under_way.pop()
        if work.too_much:
            del run.faults[known:]
            run.state, run.locals, run.left = before.state, before.locals, before.left
            run.reveals = before.reveals
            run.world.places = places
            self.cut(run, loop, low, high, rounds)

    # ---- any round -----------------------------------------------------------------------------

    def cut(
        self, run: SymbolicRun, loop: ir.Loop, low: v.Number, high: v.Number, rounds: range
    ) -> None:
        """An arbitrary round, and the state after the loop."""
        world = run.world
        arrays = sorted(world.effects.written(loop.body))
        env: Locals = {_FIRST: low}
        for growth in self.growths(run, loop):
            env[_remembered(growth.counted)] = run.silent().value(growth.counted, run.locals)
        proposals = list(self.proposals(run, loop, arrays, rounds))
        self.claim(run, proposals, env, low, loop.span)

        number = world.fresh(loop.range.name, rounds[0], rounds[-1])
        one = run.apart(v.and_((v.le(low, number), v.le(number, high))))
        self.open(one, loop, arrays)
        self.know(one, proposals, env, number, loop.span)
        self.inside += 1
        one.round(loop.range.name, number, loop.body)
        self.inside -= 1
        self.claim(one, proposals, env, v.add(number, 1), loop.span)

        self.open(run, loop, arrays)
        behind: Value = v.maximum(low, v.add(high, 1))
        if any(isinstance(part, ir.Leave) for part in every_statement(loop.body)):
            run.left = v.truth(world.fresh("left", 0, 1))
            behind = world.fresh(loop.range.name, rounds[0], max(rounds[-1] + 1, loop.range.low.hi))
        self.know(run, proposals, env, behind, loop.span)

    def open(self, run: SymbolicRun, loop: ir.Loop, arrays: list[str]) -> None:
        """Forget the cells that the loop writes, except ranges and that goods are only moved."""
        world, state = run.world, run.state
        for name in arrays:
            state.arrays[name] = world.open_cells(world.module.arrays[name])
        opened = SymbolicState(dict(state.arrays))
        for name in arrays:
            state.opened[name] = Opened(len(state.log), opened)
        begun = world.fresh("begun", 0, 1)
        for name, (lo, hi) in sorted(_ranges(loop.body).items()):
            old = run.locals.get(name)
            if isinstance(old, tuple):
                cells = tuple(world.fresh(name, lo, hi) for _ in old)
                run.locals[name] = tuple(
                    v.ite(begun, new, was) for new, was in zip(cells, old, strict=True)
                )
            elif old is not None:
                run.locals[name] = v.ite(begun, world.fresh(name, lo, hi), old)
        goods = {good for name in arrays for good in world.module.arrays[name].goods}
        for total in goods_in_all(world, state, goods):
            run.evaluator().fault(total, "the number of goods", loop.span, assumed=True)

    # ---- what every round keeps ----------------------------------------------------------------

    def proposals(
        self, run: SymbolicRun, loop: ir.Loop, arrays: list[str], rounds: range
    ) -> Iterator[KeptByRounds]:
        """The invariants about cells that the loop writes, and the bounds of its counters."""
        found = [
            KeptByRounds(run.rule, loop.span, invariant.condition, invariant.name)
            for invariant in self.invariants
            if run.world.effects.reads(invariant.condition).arrays & set(arrays)
        ]
        first = b.local(_FIRST, rounds[0], rounds[-1] + 1)
        rounds_done = b.sub(b.local(_NEXT, rounds[0], rounds[-1] + 1), first)
        for growth in self.growths(run, loop):
            counted = growth.counted
            start = b.local(_remembered(counted), counted.lo, counted.hi)
            found += [
                KeptByRounds(run.rule, loop.span, bound)
                for bound in growth.bounds(start, rounds_done)
            ]
        return (proposal for proposal in found if proposal not in self.dropped)

    def growths(self, run: SymbolicRun, loop: ir.Loop) -> list[Growth]:
        """The counters of a loop, without locals that are new in every round."""
        return [
            growth
            for growth in growths(loop.body)
            if not isinstance(growth.counted, ir.Local) or growth.counted.name in run.locals
        ]

    def claim(
        self,
        run: SymbolicRun,
        proposals: list[KeptByRounds],
        env: Locals,
        rounds: Value,
        span: Span,
    ) -> None:
        """The obligation that a fact is kept up to here."""
        for proposal, part in _kept(run, proposals, env, rounds):
            run.evaluator().fault(part, "kept by every round", span, proposal=proposal)

    def know(
        self,
        run: SymbolicRun,
        proposals: list[KeptByRounds],
        env: Locals,
        rounds: Value,
        span: Span,
    ) -> None:
        """The premises that every round keeps."""
        for proposal, part in _kept(run, proposals, env, rounds):
            known = run.evaluator().fault(part, "kept by every round", span, assumed=True)
            if proposal.invariant:
                run.world.note_source(known, INVARIANT + proposal.invariant)


def _kept(
    run: SymbolicRun, proposals: list[KeptByRounds], env: Locals, rounds: Value
) -> Iterator[tuple[KeptByRounds, Truth]]:
    """The conjuncts of proposed facts in the present state."""
    for proposal in proposals:
        for part in run.silent().conjuncts(proposal.kept, {**run.locals, **env, _NEXT: rounds}):
            yield proposal, part


def _remembered(counted: ir.Cell | ir.Local) -> str:
    """The name of a value before the loop."""
    return f"{counted} {_BEFORE}"


def _ranges(body: tuple[ir.Statement, ...]) -> dict[str, tuple[int, int]]:
    """The locals that statements set, with the range of the values."""
    found: dict[str, tuple[int, int]] = {}
    for statement in every_statement(body):
        match statement:
            case ir.SetLocal(target, value) | ir.SetLocalCell(target, value):
                lo, hi = found.get(target.name, (value.lo, value.hi))
                found[target.name] = (min(lo, value.lo), max(hi, value.hi))
    return found
