"""Where the values of a game come from: printed, public, provisional or one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules_dsl.language import syntax as s


def of_row(table: s.Table, row: s.Row) -> s.Provenance:
    """Where a row comes from: what it says itself, else what its table says, else printed."""
    return row.provenance or table.provenance or "printed"


def of_cell(table: s.Table, row: s.Row, cell: s.Cell) -> s.Provenance:
    """Where one value of a row comes from."""
    return cell.provenance or of_row(table, row)


def of_const(const: s.Const) -> s.Provenance:
    """Where a constant comes from."""
    return const.provenance or "printed"


def counted(table: s.Table) -> Counter[s.Provenance]:
    """How many rows of a table come from where; a row counts by its least certain cell."""
    return Counter(least_sure(table, row) for row in table.rows)


def least_sure(table: s.Table, row: s.Row) -> s.Provenance:
    """The provenance of a row, or that of its least certain cell."""
    marks = [of_row(table, row), *(of_cell(table, row, cell) for cell in row.cells)]
    return max(marks, key=_DOUBT.index)


def is_provisional(node: s.Node) -> bool:
    """Whether something in a declaration is not known for certain."""
    match node:
        case s.Const():
            return of_const(node) == "provisional"
        case s.Table():
            return counted(node)["provisional"] > 0
    return False


def mark(provenance: s.Provenance) -> str:
    """What follows a value in texts for people; nothing if the value is printed.

    >>> "strength 4" + mark("provisional")
    'strength 4 (provisional)'
    """
    return "" if provenance == "printed" else f" ({provenance})"


def summary(tables: Iterable[s.Table], constants: Iterable[s.Const]) -> str:
    """How much of a game is not known for certain; empty if all is printed."""
    rows = sum((counted(table) for table in tables), Counter[s.Provenance]())
    consts = Counter(of_const(const) for const in constants)
    parts = [
        f"{found[kind]} {kind} {noun}{'' if found[kind] == 1 else 's'}"
        for kind in _DOUBT[::-1]
        for noun, found in (("row", rows), ("constant", consts))
        if kind != "printed" and found[kind]
    ]
    return ", ".join(parts)


# From certain to uncertain; an author's own decision is not in doubt.
_DOUBT: tuple[s.Provenance, ...] = ("printed", "own", "public", "provisional")
