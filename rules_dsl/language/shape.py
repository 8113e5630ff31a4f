"""Syntax trees compared by content, without places."""

from __future__ import annotations

import attrs

from rules_dsl.language import syntax as s


def shape(node: object) -> object:
    """A tree without places and parentheses, to compare with another.

    >>> from rules_dsl.language.parser import parse_expression
    >>> shape(parse_expression("a", "1 + (2)", 1, 1)) == shape(parse_expression("b", "1+2", 7, 7))
    True
    """
    match node:
        case s.Group(inner):
            return shape(inner)
        case s.Node():
            left_out = {"span", "path"} if isinstance(node, s.File) else {"span"}
            fields = [a.name for a in attrs.fields(type(node)) if a.name not in left_out]
            return (type(node).__name__, *(shape(getattr(node, name)) for name in fields))
        case tuple():
            return tuple(shape(part) for part in node)
    return node
