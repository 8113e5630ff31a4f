"""A picture of any game: boards as grids, pools and players' values as tables, zones as cards.

A game with a drawing of its own is drawn by that. This one knows nothing but the names, labels and
shapes that the rules declare, and shows what the viewer may see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from compiler.runtime.events import value_text
from compiler.runtime.values import Hidden
from games import svg
from games.facts import Facts, counted_points
from games.pieces import disc

if TYPE_CHECKING:
    from compiler.runtime.state import State

WIDTH, MARGIN, GAP = 960, 18, 14
CELL, ROW, SIZE = 46, 24, 13
# A variable with as many cells is a board, one with fewer is a row of a table.
BOARD = 9
# Most cells in a row of a grid whose names do not say how they lie.
ACROSS = 12
SQUARE = re.compile(r"([a-z])(\d+)")


@frozen
class Block:
    """A part of the picture: its size, and how it is drawn at a place."""

    width: float
    height: float
    draw: Callable[[float, float], str]


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG, with nothing that the viewer may not see."""
    facts = Facts(state, viewer)
    parts = [
        svg.text(MARGIN, 40, facts.game.title, 26, bold=True),
        svg.text(WIDTH - MARGIN, 40, _status(facts), 16, svg.MUTED, "end"),
        svg.line((MARGIN, 54), (WIDTH - MARGIN, 54), "#b9a877", 2),
    ]
    x, y, tallest = float(MARGIN), 68.0, 0.0
    for block in _blocks(facts):
        if x > MARGIN and x + block.width > WIDTH - MARGIN:
            x, y, tallest = float(MARGIN), y + tallest + GAP, 0.0
        parts.append(block.draw(x, y))
        x += block.width + GAP
        tallest = max(tallest, block.height)
    return svg.document(WIDTH, y + tallest + MARGIN, parts, facts.game.title, _status(facts))


def _status(facts: Facts) -> str:
    if facts.over:
        names = " and ".join(facts.names[p] for p in facts.winners) or "nobody"
        best = f" with {counted_points(max(facts.scores))}" if facts.scores else ""
        return f"The game is over: {names} won{best}"
    return "Chance decides" if facts.player is None else f"{facts.names[facts.player]} to move"


def _blocks(facts: Facts) -> Iterator[Block]:
    meta = facts.game.machine.meta
    plain: list[tuple[str, str]] = []
    for name, value in facts.view.items():
        title = _title(facts, name)
        if name in meta["zones"]:
            table, _, dimensions, *_ = meta["zones"][name]
            yield _zone(facts, title, table, dimensions, value)
            continue
        array = meta["arrays"][name]
        dimensions, kind = array["dimensions"], array["kind"]
        if kind == "pool":
            yield _pool(facts, title, array, value)
        elif kind == "set":
            yield _zone(facts, title, dimensions[-1][2], dimensions[:-1], value)
        elif not dimensions:
            plain.append((title, _shown(facts, array["value"], value)))
        else:
            yield _cells(facts, name, title, array, value)
    if plain:
        yield _table("", [""], [[title, text] for title, text in plain])


def _title(facts: Facts, name: str) -> str:
    label = facts.game.label(name)
    return label if label != name else name.replace("_", " ").capitalize()


def _shown(facts: Facts, kind: str, value: Any) -> str:
    if isinstance(value, Hidden):
        return "?" if value.count is None else f"{value.count} hidden"
    return "–" if value is None else value_text(facts.game, kind, value)


# ---- values by index -----------------------------------------------------------------------------


def _cells(facts: Facts, name: str, title: str, array: dict[str, Any], value: Any) -> Block:
    """A board if there are many cells, a table otherwise."""
    dimensions, kind = array["dimensions"], array["value"]
    count = 1
    for _, size, _ in dimensions:
        count *= size
    by_player = dimensions[0][2] == "Player"
    if count < BOARD or by_player or len(dimensions) > 2:
        leaves = list(_leaves(value, len(dimensions)))
        if by_player and len(dimensions) <= 2:
            return _by_player(facts, title, array, value)
        rows = [
            [_index(facts, dimensions, keys), _shown(facts, kind, v)]
            for keys, v in leaves
            if v is not None
        ]
        return _table(title, [""], rows or [["nothing", ""]])
    return _board(facts, name, title, array, value)


def _by_player(facts: Facts, title: str, array: dict[str, Any], value: Any) -> Block:
    """A row for every value of the second index, a column for every player."""
    dimensions, kind = array["dimensions"], array["value"]
    head = ["", *facts.names]
    if len(dimensions) == 1:
        return _table(title, head, [["", *(_shown(facts, kind, v) for v in value.values())]])
    rows = []
    first = next(iter(value.values()))
    for key in first:
        shown = [_shown(facts, kind, of_player[key]) for of_player in value.values()]
        rows.append([_index(facts, dimensions[1:], (key,)), *shown])
    return _table(title, head, rows)


def _leaves(value: Any, depth: int, keys: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Any]]:
    if depth == 0:
        yield keys, value
    else:
        for key, inner in value.items():
            yield from _leaves(inner, depth - 1, (*keys, key))


def _index(facts: Facts, dimensions: Sequence[Any], keys: tuple[Any, ...]) -> str:
    return " ".join(
        value_text(facts.game, kind, key)
        for (_, _, kind), key in zip(dimensions, keys, strict=False)
    )


