"""Rewriting IR expressions: substitution with folding, inlining, unrolling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from attrs import evolve

from compiler import build as b
from compiler import ir
from compiler.flat_index import flat_index, outside
from compiler.lower.free import free
from compiler.traverse import children, map_children

Environment = Mapping[str, ir.Expr]

_FOLD: dict[str, Callable[..., ir.Expr]] = {
    "add": b.add, "sub": b.sub, "mul": b.mul, "div": b.div, "mod": b.mod, "neg": b.neg,
    "abs": b.abs_, "min": b.min_, "max": b.max_, "eq": b.eq, "ne": b.ne, "lt": b.lt, "le": b.le,
    "and": b.and_, "or": b.or_, "not": b.not_,
}  # fmt: skip


def substitute(expr: ir.Expr, env: Environment, tables: Mapping[str, ir.Table]) -> ir.Expr:
    """The expression with locals replaced; constants are folded, also those in tables.

    >>> from compiler.build import add, int_, local
    >>> substitute(add(local("x", 0, 9), int_(1)), {"x": int_(4)}, {}).value
    5
    """

    def go(node: ir.Expr) -> ir.Expr:
        match node:
            case ir.Local(name):
                return env.get(name, node)
            case ir.LocalCell(name, index):
                renamed = env.get(name)
                target = renamed.name if isinstance(renamed, ir.Local) else name
                return evolve(node, name=target, index=go(index))
            case ir.Lookup(table, index):
                return lookup(node, table, tuple(go(i) for i in index), tables)
            case ir.Select(index, items):
                return b.select(go(index), tuple(go(i) for i in items))
            case ir.Op(kind, args):
                return _FOLD[kind](*(go(a) for a in args))
            case ir.If(condition, then, otherwise):
                test = go(condition)
                if isinstance(test, ir.Int):
                    return go(then if test.value else otherwise)
                return b.if_(test, go(then), go(otherwise))
            case ir.Narrow(value):
                inner = go(value)
                if node.lo <= inner.lo and inner.hi <= node.hi:
                    return inner
                return evolve(node, value=inner)
            case ir.Let(name, value, body):
                bound = go(value)
                if isinstance(bound, ir.Int | ir.Local):
                    return substitute(body, {**env, name: bound}, tables)
                inner = substitute(body, _without(env, name), tables)
                return ir.Let(name, bound, inner, lo=inner.lo, hi=inner.hi)
            case ir.Aggregate():
                return _aggregate(node, env, tables)
        return map_children(node, go)

    return go(expr)


def _without(env: Environment, name: str) -> Environment:
    return {k: v for k, v in env.items() if k != name} if name in env else env


def _aggregate(node: ir.Aggregate, env: Environment, tables: Mapping[str, ir.Table]) -> ir.Expr:
    ranges = []
    inner = env
    for range_ in node.ranges:
        low = substitute(range_.low, inner, tables)
        high = substitute(range_.high, inner, tables)
        ranges.append(ir.Range(range_.name, low, high))
        inner = _without(inner, range_.name)
    where = None if node.where is None else substitute(node.where, inner, tables)
    body = None if node.body is None else substitute(node.body, inner, tables)
    return evolve(node, ranges=tuple(ranges), where=where, body=body)


def lookup(
    node: ir.Lookup, name: str, index: tuple[ir.Expr, ...], tables: Mapping[str, ir.Table]
) -> ir.Expr:
    """A cell of a constant table; its value, if the index is known."""
    table = tables.get(name)
    known = [i.value for i in index if isinstance(i, ir.Int)]
    if table is None or len(known) < len(index) or outside(known, table.sizes):
        return evolve(node, index=index)
    return b.int_(table.values[flat_index(known, table.sizes)])


def conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    """The parts of a condition that must all hold."""
    if expr is None:
        return []
    return list(expr.args) if isinstance(expr, ir.Op) and expr.kind == "and" else [expr]


def replace(expr: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    """The expression with one part replaced everywhere."""
    if expr == old:
        return new
    return map_children(expr, lambda child: replace(child, old, new))


def size(expr: ir.Expr) -> int:
    """How many nodes an expression has."""
    return 1 + sum(size(child) for child in children(expr))


def reads_state(expr: ir.Expr, functions: Mapping[str, ir.Function]) -> bool:
    """Whether the value depends on the state, directly or through functions."""
    known: dict[str, bool] = {}

    def called(name: str) -> bool:
        if name not in known:
            known[name] = go(functions[name].body)
        return known[name]

    def go(node: ir.Expr) -> bool:
        if isinstance(node, ir.Cell | ir.Graph | ir.Field | ir.LocalCell):
            return True
        if isinstance(node, ir.Call) and called(node.function):
            return True
        return any(go(child) for child in children(node))

    return go(expr)


def read_once(expr: ir.Expr, name: str) -> bool:
    """Whether an expression reads a local once at most (inside a loop is more than once)."""
    times = 0
    todo = [(expr, 1)]
    while todo and times <= 1:
        node, weight = todo.pop()
        if isinstance(node, ir.Local):
            times += weight * (node.name == name)
        else:
            weight = 2 if isinstance(node, ir.Aggregate) else weight
            todo += [(child, weight) for child in reversed(tuple(children(node)))]
    return times <= 1


INLINE_SIZE = 24
UNROLL_ITEMS = 12
UNROLL_SIZE = 120


def _extreme(kind: ir.OpKind, one: ir.Expr, other: ir.Expr) -> ir.Expr:
    """The smaller or the larger value: of a number and one of two numbers, one of two numbers."""
    match one, other:
        case ir.Int(), ir.If(test, ir.Int() as then, ir.Int() as otherwise):
            return b.if_(test, _FOLD[kind](one, then), _FOLD[kind](one, otherwise))
        case ir.If(), ir.Int():
            return _extreme(kind, other, one)
    return _FOLD[kind](one, other)


class Simplifier:
    """Makes expressions cheap to evaluate: small functions inlined, small loops unrolled."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.functions = module.functions
        self.tables = module.tables
        self.bodies: dict[str, ir.Expr] = {}
        self.sizes: dict[str, int] = {}
        # Calls whose arguments are known, evaluated once.
        self.known: dict[tuple[str, tuple[ir.Expr, ...]], ir.Expr] = {}

    def simplify(self, expr: ir.Expr) -> ir.Expr:
        """An expression with the same value that takes less time."""
        match expr:
            case ir.Lookup(table, index):
                return lookup(expr, table, tuple(self.simplify(i) for i in index), self.tables)
            case ir.Select(index, items):
                return b.select(self.simplify(index), tuple(self.simplify(i) for i in items))
            case ir.Op(("min" | "max") as kind, (one, other)):
                return _extreme(kind, self.simplify(one), self.simplify(other))
            case ir.Op(kind, args):
                return _FOLD[kind](*(self.simplify(a) for a in args))
            case ir.If(condition, then, otherwise):
                return b.if_(
                    self.simplify(condition), self.simplify(then), self.simplify(otherwise)
                )
            case ir.Narrow(value):
                inner = self.simplify(value)
                if expr.lo <= inner.lo and inner.hi <= expr.hi:
                    return inner
                return evolve(expr, value=inner)
            case ir.Let(name, value, body):
                bound = self.simplify(value)
                if isinstance(bound, ir.Int | ir.Local) or read_once(body, name):
                    return self.simplify(substitute(body, {name: bound}, self.tables))
                inner = self.simplify(body)
                return ir.Let(name, bound, inner, lo=inner.lo, hi=inner.hi)
            case ir.Call():
                return self.call(expr)
            case ir.Aggregate():
                return self.aggregate(expr)
        return map_children(expr, self.simplify)

    def body(self, name: str) -> ir.Expr:
        """The simplified body of a function."""
        if name not in self.bodies:
            self.bodies[name] = self.simplify(self.functions[name].body)
        return self.bodies[name]

    def call(self, expr: ir.Call) -> ir.Expr:
        args = tuple(self.simplify(a) for a in expr.args)
        key = expr.function, args
        if key in self.known:
            return self.known[key]
        result = self._call(expr, args)
        if all(isinstance(a, ir.Int) for a in args):
            self.known[key] = result
        return result

    def _call(self, expr: ir.Call, args: tuple[ir.Expr, ...]) -> ir.Expr:
        function = self.functions[expr.function]
        body = self.body(expr.function)
        if expr.function not in self.sizes:
            self.sizes[expr.function] = size(body)
        all_known = all(isinstance(a, ir.Int) for a in args)
        if self.sizes[expr.function] <= (UNROLL_SIZE if all_known else INLINE_SIZE):
            cheap = all(
                isinstance(a, ir.Int | ir.Local) or read_once(body, p.name)
                for a, p in zip(args, function.params, strict=True)
            )
            # A parameter that is captured by a loop inside the body must stay a name of its own.
            safe = not _captures(body, args)
            if cheap and safe:
                env = {p.name: a for p, a in zip(function.params, args, strict=True)}
                inlined = substitute(body, env, self.tables)
                if size(inlined) <= UNROLL_SIZE:
                    return inlined
        return evolve(expr, args=args)

    def aggregate(self, expr: ir.Aggregate) -> ir.Expr:
        simple = map_children(expr, self.simplify)
        if simple.where == b.FALSE:
            return b.int_({"every": 1}.get(expr.kind, expr.default))
        unrolled = self.unroll(simple)
        return simple if unrolled is None else unrolled

    def unroll(self, expr: ir.Aggregate) -> ir.Expr | None:
        """A small loop over known ranges as one expression; nothing if it is not small."""
        spans = []
        count = 1
        for range_ in expr.ranges:
            if not (isinstance(range_.low, ir.Int) and isinstance(range_.high, ir.Int)):
                return None
            values = range(range_.low.value, range_.high.value + 1)
            spans.append(values)
            count *= len(values)
        cost = sum(size(e) for e in (expr.where, expr.body) if e is not None)
        if count > UNROLL_ITEMS or count * cost > UNROLL_SIZE:
            return None
        if expr.kind in ("min", "max"):
            return None
        items: list[tuple[ir.Expr, ir.Expr]] = []
        for values_ in product(*spans):
            env = {r.name: b.int_(v) for r, v in zip(expr.ranges, values_, strict=True)}
            where = b.TRUE if expr.where is None else substitute(expr.where, env, self.tables)
            body = b.TRUE if expr.body is None else substitute(expr.body, env, self.tables)
            items.append((self.simplify(where), self.simplify(body)))
        return _combine(expr, items)


