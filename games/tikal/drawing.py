"""A position of Tikal as a picture: what everybody at the table sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.facts import Facts
from games.heading import heading, to_move, winners_with_points
from games.tikal import hexes, panels, player_boards

if TYPE_CHECKING:
    from compiler.runtime.state import State

WIDTH = 1440
MARGIN = 18
TRACK_AT, BOARD_AT = 70.0, 142.0


def draw(state: State, viewer: int | None = None) -> str:
    """The position as SVG. Nothing hidden is drawn: neither the stack nor what lies buried."""
    facts = Facts(state, viewer)
    status = _status(facts)
    inner = WIDTH - 2 * MARGIN
    beside = MARGIN + hexes.WIDTH + 14
    wide = WIDTH - MARGIN - beside
    auction = bool(facts.game.options.get("auction"))
    tiles_high = 190.0 if auction else 234.0
    parts = [
        heading(facts, status, WIDTH, MARGIN, _options(facts)),
        panels.score_track(facts, MARGIN, TRACK_AT, inner),
        panels.turn(facts, beside, BOARD_AT, wide),
        panels.tiles(facts, beside, BOARD_AT + 116, wide, tiles_high),
    ]
    y = BOARD_AT + 126 + tiles_high
    if auction:
        parts.append(panels.auction(facts, beside, y, wide))
        y += 102
    parts += [
        panels.temple_tokens(facts, beside, y, wide),
        panels.treasures(facts, beside, y + 102, wide),
        panels.key(beside, y + 204, wide),
    ]
    bottom = max(y + 364, BOARD_AT + hexes.HEIGHT)
    parts.append(hexes.draw(facts, MARGIN, (BOARD_AT + bottom - hexes.HEIGHT) / 2))
    boards_at = bottom + 14
    parts.append(player_boards.draw(facts, MARGIN, boards_at, inner))
    height = boards_at + player_boards.HEIGHT + MARGIN
    return svg.document(WIDTH, height, parts, facts.game.title, status)


def _options(facts: Facts) -> list[str]:
    """What was chosen before the game."""
    options = facts.game.options
    edition = [str(options["edition"])] if "edition" in options else []
    return [*edition, *["auction"] * bool(options.get("auction"))]


def _status(facts: Facts) -> str:
    """One line: where the game stands and who is to move."""
    if facts.over:
        return winners_with_points(facts)
    who = to_move(facts)
    if facts["final"]:
        return f"Final scoring · {who}"
    if facts["to_count"]:
        return f"Scoring round {facts['scorings']} · {who}"
    placed = len(facts["board"])
    return f"{placed} tile{'' if placed == 1 else 's'} placed · {who}"
