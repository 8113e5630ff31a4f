"""What `rules diff` reports: changes with their witnesses, as text and as data."""

from __future__ import annotations

import json
import re
from collections import Counter
from textwrap import wrap
from typing import Any, Literal

from attrs import asdict, define, evolve, field, frozen

from verify.compare.bisimulation import DifferingPosition

How = Literal["added", "removed", "changed"]
# Number of moves up to which a list is shown in full, and the number shown of a longer one.
MOST_TOLD, LAST_TOLD = 12, 3
WIDTH = 100


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
    witness: DifferingPosition | None = None
    # Where the rulebook has the rule, and the rulings that the rule depends on.
    cites: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    # Lines that only one of the two rules has, if it is not shown as a value.
    lines: tuple[str, ...] = ()
    # An example of the first game that has another result with this change alone.
    example: str = ""

    @property
    def open(self) -> bool:
        """Whether the meaning of the change in play is still unknown."""
        return self.what not in ("invariant", "option") and not (
            self.equivalent or self.witness or self.example
        )

    @property
    def rule(self) -> str:
        """The name of the rule: of a requirement its action."""
        return self.name.partition(" ")[0] if self.what == "requirement" else self.name

    def same_rule(self, other: Change) -> bool:
        """Whether both are the same change, apart from what shows it."""
        return (self.how, self.what, self.name, self.before, self.after) == (
            other.how,
            other.what,
            other.name,
            other.before,
            other.after,
        )

    def __str__(self) -> str:
        text = f"with {self.configuration}: " if self.configuration else ""
        text += f"{self.how} {_KINDS.get(self.what, self.what)}"
        if self.name != self.what:  # there is one scoring only
            text += f" {self.name}"
        if self.via:
            text += f" (through {', '.join(self.via)})"
        return text + (f": {self.values}" if self.values else "")

    @property
    def values(self) -> str:
        """The old and the new value."""
        if self.before and self.after:
            return f"{self.before} → {self.after}"
        return self.before or self.after


# Names of kinds for players, where these differ from those of the comparison.
_KINDS = {
    "requirement": "requirement of", "effect": "what happens in", "tie": "tie-break",
    "state": "variable",
}  # fmt: skip
_PLURALS = {
    "constant": "constants", "row": "rows", "good": "goods", "state": "variables", "zone": "zones",
    "function": "functions", "action": "actions", "requirement": "actions", "effect": "actions",
    "procedure": "procedures", "relation": "relations", "scoring": "", "tie": "",
    "invariant": "invariants",
}  # fmt: skip


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
        """Add the changes of another configuration of the same games."""
        self.changes += [evolve(change, configuration=configuration) for change in other.changes]
        self.same_play = self.same_play and other.same_play

    def replace(self, old: Change, new: Change) -> None:
        """Replace a change by one that says more."""
        self.changes = [new if change is old else change for change in self.changes]

    def of(self, what: str) -> list[Change]:
        """The changes of one kind."""
        return [c for c in self.changes if c.what == what]

    def text(self) -> str:
        """The changes, each with what follows from it, where it is written and what shows it."""
        lines = [f"{self.one} → {self.two}"]
        if self.same:
            lines.append("  no difference")
        for change, following in self.groups():
            lines.append(f"  {change}")
            lines += [f"      {line}" for line in change.lines]
            lines += self._origin(change)
            if change.equivalent:
                lines.append("      equivalent: proved")
            elif change.witness is not None:
                told = self.named(change.witness.text)
                lines.append(f"      {told}; {_told(change.witness)}")
            elif change.example:
                lines.append(f"      {self.named(change.example)}")
            elif change.open and self.judged:
                lines.append("      neither a position that shows it nor a proof was found")
            if following:
                lines.append(f"      changes with it: {_following(following)}")
        return "\n".join(wrapped for line in lines for wrapped in _wrapped(line))

    def groups(self) -> list[tuple[Change, list[Change]]]:
        """The changes that were written, each with those that only follow from it.

        What follows from an option or the number of players is a change of its own.
        """
        own: dict[tuple[str, str], tuple[Change, list[Change]]] = {}
        origin: dict[tuple[str, str], tuple[str, str]] = {}
        apart = {c.name for c in self.changes if c.what in ("option", "players")}
        for change in self.changes:
            keys = [
                known
                for name in change.via
                if name not in apart
                for known in (origin.get((change.configuration, name)), origin.get(("", name)))
                if known is not None
            ]
            if keys:
                own[keys[0]][1].append(change)
                origin.setdefault((change.configuration, change.rule), keys[0])
            else:
                key = (change.configuration, f"{change.what} {change.name}")
                own[key] = (change, [])
                origin.setdefault((change.configuration, change.rule), key)
        return list(own.values())

    def _origin(self, change: Change) -> list[str]:
        """Where a change is written, which page of the rulebook has it, and which rulings act."""
        file, _, rest = change.place.rpartition("/")[2].partition(":")
        places = [f"{file}:{rest.partition(':')[0]}"] if change.place else []
        places += [f"[{cite}]" for cite in change.cites]
        lines = [f"      {' '.join(places)}"] if places else []
        if change.rulings:
            lines.append(f"      rulings that act here: {', '.join(change.rulings)}")
        return lines

    def named(self, text: str) -> str:
        """The text of a witness, with the names of the games.

        >>> Diff("pig, 2 players", "pig + fast, 2 players").named("`roll` is legal in one only")
        '`roll` is legal only in pig'
        """
        names = [name.rpartition(", ")[0] or name for name in (self.one, self.two)]
        if names[0] == names[1]:
            names = ["the first game", "the second game"]
        for side, name in zip(("one", "two"), names, strict=True):
            text = re.sub(rf" in {side} only\b", f" only in {name}", text)
            text = re.sub(rf" in {side}\b", f" in {name}", text)
        return text

    def to_json(self) -> str:
        """Machine-readable."""
        data: dict[str, Any] = {
            "one": self.one,
            "two": self.two,
            "same": self.same,
            "equivalent": self.equivalent,
            "changes": [asdict(c) for c in self.changes],
        }
        return json.dumps(data, indent=1, ensure_ascii=False)


