"""The provenance of a game's values: printed, public, provisional or one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from rules_dsl.language import syntax as s

if TYPE_CHECKING:
    from rules_dsl.language.program import Program


def of_row(table: s.Table, row: s.Row) -> s.Provenance:
    """The provenance of a row: its own, else that of its table, else printed."""
    return row.provenance or table.provenance or "printed"


def of_cell(table: s.Table, row: s.Row, cell: s.Cell) -> s.Provenance:
    """The provenance of one value of a row."""
    return cell.provenance or of_row(table, row)


def of_const(const: s.Const) -> s.Provenance:
    """The provenance of a constant."""
    return const.provenance or "printed"


def counted(table: s.Table) -> Counter[s.Provenance]:
    """Number of rows of a table by provenance; a row counts by its least certain cell."""
    return Counter(least_sure(table, row) for row in table.rows)


def least_sure(table: s.Table, row: s.Row) -> s.Provenance:
    """The provenance of a row, or that of its least certain cell."""
    marks = [of_row(table, row), *(of_cell(table, row, cell) for cell in row.cells)]
    return max(marks, key=_DOUBT.index)


def is_provisional(node: s.Node) -> bool:
    """Whether a value in a declaration is not printed."""
    match node:
        case s.Const():
            return of_const(node) == "provisional"
        case s.Table():
            return counted(node)["provisional"] > 0
    return False


def mark(provenance: s.Provenance) -> str:
    """The note after a value in texts for people; nothing if the value is printed.

    >>> "strength 4" + mark("provisional")
    'strength 4 (provisional)'
    """
    return "" if provenance == "printed" else f" ({provenance})"


def summary(
    tables: Iterable[s.Table],
    constants: Iterable[s.Const],
    kinds: Container[s.Provenance] = ("own", "public", "provisional"),
) -> str:
    """The number of values of a game that are not printed; empty if all are."""
    rows = sum((counted(table) for table in tables), Counter[s.Provenance]())
    consts = Counter(of_const(const) for const in constants)
    parts = [
        f"{found[kind]} {kind} {noun}{'' if found[kind] == 1 else 's'}"
        for kind in _DOUBT[::-1]
        for noun, found in (("row", rows), ("constant", consts))
        if kind in kinds and found[kind]
    ]
    return ", ".join(parts)


def provisional(program: Program) -> str:
    """The number of values of a game that are invented or inferred, in words; empty if none is."""
    return summary(program.of(s.Table), program.of(s.Const), ("provisional",))


# From certain to uncertain; an author's own decision is not in doubt.
_DOUBT: tuple[s.Provenance, ...] = ("printed", "own", "public", "provisional")
