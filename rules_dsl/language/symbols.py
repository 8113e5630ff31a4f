"""The meanings of names in a rule file."""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from rules_dsl.language import syntax
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.spans import Span
from rules_dsl.language.types import (
    EnumType,
    IntType,
    OptionalType,
    ScalarType,
    SetType,
    Type,
    ValueType,
)
from rules_dsl.language.viewers import Viewers

Dimension = IntType | EnumType


@frozen(eq=False)
class LocalSymbol:
    """A parameter, a bound name, a `let` or a `var`."""

    name: str
    type: Type
    mutable: bool = False
    # A secret choice gives every player a separate value: `bid[p]`.
    per_player: bool = False


@frozen(eq=False)
class EnumValue:
    type: EnumType
    index: int

    @property
    def name(self) -> str:
        return self.type.values[self.index]


@frozen(eq=False)
class OptionSymbol:
    """An option or ruling, with the value it has in this configuration."""

    declaration: syntax.Option
    type: ScalarType
    value: int
    choices: tuple[OptionValue, ...]

    @property
    def name(self) -> str:
        return self.declaration.name.name


@define(eq=False)
class ConstSymbol:
    """A constant; its values are computed when they are first asked for."""

    declaration: syntax.Const
    dimensions: tuple[Dimension, ...] = ()
    type: ValueType | None = None
    values: tuple[int, ...] = ()
    state: Literal["new", "busy", "done", "bad"] = "new"

    @property
    def name(self) -> str:
        return self.declaration.name.name


@define(eq=False)
class GoodSymbol:
    name: str
    limit: int | None
    # Every good belongs to an enum: that of its `goods` line, or a separate one.
    type: EnumType
    index: int
    declaration: syntax.Good


@define(eq=False)
class ColumnSymbol:
    """A column; `values` has the cells of all rows, each row's index domain flattened."""

    declaration: syntax.Column
    dimensions: tuple[Dimension, ...]
    type: ValueType
    values: tuple[int, ...] = ()


@frozen(eq=False)
class MemberFunction:
    """A function of a table's rows; `bodies` has the rows that define it."""

    name: str
    params: tuple[LocalSymbol, ...]
    result: ValueType
    declaration: syntax.TableFunction
    bodies: dict[int, syntax.Expr]
    # The current row, which its bodies call `row`.
    row: LocalSymbol


@frozen(eq=False)
class MemberProcedure:
    name: str
    params: tuple[LocalSymbol, ...]
    declaration: syntax.TableProcedure
    bodies: dict[int, syntax.Block]
    row: LocalSymbol


@define(eq=False)
class TableSymbol:
    declaration: syntax.Table
    type: EnumType
    columns: dict[str, ColumnSymbol] = field(factory=dict)
    functions: dict[str, MemberFunction] = field(factory=dict)
    procedures: dict[str, MemberProcedure] = field(factory=dict)
    zones: list[ZoneSymbol] = field(factory=list)

    @property
    def name(self) -> str:
        return self.type.name


@frozen(eq=False)
class VarSymbol:
    """A state variable."""

    declaration: syntax.StateVar
    dimensions: tuple[Dimension, ...]
    type: ValueType | SetType
    # One initial value for each cell.
    initial: tuple[int, ...]
    # Who sees which of its places: see `Viewers`.
    viewers: Viewers

    @property
    def is_order(self) -> bool:
        """Whether it gives each value of an enum a different place, counted from 1."""
        return isinstance(self.declaration.type, syntax.OrderType)

    @property
    def own_invariant(self) -> str:
        """The name of the implicit invariant of an order."""
        return f"{self.name}_is_an_order"

    @property
    def name(self) -> str:
        return self.declaration.name.name


@frozen(eq=False)
class PoolSymbol:
    declaration: syntax.Pool
    dimensions: tuple[Dimension, ...]
    goods: tuple[GoodSymbol, ...]
    holds: dict[str, int]
    viewers: Viewers

    @property
    def name(self) -> str:
        return self.declaration.name.name

    @property
    def bank(self) -> bool:
        return self.declaration.bank


@frozen(eq=False)
class ZoneSymbol:
    declaration: syntax.Zone
    dimensions: tuple[Dimension, ...]
    table: TableSymbol
    # Cards know where they are: the zones of a table share one numbering of places.
    first_place: int
    viewers: Viewers
    # A pile has a place for its shuffled cards, and places of single cards below and above them.
    below: int = 0
    above: int = 0

    @property
    def name(self) -> str:
        return self.declaration.name.name

    @property
    def is_pile(self) -> bool:
        """Whether it has an order."""
        return self.declaration.ordered

    @property
    def levels(self) -> int:
        """Number of places of one pile; a zone without order has one."""
        return self.below + 1 + self.above

    @property
    def places(self) -> int:
        count = self.levels
        for dimension in self.dimensions:
            count *= dimension.size
        return count


