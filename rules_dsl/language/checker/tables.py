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
from rules_dsl.language.checker.wording import counted
from rules_dsl.language.checker.written_types import all_dimensions, too_many, value_type
from rules_dsl.language.diagnostics import Note, did_you_mean
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
    """Take up a table and its rows."""
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
    declaration = table.declaration
    seen: dict[str, Span] = {}

    def new(ident: s.Ident) -> bool:
        if ident.name in seen:
            ctx.error(
                "E0202",
                f"`{ident.name}` is declared twice",
                ident.span,
                notes=[Note("declared here first", seen[ident.name])],
            )
            return False
        seen[ident.name] = ident.span
        return True

    for column in declaration.columns:
        type_ = value_type(ctx, column.type)
        dimensions = all_dimensions(ctx, column.index)
        if new(column.name) and type_ is not None and dimensions is not None:
            size = len(declaration.rows)
            for d in dimensions:
                size *= d.size
            if too_many(ctx, size, "cells", column.span):
                continue
            table.columns[column.name.name] = ColumnSymbol(column, dimensions, type_)
    columns = declaration.columns
    cells: dict[str, list[int]] = {c.name.name: [] for c in columns}
    required = sum(1 for c in columns if c.default is None)
    for row in declaration.rows:
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
    for function in declaration.functions:
        result = value_type(ctx, function.type)
        if not new(function.name) or result is None:
            continue
        bodies = _bodies(ctx, declaration, function.name.name, s.RowFunction)
        table.functions[function.name.name] = MemberFunction(
            function.name.name,
            parameters(ctx, function.params),
            result,
            function,
            {index: body.value for index, body in bodies.items()},
            _row(table),
        )
    for procedure in declaration.procedures:
        if not new(procedure.name):
            continue
        found = _bodies(ctx, declaration, procedure.name.name, s.RowProcedure)
        table.procedures[procedure.name.name] = MemberProcedure(
            procedure.name.name,
            parameters(ctx, procedure.params),
            procedure,
            {index: body.body for index, body in found.items()},
            _row(table),
        )
    for row in declaration.rows:
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
