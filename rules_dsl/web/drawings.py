"""The picture of a position for a seat: the game's own drawing, or a plain one from its view.

A plain drawing shows every variable, pool and zone that the seat sees: what has two indices as a
grid, squares such as `b2` as a board, the rest in rows. Its places have the names that moves use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from compiler.runtime.drawing import own_drawing
from compiler.runtime.events import value_text
from compiler.runtime.nouns import counted
from compiler.runtime.values import Hidden
from games import pieces, svg

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

CELL, GAP, MARGIN, WIDTH = 46.0, 4.0, 16.0, 720.0
# A picture is never much wider than high, so that previews show all of it.
LOWEST = 410.0
SQUARE = re.compile(r"([a-z])(\d{1,2})")


def drawing(state: State, viewer: int | None, lang: str = "en") -> str:
    """The position as SVG, as a player or, without one, everybody sees it."""
    found = own_drawing(state, viewer)
    # A drawing without places cannot be clicked: then the plain one serves better.
    if found is not None and "data-place" in found:
        return found
    return Plain(state, viewer, lang).draw()


class Plain:
    """A drawing from the view of a seat, for games without a drawing.

    >>> import rules_dsl as rd
    >>> 'data-place="b2,4"' in Plain(rd.load("tic_tac_toe").start(), None).draw()
    True
    """

    def __init__(self, state: State, viewer: int | None, lang: str = "en") -> None:
        self.game: Game = state.game
        self.view = state.seat(viewer).view
        self.lang = lang
        self.parts: list[str] = []
        self.y = MARGIN

    def draw(self) -> str:
        """The SVG."""
        boards = [name for name in self.view if self._dimensions(name)]
        numbers = [name for name in self.view if not self._dimensions(name)]
        for name in boards:
            self._board(name)
        if numbers:
            self._numbers(numbers)
        height = max(self.y + MARGIN, LOWEST)
        return svg.document(WIDTH, height, self.parts, self.game.title, self.game.title)

    # ---- contents --------------------------------------------------------------------------------

    def _dimensions(self, name: str) -> list[tuple[int, int, str]]:
        meta = self.game.machine.meta
        if name in meta["zones"]:
            return list(meta["zones"][name][2])
        array = meta["arrays"][name]
        dimensions = list(array["dimensions"])
        return dimensions[:-1] if array["kind"] in ("set", "pool") else dimensions

    def _kind(self, name: str) -> str:
        """The type of the values of an array, or of the cards of a zone."""
        meta = self.game.machine.meta
        if name in meta["zones"]:
            return str(meta["arrays"][meta["zones"][name][1]]["dimensions"][0][2])
        array = meta["arrays"][name]
        if array["kind"] == "set":
            return str(array["dimensions"][-1][2])
        return str(array.get("value") or "int")

    def _label(self, name: str) -> str:
        label = self.game.label(name, self.lang)
        return label.replace("_", " ") if label == name else label

    # ---- rows and grids --------------------------------------------------------------------------

    def _heading(self, words: str) -> None:
        self.parts.append(svg.text(MARGIN, self.y + 14, words, 15, bold=True))
        self.y += 24

    def _board(self, name: str) -> None:
        dimensions = self._dimensions(name)
        self._heading(self._label(name))
        value = self.view[name]
        if len(dimensions) == 1:
            squares = self._squares(dimensions[0])
            if squares:
                self._squares_board(name, value, squares)
            else:
                self._row(name, value, dimensions[0])
        elif len(dimensions) == 2:
            self._grid(name, value, dimensions)
        else:
            for key, inner in value.items():
                words = value_text(self.game, dimensions[0][2], key)
                self.parts.append(svg.text(MARGIN, self.y + 14, words, 13, svg.MUTED))
                self.y += 22
                if len(dimensions) == 3:
                    self._grid(name, inner, dimensions[1:], (self._key(dimensions[0], key),))

    def _squares(self, dimension: tuple[int, int, str]) -> dict[int, tuple[int, int]]:
        """Column and row of every value of a type whose values are squares of a board."""
        low, size, kind = self._named(dimension)
        names = [str(self.game.reader.names.label(kind, low + k)) for k in range(size)]
        found = [SQUARE.fullmatch(name) for name in names]
        if size < 4 or not all(found):
            return {}
        return {
            low + k: (ord(match[1]) - ord("a"), int(match[2]) - 1)
            for k, match in enumerate(found)
            if match
        }

    def _named(self, dimension: tuple[int, int, str]) -> tuple[int, int, str]:
        """A dimension with the names of its squares, where rules number the squares of a board.

        Then the rules have just one type whose values are as many squares.
        """
        low, size, kind = dimension
        enums = self.game.reader.names.enums
        if kind != "int" or low != 0:
            return dimension
        boards = [
            name
            for name, (values, _, _) in enums.items()
            if len(values) == size and all(SQUARE.fullmatch(str(v)) for v in values)
        ]
        return (0, size, boards[0]) if len(boards) == 1 else dimension

    def _squares_board(self, name: str, value: Any, squares: dict[int, tuple[int, int]]) -> None:
        kind = self._named(self._dimensions(name)[0])[2]
        rows = max(row for _, row in squares.values()) + 1
        for (key, inner), (number, (column, row)) in zip(
            value.items(), squares.items(), strict=True
        ):
            x = MARGIN + column * (CELL + GAP)
            y = self.y + (rows - 1 - row) * (CELL + GAP)
            label = str(self.game.reader.names.label(kind, number))
            keys = [label] if label == str(key) else [label, str(key)]
            self.parts.append(self._cell(name, keys, inner, x, y, CELL, label))
        self.y += rows * (CELL + GAP) + 12

    def _row(self, name: str, value: Any, dimension: tuple[int, int, str]) -> None:
        words = [self._words(name, inner) for inner in value.values()]
        wide = max([CELL, *(svg.width_of(text, 13) + 18 for text in words)])
        wide = min(wide, WIDTH - 2 * MARGIN)
        x = MARGIN
        for key, inner in value.items():
            if x + wide > WIDTH - MARGIN:
                x, self.y = MARGIN, self.y + CELL + 20
            label = value_text(self.game, dimension[2], key)
            self.parts.append(svg.text(x + wide / 2, self.y + 10, label, 11, svg.MUTED, "middle"))
            key_text = self._key(dimension, key)
            self.parts.append(self._cell(name, [key_text], inner, x, self.y + 14, wide, label))
            x += wide + GAP
        self.y += CELL + 26

    def _grid(
        self,
        name: str,
        value: Any,
        dimensions: list[tuple[int, int, str]],
        first: tuple[str, ...] = (),
    ) -> None:
        rows, columns = dimensions
        wide = min(CELL, (WIDTH - 2 * MARGIN - 60) / max(1, columns[1]) - GAP)
        top = self.y
        for c, column in enumerate(next(iter(value.values()), {})):
            label = value_text(self.game, columns[2], column)
            x = MARGIN + 60 + c * (wide + GAP)
            head = [
                svg.rect(x, top, wide, 20, svg.PAPER, svg.LINE, 4),
                svg.text(x + wide / 2, top + 14, label, 11, svg.MUTED, "middle"),
            ]
            self.parts.append(place([" ".join([*first, self._key(columns, column)])], head, label))
        self.y += 24
        for row, line in value.items():
            label = value_text(self.game, rows[2], row)
            key = " ".join([*first, self._key(rows, row)])
            head = [
                svg.rect(MARGIN, self.y, 54, wide, svg.PAPER, svg.LINE, 4),
                svg.text(MARGIN + 27, self.y + wide / 2 + 4, label, 11, svg.MUTED, "middle"),
            ]
            self.parts.append(place([key], head, label))
            for c, (column, inner) in enumerate(line.items()):
                x = MARGIN + 60 + c * (wide + GAP)
                there = self._key(columns, column)
                keys = [" ".join([*first, self._key(rows, row), there])]
                told = f"{label} {value_text(self.game, columns[2], column)}"
                self.parts.append(self._cell(name, keys, inner, x, self.y, wide, told, wide))
            self.y += wide + GAP
        self.y += 12

    def _key(self, dimension: tuple[int, int, str], key: Any) -> str:
        """The notation of a value in moves."""
        return value_text(self.game, "Player", key) if dimension[2] == "Player" else str(key)

    def _cell(
        self, name: str, keys: list[str], value: Any, x: float, y: float, wide: float, told: str,
        high: float = CELL,
    ) -> str:  # fmt: skip
        kind = self._kind(name).partition("?")[0]
        parts = [svg.rect(x, y, wide, high, svg.CARD, svg.LINE, 5)]
        middle = (x + wide / 2, y + high / 2)
        names = self.game.player_names
        if kind == "Player" and isinstance(value, int):
            disc = pieces.disc(*middle, min(wide, high) * 0.36, names, value, "piece")
            parts.append(disc)
        else:
            words = self._words(name, value)
            size = 15 if len(words) <= 4 else 12
            rows = svg.wrapped(words, wide - 6, size)[:3]
            start = middle[1] + 5 - (len(rows) - 1) * size * 0.6
            parts.append(svg.lines(middle[0], start, rows, size, anchor="middle"))
        return place(keys, parts, f"{told}: {self._words(name, value) or '—'}")

    def _words(self, name: str, value: Any) -> str:
        """A value as people read it; nothing for an empty place."""
        if value is None:
            return ""
        if isinstance(value, Hidden):
            return "?" if value.count is None else f"{value.count} hidden"
        if isinstance(value, dict):
            labels = {good: self.game.label(good, self.lang) for good in value}
            held = [
                # What a bank holds may be unlimited.
                counted(n, labels[good]) if isinstance(n, int) else f"{n} {labels[good]}"
                for good, n in value.items()
                if n
            ]
            return ", ".join(held) if len(value) > 1 else str(next(iter(value.values())))
        if isinstance(value, list | tuple):
            return ", ".join(value_text(self.game, self._kind(name), v) for v in value) or "—"
        return value_text(self.game, self._kind(name), value)

    def _numbers(self, names: list[str]) -> None:
        for name, rows in self._lines(names):
            at = self.y + 14
            self.parts.append(svg.text(MARGIN, at, name, 13, svg.MUTED))
            self.parts.append(svg.lines(MARGIN + 200, at, rows, 13))
            self.y += 8 + 16 * len(rows)

    def _lines(self, names: list[str]) -> Iterator[tuple[str, list[str]]]:
        for name in names:
            words = self._words(name, self.view[name]) or "—"
            yield self._label(name), svg.wrapped(words, WIDTH - 2 * MARGIN - 200, 13)


def place(keys: list[str], parts: list[str], told: str) -> str:
    """A place that can be clicked: the names by which moves know it, and a sentence."""
    from xml.sax.saxutils import escape

    title = svg.element("title", escape(told))
    return svg.element("g", "".join(parts) + title, data_place=",".join(keys))
