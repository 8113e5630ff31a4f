"""Parts of a file that the syntax tree leaves out: comments, blank lines and line ends."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import define, field

from rules_dsl.language.parser import tokens

_UNSEEN = ("_NL", "_INDENT", "_DEDENT")


@define
class Comment:
    """A comment on a separate line."""

    text: str
    column: int
    blank_before: bool


@define
class LogicalLine:
    """A line as the grammar sees it: it may be several lines of text, broken inside brackets."""

    first: int
    last: int
    column: int
    # The text as written in the file.
    text: str
    # Comments above it, and whether a blank line comes between them (or the line above) and it.
    above: list[Comment] = field(factory=list)
    blank_before: bool = False
    trailing: str = ""
    # Whether it contains a comment, which only the author can place.
    commented_inside: bool = False


@define
class SourceText:
    """The lines of a file, and the comments after the last one."""

    lines: list[LogicalLine]
    below: list[Comment]

    def line_at(self, number: int) -> int:
        """The index of the line that a line of text belongs to."""
        low, high = 0, len(self.lines)
        while low < high:
            middle = (low + high) // 2
            if self.lines[middle].last < number:
                low = middle + 1
            else:
                high = middle
        return low


def read_trivia(text: str) -> SourceText:
    """Cut a text that parses into lines and comments."""
    pieces = _pieces(text)
    lines: list[LogicalLine] = []
    gap_start = 0
    for piece in pieces:
        first, last = piece[0], piece[-1]
        gap = text[gap_start : first[0]].split("\n")
        if lines:
            lines[-1].trailing = gap[0].strip()
            gap = gap[1:]
        above, blank = _comments(gap[:-1])
        line_start = text.rfind("\n", 0, first[0]) + 1
        inside = any("#" in text[before[1] : after[0]] for before, after in pairwise(piece))
        number = text.count("\n", 0, first[0]) + 1
        body = text[first[0] : last[1]]
        lines.append(
            LogicalLine(
                number,
                number + body.count("\n"),
                first[0] - line_start,
                body,
                above,
                blank,
                commented_inside=inside,
            )
        )
        gap_start = last[1]
    rest = text[gap_start:].split("\n")
    if lines:
        lines[-1].trailing = rest[0].strip()
        rest = rest[1:]
    return SourceText(lines, _comments(rest)[0])


def _pieces(text: str) -> list[list[tuple[int, int]]]:
    """The tokens of each line, as stretches of the text."""
    pieces: list[list[tuple[int, int]]] = []
    current: list[tuple[int, int]] = []
    for token in tokens(text + "\n"):
        if token.type == "_NL" and current:
            pieces.append(current)
            current = []
        if token.type not in _UNSEEN:
            assert token.start_pos is not None
            current.append((token.start_pos, token.start_pos + len(token)))
    if current:
        pieces.append(current)
    return pieces


def _comments(gap: Sequence[str]) -> tuple[list[Comment], bool]:
    """The comments among lines without tokens, and whether a blank line follows the last one."""
    found: list[Comment] = []
    blank = False
    for line in gap:
        content = line.strip()
        if content:
            found.append(Comment(content, len(line) - len(line.lstrip()), blank))
        blank = not content
    return found, blank
