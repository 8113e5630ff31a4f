"""Tables and their rows."""

from __future__ import annotations

from typing import Any, cast

from attrs import evolve

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder


class TableBuilder(Builder):
    """Builds tables."""

    def _table(
        self, tree: Any, provenance: Any, name: Any, text: Any, cite: Any, *items: Any
    ) -> s.Table:
        parts = self.all(items)
        columns = tuple(c for p in parts if isinstance(p, tuple) for c in p)
        return s.Table(
            self.ident(name),
            self.maybe(text),
            self.cites(cite),
            self.provenance(provenance),
            columns,
            tuple(p for p in parts if isinstance(p, s.TableFunction)),
            tuple(p for p in parts if isinstance(p, s.TableProcedure)),
            tuple(p for p in parts if isinstance(p, s.Row)),
            span=self.span(name),
        )

    def _columns(self, tree: Any, *columns: Any) -> tuple[s.Column, ...]:
        return self.all(columns)

    def _column(self, tree: Any, name: Any, index: Any, type_: Any, default: Any) -> s.Column:
        return s.Column(
            self.ident(name),
            self.maybe(index) or (),
            self.build(type_),
            self.maybe(default),
            span=self.span(name),
        )

    def _table_function(
        self, tree: Any, name: Any, params: Any, type_: Any, default: Any
    ) -> s.TableFunction:
        return s.TableFunction(
            self.ident(name),
            self.maybe(params) or (),
            self.build(type_),
            self.build(default),
            span=self.span(name),
        )

    def _table_procedure(
        self, tree: Any, name: Any, params: Any, whenever: Any, *items: Any
    ) -> s.TableProcedure:
        contracts, body = self._contracts(items)
        return s.TableProcedure(
            self.ident(name),
            self.maybe(params) or (),
            self.maybe(whenever),
            tuple(contracts["assumes"]),
            tuple(contracts["ensures"]),
            tuple(contracts["decreases"]),
            body,
            span=self.span(name),
        )

    def _row(self, tree: Any, provenance: Any, row: Any) -> s.Row:
        return self.marked(row, provenance)

    def marked(self, row: Any, provenance: Any) -> s.Row:
        """A row with the provenance that precedes it."""
        return evolve(cast(s.Row, self.build(row)), provenance=self.provenance(provenance))

    def _row_tail(
        self, tree: Any, name: Any, text: Any, seat: Any, copies: Any, cells: Any, cite: Any,
        body: Any,
    ) -> s.Row:  # fmt: skip
        return s.Row(
            self.ident(name),
            self.maybe(text),
            self.maybe(seat),
            self.maybe(copies),
            self.maybe(cells) or (),
            self.cites(cite),
            self.maybe(body) or (),
            None,
            span=self.span(name),
        )

    def _each_seat(self, tree: Any, name: Any, domain: Any) -> s.EachSeat:
        return s.EachSeat(self.ident(name), self.ident(domain), span=self.span(tree))

    def _copies(self, tree: Any, count: Any) -> s.Copies:
        return s.Copies(self._number(count), span=self.span(count))

    def _cells(self, tree: Any, *cells: Any) -> tuple[s.Cell, ...]:
        return self.all(cells)

    def _cell(self, tree: Any, provenance: Any, value: Any) -> s.Cell:
        expression = self.build(value)
        return s.Cell(expression, self.provenance(provenance), span=expression.span)

    def _row_body(self, tree: Any, *items: Any) -> tuple[Any, ...]:
        return self.all(items)

    def _row_procedure(self, tree: Any, name: Any, body: Any) -> s.RowProcedure:
        return s.RowProcedure(self.ident(name), self.build(body), span=self.span(name))

    def _row_function(self, tree: Any, name: Any, value: Any) -> s.RowFunction:
        return s.RowFunction(self.ident(name), self.build(value), span=self.span(name))
