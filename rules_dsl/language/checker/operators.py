"""Arithmetic, comparison and membership."""

from __future__ import annotations

from math import lcm

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import (
    as_number,
    as_summand,
    check,
    check_bool,
    check_int,
    infer,
)
from rules_dsl.language.checker.sets import combined_type, infer_pair
from rules_dsl.language.checker.typing_rules import (
    int_add,
    int_div,
    int_mod,
    int_mul,
    int_sub,
    plain,
    sized,
)
from rules_dsl.language.checker.wording import described
from rules_dsl.language.types import (
    BOOL,
    ERROR,
    BoolType,
    EnumType,
    ErrorType,
    FractionType,
    IntType,
    NoneType,
    OptionalType,
    SetType,
    Type,
    ZoneType,
)


def operation_type(ctx: Context, scope: Scope, node: s.Binary) -> Type:
    """The type of an operation on two values."""
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
    if any(isinstance(side, s.ListLit) for side in (node.left, node.right)):
        one, two = infer_pair(ctx, scope, node)
    else:
        one, two = infer(ctx, scope, node.left), infer(ctx, scope, node.right)
    if op in ("+", "-", "*") and (isinstance(one, SetType) or isinstance(two, SetType)):
        return combined_type(ctx, node, one, two)
    if ctx.scoring and (isinstance(one, FractionType) or isinstance(two, FractionType)):
        one, two = (IntType(0, 1) if isinstance(x, BoolType) else x for x in (one, two))
        return _fraction_arithmetic(ctx, node, one, two)
    counts = as_summand if op in ("+", "-", "*") else as_number
    left, right = counts(ctx, node.left, one), counts(ctx, node.right, two)
    match op:
        case "+":
            return sized(ctx, node, int_add(left, right))
        case "-":
            return sized(ctx, node, int_sub(left, right))
        case "*":
            return sized(ctx, node, int_mul(left, right))
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


def _fraction_arithmetic(ctx: Context, node: s.Binary, left: Type, right: Type) -> Type:
    """In scoring, sums and multiples of exact fractions are fractions."""
    for side, type_ in ((node.left, left), (node.right, right)):
        if not isinstance(type_, FractionType | IntType | ErrorType):
            as_number(ctx, side, type_)
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
    as_number(ctx, node.left, left)
    return ERROR


def _comparison(ctx: Context, scope: Scope, node: s.Binary) -> Type:
    left, right = infer_pair(ctx, scope, node)
    if isinstance(left, ErrorType) or isinstance(right, ErrorType):
        return BOOL
    if isinstance(left, SetType) or isinstance(right, SetType):
        combined_type(ctx, node, left, right)
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
    elements = None
    if isinstance(node.right, s.ListLit):
        element = plain(infer(ctx, scope, node.left))
        elements = SetType(element) if isinstance(element, IntType | EnumType) else None
    place = infer(ctx, scope, node.right, elements)
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
