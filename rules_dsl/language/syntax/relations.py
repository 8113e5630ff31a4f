"""Relations: the places that are one step apart."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.syntax.expressions import Binder, Expr
from rules_dsl.language.syntax.parts import Cites, Declaration, Ident, Node, Text
from rules_dsl.language.syntax.types import Param

__all__ = [
    "Relation",
    "Way",
]


@frozen(eq=False)
class Way(Node):
    """`to beside[c, d] as e for d in Dir where open[e] costs 2`, or `joined with …`."""

    target: Expr
    called: Ident | None
    binders: tuple[Binder, ...]
    where: Expr | None
    costs: Expr | None
    joined: bool
    cites: Cites


@frozen(eq=False)
class Relation(Declaration):
    """The steps from a place; `place` names it and its domain."""

    name: Ident
    params: tuple[Param, ...]
    place: Binder
    text: Text | None
    cites: Cites
    ways: tuple[Way, ...]
