"""What a small random game may have besides its core: each feature adds texts to choose from.

A feature brings its declarations, and ways to use them in numbers, conditions, effects and
decisions. They stand in `truth_features.txt`, effects and decisions with a blank line between them.
A game has a few features, so that it stays small.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen


@frozen
class Feature:
    """Texts that a game may use if it has the feature; {k} is a name that is used nowhere else.

    {n} is a number of the game, {t} a condition, {i} an index in 0..2, {w} a player.
    """

    name: str
    # Whether players may see different things.
    secret: bool
    declarations: str
    state: str
    setup: str
    numbers: tuple[str, ...]
    truths: tuple[str, ...]
    effects: tuple[str, ...]
    decisions: tuple[str, ...]


def _features() -> tuple[Feature, ...]:
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^==== (.*)\n", text, flags=re.MULTILINE)
    return tuple(_feature(parts[at], parts[at + 1]) for at in range(0, len(parts), 2))


def _feature(heading: str, text: str) -> Feature:
    name, _, secret = heading.partition(" ")
    _, *parts = re.split(r"^---- (.*)\n", text, flags=re.MULTILINE)
    said = {parts[at]: parts[at + 1].strip("\n") for at in range(0, len(parts), 2)}
    lines = [tuple(said.get(part, "").splitlines()) for part in ("numbers", "truths")]
    blocks = [
        tuple(block for block in said.get(part, "").split("\n\n") if block)
        for part in ("effects", "decisions")
    ]
    whole = [said.get(part, "") for part in ("declarations", "state", "setup")]
    return Feature(name, bool(secret), whole[0], whole[1], whole[2], *lines, *blocks)


FEATURES = _features()
