"""Reading a game again after an edit: unchanged declarations are not parsed again.

>>> from rules_dsl.language.program import assemble_partly
>>> from rules_dsl.language.sources import gather
>>> files = KeptFiles()
>>> sources = gather("tic_tac_toe")
>>> first, second = (assemble_partly(sources, Reporter(), files.parse) for _ in range(2))
>>> first.game is second.game
True
"""

from __future__ import annotations

from attrs import define, field, frozen
from lark import Token, Tree

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import Diagnostic, Reporter
from rules_dsl.language.parser import Trees, parse_file


@frozen
class _Read:
    """A file as it was read last, its errors, and the parse trees of its declarations."""

    text: str
    file: s.File
    errors: tuple[Diagnostic, ...]
    trees: dict[tuple[str, str], Tree[Token]]


@define
class KeptFiles:
    """The files that were read last, by path."""

    _read: dict[str, _Read] = field(factory=dict)

    def parse(self, path: str, text: str, reporter: Reporter) -> s.File:
        """What `parse_file` gives; declarations that are as before are not parsed again."""
        known = self._read.get(path)
        if known is None or known.text != text:
            own = Reporter()
            trees = Trees(known.trees if known is not None else {})
            file = parse_file(path, text, own, trees)
            known = self._read[path] = _Read(text, file, own.diagnostics, trees.now)
        for error in known.errors:
            reporter.add(error)
        return known.file
