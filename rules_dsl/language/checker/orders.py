"""Orders: permutations as state, moves in them, and loops that go by a number."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import check, check_int, infer
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import Symbol, VarSymbol
from rules_dsl.language.types import EnumType, ErrorType, IntType, Type
from rules_dsl.language.viewers import everybody

# Maximum number of elements: every place is compared with every other.
MAX_ORDERED = 32


def order_maker(ctx: Context, item: s.StateVar, type_: s.OrderType) -> Callable[[], Symbol | None]:
    """The elements of an order: a number from 1 for each, in the order of declaration."""

    def make() -> Symbol | None:
        name = type_.element.name
        if name not in ctx.types:
            hint = did_you_mean(name, ctx.types)
            ctx.error("E0203", f"there is no type `{name}`", type_.element.span, hint=hint)
            return None
        enum = ctx.types[name]
        if _too_many(ctx, enum, type_.span):
            return None
        wrong = (
            "has no indices of its own"
            if item.index
            else "starts as its elements are declared"
            if item.initial is not None
            else "is seen by everybody"
            if item.visibility != "all"
            else "is not a ghost"
            if item.ghost
            else "is not clamped"
            if item.clamped
            else ""
        )
        if wrong:
            ctx.error("E0445", f"an order {wrong}", item.span, hint=_HINTS.get(wrong, ""))
            return None
        places = tuple(range(1, enum.size + 1))
        size = max(1, enum.size)
        return VarSymbol(item, (enum,), IntType(1, size), places, everybody(ctx.players))

    return make


_HINTS = {"starts as its elements are declared": "move them in `setup`"}


def _too_many(ctx: Context, enum: EnumType, span: Span) -> bool:
    if enum.size <= MAX_ORDERED:
        return False
    ctx.error(
        "E0445", f"`{enum.name}` has {enum.size} values; an order has at most {MAX_ORDERED}", span
    )
    return True


def named_order(ctx: Context, scope: Scope, node: s.Expr) -> VarSymbol | None:
    """The order that a name stands for, if it does."""
    if not isinstance(node, s.Name) or scope.lookup(node.name) is not None:
        return None
    symbol = ctx.lookup(node.name) if node.name not in ctx.types else None
    if not isinstance(symbol, VarSymbol) or not symbol.is_order:
        return None
    ctx.facts.refs[node] = symbol
    return symbol


def check_move_in_order(ctx: Context, scope: Scope, node: s.MoveInOrder) -> None:
    """Check a move to an end of an order, or beside another element."""
    order = named_order(ctx, scope, node.order)
    if order is None:
        place = infer(ctx, scope, node.order)
        if not isinstance(place, ErrorType):
            ctx.error(
                "E0445",
                "this is not an order",
                node.order.span,
                hint="an order is declared in `state`: `turn: order of Player`",
            )
        infer(ctx, scope, node.element)
        return
    element = order.dimensions[0]
    check(ctx, scope, node.element, element)
    if node.beside is not None:
        check(ctx, scope, node.beside, element)


def check_sorted(
    ctx: Context, outside: Scope, inside: Scope, binder: s.Binder, key: s.SortKey, element: Type
) -> None:
    """Check the sort key of a loop; it is computed for all elements before the loop."""
    check_int(ctx, inside, key.value)
    if isinstance(element, ErrorType):
        return
    low = binder.domain.low
    whole = isinstance(ctx.facts.refs.get(low), EnumType) or named_order(ctx, outside, low)
    if not isinstance(element, EnumType) or not whole:
        ctx.error(
            "E0326",
            "`by` orders a whole enum or the players",
            key.span,
            hint="leave elements out with `where`",
        )
    else:
        _too_many(ctx, element, key.span)