def _captures(body: ir.Expr, args: tuple[ir.Expr, ...]) -> bool:
    names = set().union(*(free(a) for a in args)) if args else set()
    return bool(names & bound_names(body))


def bound_names(expr: ir.Expr) -> set[str]:
    """The names that loops and lets inside an expression bind."""
    found: set[str] = set()
    if isinstance(expr, ir.Aggregate):
        found |= {r.name for r in expr.ranges}
    if isinstance(expr, ir.Let):
        found.add(expr.name)
    for child in children(expr):
        found |= bound_names(child)
    return found


def _combine(expr: ir.Aggregate, items: list[tuple[ir.Expr, ir.Expr]]) -> ir.Expr:
    match expr.kind:
        case "every":
            return b.and_(*(b.or_(b.not_(w), e) for w, e in items))
        case "some":
            return b.or_(*(b.and_(w, e) for w, e in items))
        case "count":
            total: ir.Expr = b.int_(0)
            for where, _ in items:
                total = b.add(total, where)
            return total
        case "sum":
            total = b.int_(0)
            for where, body in items:
                total = b.add(total, b.if_(where, body, b.int_(0)))
            return total
    result: ir.Expr = b.int_(expr.default)  # first
    for where, body in reversed(items):
        result = b.if_(where, body, result)
    return result
