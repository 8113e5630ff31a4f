"""Tables of component data, with what their rows compute and do."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.syntax.expressions import Expr
from rules_dsl.language.syntax.parts import Cites, Declaration, Ident, Node, Text
from rules_dsl.language.syntax.statements import Block
from rules_dsl.language.syntax.types import Param, TypeExpr


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
    requires: tuple[Expr, ...]
    ensures: tuple[Expr, ...]
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
