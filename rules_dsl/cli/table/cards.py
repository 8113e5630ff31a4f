"""What is printed on a card or tile, for people at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from compiler.runtime.moves import normal
from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text
from rules_dsl.language.prose import Reader
from rules_dsl.language.provenance import mark, of_row

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
            if _is_called(row, label, normal(name)):
                kind = table.text.value if table.text is not None else table.name.name
                values = ", ".join(_values(table, row))
                head = f"{label} ({kind}){_repeated(row)}{mark(of_row(table, row))}"
                lines.append(head + (f": {values}" if values else ""))
                does = Reader(program).row(table.name.name, row.name.name)
                lines += [f"    {_word(name)}: {', '.join(told)}" for name, told in does.items()]
    return lines


def _is_called(row: s.Row, label: str, name: str) -> bool:
    """Whether this is the name or label of a row; one of its copies will do."""
    if name in (normal(label), normal(row.name.name)):
        return True
    repeated = row.seat is not None or row.copies is not None
    return repeated and name.startswith((normal(f"{label} ("), normal(f"{row.name}_")))


def _repeated(row: s.Row) -> str:
    each = "" if row.seat is None else f", one for each {row.seat.domain}"
    return each + ("" if row.copies is None else f", {row.copies.count} copies")


def _values(table: s.Table, row: s.Row) -> Iterator[str]:
    for number, cell in enumerate(row.cells):
        end = "" if cell.provenance is None else mark(cell.provenance)
        match cell.value:
            case s.Binary("=", s.Name(column), given):
                yield f"{column} {expression_text(given)}{end}"
            case value:
                yield f"{table.columns[number].name} {expression_text(value)}{end}"


def _word(name: str) -> str:
    """The name of what a row does, as people say it."""
    return name.replace("_", " ")
