"""Examples and their lines."""

from __future__ import annotations

from typing import Any, cast

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder


class ExampleBuilder(Builder):
    """Builds examples."""

    def _example(self, tree: Any, provenance: Any, title: Any, cite: Any, *lines: Any) -> s.Example:
        return s.Example(
            cast(s.Text, self.string(title)),
            self.cites(cite),
            self.all(lines),
            self.provenance(provenance),
            span=self.span(title),
        )

    def _example_players(self, tree: Any, count: Any) -> s.ExamplePlayers:
        return s.ExamplePlayers(self.build(count), span=self.span(tree))

    def _example_with(self, tree: Any, name: Any, value: Any) -> s.ExampleWith:
        return s.ExampleWith(self.ident(name), self.build(value), span=self.span(tree))

    def _example_seed(self, tree: Any, seed: Any) -> s.ExampleSeed:
        return s.ExampleSeed(self._number(seed), span=self.span(tree))

    def _example_given(self, tree: Any, fact: Any) -> s.ExampleGiven:
        return s.ExampleGiven(self.build(fact), span=self.span(tree))

    def _example_start(self, tree: Any, call: Any) -> s.ExampleStart:
        return s.ExampleStart(self.build(call), span=self.span(tree))

    def _example_do(self, tree: Any, moves: Any) -> s.ExampleDo:
        return s.ExampleDo(self.build(moves), span=self.span(tree))

    def _example_allow(self, tree: Any, moves: Any) -> s.ExampleAllow:
        return s.ExampleAllow(self.build(moves), span=self.span(tree))

    def _example_refuse(self, tree: Any, move: Any, because: Any) -> s.ExampleRefuse:
        return s.ExampleRefuse(
            cast(s.Text, self.string(move)), self.string(because), span=self.span(tree)
        )

    def _example_winners(self, tree: Any, names: Any) -> s.ExampleWinners:
        return s.ExampleWinners(self.build(names), span=self.span(tree))

    def _example_scores(self, tree: Any, *scores: Any) -> s.ExampleScores:
        return s.ExampleScores(self.all(scores), span=self.span(tree))

    def _expected_score(self, tree: Any, player: Any, value: Any) -> s.ExpectedScore:
        return s.ExpectedScore(self.ident(player), self.build(value), span=self.span(player))

    def _example_over(self, tree: Any) -> s.ExampleOver:
        return s.ExampleOver(span=self.span(tree))

    def _example_expect(self, tree: Any, condition: Any) -> s.ExampleExpect:
        return s.ExampleExpect(self.build(condition), span=self.span(tree))

    def _strings(self, tree: Any, *strings: Any) -> tuple[s.Text, ...]:
        return tuple(cast(s.Text, self.string(t)) for t in strings)
