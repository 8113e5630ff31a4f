"""Semantic tokens: what each word of a rule file is, as an editor colours it.

>>> from rules_dsl.language.sources import gather
>>> from rules_dsl.editor.project import Project
>>> from pathlib import Path
>>> path = gather("pig").main
>>> analysis = Project().analyse(Path(path))
>>> [(t.text, kind) for t, kind in colours(analysis.names, path)][:3]
[('game', 'keyword'), ('pig', 'namespace'), ('"Pig"', 'string')]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules_dsl.editor.names import GameNames
from rules_dsl.editor.words import TextPiece, Word, pieces, words
from rules_dsl.highlighting import keywords
from rules_dsl.language.symbols import BUILTINS

# The kinds of tokens, in the order in which they are announced to the editor.
LEGEND = (
    "keyword", "comment", "string", "number", "decorator", "namespace", "type", "enum",
    "enumMember", "variable", "parameter", "property", "function", "method", "event",
)  # fmt: skip
_KINDS = {
    "game": "namespace", "variant": "namespace", "source": "namespace", "option": "property",
    "ruling": "property", "enum": "enum", "goods": "enum", "table": "type", "value": "enumMember",
    "good": "enumMember", "row": "enumMember", "player": "enumMember", "const": "property",
    "state": "variable", "pool": "variable", "zone": "variable", "function": "function",
    "row function": "method", "row procedure": "method", "piece": "type", "relation": "function",
    "action": "event", "procedure": "function", "invariant": "property", "column": "property",
    "choice": "property",
}  # fmt: skip
_PLAIN = {"comment": "comment", "text": "string", "number": "number", "cite": "decorator"}


@cache
def _language_words() -> frozenset[str]:
    return frozenset((*keywords(), "true", "false", "none"))


def colours(names: GameNames, path: str) -> Iterator[tuple[TextPiece, str]]:
    """The parts of a file that have a colour, in order, each with one of `LEGEND`."""
    text = names.files[path].text
    at = {(word.line, word.column): word for word in words(text)}
    for piece in pieces(text):
        if piece.kind != "word":
            yield piece, _PLAIN[piece.kind]
            continue
        kind = _of_word(names, path, at[piece.line, piece.column])
        if kind:
            yield piece, kind


def _of_word(names: GameNames, path: str, word: Word) -> str:
    if word.text in names.files[path].locals_at(word.line) and not word.member:
        return "parameter"
    declared = names.declarations(names.key(path, word))
    if word.text in _language_words() and not (declared and word.member):
        return "keyword"
    if declared:
        return _KINDS.get(declared[0].kind, "variable")
    if word.text in BUILTINS:
        return "function"
    return "type" if word.text in ("Player", "bool") else ""
