"""Types as written."""

from __future__ import annotations

from typing import Any

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder


class TypeBuilder(Builder):
    """Builds types."""

    def _optional_type(self, tree: Any, inner: Any) -> s.OptionalType:
        return s.OptionalType(self.build(inner), span=self.span(tree))

    def _set_type(self, tree: Any, inner: Any) -> s.SetType:
        return s.SetType(self.build(inner), span=self.span(tree))

    def _order_type(self, tree: Any, element: Any) -> s.OrderType:
        return s.OrderType(self.ident(element), span=self.span(tree))

    def _range_type(self, tree: Any, low: Any, high: Any) -> s.RangeType:
        return s.RangeType(self.build(low), self.build(high), span=self.span(tree))

    def _named_type(self, tree: Any, name: Any) -> s.NamedType:
        return s.NamedType(str(name), span=self.span(name))
