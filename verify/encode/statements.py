"""Statements of the IR: the state after them, by substitution."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import define, field, frozen

from compiler import ir
from compiler.rule_id import rule_name
from rules_dsl.language.spans import Span
from verify.analysis.fact_places import ghost_name
from verify.analysis.goods import short_of_room, unlimited
from verify.encode import terms as v
from verify.encode.counting import Totals
from verify.encode.expressions import Evaluator, SafetyCondition
from verify.encode.loop_cuts import LoopCuts
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells, SymbolicState, World, Write

Locals = dict[str, Value | tuple[Value, ...]]


@frozen(eq=False)
class Revealed:
    """A value that the rules reveal: under which condition, and to which player (None: all)."""

    guard: Truth
    value: Value
    to: Value | None
    span: Span


@define(eq=False)
class SymbolicRun:
    """A symbolic run of statements: the state, the locals, and the obligations met on the way."""

    world: World
    state: SymbolicState
    locals: Locals
    totals: Totals
    faults: list[SafetyCondition] = field(factory=list)
    guards: list[Truth] = field(factory=list)
    # Whether the routine has returned, so that the rest of it is skipped.
    left: Truth = False
    # The routine that is carried out.
    rule: str = ""
    # Revealed values.
    reveals: list[Revealed] = field(factory=list)
    # Cuts loops that are too much work; None carries out every round.
    cuts: LoopCuts | None = None

    def evaluator(self) -> Evaluator:
        """Values in the present state."""
        return Evaluator(
            self.world,
            self.state,
            self.faults,
            self.rule,
            self.guards,
            sums=self.totals.evaluate,
        )

    def silent(self) -> Evaluator:
        """Values in the present state, of expressions that no step evaluates."""
        return Evaluator(self.world, self.state, sums=self.totals.evaluate)

    def copy(self) -> SymbolicRun:
        """A copy of the run, to take another branch."""
        return SymbolicRun(
            self.world, self.state.copy(), dict(self.locals), self.totals, list(self.faults),
            list(self.guards), self.left, self.rule, list(self.reveals), self.cuts,
        )  # fmt: skip

    # ---- statements ----------------------------------------------------------------------------

    def run(self, statements: tuple[ir.Statement, ...]) -> None:
        """Carry out statements."""
        for at, statement in enumerate(statements):
            if self.left is True:
                return
            if not isinstance(self.left, bool):
                # A path may have left the rule: the rest happens only if not.
                self.when(v.not_(self.left), partial(SymbolicRun.run, statements=statements[at:]))
                return
            self.statement(statement)

    def statement(self, statement: ir.Statement) -> None:
        """Carry out one statement."""
        match statement:
            case ir.SetCell(target, value):
                new = self.evaluator().value(value, self.locals)
                self.write(target, new)
            case ir.SetLocal(target, value):
                self.locals[target.name] = self.evaluator().value(value, self.locals)
            case ir.SetLocalCell(target, value):
                self.set_local_cell(target, value)
            case ir.Transfer():
                self.transfer(statement)
            case ir.PlaceCard(target, source, place):
                self.place_card(target, source, place, statement.span)
            case ir.Branch(condition, then, otherwise):
                self.branch(self.evaluator().truth(condition, self.locals), then, otherwise)
            case ir.Loop():
                self.loop(statement)
            case ir.Do(routine, args):
                self.routine(routine, args, statement.span)
            case ir.Check(condition, reason):
                self.check(self.evaluator().truth(condition, self.locals), reason, statement.span)
            case ir.Reveal(value, _, _, to):
                look = self.evaluator()
                whom = None if to is None else look.value(to, self.locals)
                shown = look.value(value, self.locals)
                guard = v.and_(self.guards)
                self.reveals.append(Revealed(guard, shown, whom, statement.span))
            case ir.Leave():
                self.left = True
            case _:
                raise AssertionError(statement)

    def check(self, condition: Truth, what: str, span: Span) -> None:
        """Add a condition that must hold here."""
        self.evaluator().fault(condition, what, span)

    def set_local_cell(self, target: ir.LocalCell, value: ir.Expr) -> None:
        look = self.evaluator()
        cells = self.locals[target.name]
        assert isinstance(cells, tuple)
        at, new = look.value(target.index, self.locals), look.value(value, self.locals)
        self.locals[target.name] = tuple(
            v.ite(v.eq(at, k), new, old) for k, old in enumerate(cells)
        )

    # ---- writing -------------------------------------------------------------------------------

    def write(self, target: ir.Cell, new: Value, source: Value | None = None) -> None:
        """Change one cell of the state."""
        array = self.world.module.arrays[target.array]
        look = self.evaluator()
        index = tuple(look.value(i, self.locals) for i in target.index)
        cells = self.state.arrays[target.array]
        old = look.read(array, cells, target.index, index)
        if v.same(old, new):
            return
        before = self.state.copy()
        conditions: list[list[tuple[int, Truth]]] = []
        for at, expr, dimension in zip(index, target.index, array.dimensions, strict=True):
            low, high = max(0, expr.lo), min(dimension.size - 1, expr.hi)
            candidates = [int(at)] if isinstance(at, int) else range(low, high + 1)
            conditions.append([(k, v.eq(at, k)) for k in candidates if 0 <= k < dimension.size])
        values = list(cells.values)

        def go(depth: int, flat: int, tests: list[Truth]) -> None:
            if depth == len(conditions):
                values[flat] = v.ite(v.and_(tests), new, values[flat])
                return
            for k, test in conditions[depth]:
                go(depth + 1, flat * array.dimensions[depth].size + k, [*tests, test])

        go(0, 0, [])
        self.state.arrays[target.array] = Cells(tuple(values))
        guard = v.and_(self.guards)
        after = SymbolicState(dict(self.state.arrays), opened=dict(self.state.opened))
        after.log = [
            *self.state.log,
            Write(target.array, index, guard, old, new, before, after, source),
        ]
        self.state.log = list(after.log)

    def transfer(self, move: ir.Transfer) -> None:
        """Goods leave one cell and enter another.

        That they fit needs no proof: the total of a good is never more than a cell holds (the
        total does not change, which is proved for each transfer by its own obligation).
        """
        look = self.evaluator()
        amount = look.number(move.amount, self.locals)
        there = look.number(move.source, self.locals)
        endless = self.endless(move.source)
        enough = v.le(amount, there)
        self.evaluator().fault(v.implies(endless, enough), "a full bank", move.span, assumed=True)
        if move.up_to:
            amount = v.number(v.ite(endless, amount, v.minimum(amount, there)))
        elif not _same_cell(move.source, move.amount):
            self.check(v.or_((endless, enough)), f"enough {move.good} to move", move.span)
        self.check(v.le(0, amount), f"a number of {move.good} to move", move.span)
        self.same_good(move)
        self.write(move.source, v.sub(there, amount))
        arrived = self.evaluator().number(move.target, self.locals)
        self.fits(move)
        self.write(move.target, v.add(arrived, amount))

    def endless(self, source: ir.Cell) -> Truth:
        """Whether a cell never runs out: a good without a limit in the bank."""
        array = self.world.module.arrays[source.array]
        good = self.silent().value(source.index[-1], self.locals)
        kinds = range(source.index[-1].lo, source.index[-1].hi + 1)
        without = [unlimited(self.world.module, array, array.goods[k]) for k in kinds]
        if all(without):
            return True
        return v.or_([v.eq(good, k) for k, free in zip(kinds, without, strict=True) if free])

    def same_good(self, move: ir.Transfer) -> None:
        """The amount that leaves is the amount that arrives."""
        arrays = self.world.module.arrays
        one, two = arrays[move.source.array].goods, arrays[move.target.array].goods
        look = self.evaluator()
        out = look.value(move.source.index[-1], self.locals)
        into = look.value(move.target.index[-1], self.locals)
        pairs = [
            v.and_((v.eq(out, i), v.eq(into, j)))
            for i, good in enumerate(one)
            for j, other in enumerate(two)
            if good == other
        ]
        self.evaluator().fault(
            v.or_(pairs), "the amount taken is the amount added", move.span, conserves=move.good
        )

    def fits(self, move: ir.Transfer) -> None:
        """A cell must be able to hold the total of a good."""
        array = self.world.module.arrays[move.target.array]
        if short_of_room(self.world.module, array):
            look = self.evaluator()
            amount = look.number(move.target, self.locals)
            self.check(v.le(amount, array.hi), f"room for {move.good}", move.span)

    def place_card(
        self, target: ir.Cell, source: ir.Expr | None, place: ir.Expr, span: Span
    ) -> None:
        look = self.evaluator()
        start: Value | None = None
        if source is not None:
            at = look.value(target, self.locals)
            start = look.value(source, self.locals)
            self.check(v.eq(at, start), "the card is where it leaves", span)
        self.write(target, look.value(place, self.locals), start)

    # ---- control -------------------------------------------------------------------------------

    def branch(
        self, condition: Truth, then: tuple[ir.Statement, ...], otherwise: tuple[ir.Statement, ...]
    ) -> None:
        """Both ways, joined."""
        if isinstance(condition, bool):
            self.run(then if condition else otherwise)
            return
        one, two = self.apart(condition), self.apart(v.not_(condition))
        one.run(then)
        two.run(otherwise)
        self.left = v.truth(v.ite(condition, one.left, two.left))
        self.join(condition, one, two)

    def when(self, condition: Truth, action: Callable[[SymbolicRun], None]) -> None:
        """A statement executed only under a condition."""
        if condition is False:
            return
        if condition is True:
            action(self)
            return
        one, two = self.apart(condition), self.apart(v.not_(condition))
        one.left = False
        action(one)
        self.left = v.or_((self.left, v.and_((condition, one.left))))
        self.join(condition, one, two)

    def apart(self, condition: Truth) -> SymbolicRun:
        """This run under a condition; all obligations are collected in one list."""
        one = self.copy()
        one.faults = self.faults
        one.guards.append(condition)
        return one

    def join(self, condition: Truth, one: SymbolicRun, two: SymbolicRun) -> None:
        """The state where two ways meet."""
        for name, cells in one.state.arrays.items():
            other = two.state.arrays[name]
            if cells.version == other.version:
                self.state.arrays[name] = cells
                continue
            pairs = zip(cells.values, other.values, strict=True)
            self.state.arrays[name] = Cells(tuple(v.ite(condition, a, b) for a, b in pairs))
        known = len(self.state.log)
        self.state.log += one.state.log[known:] + two.state.log[known:]
        self.state.meet(one.state, two.state)
        known = len(self.reveals)
        self.reveals += one.reveals[known:] + two.reveals[known:]
        for name in one.locals.keys() & two.locals.keys():
            a, b = one.locals[name], two.locals[name]
            if isinstance(a, tuple) and isinstance(b, tuple):
                self.locals[name] = tuple(v.ite(condition, x, y) for x, y in zip(a, b, strict=True))
            elif not isinstance(a, tuple) and not isinstance(b, tuple):
                self.locals[name] = v.ite(condition, a, b)

    def loop(self, loop: ir.Loop) -> None:
        range_, look = loop.range, self.evaluator()
        low = look.number(range_.low, self.locals)
        high = look.number(range_.high, self.locals)
        first = low if isinstance(low, int) else range_.low.lo
        last = high if isinstance(high, int) else range_.high.hi
        rounds = range(first, last + 1)
        if self.cuts is not None:
            self.cuts.carry_out(self, loop, low, high, rounds)
        else:
            for number in rounds:
                self.one_round(loop, low, high, number)
        self.locals.pop(range_.name, None)

    def one_round(self, loop: ir.Loop, low: Value, high: Value, number: int) -> None:
        """A round, under the condition that the loop reaches it."""
        test = v.and_((v.le(low, number), v.le(number, high), v.not_(self.left)))
        name, body = loop.range.name, loop.body
        self.when(test, partial(SymbolicRun.round, name=name, value=number, body=body))

    def round(self, name: str, value: Value, body: tuple[ir.Statement, ...]) -> None:
        """One round of a loop."""
        self.locals[name] = value
        self.run(body)

    def routine(self, name: str, args: tuple[ir.Expr, ...], span: Span) -> None:
        """A routine is carried out where it is called."""
        routine = self.world.module.routines[name]
        look = self.evaluator()
        values = [look.value(a, self.locals) for a in args]
        outer, self.locals = (
            self.locals,
            {p.name: a for p, a in zip(routine.params, values, strict=True)},
        )
        rule = rule_name(name)
        for condition in routine.requires:
            held = self.evaluator().truth(condition, self.locals)
            self.check(held, f"what {rule} assumes", span)
        given = dict(self.locals)
        for at, value in enumerate(routine.before):
            old = self.evaluator().value(value, self.locals)
            given[ir.before_name(at)] = outer[ghost_name(name, at)] = old
        caller, self.rule = self.rule, rule
        self.run(routine.body)
        self.left = False
        for condition in routine.ensures:
            held = self.evaluator().truth(condition, given)
            self.check(held, f"what {rule} ensures", routine.span)
        self.rule = caller
        self.locals = outer


def _same_cell(source: ir.Cell, amount: ir.Expr) -> bool:
    return source == amount
