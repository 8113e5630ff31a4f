"""A position of The Great Zimbabwe as a picture: everything that lies on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.facts import Facts
from games.zimbabwe import land, panels

if TYPE_CHECKING:
    from compiler.runtime.state import State

WIDTH = 1500
MARGIN = 18
TOP = 72.0


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG. The tiles that were not drawn are not shown."""
    facts = Facts(state, viewer)
    ground = land.Land(facts, MARGIN, TOP)
    beside = MARGIN + land.WIDTH + 20
    wide = WIDTH - MARGIN - beside
    tribes, high = panels.tribes(facts, beside, TOP + 190, wide)
    below = TOP + 190 + high + 12
    parts = [
        _heading(facts),
        ground.draw(),
        panels.track(facts, beside, TOP, wide),
        tribes,
        panels.crafts(facts, beside, below, wide),
        panels.supply(facts, beside, below + 266, wide),
    ]
    height = max(TOP + ground.height, below + 266 + 158) + MARGIN
    return svg.document(WIDTH, height, parts, facts.game.title, _status(facts))


def _heading(facts: Facts) -> str:
    words = facts.game.title
    if facts.game.variants:
        words += " · " + ", ".join(v.replace("_", " ") for v in facts.game.variants)
    return (
        svg.text(MARGIN + 2, 44, words, 30, bold=True)
        + svg.text(WIDTH - MARGIN - 2, 44, _status(facts), 19, svg.MUTED, "end")
        + svg.line((MARGIN, 58), (WIDTH - MARGIN, 58), "#b08b3e", 2)
    )


def _status(facts: Facts) -> str:
    """One line: where the game stands and who is to move."""
    if facts.over:
        names = " and ".join(facts.names[p] for p in facts.winners)
        return f"The game is over: {names} won"
    if facts.player is None:
        return "chance decides"
    return f"{facts.names[facts.player]} to move"
