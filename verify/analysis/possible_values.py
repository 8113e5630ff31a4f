"""The values that an expression can have in any state: a set in which none is missing.

Nothing is known of the state but the ranges of its cells; constant tables are known exactly, unless
they are taken to say anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from math import prod

from attrs import define, field

from compiler import ir
from compiler.flat_index import flat_index

# Numbers in ascending order if there are many of them, else a set.
Values = frozenset[int] | range
# More values than this become a range; more combinations are not enumerated.
MOST_VALUES = 300
MOST_COMBINATIONS = 5_000

FALSE: Values = frozenset({0})
TRUE: Values = frozenset({1})
_EITHER: Values = frozenset({0, 1})

_ARITHMETIC: dict[str, Callable[..., int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "neg": lambda a: -a,
    "abs": abs,
    "min": min,
    "max": max,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "not": lambda a: int(not a),
}


def collect(values: Iterable[int]) -> Values:
    """Values as a set, or as a range if there are many."""
    found = frozenset(values)
    return found if len(found) <= MOST_VALUES else range(min(found), max(found) + 1)


def _between(lo: int, hi: int) -> Values:
    return range(lo, hi + 1)


def _within(values: Values, lo: int, hi: int) -> Values:
    """Those of some values that lie in a range, which may be long."""
    if isinstance(values, range):
        return range(max(lo, values.start), min(hi + 1, values.stop))
    return frozenset(k for k in values if lo <= k <= hi)


def _only(value: int, values: Values) -> bool:
    return len(values) == 1 and value in values


@define(eq=False)
class PossibleValues:
    """The possible values of the expressions of one module.

    >>> from compiler import build as b
    >>> import rules_dsl as rd
    >>> x = b.local("x", 0, 9)
    >>> known = PossibleValues(rd.load("pig").ir)
    >>> sorted(known.of(b.mul(b.max_(x, b.int_(7)), b.int_(2)), {}))
    [14, 16, 18]
    """

    module: ir.Module
    # Tables that may say anything, with the least and the greatest value.
    loose: Mapping[str, tuple[int, int]] = field(factory=dict)
    _going_through: bool = False
    _calls: dict[tuple[str, tuple[Values, ...]], Values] = field(factory=dict)

    def of(self, expr: ir.Expr, env: Mapping[str, Values]) -> Values:
        """The values of an expression, given those of some of its locals."""
        match expr:
            case ir.Int(value):
                return frozenset({value})
            case ir.Local(name):
                return env.get(name, _between(expr.lo, expr.hi))
            case ir.Lookup(table, index):
                return self._lookup(expr, table, [self.of(i, env) for i in index])
            case ir.Select(index, items):
                there = [items[k] for k in _within(self.of(index, env), 0, len(items) - 1)]
                return self._any(expr, [self.of(item, env) for item in there])
            case ir.Op(kind, args):
                return self._operation(expr, kind, [self.of(arg, env) for arg in args])
            case ir.If(condition, then, otherwise):
                test = self.of(condition, env)
                ways = [then] * (1 in test) + [otherwise] * (0 in test)
                return self._any(expr, [self.of(way, env) for way in ways])
            case ir.Narrow(value):
                return self._any(expr, [_within(self.of(value, env), expr.lo, expr.hi)])
            case ir.Let(name, value, body):
                return self.of(body, {**env, name: self.of(value, env)})
            case ir.Call(function, args):
                return self._call(function, tuple(self.of(arg, env) for arg in args))
            case ir.Aggregate():
                return self._aggregate(expr, env)
            case ir.Cell() | ir.LocalCell() | ir.Graph() | ir.Field():
                return _between(expr.lo, expr.hi)
        raise AssertionError(expr)

    def _any(self, expr: ir.Expr, ways: list[Values]) -> Values:
        """The values of several alternatives; where all of them fail, nothing is known."""
        if sum(map(len, ways)) <= MOST_VALUES:
            found = collect(k for way in ways for k in way)
            return found or _between(expr.lo, expr.hi)
        return _between(min(min(w) for w in ways if w), max(max(w) for w in ways if w))

    def _lookup(self, expr: ir.Lookup, name: str, index: list[Values]) -> Values:
        if name in self.loose:
            return _between(*self.loose[name])
        table = self.module.tables[name]
        sizes = table.sizes
        inside = [_within(at, 0, size - 1) for at, size in zip(index, sizes, strict=True)]
        if prod(map(len, inside)) > MOST_COMBINATIONS:
            return collect(table.values)
        found = collect(table.values[flat_index(at, sizes)] for at in product(*inside))
        return found or _between(expr.lo, expr.hi)

    def _operation(self, expr: ir.Expr, kind: str, args: list[Values]) -> Values:
        if kind in ("and", "or"):
            decisive, other = (0, 1) if kind == "and" else (1, 0)
            if any(_only(decisive, arg) for arg in args):
                return frozenset({decisive})
            return _EITHER if any(decisive in arg for arg in args) else frozenset({other})
        if prod(map(len, args)) <= MOST_COMBINATIONS:
            combinations = product(*args)
            if kind in ("div", "mod"):
                combinations = (pair for pair in combinations if pair[1] != 0)  # type: ignore[assignment]
            found = collect(_ARITHMETIC[kind](*values) for values in combinations)
            return found or _between(expr.lo, expr.hi)
        if kind in ("lt", "le") and max(args[0]) < min(args[1]):
            return TRUE
        if kind in ("lt", "le") and min(args[0]) > max(args[1]):
            return FALSE
        return _between(expr.lo, expr.hi)

    def _call(self, name: str, args: tuple[Values, ...]) -> Values:
        known = self._calls.get((name, args))
        if known is None:
            function = self.module.functions[name]
            bound = {p.name: arg for p, arg in zip(function.params, args, strict=True)}
            known = self._calls[name, args] = self.of(function.body, bound)
        return known

    def _aggregate(self, expr: ir.Aggregate, env: Mapping[str, Values]) -> Values:
        """The elements of the last domain are taken one by one, those of others together."""
        inner = dict(env)
        for bound in expr.ranges:
            low, high = self.of(bound.low, inner), self.of(bound.high, inner)
            inner[bound.name] = _between(min(low), max(high))
            if not inner[bound.name]:
                return self._of_nothing(expr)
        last = expr.ranges[-1].name
        bodies: list[Values] = []
        for element in self.one_by_one(inner[last]):
            inner[last] = element
            if expr.where is None or 1 in self.of(expr.where, inner):
                bodies.append(TRUE if expr.body is None else self.of(expr.body, inner))
        if not bodies:
            return self._of_nothing(expr)
        match expr.kind:
            case "every":
                return TRUE if not any(0 in body for body in bodies) else _EITHER
            case "some":
                return FALSE if not any(1 in body for body in bodies) else _EITHER
            case "sum" | "count":
                nothing = all(_only(0, body) for body in bodies)
                return FALSE if nothing else _between(expr.lo, expr.hi)
            case "min" | "max" | "first":
                return self._any(expr, [*bodies, frozenset({expr.default})])

    def one_by_one(self, values: Values) -> Iterator[Values]:
        """Each value by itself, so that it is the same one wherever it occurs.

        Only where nothing is enumerated already: the work would multiply.
        """
        if self._going_through or len(values) > MOST_VALUES:
            yield values
            return
        self._going_through = True
        try:
            for value in values:
                yield frozenset({value})
        finally:
            self._going_through = False

    @staticmethod
    def _of_nothing(expr: ir.Aggregate) -> Values:
        empty = {"every": 1, "some": 0, "count": 0, "sum": 0}
        return frozenset({empty.get(expr.kind, expr.default)})
