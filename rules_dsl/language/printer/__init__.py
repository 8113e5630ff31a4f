"""From the syntax tree back to text, laid out in the one canonical way.

>>> from rules_dsl.language.parser import parse_expression
>>> expression_text(parse_expression("", "a+ b*( c )", 1, 1))
'a + b * (c)'
"""

from __future__ import annotations

from collections.abc import Iterable

from rules_dsl.language import syntax as s
from rules_dsl.language.layout import INDENT, flat, render
from rules_dsl.language.printer.declarations import declaration_lines
from rules_dsl.language.printer.expressions import inner, type_doc
from rules_dsl.language.printer.lines import MAX_WIDTH, Line
from rules_dsl.language.printer.statements import statement_lines

__all__ = [
    "MAX_WIDTH",
    "Line",
    "declaration_lines",
    "declaration_text",
    "expression_text",
    "line_text",
    "statement_text",
    "type_text",
]


def expression_text(node: s.Expr) -> str:
    """An expression on one line; parentheses are added where the tree needs them."""
    return flat(inner(node))


def type_text(node: s.TypeExpr) -> str:
    """A type on one line."""
    return flat(type_doc(node))


def statement_text(node: s.Statement, level: int = 0) -> str:
    """A statement with everything below it."""
    return lines_text(statement_lines(node, level))


def declaration_text(node: s.Declaration) -> str:
    """A declaration with everything below it."""
    return lines_text(declaration_lines(node))


def line_text(line: Line) -> str:
    """One line of the source, broken into several where it is too long."""
    start = line.level * INDENT
    # What a line opens is indented by one step: its own continuation goes in by two.
    beyond = start + (INDENT if line.opens else 0)
    return " " * start + render(line.doc, MAX_WIDTH, beyond, start)


def lines_text(lines: Iterable[Line]) -> str:
    """Several lines."""
    return "\n".join(line_text(line) for line in lines)
