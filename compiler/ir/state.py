"""The state, the components, and the module that holds everything."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from compiler.ir.expressions import Expr, Field
from compiler.ir.rules import Action, Function, Procedure, Relation, Routine
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.spans import NOWHERE, Span
from rules_dsl.language.viewers import Viewers

__all__ = [
    "Array",
    "ArrayKind",
    "Dimension",
    "Enum",
    "Good",
    "Invariant",
    "Label",
    "Module",
    "Scoring",
    "Table",
    "Tie",
    "Waiver",
    "Zone",
]

ArrayKind = Literal["variable", "set", "pool", "zone"]


@frozen
class Dimension:
    """An index: `size` values from `lo`; `kind` as in `Shown`."""

    lo: int
    size: int
    kind: str


@frozen
class Array:
    """A named group of cells.

    A pool has one more dimension, its goods; a set one more, its elements; the "zone" array of a
    table says for each card in which place it is.
    """

    name: str
    kind: ArrayKind
    dimensions: tuple[Dimension, ...]
    lo: int
    hi: int
    initial: tuple[int, ...]
    viewers: Viewers
    value_kind: str
    clamped: bool = False
    goods: tuple[str, ...] = ()
    bank: bool = False
    # Whether only proofs read it.
    ghost: bool = False
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        total = 1
        for dimension in self.dimensions:
            total *= dimension.size
        return total


@frozen
class Zone:
    """A zone of cards: which numbers in the array of its table's places belong to it.

    For each combination of its indices a zone without order has one place. A pile has several, its
    `levels`, from the bottom to the top: one for its shuffled cards, and others for single cards
    below and above them.
    """

    name: str
    table: str
    array: str
    dimensions: tuple[Dimension, ...]
    first: int
    places: int
    viewers: Viewers
    levels: int = 1
    # Number of levels below the shuffled cards.
    below: int = 0
    span: Span = NOWHERE


@frozen
class Good:
    name: str
    kind: str
    limit: int | None
    total: int
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()


@frozen
class Enum:
    """Names and labels of an enum's values."""

    name: str
    values: tuple[str, ...]
    labels: tuple[str, ...]
    kind: str = "enum"


@frozen
class Table:
    """A constant table."""

    name: str
    sizes: tuple[int, ...]
    values: tuple[int, ...]


@frozen
class Tie:
    order: Literal["most", "fewest"]
    value: Expr


@frozen
class Scoring:
    """A player's score is `numerator` / `denominator`; the player is the local `player`.

    If it is `hidden`, it is not shown before the game is over.
    """

    player: str
    numerator: Expr
    denominator: int
    ties: tuple[Tie, ...]
    cites: tuple[str, ...] = ()
    hidden: bool = False


@frozen
class Invariant:
    name: str
    text: str
    condition: Expr
    span: Span
    cites: tuple[str, ...] = ()


@frozen
class Waiver:
    obligation: str
    subject: str
    reason: str


@frozen
class Label:
    """A label for people, with its translations."""

    text: str
    translations: tuple[tuple[str, str], ...] = ()


@frozen
class Module:
    """A game for one number of players and one choice of options."""

    name: str
    title: Label
    players: int
    options: tuple[tuple[str, OptionValue], ...]
    variants: tuple[str, ...]
    digest: str
    enums: dict[str, Enum]
    tables: dict[str, Table]
    arrays: dict[str, Array]
    zones: dict[str, Zone]
    goods: dict[str, Good]
    functions: dict[str, Function]
    relations: dict[str, Relation]
    routines: dict[str, Routine]
    procedures: dict[str, Procedure]
    actions: dict[str, Action]
    scoring: Scoring
    invariants: tuple[Invariant, ...]
    waivers: tuple[Waiver, ...]
    labels: dict[str, Label]
    main: str = "play"
    # Ghosts that were left out: see `compiler.ghosts`.
    left_out: tuple[str, ...] = ()

    def functions_of(self, field: Field) -> tuple[str, ...]:
        """The functions that decide the answer to a question."""
        ways = self.relations[field.relation].ways
        chosen = (name for name in (field.sources, field.stops) if name)
        return (*(name for way in ways for name in way.functions), *chosen)

    @property
    def cells(self) -> int:
        """Number of cells of a state."""
        return sum(array.size for array in self.arrays.values())
