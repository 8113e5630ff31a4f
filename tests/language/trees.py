"""Comparing syntax trees by what they say."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import Reporter
from rules_dsl.language.parser import parse_file
from rules_dsl.language.shape import shape

__all__ = ["one", "parse", "shape"]


def parse(text: str) -> s.File:
    """The tree of a text without errors."""
    reporter = Reporter()
    tree = parse_file("test.rules", text, reporter)
    assert not reporter, "\n".join(d.render({"test.rules": text}) for d in reporter.diagnostics)
    return tree


def one(text: str) -> s.Declaration:
    """The only declaration of a text."""
    (declaration,) = parse(text).declarations
    return declaration
