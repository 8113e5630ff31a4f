"""A position of Yucatan as a picture: what everybody at the table sees."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from games import svg
from games.facts import Facts, counted_points
from games.yucatan import board, settlements
from rules_dsl.language.provenance import summary
from rules_dsl.language.syntax import Const, Table

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

WIDTH = 1440
MARGIN = 18
BOARD_AT = 76.0


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG, as a player or everybody sees it; hands are counted, not shown."""
    facts = Facts(state, viewer)
    inner = WIDTH - 2 * MARGIN
    boards_at = BOARD_AT + board.HEIGHT + 14
    height = boards_at + settlements.HEIGHT + 46
    parts = [
        _heading(facts),
        board.draw(facts, MARGIN, BOARD_AT, inner),
        settlements.draw(facts, MARGIN, boards_at, inner),
        svg.text(MARGIN + 2, height - 16, _note(facts.game), 14, svg.MUTED),
    ]
    return svg.document(WIDTH, height, parts, facts.game.title, _status(facts))


@lru_cache(maxsize=16)
def _note(game: Game) -> str:
    """How many values are provisional; nothing once all that is printed is known."""
    program = game.origin.program()
    counts = summary(program.of(Table), program.of(Const))
    if "provisional" not in counts:
        return ""
    return f"What is printed on cards, creatures, tokens and city stands is not public: {counts}."


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
        return f"The game is over: {names} won with {counted_points(max(facts.scores))}"
    who = "chance decides" if facts.player is None else f"{facts.names[facts.player]} to move"
    battle = facts["attacker"]
    if battle is not None:
        return f"Round {facts['round']} · {facts.names[battle]} attacks · {who}"
    return f"Round {facts['round']} of 4 · turn {min(3, facts['turn_number'])} of 3 · {who}"
