"""The components of a game as objects: what is printed on cards, tiles and boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from compiler.lower.names import kind_of
from compiler.runtime.html import table
from compiler.runtime.values import Names
from rules_dsl.language.checker import check_program
from rules_dsl.language.checker.copies import all_rows
from rules_dsl.language.provenance import least_sure

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from rules_dsl.language.checker.context import Context
    from rules_dsl.language.symbols import ColumnSymbol, TableSymbol


@frozen
class Component:
    """A row of a table: its name, its label, its columns, and where they come from.

    >>> import rules_dsl as rd
    >>> card = rd.load("kuhn_poker").tables["Card"]["king"]
    >>> card.label
    'King'
    """

    name: str
    label: str
    columns: dict[str, Any] = field(factory=dict)
    cites: tuple[str, ...] = ()
    # Where the values come from: "printed", "public", "provisional" or "own".
    provenance: str = "printed"

    def __getattr__(self, name: str) -> Any:
        """A column by its name."""
        if not name.startswith("__") and name in self.columns:
            return self.columns[name]
        known = ", ".join(self.columns) or "none"
        raise AttributeError(f"`{self.name}` has no column `{name}`; columns: {known}")

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


class ComponentTable(dict[str, Component]):
    """The rows of a table by name; a notebook shows them as one."""

    def _repr_html_(self) -> str:
        columns = list(next(iter(self.values())).columns) if self else []
        rows = [
            [row.name, row.label, *(str(row.columns[c]) for c in columns), row.provenance]
            for row in self.values()
        ]
        return table(["name", "label", *columns, "provenance"], rows)


def components(game: Game) -> Mapping[str, Mapping[str, Component]]:
    """All tables of a game, for its number of players and options."""
    checked, ctx = check_program(game.origin.program(), game.players, dict(game.options))
    return {name: _rows(game, ctx, symbol) for name, symbol in checked.tables.items()}


def _rows(game: Game, ctx: Context, symbol: TableSymbol) -> ComponentTable:
    names = game.reader.names
    # A table that no rule uses is not among the names of the compiled game.
    labels = names.enums[symbol.name][1] if symbol.name in names.enums else symbol.type.values
    rows = {row.name.name: row for row in all_rows(ctx, symbol.declaration)}
    found = ComponentTable()
    for number, name in enumerate(symbol.type.values):
        row = rows[name]
        columns = {c: _value(names, column, number) for c, column in symbol.columns.items()}
        found[name] = Component(
            name,
            labels[number],
            columns,
            tuple(str(c) for c in row.cites),
            least_sure(symbol.declaration, row),
        )
    return found


def _value(names: Names, column: ColumnSymbol, row: int) -> Any:
    """The cell of a row in a column: a value, or a dictionary where the column has an index."""
    kind = kind_of(column.type)
    count = 1
    for dimension in column.dimensions:
        count *= dimension.size
    values = [
        names.value(kind, v) if _known(names, kind) else v
        for v in column.values[row * count : (row + 1) * count]
    ]
    for dimension in reversed(column.dimensions):
        size, index = dimension.size, kind_of(dimension)
        low = getattr(dimension, "low", 0)
        keys = [names.value(index, low + k) if _known(names, index) else k for k in range(size)]
        values = [
            dict(zip(keys, values[at : at + size], strict=True))
            for at in range(0, len(values), size)
        ]
    return values[0]


def _known(names: Names, kind: str) -> bool:
    """Whether the compiled game has names for the values of a type."""
    base = kind.partition("?")[0]
    return base in ("int", "bool", "Player") or base in names.enums
