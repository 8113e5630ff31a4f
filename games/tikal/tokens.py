"""Small pictures for Tikal: temples, ruins, volcanoes, tents, treasures and expeditions."""

from __future__ import annotations

from games import pieces, svg

STONE = "#8d8a84"
STONE_EDGE = "#4d4b47"
TEMPLE, TEMPLE_EDGE = "#e2cfa4", "#8c6f35"
EARTH, EARTH_EDGE = "#b5793f", "#6b431c"

# Each kind of treasure has a colour and a sign of its own, so that a set is seen at a glance.
TREASURES = (
    ("#e69f00", "sun"),
    ("#56b4e9", "moon"),
    ("#009e73", "leaf"),
    ("#f0e442", "drop"),
    ("#0072b2", "wave"),
    ("#d55e00", "stair"),
    ("#cc79a7", "eye"),
    ("#999999", "cross"),
)


def pyramid(x: float, y: float, value: int, size: float = 1.0) -> str:
    """A step pyramid with its value on the top platform; it grows with the value."""
    tiers = 2 + min(3, value // 3)
    half, high = 36 * size, min(11.5, 36 / tiers) * size
    top = y + 23 * size - tiers * high
    parts = []
    for k in range(tiers):
        wide = half - 5.0 * size * k
        parts.append(
            svg.rect(x - wide, y + 23 * size - (k + 1) * high, 2 * wide, high, TEMPLE, TEMPLE_EDGE)
        )
    stairs = 9 * size
    parts.append(
        svg.rect(
            x - stairs, top, 2 * stairs, tiers * high, "#f4e9cb", TEMPLE_EDGE, stroke_width=0.8
        )
    )
    box = 15 * size
    parts += [
        svg.rect(x - box, top - 15 * size, 2 * box, 24 * size, "#fffaf0", TEMPLE_EDGE, 3 * size,
                 stroke_width=1.6),
        svg.text(x, top + 4 * size, str(value), 20 * size, svg.INK, "middle", bold=True),
    ]  # fmt: skip
    return "".join(parts)


def volcano(x: float, y: float, size: float = 1.0) -> str:
    """A smoking mountain."""
    s = size
    mountain = [(-42, 26), (-14, -18), (-6, -12), (4, -16), (12, -12), (16, -18), (42, 26)]
    lava = [(-14, -18), (-6, -12), (4, -16), (12, -12), (16, -18), (22, -8), (9, 4), (4, -4),
            (-4, 12), (-11, -2), (-20, -8)]  # fmt: skip
    smoke = "".join(
        svg.circle(x + a * s, y + b * s, r * s, "#a79f97", fill_opacity=0.8)
        for a, b, r in ((-2, -28, 7), (7, -36, 8), (-5, -42, 6))
    )
    return (
        smoke
        + svg.polygon([(x + a * s, y + b * s) for a, b in mountain], "#6d625d", "#3d3532")
        + svg.polygon([(x + a * s, y + b * s) for a, b in lava], "#e4572e", "#8f2d12")
    )


def ruin(x: float, y: float, size: float = 1.0) -> str:
    """Broken columns."""
    s = size
    parts = [svg.rect(x - 32 * s, y + 14 * s, 64 * s, 7 * s, "#cbbfa6", "#7d7058", 2)]
    for a, high in ((-24, 34), (-6, 20), (12, 28)):
        parts.append(
            svg.rect(x + a * s, y + (14 - high) * s, 11 * s, high * s, "#ded3bb", "#7d7058", 2)
        )
    return "".join(parts)


def masks(x: float, y: float, count: int, size: float = 1.0) -> str:
    """Treasures that lie face down, side by side around x."""
    s = size
    parts = []
    for k in range(count):
        cx = x + (k - (count - 1) / 2) * 18 * s
        parts.append(
            svg.group(
                [
                    svg.circle(cx, y, 8.2 * s, EARTH, EARTH_EDGE, stroke_width=1.4),
                    svg.text(cx, y + 4.5 * s, "?", 12.5 * s, "#ffffff", "middle", bold=True),
                ],
                class_="buried",
            )
        )
    return "".join(parts)


def grass(x: float, y: float, size: float = 1.0) -> str:
    """Blades of grass on a clearing."""
    parts = []
    for a, b in ((-20, 4), (4, -10), (24, 6), (-4, 14)):
        for lean in (-4, 0, 4):
            start = (x + a * size, y + b * size)
            end = (x + (a + lean) * size, y + (b - 9) * size)
            parts.append(svg.line(start, end, "#6f9a4a", 1.6, stroke_linecap="round"))
    return "".join(parts)


def tent(x: float, y: float, paint: pieces.Colours, mark: str = "", size: float = 1.0) -> str:
    """A tent in a player's colour."""
    s = size
    parts = [
        svg.polygon(
            [(x - 17 * s, y + 11 * s), (x, y - 14 * s), (x + 17 * s, y + 11 * s)],
            paint.fill,
            paint.edge,
            stroke_width=1.8,
        ),
        svg.polygon([(x - 5 * s, y + 11 * s), (x, y + 1 * s), (x + 5 * s, y + 11 * s)], paint.edge),
    ]
    if mark:
        parts.append(svg.text(x, y + 1.5 * s, mark, 11 * s, paint.ink, "middle", bold=True))
    return "".join(parts)


def shield(x: float, y: float, paint: pieces.Colours, mark: str = "", size: float = 1.0) -> str:
    """The guard of a temple."""
    s = size
    outline = [(-12, -13), (0, -16), (12, -13), (12, 2), (0, 15), (-12, 2)]
    return svg.polygon(
        [(x + a * s, y + b * s) for a, b in outline], paint.fill, paint.edge, stroke_width=2
    ) + (svg.text(x, y + 4.5 * s, mark, 14 * s, paint.ink, "middle", bold=True) if mark else "")


def crown(x: float, y: float, fill: str, edge: str, size: float = 1.0) -> str:
    """The sign of a leader."""
    s = size
    shape = [(-8, 6), (-9, -5), (-4, 0), (0, -8), (4, 0), (9, -5), (8, 6)]
    return svg.polygon([(x + a * s, y + b * s) for a, b in shape], fill, edge, stroke_width=1.1)


def party(
    x: float, y: float, names: tuple[str, ...], player: int, workers: int, leader: bool
) -> str:
    """The members of a player on a space, centred: letter, number of workers, crown."""
    paint = pieces.colours(names, player)
    wide = party_width(workers, leader)
    left = x - wide / 2
    parts = [
        svg.rect(left, y - 10.5, wide, 21, paint.fill, paint.edge, 10.5, stroke_width=1.6),
        svg.text(
            left + 12, y + 4.8, pieces.letter(names, player), 13, paint.ink, "middle", bold=True
        ),
    ]
    at = left + 22
    if workers:
        many = str(workers)
        parts.append(svg.text(at - 1, y + 5, many, 14.5, paint.ink, bold=True))
        at += 9.5 * len(many) + 3
    if leader:
        parts.append(crown(at + 8, y, paint.ink, paint.ink, 0.8))
    told = f"members {names[player]} w{workers} l{int(leader)}"
    return svg.group(parts, class_=told)


def party_width(workers: int, leader: bool) -> float:
    """How wide the members of a player on a space are drawn."""
    return 25 + (9.5 * len(str(workers)) + 3 if workers else 0) + (18 if leader else 0)


def stones(x: float, y: float, along: float, count: int, size: float = 1.0) -> str:
    """Stones side by side at the middle of an edge; `along` is the direction of the edge."""
    parts = []
    for k in range(count):
        shift = (k - (count - 1) / 2) * 13 * size
        cx, cy = svg.polar((x, y), shift, along)
        parts.append(
            svg.circle(cx, cy, 5.4 * size, STONE, STONE_EDGE, stroke_width=1.2, class_="stone")
        )
    return "".join(parts)


def treasure(x: float, y: float, kind: int, radius: float = 13) -> str:
    """A treasure token face up."""
    fill, sign = TREASURES[kind % len(TREASURES)]
    r = radius
    ink = svg.INK
    drawn = {
        "sun": svg.circle(x, y, r * 0.38, ink)
        + "".join(
            svg.line(svg.polar((x, y), r * 0.5, a), svg.polar((x, y), r * 0.76, a), ink, 2)
            for a in range(0, 360, 60)
        ),
        "moon": svg.path(
            f"M{svg.number(x + r * 0.2)} {svg.number(y - r * 0.6)}"
            f"a{svg.number(r * 0.62)} {svg.number(r * 0.62)} 0 1 0 {svg.number(r * 0.3)} "
            f"{svg.number(r * 1.05)}a{svg.number(r * 0.56)} {svg.number(r * 0.56)} 0 0 1 "
            f"{svg.number(-r * 0.3)} {svg.number(-r * 1.05)}z",
            ink,
        ),
        "leaf": svg.polygon(
            [(x, y - r * 0.7), (x + r * 0.45, y), (x, y + r * 0.7), (x - r * 0.45, y)], ink
        ),
        "drop": svg.polygon(
            [(x, y - r * 0.7), (x + r * 0.6, y + r * 0.5), (x - r * 0.6, y + r * 0.5)], ink
        ),
        "wave": "".join(
            svg.path(
                f"M{svg.number(x - r * 0.6)} {svg.number(y + b * r)}"
                f"q{svg.number(r * 0.3)} {svg.number(-r * 0.4)} {svg.number(r * 0.6)} 0"
                f"t{svg.number(r * 0.6)} 0",
                stroke="#ffffff",
                stroke_width=2.4,
            )
            for b in (-0.25, 0.3)
        ),
        "stair": svg.path(
            f"M{svg.number(x - r * 0.6)} {svg.number(y + r * 0.55)}h{svg.number(r * 0.4)}"
            f"v{svg.number(-r * 0.4)}h{svg.number(r * 0.4)}v{svg.number(-r * 0.4)}"
            f"h{svg.number(r * 0.4)}",
            stroke="#ffffff",
            stroke_width=3,
        ),
        "eye": svg.circle(x, y, r * 0.55, "none", ink, stroke_width=2)
        + svg.circle(x, y, r * 0.2, ink),
        "cross": svg.path(
            f"M{svg.number(x - r * 0.55)} {svg.number(y)}h{svg.number(r * 1.1)}"
            f"M{svg.number(x)} {svg.number(y - r * 0.55)}v{svg.number(r * 1.1)}",
            stroke=ink,
            stroke_width=3.4,
        ),
    }[sign]
    return svg.group(
        [svg.circle(x, y, r, fill, svg.INK, stroke_width=1.4), drawn], class_="treasure"
    )
