"""Components of a game: names, numbers, goods, options."""

from __future__ import annotations

from typing import Any, Literal, cast

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder, unescape


class ComponentBuilder(Builder):
    """Builds declarations of components."""

    def _declaration(self, tree: Any, child: Any) -> Any:
        return self.build(child)

    def _variant_item(self, tree: Any, child: Any) -> Any:
        node = self.build(child)
        if isinstance(node, s.VariantItem):
            return node
        return s.VariantChange(node, span=node.span)

    def _game(self, tree: Any, name: Any, text: Any, cite: Any, *lines: Any) -> s.Game:
        parts = self.all(lines)
        return s.Game(
            self.ident(name),
            self.maybe(text),
            self.cites(cite),
            tuple(p for p in parts if isinstance(p, s.PlayersLine)),
            tuple(p for p in parts if isinstance(p, s.SourceLine)),
            span=self.span(name),
        )

    def _players_line(self, tree: Any, low: Any, high: Any, names: Any) -> s.PlayersLine:
        return s.PlayersLine(
            self.build(low), self.maybe(high), self.maybe(names) or (), span=self.span(tree)
        )

    def _source_line(self, tree: Any, name: Any, title: Any) -> s.SourceLine:
        return s.SourceLine(
            self.ident(name), cast(s.Text, self.string(title)), span=self.span(tree)
        )

    def _variant(self, tree: Any, name: Any, of: Any, text: Any, cite: Any) -> s.Variant:
        return s.Variant(
            self.ident(name),
            self.ident(of),
            self.maybe(text),
            self.cites(cite),
            (),
            span=self.span(name),
        )

    def _include(self, tree: Any, path: Any) -> s.Include:
        return s.Include(cast(s.Text, self.string(path)), span=self.span(tree))

    def _label(self, tree: Any, name: Any, text: Any) -> s.Label:
        return s.Label(self.ident(name), self.build(text), span=self.span(tree))

    def _text(self, tree: Any, first: Any, *rest: Any) -> s.Text:
        pairs = tuple((str(rest[i]), unescape(rest[i + 1])) for i in range(0, len(rest), 2))
        return s.Text(unescape(first), pairs, span=self.span(first))

    def _names(self, tree: Any, *names: Any) -> tuple[s.Ident, ...]:
        return tuple(self.ident(n) for n in names)

    def _option(
        self, tree: Any, name: Any, choices: Any, default: Any, text: Any, cite: Any
    ) -> s.Option:
        kind = cast(Literal["option", "ruling"], tree.data)
        return s.Option(
            kind,
            self.ident(name),
            self.build(choices),
            self.build(default),
            self.maybe(text),
            self.cites(cite),
            span=self.span(name),
        )

    _ruling = _option

    def _choices(self, tree: Any, *choices: Any) -> tuple[s.Choice, ...]:
        return self.all(choices)

    def _choice(self, tree: Any, token: Any) -> s.Choice:
        value = self._number(token) if token.type == "INT" else str(token)
        return s.Choice(value, span=self.span(token))

    def _enum_line(self, tree: Any, name: Any, names: Any, text: Any, cite: Any) -> s.Enum:
        values = tuple(s.EnumValue(n, None, span=n.span) for n in self.build(names))
        return s.Enum(
            self.ident(name),
            values,
            self.maybe(text),
            self.cites(cite),
            False,
            span=self.span(name),
        )

    def _enum_block(self, tree: Any, name: Any, text: Any, cite: Any, *values: Any) -> s.Enum:
        return s.Enum(
            self.ident(name),
            self.all(values),
            self.maybe(text),
            self.cites(cite),
            True,
            span=self.span(name),
        )

    def _enum_value(self, tree: Any, name: Any, text: Any, cite: Any) -> s.EnumValue:
        return s.EnumValue(
            self.ident(name), self.maybe(text), self.cites(cite), span=self.span(name)
        )

    def _const(
        self, tree: Any, provenance: Any, name: Any, index: Any, value: Any, note: Any, cite: Any
    ) -> s.Const:
        return s.Const(
            self.ident(name),
            self.maybe(index) or (),
            self.build(value),
            self.provenance(provenance),
            self.string(note),
            self.cites(cite),
            span=self.span(name),
        )

    def _const_index(self, tree: Any, *dims: Any) -> tuple[Any, ...]:
        return self.all(dims)

    def _const_dim(self, tree: Any, dim: Any) -> Any:
        return self.build(dim)

    def _good(self, tree: Any, names: Any, limit: Any, text: Any, cite: Any) -> s.Good:
        bound = self.maybe(limit)
        values = tuple(s.GoodValue(n, None, bound, span=n.span) for n in self.build(names))
        return s.Good(
            None, values, self.maybe(text), self.cites(cite), False, span=self.span(names)
        )

    def _goods_line(
        self, tree: Any, kind: Any, names: Any, limit: Any, text: Any, cite: Any
    ) -> s.Good:
        bound = self.maybe(limit)
        values = tuple(s.GoodValue(n, None, bound, span=n.span) for n in self.build(names))
        return s.Good(
            self.ident(kind),
            values,
            self.maybe(text),
            self.cites(cite),
            False,
            span=self.span(kind),
        )

    def _goods_block(self, tree: Any, kind: Any, text: Any, cite: Any, *values: Any) -> s.Good:
        return s.Good(
            self.ident(kind),
            self.all(values),
            self.maybe(text),
            self.cites(cite),
            True,
            span=self.span(kind),
        )

    def _goods_value(self, tree: Any, name: Any, text: Any, limit: Any) -> s.GoodValue:
        return s.GoodValue(
            self.ident(name), self.maybe(text), self.maybe(limit), span=self.span(name)
        )

    def _limit(self, tree: Any, value: Any) -> s.Expr:
        return cast(s.Expr, self.build(value))