@frozen(eq=False)
class SpotSymbol:
    """A variable that says whose piece stands there, and the one that counts them."""

    variable: VarSymbol
    counter: VarSymbol | None


@frozen(eq=False)
class PieceSymbol:
    """Pieces of each owner, every one in a pile or on a spot."""

    declaration: syntax.Piece
    owner: EnumType
    limit: int
    piles: tuple[VarSymbol, ...]
    spots: tuple[SpotSymbol, ...]

    @property
    def name(self) -> str:
        return self.declaration.name.name

    @property
    def counters(self) -> tuple[VarSymbol, ...]:
        """The variables that count what stands on spots."""
        return tuple(spot.counter for spot in self.spots if spot.counter is not None)

    @property
    def own_invariants(self) -> tuple[str, ...]:
        """The names of the implicit invariants."""
        return (f"{self.name}_in_one_place", *(f"{c.name}_counted" for c in self.counters))

    def spot(self, variable: VarSymbol) -> SpotSymbol | None:
        """The spot that a variable is, if it is one."""
        return next((spot for spot in self.spots if spot.variable is variable), None)


@frozen(eq=False)
class FunctionSymbol:
    declaration: syntax.Function
    params: tuple[LocalSymbol, ...]
    result: ValueType

    @property
    def name(self) -> str:
        return self.declaration.name.name


@frozen(eq=False)
class RelationSymbol:
    """A relation; the name of the place where a step starts stands for one of `places`."""

    declaration: syntax.Relation
    params: tuple[LocalSymbol, ...]
    places: Dimension

    @property
    def name(self) -> str:
        return self.declaration.name.name


@frozen(eq=False)
class ActionSymbol:
    declaration: syntax.Action
    params: tuple[LocalSymbol, ...]
    actor: LocalSymbol

    @property
    def name(self) -> str:
        return self.declaration.name.name


@frozen(eq=False)
class ProcedureSymbol:
    declaration: syntax.Procedure
    params: tuple[LocalSymbol, ...]

    @property
    def name(self) -> str:
        return self.declaration.name.name


@frozen(eq=False)
class Builtin:
    """`players`, `next`, `ord`, `abs`, `before`, `reaches`, `distance`, `component`."""

    name: str


Symbol = (
    LocalSymbol | EnumValue | EnumType | OptionSymbol | ConstSymbol | GoodSymbol | TableSymbol
    | VarSymbol | PoolSymbol | ZoneSymbol | PieceSymbol | FunctionSymbol | ActionSymbol
    | ProcedureSymbol | RelationSymbol | ColumnSymbol | MemberFunction | MemberProcedure | Builtin
)  # fmt: skip

BUILTINS = {
    name: Builtin(name)
    for name in ("players", "next", "ord", "abs", "before", "reaches", "distance", "component")
}

TemplatePart = str | syntax.Expr


@define
class NodeMeanings:
    """The result of the checker: the types and meanings of a program's nodes."""

    types: dict[syntax.Node, Type] = field(factory=dict)
    refs: dict[syntax.Node, Symbol] = field(factory=dict)
    templates: dict[syntax.Text, tuple[TemplatePart, ...]] = field(factory=dict)
    # `LocalSymbol`s by the identifier that declares them.
    locals: dict[syntax.Ident, LocalSymbol] = field(factory=dict)


@define
class Checked:
    """A program checked for one number of players and one choice of options."""

    players: int
    player_type: EnumType
    options: dict[str, OptionSymbol]
    consts: dict[str, ConstSymbol]
    enums: dict[str, EnumType]
    tables: dict[str, TableSymbol]
    goods: dict[str, GoodSymbol]
    variables: dict[str, VarSymbol]
    pools: dict[str, PoolSymbol]
    zones: dict[str, ZoneSymbol]
    pieces: dict[str, PieceSymbol]
    functions: dict[str, FunctionSymbol]
    relations: dict[str, RelationSymbol]
    actions: dict[str, ActionSymbol]
    procedures: dict[str, ProcedureSymbol]
    facts: NodeMeanings
    # Procedures, member procedures and actions in which a player or chance decides something.
    deciding: set[object] = field(factory=set)
    labels: dict[str, syntax.Text] = field(factory=dict)


@frozen
class FirstDeclaration:
    """Where a name was declared first."""

    span: Span
    what: str


def optional(type_: ScalarType) -> OptionalType:
    """The type with `none` added."""
    return OptionalType(type_)
