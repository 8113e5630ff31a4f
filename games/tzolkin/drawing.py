"""A position of Tzolk'in as a picture: what everybody at the table sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.facts import Facts, counted_points
from games.tzolkin import gears, player_boards, tables

if TYPE_CHECKING:
    from compiler.runtime.state import State

WIDTH = 1440
MARGIN = 18
TOP, MONUMENTS_AT, BOARDS_AT = 74.0, 926.0, 1062.0


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG. Nothing hidden is drawn: stacks and dealt tiles are only counted."""
    facts = Facts(state, viewer)
    inner = WIDTH - 2 * MARGIN
    parts = [
        _heading(facts),
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
    return svg.document(WIDTH, height, parts, facts.game.title, _status(facts))


def _heading(facts: Facts) -> str:
    words = facts.game.title
    if facts.game.variants:
        words += " · " + ", ".join(v.replace("_", " ") for v in facts.game.variants)
    return (
        svg.text(MARGIN + 2, 46, words, 30, bold=True)
        + svg.text(WIDTH - MARGIN - 2, 46, _status(facts), 19, svg.MUTED, "end")
        + svg.line((MARGIN, 60), (WIDTH - MARGIN, 60), "#b9a877", 2)
    )


def _status(facts: Facts) -> str:
    """One line: where the game stands and who is to move."""
    if facts.over:
        names = " and ".join(facts.names[p] for p in facts.winners)
        best = max(facts.scores)
        return f"The game is over: {names} won with {counted_points(best)}"
    who = "chance decides" if facts.player is None else f"{facts.names[facts.player]} to move"
    if not facts["under_way"]:
        return f"Set-up: starting wealth is chosen · {who}"
    return f"Day {facts['day']} · round {facts['rounds']} · {who}"
