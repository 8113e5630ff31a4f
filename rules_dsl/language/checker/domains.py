"""Domains of bound names, and quantifiers."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import as_summand, check, check_bool, check_int, infer
from rules_dsl.language.checker.orders import named_order
from rules_dsl.language.checker.typing_rules import MAX_DOMAIN, sized
from rules_dsl.language.checker.wording import described
from rules_dsl.language.types import (
    BOOL,
    ERROR,
    EnumType,
    ErrorType,
    IntType,
    OptionalType,
    SetType,
    Type,
    ZoneType,
)


def domain(ctx: Context, scope: Scope, node: s.Domain) -> Type:
    """The type of the elements that a domain runs over."""
    element = _domain(ctx, scope, node)
    ctx.facts.types[node] = element
    if node.start is not None:
        if isinstance(element, EnumType) and node.high is None and names_type(ctx, scope, node):
            check(ctx, scope, node.start, element)
        elif not isinstance(element, ErrorType):
            ctx.error("E0326", "`from` works on a whole enum or the players", node.start.span)
    return element


def names_type(ctx: Context, scope: Scope, node: s.Domain) -> bool:
    """Whether a domain is a whole type."""
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
                "E0317",
                f"{high.high - low.low + 1:,} numbers are too many to enumerate",
                node.span,
                hint=f"at most {MAX_DOMAIN:,}",
            )
            return ERROR
        return IntType(low.low, high.high)
    if names_type(ctx, scope, node):
        assert isinstance(node.low, s.Name)
        enum = ctx.types[node.low.name]
        ctx.facts.refs[node.low] = enum
        return enum
    order = named_order(ctx, scope, node.low)
    if order is not None:
        return order.dimensions[0]
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
            hint = "a type, a range `a..b`, a zone, a set or an order"
    message = f"this cannot be enumerated: {described(place)}"
    ctx.error("E0325", message, node.span, hint=hint)
    return ERROR


# Maximum size of an offer to a player; in play most of it is not present.
MAX_OFFERED = 2**31


def bind(ctx: Context, scope: Scope, binders: s.Binders, most: int = MAX_DOMAIN) -> int:
    """Bring the bound names into scope; returns the number of combinations."""
    total = 1
    for binder in binders.binders:
        element = domain(ctx, scope, binder.domain)
        ctx.declare_local(scope, binder.name, element)
        if isinstance(element, EnumType | IntType):
            total *= max(1, element.size)
    if binders.where is not None:
        check_bool(ctx, scope, binders.where)
    if total > most:
        ctx.error(
            "E0317",
            f"{total:,} combinations are too many to enumerate",
            binders.span,
            hint=f"at most {most:,}",
        )
        return most
    return total


def quantifier_type(ctx: Context, scope: Scope, node: s.Quantifier) -> Type:
    """The type of a quantifier; its names are seen inside it only."""
    inner = scope.inner()
    total = bind(ctx, inner, node.binders)
    if node.kind in ("first", "most", "fewest"):
        if len(node.binders.binders) != 1:
            ctx.error("E0327", f"`{node.kind}` looks for one thing", node.binders.span)
            return ERROR
        if node.body is not None:
            check_int(ctx, inner, node.body)
        element = ctx.facts.types[node.binders.binders[0].domain]
        return OptionalType(element) if isinstance(element, IntType | EnumType) else ERROR
    if node.kind == "count":
        return IntType(0, total)
    assert node.body is not None
    if node.kind in ("every", "some"):
        check_bool(ctx, inner, node.body)
        return BOOL
    if node.kind == "sum":
        body = as_summand(ctx, node.body, infer(ctx, inner, node.body))
        return sized(ctx, node, IntType(min(0, body.low * total), max(0, body.high * total)))
    body = check_int(ctx, inner, node.body)
    if node.kind == "min":
        return IntType(body.low, body.high + 1)
    return IntType(body.low - 1, body.high)
