"""Temples, technologies, buildings and monuments on offer, and the key to the signs."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts, how_many
from games.tzolkin import gears, hints, icons

LEFT, WIDTH = 896, 526


# ---- temples -------------------------------------------------------------------------------------


def temples(facts: Facts, y: float) -> str:
    """Three flights of steps with the markers of the players."""
    names = facts.values("Temple")
    wide = WIDTH / len(names)
    parts = [svg.panel(LEFT, y, WIDTH, 304, "Temples")]
    parts += [_temple(facts, t, LEFT + k * wide, y + 34, wide) for k, t in enumerate(names)]
    return "".join(parts)


def _temple(facts: Facts, name: str, x: float, y: float, wide: float) -> str:
    index = facts.values("Temple").index(name)
    top = facts.numbers("top_step", (6, 8, 7))[index]
    worth = facts.numbers("step_points")
    steps = len(worth) // 3 if worth else 9
    paint = icons.TEMPLES.get(name, svg.MUTED)
    high, base = 25.0, y + 9 * 25.0
    middle = x + wide / 2
    parts = []
    for n in range(top + 1):
        half = 80 - 3.2 * n
        ry = base - (n + 1) * high
        tint = 0.10 + 0.05 * n
        parts += [
            svg.rect(middle - half, ry, 2 * half, high - 2, paint, radius=4, fill_opacity=tint),
            svg.rect(middle - half, ry, 2 * half, high - 2, "none", paint, 4,
                     stroke_width=2 if n == top else 1),
        ]  # fmt: skip
        if worth:
            given = worth[index * steps + n]
            shown = f"−{-given}" if given < 0 else str(given)
            parts.append(svg.text(middle - half + 8, ry + 16.5, shown, 14, paint, bold=True))
        parts += _gifts(facts, name, index, n, middle + half - 13, ry + high / 2 - 1)
        here = [p for p in range(facts.players) if facts["step"][p][name] == n]
        for k, p in enumerate(here):
            at = middle - 22 * (len(here) - 1) / 2 + 22 * k - 1
            parts.append(pieces.disc(at, ry + high / 2 - 1, 10, facts.names, p, "marker"))
    bonus = facts.numbers("leader_bonus", (6, 2, 4, 2, 6, 4))
    parts += [
        icons.temple(name, x + 22, base + 18, 24),
        svg.text(x + 40, base + 16, facts.label("Temple", name), 14.5, bold=True),
        svg.text(x + 40, base + 32, f"leader +{bonus[index]} / +{bonus[3 + index]}", 13, svg.MUTED),
    ]
    return svg.place([name], parts, facts.label("Temple", name))


def _gifts(facts: Facts, name: str, index: int, n: int, x: float, y: float) -> list[str]:
    """What a step brings in the middle of an age."""
    up_to = facts.numbers("gifts_up_to")
    goods = facts.numbers("temple_gift", (1, 2, 0))
    if not up_to or n == 0:
        return []
    width = len(up_to) // 3
    parts = []
    if up_to[index * width + n] > up_to[index * width + n - 1]:
        parts.append(icons.good(facts.values("Resource")[goods[index]], x, y, 15))
    rules = facts.rules
    if name == rules.constant("skull_temple") and str(n) == rules.constant("skull_step"):
        parts.append(icons.good("skull", x, y, 16))
    return parts


# ---- technologies --------------------------------------------------------------------------------


def technologies(facts: Facts, y: float) -> str:
    """The table of technologies with the markers of the players."""
    tracks = facts.values("Track")
    prices = facts.numbers("advance_cost", (1, 2, 3, 1))
    columns = [LEFT + 118, LEFT + 176, LEFT + 266, LEFT + 356, LEFT + 446]
    widths = [54, 86, 86, 86, 76]
    parts = [svg.panel(LEFT, y, WIDTH, 36 + 56 * len(tracks) + 6, "Technologies")]
    heads = ["start", *(f"{k + 1} · pay {prices[k]}" for k in range(3)), f"pay {prices[3]}"]
    for x, w, head in zip(columns, widths, heads, strict=True):
        parts.append(svg.text(x + w / 2, y + 26, head, 13, svg.MUTED, "middle"))
    for k, track in enumerate(tracks):
        ry = y + 36 + 56 * k
        label = facts.label("Track", track)
        parts.append(
            svg.place([track], [svg.text(LEFT + 12, ry + 30, label, 14.5, bold=True)], label)
        )
        told = hints.technology(facts, track)
        for n, (x, w) in enumerate(zip(columns, widths, strict=True)):
            fill = "#f3efe4" if n in (0, 4) else "#fdfbf5"
            parts.append(svg.rect(x, ry, w, 52, fill, svg.LINE, 5))
            if n > 0 and n <= len(told):
                parts.append(
                    svg.lines(x + w / 2, ry + 14, told[n - 1], 12, svg.MUTED, "middle", 1.1)
                )
            here = [p for p in range(facts.players) if n < 4 and facts["level"][p][track] == n]
            for j, p in enumerate(here):
                if n == 0:
                    aside = (j % 2 * 2 - 1) * 12 if len(here) > 1 else 0
                    mx, my = x + w / 2 + aside, ry + (14 if len(here) > 2 else 26) + 24 * (j // 2)
                else:
                    mx, my = x + w / 2 - 10.5 * (len(here) - 1) + 21 * j, ry + 40
                parts.append(pieces.disc(mx, my, 9.5, facts.names, p, "marker"))
    return "".join(parts)


# ---- buildings and monuments ---------------------------------------------------------------------

CARD_HEIGHT, CARD_GAP = 78.0, 5.0


def price(facts: Facts, table: str, name: str) -> list[tuple[str, int]]:
    """What a building or monument costs."""
    resources = facts.values("Resource")
    found = list(zip(resources, facts.row(table, "cost", name, len(resources)), strict=False))
    return [*found, ("skull", facts.entry(table, "skull", name))]


def _card(facts: Facts, table: str, name: str, x: float, y: float, wide: float) -> str:
    frame = facts.values("Frame")[facts.entry(table, "frame", name)]
    paint = icons.FRAMES.get(frame, svg.MUTED)
    if table == "Building":
        told, worth = hints.building(facts, name), facts.entry(table, "points", name)
    else:
        told, worth = hints.monument(facts, name), 0
    rows = svg.wrapped(told, wide - 14, 13)
    size = 13 if len(rows) <= 2 else 11.5
    parts = [
        svg.rect(x, y, wide, CARD_HEIGHT, "#ffffff", paint, 6, stroke_width=1.6),
        svg.path(
            f"M{svg.number(x + 6)} {svg.number(y)}h{svg.number(wide - 12)}a6 6 0 0 1 6 6"
            f"v16h{svg.number(-wide)}v-16a6 6 0 0 1 6 -6z",
            paint,
        ),
        svg.text(x + 8, y + 16, facts.label(table, name), 13, "#ffffff", bold=True),
        svg.text(x + wide - 8, y + 16, frame, 13, "#ffffff", "end"),
        icons.cost(x + 8, y + 34, price(facts, table, name)),
        svg.lines(x + 8, y + (56 if len(rows) <= 2 else 51), rows[:3], size, leading=1.1),
    ]
    if worth:
        parts.append(icons.points(x + wide - 20, y + 40, worth, 26))
    title = ": ".join([facts.label(table, name), *([told] if told else [])])
    return svg.place([name], parts, title, class_=f"card {table.lower()}", data_card=table)


def _vacant(x: float, y: float, wide: float) -> str:
    return svg.rect(x, y, wide, CARD_HEIGHT, "#f6f2e8", svg.LINE, 6, stroke_dasharray="5 4")


def _offer(
    facts: Facts, table: str, cards: tuple[str, ...], room: int, in_a_row: int,
    corner: svg.Point, width: float, title: str, told: str,
) -> str:  # fmt: skip
    """Cards on offer in rows; `room` is for how many there are spaces."""
    x, y = corner
    room = max(room, len(cards))
    rows = (room + in_a_row - 1) // in_a_row
    wide = (width - 12 - CARD_GAP * (in_a_row - 1)) / in_a_row
    parts = [
        svg.panel(x, y, width, offer_height(rows), title),
        svg.text(x + width - 12, y + 22, told, 13, svg.MUTED, "end"),
    ]
    for k in range(room):
        cx = x + 6 + (k % in_a_row) * (wide + CARD_GAP)
        cy = y + 34 + (k // in_a_row) * (CARD_HEIGHT + CARD_GAP)
        if k < len(cards):
            parts.append(_card(facts, table, cards[k], cx, cy, wide))
        else:
            parts.append(_vacant(cx, cy, wide))
    return "".join(parts)


def offer_height(rows: int) -> float:
    """The height of an offer with this number of rows of cards."""
    return 34 + rows * (CARD_HEIGHT + CARD_GAP) + 2


def buildings(facts: Facts, y: float) -> str:
    """The buildings on offer."""
    age = 1 if facts["food_days_held"] < 2 else 2
    left = how_many(facts["first_stack" if age == 1 else "second_stack"])
    told = f"{left} more of age {age} in the stack"
    cards = facts["display"]
    return _offer(facts, "Building", cards, 6, 3, (LEFT, y), WIDTH, "Buildings on offer", told)


def monuments(facts: Facts, x: float, y: float, width: float) -> str:
    """The monuments on offer, in one row."""
    cards = facts["monuments"]
    room = max(facts.players + 2, len(cards))
    told = "worth points at the end of the game"
    return _offer(facts, "Monument", cards, room, room, (x, y), width, "Monuments on offer", told)


# ---- starting wealth -----------------------------------------------------------------------------


def wealth(facts: Facts, x: float, y: float, width: float) -> str:
    """Starting wealth that lies open for everybody to choose from, as some variants have it."""
    row = facts.get("row_of_tiles", ())
    parts = [svg.panel(x, y, width, offer_height(1), "Starting wealth to choose from")]
    wide = (width - 12) / max(1, len(row)) - CARD_GAP
    for k, name in enumerate(row):
        parts.append(_wealth_card(facts, name, x + 6 + k * (wide + CARD_GAP), y + 34, wide))
    return "".join(parts)


def _wealth_card(facts: Facts, name: str, x: float, y: float, wide: float) -> str:
    resources = facts.values("Resource")
    cubes = facts.row("Wealth", "cubes", name, len(resources))
    goods = [*zip(resources, cubes, strict=False), ("skull", facts.entry("Wealth", "skull", name))]
    told = []
    for column, enum in (("temple", "Temple"), ("track", "Track")):
        found = facts.row("Wealth", column, name)
        if found and found[0] >= 0:
            told.append(f"{facts.label(enum, facts.values(enum)[found[0]])} +1")
    told += ["one more worker"] * facts.entry("Wealth", "workers", name)
    told += ["feeds 1 worker"] * facts.entry("Wealth", "feeds", name)
    maize = facts.entry("Wealth", "maize", name)
    parts = [
        svg.rect(x, y, wide, CARD_HEIGHT, "#ffffff", "#b9a877", 6, stroke_width=1.6),
        svg.text(x + 8, y + 17, facts.label("Wealth", name), 13, svg.MUTED, bold=True),
        icons.counted(x + 6, y + 34, "maize", maize, 15),
        icons.cost(x + 44, y + 34, goods),
        svg.lines(x + 8, y + 56, told, 13, leading=1.15),
    ]
    title = facts.label("Wealth", name)
    return svg.place([name], parts, title, class_="open wealth", data_card="Wealth")


# ---- the key -------------------------------------------------------------------------------------

KEY_WIDTH = 212


def goods_key(facts: Facts, x: float, y: float) -> str:
    """The signs for goods, what they cost in exchange, and what is left of the skulls."""
    rates = facts.numbers("maize_for", (2, 3, 4))
    parts = [svg.panel(x, y, KEY_WIDTH, 186, "Goods")]
    rows = [("maize", "maize"), *((r, r) for r in facts.values("Resource")), ("skull", "skull")]
    for k, (name, label) in enumerate(rows):
        ry = y + 44 + 23 * k
        sign = [icons.good(name, x + 24, ry, 18), svg.text(x + 42, ry + 5, label, 14)]
        parts.append(svg.place([name], sign, label))
        if 1 <= k <= len(rates):
            parts += [
                svg.text(x + 126, ry + 5, f"= {rates[k - 1]}", 14),
                icons.good("maize", x + 160, ry, 15),
            ]
        if name == "skull":
            left = facts["supply"]["skull"]
            parts.append(svg.text(x + 126, ry + 5, f"{left} left", 14))
    ry = y + 162
    parts += [
        icons.field_tile(x + 17, ry, 14, "wood"),
        svg.text(x + 42, ry + 12, "forest", 14),
        icons.field_tile(x + 98, ry, 14, "maize"),
        svg.text(x + 120, ry + 12, "open maize", 14),
    ]
    return "".join(parts)


def board_key(facts: Facts, x: float, y: float) -> str:
    """The signs on gears and calendar."""
    parts = [svg.panel(x, y, KEY_WIDTH, 186, "Gears and calendar")]
    rows = [
        (
            "number = price to place",
            svg.circle(x + 24, y + 44, 10.5, svg.INK)
            + svg.text(x + 24, y + 49, "2", 13.5, "#ffffff", "middle", bold=True),
        ),
        (
            "free space: any action",
            svg.rect(x + 7, y + 58, 34, 20, "#e3dff0", svg.LINE, 5)
            + svg.text(x + 24, y + 73, "any", 13, "#5a4b8a", "middle", bold=True),
        ),
        ("neutral worker", pieces.disc(x + 24, y + 92, 10, facts.names, None, "key")),
        ("food day: goods", svg.circle(x + 24, y + 116, 10, gears.GOODS_DAY)),
        ("food day: points", svg.circle(x + 24, y + 140, 10, gears.POINTS_DAY)),
        ("victory points", icons.points(x + 24, y + 165, 4, 21)),
    ]
    for k, (label, sign) in enumerate(rows):
        parts += [sign, svg.text(x + 48, y + 49 + 24 * k, label, 13)]
    return "".join(parts)
