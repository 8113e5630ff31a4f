"""Places in source text."""

from __future__ import annotations

from attrs import frozen


@frozen
class Span:
    """A stretch of a source file; lines and columns count from 1, the end is exclusive.

    >>> str(Span("house.rules", 3, 5, 3, 9))
    'house.rules:3:5'
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """The stretch from the start of this one to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)
