"""Tables: rows, columns, and the functions and procedures of rows."""

from __future__ import annotations

from typing import TypeVar

from attrs import evolve

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.const_declarations import list_cells
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.copies import all_rows
from rules_dsl.language.checker.naming import add_values, label_of, taken
from rules_dsl.language.checker.signatures import parameters
from rules_dsl.language.checker.typing_rules import fits
from rules_dsl.language.checker.written_types import all_dimensions, too_many, value_type
from rules_dsl.language.diagnostics import Note, did_you_mean
from rules_dsl.language.plurals import counted
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    ColumnSymbol,
    LocalSymbol,
    MemberFunction,
    MemberProcedure,
    TableSymbol,
)
from rules_dsl.language.types import EnumType, IntType, bounds

_Body = TypeVar("_Body", s.RowFunction, s.RowProcedure)


def declare_table(ctx: Context, declaration: s.Table) -> None:
    """Declare a table and its rows."""
    if taken(ctx, declaration.name):
        return
    declaration = evolve(declaration, rows=all_rows(ctx, declaration))
    if not declaration.rows:
        ctx.error("E0414", f"the table `{declaration.name}` has no rows", declaration.span)
    values = tuple(r.name.name for r in declaration.rows)
    labels = tuple(
        label_of(ctx.program.labels.get(r.name.name) or r.text, r.name.name)
        for r in declaration.rows
    )
    enum = EnumType(declaration.name.name, values, "table", labels)
    ctx.types[enum.name] = enum
    ctx.tables[enum] = TableSymbol(declaration, enum)
    add_values(ctx, enum, tuple(r.name for r in declaration.rows))


def fill_table(ctx: Context, table: TableSymbol) -> None:
    """Work out the columns, functions and procedures of a table."""
    members = _Members(ctx)
    _fill_columns(ctx, table, members)
    _fill_cells(ctx, table)
    _fill_functions(ctx, table, members)
    _fill_procedures(ctx, table, members)
    _check_bodies(ctx, table)


