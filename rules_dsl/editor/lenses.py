"""Lines above rules with their verdicts, which open a game that breaks the rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from rules_dsl.editor.names import FileNames
from rules_dsl.editor.proofs import Proof
from rules_dsl.language.spans import Span

SHOW_GAME = "rules.showGame"
_KINDS = ("invariant", "action", "procedure")


@frozen
class Lens:
    """A line above a rule, with the command that it runs."""

    span: Span
    title: str
    command: str = ""
    args: list[Any] | None = None


def lenses(file: FileNames, proofs: Mapping[str, Proof]) -> Iterator[Lens]:
    """The lines for the rules of a file that have verdicts."""
    for declared in file.declared:
        proof = proofs.get(declared.name)
        if declared.kind not in _KINDS or proof is None:
            continue
        if proof.record:
            yield Lens(declared.span, f"{proof}: show game", SHOW_GAME, [proof.record])
        else:
            yield Lens(declared.span, str(proof))
