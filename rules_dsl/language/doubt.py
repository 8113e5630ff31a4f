"""Which rows show people something provisional: their own values, or those of a row they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from rules_dsl.language import syntax as s
from rules_dsl.language.cells import cells_by_column
from rules_dsl.language.provenance import least_sure

if TYPE_CHECKING:
    from rules_dsl.language.program import Program

STAR = "*"


class NamesThings(Protocol):
    """A move, by what it names: things with a type (`kind`) and a value."""

    @property
    def parts(self) -> Sequence[Any]: ...


@frozen
class Doubt:
    """The rows in doubt, by table and name."""

    rows: frozenset[tuple[str, str]]
    # Rows that are written once and stand for several.
    several: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, program: Program) -> Doubt:
        """The rows of a game that are provisional, or that name a row which is.

        >>> from rules_dsl.language.program import assemble
        >>> from rules_dsl.language.sources import gather
        >>> doubt = Doubt.of(assemble(gather("yucatan")))
        >>> [doubt.about("Card", card) for card in ("sp12", "sp01_2", "st1_white")]
        [True, True, True]
        >>> doubt.about("Stage", "barracks_0"), doubt.about("Stage", "barracks_1")
        (False, True)
        """
        tables = {table.name.name: table for table in program.of(s.Table)}
        rows = {
            (name, row.name.name)
            for name, table in tables.items()
            for row in table.rows
            if least_sure(table, row) == "provisional"
        }
        names = {
            (name, row.name.name): set(_named(tables, table, row))
            for name, table in tables.items()
            for row in table.rows
        }
        while more := {row for row, named in names.items() if named & rows} - rows:
            rows |= more
        several = frozenset(
            (name, row.name.name)
            for name, table in tables.items()
            for row in table.rows
            if row.seat is not None or row.copies is not None
        )
        return cls(frozenset(rows), several)

    def about(self, table: str, value: str) -> bool:
        """Whether a row, or the one that a copy is of, is in doubt."""
        while (table, value) not in self.rows and (table, value) not in self.several:
            value, _, end = value.rpartition("_")
            if not end or not value:
                return False
        return (table, value) in self.rows

    def star(self, move: NamesThings) -> str:
        """A star for a move that names something provisional."""
        return STAR if any(self.about(part.kind, str(part.value)) for part in move.parts) else ""


def _named(tables: dict[str, s.Table], table: s.Table, row: s.Row) -> Iterator[tuple[str, str]]:
    """The rows that a row names in its cells."""
    columns = {column.name.name: column for column in table.columns}
    for name, cell in cells_by_column(table, row).items():
        match columns[name].type, cell.value:
            case s.NamedType(kind), s.Name(other) if kind in tables:
                yield kind, other
