"""A file that keeps the fates of mutants, so that a long run can be stopped and resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from attrs import define, field

from compiler.runtime.game import Game
from verify.authoring.mutants import Mutant

# Fate, by what, why, seconds of processor time.
KeptOutcome = tuple[Any, str, str, float]


class OtherMutantsError(ValueError):
    """The file is about other rules, or is not a file of mutants."""


@define
class KeptMutants:
    """One line for the rules and how they were tried, then one for each mutant."""

    path: Path | None
    found: dict[str, KeptOutcome] = field(factory=dict)

    @classmethod
    def of(cls, path: Path | None, game: Game, decisions: int, proofs: bool) -> KeptMutants:
        """The results in a file; a missing file is created."""
        if path is None:
            return cls(None)
        head = {
            "game": game.name,
            "players": game.players,
            "options": {name: str(value) for name, value in game.options.items()},
            "rules": game.digest,
            "decisions": decisions,
            "proofs": proofs,
        }
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(head) + "\n", encoding="utf-8")
            return cls(path)
        text = path.read_text(encoding="utf-8")
        first, *rest = text.splitlines() or [""]
        if first != json.dumps(head):
            raise OtherMutantsError(
                f"{path} does not hold mutants of {game.name} as its rules are now; "
                "name another file, or delete this one"
            )
        kept = cls(path)
        for line in rest:
            try:
                name, fate, by, detail, seconds = json.loads(line)
            except ValueError:  # the last line of a run that was killed
                continue
            kept.found[name] = fate, by, detail, seconds
        if not text.endswith("\n"):
            path.write_text(text + "\n", encoding="utf-8")
        return kept

    def known(self, mutant: Mutant) -> KeptOutcome | None:
        """The fate of a mutant, if it was tried."""
        return self.found.get(str(mutant))

    def keep(self, mutant: Mutant, outcome: KeptOutcome) -> None:
        """Add a line; the file is complete after each."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([str(mutant), *outcome], ensure_ascii=False) + "\n")
