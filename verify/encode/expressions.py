"""Expressions of the IR as values; possible faults in them are collected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

import z3
from attrs import define, field, frozen

from compiler import ir
from rules_dsl.language.spans import Span
from verify.encode import terms as v
from verify.encode.cell_reads import CellReader
from verify.encode.faults import Guard, may_fault, may_fault_in
from verify.encode.fields import field_value
from verify.encode.graphs import known_graph
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import World

if TYPE_CHECKING:
    from verify.encode.loop_cuts import KeptByRounds

Environment = Mapping[str, Value | tuple[Value, ...]]

# Factors and divisors of at most this many values are expanded into cases.
SMALL = 40
# A quotient of at most this many different values is written without a division.
FEW_STEPS = 8


@frozen(eq=False)
class SafetyCondition:
    """A condition without which the rules fault here."""

    condition: Truth
    what: str
    span: Span
    # The called rule that contains it, if it is not the rule being checked.
    rule: str = ""
    # The good that would be created or lost, if it is about one.
    conserves: str = ""
    # Whether it is assumed: the report names all assumptions that are not proved elsewhere.
    assumed: bool = False
    # The proposed fact that this is a part of, if any.
    proposal: KeptByRounds | None = None


@define(eq=False)
class Evaluator(CellReader):
    """Values of expressions in one state.

    `faults` collects what must hold; None collects nothing, as when an invariant is assumed.
    """

    faults: list[SafetyCondition] | None = None
    rule: str = ""
    guards: list[Truth] = field(factory=list)
    # Cells whose value is known more precisely than in the state.
    overrides: dict[tuple[object, ...], Value] = field(factory=dict)
    # Evaluates sums over many cells; None expands them.
    sums: Callable[[Evaluator, ir.Aggregate, Environment], Value | None] | None = None

    # ---- entry points --------------------------------------------------------------------------

    def number(self, expr: ir.Expr, env: Environment) -> v.Number:
        """An expression as a number."""
        return v.number(self.value(expr, env))

    def truth(self, expr: ir.Expr, env: Environment) -> Truth:
        """An expression as a truth value."""
        return v.truth(self.value(expr, env))

    def conjuncts(self, expr: ir.Expr, env: Environment) -> list[Truth]:
        """An invariant as a list of smaller ones."""
        match expr:
            case ir.Op("and", args):
                return [c for a in args for c in self.conjuncts(a, env)]
            case ir.Let(name, value, body):
                return self.conjuncts(body, {**env, name: self.value(value, env)})
            case ir.Call(name, args) if self._conjunctive(name):
                function = self.world.module.functions[name]
                bound = {
                    p.name: self.value(a, env) for p, a in zip(function.params, args, strict=True)
                }
                return self.conjuncts(function.body, bound)
            case ir.Aggregate("every", _, where, body) if body is not None:
                found = []
                for inner, guard in self.items(expr, env):
                    test = guard
                    if where is not None:
                        test = v.and_((guard, self.truth(where, inner)))
                    if test is False:
                        continue
                    with Guard(self, test):
                        parts = self.conjuncts(body, inner)
                    found += [v.implies(test, part) for part in parts]
                return found
        return [self.truth(expr, env)]

    def _conjunctive(self, function: str) -> bool:
        body = self.world.module.functions[function].body
        return isinstance(body, ir.Aggregate | ir.Op) and body.kind in ("every", "and")

    # ---- the cases -----------------------------------------------------------------------------

    def value(self, expr: ir.Expr, env: Environment) -> Value:
        """The value of an expression."""
        match expr:
            case ir.Int(number):
                return number
            case ir.Local(name):
                found = env[name]
                assert not isinstance(found, tuple)
                return found
            case ir.Select(index, items):
                at = self.value(index, env)
                values = tuple(self.value(item, env) for item in items)
                return self.pick(values, (len(values),), (index,), (at,))
            case ir.LocalCell(name, index):
                return self.local_cell(expr, name, index, env)
            case ir.Cell():
                return self.cell(expr, env)
            case ir.Lookup(name, index):
                table = self.world.module.tables[name]
                return self.lookup(table, index, tuple(self.value(i, env) for i in index))
            case ir.Op():
                return self.op(expr, env)
            case ir.If(condition, then, otherwise):
                return self.choice(condition, then, otherwise, env)
            case ir.Narrow(value):
                return self.narrow(expr, value, env)
            case ir.Let(name, value, body):
                return self.value(body, {**env, name: self.value(value, env)})
            case ir.Call():
                return self.call(expr, env)
            case ir.Aggregate():
                return self.aggregate(expr, env)
            case ir.Graph():
                return self.graph(expr, env)
            case ir.Field():
                return field_value(self, expr, env)
        raise AssertionError(expr)

    def narrow(self, expr: ir.Narrow, value: ir.Expr, env: Environment) -> Value:
        inner = self.value(value, env)
        if self.faults is not None:
            condition = v.in_range(inner, expr.lo, expr.hi)
            if condition is not True:
                self.fault(condition, f"{expr.what} in {expr.lo}..{expr.hi}", expr.span)
        return inner

    def fault(
        self,
        condition: Truth,
        what: str,
        span: Span,
        conserves: str = "",
        assumed: bool = False,
        proposal: KeptByRounds | None = None,
    ) -> Truth:
        """Something that must hold here; returned with the conditions under which it must."""
        if self.faults is None:
            return True
        guarded = v.implies(v.and_(self.guards), condition)
        if guarded is not True:
            self.faults.append(
                SafetyCondition(guarded, what, span, self.rule, conserves, assumed, proposal)
            )
        return guarded

    def choice(
        self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, env: Environment
    ) -> Value:
        test = self.truth(condition, env)
        if isinstance(test, bool):
            return self.value(then if test else otherwise, env)
        with Guard(self, test):
            one = self.value(then, env)
        with Guard(self, v.not_(test)):
            two = self.value(otherwise, env)
        return v.ite(test, one, two)

    # ---- cells ---------------------------------------------------------------------------------

    def cell(self, expr: ir.Cell, env: Environment) -> Value:
        array = self.world.module.arrays[expr.array]
        index = tuple(self.value(i, env) for i in expr.index)
        if self.overrides:
            found = self.overrides.get((expr.array, *(v.key(i) for i in index)))
            if found is not None:
                return found
        written = self.written(expr.array, index)
        if written is not None:
            return written
        return self.read(array, self.state.arrays[expr.array], expr.index, index)

    def local_cell(self, expr: ir.LocalCell, name: str, index: ir.Expr, env: Environment) -> Value:
        cells = env[name]
        assert isinstance(cells, tuple)
        at = self.value(index, env)
        return self.pick(cells, (len(cells),), (index,), (at,))

    # ---- operators -----------------------------------------------------------------------------

    def op(self, expr: ir.Op, env: Environment) -> Value:
        kind, args = expr.kind, expr.args
        if kind in ("and", "or"):
            return self.junction(kind == "and", args, env)
        values = [self.value(a, env) for a in args]
        match kind:
            case "add":
                return v.add(*values)
            case "sub":
                return v.sub(values[0], values[1])
            case "mul":
                return self.product(args, values)
            case "div" | "mod":
                return self.quotient(kind, args[0], args[1], values)
            case "neg":
                return v.neg(values[0])
            case "abs":
                return v.ite(v.le(0, values[0]), values[0], v.neg(values[0]))
            case "min":
                return v.minimum(values[0], values[1])
            case "max":
                return v.maximum(values[0], values[1])
            case "eq":
                return v.eq(values[0], values[1])
            case "ne":
                return v.not_(v.eq(values[0], values[1]))
            case "lt":
                return v.lt(values[0], values[1])
            case "le":
                return v.le(values[0], values[1])
            case "not":
                return v.not_(values[0])
        raise AssertionError(kind)

    def junction(self, conjunction: bool, args: tuple[ir.Expr, ...], env: Environment) -> Truth:
        """`and` and `or`: a later part matters only if the earlier ones leave it open."""
        parts: list[Truth] = []
        before = len(self.guards)
        for arg in args:
            part = self.truth(arg, env)
            parts.append(part)
            if part is (not conjunction):
                break
            self.guards.append(part if conjunction else v.not_(part))
        del self.guards[before:]
        return v.and_(parts) if conjunction else v.or_(parts)

    def product(self, args: tuple[ir.Expr, ...], values: list[Value]) -> Value:
        one, two = values
        if isinstance(one, int) or isinstance(two, int):
            return v.mul(one, two)
        small, large = (0, 1) if args[0].hi - args[0].lo <= args[1].hi - args[1].lo else (1, 0)
        low, high = args[small].lo, args[small].hi
        if high - low > SMALL:
            return v.mul(one, two)
        return self.by_cases(values[small], low, high, lambda k: v.mul(k, values[large]))

    def stairs(self, kind: str, dividend: ir.Expr, value: Value, by: int) -> Value:
        """A quotient of few values as a sum of comparisons, which solvers like better."""
        if isinstance(value, int):
            return int(value) // by if kind == "div" else int(value) % by
        lowest, highest = dividend.lo // by, dividend.hi // by
        steps = [v.ite(v.le(k * by, value), 1, 0) for k in range(lowest + 1, highest + 1)]
        quotient = v.add(lowest, *steps)
        return quotient if kind == "div" else v.sub(value, v.mul(by, quotient))

    def quotient(
        self, kind: str, dividend: ir.Expr, divisor: ir.Expr, values: list[Value]
    ) -> Value:
        make = v.div if kind == "div" else v.mod
        by = values[1]
        if isinstance(by, int):
            if by > 0 and (dividend.hi - dividend.lo) // by <= FEW_STEPS:
                return self.stairs(kind, dividend, values[0], int(by))
            return 0 if by == 0 else make(values[0], int(by))
        return self.by_cases(by, divisor.lo, divisor.hi, lambda k: make(values[0], k) if k else 0)

    def by_cases(self, value: Value, low: int, high: int, make: Callable[[int], Value]) -> Value:
        """A value that depends on another, by cases of the other."""
        result = make(high)
        for k in range(high - 1, low - 1, -1):
            result = v.ite(v.eq(value, k), make(k), result)
        return result

    # ---- functions -----------------------------------------------------------------------------

    def call(self, expr: ir.Call, env: Environment) -> Value:
        return self.applied(expr.function, tuple(self.value(a, env) for a in expr.args))

    def applied(self, name: str, args: tuple[Value, ...]) -> Value:
        """The value of a function."""
        function = self.world.module.functions[name]
        bound = {p.name: a for p, a in zip(function.params, args, strict=True)}
        if self.overrides or (self.faults is not None and may_fault(self, function.name)):
            return self.value(function.body, bound)
        arrays = sorted(self.world.effects.function(function.name))
        memo = (
            "call",
            function.name,
            *(v.key(a) for a in args),
            *(self.state.arrays[a].version for a in arrays),
        )
        known = self.world.memo.get(memo)
        if known is None:
            result = self.value(function.body, bound)
            keep = (args, [self.state.arrays[a] for a in arrays])
            known = self.world.memo[memo] = (result, keep)
        return known[0]

    # ---- aggregates ----------------------------------------------------------------------------

    def items(self, expr: ir.Aggregate, env: Environment) -> Iterator[tuple[Environment, Truth]]:
        """The combinations of an aggregate's ranges, each with the condition that it is in them."""

        def go(depth: int, inner: Environment, guard: Truth) -> Iterator[tuple[Environment, Truth]]:
            if depth == len(expr.ranges):
                yield inner, guard
                return
            range_ = expr.ranges[depth]
            low, high = self.value(range_.low, inner), self.value(range_.high, inner)
            first = int(low) if isinstance(low, int) else range_.low.lo
            last = int(high) if isinstance(high, int) else range_.high.hi
            for k in range(first, last + 1):
                test = v.and_((guard, v.le(low, k), v.le(k, high)))
                if test is not False:
                    yield from go(depth + 1, {**inner, range_.name: k}, test)

        yield from go(0, env, True)

    def tested(self, expr: ir.Aggregate, env: Environment) -> Iterator[tuple[Truth, Value]]:
        """Each combination's condition and value; faults count only where the condition holds."""
        for inner, guard in self.items(expr, env):
            test = guard
            if expr.where is not None:
                with Guard(self, guard):
                    test = v.and_((guard, self.truth(expr.where, inner)))
            if test is False:
                continue
            value: Value = 1
            if expr.body is not None:
                with Guard(self, test):
                    value = self.value(expr.body, inner)
            yield test, value

    def aggregate(self, expr: ir.Aggregate, env: Environment) -> Value:
        if expr.kind in ("count", "sum") and self.sums is not None and not self.overrides:
            if self.faults is not None and may_fault_in(self, expr):
                list(self.tested(expr, env))  # only for its faults
            total = self.sums(self, expr, env)
            if total is not None:
                return total
        items = list(self.tested(expr, env))
        match expr.kind:
            case "every":
                return v.and_(v.implies(test, value) for test, value in items)
            case "some":
                return v.or_(v.and_((test, value)) for test, value in items)
            case "count" | "sum":
                return v.add(*(v.ite(test, v.number(value), 0) for test, value in items))
        result: Value = expr.default
        if expr.kind == "first":
            for test, value in reversed(items):
                result = v.ite(test, value, result)
            return result
        better = v.minimum if expr.kind == "min" else v.maximum
        for test, value in items:
            result = v.ite(test, better(v.number(value), result), result)
        return result

    # ---- graphs --------------------------------------------------------------------------------

    def graph(self, expr: ir.Graph, env: Environment) -> Value:
        start = self.value(expr.start, env)
        goal = None if expr.goal is None else self.value(expr.goal, env)
        if self.faults is not None and may_fault(self, expr.step):
            nodes = range(expr.first, expr.first + expr.nodes)
            for pair in product(nodes, repeat=2):
                self.applied(expr.step, pair)  # only for its faults
        if isinstance(start, int) and (goal is None or isinstance(goal, int)):
            found = self.searched(expr, int(start), None if goal is None else int(goal))
            if found is not None:
                return found
        if expr.kind == "reaches" and goal is not None and v.same(start, goal):
            return True
        if expr.kind == "distance" and goal is not None and v.same(start, goal):
            return 0
        return self.unknown_path(expr, start, goal)

    def searched(self, expr: ir.Graph, start: int, goal: int | None) -> int | None:
        """The answer, if every step is known."""
        if not self.known_state(self.world.effects.function(expr.step)):
            return None
        function = self.world.module.functions[expr.step]
        one, two = function.params

        def step(a: int, b: int) -> int:
            price = self.value(function.body, {one.name: a, two.name: b})
            assert isinstance(price, int)
            return int(price)

        return known_graph(expr, start, goal, step)

    def known_state(self, arrays: frozenset[str]) -> bool:
        """Whether all cells of some arrays are known."""
        return all(isinstance(c, int) for a in arrays for c in self.state.arrays[a].values)

    def unknown_path(self, expr: ir.Graph, start: Value, goal: Value | None) -> Value:
        """An unknown answer, the same for the same question about the same state."""
        arrays = sorted(self.world.effects.function(expr.step))
        versions = ".".join(str(self.state.arrays[a].version) for a in arrays)
        versions = versions or f"world {self.world.number}"
        about = f"{expr.kind} within {expr.bound} of {expr.first}+{expr.nodes}"
        name = f"{about} by {expr.step}@{versions}"
        args = [v.term(v.number(start))]
        if goal is not None:
            args.append(v.term(v.number(goal)))
        sorts = [z3.IntSort()] * len(args)
        self.world.memo[("graph", name)] = (expr, [self.state.arrays[a] for a in arrays])
        if (expr.lo, expr.hi) == (0, 1):
            return z3.Function(name, *sorts, z3.BoolSort())(*args)
        result = z3.Function(name, *sorts, z3.IntSort())(*args)
        self.world.limit(result, v.in_range(result, expr.lo, expr.hi))
        return result


def local_cells(world: World, name: str, lo: int, hi: int) -> tuple[Value, ...]:
    """The unknown values of a secret choice; before it is made they may be 0."""
    lo, hi = min(lo, 0), max(hi, 0)
    return tuple(
        world.unknown(f"{name}?{lo}..{hi} of {k}", lo, hi) for k in range(world.module.players)
    )
