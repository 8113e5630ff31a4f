"""A position of Tzolk'in as a picture: what everybody at the table sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.facts import Facts
from games.heading import heading, to_move, winners_with_points
from games.tzolkin import gears, player_boards, tables

if TYPE_CHECKING:
    from compiler.runtime.state import State

WIDTH = 1440
MARGIN = 18
TOP, MONUMENTS_AT, BOARDS_AT = 74.0, 926.0, 1062.0


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG. Nothing hidden is drawn: stacks and dealt tiles are only counted."""
    facts = Facts(state, viewer)
    status = _status(facts)
    inner = WIDTH - 2 * MARGIN
    parts = [
        heading(facts, status, WIDTH, MARGIN, baseline=46, colour="#b9a877"),
        tables.goods_key(facts, MARGIN, TOP),
        tables.board_key(facts, 668, TOP),
        gears.draw(facts),
        tables.temples(facts, TOP),
        tables.technologies(facts, TOP + 316),
        tables.buildings(facts, TOP + 596),
        tables.monuments(facts, MARGIN, MONUMENTS_AT, inner),
    ]
    y = BOARDS_AT
    if facts.get("row_of_tiles"):
        parts.append(tables.wealth(facts, MARGIN, y, inner))
        y += tables.offer_height(1) + 14
    parts.append(player_boards.draw(facts, MARGIN, y, inner))
    height = y + player_boards.height(facts, inner) + MARGIN
    return svg.document(WIDTH, height, parts, facts.game.title, status)


def _status(facts: Facts) -> str:
    """One line: where the game stands and who is to move."""
    if facts.over:
        return winners_with_points(facts)
    who = to_move(facts)
    if not facts["under_way"]:
        return f"Set-up: starting wealth is chosen · {who}"
    return f"Day {facts['day']} · round {facts['rounds']} · {who}"
