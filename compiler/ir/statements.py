"""Statements without decisions."""

from __future__ import annotations

from attrs import field, frozen

from compiler.ir.expressions import Cell, Expr, Local, LocalCell, Range
from rules_dsl.language.spans import NOWHERE, Span

__all__ = [
    "PLACE",
    "Branch",
    "Check",
    "Do",
    "Leave",
    "Loop",
    "PlaceCard",
    "Reveal",
    "SetCell",
    "SetLocal",
    "SetLocalCell",
    "Statement",
    "Transfer",
]


@frozen
class Statement:
    span: Span = field(kw_only=True, default=NOWHERE)


@frozen
class SetCell(Statement):
    target: Cell
    value: Expr


@frozen
class SetLocal(Statement):
    target: Local
    value: Expr


@frozen
class SetLocalCell(Statement):
    target: LocalCell
    value: Expr


@frozen
class Transfer(Statement):
    """Goods move: `amount` leaves one cell and enters another.

    A negative amount, one larger than what is there and one that does not fit are faults; `up_to`
    takes at most what is there.
    """

    good: str
    source: Cell
    target: Cell
    amount: Expr
    up_to: bool = False


@frozen
class PlaceCard(Statement):
    """A card changes its place; not being at `source`, if given, is a fault."""

    target: Cell
    source: Expr | None
    place: Expr


@frozen
class Branch(Statement):
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@frozen
class Loop(Statement):
    """A loop without decisions; the bounds are read once."""

    range: Range
    body: tuple[Statement, ...]


@frozen
class Do(Statement):
    """A call of a routine: a procedure or action without decisions."""

    routine: str
    args: tuple[Expr, ...]


@frozen
class Check(Statement):
    """An assertion; not holding is a fault."""

    condition: Expr
    reason: str


# How a `Reveal` writes a part of the index of the variable that is shown next.
PLACE = "[]"


@frozen
class Reveal(Statement):
    """A value is shown, to everybody or to one player: a line in the log, nothing in the state.

    `kind` is as in `Shown`; `text` is how the rules write the value, empty if no line is needed.
    The value of a variable with an index is shown as `name[]`, and before it each part of the
    index as `PLACE`: players read whose value it is, so they know that as well.
    """

    value: Expr
    kind: str
    text: str
    to: Expr | None = None


@frozen
class Leave(Statement):
    """Return from a routine."""
