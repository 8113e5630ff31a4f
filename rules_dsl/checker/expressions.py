"""Types and meanings of expressions."""

from __future__ import annotations

from math import lcm

from rules_dsl import syntax as s
from rules_dsl.checker import constants
from rules_dsl.checker.context import Context, Scope
from rules_dsl.checker.typing_rules import (
    MAX_DOMAIN,
    fits,
    int_add,
    int_div,
    int_mod,
    int_mul,
    int_sub,
    join,
    plain,
)
from rules_dsl.diagnostics import did_you_mean
from rules_dsl.symbols import (
    ActionSymbol,
    Builtin,
    ColumnSymbol,
    ConstSymbol,
    Dimension,
    EnumValue,
    FunctionSymbol,
    GoodSymbol,
    LocalSymbol,
    OptionSymbol,
    PoolSymbol,
    ProcedureSymbol,
    Symbol,
    TableSymbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.types import (
    BOOL,
    ERROR,
    NONE,
    BoolType,
    EnumType,
    ErrorType,
    FractionType,
    IntType,
    NoneType,
    OptionalType,
    PoolType,
    SetType,
    Type,
    ZoneType,
)


def infer(ctx: Context, scope: Scope, node: s.Expr, expected: Type | None = None) -> Type:
    """The type of an expression; names are resolved on the way."""
    result = _infer(ctx, scope, node, expected)
    ctx.facts.types[node] = result
    return result


def check(ctx: Context, scope: Scope, node: s.Expr, target: Type) -> Type:
    """Infer, and report if the value does not fit where it stands."""
    actual = infer(ctx, scope, node, target)
    fits(ctx, actual, target, node.span)
    return actual


def check_bool(ctx: Context, scope: Scope, node: s.Expr) -> None:
    """An expression that must be a condition."""
    actual = infer(ctx, scope, node, BOOL)
    if not isinstance(actual, BoolType | ErrorType):
        ctx.error(
            "E0306",
            f"a condition is needed here; this is {described(actual)}",
            node.span,
            hint="compare it with something" if isinstance(actual, IntType) else "",
        )


def check_int(ctx: Context, scope: Scope, node: s.Expr) -> IntType:
    """An expression that must be a number."""
    actual = infer(ctx, scope, node)
    if isinstance(actual, OptionalType):
        actual = actual.inner
    if isinstance(actual, IntType):
        return actual
    if not isinstance(actual, ErrorType):
        ctx.error(
            "E0307",
            f"a number is needed here; this is {described(actual)}",
            node.span,
            hint="`ord(x)` gives the position of a value" if isinstance(actual, EnumType) else "",
        )
    return IntType(0, 0)


def described(type_: Type) -> str:
    """A type as people say it."""
    match type_:
        case IntType():
            return "a number"
        case BoolType():
            return "a condition"
        case EnumType():
            return f"a {type_.name}"
        case NoneType():
            return "`none`"
        case OptionalType():
            return f"a {type_.inner} or none"
        case PoolType():
            return f"the pool `{type_.pool.name}`"
        case ZoneType():
            return f"the zone `{type_.zone.name}`"
        case SetType():
            return f"a {type_}"
        case FractionType():
            return "a fraction"
        case ErrorType():
            return "wrong"
    raise AssertionError(type_)


def _infer(ctx: Context, scope: Scope, node: s.Expr, expected: Type | None) -> Type:
    match node:
        case s.Group(inner):
            return infer(ctx, scope, inner, expected)
        case s.IntLit(value):
            return IntType(value, value)
        case s.BoolLit():
            return BOOL
        case s.NoneLit():
            return expected if isinstance(expected, OptionalType) else NONE
        case s.Name():
            return _name(ctx, scope, node, expected)
        case s.Unary("-", operand):
            if ctx.scoring:
                fraction = infer(ctx, scope, operand)
                if isinstance(fraction, FractionType):
                    top = fraction.numerator
                    return FractionType(fraction.denominator, IntType(-top.high, -top.low))
            inner_type = check_int(ctx, scope, operand)
            return IntType(-inner_type.high, -inner_type.low)
        case s.Unary(_, operand):
            check_bool(ctx, scope, operand)
            return BOOL
        case s.Binary():
            return _binary(ctx, scope, node)
        case s.IfExpr():
            check_bool(ctx, scope, node.condition)
            first = infer(ctx, scope, node.then, expected)
            second = infer(ctx, scope, node.otherwise, expected)
            return join(ctx, first, second, node.otherwise.span)
        case s.Index():
            return _index(ctx, scope, node)
        case s.Attribute():
            return _attribute(ctx, scope, node)
        case s.Call():
            return _call(ctx, scope, node)
        case s.Quantifier():
            return _quantifier(ctx, scope, node)
        case s.ListLit():
            ctx.error("E0312", "a list stands only in a `const` or a table row", node.span)
            return ERROR
    raise AssertionError(node)


# ---- names ---------------------------------------------------------------------------------------


def _name(ctx: Context, scope: Scope, node: s.Name, expected: Type | None) -> Type:
    local = scope.lookup(node.name)
    if local is not None:
        ctx.facts.refs[node] = local
        if local.per_player:
            ctx.error(
                "E0303",
                f"every player has a `{node.name}` of his own",
                node.span,
                hint=f"write `{node.name}[p]`",
            )
            return ERROR
        return local.type
    if node.name in ctx.values:
        wanted = plain(expected)
        candidates = ctx.values[node.name]
        matching = [v for v in candidates if v.type is wanted]
        if matching:
            candidates = matching
        if matching or not (node.name in ctx.globals or node.name in ctx.pending):
            if len(candidates) > 1:
                names = ", ".join(f"`{v.type.name}.{node.name}`" for v in candidates)
                ctx.error("E0204", f"`{node.name}` could be {names}", node.span, hint="say which")
                return ERROR
            ctx.facts.refs[node] = candidates[0]
            return candidates[0].type
    if node.name in ctx.busy or node.name in ctx.globals or node.name in ctx.pending:
        symbol = ctx.lookup(node.name)
        if symbol is None:
            return ERROR
    else:
        symbol = ctx.lookup(node.name)
    match symbol:
        case None:
            if node.name in ctx.types:
                ctx.error(
                    "E0305", f"`{node.name}` is a type, not a value", node.span,
                    hint=f"in a domain: `x in {node.name}`",
                )  # fmt: skip
            else:
                ctx.unknown(node.name, node.span, scope)
            return ERROR
        case VarSymbol():
            ctx.facts.refs[node] = symbol
            return _whole(ctx, node, symbol.dimensions, symbol.type)
        case ConstSymbol():
            ctx.facts.refs[node] = symbol
            if symbol.type is None:
                return ERROR
            return _whole(ctx, node, symbol.dimensions, symbol.type)
        case PoolSymbol():
            ctx.facts.refs[node] = symbol
            return _whole(ctx, node, symbol.dimensions, PoolType(symbol))
        case ZoneSymbol():
            ctx.facts.refs[node] = symbol
            return _whole(ctx, node, symbol.dimensions, ZoneType(symbol))
        case OptionSymbol():
            ctx.facts.refs[node] = symbol
            if isinstance(symbol.type, IntType):
                return IntType(symbol.value, symbol.value)
            return symbol.type
        case Builtin("players"):
            ctx.facts.refs[node] = symbol
            return IntType(ctx.players, ctx.players)
        case TableSymbol() | EnumType():
            ctx.error(
                "E0305", f"`{node.name}` is a type, not a value", node.span,
                hint=f"in a domain: `x in {node.name}`",
            )  # fmt: skip
            return ERROR
        case _:
            ctx.error(
                "E0305",
                f"`{node.name}` cannot be used as a value",
                node.span,
                hint=_how_to_use(symbol),
            )
            return ERROR


def _how_to_use(symbol: Symbol) -> str:
    """A hint for something that stands where only a value can."""
    match symbol:
        case FunctionSymbol():
            return f"call it: `{symbol.name}(…)`"
        case VarSymbol() | ConstSymbol() | PoolSymbol() | ZoneSymbol():
            return f"indices stand in brackets: `{symbol.name}[…]`"
        case ProcedureSymbol():
            return "a procedure happens and has no value; a `function` has one"
        case ActionSymbol():
            return f"an action has no value; a player chooses it: `choose p: {symbol.name}`"
    return ""


def _whole(ctx: Context, node: s.Name, dimensions: tuple[Dimension, ...], type_: Type) -> Type:
    if dimensions:
        shape = ", ".join(str(d) for d in dimensions)
        ctx.error(
            "E0303",
            f"`{node.name}` needs {counted(len(dimensions), 'index', 'indices')}",
            node.span,
            hint=f"it is declared as `{node.name}[{shape}]`",
        )
        return ERROR
    return type_


def counted(n: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> counted(1, "value"), counted(2, "value")
    ('1 value', '2 values')
    """
    return f"{n} {one if n == 1 else many or one + 's'}"


# ---- operators -----------------------------------------------------------------------------------


def _binary(ctx: Context, scope: Scope, node: s.Binary) -> Type:
    op = node.op
    if op in ("and", "or", "implies"):
        check_bool(ctx, scope, node.left)
        check_bool(ctx, scope, node.right)
        return BOOL
    if op in ("in", "not in"):
        return _membership(ctx, scope, node)
    if op in ("=", "!=", "<", "<=", ">", ">="):
        return _comparison(ctx, scope, node)
    if op == "/":
        return _division(ctx, scope, node)
    if ctx.scoring:
        fraction = _fraction_arithmetic(ctx, scope, node)
        if fraction is not None:
            return fraction
    left = check_int(ctx, scope, node.left)
    right = check_int(ctx, scope, node.right)
    match op:
        case "+":
            return int_add(left, right)
        case "-":
            return int_sub(left, right)
        case "*":
            return int_mul(left, right)
        case "min":
            return IntType(min(left.low, right.low), min(left.high, right.high))
        case "max":
            return IntType(max(left.low, right.low), max(left.high, right.high))
        case "div" | "mod":
            if right.low <= 0 <= right.high and right.low == right.high:
                ctx.error("E0318", "this divides by zero", node.right.span)
                return ERROR
            return int_div(left, right) if op == "div" else int_mod(left, right)
    raise AssertionError(op)


def _fraction_arithmetic(ctx: Context, scope: Scope, node: s.Binary) -> Type | None:
    """In scoring, sums and multiples of exact fractions are fractions."""
    left = infer(ctx, scope, node.left)
    right = infer(ctx, scope, node.right)
    if not (isinstance(left, FractionType) or isinstance(right, FractionType)):
        return None
    for side, type_ in ((node.left, left), (node.right, right)):
        if not isinstance(type_, FractionType | IntType | ErrorType):
            check_int(ctx, scope, side)
            return ERROR
    if isinstance(left, ErrorType) or isinstance(right, ErrorType):
        return ERROR
    one = left if isinstance(left, FractionType) else FractionType(1, left)  # type: ignore[arg-type]
    two = right if isinstance(right, FractionType) else FractionType(1, right)  # type: ignore[arg-type]
    if node.op in ("+", "-"):
        bottom = lcm(one.denominator, two.denominator)
        a = int_mul(one.numerator, IntType(bottom // one.denominator, bottom // one.denominator))
        b = int_mul(two.numerator, IntType(bottom // two.denominator, bottom // two.denominator))
        return FractionType(bottom, int_add(a, b) if node.op == "+" else int_sub(a, b))
    if node.op == "*" and 1 in (one.denominator, two.denominator):
        bottom = one.denominator * two.denominator
        return FractionType(bottom, int_mul(one.numerator, two.numerator))
    ctx.error("E0314", f"`{node.op}` does not work on fractions", node.span)
    return ERROR


def _division(ctx: Context, scope: Scope, node: s.Binary) -> Type:
    left = infer(ctx, scope, node.left)
    check_int(ctx, scope, node.right)
    if not ctx.scoring:
        ctx.error(
            "E0313",
            "exact division exists in `scoring` only",
            node.span,
            hint="`div` divides and rounds down",
        )
        return ERROR
    divisor = constants.evaluate_or_report(ctx, node.right)
    if divisor is None:
        return ERROR
    if divisor <= 0:
        ctx.error("E0314", "the divisor of `/` must be at least 1", node.right.span)
        return ERROR
    if isinstance(left, FractionType):
        return FractionType(left.denominator * divisor, left.numerator)
    if isinstance(left, IntType):
        return FractionType(divisor, left)
    check_int(ctx, scope, node.left)
    return ERROR


def _is_value_name(ctx: Context, scope: Scope, node: s.Expr) -> bool:
    """A name that can only be an enum value, so that the other side should decide which."""
    while isinstance(node, s.Group):
        node = node.inner
    return isinstance(node, s.Name) and node.name in ctx.values and scope.lookup(node.name) is None


def _comparison(ctx: Context, scope: Scope, node: s.Binary) -> Type:
    if _is_value_name(ctx, scope, node.left) and not _is_value_name(ctx, scope, node.right):
        right = infer(ctx, scope, node.right)
        left = infer(ctx, scope, node.left, right)
    else:
        left = infer(ctx, scope, node.left)
        right = infer(ctx, scope, node.right, left)
    if isinstance(left, ErrorType) or isinstance(right, ErrorType):
        return BOOL
    one, two = plain(left), plain(right)
    if node.op in ("=", "!="):
        maybe_none = (
            isinstance(left, OptionalType | NoneType),
            isinstance(right, OptionalType | NoneType),
        )
        if isinstance(left, NoneType) or isinstance(right, NoneType):
            if not all(maybe_none):
                other = node.left if isinstance(right, NoneType) else node.right
                ctx.error(
                    "E0315",
                    "this can never be `none`",
                    other.span,
                    hint="its type has no `?`",
                )
            return BOOL
        comparable = (
            (isinstance(one, IntType) and isinstance(two, IntType))
            or (isinstance(one, BoolType) and isinstance(two, BoolType))
            or (isinstance(one, EnumType) and one is two)
        )
    else:
        comparable = (isinstance(one, IntType) and isinstance(two, IntType)) or (
            isinstance(one, EnumType) and one is two
        )
    if not comparable:
        sides = f"{described(left)} cannot be compared with {described(right)}"
        ctx.error("E0308", sides, node.span)
    return BOOL


def _membership(ctx: Context, scope: Scope, node: s.Binary) -> Type:
    place = infer(ctx, scope, node.right)
    match place:
        case ZoneType(zone):
            check(ctx, scope, node.left, zone.table.type)
        case SetType(inner):
            check(ctx, scope, node.left, inner)
        case ErrorType():
            pass
        case _:
            ctx.error(
                "E0322",
                f"`in` needs a zone or a set; this is {described(place)}",
                node.right.span,
                hint="for a range write `1 <= x and x <= 3`",
            )
    return BOOL


# ---- indices, attributes, calls ------------------------------------------------------------------


def _indices(
    ctx: Context, scope: Scope, node: s.Index, what: str, dimensions: tuple[Dimension, ...]
) -> bool:
    if len(node.args) != len(dimensions):
        shape = ", ".join(str(d) for d in dimensions)
        has = counted(len(dimensions), "index", "indices") if dimensions else "no index"
        ctx.error(
            "E0303",
            f"`{what}` has {has}, not {len(node.args)}" if dimensions else f"`{what}` has {has}",
            node.span,
            hint=f"it is declared as `{what}[{shape}]`" if dimensions else "leave the [ ] out",
        )
        for arg in node.args:
            infer(ctx, scope, arg)
        return False
    for arg, dimension in zip(node.args, dimensions, strict=True):
        check(ctx, scope, arg, dimension)
    return True


def _good_index(ctx: Context, scope: Scope, node: s.Index, pool: PoolSymbol) -> Type:
    if len(node.args) != 1:
        ctx.error("E0303", f"`{pool.name}` holds goods: one index is needed", node.span)
        return ERROR
    kind = infer(ctx, scope, node.args[0])
    return good_amount(ctx, pool, kind, node.args[0])


def good_amount(ctx: Context, pool: PoolSymbol, kind: Type, node: s.Expr) -> Type:
    """The type of the amount of a good in a pool."""
    if isinstance(kind, ErrorType):
        return ERROR
    kind = kind.inner if isinstance(kind, OptionalType) else kind
    if not (isinstance(kind, EnumType) and kind.kind == "goods"):
        ctx.error("E0207", f"a good is needed here; this is {described(kind)}", node.span)
        return ERROR
    held = {g.name: g for g in pool.goods}
    ref = ctx.facts.refs.get(node)
    names = [ref.name] if isinstance(ref, EnumValue) else list(kind.values)
    missing = [n for n in names if n not in held]
    if missing:
        ctx.error("E0207", f"the pool `{pool.name}` does not hold {missing[0]}", node.span)
        return ERROR
    return IntType(0, max(amount_limit(held[n]) for n in names))


UNLIMITED = 30_000


def amount_limit(good: GoodSymbol) -> int:
    """How many of a good there are at most; a bank of 30,000 stands for "as many as needed"."""
    return UNLIMITED if good.limit is None else good.limit


def _index(ctx: Context, scope: Scope, node: s.Index) -> Type:
    base = node.base
    if isinstance(base, s.Name):
        local = scope.lookup(base.name)
        if local is not None:
            ctx.facts.refs[base] = local
            if local.per_player and len(node.args) == 1:
                check(ctx, scope, node.args[0], ctx.player_type)
                return local.type
            ctx.error("E0304", f"`{base.name}` is a single value", node.span)
            return ERROR
        symbol = ctx.lookup(base.name)
        if symbol is not None:
            ctx.facts.refs[base] = symbol
        match symbol:
            case VarSymbol():
                good = _indices(ctx, scope, node, symbol.name, symbol.dimensions)
                return symbol.type if good else ERROR
            case ConstSymbol():
                good = _indices(ctx, scope, node, symbol.name, symbol.dimensions)
                return symbol.type if good and symbol.type is not None else ERROR
            case PoolSymbol() if not symbol.dimensions:
                return _good_index(ctx, scope, node, symbol)
            case PoolSymbol():
                good = _indices(ctx, scope, node, symbol.name, symbol.dimensions)
                return PoolType(symbol) if good else ERROR
            case ZoneSymbol():
                good = _indices(ctx, scope, node, symbol.name, symbol.dimensions)
                return ZoneType(symbol) if good else ERROR
            case None:
                if base.name in ctx.busy:
                    return ERROR
                if base.name not in ctx.values and base.name not in ctx.types:
                    ctx.unknown(base.name, base.span, scope)
                    return ERROR
        ctx.error("E0304", f"`{base.name}` has no indices", node.span)
        return ERROR
    if isinstance(base, s.Attribute):
        column = _column_of(ctx, scope, base)
        if column is not None and column.dimensions:
            ctx.facts.refs[base] = column
            good = _indices(ctx, scope, node, base.name.name, column.dimensions)
            return column.type if good else ERROR
    place = infer(ctx, scope, base)
    if isinstance(place, PoolType):
        return _good_index(ctx, scope, node, place.pool)
    if not isinstance(place, ErrorType):
        ctx.error("E0304", f"{described(place)} has no indices", node.span)
    return ERROR


def _column_of(ctx: Context, scope: Scope, node: s.Attribute) -> ColumnSymbol | None:
    """The column that `x.name` means, if x is a row of a table."""
    if isinstance(node.base, s.Name) and (
        node.base.name in ctx.types and scope.lookup(node.base.name) is None
    ):
        return None
    base = plain(infer(ctx, scope, node.base))
    if isinstance(base, EnumType) and base in ctx.tables:
        return ctx.tables[base].columns.get(node.name.name)
    return None


def _attribute(ctx: Context, scope: Scope, node: s.Attribute) -> Type:
    name = node.name.name
    if (
        isinstance(node.base, s.Name)
        and node.base.name in ctx.types
        and scope.lookup(node.base.name) is None
    ):
        enum = ctx.types[node.base.name]
        if name in enum.values:
            ctx.facts.refs[node] = EnumValue(enum, enum.values.index(name))
            return enum
        ctx.error(
            "E0206", f"`{enum.name}` has no value `{name}`", node.name.span,
            hint=did_you_mean(name, enum.values),
        )  # fmt: skip
        return ERROR
    base = infer(ctx, scope, node.base)
    if isinstance(base, OptionalType):
        base = base.inner
    match base:
        case ErrorType():
            return ERROR
        case PoolType(pool):
            for good in pool.goods:
                if good.name == name:
                    ctx.facts.refs[node] = good
                    return IntType(0, amount_limit(good))
            ctx.error(
                "E0207", f"the pool `{pool.name}` does not hold `{name}`", node.name.span,
                hint=did_you_mean(name, [g.name for g in pool.goods]),
            )  # fmt: skip
            return ERROR
        case EnumType() if base in ctx.tables:
            table = ctx.tables[base]
            if name in table.columns:
                column = table.columns[name]
                ctx.facts.refs[node] = column
                if column.dimensions:
                    ctx.error("E0303", f"the column `{name}` needs an index", node.span)
                    return ERROR
                return column.type
            if name in table.functions:
                ctx.error(
                    "E0305", f"`{name}` is a function", node.span, hint=f"call it: `.{name}(…)`"
                )
                return ERROR
            if name in [c.name.name for c in table.declaration.columns]:
                return ERROR  # its declaration has an error of its own
            known = [*table.columns, *table.functions]
            ctx.error(
                "E0206", f"the table `{base.name}` has no column `{name}`", node.name.span,
                hint=did_you_mean(name, known),
            )  # fmt: skip
            return ERROR
    ctx.error("E0206", f"{described(base)} has nothing called `{name}`", node.name.span)
    return ERROR


def arguments(
    ctx: Context, scope: Scope, what: str, params: tuple[LocalSymbol, ...], node: s.Call
) -> None:
    """Check the arguments of a call against the parameters."""
    if node.by is not None:
        ctx.error("E0324", f"`{what}` takes no `by`", node.by.span)
    if len(node.args) != len(params):
        shape = ", ".join(f"{p.name}: {p.type}" for p in params)
        ctx.error(
            "E0302",
            f"`{what}` takes {counted(len(params), 'argument')}, not {len(node.args)}",
            node.span,
            hint=f"it is declared as `{what}({shape})`",
        )
        for arg in node.args:
            infer(ctx, scope, arg)
        return
    for arg, param in zip(node.args, params, strict=True):
        check(ctx, scope, arg, param.type)


def _call(ctx: Context, scope: Scope, node: s.Call) -> Type:
    function = node.function
    if isinstance(function, s.Attribute):
        base = plain(infer(ctx, scope, function.base))
        if isinstance(base, EnumType) and base in ctx.tables:
            table = ctx.tables[base]
            member = table.functions.get(function.name.name)
            if member is not None:
                ctx.facts.refs[function] = member
                ctx.called(member)
                arguments(ctx, scope, member.name, member.params, node)
                return member.result
            if function.name.name in table.procedures:
                ctx.error("E0305", f"`{function.name}` is a procedure: it has no value", node.span)
                return ERROR
            ctx.error(
                "E0206", f"the table `{base.name}` has no function `{function.name}`",
                function.name.span, hint=did_you_mean(function.name.name, table.functions),
            )  # fmt: skip
            return ERROR
        if not isinstance(base, ErrorType):
            ctx.error("E0305", "this cannot be called", function.span)
        return ERROR
    if not isinstance(function, s.Name):
        infer(ctx, scope, function)
        ctx.error("E0305", "this cannot be called", function.span)
        return ERROR
    if scope.lookup(function.name) is not None:
        ctx.error("E0305", f"`{function.name}` is a value, not a function", function.span)
        return ERROR
    symbol = ctx.lookup(function.name)
    match symbol:
        case FunctionSymbol():
            ctx.facts.refs[function] = symbol
            ctx.called(symbol)
            arguments(ctx, scope, symbol.name, symbol.params, node)
            return symbol.result
        case Builtin():
            ctx.facts.refs[function] = symbol
            return _builtin(ctx, scope, symbol.name, node)
        case None:
            if function.name not in ctx.busy:
                ctx.unknown(function.name, function.span, scope)
            for arg in node.args:
                infer(ctx, scope, arg)
            return ERROR
    ctx.error(
        "E0305", f"`{function.name}` is not a function", function.span, hint=_how_to_use(symbol)
    )
    return ERROR


def _builtin(ctx: Context, scope: Scope, name: str, node: s.Call) -> Type:
    graph = name in ("reaches", "distance", "component")
    if not graph and (node.by is not None or node.within is not None):
        ctx.error("E0324", f"`{name}` takes no `by`", (node.by or node).span)
    counts = {"next": (1, 2), "ord": (1, 1), "abs": (1, 1), "reaches": (2, 2), "distance": (2, 2),
              "component": (1, 1)}  # fmt: skip
    if name == "players":
        ctx.error("E0305", "`players` is a number, not a function", node.span)
        return ERROR
    low, high = counts[name]
    if not low <= len(node.args) <= high:
        shown = str(low) if low == high else f"{low} or {high}"
        ctx.error("E0302", f"`{name}` takes {shown} arguments, not {len(node.args)}", node.span)
        return ERROR
    if graph:
        return _graph(ctx, scope, name, node)
    if name == "abs":
        inner = check_int(ctx, scope, node.args[0])
        largest = max(abs(inner.low), abs(inner.high))
        smallest = 0 if inner.low <= 0 <= inner.high else min(abs(inner.low), abs(inner.high))
        return IntType(smallest, largest)
    actual = infer(ctx, scope, node.args[0])
    value = plain(actual)
    if not isinstance(value, EnumType):
        if not isinstance(actual, ErrorType):
            ctx.error(
                "E0301",
                f"`{name}` needs a value of an enum or a player; this is {described(actual)}",
                node.args[0].span,
            )
        return ERROR
    if name == "ord":
        return IntType(0, value.size - 1)
    if len(node.args) == 2:
        check_int(ctx, scope, node.args[1])
    return value


def _graph(ctx: Context, scope: Scope, name: str, node: s.Call) -> Type:
    nodes = plain(infer(ctx, scope, node.args[0]))
    if not isinstance(nodes, EnumType | IntType):
        if not isinstance(nodes, ErrorType):
            ctx.error("E0324", f"`{name}` needs values of an enum", node.args[0].span)
        return ERROR
    if node.by is None:
        ctx.error(
            "E0324", f"`{name}` needs to know who is a neighbour of whom", node.span,
            hint=f"`{name}(… by f)`, where `f(x, y)` says whether one may step from x to y",
        )  # fmt: skip
        return ERROR
    step = ctx.lookup(node.by.name)
    if not isinstance(step, FunctionSymbol):
        if step is None:
            ctx.unknown(node.by.name, node.by.span, scope)
        else:
            ctx.error("E0324", f"`{node.by.name}` is not a function", node.by.span)
        return ERROR
    ctx.facts.refs[node.by] = step
    ctx.called(step)
    shape_fits = (
        len(step.params) == 2
        and step.params[0].type == step.params[1].type
        and isinstance(step.params[0].type, EnumType | IntType)
        and isinstance(step.result, BoolType | IntType)
    )
    if not shape_fits:
        ctx.error(
            "E0324",
            f"`{step.name}` cannot say who is a neighbour of whom",
            node.by.span,
            hint="it takes two parameters of one type and gives a bool, or a price (0: no way)",
        )
        return ERROR
    if isinstance(step.result, IntType) and step.result.low < 0:
        ctx.error("E0324", f"the prices of `{step.name}` must not be negative", node.by.span)
        return ERROR
    node_type = step.params[0].type
    for arg in node.args:
        check(ctx, scope, arg, node_type)
    if name == "distance":
        if node.within is None:
            ctx.error("E0324", "`distance` needs a bound", node.span, hint="`… by f within 10`")
            return ERROR
        check_int(ctx, scope, node.within)
        limit = constants.evaluate_or_report(ctx, node.within)
        return ERROR if limit is None else IntType(0, max(0, limit) + 1)
    if node.within is not None:
        ctx.error("E0324", f"`{name}` takes no `within`", node.within.span)
    return BOOL if name == "reaches" else node_type


# ---- domains and quantifiers ---------------------------------------------------------------------


def domain(ctx: Context, scope: Scope, node: s.Domain) -> Type:
    """The type of the elements that a domain runs over."""
    element = _domain(ctx, scope, node)
    ctx.facts.types[node] = element
    if node.start is not None:
        if isinstance(element, EnumType) and node.high is None and _names_type(ctx, scope, node):
            check(ctx, scope, node.start, element)
        elif not isinstance(element, ErrorType):
            ctx.error("E0326", "`from` works on a whole enum or the players", node.start.span)
    return element


def _names_type(ctx: Context, scope: Scope, node: s.Domain) -> bool:
    return (
        isinstance(node.low, s.Name)
        and node.low.name in ctx.types
        and scope.lookup(node.low.name) is None
    )


def _domain(ctx: Context, scope: Scope, node: s.Domain) -> Type:
    if node.high is not None:
        low = check_int(ctx, scope, node.low)
        high = check_int(ctx, scope, node.high)
        if high.high < low.low:
            if isinstance(node.low, s.IntLit) and isinstance(node.high, s.IntLit):
                ctx.error("E0310", f"{low.low}..{high.high} has no numbers", node.span)
                return ERROR
            return IntType(low.low, low.low)
        if high.high - low.low >= MAX_DOMAIN:
            ctx.error(
                "E0317", f"{high.high - low.low + 1:,} numbers are too many to go through",
                node.span, hint=f"at most {MAX_DOMAIN:,}",
            )  # fmt: skip
            return ERROR
        return IntType(low.low, high.high)
    if _names_type(ctx, scope, node):
        assert isinstance(node.low, s.Name)
        enum = ctx.types[node.low.name]
        ctx.facts.refs[node.low] = enum
        return enum
    place = infer(ctx, scope, node.low)
    match place:
        case ZoneType(zone):
            return zone.table.type
        case SetType(inner):
            return inner
        case ErrorType():
            return ERROR
        case IntType(low_, high_) if low_ == high_:
            hint = f"for the numbers up to it write `1..{low_}`"
        case _:
            hint = "a type, a range `a..b`, a zone or a set"
    message = f"this is not something to go through: {described(place)}"
    ctx.error("E0325", message, node.span, hint=hint)
    return ERROR


def bind(ctx: Context, scope: Scope, binders: s.Binders) -> int:
    """Bring the bound names into sight; gives how many combinations there are."""
    total = 1
    for binder in binders.binders:
        element = domain(ctx, scope, binder.domain)
        ctx.declare_local(scope, binder.name, element)
        if isinstance(element, EnumType | IntType):
            total *= max(1, element.size)
    if binders.where is not None:
        check_bool(ctx, scope, binders.where)
    if total > MAX_DOMAIN:
        ctx.error(
            "E0317", f"{total:,} combinations are too many to go through", binders.span,
            hint=f"at most {MAX_DOMAIN:,}",
        )  # fmt: skip
        return MAX_DOMAIN
    return total


def _quantifier(ctx: Context, scope: Scope, node: s.Quantifier) -> Type:
    inner = scope.inner()
    total = bind(ctx, inner, node.binders)
    if node.kind == "first":
        if len(node.binders.binders) != 1:
            ctx.error("E0327", "`first` looks for one thing", node.binders.span)
            return ERROR
        element = ctx.facts.types[node.binders.binders[0].domain]
        return OptionalType(element) if isinstance(element, IntType | EnumType) else ERROR
    if node.kind == "count":
        return IntType(0, total)
    assert node.body is not None
    if node.kind in ("every", "some"):
        check_bool(ctx, inner, node.body)
        return BOOL
    body = check_int(ctx, inner, node.body)
    if node.kind == "sum":
        return IntType(min(0, body.low * total), max(0, body.high * total))
    if node.kind == "min":
        return IntType(body.low, body.high + 1)
    return IntType(body.low - 1, body.high)
