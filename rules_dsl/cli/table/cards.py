"""The rules on a name, for people at the table: a card, a tile, a space, a temple."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from compiler.runtime.moves import normal
from rules_dsl.language import syntax as s
from rules_dsl.language.cells import cells_by_column
from rules_dsl.language.outline import about_row, cites_text
from rules_dsl.language.printer import expression_text
from rules_dsl.language.program import Program
from rules_dsl.language.prose import ProseReader
from rules_dsl.language.provenance import mark, of_row

# Maximum number of rows shown for a name.
MOST_ROWS = 12


def card_lines(program: Program, name: str, language: str = "en") -> list[str]:
    """Rows of tables with a name or label, else what belongs to a value of that name.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> tzolkin = assemble(gather("tzolkin"))
    >>> card_lines(tzolkin, "a1-01")
    ['A1-01 (buildings): age 1, frame farm (yellow frame), cost 1 wood, feeds 1']
    >>> card_lines(assemble(gather("zimbabwe")), "anansi")[1:]
    ['    Every gift costs one head of cattle, whatever its owner asks.']
    >>> card_lines(tzolkin, "chaac")[:2]
    ['Chaac', '    top step: 6 [R p. 10 Temples]']
    """
    known = _Known(program, ProseReader(program, language))
    return [*known.rows(normal(name))] or [*known.belonging(normal(name))]


@frozen
class _Known:
    program: Program
    reader: ProseReader

    # ---- rows ------------------------------------------------------------------------------------

    def rows(self, name: str) -> Iterator[str]:
        """The rows of a name: their printed values, then their effects."""
        for table in self.program.of(s.Table):
            for row in table.rows:
                label = self._label(row.name, row.text)
                names = {label, row.text.value if row.text is not None else row.name.name}
                if any(_is_called(row, one, name) for one in names):
                    kind = self._label(table.name, table.text)
                    yield f"{label} ({kind}){self._row(table, row)}"
                    if comment := about_row(self.program, row):
                        yield f"    {comment}"
                    for part, told in self.reader.row(table.name.name, row.name.name).items():
                        yield f"    {_spaced(part)}: {', '.join(told)}"

    def _row(self, table: s.Table, row: s.Row) -> str:
        values = ", ".join(filter(None, self._values(table, row)))
        return f"{_repeated(row)}{mark(of_row(table, row))}" + (f": {values}" if values else "")

    def _values(self, table: s.Table, row: s.Row) -> Iterator[str]:
        columns = {column.name.name: column for column in table.columns}
        for name, cell in cells_by_column(table, row).items():
            end = "" if cell.provenance is None else mark(cell.provenance)
            told = self._value(columns[name].index, cell.value)
            title = _spaced(name)
            if told:
                yield (title if told == "yes" else f"{title} {told}") + end

    def _value(self, index: tuple[s.TypeExpr | s.Binder, ...], value: s.Expr) -> str:
        """A value in words; nothing for none of it."""
        match value:
            case s.ListLit(items) if len(index) == 1:
                keys = self._keys(index[0])
                if len(keys) == len(items):
                    pairs = zip(keys, items, strict=True)
                    return ", ".join(
                        f"{expression_text(item)} {self.reader.label(key)}"
                        for key, item in pairs
                        if not isinstance(item, s.IntLit) or item.value
                    )
                return " ".join(expression_text(item) for item in items)
            case s.IntLit(0) | s.BoolLit(False) | s.NoneLit():
                return ""
            case s.BoolLit(True):
                return "yes"
            case s.Name(name):
                number = self.reader.constant(name)
                return number if number.isdigit() else self.reader.label(name)
        return expression_text(value)

    def _keys(self, index: s.TypeExpr | s.Binder) -> list[str]:
        """The values of an index that has names."""
        kind = _domain(index)
        for declaration in self.program.declarations:
            match declaration:
                case s.Enum(name, values) if name.name == kind:
                    return [value.name.name for value in values]
                case s.Good(s.Ident(name), values) if name == kind:
                    return [value.name.name for value in values]
        return []

    # ---- values of an enum -----------------------------------------------------------------------

    def belonging(self, name: str) -> Iterator[str]:
        """The entries of constants for a value, and the rows with effects that name it."""
        for enum in self.program.of(s.Enum):
            for place, value in enumerate(enum.values):
                label = self._label(value.name, value.text)
                if name in (normal(label), normal(value.name.name)):
                    yield label
                    for line in [*self._constants(enum, place), *self._rows_with(value)]:
                        yield f"    {line}"

    def _constants(self, enum: s.Enum, place: int) -> Iterator[str]:
        for const in self.program.of(s.Const):
            domains = [_domain(one) for one in const.index]
            if enum.name.name not in domains or not isinstance(const.value, s.ListLit):
                continue
            picked = _picked(const.value, domains.index(enum.name.name), place)
            told = [self._value(const.index[:0], one) or "0" for one in picked]
            cites = f" {cites_text(const.cites)}" if const.cites else ""
            yield f"{_spaced(const.name.name)}: {', '.join(told)}{cites}"

    def _rows_with(self, value: s.EnumValue) -> Iterator[str]:
        found = [
            (table, row)
            for table in self.program.of(s.Table)
            if table.procedures
            for row in table.rows
            if any(_names(cell.value, value.name.name) for cell in row.cells)
        ]
        for table, row in found[:MOST_ROWS]:
            does = self.reader.row(table.name.name, row.name.name)
            told = "; ".join(
                ", ".join(does[part.name.name])
                for part in table.procedures
                if part.name.name in does
            )
            if told:
                yield f"{self._label(row.name, row.text)}: {told}"

    def _label(self, name: s.Ident, text: s.Text | None) -> str:
        if text is None:
            return name.name
        return dict(text.translations).get(self.reader.language, text.value)


def _picked(value: s.ListLit, depth: int, place: int) -> list[s.Expr]:
    """The entries of a table of numbers at one place of one of its dimensions."""
    if depth == 0:
        found = value.items[place : place + 1]
        return [
            item for one in found for item in (one.items if isinstance(one, s.ListLit) else (one,))
        ]
    inner = [item for item in value.items if isinstance(item, s.ListLit)]
    return [entry for item in inner for entry in _picked(item, depth - 1, place)]


def _domain(index: s.TypeExpr | s.Binder) -> str:
    match index:
        case s.NamedType(name) | s.Binder(_, s.Domain(s.Name(name), None)):
            return name
    return ""


def _names(value: s.Expr, name: str) -> bool:
    match value:
        case s.Name(found) | s.Binary("=", _, s.Name(found)):
            return found == name
    return False


def _is_called(row: s.Row, label: str, name: str) -> bool:
    """True for the name or label of a row or of one of its copies."""
    if name in (normal(label), normal(row.name.name)):
        return True
    repeated = row.seat is not None or row.copies is not None
    return repeated and name.startswith((normal(f"{label} ("), normal(f"{row.name}_")))


def _repeated(row: s.Row) -> str:
    each = "" if row.seat is None else f", one for each {row.seat.domain}"
    return each + ("" if row.copies is None else f", {row.copies.count} copies")


def _spaced(name: str) -> str:
    """The name of what a row does, as people say it."""
    return name.replace("_", " ")
