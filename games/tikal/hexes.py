"""The board: forty hexagons with terrain, stones, temples, treasures, camps and expeditions."""

from __future__ import annotations

import math

from games import pieces, svg
from games.facts import Facts
from games.tikal import tokens

SIZE = 76.0
INNER = SIZE * math.sqrt(3) / 2
COLUMNS, RANKS = 8, 5
ROOM = 94.0  # for the members in the lower half of a space, between the stones
WIDTH = SIZE * (1.5 * (COLUMNS - 1) + 2)
HEIGHT = INNER * (2 * RANKS + 1)

GROUND = {
    "unexplored": ("#e4eadb", "#c2ccb2"),
    "base_camp": ("#f3dfae", "#b08b3e"),
    "temple": ("#f6ead0", "#b08b3e"),
    "clearing": ("#cfe6a9", "#7aa04c"),
    "ruin": ("#ead7bd", "#a1784a"),
    "volcano": ("#d9c7bf", "#6d4a3e"),
}


def place(name: str) -> svg.Point:
    """The centre of a space relative to the corner of the board.

    The letter is the column from the left, the number the place in it from the bottom; every
    second column lies half a space lower.
    """
    column, rank = ord(name[0]) - ord("a"), int(name[1:])
    x = SIZE * (1 + 1.5 * column)
    return x, INNER * (1 + 2 * (RANKS - rank) + column % 2)


def outline(centre: svg.Point, size: float) -> list[svg.Point]:
    """The corners of a hexagon with a flat top."""
    return [svg.polar(centre, size, 60 * k) for k in range(6)]


def edge_stones(centre: svg.Point, counts: list[int], scale: float = 1.0) -> str:
    """The stones inside the six edges, clockwise from the northern one."""
    parts = []
    for k, count in enumerate(counts):
        angle = -90 + 60 * k
        x, y = svg.polar(centre, (INNER - 10) * scale, angle)
        parts.append(tokens.stones(x, y, angle + 90, count, scale))
    return "".join(parts)


def scenery(terrain: str, centre: svg.Point, value: int, masks: int, scale: float = 1.0) -> str:
    """What a piece of terrain shows, above the middle of the hexagon."""
    x, y = centre
    if terrain == "temple":
        return tokens.pyramid(x, y - 12 * scale, value, scale)
    if terrain == "volcano":
        return tokens.volcano(x, y + 6 * scale, scale)
    if terrain == "ruin":
        return tokens.ruin(x, y - 22 * scale, 0.9 * scale) + tokens.masks(
            x, y - 1 * scale, masks, scale
        )
    if terrain == "clearing":
        return tokens.grass(x, y - 16 * scale, scale)
    return ""


def draw(facts: Facts, x: float, y: float) -> str:
    """The whole board with its upper left corner at a point."""
    parts = []
    for name in facts.values("Hex"):
        a, b = place(name)
        parts.append(_space(facts, name, (x + a, y + b)))
    return "".join(parts)


def _space(facts: Facts, name: str, centre: svg.Point) -> str:
    x, y = centre
    terrain = facts["terrain"][name]
    fill, edge = GROUND.get(terrain, GROUND["clearing"])
    parts = [svg.polygon(outline(centre, SIZE - 1.5), fill, edge, stroke_width=1.5)]
    if terrain == "unexplored":
        parts.append(svg.text(x, y + 6, name, 16, "#93a07f", "middle"))
        return svg.place([name], parts, name, class_="hex unexplored")
    parts.append(svg.text(x - SIZE + 9, y + 4.5, name, 12.5, svg.MUTED))
    parts.append(scenery(terrain, centre, facts["value"][name], facts["buried"][name]))
    if terrain == "base_camp":
        sand = pieces.Colours("#fff6dd", "#8c6f35", svg.INK)
        parts.append(tokens.tent(x - 14, y - 24, sand, size=1.25))
        parts.append(tokens.tent(x + 18, y - 20, sand))
    counts = list(facts["edge"][name].values())
    parts.append(edge_stones(centre, counts))
    parts.append(_camp(facts, name, x, y))
    parts.append(_guard(facts, name, x, y))
    parts.append(_parties(facts, name, x, y))
    kind = terrain.replace("_", " ")
    told = f"{name}: {facts.label('Terrain', terrain)}{_closer(facts, name)}"
    return svg.place([name], parts, told, class_=f"hex {kind.replace(' ', '-')}")


def _closer(facts: Facts, name: str) -> str:
    """What a space is worth, who stands on it and who has closed it."""
    words = [f" of value {facts['value'][name]}"] if facts["value"][name] else [""]
    words += [f"{facts['buried'][name]} treasures buried"] * bool(facts["buried"][name])
    for p, who in enumerate(facts.names):
        team = facts["team"][p][name]
        words += [f"{who} {team['worker']} workers"] * bool(team["worker"])
        words += [f"{who}'s leader"] * bool(team["leader"])
        words += [f"camp of {who}"] * (facts["camp"][name] == p)
        words += [f"guarded by {who}"] * (facts["guard"][name] == p)
    return ", ".join(words)


def _camp(facts: Facts, name: str, x: float, y: float) -> str:
    owner = facts["camp"][name]
    if owner is None:
        return ""
    paint = pieces.colours(facts.names, owner)
    drawn = tokens.tent(x, y - 24, paint, pieces.letter(facts.names, owner), 1.35)
    return svg.group([drawn], class_=f"camp {facts.names[owner]}")


def _guard(facts: Facts, name: str, x: float, y: float) -> str:
    owner = facts["guard"][name]
    if owner is None:
        return ""
    paint = pieces.colours(facts.names, owner)
    drawn = tokens.shield(x + 32, y - 16, paint, pieces.letter(facts.names, owner))
    return svg.group([drawn], class_=f"guard {facts.names[owner]}")


def _parties(facts: Facts, name: str, x: float, y: float) -> str:
    """The members of all players, in one row or two, made smaller if there are many."""
    here: list[tuple[int, int, bool]] = []
    for p in range(facts.players):
        team = facts["team"][p][name]
        if team["worker"] or team["leader"]:
            here.append((p, team["worker"], bool(team["leader"])))
    if not here:
        return ""
    rows = [here] if _row_width(here) <= ROOM else [here[: len(here) // 2], here[len(here) // 2 :]]
    scale = min(1.0, ROOM / max(_row_width(row) for row in rows))
    parts = []
    for k, row in enumerate(rows):
        at = -_row_width(row) / 2
        cy = 0 if len(rows) == 1 else (k - 0.5) * 23
        for p, workers, leader in row:
            own = tokens.party_width(workers, leader)
            parts.append(tokens.party(at + own / 2, cy, facts.names, p, workers, leader))
            at += own + 3
    move = f"translate({svg.number(x)} {svg.number(y + (31 if len(rows) == 1 else 33))})"
    return svg.group(parts, transform=move + (f" scale({scale:.3f})" if scale < 1 else ""))


def _row_width(row: list[tuple[int, int, bool]]) -> float:
    return sum(tokens.party_width(workers, leader) + 3 for _, workers, leader in row) - 3
