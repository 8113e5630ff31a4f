"""What is provisional has a star behind it in the picture."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from games.facts import Facts
from rules_dsl.language.doubt import STAR, Doubt
from rules_dsl.language.provenance import provisional

if TYPE_CHECKING:
    from compiler.runtime.game import Game

PROVISIONAL = "provisional"
COPY = re.compile(r" \(\w+\)$")


@lru_cache(maxsize=16)
def note(game: Game) -> str:
    """How many values are provisional; nothing once all that is printed is known."""
    counts = provisional(game.origin.program())
    return f"{STAR} What is printed there is not public: {counts}." if counts else ""


@lru_cache(maxsize=16)
def _doubt(game: Game) -> Doubt:
    return Doubt.of(game.origin.program())


def star(facts: Facts, table: str, row: str) -> str:
    """A star if the row, or what it prints on a component, is provisional."""
    return STAR if _doubt(facts.game).about(table, row) else ""


def starred(facts: Facts, table: str, name: str) -> str:
    """What people call a component, with a star if it is provisional."""
    return facts.label(table, name) + star(facts, table, name)


def card(facts: Facts, name: str) -> str:
    """The name of a battle card, without its number or its first owner: copies are alike."""
    label = facts.label("Card", name)
    return COPY.sub("", label) + star(facts, "Card", name)
