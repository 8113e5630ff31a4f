"""The typing rules by kind of expression."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.calls import call_type
from rules_dsl.language.checker.collections import emptiness_type
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import quantifier_type
from rules_dsl.language.checker.fields import field_type
from rules_dsl.language.checker.inference import as_number, check_bool, infer
from rules_dsl.language.checker.operators import operation_type
from rules_dsl.language.checker.piles import end_type
from rules_dsl.language.checker.places import attribute_type, index_type
from rules_dsl.language.checker.possible import possible_type
from rules_dsl.language.checker.references import name_type
from rules_dsl.language.checker.sets import listed_type, selection_type
from rules_dsl.language.checker.typing_rules import join
from rules_dsl.language.types import BOOL, NONE, FractionType, IntType, OptionalType, Type


def expression_type(ctx: Context, scope: Scope, node: s.Expr, expected: Type | None) -> Type:
    """The type of an expression by the rule for its kind."""
    match node:
        case s.Group(inner):
            return infer(ctx, scope, inner, expected)
        case s.IntLit(value):
            return IntType(value, value)
        case s.BoolLit():
            return BOOL
        case s.NoneLit():
            return expected if isinstance(expected, OptionalType) else NONE
        case s.Name():
            return name_type(ctx, scope, node, expected)
        case s.Unary("-", operand):
            actual = infer(ctx, scope, operand)
            if ctx.scoring and isinstance(actual, FractionType):
                top = actual.numerator
                return FractionType(actual.denominator, IntType(-top.high, -top.low))
            number = as_number(ctx, operand, actual)
            return IntType(-number.high, -number.low)
        case s.Unary(_, operand):
            check_bool(ctx, scope, operand)
            return BOOL
        case s.Binary():
            return operation_type(ctx, scope, node)
        case s.Emptiness():
            return emptiness_type(ctx, scope, node)
        case s.EndOfPile():
            return end_type(ctx, scope, node)
        case s.IfExpr():
            check_bool(ctx, scope, node.condition)
            first = infer(ctx, scope, node.then, expected)
            second = infer(ctx, scope, node.otherwise, expected)
            return join(ctx, first, second, node.otherwise.span)
        case s.Index():
            return index_type(ctx, scope, node)
        case s.Attribute():
            return attribute_type(ctx, scope, node)
        case s.Call():
            return call_type(ctx, scope, node)
        case s.Quantifier():
            return quantifier_type(ctx, scope, node)
        case s.Possible():
            return possible_type(ctx, scope, node)
        case s.Field():
            return field_type(ctx, scope, node)
        case s.ListLit():
            return listed_type(ctx, scope, node, expected)
        case s.Selection():
            return selection_type(ctx, scope, node)
    raise AssertionError(node)
