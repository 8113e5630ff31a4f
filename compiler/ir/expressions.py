"""Expressions: each knows the range of its value."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rules_dsl.language.spans import NOWHERE, Span

__all__ = [
    "Aggregate",
    "AggregateKind",
    "Call",
    "Cell",
    "Expr",
    "Field",
    "FieldKind",
    "Graph",
    "GraphKind",
    "If",
    "Int",
    "Let",
    "Local",
    "LocalCell",
    "Lookup",
    "Narrow",
    "Op",
    "OpKind",
    "Range",
    "Select",
]


@frozen
class Expr:
    """An expression with the range of its value."""

    lo: int = field(kw_only=True)
    hi: int = field(kw_only=True)


@frozen
class Int(Expr):
    value: int


@frozen
class Local(Expr):
    """A parameter, a loop variable, a `let` or a `var`."""

    name: str


@frozen
class LocalCell(Expr):
    """A player's value of a secret choice that is over."""

    name: str
    index: Expr


@frozen
class Cell(Expr):
    """A cell of the state."""

    array: str
    index: tuple[Expr, ...]


@frozen
class Lookup(Expr):
    """A cell of a constant table."""

    table: str
    index: tuple[Expr, ...]


@frozen
class Select(Expr):
    """One of several values, counted from 0; the index is in range."""

    index: Expr
    items: tuple[Expr, ...]


OpKind = Literal[
    "add", "sub", "mul", "div", "mod", "neg", "abs", "min", "max",
    "eq", "ne", "lt", "le", "and", "or", "not",
]  # fmt: skip


@frozen
class Op(Expr):
    """Arithmetic and logic; `div` and `mod` round down, `and` and `or` stop when decided."""

    kind: OpKind
    args: tuple[Expr, ...]


@frozen
class If(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Narrow(Expr):
    """A value that must lie in the range `lo`..`hi`; that it does not is a fault."""

    value: Expr
    what: str
    span: Span = NOWHERE


@frozen
class Let(Expr):
    name: str
    value: Expr
    body: Expr


@frozen
class Call(Expr):
    """A pure function."""

    function: str
    args: tuple[Expr, ...]


@frozen
class Range:
    """A bound variable and what it runs over, both ends included."""

    name: str
    low: Expr
    high: Expr


AggregateKind = Literal["count", "sum", "min", "max", "every", "some", "first"]


@frozen
class Aggregate(Expr):
    """A value gathered over all combinations of the ranges that satisfy `where`.

    `default` is the value of an empty `min`, `max` or `first`.
    """

    kind: AggregateKind
    ranges: tuple[Range, ...]
    where: Expr | None
    body: Expr | None
    default: int = 0


GraphKind = Literal["reaches", "distance", "component"]


@frozen
class Graph(Expr):
    """A question about the graph whose steps a function gives.

    Nodes are the numbers from `first` to `first + nodes - 1`.
    """

    kind: GraphKind
    step: str
    first: int
    nodes: int
    start: Expr
    goal: Expr | None
    bound: int = 0


FieldKind = Literal["spread", "steps", "legs", "component"]


@frozen
class Field(Expr):
    """What a question from many places to all places says about one place.

    - `spread`: whether a path of the price `within` or less leads there (of any price, without it);
    - `steps`: the price of the cheapest path, `within + 1` if it costs more;
    - `legs`: the least number of legs, each within `within`, that lead there, `most + 1` if there
      are more; a leg ends where it enters a stop, and a further one may start there;
    - `component`: the least place connected with it, steps taken both ways.

    `sources` and `stops` name functions: the place is their first argument. A field is total: every
    step and every source is evaluated, whether the answer depends on it or not.
    """

    kind: FieldKind
    relation: str
    args: tuple[Expr, ...]
    place: Expr
    sources: str = ""
    source_args: tuple[Expr, ...] = ()
    within: Expr | None = None
    stops: str = ""
    stop_args: tuple[Expr, ...] = ()
    most: int = 0
