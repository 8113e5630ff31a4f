"""Changes that an editor offers: renaming, and what the hints of errors propose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from rules_dsl.editor.names import Key
from rules_dsl.editor.project import Analysis, Project
from rules_dsl.language.checker.naming import RESERVED
from rules_dsl.language.diagnostics import Diagnostic
from rules_dsl.language.spans import Span

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DID_YOU_MEAN = re.compile(r"^did you mean `([^`]+)`\?$")
_WRITE = re.compile(r"^write `([^`…]+)`$")
_INDENT = re.compile(r"^indent it by (\d+) spaces$")


@frozen
class Edit:
    """A text that replaces what is in a place."""

    span: Span
    text: str


class CannotRename(Exception):
    """Why a name cannot be changed to another."""


def rename(project: Project, path: Path, key: Key, new: str) -> list[Edit]:
    """The edits that rename something everywhere; raises `CannotRename` if they break the game.

    What the edits lead to is read and checked before anything is changed.
    """
    analysis = project.latest(path)
    project.finish(analysis)
    if not _NAME.fullmatch(new) or new in RESERVED:
        raise CannotRename(f"`{new}` is not a name")
    if not analysis.names.declarations(key):
        raise CannotRename(f"`{key[1]}` is not declared in the files of this game")
    edits = [Edit(word.span(file), new) for file, word in analysis.names.uses(key)]
    before = {(d.code, d.span.file, d.span.line) for d in analysis.errors}
    trial = Project(dict(project.opened), project.kept)
    for file, text in applied(edits, analysis.texts).items():
        trial.opened[Path(file).resolve()] = text
    after = trial.analyse(path)
    trial.finish(after)
    broken = [d for d in after.errors if (d.code, d.span.file, d.span.line) not in before]
    if broken:
        raise CannotRename(f"then {broken[0].span}: {broken[0].message}")
    return edits


def applied(edits: list[Edit], texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of the files that edits change, after them."""
    changed: dict[str, list[str]] = {}
    ordered = sorted(edits, key=lambda e: (e.span.line, e.span.column), reverse=True)
    for edit in ordered:
        lines = changed.setdefault(edit.span.file, texts[edit.span.file].split("\n"))
        line = lines[edit.span.line - 1]
        start, end = edit.span.column - 1, edit.span.end_column - 1
        lines[edit.span.line - 1] = line[:start] + edit.text + line[end:]
    return {file: "\n".join(lines) for file, lines in changed.items()}


def fixes(analysis: Analysis, error: Diagnostic) -> list[tuple[str, Edit]]:
    """The proposals in the hint of an error, as titles and edits."""
    span = error.span
    lines = analysis.texts.get(span.file, "").split("\n")
    if span.line != span.end_line or not 0 < span.line <= len(lines):
        return []
    line = lines[span.line - 1]
    meant = _DID_YOU_MEAN.match(error.hint)
    if meant is not None:
        # The wrong name may be a part of the marked text.
        quoted = re.findall(r"`([^`]*)`", error.message)
        part = line[span.column - 1 : span.end_column - 1]
        wrong = next((q for q in quoted if q and q in part), part)
        start = span.column + part.find(wrong)
        place = Span(span.file, span.line, start, span.line, start + len(wrong))
        return [(f"Change to `{meant[1]}`", Edit(place, meant[1]))]
    written = _WRITE.match(error.hint)
    if written is not None:
        return [(f"Write `{written[1]}`", Edit(span, written[1]))]
    if error.code == "E0103":
        indent = len(line) - len(line.lstrip(" \t"))
        place = Span(span.file, span.line, 1, span.line, indent + 1)
        return [("Indent with spaces", Edit(place, line[:indent].replace("\t", "    ")))]
    deeper = _INDENT.match(error.hint)
    if deeper is not None:
        indent = len(line) - len(line.lstrip(" "))
        place = Span(span.file, span.line, 1, span.line, indent + 1)
        return [(error.hint.capitalize(), Edit(place, " " * int(deeper[1])))]
    return []
