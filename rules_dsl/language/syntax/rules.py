"""Functions, actions, procedures, the course of the game, scoring and contracts."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rules_dsl.language.syntax.expressions import Expr
from rules_dsl.language.syntax.parts import Cites, Declaration, Ident, Node, Text
from rules_dsl.language.syntax.statements import Block
from rules_dsl.language.syntax.types import Param, TypeExpr

__all__ = [
    "Action",
    "Function",
    "Invariant",
    "Procedure",
    "ScoreLine",
    "Scoring",
    "Section",
    "TieLine",
    "Waive",
]


@frozen(eq=False)
class Function(Declaration):
    name: Ident
    params: tuple[Param, ...]
    # Without one, the range of its body.
    type: TypeExpr | None
    body: Block | Expr
    text: Text | None
    cites: Cites


@frozen(eq=False)
class Action(Declaration):
    name: Ident
    params: tuple[Param, ...]
    actor: Ident
    text: Text | None
    cites: Cites
    ensures: tuple[Expr, ...]
    body: Block
    # The payments of its costs, once they are expanded.
    pays: tuple[Expr, ...] = ()


@frozen(eq=False)
class Procedure(Declaration):
    name: Ident
    params: tuple[Param, ...]
    # The action after which it is carried out.
    whenever: Ident | None
    text: Text | None
    cites: Cites
    requires: tuple[Expr, ...]
    ensures: tuple[Expr, ...]
    decreases: tuple[Expr, ...]
    body: Block


@frozen(eq=False)
class Section(Declaration):
    """`setup` and `play`."""

    kind: Literal["setup", "play"]
    cites: Cites
    body: Block


@frozen(eq=False)
class ScoreLine(Node):
    player: Ident
    value: Expr
    cites: Cites
    # Whether the scores are hidden until the game is over.
    hidden: bool = False


@frozen(eq=False)
class TieLine(Node):
    order: Literal["most", "fewest"]
    value: Expr
    when: Expr | None
    cites: Cites


@frozen(eq=False)
class Scoring(Declaration):
    cites: Cites
    scores: tuple[ScoreLine, ...]
    ties: tuple[TieLine, ...]


@frozen(eq=False)
class Invariant(Declaration):
    name: Ident
    text: Text | None
    when: Expr | None
    cites: Cites
    condition: Expr


@frozen(eq=False)
class Waive(Declaration):
    obligation: Ident
    subject: Ident
    reason: Text
