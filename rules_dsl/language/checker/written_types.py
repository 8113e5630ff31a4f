"""The meanings of written types and indices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import infer
from rules_dsl.language.checker.typing_rules import MAX_DOMAIN
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import Dimension
from rules_dsl.language.types import (
    BOOL,
    ERROR,
    BoolType,
    EnumType,
    ErrorType,
    IntType,
    OptionalType,
    SetType,
    Type,
    ValueType,
)


def resolve_type(ctx: Context, node: s.TypeExpr) -> Type:
    """The type that a type expression means."""
    match node:
        case s.NamedType("bool"):
            return BOOL
        case s.NamedType(name):
            if name in ctx.types:
                return ctx.types[name]
            hint = did_you_mean(name, [*ctx.types, "bool"])
            if name in ("int", "integer", "number", "nat"):
                hint = "numbers have a range: `0..10`"
            ctx.error("E0203", f"there is no type `{name}`", node.span, hint=hint)
            return ERROR
        case s.OptionalType(inner):
            base = resolve_type(ctx, inner)
            if isinstance(base, IntType | BoolType | EnumType):
                return OptionalType(base)
            if not isinstance(base, ErrorType):
                ctx.error("E0316", f"`{base}` cannot be optional", node.span)
            return ERROR
        case s.SetType(inner):
            base = resolve_type(ctx, inner)
            if isinstance(base, IntType | EnumType):
                return SetType(base)
            if not isinstance(base, ErrorType):
                ctx.error("E0316", f"there are no sets of {base}", node.span)
            return ERROR
        case s.OrderType():
            ctx.error("E0316", "orders exist as state variables only", node.span)
            return ERROR
        case s.RangeType(low, high):
            values = []
            for side in (low, high):
                infer(ctx, Scope(), side)
                value = constants.evaluate_or_report(ctx, side)
                if value is None:
                    return ERROR
                values.append(value)
            if values[1] < values[0]:
                ctx.error("E0310", f"{values[0]}..{values[1]} has no numbers", node.span)
                return ERROR
            return IntType(values[0], values[1])
    raise AssertionError(node)


def value_type(ctx: Context, node: s.TypeExpr) -> ValueType | None:
    """A type for a single value."""
    type_ = resolve_type(ctx, node)
    if isinstance(type_, SetType):
        ctx.error(
            "E0316",
            "this has to be a single value, not a set",
            node.span,
            hint="sets are state variables, or a `let` or `var` of a procedure",
        )
        return None
    return type_ if isinstance(type_, IntType | BoolType | EnumType | OptionalType) else None


def dimension(ctx: Context, node: s.TypeExpr) -> Dimension | None:
    """A type for an index."""
    type_ = resolve_type(ctx, node)
    if isinstance(type_, IntType | EnumType):
        return type_
    if not isinstance(type_, ErrorType):
        ctx.error("E0304", f"`{type_}` cannot be an index", node.span)
    return None


def all_dimensions(ctx: Context, nodes: tuple[s.TypeExpr, ...]) -> tuple[Dimension, ...] | None:
    """The types of several indices, if each is one."""
    found = [dimension(ctx, n) for n in nodes]
    if any(f is None for f in found):
        return None
    result = tuple(f for f in found if f is not None)
    size = 1
    for d in result:
        size *= d.size
    return None if nodes and too_many(ctx, size, "cells", nodes[0].span) else result


def too_many(ctx: Context, size: int, what: str, span: Span) -> bool:
    """Report a domain with too many elements to be enumerated."""
    if size <= MAX_DOMAIN:
        return False
    ctx.error("E0317", f"{size:,} {what} are too many", span, hint=f"at most {MAX_DOMAIN:,}")
    return True


def all_indices(dimensions: tuple[Dimension, ...]) -> Iterator[tuple[int, ...]]:
    """Every combination of indices, in the order of the cells."""
    ranges = [
        range(d.low, d.high + 1) if isinstance(d, IntType) else range(d.size) for d in dimensions
    ]
    return product(*ranges)


def index_domain(ctx: Context, node: s.Domain, element: Type) -> Dimension | None:
    """The index type that a domain stands for: a whole type, or a range of known numbers."""
    if isinstance(element, EnumType) and isinstance(ctx.facts.refs.get(node.low), EnumType):
        return element
    if isinstance(element, IntType) and node.high is not None:
        low = constants.evaluate_or_report(ctx, node.low)
        high = constants.evaluate_or_report(ctx, node.high)
        if low is None or high is None:
            return None
        if high < low:
            ctx.error("E0310", f"{low}..{high} has no numbers", node.span)
            return None
        return IntType(low, high)
    if not isinstance(element, ErrorType):
        ctx.error("E0304", "an index runs over a type or a range", node.span)
    return None
