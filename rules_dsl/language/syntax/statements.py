"""Statements of actions, procedures and functions."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rules_dsl.language.syntax.expressions import (
    Binder,
    Binders,
    Domain,
    Expr,
    FixedArg,
    PileEnd,
)
from rules_dsl.language.syntax.parts import Cites, Ident, Node, Text
from rules_dsl.language.syntax.types import TypeExpr

__all__ = [
    "Assert",
    "Assign",
    "Block",
    "CallStatement",
    "Choose",
    "ChooseMode",
    "ChooseSecretly",
    "ChooseSubset",
    "ChooseValue",
    "Cost",
    "DrawFrom",
    "DrawIn",
    "Effect",
    "End",
    "Endless",
    "For",
    "If",
    "Let",
    "MoveAmount",
    "MoveCard",
    "MoveGoods",
    "MoveInOrder",
    "OptionUse",
    "PlaceInOrder",
    "Require",
    "Return",
    "Reveal",
    "SecretBlock",
    "SetChange",
    "SetFill",
    "Shuffle",
    "SortKey",
    "Statement",
    "Together",
    "Var",
    "While",
]


@frozen(eq=False)
class Statement(Node):
    """Something that happens."""


@frozen(eq=False)
class Effect(Statement):
    """A statement that changes the state by itself, or ends the game: one that may be forgotten."""


Block = tuple[Statement, ...]


@frozen(eq=False)
class Let(Statement):
    name: Ident
    value: Expr


@frozen(eq=False)
class Var(Statement):
    name: Ident
    type: TypeExpr
    value: Expr


@frozen(eq=False)
class Assign(Effect):
    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@frozen(eq=False)
class CallStatement(Statement):
    call: Expr


@frozen(eq=False)
class SetChange(Effect):
    """`add x to s`, `remove x from s`."""

    adding: bool
    element: Expr
    target: Expr


@frozen(eq=False)
class SetFill(Effect):
    """`fill s`, `clear s`: every element comes into a set, or leaves it."""

    filling: bool
    target: Expr


# "everything" moves goods or cards; the others move goods.
MoveAmount = Literal["exactly", "up to", "all", "everything"]


@frozen(eq=False)
class MoveGoods(Effect):
    how: MoveAmount
    amount: Expr | None
    good: Expr | None
    source: Expr
    target: Expr


@frozen(eq=False)
class MoveCard(Effect):
    """`move c from hand[p] to offer`, `move c to bottom of deck`."""

    card: Expr
    source: Expr | None
    target: Expr
    # The end of the pile that is the target.
    end: PileEnd | None = None


@frozen(eq=False)
class Shuffle(Effect):
    """`shuffle deck`, `shuffle discard into deck`: the order is unknown from then on."""

    pile: Expr
    added: Expr | None


PlaceInOrder = Literal["front", "back", "behind", "before"]


@frozen(eq=False)
class MoveInOrder(Effect):
    """`move p to front of turn`, `move p behind q in turn`."""

    element: Expr
    place: PlaceInOrder
    beside: Expr | None
    order: Expr


@frozen(eq=False)
class Assert(Statement):
    condition: Expr
    reason: Text | None


@frozen(eq=False)
class Reveal(Statement):
    """`reveal e`, `reveal e to p`: a value is shown to everybody, or to one player."""

    value: Expr
    to: Expr | None


@frozen(eq=False)
class Return(Statement):
    value: Expr | None


@frozen(eq=False)
class End(Effect):
    pass


@frozen(eq=False)
class Endless(Node):
    """Why a loop may go round for ever."""

    reason: Text
    cites: Cites


@frozen(eq=False)
class While(Statement):
    condition: Expr
    # The measure; empty in a loop `without end`.
    measure: tuple[Expr, ...]
    endless: Endless | None
    # Conditions that hold in every round: for the verifier.
    keeps: tuple[Expr, ...]
    body: Block


@frozen(eq=False)
class SortKey(Node):
    """The sort key of a loop; equal elements keep their order."""

    value: Expr
    downwards: bool


@frozen(eq=False)
class For(Statement):
    binder: Binder
    sorted: SortKey | None
    where: Expr | None
    # As of a `while`; the bound name is the next element, and one past the last at the end.
    keeps: tuple[Expr, ...]
    body: Block


@frozen(eq=False)
class If(Statement):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block


# With "optionally always" a player is asked even if only passing is left.
ChooseMode = Literal["one", "optionally", "optionally always", "repeatedly"]


@frozen(eq=False)
class OptionUse(Node):
    """An action offered by a `choose`."""

    name: Ident
    fixed: tuple[FixedArg, ...] = ()
    when: Expr | None = None


@frozen(eq=False)
class Choose(Statement):
    """`choose p: place, pick_up`."""

    actor: Expr
    mode: ChooseMode
    measure: tuple[Expr, ...]
    label: Ident | None
    prompt: Text | None
    options: tuple[OptionUse, ...]
    # Whether only the player who chooses sees the choice.
    secret: bool = False


@frozen(eq=False)
class ChooseValue(Statement):
    """`choose p: t in Temple where …`."""

    actor: Expr
    mode: ChooseMode
    label: Ident | None
    notation: Text | None
    binders: Binders
    reason: Text | None
    secret: bool = False


@frozen(eq=False)
class ChooseSubset(Statement):
    """`choose p: cards among 1..2 of hand[p] where …`: several at once, in no order."""

    actor: Expr
    label: Ident | None
    notation: Text | None
    name: Ident
    # The size: exactly `least` if `most` is not given, and any number if neither is.
    least: Expr | None
    most: Expr | None
    domain: Domain
    where: Expr | None
    reason: Text | None
    secret: bool = False


@frozen(eq=False)
class ChooseSecretly(Statement):
    """`choose each p in Player secretly: bid in 0..9`."""

    chooser: Binder
    among: Expr | None
    label: Ident | None
    notation: Text | None
    binders: Binders
    reason: Text | None


@frozen(eq=False)
class SecretBlock(Statement):
    """`choose each p in Player secretly`, and below it what each of them chooses."""

    chooser: Binder
    among: Expr | None
    body: Block


@frozen(eq=False)
class Together(Statement):
    """Choices that are made only if they can all be made."""

    body: Block
    otherwise: Block


@frozen(eq=False)
class DrawIn(Statement):
    verb: Literal["draw", "roll"]
    binder: Binder
    where: Expr | None
    weight: Expr | None


@frozen(eq=False)
class DrawFrom(Statement):
    """`draw c from bag`, `draw c from top of deck to hand[p]`."""

    verb: Literal["draw", "roll"]
    name: Ident
    kind: Ident | None
    source: Expr
    where: Expr | None
    # Of a pile: the end from which the card is taken, and where it goes.
    end: PileEnd | None = None
    target: Expr | None = None
    target_end: PileEnd | None = None


@frozen(eq=False)
class Cost(Statement):
    """`cost 3 action_points`, `cost 2 wood from stock[p] to supply`, of an action."""

    amount: Expr
    what: Expr
    source: Expr | None
    target: Expr | None
    reason: Text | None
    cites: Cites


@frozen(eq=False)
class Require(Statement):
    """A requirement of an action; it keeps its place among the statements."""

    condition: Expr
    reason: Text | None
    cites: Cites
    exceptions: tuple[tuple[str, Expr], ...] = ()
