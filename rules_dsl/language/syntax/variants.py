"""A change by a variant."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rules_dsl.language.syntax.components import Const
from rules_dsl.language.syntax.expressions import Binder, Expr
from rules_dsl.language.syntax.parts import (
    Choice,
    Cites,
    Declaration,
    Ident,
    Node,
    Provenance,
    Text,
)
from rules_dsl.language.syntax.state import Holding, HoldsWhere
from rules_dsl.language.syntax.statements import Block, OptionUse, Require
from rules_dsl.language.syntax.tables import Row
from rules_dsl.language.syntax.types import TypeExpr

__all__ = [
    "Add",
    "AddOption",
    "AddRow",
    "Amend",
    "AmendSection",
    "Drop",
    "DropExample",
    "DropOption",
    "DropRequire",
    "DropRow",
    "Except",
    "Replace",
    "ReplaceRow",
    "SetCell",
    "SetConst",
    "SetOption",
    "SetStart",
    "Variant",
    "VariantChange",
    "VariantItem",
    "Wrap",
]


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
class SetStart(VariantItem):
    """`state day = 2`, `pool supply holds 3 wood`, `zone deck holds c where …`."""

    name: Ident
    index: tuple[Binder | TypeExpr, ...]
    start: Expr | tuple[Holding, ...] | HoldsWhere


@frozen(eq=False)
class SetCell(VariantItem):
    """`row Order.inn.pays = 4`: one cell of a table."""

    table: Ident
    row: Ident
    column: Ident
    value: Expr
    provenance: Provenance | None


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
class AmendSection(VariantItem):
    section: Literal["setup", "play"]
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
