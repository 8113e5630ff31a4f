"""Lines of generated C."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

INT32_MIN, INT32_MAX = -(2**31) + 1, 2**31 - 1


def c_type(lo: int, hi: int) -> str:
    """The type of a value in `lo`..`hi`.

    >>> c_type(0, 9), c_type(0, 10**10)
    ('i32', 'i64')
    """
    return "i32" if lo >= INT32_MIN and hi <= INT32_MAX else "i64"


def c_number(value: int) -> str:
    """A constant."""
    text = str(value) if c_type(value, value) == "i32" else f"{value}LL"
    return text if value >= 0 else f"({text})"


def c_name(name: str) -> str:
    """A rule's name as part of a C name.

    >>> c_name("Building.built.a1_08")
    'Building_built_a1_08'
    """
    return re.sub(r"[^A-Za-z0-9]", "_", name)


@define
class Writer:
    """A growing piece of C."""

    lines: list[str] = field(factory=list)
    level: int = 0

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.level + text)

    @contextmanager
    def block(self, opening: str) -> Iterator[None]:
        """Add a line, indent what follows, and close the brace."""
        self.line(f"{opening} {{".lstrip())
        self.level += 1
        yield
        self.level -= 1
        self.line("}")
