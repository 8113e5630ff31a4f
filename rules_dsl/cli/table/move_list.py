"""The legal moves on the screen: numbered, in groups when there are many."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from attrs import frozen
from rich.cells import cell_len

if TYPE_CHECKING:
    from compiler.runtime.moves import Move

# More moves than this are grouped by what they do; more than that are named, not listed.
GROUPED_FROM, SHORTENED_FROM = 9, 60
SHOWN_OF_MANY = 3
# A few moves get a line each unless they are as short as this.
SHORT = 12


@frozen
class MoveList:
    """Moves with their numbers.

    Where a move's own notation is a number (a column, a pit), numbers would be misread: the moves
    then go by their notation only.

    >>> import rules_dsl as rd
    >>> s = rd.load("tic_tac_toe").start()
    >>> str(MoveList(s.moves()).find("5"))
    'b2'
    """

    moves: tuple[Move, ...]

    @property
    def numbered(self) -> bool:
        """Whether the moves can be called by number."""
        return not {str(n) for n in range(1, len(self.moves) + 1)} & {str(m) for m in self.moves}

    def find(self, text: str) -> Move | None:
        """The move that a number means."""
        if self.numbered and text.isdecimal() and text.isascii():
            number = int(text)
            if 1 <= number <= len(self.moves):
                return self.moves[number - 1]
        return None

    def lines(self, width: int) -> list[str]:
        """The moves in columns; of very many only some."""
        entries = list(enumerate(self.moves, 1))
        if not entries:
            return ["  nothing is legal: the rules leave no move here"]
        if len(entries) < GROUPED_FROM:
            texts = [self._entry(number, move) for number, move in entries]
            if max(len(text) for text in texts) <= SHORT:
                return in_columns(texts, width, "  ")
            return [f"  {text}" for text in texts]
        if len(entries) <= SHORTENED_FROM:
            return self._grouped(entries, width)
        return self._shortened(entries)

    def all_lines(self, width: int, wanted: str = "") -> list[str]:
        """Every move whose notation contains a text, however many there are."""
        entries = [
            (number, move)
            for number, move in enumerate(self.moves, 1)
            if wanted.casefold() in str(move).casefold()
        ]
        return self._grouped(entries, width)

    def _entry(self, number: int, move: Move) -> str:
        digits = len(str(len(self.moves)))
        return f"{number:>{digits}}) {move}" if self.numbered else str(move)

    def _grouped(self, entries: list[tuple[int, Move]], width: int) -> list[str]:
        lines = []
        groups = [(name, list(group)) for name, group in groupby(entries, lambda e: e[1].name)]
        for name, group in groups:
            indent = "  "
            if len(groups) > 1 and len(group) > 1:
                lines.append(f"  {name.replace('_', ' ')} ({len(group)})")
                indent = "    "
            lines += in_columns([self._entry(n, m) for n, m in group], width, indent)
        return lines

    def _shortened(self, entries: list[tuple[int, Move]]) -> list[str]:
        lines = []
        for _, members in groupby(entries, lambda e: e[1].name):
            group = list(members)
            if len(group) <= SHOWN_OF_MANY:
                lines += [f"  {self._entry(number, move)}" for number, move in group]
                continue
            first, last = group[0], group[-1]
            some = ", ".join(str(move) for _, move in group[:SHOWN_OF_MANY])
            numbers = f"{first[0]}-{last[0]}) " if self.numbered else ""
            lines.append(f"  {numbers}{some} … {last[1]}")
            lines.append(f"      {len(group)} in all; `moves` lists them")
        return lines


def in_columns(texts: list[str], width: int, indent: str) -> list[str]:
    """Texts in as many columns as fit, read downwards.

    >>> in_columns(["a", "b", "c"], 6, "")
    ['a  c', 'b']
    """
    room = max(cell_len(text) for text in texts) + 2
    columns = max(1, (width - len(indent) + 2) // room)
    rows = -(-len(texts) // columns)
    lines = []
    for row in range(rows):
        cells = [text + " " * (room - cell_len(text)) for text in texts[row::rows]]
        lines.append((indent + "".join(cells)).rstrip())
    return lines
