"""The names in a text, found without parsing: a text that is being written is seldom whole.

>>> [w.text for w in words('x = count(r) "{y} of {f(z)}"  # not this [R 4 "Nor this"]')]
['x', 'count', 'r', 'y', 'f', 'z']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from rules_dsl.language.braces import BRACES
from rules_dsl.language.spans import Span

_PIECE = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<text>"(?:\\.|[^"\\\n])*"?)'
    r'|(?P<cite>\[[A-Z][A-Za-z0-9]*[ ]+(?:"[^"\n]*"|[0-9])(?:"[^"\n]*"|;[ ]*\n[ ]*|[^\]"\n])*\])'
    r"|(?P<number>[0-9]+)|(?P<word>[A-Za-z][A-Za-z0-9_]*)|(?P<line>\n)"
)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@frozen
class Word:
    """A name, where it is, and if a dot precedes it, the name before the dot."""

    text: str
    line: int
    column: int
    member: bool = False
    owner: str = ""

    def span(self, file: str) -> Span:
        """Its place in a file."""
        return Span(file, self.line, self.column, self.line, self.column + len(self.text))


@frozen
class TextPiece:
    """A part of a text by kind: comment, text, cite, number or word; never over several lines."""

    kind: str
    text: str
    line: int
    column: int


def pieces(text: str) -> Iterator[TextPiece]:
    """The parts of a text that have a colour of their own."""
    line, start = 1, 0
    for match in _PIECE.finditer(text):
        kind = match.lastgroup or ""
        if kind == "line":
            line, start = line + 1, match.end()
            continue
        column = match.start() - start + 1
        for number, part in enumerate(match.group().split("\n")):
            yield TextPiece(kind, part, line + number, column if number == 0 else 1)
        breaks = match.group().count("\n")
        if breaks:
            line += breaks
            start = match.start() + match.group().rindex("\n") + 1


@lru_cache(maxsize=128)
def words(text: str) -> tuple[Word, ...]:
    """The names in a text, also those in the braces of its strings."""
    found: list[Word] = []
    lines = text.split("\n")
    for piece in pieces(text):
        if piece.kind == "word":
            before = lines[piece.line - 1][: piece.column - 1]
            found.append(_word(piece.text, piece.line, piece.column, before))
        elif piece.kind == "text":
            for braces in BRACES.finditer(piece.text):
                for name in _NAME.finditer(braces[1]):
                    at = braces.start(1) + name.start()
                    before = piece.text[:at]
                    found.append(_word(name.group(), piece.line, piece.column + at, before))
    return tuple(found)


def _word(text: str, line: int, column: int, before: str) -> Word:
    if not before.endswith("."):
        return Word(text, line, column)
    return Word(text, line, column, True, _owner(before))


def _owner(before: str) -> str:
    """The name that a dot at the end belongs to: `stock` in `stock[p].`."""
    at, depth = len(before) - 2, 0
    while at >= 0 and (depth or before[at] in ")]"):
        depth += (before[at] in ")]") - (before[at] in "([")
        at -= 1
    name = re.search(r"[A-Za-z][A-Za-z0-9_]*$", before[: at + 1])
    return name.group() if name else ""


def word_at(text: str, line: int, column: int) -> Word | None:
    """The name at a place, or the one that ends there."""
    for word in words(text):
        if word.line == line and word.column <= column <= word.column + len(word.text):
            return word
    return None
