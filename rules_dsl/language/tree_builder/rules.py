"""Functions, actions, procedures, scoring and contracts."""

from __future__ import annotations

from typing import Any, Literal, cast

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder


class RuleBuilder(Builder):
    """Builds rules."""

    def _params(self, tree: Any, *params: Any) -> tuple[s.Param, ...]:
        return self.all(params)

    def _param(self, tree: Any, name: Any, type_: Any = None) -> s.Param:
        if type_ is None:  # `b in display`
            binder = self.build(name)
            return s.Param(binder.name, None, binder.domain, span=binder.span)
        return s.Param(self.ident(name), self.build(type_), None, span=self.span(tree))

    def _relation(
        self, tree: Any, name: Any, params: Any, place: Any, text: Any, cite: Any, *ways: Any
    ) -> s.Relation:
        return s.Relation(
            self.ident(name),
            self.maybe(params) or (),
            self.build(place),
            self.maybe(text),
            self.cites(cite),
            self.all(ways),
            span=self.span(name),
        )

    def _way_to(
        self, tree: Any, target: Any, called: Any, through: Any, where: Any, costs: Any, cite: Any
    ) -> s.Way:
        return s.Way(
            self.build(target),
            self.maybe(called),
            self.maybe(through) or (),
            self.maybe(where),
            self.maybe(costs),
            False,
            self.cites(cite),
            span=self.span(tree),
        )

    def _way_joined(
        self, tree: Any, target: Any, called: Any, through: Any, where: Any, cite: Any
    ) -> s.Way:
        return s.Way(
            self.build(target),
            self.maybe(called),
            self.maybe(through) or (),
            self.maybe(where),
            None,
            True,
            self.cites(cite),
            span=self.span(tree),
        )

    def _called(self, tree: Any, name: Any) -> s.Ident:
        return self.ident(name)

    def _through(self, tree: Any, *binders: Any) -> tuple[s.Binder, ...]:
        return self.all(binders)

    def _function_line(
        self, tree: Any, name: Any, params: Any, type_: Any, cite: Any, body: Any, cite_after: Any
    ) -> s.Function:
        return s.Function(
            self.ident(name),
            self.maybe(params) or (),
            self.maybe(type_),
            self.build(body),
            None,
            self.cites(cite) + self.cites(cite_after),
            span=self.span(name),
        )

    def _function_block(
        self, tree: Any, name: Any, params: Any, type_: Any, text: Any, cite: Any, body: Any
    ) -> s.Function:
        return s.Function(
            self.ident(name),
            self.maybe(params) or (),
            self.maybe(type_),
            self.build(body),
            self.maybe(text),
            self.cites(cite),
            span=self.span(name),
        )

    def _action(
        self, tree: Any, name: Any, params: Any, actor: Any, text: Any, cite: Any, *items: Any
    ) -> s.Action:
        contracts, body = self._contracts(items)
        return s.Action(
            self.ident(name),
            self.maybe(params) or (),
            self.ident(actor),
            self.maybe(text),
            self.cites(cite),
            tuple(contracts["ensures"]),
            body,
            span=self.span(name),
        )

    def _require(self, tree: Any, condition: Any, reason: Any, cite: Any) -> s.Require:
        return s.Require(
            self.build(condition), self.string(reason), self.cites(cite), span=self.span(tree)
        )

    def _cost(
        self, tree: Any, amount: Any, what: Any, source: Any, target: Any, reason: Any, cite: Any
    ) -> s.Cost:
        return s.Cost(
            self.build(amount),
            self.build(what),
            self.maybe(source),
            self.maybe(target),
            self.string(reason),
            self.cites(cite),
            span=self.span(tree),
        )

    def _procedure(
        self, tree: Any, name: Any, params: Any, whenever: Any, text: Any, cite: Any, *items: Any
    ) -> s.Procedure:
        contracts, body = self._contracts(items)
        return s.Procedure(
            self.ident(name),
            self.maybe(params) or (),
            self.maybe(whenever),
            self.maybe(text),
            self.cites(cite),
            tuple(contracts["assumes"]),
            tuple(contracts["ensures"]),
            tuple(contracts["decreases"]),
            body,
            span=self.span(name),
        )

    def _measure(self, tree: Any, *parts: Any) -> tuple[s.Expr, ...]:
        return self.all(parts)

    def _setup(self, tree: Any, cite: Any, body: Any) -> s.Section:
        return s.Section("setup", self.cites(cite), self.build(body), span=self.at(1, 1, 5))

    def _play(self, tree: Any, cite: Any, body: Any) -> s.Section:
        return s.Section("play", self.cites(cite), self.build(body), span=self.at(1, 1, 4))

    def _scoring(self, tree: Any, cite: Any, *lines: Any) -> s.Scoring:
        parts = self.all(lines)
        return s.Scoring(
            self.cites(cite),
            tuple(p for p in parts if isinstance(p, s.ScoreLine)),
            tuple(p for p in parts if isinstance(p, s.TieLine)),
            span=self.at(1, 1, 7),
        )

    def _score_line(
        self, tree: Any, player: Any, value: Any, secrecy: Any, cite: Any
    ) -> s.ScoreLine:
        return s.ScoreLine(
            self.ident(player),
            self.build(value),
            self.cites(cite),
            secrecy is not None,
            span=self.span(tree),
        )

    def _tie_line(self, tree: Any, order: Any, value: Any, when: Any, cite: Any) -> s.TieLine:
        return s.TieLine(
            cast(Literal["most", "fewest"], str(order)),
            self.build(value),
            self.maybe(when),
            self.cites(cite),
            span=self.span(tree),
        )

    def _invariant(
        self, tree: Any, name: Any, text: Any, when: Any, cite: Any, condition: Any
    ) -> s.Invariant:
        return s.Invariant(
            self.ident(name),
            self.maybe(text),
            self.maybe(when),
            self.cites(cite),
            self.build(condition),
            span=self.span(name),
        )

    def _when(self, tree: Any, condition: Any) -> s.Expr:
        return cast(s.Expr, self.build(condition))

    def _waive(self, tree: Any, obligation: Any, subject: Any, reason: Any) -> s.Waive:
        return s.Waive(
            self.ident(obligation),
            self.ident(subject),
            cast(s.Text, self.string(reason)),
            span=self.span(tree),
        )
