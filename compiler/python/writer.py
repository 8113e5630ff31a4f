"""Lines of generated Python, each with the place in the rules that it comes from."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

from rules_dsl.language.spans import NOWHERE, Span

# Names that generated functions use for themselves.
_OWN = {"s", "f", "out", "m", "run", "n", "v", "best", "fault"}
# Generated functions and constants: `f_worth`, `T_weight`, `any_3`.
_GENERATED = re.compile(r"[A-Za-z]\d*_|any_\d")
_RESERVED = {*_OWN, *keyword.kwlist, *dir(builtins)}


def identifier(name: str) -> str:
    """A rule's name as a Python name: readable, and never one that means something to Python.

    >>> identifier("class"), identifier("Building.built.a1_08"), identifier("palenque")
    ('class_', 'Building_built_a1_08', 'palenque')
    """
    plain = re.sub(r"\W", "_", name)
    if plain in _RESERVED or _GENERATED.match(plain) or not plain.isascii():
        return f"{plain}_"
    return plain


Line = tuple[str, Span]


def filled(lines: list[Line]) -> list[Line]:
    """Lines in which every block has a body: what a constant or an option switches off is empty.

    >>> [text for text, _ in filled([("def a():", NOWHERE), ("", NOWHERE), ("b = 1", NOWHERE)])]
    ['def a():', '    pass', '', 'b = 1']
    """
    result: list[Line] = []
    opened: Line | None = None
    at = 0
    for line in lines:
        text = line[0]
        if opened is not None and text:
            if _indent(text) <= _indent(opened[0]):
                result.insert(at, (" " * (_indent(opened[0]) + 4) + "pass", opened[1]))
            opened = None
        result.append(line)
        if text.endswith(":"):
            opened, at = line, len(result)
    if opened is not None:
        result.insert(at, (" " * (_indent(opened[0]) + 4) + "pass", opened[1]))
    return result


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


@define
class Writer:
    """A growing piece of source text."""

    lines: list[Line] = field(factory=list)
    level: int = 0
    span: Span = NOWHERE

    def line(self, text: str, span: Span | None = None) -> None:
        """Add a line."""
        self.lines.append(("    " * self.level + text, span or self.span))

    @contextmanager
    def block(self, opening: str, span: Span | None = None) -> Iterator[None]:
        """Add a line and indent what follows."""
        self.line(opening, span)
        self.level += 1
        yield
        self.level -= 1

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Lines written inside come from this place."""
        before = self.span
        if span != NOWHERE:
            self.span = span
        yield
        self.span = before

    def extend(self, other: Writer) -> None:
        """Add the lines of another writer."""
        self.lines += [("    " * self.level + text, span) for text, span in other.lines]
