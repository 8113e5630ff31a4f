"""Evaluating IR expressions directly: slow, plain, and the reference for the back ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from compiler import ir
from compiler.fields import answer, values_of
from compiler.flat_index import flat_index


class IRFault(Exception):
    """A value left its range."""


Reader = Callable[[str, tuple[int, ...]], int]


def _no_state(array: str, index: tuple[int, ...]) -> int:
    raise IRFault(f"{array} is not known here")


class Interpreter:
    """Evaluates expressions; `read` gives the cells of a state."""

    def __init__(self, module: ir.Module, read: Reader = _no_state) -> None:
        self.module = module
        self.read = read

    def value(self, expr: ir.Expr, env: Mapping[str, int]) -> int:
        """The value of an expression, given its locals."""
        match expr:
            case ir.Int(value):
                return value
            case ir.Local(name):
                return env[name]
            case ir.LocalCell(name, index):
                return env[f"{name}[{self.value(index, env)}]"]
            case ir.Select(index, items):
                return self.value(items[self.value(index, env)], env)
            case ir.Cell(array, index):
                return self.read(array, tuple(self.value(i, env) for i in index))
            case ir.Lookup(table, index):
                return self.lookup(table, [self.value(i, env) for i in index])
            case ir.Op(kind, args):
                return self.operation(kind, args, env)
            case ir.If(condition, then, otherwise):
                return self.value(then if self.value(condition, env) else otherwise, env)
            case ir.Narrow(value):
                inner = self.value(value, env)
                if not expr.lo <= inner <= expr.hi:
                    raise IRFault(f"{expr.what} is {inner}, outside {expr.lo}..{expr.hi}")
                return inner
            case ir.Let(name, value, body):
                return self.value(body, {**env, name: self.value(value, env)})
            case ir.Call(function, args):
                return self.call(function, tuple(self.value(a, env) for a in args))
            case ir.Aggregate():
                return self.aggregate(expr, env)
            case ir.Graph():
                return self.graph(expr, env)
            case ir.Field():
                relation = self.module.relations[expr.relation]
                return answer(
                    expr, relation, values_of(expr, lambda e: self.value(e, env)), self.call
                )
        raise AssertionError(expr)

    def call(self, name: str, args: tuple[int, ...]) -> int:
        """The value of a function."""
        function = self.module.functions[name]
        env = {p.name: a for p, a in zip(function.params, args, strict=True)}
        return self.value(function.body, env)

    def lookup(self, name: str, index: list[int]) -> int:
        """A cell of a constant table."""
        table = self.module.tables[name]
        return table.values[flat_index(index, table.sizes)]

    def operation(self, kind: str, args: tuple[ir.Expr, ...], env: Mapping[str, int]) -> int:
        """Arithmetic and logic."""
        if kind == "and":
            return int(all(self.value(a, env) for a in args))
        if kind == "or":
            return int(any(self.value(a, env) for a in args))
        values = [self.value(a, env) for a in args]
        match kind:
            case "add":
                return values[0] + values[1]
            case "sub":
                return values[0] - values[1]
            case "mul":
                return values[0] * values[1]
            case "div":
                return values[0] // values[1]
            case "mod":
                return values[0] % values[1]
            case "neg":
                return -values[0]
            case "abs":
                return abs(values[0])
            case "min":
                return min(values)
            case "max":
                return max(values)
            case "eq":
                return int(values[0] == values[1])
            case "ne":
                return int(values[0] != values[1])
            case "lt":
                return int(values[0] < values[1])
            case "le":
                return int(values[0] <= values[1])
            case "not":
                return int(not values[0])
        raise AssertionError(kind)

    def combinations(
        self, ranges: tuple[ir.Range, ...], env: Mapping[str, int]
    ) -> Iterator[Mapping[str, int]]:
        """All values of the bound variables."""
        if not ranges:
            yield env
            return
        first = ranges[0]
        low, high = self.value(first.low, env), self.value(first.high, env)
        for value in range(low, high + 1):
            yield from self.combinations(ranges[1:], {**env, first.name: value})

    def aggregate(self, expr: ir.Aggregate, env: Mapping[str, int]) -> int:
        """A gathered value."""
        found = (
            inner
            for inner in self.combinations(expr.ranges, env)
            if expr.where is None or self.value(expr.where, inner)
        )
        if expr.kind == "count":
            return sum(1 for _ in found)
        assert expr.body is not None
        values = (self.value(expr.body, inner) for inner in found)
        return gathered(expr, values)

    def graph(self, expr: ir.Graph, env: Mapping[str, int]) -> int:
        """A question about a graph, by looking at every pair of nodes."""
        step = self.module.functions[expr.step]
        names = [p.name for p in step.params]
        nodes = range(expr.first, expr.first + expr.nodes)

        def price(x: int, y: int) -> int:
            return self.value(step.body, {names[0]: x, names[1]: y})

        start = self.value(expr.start, env)
        if expr.kind == "distance":
            assert expr.goal is not None
            return self.distance(nodes, price, start, self.value(expr.goal, env), expr.bound)
        members = {start}
        todo = [start]
        while todo:
            x = todo.pop()
            for y in nodes:
                if y not in members and (price(x, y) or (expr.kind == "component" and price(y, x))):
                    members.add(y)
                    todo.append(y)
        if expr.kind == "component":
            return min(members)
        assert expr.goal is not None
        return int(self.value(expr.goal, env) in members)

    def distance(
        self, nodes: range, price: Callable[[int, int], int], start: int, goal: int, bound: int
    ) -> int:
        """The price of the cheapest path, or one more than the bound."""
        best = {start: 0}
        done: set[int] = set()
        while open_ := {x: c for x, c in best.items() if x not in done}:
            x = min(open_, key=lambda node: open_[node])
            done.add(x)
            for y in nodes:
                c = best[x] + price(x, y)
                if c > best[x] and c <= bound and c < best.get(y, bound + 1):
                    best[y] = c
        return best.get(goal, bound + 1)


def gathered(expr: ir.Aggregate, values: Iterator[int]) -> int:
    """Combines the values of the elements of an aggregate."""
    match expr.kind:
        case "sum":
            return sum(values)
        case "min":
            return min(values, default=expr.default)
        case "max":
            return max(values, default=expr.default)
        case "every":
            return int(all(values))
        case "some":
            return int(any(values))
        case "first":
            return next(values, expr.default)
    raise AssertionError(expr)
