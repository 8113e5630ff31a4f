"""Types as written, and the parameters that have them."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.syntax.expressions import Domain, Expr
from rules_dsl.language.syntax.parts import Ident, Node

__all__ = [
    "NamedType",
    "OptionalType",
    "OrderType",
    "Param",
    "RangeType",
    "SetType",
    "TypeExpr",
]


@frozen(eq=False)
class TypeExpr(Node):
    """A type as written."""


@frozen(eq=False)
class RangeType(TypeExpr):
    low: Expr
    high: Expr


@frozen(eq=False)
class NamedType(TypeExpr):
    name: str


@frozen(eq=False)
class OptionalType(TypeExpr):
    inner: TypeExpr


@frozen(eq=False)
class SetType(TypeExpr):
    inner: TypeExpr


@frozen(eq=False)
class OrderType(TypeExpr):
    """A permutation of the values of an enum; state variables only."""

    element: Ident


@frozen(eq=False)
class Param(Node):
    """A parameter: of a type, or of an action one out of a domain (`b in display`)."""

    name: Ident
    type: TypeExpr | None
    domain: Domain | None
