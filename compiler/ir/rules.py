"""Rules: functions, relations, routines, procedures and actions."""

from __future__ import annotations

from attrs import frozen

from compiler.ir.control import Block
from compiler.ir.expressions import Expr
from compiler.ir.statements import Statement
from rules_dsl.language.spans import Span

__all__ = [
    "Action",
    "Function",
    "Procedure",
    "Relation",
    "Routine",
    "Variable",
    "Way",
    "before_name",
]


@frozen
class Variable:
    """A local variable: `size` cells (one, or one for each player).

    `kind` is as in `Shown`, and empty for a local that the rule file does not name. `written` is
    its name in the rules; names that a procedure has twice are told apart by a number.
    """

    name: str
    lo: int
    hi: int
    size: int = 1
    kind: str = "int"
    written: str = ""


@frozen
class Function:
    """A pure function."""

    name: str
    params: tuple[Variable, ...]
    lo: int
    hi: int
    body: Expr
    span: Span
    cites: tuple[str, ...] = ()


def before_name(part: int) -> str:
    """The local that a contract reads for a value at the entry of its rule."""
    return f"before.{part}"


@frozen
class Way:
    """A kind of step, for every place and all values of `ranges` (both ends included).

    Names functions of the place, the values of the ranges and the relation's arguments: `target`
    gives the place that the step leads to, or a number below all places if there is no step.
    `where` and `price` have one more argument, that place. Without `where` the step is always
    possible; without `price` it costs 1. Places that are `joined` are one place: a step between
    them costs nothing and goes both ways.
    """

    ranges: tuple[tuple[int, int], ...]
    target: str
    where: str = ""
    price: str = ""
    joined: bool = False

    @property
    def functions(self) -> tuple[str, ...]:
        return tuple(name for name in (self.target, self.where, self.price) if name)


@frozen
class Relation:
    """The places that are one step apart: the places are `first` to `first + places - 1`."""

    name: str
    first: int
    places: int
    params: tuple[Variable, ...]
    ways: tuple[Way, ...]
    # The most that one step costs.
    dearest: int
    span: Span
    cites: tuple[str, ...] = ()

    @property
    def last(self) -> int:
        return self.first + self.places - 1


@frozen
class Routine:
    """A procedure or action without decisions."""

    name: str
    params: tuple[Variable, ...]
    body: tuple[Statement, ...]
    span: Span
    requires: tuple[Expr, ...] = ()
    ensures: tuple[Expr, ...] = ()
    # What `ensures` compares with as it was at the entry, known there as `before_name(…)`.
    before: tuple[Expr, ...] = ()
    cites: tuple[str, ...] = ()


@frozen
class Procedure:
    """A procedure with decisions in it, cut into blocks; the first block is its entry."""

    name: str
    params: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    blocks: tuple[Block, ...]
    span: Span
    requires: tuple[Expr, ...] = ()
    ensures: tuple[Expr, ...] = ()
    before: tuple[Expr, ...] = ()
    decreases: tuple[Expr, ...] = ()
    recursive: bool = False
    cites: tuple[str, ...] = ()


@frozen
class Action:
    """An action, apart from the places where it is offered."""

    name: str
    params: tuple[Variable, ...]
    actor: str
    # The routine or procedure that carries it out, with the actor as its first argument.
    deciding: bool
    span: Span
    cites: tuple[str, ...] = ()
