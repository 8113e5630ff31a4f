"""A position of Yucatan as a picture: what everybody at the table sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.facts import Facts
from games.heading import heading, to_move, winners_with_points
from games.yucatan import board, marks, settlements

if TYPE_CHECKING:
    from compiler.runtime.state import State

WIDTH = 1440
MARGIN = 18
BOARD_AT = 76.0


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG, as a player or everybody sees it; hands are counted, not shown."""
    facts = Facts(state, viewer)
    status = _status(facts)
    inner = WIDTH - 2 * MARGIN
    boards_at = BOARD_AT + board.HEIGHT + 14
    height = boards_at + settlements.height(facts, inner) + 46
    parts = [
        heading(facts, status, WIDTH, MARGIN),
        board.draw(facts, MARGIN, BOARD_AT, inner),
        settlements.draw(facts, MARGIN, boards_at, inner),
        svg.text(MARGIN + 2, height - 16, marks.note(facts.game), 14, svg.MUTED),
    ]
    return svg.document(WIDTH, height, parts, facts.game.title, status)


def _status(facts: Facts) -> str:
    """One line: where the game stands and who is to move."""
    if facts.over:
        return winners_with_points(facts)
    who = to_move(facts)
    battle = facts["attacker"]
    if battle is not None:
        return f"Round {facts['round']} · {facts.names[battle]} attacks · {who}"
    return f"Round {facts['round']} of 4 · turn {min(3, facts['turn_number'])} of 3 · {who}"
