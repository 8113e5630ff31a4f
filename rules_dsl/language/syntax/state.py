"""Declarations of the state: variables, pools and zones, and the pieces that stand there."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rules_dsl.language.syntax.expressions import Binder, Expr
from rules_dsl.language.syntax.parts import Cites, Declaration, Ident, Node, Text
from rules_dsl.language.syntax.types import TypeExpr

__all__ = [
    "Holding",
    "HoldsWhere",
    "Piece",
    "Pool",
    "Spot",
    "State",
    "StateVar",
    "Visibility",
    "Zone",
]

# A set of players, or the words for one.
Visibility = Literal["all", "owner", "others", "hidden"] | Expr


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
    # Whether only proofs read it.
    ghost: bool = False


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
    # A pile has an order: cards are put on its top or at its bottom and taken from there.
    ordered: bool = False

    @property
    def word(self) -> str:
        """The word that declares it."""
        return "pile" if self.ordered else "zone"


@frozen(eq=False)
class State(Declaration):
    items: tuple[StateVar | Pool | Zone, ...]


@frozen(eq=False)
class Spot(Node):
    """A variable that says whose piece stands there, and the one that counts them."""

    name: Ident
    counter: Ident | None


@frozen(eq=False)
class Piece(Declaration):
    """Pieces of each owner: `piles` count those of an owner, on `spots` one can stand."""

    name: Ident
    owner: Ident
    limit: Expr
    text: Text | None
    cites: Cites
    piles: tuple[Ident, ...]
    spots: tuple[Spot, ...]
