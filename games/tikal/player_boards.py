"""The boards of the players: points, members beside the board, camps, guards and treasures."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts, counted_points
from games.tikal import tokens

GAP = 12
HEIGHT = 166.0


def draw(facts: Facts, x: float, y: float, width: float) -> str:
    """All boards side by side."""
    wide = (width - GAP * (facts.players - 1)) / facts.players
    return "".join(_board(facts, p, x + p * (wide + GAP), y, wide) for p in range(facts.players))


def _board(facts: Facts, p: int, x: float, y: float, wide: float) -> str:
    paint = pieces.colours(facts.names, p)
    active = facts.player == p
    parts = [
        svg.rect(x, y, wide, HEIGHT, svg.CARD, paint.edge if active else svg.LINE, 9,
                 stroke_width=4 if active else 1.5),
        svg.path(
            f"M{svg.number(x)} {svg.number(y + 38)}v-29a9 9 0 0 1 9 -9h{svg.number(wide - 18)}"
            "a9 9 0 0 1 9 9v29z",
            paint.fill, stroke=paint.edge, stroke_width=1,
        ),
        pieces.disc(x + 23, y + 19, 13, facts.names, p, "key"),
        svg.text(x + 44, y + 25, facts.names[p], 19, paint.ink, bold=True),
        svg.text(x + wide - 12, y + 26, counted_points(facts["points"][p]), 18, paint.ink, "end",
                 bold=True),
    ]  # fmt: skip
    notes = ["to move"] * active + ["winner"] * (p in facts.winners)
    shift = 62 + 1.12 * svg.width_of(facts.names[p], 19)
    parts.append(svg.text(x + shift, y + 25, " · ".join(notes), 14, paint.ink))
    parts.append(_members(facts, p, x, y + 62, paint))
    parts.append(_camps(facts, p, x, y + 94, paint))
    parts.append(svg.line((x + 12, y + 113), (x + wide - 12, y + 113)))
    parts.append(_treasures(facts, p, x, y + 140, wide))
    return svg.group(parts, class_=f"board {facts.names[p]}", data_player=facts.names[p])


def _members(facts: Facts, p: int, x: float, y: float, paint: pieces.Colours) -> str:
    """Who waits beside the board, and who has left the game."""
    reserve, gone = facts["reserve"][p], facts["gone"][p]
    parts = [
        svg.text(x + 12, y + 5, "in reserve", 14, svg.MUTED),
        svg.circle(x + 106, y, 10, paint.fill, paint.edge, stroke_width=1.6),
        svg.text(x + 121, y + 6, f"× {reserve['worker']}", 16, bold=True),
    ]
    if reserve["leader"]:
        parts.append(tokens.crown(x + 182, y, svg.INK, svg.INK, 1.1))
    lost = gone["worker"] + gone["leader"]
    if lost:
        parts.append(svg.text(x + 204, y + 5, f"{lost} gone", 14, svg.MUTED))
    return "".join(parts)


def _camps(facts: Facts, p: int, x: float, y: float, paint: pieces.Colours) -> str:
    """Camps and guards still to come, and those in place."""
    parts = [svg.text(x + 12, y + 5, "camps left", 14, svg.MUTED)]
    for k in range(max(facts.most("camps_left"), facts["camps_left"][p])):
        shown = k < facts["camps_left"][p]
        drawn = tokens.tent(x + 108 + 34 * k, y, paint, size=0.8)
        parts.append(svg.group([drawn], opacity=None if shown else 0.18))
    guards = facts["guards"][p]
    posted = guards["worker"] + guards["leader"]
    parts.append(svg.text(x + 186, y + 5, "guards", 14, svg.MUTED))
    for k in range(max(2, posted)):
        drawn = tokens.shield(x + 254 + 28 * k, y, paint, size=0.72)
        parts.append(svg.group([drawn], opacity=None if k < posted else 0.18))
    return "".join(parts)


def _treasures(facts: Facts, p: int, x: float, y: float, wide: float) -> str:
    """Treasures found: those of a kind lie on each other, with the points of the set."""
    held = [(k, n) for k, n in enumerate(facts["treasures"][p].values()) if n]
    if not held:
        return svg.text(x + 12, y + 5, "no treasures yet", 14, svg.MUTED)
    worth = facts.numbers("points_for_set", (0, 1, 3, 6))
    total = sum(worth[min(n, len(worth) - 1)] for _, n in held)
    parts = [svg.text(x + wide - 12, y + 6, f"= {total}", 16, anchor="end", bold=True)]
    room = wide - 70
    needed = sum(30 + 9 * (n - 1) for _, n in held)
    squeeze = min(1.0, room / needed)
    at = x + 24
    for kind, n in held:
        radius = 13 * max(0.75, squeeze)
        parts += [tokens.treasure(at + 9 * j * squeeze, y, kind, radius) for j in range(n)]
        at += (30 + 9 * (n - 1)) * squeeze
    return "".join(parts)
