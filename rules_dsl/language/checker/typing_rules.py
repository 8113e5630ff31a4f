"""Compatibility of types, and the ranges of arithmetic."""

from __future__ import annotations

from math import lcm

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.spans import Span
from rules_dsl.language.types import (
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
)

# Maximum number of elements of a domain that is enumerated.
MAX_DOMAIN = 65_536
MAX_NUMBER = 10**12


def sized(ctx: Context, node: s.Expr, type_: IntType) -> Type:
    """The type of a computed number; one that may get too large is an error."""
    if type_.low > -MAX_NUMBER and type_.high < MAX_NUMBER:
        return type_
    ctx.error(
        "E0112",
        f"this number may get as large as {MAX_NUMBER:,}",
        node.span,
        hint="keep its parts small, with `min` or in a cell with a range",
    )
    return ERROR


def int_add(a: IntType, b: IntType) -> IntType:
    """The range of a sum."""
    return IntType(a.low + b.low, a.high + b.high)


def int_sub(a: IntType, b: IntType) -> IntType:
    """The range of a difference."""
    return IntType(a.low - b.high, a.high - b.low)


def int_mul(a: IntType, b: IntType) -> IntType:
    """The range of a product."""
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return IntType(min(corners), max(corners))


def int_div(a: IntType, b: IntType) -> IntType:
    """The range of a quotient, rounded down; the divisor may be anything but zero."""
    divisors = {d for d in (b.low, b.high, -1, 1) if d != 0 and b.low <= d <= b.high}
    corners = [x // y for x in (a.low, a.high) for y in divisors]
    return IntType(min(corners), max(corners))


def int_mod(a: IntType, b: IntType) -> IntType:
    """The range of a remainder; it has the sign of the divisor."""
    if b.low > 0:
        if a.low >= 0 and a.high < b.low:
            return a
        return IntType(0, b.high - 1)
    return IntType(min(0, b.low + 1), max(0, b.high - 1))


def plain(type_: Type | None) -> Type | None:
    """The type without `none`."""
    return type_.inner if isinstance(type_, OptionalType) else type_


def fits(ctx: Context, actual: Type, target: Type, span: Span) -> bool:
    """Report if a value of one type cannot stand where another is needed."""
    if isinstance(actual, ErrorType) or isinstance(target, ErrorType):
        return True
    if isinstance(actual, NoneType):
        if isinstance(target, OptionalType):
            return True
        ctx.error(
            "E0315",
            f"`none` does not fit: {_shown(target)} is needed",
            span,
            hint="a type with `?` may be none",
        )
        return False
    one, two = plain(actual), plain(target)
    if isinstance(one, IntType) and isinstance(two, IntType):
        if one.high < two.low or one.low > two.high:
            shown = str(one.low) if one.low == one.high else f"a number in {one}"
            ctx.error("E0309", f"{shown} is outside {two}", span)
            return False
        return True
    if isinstance(one, BoolType) and isinstance(two, BoolType):
        return True
    if isinstance(one, EnumType) and one is two:
        return True
    if isinstance(one, SetType) and isinstance(two, SetType) and covers(two.inner, one.inner):
        return True
    ctx.error("E0301", f"{_shown(target)} is needed here; this is {_shown(actual)}", span)
    return False


def covers(wide: IntType | EnumType, narrow: IntType | EnumType) -> bool:
    """Whether a set of the one type may hold everything that is in a set of the other."""
    if isinstance(wide, IntType) and isinstance(narrow, IntType):
        return wide.contains(narrow)
    return wide is narrow


def common_element(one: IntType | EnumType, two: IntType | EnumType) -> IntType | EnumType | None:
    """The element type of two sets, if one type can hold the elements of both."""
    if isinstance(one, IntType) and isinstance(two, IntType):
        return one.hull(two)
    return one if one is two else None


def _shown(type_: Type) -> str:
    match type_:
        case IntType():
            return f"a number in {type_}" if type_.low != type_.high else f"the number {type_.low}"
        case BoolType():
            return "a condition"
        case EnumType():
            return f"a {type_.name}"
        case OptionalType(inner):
            return f"{_shown(inner)} or none"
        case SetType():
            return f"a {type_}"
        case _:
            return f"the {type_}"


def _join_fractions(ctx: Context, one: Type, two: Type, span: Span) -> Type:
    sides = []
    for side in (one, two):
        if isinstance(side, IntType):
            sides.append(FractionType(1, side))
        elif isinstance(side, FractionType):
            sides.append(side)
        else:
            ctx.error("E0301", f"both sides must agree: {_shown(one)}, {_shown(two)}", span)
            return ERROR
    bottom = lcm(sides[0].denominator, sides[1].denominator)
    scaled = [
        int_mul(f.numerator, IntType(bottom // f.denominator, bottom // f.denominator))
        for f in sides
    ]
    return FractionType(bottom, scaled[0].hull(scaled[1]))


def join(ctx: Context, one: Type, two: Type, span: Span) -> Type:
    """The type of a value that is of one type or of another."""
    if isinstance(one, ErrorType) or isinstance(two, ErrorType):
        return ERROR
    if isinstance(one, FractionType) or isinstance(two, FractionType):
        return _join_fractions(ctx, one, two, span)
    optional = isinstance(one, OptionalType | NoneType) or isinstance(two, OptionalType | NoneType)
    a, b = plain(one), plain(two)
    result: Type | None = None
    if isinstance(a, NoneType):
        result = b
    elif isinstance(b, NoneType):
        result = a
    elif isinstance(a, IntType) and isinstance(b, IntType):
        result = a.hull(b)
    elif (isinstance(a, BoolType) and isinstance(b, BoolType)) or (
        isinstance(a, EnumType) and a is b
    ):
        result = a
    elif isinstance(one, SetType) and isinstance(two, SetType):
        shared = common_element(one.inner, two.inner)
        result = None if shared is None else SetType(shared)
    if result is None:
        ctx.error("E0301", f"both sides must agree: {_shown(one)}, {_shown(two)}", span)
        return ERROR
    if optional and isinstance(result, IntType | BoolType | EnumType):
        return OptionalType(result)
    return result
