"""Expressions as Python closures: for values computed many times before a game starts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from compiler import ir
from compiler.effort import Efforts
from compiler.flat_index import flat_index, outside
from compiler.interpret import IRFault, gathered

Values = Mapping[str, int]
Closure = Callable[[Values], int]

_TWO: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.floordiv,
    "mod": operator.mod, "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "min": min, "max": max,
}  # fmt: skip
_ONE: dict[str, Callable[[int], int]] = {
    "neg": operator.neg,
    "abs": abs,
    "not": operator.not_,
}


class Closures:
    """Makes closures out of expressions that read locals and constants, but no state.

    >>> from compiler.build import add, int_, local
    >>> twice = Closures({}, {}).make(add(local("x", 0, 9), local("x", 0, 9)))
    >>> twice({"x": 4})
    8
    """

    def __init__(
        self, functions: Mapping[str, ir.Function], tables: Mapping[str, ir.Table]
    ) -> None:
        self.functions = functions
        self.tables = tables
        self._bodies: dict[str, Closure] = {}
        self.efforts = Efforts(functions)

    def make(self, expr: ir.Expr) -> Closure:
        """A closure that gives the value of an expression; `IRFault` if it has none."""
        match expr:
            case ir.Int(number):
                return lambda env: number
            case ir.Local(name):
                return operator.itemgetter(name)
            case ir.Lookup(table, index):
                return self._lookup(self.tables[table], [self.make(i) for i in index])
            case ir.Select(index, items):
                at, parts = self.make(index), [self.make(item) for item in items]
                return lambda env: parts[at(env)](env)
            case ir.Op(kind, args):
                return _operation(kind, [self.make(a) for a in args])
            case ir.If(condition, then, otherwise):
                test, yes, no = self.make(condition), self.make(then), self.make(otherwise)
                return lambda env: yes(env) if test(env) else no(env)
            case ir.Narrow(value):
                return _narrowed(expr, self.make(value))
            case ir.Let(name, value, body):
                bound, inner = self.make(value), self.make(body)
                return lambda env: inner({**env, name: bound(env)})
            case ir.Call(function, args):
                return self._call(function, [self.make(a) for a in args])
            case ir.Aggregate():
                return self._aggregate(expr)
        raise AssertionError(expr)

    def _lookup(self, table: ir.Table, index: list[Closure]) -> Closure:
        def value(env: Values) -> int:
            at = [part(env) for part in index]
            wrong = outside(at, table.sizes)
            if wrong is not None:
                raise IRFault(f"the index {wrong[0]} is outside 0..{wrong[1] - 1}")
            return table.values[flat_index(at, table.sizes)]

        return value

    def _call(self, name: str, args: list[Closure]) -> Closure:
        if name not in self._bodies:
            self._bodies[name] = self.make(self.functions[name].body)
        body = self._bodies[name]
        params = [p.name for p in self.functions[name].params]
        return lambda env: body({p: a(env) for p, a in zip(params, args, strict=True)})

    def _aggregate(self, expr: ir.Aggregate) -> Closure:
        ranges = [(r.name, self.make(r.low), self.make(r.high)) for r in expr.ranges]
        where = None if expr.where is None else self.make(expr.where)
        body = None if expr.body is None else self.make(expr.body)

        def combinations(depth: int, env: Values) -> Iterator[Values]:
            if depth == len(ranges):
                if where is None or where(env):
                    yield env
                return
            name, low, high = ranges[depth]
            for value in range(low(env), high(env) + 1):
                yield from combinations(depth + 1, {**env, name: value})

        def value(env: Values) -> int:
            found = combinations(0, env)
            if body is None:
                return sum(1 for _ in found)
            return gathered(expr, (body(inner) for inner in found))

        return value


def _operation(kind: str, args: list[Closure]) -> Closure:
    if kind == "and":
        return lambda env: int(all(a(env) for a in args))
    if kind == "or":
        return lambda env: int(any(a(env) for a in args))
    if kind in _ONE:
        one, only = _ONE[kind], args[0]
        return lambda env: int(one(only(env)))
    two = _TWO[kind]
    left, right = args
    if kind in ("div", "mod"):
        return lambda env: _divided(two, left(env), right(env))
    return lambda env: int(two(left(env), right(env)))


def _divided(how: Callable[[int, int], int], left: int, right: int) -> int:
    if right == 0:
        raise IRFault("this divides by zero")
    return how(left, right)


def _narrowed(expr: ir.Narrow, value: Closure) -> Closure:
    def checked(env: Values) -> int:
        inner = value(env)
        if not expr.lo <= inner <= expr.hi:
            raise IRFault(f"{expr.what} is {inner}, outside {expr.lo}..{expr.hi}")
        return inner

    return checked
