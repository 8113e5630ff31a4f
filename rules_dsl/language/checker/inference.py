"""The type of an expression, and whether it fits where it stands."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.typing_rules import fits
from rules_dsl.language.checker.wording import described
from rules_dsl.language.types import (
    BOOL,
    BoolType,
    EnumType,
    ErrorType,
    IntType,
    OptionalType,
    Type,
)


def infer(ctx: Context, scope: Scope, node: s.Expr, expected: Type | None = None) -> Type:
    """The type of an expression; names are resolved on the way."""
    assert ctx.expression_type is not None
    result = ctx.expression_type(ctx, scope, node, expected)
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
    return as_number(ctx, node, infer(ctx, scope, node))


def as_summand(ctx: Context, node: s.Expr, actual: Type) -> IntType:
    """The range of a part of a sum or a product, where a condition counts as 0 or 1."""
    return IntType(0, 1) if isinstance(actual, BoolType) else as_number(ctx, node, actual)


def as_number(ctx: Context, node: s.Expr, actual: Type) -> IntType:
    """The range of an expression whose type is known and must be a number."""
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
