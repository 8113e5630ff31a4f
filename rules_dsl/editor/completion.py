"""Completions: names, words of the language, and the parameters of a call."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from rules_dsl.editor.hover import first_line
from rules_dsl.editor.names import Declared, GameNames
from rules_dsl.editor.project import Analysis
from rules_dsl.highlighting import keywords
from rules_dsl.language.parser import DECLARATIONS, VARIANT_ITEMS
from rules_dsl.language.sources import kind_of_file
from rules_dsl.language.symbols import BUILTINS


@frozen
class Proposal:
    """A word that may be written, what it is, and the line that declares it."""

    text: str
    kind: str
    detail: str = ""


def proposals(analysis: Analysis, path: str, line: int, column: int) -> Iterator[Proposal]:
    """The words that may follow at a place; the editor picks those that fit what is typed."""
    names = analysis.names
    text = names.files[path].text
    before = _before(text, line, column)
    typed = re.search(r"[A-Za-z0-9_]*$", before)
    head = before[: typed.start()] if typed else before
    if _in_comment_or_text(head):
        return
    if head.endswith("."):
        yield from _after_dot(analysis, head)
        return
    if not head.strip():
        in_variant = kind_of_file(text) == "variant"
        if not head:
            yield from (Proposal(word, "keyword") for word in DECLARATIONS)
        elif in_variant and len(head) == 4:
            yield from (Proposal(word, "keyword") for word in VARIANT_ITEMS)
    for name, local in names.files[path].locals_at(line).items():
        yield Proposal(name, local.kind)
    for name, declared in names.known.items():
        first = declared[0]
        if first.kind not in ("column", "row function", "row procedure", "choice", "source"):
            yield Proposal(name, first.kind, first_line(analysis, first))
    yield from (Proposal(name, "function") for name in BUILTINS)
    yield Proposal("Player", "enum")
    yield from (Proposal(word, "keyword") for word in (*keywords(), "true", "false", "none"))


def _in_comment_or_text(before: str) -> bool:
    """Whether a place is in a comment or in a string, outside of its braces."""
    for match in re.finditer(r'"(?:\\.|[^"\\])*("?)|#', before):
        if match.group() == "#":
            return True
        if not match[1]:
            return match.group().rfind("{") <= match.group().rfind("}")
    return False


def _after_dot(analysis: Analysis, head: str) -> Iterator[Proposal]:
    """Columns and functions of rows, goods, and the values of a kind that precedes the dot."""
    owner = re.search(r"([A-Za-z][A-Za-z0-9_]*)\.$", head)
    names = analysis.names
    kinds = [d.node for d in names.known.get(owner[1], [])] if owner else []
    values = [
        Proposal(d.name, d.kind)
        for found in names.known.values()
        for d in found
        if d.kind in ("value", "row")
        and any(
            node is not None and _contains(node.span.line, node.span.end_line, d, node.span.file)
            for node in kinds
        )
    ]
    if values:
        yield from values
        return
    for name, found in names.known.items():
        for declared in found[:1]:
            if declared.kind in ("column", "row function", "row procedure", "good"):
                yield Proposal(name, declared.kind, first_line(analysis, declared))


def _contains(first: int, last: int, declared: Declared, file: str) -> bool:
    return declared.span.file == file and first <= declared.span.line <= last


@frozen
class Signature:
    """A call that is being written: how its rule is declared, and which parameter is next."""

    text: str
    parameters: tuple[str, ...]
    active: int


def signature(names: GameNames, path: str, line: int, column: int) -> Signature | None:
    """The signature of the innermost call at a place."""
    before = _before(names.files[path].text, line, column)
    depth, commas = 0, 0
    for at in range(len(before) - 1, -1, -1):
        char = before[at]
        if char in ")]":
            depth += 1
        elif char in "([" and depth:
            depth -= 1
        elif char == "(":
            called = re.search(r"([A-Za-z][A-Za-z0-9_]*)$", before[:at])
            return _signature(names, called[1], commas) if called else None
        elif char == "[":
            return None
        elif char == "," and not depth:
            commas += 1
    return None


def _signature(names: GameNames, name: str, active: int) -> Signature | None:
    for declared in names.known.get(name, []):
        lines = names.files[declared.span.file].text.split("\n")
        head = lines[declared.span.line - 1][declared.span.column - 1 :]
        match = re.match(r"[A-Za-z][A-Za-z0-9_]*\(([^)]*)\)[^\"\[=]*", head)
        if match is not None:
            parameters = tuple(part.strip() for part in match[1].split(","))
            return Signature(match.group().strip(), parameters, min(active, len(parameters) - 1))
    return None


def _before(text: str, line: int, column: int) -> str:
    """What precedes a place in its line; nothing for a line that the text does not have.

    Editors may count other characters as ends of lines, and may ask before a change arrives.

    >>> _before("one\\ntwo", 2, 3), _before("one", 9, 1), _before("one", 0, 2)
    ('tw', '', '')
    """
    lines = text.split("\n")
    return lines[line - 1][: max(0, column - 1)] if 0 < line <= len(lines) else ""
