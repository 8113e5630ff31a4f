"""The cells of a row by column."""

from __future__ import annotations

from attrs import evolve

from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text


def cells_by_column(table: s.Table, row: s.Row) -> dict[str, s.Cell]:
    """The cells of a row: `2, jade = 1` is a cell of the first column and one of `jade`."""
    found = {}
    for number, cell in enumerate(row.cells):
        match cell.value:
            case s.Binary("=", s.Name(column), given):
                found[column] = evolve(cell, value=given)
            case _:
                found[table.columns[number].name.name] = cell
    return found


def says_more(column: s.Column, cell: s.Cell) -> bool:
    """Whether a cell differs from the default of its column."""
    if column.default is None:
        return True
    return expression_text(cell.value) != expression_text(column.default)
