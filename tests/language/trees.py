"""Comparing syntax trees by what they say."""

from __future__ import annotations

import attrs

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import Reporter
from rules_dsl.language.parser import parse_file


def shape(node: object) -> object:
    """A tree without places and parentheses, to compare with another."""
    match node:
        case s.Group(inner):
            return shape(inner)
        case s.Node():
            fields = [a.name for a in attrs.fields(type(node)) if a.name not in ("span", "path")]
            return (type(node).__name__, *(shape(getattr(node, name)) for name in fields))
        case tuple():
            return tuple(shape(part) for part in node)
    return node


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
