"""What `rules diff` reports: changes with their witnesses, as text and as data."""

from __future__ import annotations

import json
from typing import Any, Literal

from attrs import asdict, define, evolve, field, frozen

from verify.compare.bisimulation import Witness

How = Literal["added", "removed", "changed"]
# Longest list of moves shown in full, and the number shown of a longer one (its last).
MOST_TOLD, LAST_TOLD = 12, 3


@frozen
class Change:
    """One difference. `via` are the changed constants, options and rules it comes from, if any."""

    how: How
    what: str
    name: str
    before: str = ""
    after: str = ""
    place: str = ""
    via: tuple[str, ...] = ()
    # The configuration of the games in which it shows, if not in the one that was asked for.
    configuration: str = ""
    # Proved to make no difference, in any state that the invariants allow.
    equivalent: bool = False
    witness: Witness | None = None

    @property
    def open(self) -> bool:
        """Whether nothing is known yet about what the change means in play."""
        return self.what not in ("invariant", "option") and not self.equivalent and not self.witness

    def same_rule(self, other: Change) -> bool:
        """Whether both tell of the same change, however the games are played."""
        return (self.how, self.what, self.name, self.before, self.after) == (
            other.how, other.what, other.name, other.before, other.after,
        )  # fmt: skip

    def __str__(self) -> str:
        text = f"with {self.configuration}: " if self.configuration else ""
        text += f"{self.how} {self.what} {self.name}"
        if self.via:
            text += f" (through {', '.join(self.via)})"
        if self.before or self.after:
            text += f": {self.before or 'nothing'} → {self.after or 'nothing'}"
        return text


@define
class Diff:
    """All differences between two games."""

    one: str
    two: str
    changes: list[Change] = field(factory=list)
    # All positions of both games were compared and agree.
    same_play: bool = False
    positions: int = 0
    # Whether positions were compared at all: they cannot be if the numbers of players differ.
    judged: bool = False

    @property
    def same(self) -> bool:
        """Whether there is no difference at all."""
        return not self.changes

    @property
    def equivalent(self) -> bool:
        """Whether the games are proved to be played in the same way."""
        return self.same_play or all(c.equivalent for c in self.changes)

    def extend(self, configuration: str, other: Diff) -> None:
        """Add what another configuration of the same games shows."""
        self.changes += [evolve(change, configuration=configuration) for change in other.changes]
        self.same_play = self.same_play and other.same_play

    def of(self, what: str) -> list[Change]:
        """The changes of one kind."""
        return [c for c in self.changes if c.what == what]

    def text(self) -> str:
        """The changes as lines, each with its witness."""
        lines = [f"{self.one} → {self.two}"]
        if self.same:
            lines.append("  no difference")
        for change in self.changes:
            lines.append(f"  {change}")
            if change.equivalent:
                lines.append("      equivalent: proved")
            elif change.witness is not None:
                told = self.named(change.witness.text)
                lines.append(f"      {told}; after {_told(change.witness.moves)}")
            elif change.open and self.judged:
                lines.append("      neither a position that shows it nor a proof was found")
        return "\n".join(lines)

    def named(self, text: str) -> str:
        """What a witness says, with the names of the games.

        >>> Diff("pig, 2 players", "pig + fast, 2 players").named("`roll` is legal in one only")
        '`roll` is legal only in pig'
        """
        for side, name in (("one", self.one), ("two", self.two)):
            text = text.replace(f" in {side} only", f" only in {name.rpartition(', ')[0] or name}")
        return text

    def to_json(self) -> str:
        """Machine-readable."""
        data: dict[str, Any] = {
            "one": self.one, "two": self.two, "same": self.same, "equivalent": self.equivalent,
            "changes": [asdict(c) for c in self.changes],
        }  # fmt: skip
        return json.dumps(data, indent=1, ensure_ascii=False)


def _told(moves: tuple[str, ...]) -> str:
    """Moves in words; of many the last, the others are in the record."""
    if len(moves) > MOST_TOLD:
        return f"{len(moves)} moves, the last of them {', '.join(moves[-LAST_TOLD:])}"
    return ", ".join(moves) or "the opening"
