"""Examples that rely on values which are not known for certain give way to other values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules_dsl.language import syntax as s
from rules_dsl.language.cells import cells_by_column, says_more
from rules_dsl.language.printer import expression_text
from rules_dsl.language.provenance import least_sure, of_const

if TYPE_CHECKING:
    from rules_dsl.language.program import Program

# Values with their provenance, by the name of the constant or row.
Values = dict[str, tuple[s.Provenance, str]]


def unsure_values(program: Program) -> Values:
    """The values of a program that are not printed; nothing if no example relies on such values."""
    if all(example.provenance is None for example in program.of(s.Example)):
        return {}
    return {name: found for name, found in _values(program).items() if found[0] != "printed"}


def give_way(before: Values, program: Program, variant: s.Variant) -> None:
    """Leave out the examples that rely on a provenance of which a variant has changed values."""
    if not before:
        return
    after = _values(program)
    changed = {
        sure for name, (sure, text) in before.items() if after.get(name, ("", ""))[1] != text
    }
    own = variant.span.file
    program.declarations = [
        d
        for d in program.declarations
        if not isinstance(d, s.Example) or d.provenance not in changed or d.span.file == own
    ]


def _values(program: Program) -> Values:
    found: Values = {
        const.name.name: (of_const(const), expression_text(const.value))
        for const in program.of(s.Const)
    }
    for table in program.of(s.Table):
        for row in table.rows:
            label = "" if row.text is None else row.text.value
            copies = "" if row.copies is None else str(row.copies.count)
            text = ", ".join([label, copies, *_cells(table, row)])
            found[f"{table.name}.{row.name}"] = (least_sure(table, row), text)
    return found


def _cells(table: s.Table, row: s.Row) -> list[str]:
    """The values of a row in the order of the columns, without those that need not be written."""
    written = cells_by_column(table, row)
    return [
        f"{column.name} {expression_text(written[column.name.name].value)}"
        for column in table.columns
        if column.name.name in written and says_more(column, written[column.name.name])
    ]
