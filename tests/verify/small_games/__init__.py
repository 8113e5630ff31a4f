"""Many small rule sets, each with one fault, aimed at what a verifier is apt to believe.

The text files hold them one after the other, each under its name and the obligation that must not
be called PROVED: the newest parts of the language (`constructs`), facts and contracts (`rules`),
sums, loops and calls (`sums_and_loops`), orders, prices, fields and choices made together
(`orders_and_costs`), triggers, pieces, whole zones and sets, large numbers (`newest`), piles and
sets as values (`piles_and_sets`), questions about graphs and contracts of rows and actions
(`questions_and_contracts`), ghosts and what procedures assume (`ghosts_and_assumptions`). In some
`nothing` fails. Leaks are added to the game of `leak_table`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from tests.verify.leak_table import with_secrets

_HEADING = re.compile(r"^# ---- (\w+): (\w+)$", re.MULTILINE)


@frozen
class Small:
    """A game of two players, and the obligation that fails (or `nothing`)."""

    name: str
    obligation: str
    rules: str


def small_games() -> Iterator[Small]:
    """All rule sets of the text files."""
    for path in sorted(Path(__file__).parent.glob("*.txt")):
        _, *parts = _HEADING.split(path.read_text(encoding="utf-8"))
        for name, obligation, rules in zip(*(iter(parts),) * 3, strict=True):
            yield Small(name, obligation, f"game {name}\n    players 2\n{rules}")


@frozen
class Leaky:
    """What is added to the game of `leak_table`, in which cards and numbers are hidden."""

    name: str
    play: str
    more: str = ""
    score: str = "marker"

    @property
    def rules(self) -> str:
        """The rule file."""
        return with_secrets(self.play, self.more, self.score)
