"""Tables of component data, with the functions and procedures of their rows."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.syntax.expressions import Expr
from rules_dsl.language.syntax.parts import Cites, Declaration, Ident, Node, Provenance, Text
from rules_dsl.language.syntax.statements import Block
from rules_dsl.language.syntax.types import Param, TypeExpr

__all__ = [
    "Cell",
    "Column",
    "Copies",
    "EachSeat",
    "Row",
    "RowFunction",
    "RowProcedure",
    "Table",
    "TableFunction",
    "TableProcedure",
]


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
    # The action after which it is carried out, for every row.
    whenever: Ident | None
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
class EachSeat(Node):
    """`for each p in Player`: one row for every seat."""

    name: Ident
    domain: Ident


@frozen(eq=False)
class Copies(Node):
    count: int


@frozen(eq=False)
class Cell(Node):
    """One value of a row (`3`, `pays = 3`), with its provenance if that differs from the row's."""

    value: Expr
    provenance: Provenance | None


@frozen(eq=False)
class Row(Node):
    name: Ident
    text: Text | None
    seat: EachSeat | None
    copies: Copies | None
    cells: tuple[Cell, ...]
    cites: Cites
    bodies: tuple[RowProcedure | RowFunction, ...]
    provenance: Provenance | None

    @property
    def values(self) -> tuple[Expr, ...]:
        return tuple(cell.value for cell in self.cells)


@frozen(eq=False)
class Table(Declaration):
    name: Ident
    text: Text | None
    cites: Cites
    provenance: Provenance | None
    columns: tuple[Column, ...]
    functions: tuple[TableFunction, ...]
    procedures: tuple[TableProcedure, ...]
    rows: tuple[Row, ...]