class _Members:
    """The names of columns, functions and procedures of a table, each with its place."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.places: dict[str, Span] = {}

    def new(self, ident: s.Ident) -> bool:
        """Note a name; a second declaration is reported."""
        if ident.name in self.places:
            self.ctx.error(
                "E0202",
                f"`{ident.name}` is declared twice",
                ident.span,
                notes=[Note("declared here first", self.places[ident.name])],
            )
            return False
        self.places[ident.name] = ident.span
        return True


def _fill_columns(ctx: Context, table: TableSymbol, members: _Members) -> None:
    for column in table.declaration.columns:
        type_ = value_type(ctx, column.type)
        dimensions = all_dimensions(ctx, column.index)
        if members.new(column.name) and type_ is not None and dimensions is not None:
            size = len(table.declaration.rows)
            for d in dimensions:
                size *= d.size
            if too_many(ctx, size, "cells", column.span):
                continue
            table.columns[column.name.name] = ColumnSymbol(column, dimensions, type_)


def _fill_cells(ctx: Context, table: TableSymbol) -> None:
    columns = table.declaration.columns
    cells: dict[str, list[int]] = {c.name.name: [] for c in columns}
    required = sum(1 for c in columns if c.default is None)
    for row in table.declaration.rows:
        named, positional = _named_cells(ctx, row, columns)
        if named is None:
            continue
        given = len(positional)
        missing = [
            c.name.name for c in columns[given:] if c.default is None and c.name.name not in named
        ]
        if given > len(columns) or missing:
            shown = str(required) if required == len(columns) else f"{required} to {len(columns)}"
            has = counted(len(row.values), "value")
            ctx.error(
                "E0302",
                f"the row `{row.name}` has {has}, not {shown}",
                row.span,
                hint="columns: " + ", ".join(c.name.name for c in columns),
            )
            continue
        for position, column in enumerate(columns):
            symbol = table.columns.get(column.name.name)
            value = positional[position] if position < given else named.get(column.name.name)
            if symbol is None:
                continue
            if value is None:
                assert column.default is not None
                part = _column_default(ctx, column.default, symbol)
            else:
                part = _column_cells(ctx, value, symbol)
            cells[column.name.name] += part
    for name, values in cells.items():
        if name in table.columns:
            table.columns[name].values = tuple(values)


def _fill_functions(ctx: Context, table: TableSymbol, members: _Members) -> None:
    for function in table.declaration.functions:
        result = value_type(ctx, function.type)
        if not members.new(function.name) or result is None:
            continue
        bodies = _bodies(ctx, table.declaration, function.name.name, s.RowFunction)
        table.functions[function.name.name] = MemberFunction(
            function.name.name,
            parameters(ctx, function.params),
            result,
            function,
            {index: body.value for index, body in bodies.items()},
            _row(table),
        )


def _fill_procedures(ctx: Context, table: TableSymbol, members: _Members) -> None:
    for procedure in table.declaration.procedures:
        if not members.new(procedure.name):
            continue
        bodies = _bodies(ctx, table.declaration, procedure.name.name, s.RowProcedure)
        table.procedures[procedure.name.name] = MemberProcedure(
            procedure.name.name,
            parameters(ctx, procedure.params),
            procedure,
            {index: body.body for index, body in bodies.items()},
            _row(table),
        )


def _check_bodies(ctx: Context, table: TableSymbol) -> None:
    """Report bodies in rows for functions and procedures that the table does not declare."""
    for row in table.declaration.rows:
        for body in row.bodies:
            known = table.functions if isinstance(body, s.RowFunction) else table.procedures
            if body.name.name not in known:
                kind = "function" if isinstance(body, s.RowFunction) else "procedure"
                ctx.error(
                    "E0206",
                    f"the table `{table.name}` has no {kind} `{body.name}`",
                    body.name.span,
                    hint=did_you_mean(body.name.name, known),
                )


def _row(table: TableSymbol) -> LocalSymbol:
    return LocalSymbol("row", table.type)


def _named_cells(
    ctx: Context, row: s.Row, columns: tuple[s.Column, ...]
) -> tuple[dict[str, s.Expr] | None, tuple[s.Expr, ...]]:
    """The cells of a row given by name (`points = 3`, after the others) and by position."""
    names = {c.name.name for c in columns}
    named: dict[str, s.Expr] = {}
    positional: list[s.Expr] = []
    for value in row.values:
        match value:
            case s.Binary("=", s.Name(name), cell) if name in names:
                if name in named or name in [c.name.name for c in columns[: len(positional)]]:
                    ctx.error("E0202", f"the column `{name}` is given twice", value.span)
                named[name] = cell
            case _:
                if named:
                    ctx.error("E0302", "cells with a name come after those without", value.span)
                    return None, ()
                positional.append(value)
    return named, tuple(positional)


def _column_default(ctx: Context, value: s.Expr, symbol: ColumnSymbol) -> list[int]:
    """A default; one value fills an indexed column."""
    if isinstance(value, s.ListLit) or not symbol.dimensions:
        return _column_cells(ctx, value, symbol)
    single = ColumnSymbol(symbol.declaration, (), symbol.type)
    size = 1
    for d in symbol.dimensions:
        size *= d.size
    return _column_cells(ctx, value, single) * size


def _column_cells(ctx: Context, value: s.Expr, symbol: ColumnSymbol) -> list[int]:
    cells = list_cells(ctx, Scope(), value, symbol.dimensions, symbol.type)
    if cells is None:
        size = 1
        for d in symbol.dimensions:
            size *= d.size
        return [0] * size
    low, high = bounds(symbol.type)
    for _, cell in cells:
        if not low <= cell <= high:
            fits(ctx, IntType(cell, cell), symbol.type, value.span)
            break
    return [cell for _, cell in cells]


def _bodies(ctx: Context, table: s.Table, name: str, kind: type[_Body]) -> dict[int, _Body]:
    found: dict[int, _Body] = {}
    for index, row in enumerate(table.rows):
        for body in row.bodies:
            if body.name.name == name and isinstance(body, kind):
                if index in found:
                    ctx.error("E0202", f"`{name}` is given twice", body.name.span)
                found[index] = body
    return found
