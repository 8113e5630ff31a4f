"""Variants that change the start of a game: variables, pools, zones, and cells of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import did_you_mean

if TYPE_CHECKING:
    from rules_dsl.language.variants import Applier


def set_start(applier: Applier, item: s.SetStart) -> None:
    """Give a state variable another starting value, a pool or a zone other contents."""
    found = _state_item(applier, item)
    if found is None:
        return
    index, at, old = found
    if not applier.touch(f"state {item.name}", item.span, f"the start of `{item.name}`"):
        return
    new: s.StateVar | s.Pool | s.Zone
    match old, item.start:
        case s.StateVar(), s.Expr() as value:
            new = attrs.evolve(old, initial=value, index=item.index or old.index)
        case s.Pool(), tuple() as holds:
            new = attrs.evolve(old, holds=holds)
        case s.Zone(), s.HoldsWhere() as condition:
            new = attrs.evolve(old, holds=condition, index=item.index or old.index)
        case _:
            how = {s.StateVar: "state", s.Pool: "pool", s.Zone: "zone"}[type(old)]
            example = " = …" if isinstance(old, s.StateVar) else " holds …"
            applier.reporter.error(
                "E0511",
                f"`{item.name}` is a {_WORDS[how]}",
                item.name.span,
                hint=f"`{how} {item.name}{example}`",
            )
            return
    state = applier.program.declarations[index]
    assert isinstance(state, s.State)
    items = (*state.items[:at], new, *state.items[at + 1 :])
    applier.program.declarations[index] = attrs.evolve(state, items=items)
    applier.program.touched[item.name.name] = "start changed"


_WORDS = {"state": "variable", "pool": "pool", "zone": "zone"}


def _state_item(
    applier: Applier, item: s.SetStart
) -> tuple[int, int, s.StateVar | s.Pool | s.Zone] | None:
    names = []
    for index, declaration in enumerate(applier.program.declarations):
        if isinstance(declaration, s.State):
            for at, old in enumerate(declaration.items):
                names.append(old.name.name)
                if old.name.name == item.name.name:
                    return index, at, old
    applier.reporter.error(
        "E0511",
        f"the game has no state `{item.name}`",
        item.name.span,
        hint=did_you_mean(item.name.name, names),
    )
    return None


def set_cell(applier: Applier, item: s.SetCell) -> None:
    """Give one cell of a row another value."""
    index = applier.find(s.Table, item.table, "table")
    if index is None:
        return
    table = applier.program.declarations[index]
    assert isinstance(table, s.Table)
    at = applier.row_index(table, item.row)
    if at is None:
        return
    columns = [column.name.name for column in table.columns]
    if item.column.name not in columns:
        applier.reporter.error(
            "E0511",
            f"the table `{table.name}` has no column `{item.column}`",
            item.column.span,
            hint=did_you_mean(item.column.name, columns),
        )
        return
    place = f"{item.table}.{item.row}"
    if f"row {place}" in applier.touched:
        applier.touch(f"row {place}", item.span, f"the row `{item.row}`")
        return
    key = f"cell {place}.{item.column}"
    if not applier.touch(key, item.span, f"`{place}.{item.column}`"):
        return
    row = table.rows[at]
    cells = _with_cell(row.cells, columns, item)
    rows = (*table.rows[:at], attrs.evolve(row, cells=cells), *table.rows[at + 1 :])
    applier.program.declarations[index] = attrs.evolve(table, rows=rows)
    applier.program.touched[f"{place}.{item.column}"] = "cell changed"


def _with_cell(
    cells: tuple[s.Cell, ...], columns: list[str], item: s.SetCell
) -> tuple[s.Cell, ...]:
    """The cells of a row with one changed: in its place if it is written, else after the others."""
    span = item.value.span
    sure = item.provenance or "own"
    result = list(cells)
    for at, cell in enumerate(cells):
        match cell.value:
            case s.Binary("=", s.Name(name)) if name in columns:
                here = name == item.column.name
                named = attrs.evolve(cell.value, right=item.value)
                changed = s.Cell(named, sure, span=span)
            case _:
                here = at < len(columns) and columns[at] == item.column.name
                changed = s.Cell(item.value, sure, span=span)
        if here:
            result[at] = changed
            return tuple(result)
    name_ = s.Name(item.column.name, span=item.column.span)
    value = s.Binary("=", name_, item.value, span=span)
    return (*result, s.Cell(value, sure, span=span))
