"""Analysis of a text for its author, besides errors: outline, hover texts, completions.

The editor's own analysis is used, as in `rules lsp`; what was read is kept between two requests.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import asdict

from rules_dsl.editor.completion import proposals
from rules_dsl.editor.hover import hover as hover_text
from rules_dsl.editor.project import Analysis, Project
from rules_dsl.editor.proofs import kept_proofs
from rules_dsl.language.sources import display_path

Tell = Callable[[dict[str, Any]], None]
MOST_PROPOSALS = 12
_WORD = f"{string.ascii_letters}{string.digits}_"


@lru_cache
def _project() -> Project:
    return Project()


def _analysis(path: str) -> Analysis:
    return _project().latest(Path(path))


def symbols(path: str) -> list[dict[str, Any]]:
    """The declarations of a text, in their order; also of one that has errors."""
    file = _analysis(path).names.files[display_path(Path(path))]
    return [
        {"name": one.name, "kind": one.kind, "line": one.span.line}
        for one in file.declared
        if one.kind not in ("choice", "value", "good", "row", "column")
    ]


def hover(tell: Tell, path: str, line: int, column: int) -> dict[str, Any]:
    """The hover text for the name at a place, as Markdown, with kept verdicts; may be empty."""
    analysis = _analysis(path)
    found = analysis.names.at(display_path(Path(path)), line, column)
    if found is None:
        return {"text": ""}
    word, key = found
    text = hover_text(analysis, key, kept_proofs(Path(path)))
    return {"text": text, "name": word.text}


def complete(tell: Tell, path: str, line: int, column: int) -> dict[str, Any]:
    """The words that may be written at a place and begin with what is typed there."""
    analysis = _analysis(path)
    shown = display_path(Path(path))
    lines = analysis.names.files[shown].text.split("\n")
    if not 1 <= line <= len(lines):
        return {"proposals": []}
    before = lines[line - 1][: column - 1]
    typed = before[len(before.rstrip(_WORD)) :]
    found = {
        one.text: asdict(one)
        for one in proposals(analysis, shown, line, column)
        if one.text.startswith(typed) and one.text != typed
    }
    return {"typed": typed, "proposals": list(found.values())[:MOST_PROPOSALS]}


def proofs(name: str) -> dict[str, Any]:
    """The kept verdicts on the rules of a game, by name.

    >>> sorted(proofs("pig"))
    ['players', 'rules']
    """
    found = kept_proofs(Path(name))
    players = sorted({seats for proof in found.values() for seats in proof.players})
    return {
        "players": players,
        "rules": {
            rule: {"status": proof.status, "obligations": list(proof.obligations)}
            for rule, proof in found.items()
        },
    }
