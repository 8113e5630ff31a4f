"""Names used as values."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.typing_rules import plain
from rules_dsl.language.plurals import counted
from rules_dsl.language.symbols import (
    ActionSymbol,
    Builtin,
    ConstSymbol,
    Dimension,
    FunctionSymbol,
    LocalSymbol,
    OptionSymbol,
    PieceSymbol,
    PoolSymbol,
    ProcedureSymbol,
    RelationSymbol,
    Symbol,
    TableSymbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.language.types import ERROR, EnumType, IntType, PoolType, Type, ZoneType


def name_type(ctx: Context, scope: Scope, node: s.Name, expected: Type | None) -> Type:
    """The type of the thing that a name means."""
    local = scope.lookup(node.name)
    if local is not None:
        return _local_type(ctx, node, local)
    found = _value_type(ctx, node, expected)
    if found is not None:
        return found
    declared = node.name in ctx.busy or node.name in ctx.globals or node.name in ctx.pending
    symbol = ctx.lookup(node.name)
    if symbol is None and declared:
        return ERROR
    return _symbol_type(ctx, scope, node, symbol)


def _local_type(ctx: Context, node: s.Name, local: LocalSymbol) -> Type:
    """The type of a local; of one that every player has, an index is missing."""
    ctx.facts.refs[node] = local
    if local.per_player:
        ctx.error(
            "E0303",
            f"each player has a separate `{node.name}`",
            node.span,
            hint=f"write `{node.name}[p]`",
        )
        return ERROR
    return local.type


def _value_type(ctx: Context, node: s.Name, expected: Type | None) -> Type | None:
    """The type of a value of an enum; None if the name means something else here."""
    if node.name not in ctx.values:
        return None
    wanted = plain(expected)
    candidates = ctx.values[node.name]
    matching = [v for v in candidates if v.type is wanted]
    if matching:
        candidates = matching
    elif node.name in ctx.globals or node.name in ctx.pending:
        return None
    if len(candidates) > 1:
        names = ", ".join(f"`{v.type.name}.{node.name}`" for v in candidates)
        ctx.error("E0204", f"`{node.name}` could be {names}", node.span, hint="say which")
        return ERROR
    ctx.facts.refs[node] = candidates[0]
    return candidates[0].type


def _symbol_type(ctx: Context, scope: Scope, node: s.Name, symbol: Symbol | None) -> Type:
    """The type of a declared symbol as a value; other uses of names are reported."""
    match symbol:
        case None if node.name not in ctx.types:
            ctx.unknown(node.name, node.span, scope)
            return ERROR
        case None | TableSymbol() | EnumType():
            ctx.error(
                "E0305",
                f"`{node.name}` is a type, not a value",
                node.span,
                hint=f"in a domain: `x in {node.name}`",
            )
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
        case _:
            ctx.error(
                "E0305",
                f"`{node.name}` cannot be used as a value",
                node.span,
                hint=how_to_use(symbol),
            )
            return ERROR


def how_to_use(symbol: Symbol) -> str:
    """A hint for something used where only a value can be."""
    match symbol:
        case FunctionSymbol():
            return f"call it: `{symbol.name}(…)`"
        case VarSymbol() | ConstSymbol() | PoolSymbol() | ZoneSymbol():
            return f"indices are written in brackets: `{symbol.name}[…]`"
        case PieceSymbol():
            return f"pieces move: `move {symbol.name}[…] from … to …`"
        case RelationSymbol():
            return f"ask over it: `spread from … by {symbol.name}`"
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
