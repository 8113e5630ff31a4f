"""Positions in characters, for terminals of 80 columns: what the screens of all games share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping

WIDTH = 80
Row = tuple[str, list[str]]


def words(line: str, indent: int = 4) -> list[str]:
    """A sentence on as many lines as it needs."""
    return textwrap.wrap(line, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


def player_table(names: Iterable[str], rows: Iterable[Row]) -> list[str]:
    """Possessions of the players: a row for each kind, a column for each player.

    >>> for line in player_table(["red", "blue"], [("maize", ["3", "12"]), ("gold", ["-", "-"])]):
    ...     print(line)
             red                                blue
      maize  3                                  12
    """
    shown = [row for row in rows if any(cell not in ("", "-") for cell in row[1])]
    heads = list(names)
    first = max((len(title) for title, _ in shown), default=0) + 4
    wide = (WIDTH - first) // max(1, len(heads))
    lines = [_row("", heads, first, wide)]
    for title, cells in shown:
        parts = [textwrap.wrap(cell, wide - 1, break_on_hyphens=False) or [""] for cell in cells]
        for k in range(max(map(len, parts))):
            texts = [part[k] if k < len(part) else "" for part in parts]
            lines.append(_row("" if k else title, texts, first, wide))
    return lines


def _row(title: str, cells: list[str], first: int, wide: int) -> str:
    return (f"  {title}".ljust(first) + "".join(cell.ljust(wide) for cell in cells)).rstrip()


def in_words(found: Mapping[str, int], labels: Mapping[str, str] | None = None) -> str:
    """Goods with their numbers; none is a dash.

    >>> in_words({"wood": 2, "gold": 0, "stone": 1}), in_words({"wood": 0})
    ('2 wood 1 stone', '-')
    """
    named = labels or {}
    return " ".join(f"{n} {named.get(good, good)}" for good, n in found.items() if n) or "-"
