"""Expressions and the domains that bound names run over."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rules_dsl.language.syntax.parts import Ident, Node

__all__ = [
    "Attribute",
    "Binary",
    "BinaryOp",
    "Binder",
    "Binders",
    "BoolLit",
    "Call",
    "Domain",
    "Emptiness",
    "EndOfPile",
    "Expr",
    "Field",
    "FieldKind",
    "FixedArg",
    "Group",
    "IfExpr",
    "Index",
    "IntLit",
    "ListLit",
    "Name",
    "NoneLit",
    "PileEnd",
    "Possible",
    "Quantifier",
    "QuantifierKind",
    "RelationUse",
    "Selection",
    "Unary",
]


@frozen(eq=False)
class Expr(Node):
    """An expression."""


@frozen(eq=False)
class Name(Expr):
    name: str


@frozen(eq=False)
class IntLit(Expr):
    value: int


@frozen(eq=False)
class BoolLit(Expr):
    value: bool


@frozen(eq=False)
class NoneLit(Expr):
    pass


@frozen(eq=False)
class ListLit(Expr):
    items: tuple[Expr, ...]


@frozen(eq=False)
class Unary(Expr):
    op: Literal["-", "not"]
    operand: Expr


BinaryOp = Literal[
    "+", "-", "*", "/", "div", "mod", "and", "or",
    "implies", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "min", "max",
]  # fmt: skip


@frozen(eq=False)
class Binary(Expr):
    op: BinaryOp
    left: Expr
    right: Expr


@frozen(eq=False)
class Group(Expr):
    """Parentheses; kept so that the formatter can give them back."""

    inner: Expr


@frozen(eq=False)
class IfExpr(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(eq=False)
class Index(Expr):
    base: Expr
    args: tuple[Expr, ...]


@frozen(eq=False)
class Attribute(Expr):
    base: Expr
    name: Ident


@frozen(eq=False)
class Call(Expr):
    function: Expr
    args: tuple[Expr, ...]
    by: Ident | None = None
    within: Expr | None = None


@frozen(eq=False)
class Domain(Node):
    """The domain of a bound name: `Temple`, `0..n`, `display`, with an optional start."""

    low: Expr
    high: Expr | None = None
    start: Expr | None = None


@frozen(eq=False)
class Binder(Node):
    name: Ident
    domain: Domain


@frozen(eq=False)
class Binders(Node):
    binders: tuple[Binder, ...]
    where: Expr | None = None


@frozen(eq=False)
class RelationUse(Node):
    """The relation that a question is about: `step`, `step(p)`."""

    name: Ident
    args: tuple[Expr, ...]


FieldKind = Literal["spread", "steps", "legs", "component"]


@frozen(eq=False)
class Field(Expr):
    """A question from many places to all places, over a relation.

    `spread` is a set of places; the others are asked about one place.
    """

    kind: FieldKind
    sources: Binders | Expr | None
    place: Expr | None
    by: RelationUse
    within: Expr | None = None
    stops: Binders | Expr | None = None
    most: Expr | None = None


@frozen(eq=False)
class Emptiness(Expr):
    """`deck is empty`, `stock[p] is not empty`: of a set, a zone or a pool."""

    place: Expr
    negated: bool


@frozen(eq=False)
class Selection(Expr):
    """`each x in D where c`: the set of those for which the condition holds."""

    binders: Binders


PileEnd = Literal["top", "bottom"]


@frozen(eq=False)
class EndOfPile(Expr):
    """`top of discard`: the card at an end of a pile, if its place there is known."""

    end: PileEnd
    pile: Expr


QuantifierKind = Literal["every", "some", "count", "sum", "min", "max", "first", "most", "fewest"]


@frozen(eq=False)
class Quantifier(Expr):
    kind: QuantifierKind
    binders: Binders
    body: Expr | None = None


@frozen(eq=False)
class FixedArg(Node):
    """An argument of an action that is given by name."""

    name: Ident
    value: Expr


@frozen(eq=False)
class Possible(Expr):
    """`possible(build(skilled = true) by p)`."""

    action: Ident
    fixed: tuple[FixedArg, ...]
    by: Expr | None
