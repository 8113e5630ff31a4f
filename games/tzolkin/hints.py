"""Words for the drawing: what spaces, technologies, buildings and monuments do, in short.

What spaces and buildings do is read off the rules. The short texts on technologies and monuments
below describe rules that say it at length; where a variant has changed such a rule, the drawing
shows what the rule says, or that it has changed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from games.facts import Facts
from rules_dsl.language.prose import ProseReader

if TYPE_CHECKING:
    from compiler.runtime.game import Game

# Levels 1 to 3 of each technology, and the bonus for going on.
TECHNOLOGIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "agriculture": (
        ("+1 maize", "a harvest"),
        ("irrigation,", "fishing +1"),
        ("+2 maize", "a harvest"),
        ("1 step in", "a temple"),
    ),
    "extraction": (("+1 wood",), ("+1 stone",), ("+1 gold",), ("2 resources",)),
    "architecture": (
        ("+1 maize", "a building"),
        ("+2 points", "a building"),
        ("1 resource", "saved"),
        ("3 points",),
    ),
    "theology": (
        ("next space", "of Chichen"),
        ("offering:", "1 step"),
        ("+1 skull at", "Yaxchilan"),
        ("1 skull",),
    ),
}

MONUMENTS: dict[str, tuple[str, ...]] = {
    "m_01": ("4 points for each", "tomb you have"),
    "m_02": ("2 for each building", "and monument"),
    "m_03": ("4 for each maize", "tile you have"),
    "m_04": ("4 for each wood", "tile you have"),
    "m_05": ("{each} for each of all", "players' monuments"),
    "m_06": ("4 for each civil", "building"),
    "m_07": ("9, 20, 33 for 1, 2,", "3 full technologies"),
    "m_08": ("3 for each level", "of technology"),
    "m_09": ("6, 12, 18 for 4,", "5, 6 workers"),
    "m_10": ("4 points for each", "shrine you have"),
    "m_11": ("points of your", "temple steps"),
    "m_12": ("3 for each step in", "your best temple"),
    "m_13": ("3 for each skull", "in Chichen Itza"),
}
CHANGED = ("changed:", "see the rules")


def space(facts: Facts, row: str) -> list[str]:
    """What the action of a space does, in words of the rules."""
    return facts.rules.row("Space", row).get("perform", [])


def gifts(facts: Facts, row: str) -> list[tuple[str, int]] | None:
    """What an action gives, as goods and their numbers; None if it does anything else."""
    goods = {facts.rules.label(name): name for name in facts["supply"]} | {"skull": "skull"}
    found = []
    for words in space(facts, row):
        parts = re.fullmatch(r"(\d) (.+)", words)
        if parts is None or parts[2] not in goods:
            return None
        found.append((goods[parts[2]], int(parts[1])))
    return found


def technology(facts: Facts, track: str) -> tuple[tuple[str, ...], ...]:
    """What the levels of a technology do, and the bonus behind them."""
    told = TECHNOLOGIES.get(track, ())
    return (CHANGED,) * len(told) if _technology_changed(facts.game, track) else told


@lru_cache(maxsize=64)
def _technology_changed(game: Game, track: str) -> bool:
    """Whether a variant has changed a rule that speaks of a technology."""
    if not game.variants:
        return False
    rules = ProseReader(game.origin.program())
    return rules.changed(*rules.speaking_of(track))


def monument(facts: Facts, name: str) -> str:
    """What a monument is worth to its owner."""
    rules = facts.rules
    known = MONUMENTS.get(name)
    if known is None or (facts.game.variants and rules.changed(f"Monument.{name}")):
        return "worth " + "; ".join(rules.row("Monument", name).get("worth", ["nothing"]))
    each = {2: 6, 3: 5, 4: 4}.get(facts.players, 4)
    return " ".join(known).format(each=each)


def building(facts: Facts, name: str) -> str:
    """What a building gives: what its numbers say, then what it does."""
    feeds, saves = (facts.entry("Building", column, name) for column in ("feeds", "saves"))
    told = [f"feeds {feeds} worker{'s' if feeds > 1 else ''}"] * bool(feeds)
    told += [f"each worker eats {saves} maize less"] * bool(saves)
    does = facts.rules.row("Building", name)
    return ", ".join([*told, *does.get("gained", []), *does.get("afterwards", [])])
