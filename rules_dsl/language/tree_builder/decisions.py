"""Choices of players, and chance."""

from __future__ import annotations

from typing import Any, Literal, cast

from lark import Token

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder, Misplaced


class DecisionBuilder(Builder):
    """Builds decisions."""

    def _choose_actions(
        self, tree: Any, actor: Any, mode: Any, secretly: Any, measure: Any, named: Any,
        options: Any, extra: Any,
    ) -> s.Choose:  # fmt: skip
        if extra is not None:
            raise Misplaced(
                "E0123",
                "a reason belongs to a choice of values",
                self.span(extra),
                hint="requirements of an action belong in the action",
            )
        label, prompt = self.maybe(named) or (None, None)
        who = self.build(actor)
        return s.Choose(
            who,
            self._mode(mode),
            self.maybe(measure) or (),
            label,
            prompt,
            self.build(options),
            secretly is not None,
            span=self.span(tree),
        )

    def _choose_value(
        self, tree: Any, actor: Any, mode: Any, secretly: Any, measure: Any, named: Any,
        binders: Any, reason: Any,
    ) -> s.ChooseValue:  # fmt: skip
        if measure is not None or self._mode(mode) == "repeatedly":
            raise Misplaced(
                "E0124",
                "values are chosen once",
                self.span(tree),
                hint="offer an action with a parameter to `choose … repeatedly`",
            )
        label, notation = self.maybe(named) or (None, None)
        return s.ChooseValue(
            self.build(actor),
            self._mode(mode),
            label,
            notation,
            self.build(binders),
            self.string(reason),
            secretly is not None,
            span=self.span(tree),
        )

    def _choose_subset(
        self, tree: Any, actor: Any, mode: Any, secretly: Any, measure: Any, named: Any, name: Any,
        bounds: Any, domain: Any, where: Any, reason: Any,
    ) -> s.ChooseSubset:  # fmt: skip
        if measure is not None or mode is not None:
            raise Misplaced(
                "E0124",
                "a set is chosen once, and may be empty",
                self.span(tree),
                hint="`0..2 of` says how many at least and at most",
            )
        label, notation = self.maybe(named) or (None, None)
        least, most = (None, None) if bounds is None else bounds.children
        return s.ChooseSubset(
            self.build(actor), label, notation, self.ident(name), self.maybe(least),
            self.maybe(most), self.build(domain), self.maybe(where), self.string(reason),
            secretly is not None, span=self.span(tree),
        )  # fmt: skip

    def _secret_block(self, tree: Any, chooser: Any, among: Any, body: Any) -> s.SecretBlock:
        return s.SecretBlock(
            self.build(chooser), self.maybe(among), self.build(body), span=self.span(tree)
        )

    def _choose_secretly(
        self, tree: Any, chooser: Any, among: Any, named: Any, binders: Any, reason: Any
    ) -> s.ChooseSecretly:
        label, notation = self.maybe(named) or (None, None)
        return s.ChooseSecretly(
            self.build(chooser),
            self.maybe(among),
            label,
            notation,
            self.build(binders),
            self.string(reason),
            span=self.span(tree),
        )

    def _mode(self, token: Token | None) -> s.ChooseMode:
        return "one" if token is None else cast(s.ChooseMode, " ".join(token.split()))

    def _decreasing(self, tree: Any, measure: Any) -> tuple[s.Expr, ...]:
        return cast("tuple[s.Expr, ...]", self.build(measure))

    def _named(self, tree: Any, name: Any, text: Any) -> tuple[s.Ident, s.Text | None]:
        return self.ident(name), self.maybe(text)

    def _option_list(self, tree: Any, *options: Any) -> tuple[s.OptionUse, ...]:
        return self.all(options)

    def _option_use(self, tree: Any, name: Any, *rest: Any) -> s.OptionUse:
        fixed = self.all(t for t in rest[:-1] if t is not None)
        return s.OptionUse(self.ident(name), fixed, self.maybe(rest[-1]), span=self.span(name))

    def _fixed(self, tree: Any, name: Any, value: Any) -> s.FixedArg:
        return s.FixedArg(self.ident(name), self.build(value), span=self.span(tree))

    def _draw_in(
        self, tree: Any, verb: Any, name: Any, domain: Any, where: Any, weight: Any
    ) -> s.DrawIn:
        binder = s.Binder(self.ident(name), self.build(domain), span=self.span(name))
        return s.DrawIn(
            cast(Literal["draw", "roll"], str(verb)),
            binder,
            self.maybe(where),
            self.maybe(weight),
            span=self.span(tree),
        )

    def _draw_from(
        self, tree: Any, verb: Any, name: Any, kind: Any, source: Any, where: Any
    ) -> s.DrawFrom:
        return s.DrawFrom(
            cast(Literal["draw", "roll"], str(verb)),
            self.ident(name),
            None if kind is None else self.ident(kind),
            self.build(source),
            self.maybe(where),
            span=self.span(tree),
        )

    def _draw_off(
        self, tree: Any, verb: Any, name: Any, end: Any, source: Any, target_end: Any, target: Any
    ) -> s.DrawFrom:
        return s.DrawFrom(
            cast(Literal["draw", "roll"], str(verb)),
            self.ident(name),
            None,
            self.build(source),
            None,
            cast(s.PileEnd, str(end)),
            self.build(target),
            None if target_end is None else cast(s.PileEnd, str(target_end)),
            span=self.span(tree),
        )

    def _weight(self, tree: Any, value: Any) -> s.Expr:
        return cast(s.Expr, self.build(value))
