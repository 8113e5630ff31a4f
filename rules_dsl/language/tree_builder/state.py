"""Variables, pools and zones."""

from __future__ import annotations

from typing import Any, cast

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder, Misplaced


class StateBuilder(Builder):
    """Builds declarations of the state."""

    def _state(self, tree: Any, *items: Any) -> s.State:
        parts = self.all(items)
        return s.State(parts, span=parts[0].span if parts else self.span(tree))

    def _state_var(
        self, tree: Any, ghost: Any, name: Any, index: Any, type_: Any, clamped: Any, initial: Any,
        visibility: Any, text: Any, cite: Any,
    ) -> s.StateVar:  # fmt: skip
        return s.StateVar(
            self.ident(name),
            self.maybe(index) or (),
            self.build(type_),
            clamped is not None,
            self.maybe(initial),
            self.maybe(visibility) or "all",
            self.maybe(text),
            self.cites(cite),
            ghost is not None,
            span=self.span(name),
        )

    def _state_pool(
        self, tree: Any, name: Any, index: Any, bank: Any, goods: Any, holds: Any,
        visibility: Any, text: Any, cite: Any,
    ) -> s.Pool:  # fmt: skip
        held = self.maybe(holds)
        if isinstance(held, s.HoldsWhere):
            raise Misplaced(
                "E0122",
                "a pool holds amounts of goods",
                self.span(holds),
                hint="write `holds` and amounts, or `bank` for the pool where goods start",
            )
        return s.Pool(
            self.ident(name),
            self.maybe(index) or (),
            bank is not None,
            self.maybe(goods) or (),
            held or (),
            self.maybe(visibility) or "all",
            self.maybe(text),
            self.cites(cite),
            span=self.span(name),
        )

    def _state_zone(
        self, tree: Any, name: Any, index: Any, table: Any, holds: Any, visibility: Any, text: Any,
        cite: Any,
    ) -> s.Zone:  # fmt: skip
        held = self.maybe(holds)
        if isinstance(held, tuple):
            raise Misplaced(
                "E0122",
                "a zone holds cards",
                self.span(holds),
                hint="write `holds all` or `holds c where …`",
            )
        return s.Zone(
            self.ident(name),
            self.maybe(index) or (),
            self.ident(table),
            held,
            self.maybe(visibility) or "all",
            self.maybe(text),
            self.cites(cite),
            tree.data == "state_pile",
            span=self.span(name),
        )

    _state_pile = _state_zone

    def _index(self, tree: Any, *types: Any) -> tuple[s.TypeExpr, ...]:
        return self.all(types)

    def _of_goods(self, tree: Any, names: Any) -> tuple[s.Ident, ...]:
        return cast("tuple[s.Ident, ...]", self.build(names))

    def _holds_all(self, tree: Any) -> s.HoldsWhere:
        return s.HoldsWhere(None, None, span=self.span(tree))

    def _holds_where(self, tree: Any, name: Any, condition: Any) -> s.HoldsWhere:
        return s.HoldsWhere(self.ident(name), self.build(condition), span=self.span(tree))

    def _holds_goods(self, tree: Any, *holdings: Any) -> tuple[s.Holding, ...]:
        return self.all(holdings)

    def _holding(self, tree: Any, amount: Any, good: Any) -> s.Holding:
        return s.Holding(self.build(amount), self.ident(good), span=self.span(tree))

    def _piece(
        self, tree: Any, name: Any, owner: Any, limit: Any, text: Any, cite: Any, *places: Any
    ) -> s.Piece:
        parts = self.all(places)
        return s.Piece(
            self.ident(name),
            self.ident(owner),
            self.build(limit),
            self.maybe(text),
            self.cites(cite),
            tuple(p for part in parts for p in part if isinstance(p, s.Ident)),
            tuple(p for part in parts for p in part if isinstance(p, s.Spot)),
            span=self.span(name),
        )

    def _piece_in(self, tree: Any, names: Any) -> tuple[s.Ident, ...]:
        return cast("tuple[s.Ident, ...]", self.build(names))

    def _piece_on(self, tree: Any, *spots: Any) -> tuple[s.Spot, ...]:
        return self.all(spots)

    def _spot(self, tree: Any, name: Any, counter: Any) -> s.Spot:
        counted = None if counter is None else self.ident(counter)
        return s.Spot(self.ident(name), counted, span=self.span(name))

    def _visible_owner(self, tree: Any) -> s.Visibility:
        return "owner"

    def _visible_others(self, tree: Any) -> s.Visibility:
        return "others"

    def _visible_some(self, tree: Any, players: Any) -> s.Visibility:
        return cast(s.Expr, self.build(players))

    def _hidden(self, tree: Any) -> s.Visibility:
        return "hidden"
