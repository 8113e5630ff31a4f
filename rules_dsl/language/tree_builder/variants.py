"""The changes of a variant."""

from __future__ import annotations

from typing import Any, Literal, cast

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Misplaced
from rules_dsl.language.tree_builder.components import ComponentBuilder
from rules_dsl.language.tree_builder.tables import TableBuilder


class VariantBuilder(ComponentBuilder, TableBuilder):
    """Builds the changes of a variant."""

    def _set_const(
        self, tree: Any, provenance: Any, name: Any, index: Any, value: Any, note: Any, cite: Any
    ) -> s.SetConst:
        const = self._const(tree, provenance, name, index, value, note, cite)
        return s.SetConst(const, span=const.span)

    def _set_option(self, tree: Any, name: Any, value: Any) -> s.SetOption:
        kind = cast(Literal["option", "ruling"], tree.data.removeprefix("set_"))
        return s.SetOption(kind, self.ident(name), self.build(value), span=self.span(name))

    _set_ruling = _set_option

    def _amend(self, tree: Any, kind: Any, name: Any, cite: Any, *lines: Any) -> s.Amend:
        return s.Amend(
            cast(Literal["action", "procedure"], str(kind)),
            self.ident(name),
            self.cites(cite),
            self.all(lines),
            span=self.span(name),
        )

    def _amend_section(self, tree: Any, section: Any, cite: Any, *lines: Any) -> s.AmendSection:
        return s.AmendSection(
            cast(Literal["setup", "play"], str(section)),
            self.cites(cite),
            self.all(lines),
            span=self.span(section),
        )

    def _set_state(self, tree: Any, name: Any, index: Any, value: Any) -> s.SetStart:
        return s.SetStart(
            self.ident(name), self.maybe(index) or (), self.build(value), span=self.span(name)
        )

    def _set_zone(self, tree: Any, name: Any, index: Any, holds: Any) -> s.SetStart:
        held = self.build(holds)
        if isinstance(held, tuple):
            raise Misplaced(
                "E0122",
                "a zone holds cards",
                self.span(holds),
                hint=f"write `zone {name} holds all` or `zone {name} holds c where …`",
            )
        return s.SetStart(self.ident(name), self.maybe(index) or (), held, span=self.span(name))

    def _set_pool(self, tree: Any, name: Any, holds: Any) -> s.SetStart:
        held = self.build(holds)
        if isinstance(held, s.HoldsWhere):
            raise Misplaced(
                "E0122",
                "a pool holds amounts of goods",
                self.span(holds),
                hint=f"write `pool {name} holds` and amounts, such as `5 wood`",
            )
        return s.SetStart(self.ident(name), (), held, span=self.span(name))

    def _set_cell(
        self, tree: Any, provenance: Any, table: Any, row: Any, column: Any, value: Any
    ) -> s.SetCell:
        return s.SetCell(
            self.ident(table),
            self.ident(row),
            self.ident(column),
            self.build(value),
            self.provenance(provenance),
            span=self.span(tree),
        )

    def _amend_drop(self, tree: Any, reason: Any) -> s.DropRequire:
        return s.DropRequire(cast(s.Text, self.string(reason)), span=self.span(reason))

    def _amend_require(self, tree: Any, require: Any) -> s.Require:
        return cast(s.Require, self.build(require))

    def _amend_except(self, tree: Any, label: Any, to: Any, condition: Any) -> s.Except:
        return s.Except(
            cast(s.Text, self.string(label)),
            self.string(to),
            self.build(condition),
            span=self.span(label),
        )

    def _amend_before(self, tree: Any, body: Any) -> s.Wrap:
        return s.Wrap("before", self.build(body), span=self.span(tree))

    def _amend_after(self, tree: Any, body: Any) -> s.Wrap:
        return s.Wrap("after", self.build(body), span=self.span(tree))

    def _replace(self, tree: Any, declaration: Any) -> s.Replace:
        node = self.build(declaration)
        return s.Replace(node, span=node.span)

    def _replace_row(self, tree: Any, provenance: Any, table: Any, row: Any) -> s.ReplaceRow:
        return s.ReplaceRow(self.ident(table), self.marked(row, provenance), span=self.span(table))

    def _add(self, tree: Any, declaration: Any) -> s.Add:
        node = self.build(declaration)
        return s.Add(node, span=node.span)

    def _add_row(self, tree: Any, provenance: Any, table: Any, row: Any) -> s.AddRow:
        return s.AddRow(self.ident(table), self.marked(row, provenance), span=self.span(table))

    def _add_option(self, tree: Any, option: Any, procedure: Any, choice: Any) -> s.AddOption:
        return s.AddOption(
            self.build(option), self.ident(procedure), self.ident(choice), span=self.span(tree)
        )

    def _drop_named(self, tree: Any, kind: Any, name: Any) -> s.Drop:
        return s.Drop(str(kind), self.ident(name), span=self.span(name))

    def _drop_row(self, tree: Any, table: Any, row: Any) -> s.DropRow:
        return s.DropRow(self.ident(table), self.ident(row), span=self.span(tree))

    def _drop_example(self, tree: Any, title: Any) -> s.DropExample:
        return s.DropExample(cast(s.Text, self.string(title)), span=self.span(title))

    def _drop_option(self, tree: Any, option: Any, procedure: Any, choice: Any) -> s.DropOption:
        return s.DropOption(
            self.ident(option), self.ident(procedure), self.ident(choice), span=self.span(tree)
        )
