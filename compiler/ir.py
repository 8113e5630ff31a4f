"""The typed intermediate representation: one meaning for every construct.

Everything is a whole number: enums, rows and players count from 0, false and true are 0 and 1,
`none` is one below the least value of its type. Indices are counted from 0. Every expression knows
the range of its value (`lo`..`hi`), so that back ends need no types of their own.

From this, and from nothing else, come the Python code, the C code and the SMT formulas.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.spans import NOWHERE, Span
from rules_dsl.language.syntax import Visibility

# ---- expressions ---------------------------------------------------------------------------------


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
    step and every source is worked out, whether the answer depends on it or not.
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


# ---- statements ----------------------------------------------------------------------------------


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
    """A call of a routine: a procedure or action in which nobody decides anything."""

    routine: str
    args: tuple[Expr, ...]


@frozen
class Check(Statement):
    """An assertion; not holding is a fault."""

    condition: Expr
    reason: str


@frozen
class Reveal(Statement):
    """A value is shown, to everybody or to one player: a line in the log, nothing in the state.

    `kind` is as in `Shown`; `text` is how the rules write the value, empty if no line is needed.
    """

    value: Expr
    kind: str
    text: str
    to: Expr | None = None


@frozen
class Leave(Statement):
    """Return from a routine."""


# ---- control -------------------------------------------------------------------------------------


@frozen
class Terminator:
    span: Span = field(kw_only=True, default=NOWHERE)


@frozen
class Jump(Terminator):
    target: int
    # The arrival completes a round of a loop: its measure must have decreased.
    back: bool = False
    # The arrival finishes choices that are made together.
    finishes: bool = False


@frozen
class Fork(Terminator):
    condition: Expr
    then: int
    otherwise: int


@frozen
class Together(Terminator):
    """Choices that are made together begin at `then` if they can be finished from there.

    They can if some way from there comes to a jump that `finishes`; nothing in between is chance,
    a call with decisions in it, or the end of the procedure.
    """

    then: int
    otherwise: int


@frozen
class Enter(Terminator):
    """Call a procedure with decisions in it; control comes back to `target`."""

    procedure: str
    args: tuple[Expr, ...]
    target: int


@frozen
class Exit(Terminator):
    """Return from a procedure."""


@frozen
class End(Terminator):
    """The game is over."""


@frozen
class Shown:
    """A value for people: `kind` is "int", "bool" or the name of an enum.

    `…?n` is shown as none if it is n. Values of a kind `…*n` that follow each other are the
    elements of a set, those that are n left out.
    """

    expr: Expr
    kind: str


TextPart = str | Shown


@frozen
class Require:
    """A requirement; `values` are the parts of the condition that explain it."""

    condition: Expr
    text: tuple[TextPart, ...]
    values: tuple[tuple[str, Shown], ...]
    cites: tuple[str, ...]
    span: Span
    # The condition without exceptions, and the labels of those that could lift it.
    exceptions: tuple[str, ...] = ()


@frozen
class Define:
    """A `let` among the requirements."""

    name: str
    value: Expr


Head = tuple[Require | Define, ...]


@frozen
class Param:
    """Something that the player chooses: `kind` as in `Shown`."""

    range: Range
    lo: int
    hi: int
    kind: str


@frozen
class Subset:
    """The parameters of an option are the elements of a set, each 0 or 1, in order.

    They can be 1 only if they are there. The first requirements of the option are `bounds` in
    number and say that the set has at least `least` and at most `most` elements.
    """

    # What the elements are, `kind` as in `Shown`, and the first of them.
    kind: str
    first: int
    least: Expr
    most: Expr
    bounds: int


@frozen
class Option:
    """One kind of move at a decision: its parameters become locals of the target block."""

    name: str
    params: tuple[Param, ...]
    head: Head
    notation: tuple[TextPart, ...]
    target: int
    # The action that this option offers, if it is not a mere choice of values, `pass` or `stop`.
    action: str = ""
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    subset: Subset | None = None
    # The action begins with choices made together: it is legal only if they can be finished.
    together: bool = False


@frozen
class Decide(Terminator):
    """A player decides. With `skip`, the question is asked only if some other option is legal."""

    label: str
    actor: Expr
    options: tuple[Option, ...]
    secret: bool = False
    # Where to go without asking; the options that lead there by hand are `pass` and `stop`.
    skip: int | None = None
    # One of several choices made together: what is chosen must leave a way to finish them.
    together: bool = False
    # A secret choice that everybody knows once all players have chosen.
    turned_up: bool = False

    def finishing(self, option: Option) -> bool:
        """Whether an option is legal only if choices made together can be finished after it."""
        return self.together or option.together


@frozen
class Chance(Terminator):
    """Chance decides: a value of the range that satisfies `where`, by weight; none is a fault."""

    verb: str
    range: Range
    where: Expr | None
    weight: Expr | None
    target: int
    kind: str = "int"


@frozen
class Block:
    """Statements without decisions, and what comes after them.

    `facts` hold whenever control arrives: they are proved by those who jump here. `measure`, at the
    head of a loop, decreases with every round; `endless` says why nothing does.
    """

    id: int
    statements: tuple[Statement, ...]
    terminator: Terminator
    facts: tuple[Expr, ...] = ()
    measure: tuple[Expr, ...] = ()
    span: Span = NOWHERE
    endless: str = ""

    @property
    def heads_loop(self) -> bool:
        """Whether a loop comes round to this block."""
        return bool(self.measure or self.endless)


# ---- rules ---------------------------------------------------------------------------------------


@frozen
class Variable:
    """A local variable: `size` cells (one, or one for each player).

    `kind` is as in `Shown`, and empty for a local that the rule file does not name.
    """

    name: str
    lo: int
    hi: int
    size: int = 1
    kind: str = "int"


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
    """The local that a promise reads for a value at the entry of its rule."""
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
    """Which places are one step apart: the places are `first` to `first + places - 1`."""

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
    """A procedure or action in which nobody decides anything."""

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
    """What is known of an action apart from where it is offered."""

    name: str
    params: tuple[Variable, ...]
    actor: str
    # The routine or procedure that carries it out, with the actor as its first argument.
    deciding: bool
    span: Span
    cites: tuple[str, ...] = ()


# ---- state ---------------------------------------------------------------------------------------

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
    visibility: Visibility
    value_kind: str
    clamped: bool = False
    goods: tuple[str, ...] = ()
    bank: bool = False
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
    """A zone of cards: which numbers in the array of its table's places belong to it."""

    name: str
    table: str
    array: str
    dimensions: tuple[Dimension, ...]
    first: int
    places: int
    visibility: Visibility
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

    If it is `hidden`, nobody is told before the game is over.
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

    def functions_of(self, field: Field) -> tuple[str, ...]:
        """The functions that decide the answer to a question."""
        ways = self.relations[field.relation].ways
        chosen = (name for name in (field.sources, field.stops) if name)
        return (*(name for way in ways for name in way.functions), *chosen)

    @property
    def cells(self) -> int:
        """How many cells a state has."""
        return sum(array.size for array in self.arrays.values())
