"""The boards of the players: goods, workers, points, buildings, monuments, starting wealth."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts, counted_points, how_many
from games.tzolkin import icons

GAP = 12
CHIP_WIDTH, CHIP_HEIGHT = 63.0, 40.0
HEAD = 166.0
# On a board of this width the cards lie beside the goods, at this distance from the left.
ROOMY, ASIDE = 600.0, 350.0


def height(facts: Facts, width: float) -> float:
    """How high the boards are: enough for the player with the most cards."""
    rows = max(_rows(facts, p, _board_width(facts, width)) for p in range(facts.players))
    wide = _board_width(facts, width)
    chips = max(1, rows) * (CHIP_HEIGHT + 5) + 8
    return max(140.0, 68 + chips) if wide >= ROOMY else HEAD + chips


def draw(facts: Facts, x: float, y: float, width: float) -> str:
    """All boards side by side."""
    wide, high = _board_width(facts, width), height(facts, width)
    return "".join(
        _board(facts, p, x + p * (wide + GAP), y, wide, high) for p in range(facts.players)
    )


def _board_width(facts: Facts, width: float) -> float:
    return (width - GAP * (facts.players - 1)) / facts.players


def _cards(facts: Facts, p: int) -> list[tuple[str, str]]:
    return [
        *(("Building", b) for b in facts["built"][p]),
        *(("Monument", m) for m in facts["raised"][p]),
        *(("Wealth", w) for w in facts["kept"][p]),
    ]


def _in_a_row(wide: float) -> int:
    return int((wide - 16 - (ASIDE if wide >= ROOMY else 0)) // (CHIP_WIDTH + 4))


def _rows(facts: Facts, p: int, wide: float) -> int:
    each = _in_a_row(wide)
    return (len(_cards(facts, p)) + each - 1) // each


def _board(facts: Facts, p: int, x: float, y: float, wide: float, high: float) -> str:
    paint = pieces.colours(facts.names, p)
    light = facts["light"][p]
    active = facts.player == p
    parts = [
        svg.rect(x, y, wide, high, "#ffffff" if light else "#e6e2da",
                 paint.edge if active else svg.LINE, 9, stroke_width=4 if active else 1.5),
        svg.path(
            f"M{svg.number(x)} {svg.number(y + 38)}v-29a9 9 0 0 1 9 -9h{svg.number(wide - 18)}"
            f"a9 9 0 0 1 9 9v29z",
            paint.fill,
        ),
        pieces.disc(x + 23, y + 19, 13, facts.names, p, "key"),
        svg.text(x + 44, y + 25, facts.names[p], 19, paint.ink, bold=True),
    ]  # fmt: skip
    notes = []
    if active:
        notes.append("to move")
    if p in facts.winners:
        notes.append("winner")
    if facts["first_player"] == p:
        notes.append("first player")
    shift = 62 + 1.12 * svg.width_of(facts.names[p], 19)
    parts.append(svg.text(x + shift, y + 25, " · ".join(notes), 14, paint.ink))
    parts.append(_score(facts, p, x + wide - 12, y + 26, paint.ink))
    parts.append(_goods(facts, p, x, y + 58, wide))
    parts.append(_workers(facts, p, x, y + 88))
    parts.append(_side(x, y + 118, light))
    parts.append(_harvest(facts, p, x + min(wide, ASIDE) - 12, y + 118))
    if wide >= ROOMY:
        parts.append(svg.line((x + ASIDE, y + 50), (x + ASIDE, y + high - 12)))
        parts.append(_tiles(facts, p, x + ASIDE, y + 62, _in_a_row(wide)))
    else:
        parts.append(svg.line((x + 12, y + 136), (x + wide - 12, y + 136)))
        parts.append(_tiles(facts, p, x, y + 154, _in_a_row(wide)))
    return svg.group(parts, class_=f"board {facts.names[p]}", data_player=facts.names[p])


def _score(facts: Facts, p: int, x: float, y: float, ink: str) -> str:
    if facts.over:
        return svg.text(x, y, counted_points(facts.scores[p]), 20, ink, "end", bold=True)
    points = facts["points"][p]
    return svg.text(x, y, counted_points(points), 18, ink, "end", bold=True)


def _goods(facts: Facts, p: int, x: float, y: float, wide: float) -> str:
    stock = facts["stock"][p]
    names = ["maize", *facts.values("Resource"), "skull"]
    step = min(66.0, (wide - 20) / len(names))
    return "".join(
        icons.counted(x + 12 + k * step, y, name, stock[name], 21) for k, name in enumerate(names)
    )


def _workers(facts: Facts, p: int, x: float, y: float) -> str:
    parts = [svg.text(x + 12, y + 5, "workers", 14, svg.MUTED)]
    at = x + 84
    for _ in range(facts["in_hand"][p]):
        parts.append(pieces.disc(at, y, 9.5, facts.names, p, "in-hand"))
        at += 22
    for _ in range(facts["in_reserve"][p]):
        parts.append(
            svg.circle(at, y, 8.5, "none", svg.MUTED, stroke_dasharray="3 2", class_="reserve")
        )
        at += 22
    away = facts["on_gears"][p]
    first = facts["first_space"] == p
    told = f"{away} on gears" + (" + first" if first else "")
    return "".join(parts) + svg.text(at - 4, y + 5, told, 14)


def _side(x: float, y: float, light: bool) -> str:
    """Whether the board still shows its light side: the calendar may be turned by two days."""
    if light:
        rays = "".join(
            svg.line(svg.polar((x + 24, y), 8, a), svg.polar((x + 24, y), 12, a), "#c98f00", 2)
            for a in range(0, 360, 45)
        )
        sign = rays + svg.circle(x + 24, y, 6, icons.MAIZE, "#c98f00")
        told = "light: two days ready"
    else:
        moon = f"M{svg.number(x + 27)} {svg.number(y - 9)}a9.5 9.5 0 1 0 6 14a8 8 0 1 1 -6 -14z"
        sign = svg.path(moon, "#5a5670")
        told = "dark: two days used"
    return sign + svg.text(x + 42, y + 5, told, 14)


def _harvest(facts: Facts, p: int, x: float, y: float) -> str:
    """Harvest tiles that the player has collected."""
    stock = facts["stock"][p]
    return icons.counted(x - 84, y, "maize_tile", stock["maize_tile"], 17) + icons.counted(
        x - 40, y, "wood_tile", stock["wood_tile"], 17
    )


# ---- cards ---------------------------------------------------------------------------------------


def _tiles(facts: Facts, p: int, x: float, y: float, in_a_row: int) -> str:
    cards = _cards(facts, p)
    dealt = how_many(facts["dealt"][p])
    if dealt:
        told = f"{dealt} wealth tiles dealt, two to be kept"
    elif cards:
        told = "buildings, monuments, starting wealth"
    else:
        told = "no buildings yet"
    parts = [svg.text(x + 12, y, told, 13, svg.MUTED)]
    # The owner sees the own tiles, the others their backs.
    own = facts["dealt"][p]
    seen = own if isinstance(own, tuple) else ()
    for k in range(dealt):
        at, low = x + 10 + k * (CHIP_WIDTH + 4), y + 10
        parts.append(_chip(facts, "Wealth", seen[k], at, low) if seen else _face_down(at, low))
    for k, (table, name) in enumerate(cards):
        cx = x + 10 + (k % in_a_row) * (CHIP_WIDTH + 4)
        cy = y + 10 + (k // in_a_row) * (CHIP_HEIGHT + 5)
        parts.append(_chip(facts, table, name, cx, cy))
    return "".join(parts)


def _face_down(x: float, y: float) -> str:
    return svg.rect(x, y, CHIP_WIDTH, CHIP_HEIGHT, "#e9dfc7", "#b9a877", 5) + svg.text(
        x + CHIP_WIDTH / 2, y + 26, "?", 18, "#8a7a4a", "middle", bold=True
    )


def _chip(facts: Facts, table: str, name: str, x: float, y: float) -> str:
    """A card that a player owns: its number, its kind, and what a farm feeds."""
    if table == "Wealth":
        gear, _, number = facts.label(table, name).partition("-")
        paint, title, told = "#b9a877", "wealth", f"{gear[:3]}. {number}"
        if facts.entry(table, "feeds", name):
            told = "feeds 1"
    else:
        frame = facts.values("Frame")[facts.entry(table, "frame", name)]
        paint, title, told = icons.FRAMES.get(frame, svg.MUTED), facts.label(table, name), frame
        feeds, saves = (facts.entry(table, c, name) for c in ("feeds", "saves"))
        if table == "Monument":
            told = "monum."
        elif feeds:
            told = f"feeds {feeds}"
        elif saves:
            told = f"eat −{saves}"
    middle = x + CHIP_WIDTH / 2
    return svg.place(
        [name],
        [
            svg.rect(x, y, CHIP_WIDTH, CHIP_HEIGHT, "#ffffff", paint, 5, stroke_width=2),
            svg.rect(x + 1, y + 1, CHIP_WIDTH - 2, 18, paint, radius=4),
            svg.text(middle, y + 14.5, title, 12.5, "#ffffff", "middle", bold=True),
            svg.text(middle, y + 33, told, 13, anchor="middle"),
        ],
        facts.label(table, name),
        class_=f"owned {table.lower()}",
        data_card=table,
    )
