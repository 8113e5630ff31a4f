"""The examples in the rule files of the large games, by title."""

from __future__ import annotations

from functools import cache

from compiler.examples import ExampleResult, Examples
from rules_dsl.language import syntax
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather


@cache
def _runner(game: str) -> Examples:
    return Examples(assemble(gather(game)))


@cache
def examples_of(game: str) -> dict[str, syntax.Example]:
    """The examples of a game by title."""
    return {e.title.value: e for e in _runner(game).program.of(syntax.Example)}


def cited_headings(game: str) -> set[str]:
    """The headings of the rulebook that have an example."""
    return {cite.heading for example in examples_of(game).values() for cite in example.cites}


def run_example(game: str, title: str) -> ExampleResult:
    """The result of an example of a game."""
    return _runner(game).run_one(examples_of(game)[title])
