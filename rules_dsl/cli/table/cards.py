"""What is printed on a card or tile, for people at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from compiler.runtime.moves import normal
from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text, statement_text

if TYPE_CHECKING:
    from rules_dsl.language.program import Program


def card_lines(program: Program, name: str) -> list[str]:
    """The cards with a name or label: columns with their values, then what the card does.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> card_lines(assemble(gather("tzolkin")), "a1-01")[0]
    'A1-01 (buildings): age 1, frame farm, cost [1, 0, 0], feeds 1'
    """
    lines = []
    for table in program.of(s.Table):
        for row in table.rows:
            label = row.text.value if row.text is not None else row.name.name
            if normal(name) in (normal(label), normal(row.name.name)):
                kind = table.text.value if table.text is not None else table.name.name
                values = ", ".join(_values(table, row))
                lines.append(f"{label} ({kind})" + (f": {values}" if values else ""))
                lines += _bodies(row)
    return lines


def _values(table: s.Table, row: s.Row) -> Iterator[str]:
    for number, value in enumerate(row.values):
        match value:
            case s.Binary("=", s.Name(column), given):
                yield f"{column} {expression_text(given)}"
            case _:
                yield f"{table.columns[number].name} {expression_text(value)}"


def _bodies(row: s.Row) -> Iterator[str]:
    for body in row.bodies:
        if isinstance(body, s.RowFunction):
            yield f"    {body.name} = {expression_text(body.value)}"
        else:
            yield f"    {body.name}"
            for statement in body.body:
                yield from statement_text(statement, 2).split("\n")