def _wrapped(line: str) -> list[str]:
    """A line wrapped to the width of a page, with continuation lines indented."""
    indent = " " * (len(line) - len(line.lstrip()))
    return wrap(
        line,
        WIDTH,
        subsequent_indent=f"{indent}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _following(changes: list[Change]) -> str:
    """Changes that follow from another one, by kind."""
    kinds: dict[str, dict[str, str]] = {}
    for change in changes:
        names = kinds.setdefault(_PLURALS[change.what], {})
        # A constant may have yet another value in another configuration: one is enough.
        names.setdefault(change.rule, f" ({change.values})" if change.what == "constant" else "")
    return "; ".join(
        f"{kind} {', '.join(f'{name}{value}' for name, value in _by_table(names).items())}".strip()
        for kind, names in kinds.items()
    )


def _by_table(names: dict[str, str]) -> dict[str, str]:
    """Names with their remarks; many rows of a table with the same change are counted.

    >>> names = ["Space.perform.a", "Space.perform.b", "Space.perform", "scores"]
    >>> _by_table(dict.fromkeys(names, ""))
    {'Space.perform': ' of 2 rows', 'scores': ''}
    """
    rows = Counter(name.rpartition(".")[0] for name in names if name.count(".") > 1)
    found: dict[str, str] = {}
    for name, said in names.items():
        of = name.rpartition(".")[0] if name.count(".") > 1 else name
        if rows[of] > 1:
            found[of] = f" of {rows[of]} rows"
        else:
            found[name] = said
    return found


def _told(witness: DifferingPosition) -> str:
    """The moves with the players' names; of many the last, the others are in the record."""
    movers = witness.movers or ("",) * len(witness.moves)
    moves = [
        f"{who}: {move}" if who else move for who, move in zip(movers, witness.moves, strict=True)
    ]
    if len(moves) > MOST_TOLD:
        return f"after {len(moves)} moves, the last of them {', '.join(moves[-LAST_TOLD:])}"
    return f"after {', '.join(moves)}" if moves else "at the start of the game"
