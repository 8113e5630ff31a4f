"""A position of The Great Zimbabwe as a picture: everything that lies on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.facts import Facts
from games.heading import heading, to_move, winners
from games.zimbabwe import land, panels

if TYPE_CHECKING:
    from compiler.runtime.state import State

WIDTH = 1500
MARGIN = 18
TOP = 72.0


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG. The tiles that were not drawn are not shown."""
    facts = Facts(state, viewer)
    status = _status(facts)
    ground = land.Land(facts, MARGIN, TOP)
    beside = MARGIN + land.WIDTH + 20
    wide = WIDTH - MARGIN - beside
    tribes, high = panels.tribes(facts, beside, TOP + 190, wide)
    below = TOP + 190 + high + 12
    parts = [
        heading(facts, status, WIDTH, MARGIN),
        ground.draw(),
        panels.track(facts, beside, TOP, wide),
        tribes,
        panels.crafts(facts, beside, below, wide),
        panels.supply(facts, beside, below + 266, wide),
    ]
    height = max(TOP + ground.height, below + 266 + 158) + MARGIN
    return svg.document(WIDTH, height, parts, facts.game.title, status)


def _status(facts: Facts) -> str:
    """One line: where the game stands and who is to move."""
    return winners(facts) if facts.over else to_move(facts)
