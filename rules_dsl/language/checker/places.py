"""Indices and attributes: cells, columns and goods."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.amounts import amount_limit
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import check, infer
from rules_dsl.language.checker.typing_rules import plain
from rules_dsl.language.checker.wording import described
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.plurals import counted
from rules_dsl.language.printer import expression_text
from rules_dsl.language.symbols import (
    ColumnSymbol,
    ConstSymbol,
    Dimension,
    EnumValue,
    PoolSymbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.language.types import (
    ERROR,
    EnumType,
    ErrorType,
    IntType,
    OptionalType,
    PoolType,
    SetType,
    Type,
    ZoneType,
)


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
        what = f"the pool `{pool.name}` does not hold {missing[0]}"
        ctx.error("E0207", what, node.span, hint=what_it_holds(pool))
        return ERROR
    return IntType(0, max(amount_limit(held[n]) for n in names))


# What other languages call the number of elements.
_SIZES = ("size", "count", "length", "len")
# Number of goods that a hint names.
GOODS_NAMED = 6


def what_it_holds(pool: PoolSymbol) -> str:
    """A hint that names the goods of a pool."""
    names = [f"`{good.name}`" for good in pool.goods[:GOODS_NAMED]]
    more = ", …" if len(pool.goods) > GOODS_NAMED else ""
    return f"`{pool.name}` holds {', '.join(names)}{more}" if names else ""


def index_type(ctx: Context, scope: Scope, node: s.Index) -> Type:
    """The type of an indexed thing: a cell, a pool or zone, an amount of a good."""
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
    if isinstance(base, s.Attribute) and not _names_type(ctx, scope, base.base):
        owner = infer(ctx, scope, base.base)
        column = _column_of(ctx, base, owner)
        if column is not None and column.dimensions:
            ctx.facts.refs[base] = column
            good = _indices(ctx, scope, node, base.name.name, column.dimensions)
            return column.type if good else ERROR
        place = _member_type(ctx, base, owner)
        ctx.facts.types[base] = place
    else:
        place = infer(ctx, scope, base)
    if isinstance(place, PoolType):
        return _good_index(ctx, scope, node, place.pool)
    if not isinstance(place, ErrorType):
        ctx.error("E0304", f"{described(place)} has no indices", node.span)
    return ERROR


def _names_type(ctx: Context, scope: Scope, node: s.Expr) -> bool:
    return isinstance(node, s.Name) and node.name in ctx.types and scope.lookup(node.name) is None


def _column_of(ctx: Context, node: s.Attribute, owner: Type) -> ColumnSymbol | None:
    """The column that `x.name` means, if x is a row of a table."""
    base = plain(owner)
    if isinstance(base, EnumType) and base in ctx.tables:
        return ctx.tables[base].columns.get(node.name.name)
    return None


def attribute_type(ctx: Context, scope: Scope, node: s.Attribute) -> Type:
    """The type of `x.name`: a value of an enum, an amount of a good, a cell of a table."""
    name = node.name.name
    if isinstance(node.base, s.Name) and _names_type(ctx, scope, node.base):
        enum = ctx.types[node.base.name]
        if name in enum.values:
            ctx.facts.refs[node] = EnumValue(enum, enum.values.index(name))
            return enum
        ctx.error(
            "E0206",
            f"`{enum.name}` has no value `{name}`",
            node.name.span,
            hint=did_you_mean(name, enum.values),
        )
        return ERROR
    return _member_type(ctx, node, infer(ctx, scope, node.base))


def _member_type(ctx: Context, node: s.Attribute, base: Type) -> Type:
    """The type of `x.name` for a value: an amount of a good, or a cell of a table."""
    name = node.name.name
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
                "E0207",
                f"the pool `{pool.name}` does not hold `{name}`",
                node.name.span,
                hint=did_you_mean(name, [g.name for g in pool.goods]) or what_it_holds(pool),
            )
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
                "E0206",
                f"the table `{base.name}` has no column `{name}`",
                node.name.span,
                hint=did_you_mean(name, known),
            )
            return ERROR
    what = f"{described(base)} has nothing called `{name}`"
    ctx.error("E0206", what, node.name.span, hint=_in_brackets(ctx, node, base))
    return ERROR


def _in_brackets(ctx: Context, node: s.Attribute, base: Type) -> str:
    """A hint for `p.points`, if `points[p]` is meant."""
    name = node.name.name
    if isinstance(base, ZoneType) and base.zone.is_pile and name in ("top", "bottom"):
        return f"write `{name} of {expression_text(node.base)}`"
    if isinstance(base, ZoneType | PoolType | SetType) and name in _SIZES:
        return f"write `count(x in {expression_text(node.base)})`"
    known = name in ctx.globals or name in ctx.pending
    symbol = ctx.lookup(name) if known and name not in ctx.busy else None
    if isinstance(symbol, VarSymbol | ConstSymbol | PoolSymbol | ZoneSymbol):
        dimensions = symbol.dimensions
        if len(dimensions) == 1 and dimensions[0] is base:
            return f"write `{name}[{expression_text(node.base)}]`"
    return ""
