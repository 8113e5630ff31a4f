"""The syntax tree: what a rule file says, each piece with its place in the source.

Nodes compare by identity, so that the checker can keep facts about them in dictionaries.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rules_dsl.spans import Span


@frozen(eq=False)
class Node:
    """Anything that stands somewhere in a rule file."""

    span: Span = field(kw_only=True)


# ---- small parts ---------------------------------------------------------------------------------


@frozen(eq=False)
class Text(Node):
    """A string, and the same in other languages (`"Maize" ru "Кукуруза"`)."""

    value: str
    translations: tuple[tuple[str, str], ...] = ()


@frozen(eq=False)
class Cite(Node):
    """Where a rule comes from: source, pages, heading."""

    source: str
    pages: str
    heading: str

    def __str__(self) -> str:
        parts = [self.source]
        if self.pages:
            parts.append(f"p. {self.pages}")
        if self.heading:
            parts.append(self.heading)
        return " ".join(parts)


Cites = tuple[Cite, ...]


@frozen(eq=False)
class Ident(Node):
    """A name being declared or referred to outside an expression."""

    name: str

    def __str__(self) -> str:
        return self.name


# ---- expressions ---------------------------------------------------------------------------------


@frozen(eq=False)
class Expr(Node):
    """An expression."""


@frozen(eq=False)
class Name(Expr):
    name: str


@frozen(eq=False)
class IntLit(Expr):
    value: int


@frozen(eq=False)
class BoolLit(Expr):
    value: bool


@frozen(eq=False)
class NoneLit(Expr):
    pass


@frozen(eq=False)
class ListLit(Expr):
    items: tuple[Expr, ...]


@frozen(eq=False)
class Unary(Expr):
    op: Literal["-", "not"]
    operand: Expr


BinaryOp = Literal[
    "+", "-", "*", "/", "div", "mod", "and", "or",
    "implies", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "min", "max",
]  # fmt: skip


@frozen(eq=False)
class Binary(Expr):
    op: BinaryOp
    left: Expr
    right: Expr


@frozen(eq=False)
class Group(Expr):
    """Parentheses; kept so that the formatter can give them back."""

    inner: Expr


@frozen(eq=False)
class IfExpr(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(eq=False)
class Index(Expr):
    base: Expr
    args: tuple[Expr, ...]


@frozen(eq=False)
class Attribute(Expr):
    base: Expr
    name: Ident


@frozen(eq=False)
class Call(Expr):
    function: Expr
    args: tuple[Expr, ...]
    by: Ident | None = None
    within: Expr | None = None


@frozen(eq=False)
class Domain(Node):
    """What a bound name runs over: `Temple`, `0..n`, `display`, with an optional start."""

    low: Expr
    high: Expr | None = None
    start: Expr | None = None


@frozen(eq=False)
class Binder(Node):
    name: Ident
    domain: Domain


@frozen(eq=False)
class Binders(Node):
    binders: tuple[Binder, ...]
    where: Expr | None = None


QuantifierKind = Literal["every", "some", "count", "sum", "min", "max", "first"]


@frozen(eq=False)
class Quantifier(Expr):
    kind: QuantifierKind
    binders: Binders
    body: Expr | None = None


# ---- types ---------------------------------------------------------------------------------------


@frozen(eq=False)
class TypeExpr(Node):
    """A type as written."""


@frozen(eq=False)
class RangeType(TypeExpr):
    low: Expr
    high: Expr


@frozen(eq=False)
class NamedType(TypeExpr):
    name: str


@frozen(eq=False)
class OptionalType(TypeExpr):
    inner: TypeExpr


@frozen(eq=False)
class SetType(TypeExpr):
    inner: TypeExpr


# ---- statements ----------------------------------------------------------------------------------


@frozen(eq=False)
class Statement(Node):
    """Something that happens."""


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
class Assign(Statement):
    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@frozen(eq=False)
class CallStatement(Statement):
    call: Expr


@frozen(eq=False)
class SetChange(Statement):
    """`add x to s`, `remove x from s`."""

    adding: bool
    element: Expr
    target: Expr


MoveAmount = Literal["exactly", "up to", "all", "everything"]


@frozen(eq=False)
class MoveGoods(Statement):
    how: MoveAmount
    amount: Expr | None
    good: Expr | None
    source: Expr
    target: Expr


@frozen(eq=False)
class MoveCard(Statement):
    card: Expr
    source: Expr | None
    target: Expr


@frozen(eq=False)
class Assert(Statement):
    condition: Expr
    reason: Text | None


@frozen(eq=False)
class Return(Statement):
    value: Expr | None


@frozen(eq=False)
class End(Statement):
    pass


@frozen(eq=False)
class While(Statement):
    condition: Expr
    measure: tuple[Expr, ...]
    # What holds whenever the loop comes round: for the verifier.
    keeps: tuple[Expr, ...]
    body: Block


@frozen(eq=False)
class For(Statement):
    binder: Binder
    where: Expr | None
    # As of a `while`; the bound name is the next element, and one past the last at the end.
    keeps: tuple[Expr, ...]
    body: Block


@frozen(eq=False)
class If(Statement):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block


ChooseMode = Literal["one", "optionally", "repeatedly"]


@frozen(eq=False)
class FixedArg(Node):
    name: Ident
    value: Expr


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


@frozen(eq=False)
class ChooseValue(Statement):
    """`choose p: t in Temple where …`."""

    actor: Expr
    mode: ChooseMode
    label: Ident | None
    notation: Text | None
    binders: Binders
    reason: Text | None


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
class DrawIn(Statement):
    verb: Literal["draw", "roll"]
    binder: Binder
    where: Expr | None
    weight: Expr | None


@frozen(eq=False)
class DrawFrom(Statement):
    verb: Literal["draw", "roll"]
    name: Ident
    kind: Ident | None
    source: Expr
    where: Expr | None


# ---- declarations --------------------------------------------------------------------------------


@frozen(eq=False)
class Declaration(Node):
    """One declaration of a rule file."""


@frozen(eq=False)
class PlayersLine(Node):
    low: Expr
    high: Expr | None
    names: tuple[Ident, ...]


@frozen(eq=False)
class SourceLine(Node):
    name: Ident
    title: Text


@frozen(eq=False)
class Game(Declaration):
    name: Ident
    text: Text | None
    cites: Cites
    players: tuple[PlayersLine, ...]
    sources: tuple[SourceLine, ...]


@frozen(eq=False)
class Include(Declaration):
    path: Text


@frozen(eq=False)
class Label(Declaration):
    name: Ident
    text: Text


@frozen(eq=False)
class Choice(Node):
    value: str | int


@frozen(eq=False)
class Option(Declaration):
    """`option` and `ruling`: a named constant with alternatives."""

    kind: Literal["option", "ruling"]
    name: Ident
    choices: tuple[Choice, ...]
    default: Choice
    text: Text | None
    cites: Cites


@frozen(eq=False)
class EnumValue(Node):
    name: Ident
    text: Text | None
    cites: Cites = ()


@frozen(eq=False)
class Enum(Declaration):
    name: Ident
    values: tuple[EnumValue, ...]
    text: Text | None
    cites: Cites
    is_block: bool


@frozen(eq=False)
class Const(Declaration):
    name: Ident
    index: tuple[Binder | TypeExpr, ...]
    value: Expr
    provisional: bool
    note: Text | None
    cites: Cites


@frozen(eq=False)
class GoodValue(Node):
    name: Ident
    text: Text | None
    limit: Expr | None


@frozen(eq=False)
class Good(Declaration):
    """`good a, b` and `goods Kind: a, b`."""

    kind: Ident | None
    values: tuple[GoodValue, ...]
    text: Text | None
    cites: Cites
    is_block: bool


@frozen(eq=False)
class Param(Node):
    """A parameter: of a type, or of an action one out of a domain (`b in display`)."""

    name: Ident
    type: TypeExpr | None
    domain: Domain | None


@frozen(eq=False)
class Column(Node):
    name: Ident
    index: tuple[TypeExpr, ...]
    type: TypeExpr
    default: Expr | None


@frozen(eq=False)
class TableFunction(Node):
    name: Ident
    params: tuple[Param, ...]
    type: TypeExpr
    default: Expr


@frozen(eq=False)
class TableProcedure(Node):
    name: Ident
    params: tuple[Param, ...]
    decreases: tuple[Expr, ...]
    default: Block


@frozen(eq=False)
class RowProcedure(Node):
    name: Ident
    body: Block


@frozen(eq=False)
class RowFunction(Node):
    name: Ident
    value: Expr


@frozen(eq=False)
class Row(Node):
    name: Ident
    text: Text | None
    values: tuple[Expr, ...]
    cites: Cites
    bodies: tuple[RowProcedure | RowFunction, ...]


@frozen(eq=False)
class Table(Declaration):
    name: Ident
    text: Text | None
    cites: Cites
    provisional: bool
    columns: tuple[Column, ...]
    functions: tuple[TableFunction, ...]
    procedures: tuple[TableProcedure, ...]
    rows: tuple[Row, ...]


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
    index: tuple[TypeExpr, ...]
    table: Ident
    holds: HoldsWhere | None
    visibility: Visibility
    text: Text | None
    cites: Cites


@frozen(eq=False)
class State(Declaration):
    items: tuple[StateVar | Pool | Zone, ...]


@frozen(eq=False)
class Function(Declaration):
    name: Ident
    params: tuple[Param, ...]
    type: TypeExpr
    body: Block | Expr
    text: Text | None
    cites: Cites


@frozen(eq=False)
class Require(Statement):
    """A requirement of an action; it stands among the statements and is moved nowhere."""

    condition: Expr
    reason: Text | None
    cites: Cites
    exceptions: tuple[tuple[str, Expr], ...] = ()


@frozen(eq=False)
class Action(Declaration):
    name: Ident
    params: tuple[Param, ...]
    actor: Ident
    text: Text | None
    cites: Cites
    body: Block


@frozen(eq=False)
class Procedure(Declaration):
    name: Ident
    params: tuple[Param, ...]
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


# ---- examples ------------------------------------------------------------------------------------


@frozen(eq=False)
class ExampleLine(Node):
    """One line of an example."""


@frozen(eq=False)
class ExamplePlayers(ExampleLine):
    count: Expr


@frozen(eq=False)
class ExampleWith(ExampleLine):
    name: Ident
    value: Choice


@frozen(eq=False)
class ExampleSeed(ExampleLine):
    seed: int


@frozen(eq=False)
class ExampleGiven(ExampleLine):
    fact: Expr


@frozen(eq=False)
class ExampleStart(ExampleLine):
    call: Expr


@frozen(eq=False)
class ExampleDo(ExampleLine):
    moves: tuple[Text, ...]


@frozen(eq=False)
class ExampleAllow(ExampleLine):
    moves: tuple[Text, ...]


@frozen(eq=False)
class ExampleRefuse(ExampleLine):
    move: Text
    because: Text | None


@frozen(eq=False)
class ExampleWinners(ExampleLine):
    names: tuple[Ident, ...]


@frozen(eq=False)
class ExampleOver(ExampleLine):
    pass


@frozen(eq=False)
class ExampleExpect(ExampleLine):
    condition: Expr


@frozen(eq=False)
class Example(Declaration):
    title: Text
    cites: Cites
    lines: tuple[ExampleLine, ...]


# ---- variants ------------------------------------------------------------------------------------


@frozen(eq=False)
class VariantItem(Declaration):
    """One change that a variant makes."""


@frozen(eq=False)
class SetConst(VariantItem):
    const: Const


@frozen(eq=False)
class SetOption(VariantItem):
    kind: Literal["option", "ruling"]
    name: Ident
    value: Choice


@frozen(eq=False)
class DropRequire(Node):
    reason: Text


@frozen(eq=False)
class Except(Node):
    label: Text
    to: Text | None
    condition: Expr


@frozen(eq=False)
class Wrap(Node):
    when: Literal["before", "after"]
    body: Block


@frozen(eq=False)
class Amend(VariantItem):
    kind: Literal["action", "procedure"]
    name: Ident
    cites: Cites
    changes: tuple[DropRequire | Require | Except | Wrap, ...]


@frozen(eq=False)
class Replace(VariantItem):
    declaration: Declaration


@frozen(eq=False)
class ReplaceRow(VariantItem):
    table: Ident
    row: Row


@frozen(eq=False)
class Add(VariantItem):
    declaration: Declaration


@frozen(eq=False)
class AddRow(VariantItem):
    table: Ident
    row: Row


@frozen(eq=False)
class AddOption(VariantItem):
    option: OptionUse
    procedure: Ident
    choice: Ident


@frozen(eq=False)
class Drop(VariantItem):
    kind: str
    name: Ident


@frozen(eq=False)
class DropRow(VariantItem):
    table: Ident
    row: Ident


@frozen(eq=False)
class DropExample(VariantItem):
    title: Text


@frozen(eq=False)
class DropOption(VariantItem):
    option: Ident
    procedure: Ident
    choice: Ident


@frozen(eq=False)
class VariantChange(VariantItem):
    """A plain declaration allowed in a variant (a label, an example)."""

    declaration: Declaration


@frozen(eq=False)
class Variant(Declaration):
    name: Ident
    of: Ident
    text: Text | None
    cites: Cites
    items: tuple[VariantItem, ...]


@frozen(eq=False)
class File(Node):
    """A whole source file."""

    path: str
    declarations: tuple[Declaration, ...]
    # The words of declarations that could not be read: what they declare is not known.
    unread: frozenset[str] = frozenset()
