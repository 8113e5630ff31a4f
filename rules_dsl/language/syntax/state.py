"""Declarations of the state: variables, pools and zones."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rules_dsl.language.syntax.expressions import Binder, Expr
from rules_dsl.language.syntax.parts import Cites, Declaration, Ident, Node, Text
from rules_dsl.language.syntax.types import TypeExpr

Visibility = Literal["all", "owner", "hidden"]


@frozen(eq=False)
class StateVar(Node):
    name: Ident
    index: tuple[Binder | TypeExpr, ...]
    type: TypeExpr
    clamped: bool
    initial: Expr | None
    visibility: Visibility
    text: Text | None
    cites: Cites


@frozen(eq=False)
class Holding(Node):
    amount: Expr
    good: Ident


@frozen(eq=False)
class Pool(Node):
    name: Ident
    index: tuple[TypeExpr, ...]
    bank: bool
    goods: tuple[Ident, ...]
    holds: tuple[Holding, ...]
    visibility: Visibility
    text: Text | None
    cites: Cites


@frozen(eq=False)
class HoldsWhere(Node):
    """Which cards a zone starts with; no condition means all."""

    name: Ident | None
    condition: Expr | None


@frozen(eq=False)
class Zone(Node):
    name: Ident
    index: tuple[Binder | TypeExpr, ...]
    table: Ident
    holds: HoldsWhere | None
    visibility: Visibility
    text: Text | None
    cites: Cites


@frozen(eq=False)
class State(Declaration):
    items: tuple[StateVar | Pool | Zone, ...]
