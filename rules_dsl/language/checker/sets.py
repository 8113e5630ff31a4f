"""Sets as values: lists of elements, selections, and combinations of two sets."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.inference import check, check_bool, infer
from rules_dsl.language.checker.typing_rules import common_element
from rules_dsl.language.checker.wording import described
from rules_dsl.language.spans import Span
from rules_dsl.language.types import (
    ERROR,
    EnumType,
    ErrorType,
    IntType,
    SetType,
    Type,
    ZoneType,
)

# Maximum number of elements that a set may have which is chosen, shown or has a local name.
MAX_ELEMENTS = 60
# Maximum for a set of the state that is assigned.
MAX_ASSIGNED = 1_000


def listed_type(ctx: Context, scope: Scope, node: s.ListLit, expected: Type | None) -> Type:
    """The type of `[red, blue]` outside constants: the set of these."""
    if isinstance(expected, SetType):
        for item in node.items:
            check(ctx, scope, item, expected.inner)
        return expected
    if isinstance(expected, ErrorType):
        return ERROR
    if not node.items:
        ctx.error(
            "E0312",
            "the type of the elements of this empty list is unknown",
            node.span,
            hint="`clear s` empties a set; `var s: set of 1..6 = []` says its possible elements",
        )
        return ERROR
    found: IntType | EnumType | None = None
    for item in node.items:
        element = infer(ctx, scope, item, found)
        if isinstance(element, ErrorType):
            return ERROR
        if not isinstance(element, IntType | EnumType):
            message = f"there are no sets of this: it is {described(element)}"
            ctx.error("E0312", message, item.span)
            return ERROR
        joined = element if found is None else common_element(found, element)
        if joined is None:
            message = f"both sides must agree: {found}, {element}"
            ctx.error("E0301", message, item.span)
            return ERROR
        found = joined
    assert found is not None
    return SetType(found)


def selection_type(ctx: Context, scope: Scope, node: s.Selection) -> Type:
    """The type of `each x in D where c`; its name is seen inside it only."""
    binder = node.binders.binders[0]
    inner = scope.inner()
    element = domain(ctx, inner, binder.domain)
    ctx.declare_local(inner, binder.name, element)
    if node.binders.where is not None:
        check_bool(ctx, inner, node.binders.where)
    if binder.domain.start is not None:
        span = binder.domain.start.span
        ctx.error("E0443", "a set has no order, so `from` says nothing", span)
        return ERROR
    return SetType(element) if isinstance(element, IntType | EnumType) else ERROR


def combined_type(ctx: Context, node: s.Binary, left: Type, right: Type) -> Type:
    """The type of a combination of two sets, or of the cards in a zone and a set."""
    if isinstance(left, ErrorType) or isinstance(right, ErrorType):
        return ERROR
    one, two = element_type(left), element_type(right)
    if one is None or two is None:
        other, type_ = (node.left, left) if one is None else (node.right, right)
        message = f"a set is needed here; this is {described(type_)}"
        hint = _as_set(node, other, type_)
        ctx.error("E0322", message, other.span, hint=hint)
        return ERROR
    shared = common_element(one, two)
    if shared is None:
        ctx.error("E0308", f"a set of {one} and a set of {two} have nothing in common", node.span)
        return ERROR
    return SetType(one if node.op == "-" else shared)


def element_type(type_: Type) -> IntType | EnumType | None:
    """The type of the elements of a set or a zone."""
    match type_:
        case SetType(inner):
            return inner
        case ZoneType(zone):
            return zone.table.type
    return None


def _as_set(node: s.Binary, side: s.Expr, type_: Type) -> str:
    if not isinstance(type_, IntType | EnumType):
        return ""
    text = side.name if isinstance(side, s.Name) else "x"
    return f"`[{text}]` is the set of it" if side is node.right else ""


def infer_pair(ctx: Context, scope: Scope, node: s.Binary) -> tuple[Type, Type]:
    """The types of both sides; a side that could be several things follows the other."""
    if _follows(ctx, scope, node.left) and not _follows(ctx, scope, node.right):
        right = infer(ctx, scope, node.right)
        return infer(ctx, scope, node.left, _as_expected(node.left, right)), right
    left = infer(ctx, scope, node.left)
    return left, infer(ctx, scope, node.right, _as_expected(node.right, left))


def _follows(ctx: Context, scope: Scope, node: s.Expr) -> bool:
    """A list, or a name that can only be an enum value: the other side decides what it is."""
    while isinstance(node, s.Group):
        node = node.inner
    if isinstance(node, s.ListLit):
        return True
    return isinstance(node, s.Name) and node.name in ctx.values and scope.lookup(node.name) is None


def _as_expected(node: s.Expr, other: Type) -> Type | None:
    """The type expected of one side, given the other."""
    element = element_type(other)
    if element is None:
        return other
    while isinstance(node, s.Group):
        node = node.inner
    if not isinstance(node, s.ListLit):
        return SetType(element)
    # Numbers in a list may lie outside the other set.
    return SetType(element) if isinstance(element, EnumType) or not node.items else None


def local_set(ctx: Context, type_: SetType, span: Span) -> SetType | None:
    """A set that may have a local name, unless it is too large."""
    if type_.inner.size <= MAX_ELEMENTS:
        return type_
    ctx.error(
        "E0443",
        f"a local name cannot stand for a set of up to {type_.inner.size:,} things",
        span,
        hint=f"at most {MAX_ELEMENTS}; keep it in a set of the state",
    )
    return None
