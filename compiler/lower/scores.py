"""Scores: fractions as whole numbers over a common denominator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from rules_dsl.language import syntax as s
from rules_dsl.language.types import (
    FractionType,
)

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions


def lower_fraction(lower: Expressions, node: s.Expr, denominator: int) -> ir.Expr:
    """A score times the common denominator."""
    type_ = lower.facts.types[node]
    if not isinstance(type_, FractionType):
        return b.mul(lower.number(node), b.int_(denominator))
    match node:
        case s.Group(inner):
            return lower_fraction(lower, inner, denominator)
        case s.Unary(_, operand):
            return b.neg(lower_fraction(lower, operand, denominator))
        case s.IfExpr(condition, then, otherwise):
            return b.if_(
                lower.value(condition),
                lower_fraction(lower, then, denominator),
                lower_fraction(lower, otherwise, denominator),
            )
        case s.Binary("/", left, _):
            inner_type = lower.facts.types[left]
            before = inner_type.denominator if isinstance(inner_type, FractionType) else 1
            divisor = type_.denominator // before
            return lower_fraction(lower, left, denominator // divisor)
        case s.Binary("+", left, right):
            return b.add(
                lower_fraction(lower, left, denominator), lower_fraction(lower, right, denominator)
            )
        case s.Binary("-", left, right):
            return b.sub(
                lower_fraction(lower, left, denominator), lower_fraction(lower, right, denominator)
            )
        case s.Binary("*", left, right):
            if isinstance(lower.facts.types[left], FractionType):
                return b.mul(lower_fraction(lower, left, denominator), lower.number(right))
            return b.mul(lower.number(left), lower_fraction(lower, right, denominator))
    raise AssertionError(node)
