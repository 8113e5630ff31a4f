"""The legal moves on the screen: numbered, in groups when there are many."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from attrs import frozen
from rich.cells import cell_len

if TYPE_CHECKING:
    from compiler.runtime.moves import Move

# Numbers of moves from which on they are grouped by action, and from which on they are abridged.
GROUPED_FROM, SHORTENED_FROM = 9, 60
SHOWN_OF_MANY = 3
# Length up to which moves share a line, even if they are few.
SHORT = 12
# Maximum number of moves that are shown with their effects.
EXPLAINED = 24
# Lines for moves if the height of the screen is unknown.
ROOM = 20


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
    # The effects of a move, in a few words.
    gist: Callable[[Move], str] | None = None
    # The notation in the reader's language.
    say: Callable[[str], str] = str
    # Mark after moves that name a provisional row or value.
    star: Callable[[Move], str] = lambda move: ""

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

    def lines(self, width: int, room: int = ROOM) -> list[str]:
        """The moves with their effects, in columns, or folded: the fullest form that fits.

        Of very many only some are listed.
        """
        entries = list(enumerate(self.moves, 1))
        if not entries:
            return ["  nothing is legal: the rules leave no move here"]
        texts = self._explained(entries) if len(entries) <= EXPLAINED else []
        found = []
        if len(entries) < GROUPED_FROM and max(len(text) for text in texts) > SHORT:
            found.append([f"  {text}" for text in texts])
        if (texts and self.gist is not None) or len(entries) < GROUPED_FROM:
            found.append(in_columns(texts, width, "  "))
        if len(entries) <= SHORTENED_FROM:
            found += [self._grouped(entries, width), self._folded(entries, width)]
        found += [self._shortened(entries), self._summed(entries, width)]
        narrow = [lines for lines in found if max(map(cell_len, lines)) <= width] or found
        return next((lines for lines in narrow if len(lines) <= room), min(narrow, key=len))

    def _folded(self, entries: list[tuple[int, Move]], width: int) -> list[str]:
        """Moves that differ in their last word only together, one after another."""
        texts = []
        for start, members in groupby(entries, lambda e: str(e[1]).rpartition(" ")[0]):
            group = list(members)
            if len(group) == 1 or not start:
                texts += [self._entry(*entry).strip() for entry in group]
                continue
            numbers = f"{group[0][0]}-{group[-1][0]}) " if self.numbered else ""
            ends = [str(move).rpartition(" ")[2] + self.star(move) for _, move in group]
            texts.append(numbers + self.say(" ".join([start, *ends])))
        return flowing(texts, width, "  ")

    def _summed(self, entries: list[tuple[int, Move]], width: int) -> list[str]:
        """The first and last move of every kind, one after another."""
        texts = []
        for _, members in groupby(entries, lambda e: e[1].name):
            group = list(members)
            (first, one), (last, other) = group[0], group[-1]
            numbers = f"{first}-{last}) " if self.numbered else ""
            several = f"{numbers}{self._said(one)} … {self._said(other)}"
            texts.append(several if len(group) > 1 else self._entry(first, one).strip())
        return flowing([*texts, "(`moves` lists all)"], width, "  ")

    def _explained(self, entries: list[tuple[int, Move]]) -> list[str]:
        """Every move with its effects."""
        texts = [self._entry(number, move) for number, move in entries]
        if self.gist is None:
            return texts
        told = [self.gist(move) for _, move in entries]
        return [
            f"{text}  ({gist})" if gist else text for text, gist in zip(texts, told, strict=True)
        ]

    def all_lines(self, width: int, wanted: str = "") -> list[str]:
        """Every move whose notation contains a text, without abridgement."""
        entries = [
            (number, move)
            for number, move in enumerate(self.moves, 1)
            if wanted.casefold() in f"{move}\n{self.say(str(move))}".casefold()
        ]
        return self._grouped(entries, width)

    def _said(self, move: Move) -> str:
        return self.say(str(move)) + self.star(move)

    def _entry(self, number: int, move: Move) -> str:
        digits = len(str(len(self.moves)))
        text = self._said(move)
        return f"{number:>{digits}}) {text}" if self.numbered else text

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
            some = ", ".join(self._said(move) for _, move in group[:SHOWN_OF_MANY])
            numbers = f"{first[0]}-{last[0]}) " if self.numbered else ""
            lines.append(f"  {numbers}{some} … {self._said(last[1])}")
            lines.append(f"      {len(group)} in all; `moves` lists them")
        return lines


def flowing(texts: list[str], width: int, indent: str) -> list[str]:
    """Texts one after another, as many on a line as fit.

    >>> flowing(["a) one", "b) two", "c) three"], 20, "  ")
    ['  a) one   b) two', '  c) three']
    """
    lines: list[str] = []
    for text in texts:
        if lines and cell_len(lines[-1]) + 3 + cell_len(text) <= width:
            lines[-1] += f"   {text}"
        else:
            lines += wrap(text, width, initial_indent=indent, subsequent_indent=indent * 3)
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