def _board(facts: Facts, name: str, title: str, array: dict[str, Any], value: Any) -> Block:
    """Cells side by side: as their names or their two indices say, else row by row."""
    dimensions, kind = array["dimensions"], array["value"]
    leaves = list(_leaves(value, len(dimensions)))
    places = _places(dimensions, [keys for keys, _ in leaves])
    across = max(x for x, _ in places) + 1
    down = max(y for _, y in places) + 1
    edge = min(CELL, (WIDTH - 2 * MARGIN - 24) / across)

    def drawn(x: float, y: float) -> str:
        parts = [svg.panel(x, y, across * edge + 24, down * edge + 44, title)]
        for (keys, held), (column, row) in zip(leaves, places, strict=True):
            left, top = x + 12 + column * edge, y + 32 + row * edge
            where = _index(facts, dimensions, keys)
            told = svg.element("title", f"{where}: {_shown(facts, kind, held)}")
            inside = svg.rect(left, top, edge, edge, "#f1ead9", svg.LINE)
            if kind.partition("?")[0] == "Player" and isinstance(held, int):
                inside += disc(left + edge / 2, top + edge / 2, edge * 0.36, facts.names, held)
            elif held is not None and held is not False:
                text = _shown(facts, kind, held)
                size = min(SIZE, edge * 1.5 / max(2, len(text)))
                inside += svg.text(
                    left + edge / 2, top + edge / 2 + size * 0.36, text, size, anchor="middle"
                )
            key = " ".join([name, *map(str, keys)])
            parts.append(svg.element("g", told + inside, class_="cell", data_key=key))
        return "".join(parts)

    return Block(across * edge + 24, down * edge + 44, drawn)


def _places(dimensions: Sequence[Any], keys: list[tuple[Any, ...]]) -> list[tuple[int, int]]:
    """The column and the row of every cell.

    >>> _places([(0, 4, "Square")], [("a1",), ("b1",), ("a2",), ("b2",)])
    [(0, 1), (1, 1), (0, 0), (1, 0)]
    >>> _places([(0, 2, "int"), (0, 2, "int")], [(0, 0), (0, 1), (1, 0), (1, 1)])
    [(0, 0), (1, 0), (0, 1), (1, 1)]
    """
    if len(dimensions) == 2:
        wide = dimensions[1][1]
        return [(number % wide, number // wide) for number in range(len(keys))]
    named = [SQUARE.fullmatch(str(key)) for (key,) in keys]
    squares = [(ord(m[1]) - ord("a"), int(m[2])) for m in named if m is not None]
    if len(squares) == len(keys):
        top = max(row for _, row in squares)
        return [(column, top - row) for column, row in squares]
    wide = next((n for n in range(3, ACROSS + 1) if n * n == len(keys)), ACROSS)
    return [(number % wide, number // wide) for number in range(len(keys))]


# ---- tables, pools and cards ---------------------------------------------------------------------


def _table(title: str, head: list[str], rows: list[list[str]]) -> Block:
    """Rows of texts below a title."""
    shown = [head, *rows] if any(head) else rows
    columns = max(len(row) for row in shown)
    widths = [
        max(svg.width_of(row[k], SIZE) for row in shown if k < len(row)) + 16
        for k in range(columns)
    ]
    width = max(sum(widths) + 16, 1.15 * svg.width_of(title, 15) + 32)
    top = 32 if title else 10

    def drawn(x: float, y: float) -> str:
        parts = [svg.panel(x, y, width, top + ROW * len(shown) + 6, title)]
        for number, row in enumerate(shown):
            left = x + 12
            for k, text in enumerate(row):
                muted = (any(head) and number == 0) or k == 0
                ink = svg.MUTED if muted else svg.INK
                parts.append(svg.text(left, y + top + ROW * number + 14, text, SIZE, ink))
                left += widths[k]
        return "".join(parts)

    return Block(width, top + ROW * len(shown) + 6, drawn)


def _pool(facts: Facts, title: str, array: dict[str, Any], value: Any) -> Block:
    """A row for every pool, a column for every good."""
    goods, dimensions = array["goods"], array["dimensions"][:-1]
    rows = []
    for keys, held in _leaves(value, len(dimensions)):
        if not dimensions or any(not isinstance(held[g], int) or held[g] for g in goods):
            amounts = [str(held[g]) if not isinstance(held[g], Hidden) else "?" for g in goods]
            rows.append([_index(facts, dimensions, keys), *amounts])
    head = ["", *(facts.game.label(good) for good in goods)]
    return _table(title, head, rows or [["empty"]])


def _zone(facts: Facts, title: str, table: str, dimensions: Sequence[Any], value: Any) -> Block:
    """The cards of every place, or how many lie there."""
    rows = []
    for keys, cards in _leaves(value, len(dimensions)):
        if isinstance(cards, Hidden):
            shown = f"{cards.count} face down" if cards.count is not None else "?"
        else:
            shown = ", ".join(value_text(facts.game, table, card) for card in cards) or "none"
        if dimensions and shown in ("none", "0 face down"):
            continue
        for number, line in enumerate(svg.wrapped(shown, 620, SIZE)):
            rows.append([_index(facts, dimensions, keys) if number == 0 else "", line])
    return _table(title, [""], rows or [["none", ""]])
