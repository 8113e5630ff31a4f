"""Values known before a game starts: constants, bounds of ranges, cells of tables.

An expression is evaluated after its types and names are known. Whole numbers stand for all
values: enums count from 0, false and true are 0 and 1, `none` is one below the least value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.plurals import counted
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    Builtin,
    ColumnSymbol,
    ConstSymbol,
    Dimension,
    EnumValue,
    FunctionSymbol,
    LocalSymbol,
    MemberFunction,
    OptionSymbol,
)
from rules_dsl.language.types import (
    EnumType,
    IntType,
    NoneType,
    OptionalType,
    SetType,
    Type,
    bounds,
    none_of,
)

# Maximum number of steps in one check, half a second; a large board takes about a tenth of it.
MAX_STEPS = 300_000
# Number of steps that small expressions get even after that.
FREE_STEPS = 200


class NotConstant(Exception):
    """The expression depends on the course of the game.

    Without a code, the error was already reported.
    """

    def __init__(self, code: str, message: str, span: Span) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span


class _Returned(Exception):
    def __init__(self, value: int) -> None:
        self.value = value


Environment = dict[LocalSymbol, int]


@define
class ConstantEvaluator:
    """Evaluates expressions whose types and names are known."""

    ctx: Context
    depth: int = 0
    steps: int = 0

    def value(self, node: s.Expr, env: Environment) -> int:
        self.steps += 1
        self.ctx.steps += 1
        if self.steps > FREE_STEPS and self.ctx.steps > MAX_STEPS:
            raise NotConstant("E0319", "this takes too long to work out in advance", node.span)
        rule = _RULES.get(type(node))
        if rule is None:
            raise NotConstant("E0311", "this is not known before the game starts", node.span)
        return rule(self, node, env)

    def group(self, node: s.Group, env: Environment) -> int:
        return self.value(node.inner, env)

    def literal(self, node: s.IntLit | s.BoolLit, _env: Environment) -> int:
        return int(node.value)

    def none(self, node: s.NoneLit, _env: Environment) -> int:
        type_ = self.ctx.facts.types.get(node)
        return none_of(type_) if isinstance(type_, OptionalType) else -1

    def unary(self, node: s.Unary, env: Environment) -> int:
        operand = self.value(node.operand, env)
        return -operand if node.op == "-" else int(not operand)

    def if_(self, node: s.IfExpr, env: Environment) -> int:
        chosen = node.then if self.value(node.condition, env) else node.otherwise
        return self.to(chosen, self.ctx.facts.types.get(node), env)

    def to(self, node: s.Expr, target: Type | None, env: Environment) -> int:
        """The value as one of another type: `none` has another number in a wider range."""
        value = self.value(node, env)
        if not isinstance(target, OptionalType):
            return value
        actual = self.ctx.facts.types.get(node)
        is_none = isinstance(actual, NoneType) or (
            isinstance(actual, OptionalType) and value == none_of(actual)
        )
        return none_of(target) if is_none else value

    def name(self, node: s.Name, env: Environment) -> int:
        match self.ctx.facts.refs.get(node):
            case LocalSymbol() as local if local in env:
                return env[local]
            case EnumValue() as value:
                return value.index
            case OptionSymbol() as option:
                return option.value
            case ConstSymbol() as const if const.state == "done" and not const.dimensions:
                return const.values[0]
            case Builtin("players"):
                return self.ctx.players
            case None | ConstSymbol():
                raise NotConstant("", "", node.span)
        raise NotConstant("E0311", f"`{node.name}` is not known before the game starts", node.span)

    def binary(self, node: s.Binary, env: Environment) -> int:
        if node.op in ("in", "not in"):
            there = self.value(node.left, env) in self.members(node.right, env)
            return int(there == (node.op == "in"))
        if isinstance(self.ctx.facts.types.get(node.left), SetType):
            return self.compared(node, env)
        left = self.value(node.left, env)
        if node.op == "and":
            return int(bool(left) and bool(self.value(node.right, env)))
        if node.op == "implies":
            return int(not left or bool(self.value(node.right, env)))
        if node.op == "or":
            return int(bool(left) or bool(self.value(node.right, env)))
        right = self.value(node.right, env)
        if node.op in ("div", "mod", "/") and right == 0:
            raise NotConstant("E0318", "this divides by zero", node.right.span)
        match node.op:
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "div" | "/":
                result = left // right
            case "mod":
                result = left % right
            case "min":
                result = min(left, right)
            case "max":
                result = max(left, right)
            case "=":
                result = int(left == right)
            case "!=":
                result = int(left != right)
            case "<":
                result = int(left < right)
            case "<=":
                result = int(left <= right)
            case ">":
                result = int(left > right)
            case _:
                result = int(left >= right)
        if abs(result) > 10**12:
            raise NotConstant("E0112", "this number gets too large", node.span)
        return result

    def members(self, node: s.Expr, env: Environment) -> frozenset[int]:
        """The elements of a set that is known before the game starts."""
        match node:
            case s.Group(inner):
                return self.members(inner, env)
            case s.ListLit(items):
                return frozenset(self.value(item, env) for item in items)
            case s.Selection(binders):
                symbol = self.ctx.facts.locals[binders.binders[0].name]
                return frozenset(inner[symbol] for inner in self.combinations(binders, env))
            case s.IfExpr(condition, then, otherwise):
                return self.members(then if self.value(condition, env) else otherwise, env)
            case s.Binary("+", left, right):
                return self.members(left, env) | self.members(right, env)
            case s.Binary("-", left, right):
                return self.members(left, env) - self.members(right, env)
            case s.Binary("*", left, right):
                return self.members(left, env) & self.members(right, env)
            case s.Name():
                local = self.ctx.facts.refs.get(node)
                if isinstance(local, LocalSymbol) and isinstance(local.type, SetType):
                    low, high = bounds(local.type.inner)
                    return frozenset(k for k in range(low, high + 1) if env[local] >> k - low & 1)
        raise NotConstant("E0311", "this is not known before the game starts", node.span)

    def compared(self, node: s.Binary, env: Environment) -> int:
        """Whether two sets are equal, or one is in the other."""
        one, two = self.members(node.left, env), self.members(node.right, env)
        ways = {
            "=": one == two, "!=": one != two, "<": one < two, "<=": one <= two,
            ">": one > two, ">=": one >= two,
        }  # fmt: skip
        return int(ways[node.op])

    def emptiness(self, node: s.Emptiness, env: Environment) -> int:
        return int(bool(self.members(node.place, env)) == node.negated)

    def kept(self, value: s.Expr, symbol: LocalSymbol, env: Environment) -> int:
        """The value of a local name; that of a set has a bit for each element."""
        if not isinstance(symbol.type, SetType):
            return self.value(value, env)
        low, _ = bounds(symbol.type.inner)
        return sum(1 << k - low for k in self.members(value, env))

    def index(self, node: s.Index, env: Environment) -> int:
        ref = self.ctx.facts.refs.get(node.base)
        if isinstance(ref, ConstSymbol):
            if ref.state != "done":
                raise NotConstant("", "", node.span)
            return ref.values[self.offset(node, ref.dimensions, env)]
        if isinstance(ref, ColumnSymbol) and isinstance(node.base, s.Attribute):
            row = self.value(node.base.base, env)
            width = 1
            for dimension in ref.dimensions:
                width *= dimension.size
            cell = row * width + self.offset(node, ref.dimensions, env)
            if 0 <= cell < len(ref.values):
                return ref.values[cell]
        raise NotConstant("E0311", "this is not known before the game starts", node.span)

    def offset(self, node: s.Index, dimensions: tuple[Dimension, ...], env: Environment) -> int:
        if len(node.args) != len(dimensions):
            has = counted(len(dimensions), "index", "indices") if dimensions else "no index"
            raise NotConstant("E0303", f"this has {has}, not {len(node.args)}", node.span)
        flat = 0
        for arg, dimension in zip(node.args, dimensions, strict=True):
            value = self.value(arg, env)
            low = dimension.low if isinstance(dimension, IntType) else 0
            if not low <= value < low + dimension.size:
                raise NotConstant("E0309", f"the index {value} is outside {dimension}", arg.span)
            flat = flat * dimension.size + value - low
        return flat

    def attribute(self, node: s.Attribute, env: Environment) -> int:
        match self.ctx.facts.refs.get(node):
            case EnumValue() as value:
                return value.index
            case ColumnSymbol() as column if not column.dimensions:
                row = self.value(node.base, env)
                if 0 <= row < len(column.values):
                    return column.values[row]
        raise NotConstant("E0311", "this is not known before the game starts", node.span)

    def call(self, node: s.Call, env: Environment) -> int:
        ref = self.ctx.facts.refs.get(node.function)
        match ref:
            case Builtin("abs"):
                return abs(self.value(node.args[0], env))
            case Builtin("ord"):
                return self.value(node.args[0], env)
            case Builtin("next"):
                enum = self.ctx.facts.types.get(node.args[0])
                if isinstance(enum, OptionalType):
                    enum = enum.inner
                if isinstance(enum, EnumType):
                    step = self.value(node.args[1], env) if len(node.args) == 2 else 1
                    return (self.value(node.args[0], env) + step) % enum.size
            case FunctionSymbol():
                self.ctx.check_body(ref)
                inner = {
                    param: self.to(arg, param.type, env)
                    for param, arg in zip(ref.params, node.args, strict=False)
                }
                return self.function(ref, inner, node)
            case MemberFunction() if isinstance(node.function, s.Attribute):
                self.ctx.check_body(ref)
                row = self.value(node.function.base, env)
                inner = {
                    param: self.to(arg, param.type, env)
                    for param, arg in zip(ref.params, node.args, strict=False)
                }
                inner[ref.row] = row
                return self.to(ref.bodies.get(row, ref.declaration.default), ref.result, inner)
        raise NotConstant("E0311", "this is not known before the game starts", node.span)

    def function(self, function: FunctionSymbol, env: Environment, node: s.Call) -> int:
        body = function.declaration.body
        self.depth += 1
        if self.depth > 40:
            raise NotConstant("E0319", "this takes too long to work out in advance", node.span)
        try:
            if isinstance(body, s.Expr):
                return self.to(body, function.result, env)
            self.block(body, env, function.result)
        except _Returned as returned:
            return returned.value
        except NotConstant as error:
            if error.code != "E0311":
                raise
            # The function is sound; it is the constant that must not use it.
            raise NotConstant(
                "E0311", "this function looks at the course of the game", node.span
            ) from None
        finally:
            self.depth -= 1
        raise NotConstant("E0311", "this is not known before the game starts", node.span)

    def block(self, body: s.Block, env: Environment, result: Type) -> None:
        for statement in body:
            match statement:
                case s.Let(name, value):
                    local = self.ctx.facts.locals[name]
                    env[local] = self.kept(value, local, env)
                case s.Var(name, _, value):
                    symbol = self.ctx.facts.locals[name]
                    env[symbol] = self.to(value, symbol.type, env)
                case s.Assign():
                    self.assign(statement, env)
                case s.For(binder, _, where):
                    for element in self.elements(binder.domain, env):
                        self.steps += 1
                        self.ctx.steps += 1
                        env[self.ctx.facts.locals[binder.name]] = element
                        if where is None or self.value(where, env):
                            self.block(statement.body, env, result)
                case s.Return(value) if value is not None:
                    raise _Returned(self.to(value, result, env))
                case s.If(branches, otherwise):
                    for condition, inner in branches:
                        if self.value(condition, env):
                            self.block(inner, env, result)
                            break
                    else:
                        self.block(otherwise, env, result)
                case _:
                    raise NotConstant(
                        "E0311", "this is not known before the game starts", statement.span
                    )

    def assign(self, node: s.Assign, env: Environment) -> None:
        """Change the variable of a function; leaving its range is not a constant."""
        symbol = self.ctx.facts.refs.get(node.target)
        if not isinstance(symbol, LocalSymbol):
            raise NotConstant("E0311", "this is not known before the game starts", node.span)
        value = self.to(node.value, symbol.type, env)
        if node.op != "=":
            value = env[symbol] + (value if node.op == "+=" else -value)
        if isinstance(symbol.type, IntType):
            low, high = symbol.type.low, symbol.type.high
            if not low <= value <= high:
                raise NotConstant("E0309", f"{value} is outside {symbol.type}", node.span)
        env[symbol] = value

    def elements(self, node: s.Domain, env: Environment) -> Iterator[int]:
        if node.high is not None:
            yield from range(self.value(node.low, env), self.value(node.high, env) + 1)
            return
        enum = self.ctx.facts.refs.get(node.low)
        if not isinstance(enum, EnumType):
            yield from sorted(self.members(node.low, env))
            return
        start = self.value(node.start, env) if node.start is not None else 0
        for k in range(enum.size):
            yield (start + k) % enum.size

    def combinations(self, binders: s.Binders, env: Environment) -> Iterator[Environment]:
        def level(depth: int, current: Environment) -> Iterator[Environment]:
            if depth == len(binders.binders):
                if binders.where is None or self.value(binders.where, current):
                    yield current
                return
            binder = binders.binders[depth]
            symbol = self.ctx.facts.locals[binder.name]
            for element in self.elements(binder.domain, current):
                self.steps += 1
                self.ctx.steps += 1
                yield from level(depth + 1, {**current, symbol: element})

        yield from level(0, env)

    def quantifier(self, node: s.Quantifier, env: Environment) -> int:
        found = self.combinations(node.binders, env)
        if node.kind == "first":
            symbol = self.ctx.facts.locals[node.binders.binders[0].name]
            for inner in found:
                return inner[symbol]
            type_ = self.ctx.facts.types.get(node)
            return none_of(type_) if isinstance(type_, OptionalType) else -1
        if node.kind in ("most", "fewest"):
            return self.extreme(node, env)
        if node.kind == "count":
            return sum(1 for _ in found)
        assert node.body is not None
        body = node.body
        if node.kind == "every":
            return int(all(self.value(body, inner) for inner in found))
        if node.kind == "some":
            return int(any(self.value(body, inner) for inner in found))
        values = [self.value(body, inner) for inner in found]
        if node.kind == "sum":
            return sum(values)
        type_ = self.ctx.facts.types.get(node)
        assert isinstance(type_, IntType)
        if node.kind == "min":
            return min(values, default=type_.high)
        return max(values, default=type_.low)

    def extreme(self, node: s.Quantifier, env: Environment) -> int:
        """The element with the most or the fewest; the first of those that are equal."""
        assert node.body is not None
        symbol = self.ctx.facts.locals[node.binders.binders[0].name]
        best: tuple[int, int] | None = None
        for inner in self.combinations(node.binders, env):
            value = self.value(node.body, inner)
            if node.kind == "fewest":
                value = -value
            if best is None or value > best[0]:
                best = value, inner[symbol]
        type_ = self.ctx.facts.types.get(node)
        if best is not None:
            return best[1]
        return none_of(type_) if isinstance(type_, OptionalType) else -1


# By the class of the node: a chain of comparisons would take most of the time.
_RULES: dict[type[s.Expr], Callable[[ConstantEvaluator, Any, Environment], int]] = {
    s.Group: ConstantEvaluator.group,
    s.IntLit: ConstantEvaluator.literal,
    s.BoolLit: ConstantEvaluator.literal,
    s.NoneLit: ConstantEvaluator.none,
    s.Name: ConstantEvaluator.name,
    s.Unary: ConstantEvaluator.unary,
    s.Binary: ConstantEvaluator.binary,
    s.IfExpr: ConstantEvaluator.if_,
    s.Index: ConstantEvaluator.index,
    s.Attribute: ConstantEvaluator.attribute,
    s.Call: ConstantEvaluator.call,
    s.Quantifier: ConstantEvaluator.quantifier,
    s.Emptiness: ConstantEvaluator.emptiness,
}


def evaluate(ctx: Context, node: s.Expr, env: Environment | None = None) -> int:
    """The value of a checked constant expression; raises `NotConstant`."""
    return ConstantEvaluator(ctx).value(node, dict(env or {}))


def evaluate_or_report(ctx: Context, node: s.Expr, env: Environment | None = None) -> int | None:
    """The value of a constant expression, or an error and nothing."""
    try:
        return evaluate(ctx, node, env)
    except NotConstant as error:
        report(ctx, error)
        return None


def report(ctx: Context, error: NotConstant, hint: str = "") -> None:
    """Report why something is not constant, unless the reason was reported already."""
    if not error.code and ctx.reporter:
        return
    if not ctx.reporter.has_error_in(error.span):
        message = error.message or "this is not known before the game starts"
        ctx.error(error.code or "E0311", message, error.span, hint)
