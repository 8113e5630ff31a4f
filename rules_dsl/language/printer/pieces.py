"""Declarations of pieces as lines."""

from __future__ import annotations

from collections.abc import Iterator

from rules_dsl.language import syntax as s
from rules_dsl.language.layout import cat, comma_list, nest
from rules_dsl.language.printer.expressions import outer, tail
from rules_dsl.language.printer.lines import Line


def piece_lines(node: s.Piece, level: int, prefix: str) -> Iterator[Line]:
    """The head of a declaration, then the piles and the spots where the pieces are."""
    head = cat(f"{prefix}piece {node.name}[{node.owner}] limit ", outer(node.limit))
    yield Line(level, cat(head, tail(node.text, node.cites)), opens=True)
    if node.piles:
        yield Line(level + 1, cat("in ", nest(comma_list([p.name for p in node.piles]))))
    if node.spots:
        yield Line(level + 1, cat("on ", nest(comma_list([_spot(x) for x in node.spots]))))


def _spot(node: s.Spot) -> str:
    return f"{node.name}" if node.counter is None else f"{node.name} counted by {node.counter}"
