"""Fitting text into lines: documents with places where a line may be broken.

A group is set on one line if it fits and broken otherwise, the outermost first; a fill breaks only
where the next item would not fit.

>>> items = fill([cat(word, ",") for word in ("one", "two", "three")] + ["four"])
>>> print(render(cat("[", nest(items), "]"), width=12))
[one, two,
    three,
    four]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from attrs import frozen

INDENT = 4


@frozen
class Break:
    """A place where a line may end: a space (or nothing) if it does not; `hard` always ends it."""

    flat: str = " "
    hard: bool = False


@frozen
class Cat:
    """One thing after another."""

    parts: tuple[Doc, ...]


@frozen
class Nest:
    """Lines that start inside are indented one step more."""

    inner: Doc


@frozen
class Group:
    """All on one line, or broken at each of its breaks."""

    inner: Doc


@frozen
class IfBroken:
    """A text printed only where the group around it is broken."""

    text: str


@frozen
class Fill:
    """Items with breaks between them, as many on a line as fit."""

    items: tuple[Doc, ...]
    breaks: tuple[Break, ...]


Doc = str | Break | Cat | Nest | Group | IfBroken | Fill

LINE = Break()
SOFT = Break("")
HARD = Break(hard=True)


def cat(*parts: Doc) -> Doc:
    """One document after another."""
    return Cat(parts)


def nest(*parts: Doc) -> Doc:
    """One step further in."""
    return Nest(Cat(parts))


def group(*parts: Doc) -> Doc:
    """On one line if it fits."""
    return Group(Cat(parts))


def fill(items: Sequence[Doc], breaks: Sequence[Break] | None = None) -> Doc:
    """As many items on a line as fit."""
    return Fill(tuple(items), tuple(breaks) if breaks is not None else (LINE,) * (len(items) - 1))


def comma_list(items: Iterable[Doc], breaks: Sequence[Break] | None = None) -> Doc:
    """Items with commas, as many on a line as fit."""
    docs = list(items)
    return fill([cat(d, ",") for d in docs[:-1]] + docs[-1:], breaks)


Mode = Literal["flat", "broken"]
_Command = tuple[int, Mode, Doc]


def render(doc: Doc, width: int = 100, indent: int = 0, column: int = 0) -> str:
    """The text of a document; `indent` is that of continued lines, before any nesting."""
    out: list[str] = []
    stack: list[_Command] = [(indent, "broken", doc)]
    while stack:
        at, mode, current = stack.pop()
        match current:
            case str():
                out.append(current)
                column += len(current)
            case Cat(parts):
                stack.extend((at, mode, part) for part in reversed(parts))
            case Nest(inner):
                stack.append((at + INDENT, mode, inner))
            case IfBroken(text):
                if mode == "broken":
                    out.append(text)
                    column += len(text)
            case Break(flat, hard):
                if mode == "flat" and not hard:
                    out.append(flat)
                    column += len(flat)
                else:
                    out.append("\n" + " " * at)
                    column = at
            case Group(inner):
                fitting = not _hard(inner) and _fits(width - column, (at, "flat", inner), stack)
                stack.append((at, "flat" if fitting else "broken", inner))
            case Fill(items, breaks):
                if items:
                    _fill(stack, at, mode, items, breaks, width - column)
    return "".join(out)


def flat(doc: Doc) -> str:
    """The document on one line."""
    return render(Group(doc), width=10**9)


def _fill(
    stack: list[_Command],
    at: int,
    mode: Mode,
    items: tuple[Doc, ...],
    breaks: tuple[Break, ...],
    room: int,
) -> None:
    first = items[0]
    if len(items) == 1:
        stack.append((at, mode, first))
        return
    alone = _fits(room, (at, "flat", first), [])
    pair = Cat((first, Break(breaks[0].flat), items[1]))
    rest: list[_Command] = stack if len(items) == 2 else []
    together = alone and not breaks[0].hard and _fits(room, (at, "flat", pair), rest)
    stack.append((at, mode, Fill(items[1:], breaks[1:])))
    stack.append((at, "flat" if together or mode == "flat" else "broken", breaks[0]))
    stack.append((at, "flat" if alone else mode, first))


def _hard(doc: Doc) -> bool:
    """Whether a document has a break that always ends the line."""
    match doc:
        case Break():
            return doc.hard
        case Cat(parts):
            return any(_hard(p) for p in parts)
        case Nest(inner) | Group(inner):
            return _hard(inner)
        case Fill(items, breaks):
            return any(b.hard for b in breaks) or any(_hard(i) for i in items)
    return False


def _fits(room: int, first: _Command, rest: list[_Command]) -> bool:
    """Whether a document fits, with what follows it up to the next place to break."""
    stack = [first]
    below = len(rest)
    while room >= 0:
        if not stack:
            if below == 0:
                return True
            below -= 1
            stack.append(rest[below])
            continue
        at, mode, current = stack.pop()
        match current:
            case str():
                room -= len(current)
            case Cat(parts):
                stack.extend((at, mode, part) for part in reversed(parts))
            case Nest(inner) | Group(inner):
                stack.append((at, mode, inner))
            case IfBroken(text):
                room -= len(text) if mode == "broken" else 0
            case Break(flat_text, hard):
                if mode == "broken" or hard:
                    return True
                room -= len(flat_text)
            case Fill(items, breaks):
                for index in range(len(items) - 1, -1, -1):
                    if index < len(items) - 1:
                        stack.append((at, mode, breaks[index]))
                    stack.append((at, mode, items[index]))
    return False
