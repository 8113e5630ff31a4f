"""The calendar and the five gears around it, with the workers at their teeth."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts
from games.tzolkin import hints, icons

CENTRE: svg.Point = (444, 552)
CALENDAR_TEETH = 26
CALENDAR_RADIUS = 205.0
TOOTH = 360 / CALENDAR_TEETH
ADDENDUM = 11.0

# Where each gear touches the calendar: the tooth of the calendar, clockwise from the top. Whole
# teeth, so that the gears mesh.
CONTACT = {"chichen_itza": 0, "palenque": 5, "yaxchilan": 10, "tikal": 16, "uxmal": 21}
PAINT = {
    "palenque": ("#cfe3bf", "#5f8a45"),
    "yaxchilan": ("#d8d3c8", "#857c6a"),
    "tikal": ("#f0cdb4", "#b06a3c"),
    "uxmal": ("#f3e2a9", "#a98a22"),
    "chichen_itza": ("#bfe0e2", "#3b8289"),
}
# Of more of a kind the number is written.
MOST_SIGNS = 2
GOODS_DAY, POINTS_DAY = "#a8672f", "#1f7f86"


def draw(facts: Facts) -> str:
    """All six gears."""
    teeth = dict(zip(facts.values("Gear"), facts.numbers("teeth", (10,) * 4 + (13,)), strict=True))
    parts = [_gear(facts, name, count) for name, count in teeth.items() if name in CONTACT]
    return _calendar(facts) + "".join(parts)


def _cog(centre: svg.Point, radius: float, teeth: int, turned: float, fill: str, edge: str) -> str:
    """A toothed wheel; a tooth points at the angle `turned`."""
    pitch = 360 / teeth
    outline = []
    for k in range(teeth):
        at = turned + k * pitch
        for part, height in ((-0.31, -1), (-0.17, 1), (0.17, 1), (0.31, -1)):
            outline.append(svg.polar(centre, radius + height * ADDENDUM, at + part * pitch))
    return svg.polygon(outline, fill, edge, stroke_width=1.6)


# ---- the calendar --------------------------------------------------------------------------------


def _calendar(facts: Facts) -> str:
    parts = [
        _cog(CENTRE, CALENDAR_RADIUS, CALENDAR_TEETH, -90, "#efe3c6", "#a08a55"),
        svg.circle(*CENTRE, 146, "#fbf6e8", "#c9b887"),
        _days(facts),
        _heart(facts),
    ]
    return svg.group(parts, class_="calendar")


def _days(facts: Facts) -> str:
    food = facts.numbers("food_day", (8, 14, 21, 27))
    last = max(food)
    today = facts["day"]
    parts = []
    for day in range(1, last + 1):
        angle = -90 + (day - 1) * 360 / last
        x, y = svg.polar(CENTRE, 170, angle)
        fill, ink, edge = "#fffdf6", svg.INK, "#c9b887"
        if day in food:
            fill = POINTS_DAY if food.index(day) % 2 else GOODS_DAY
            ink, edge = "#ffffff", fill
        radius = 16.0 if day in food else 13.5
        passed = day < today
        if day == today:
            radius = 17.5
            parts.append(svg.circle(x, y, radius + 4.5, "#ffffff", svg.INK, stroke_width=3.5))
        parts.append(
            svg.group(
                [
                    svg.circle(x, y, radius, fill, edge),
                    svg.text(x, y + 5, str(day), 13.5, ink, "middle", bold=day in food),
                ],
                opacity=0.45 if passed else None,
                class_="today" if day == today else "day",
            )
        )
    return "".join(parts)


def _heart(facts: Facts) -> str:
    """The middle of the calendar: the day, the first-player space and the maize."""
    x, y = CENTRE
    food = facts.numbers("food_day", (8, 14, 21, 27))
    held, day = facts["food_days_held"], facts["day"]
    over = day > max(food)
    told, size = ("The year is over", 25) if over else (f"Day {day}", 44)
    parts = [svg.text(x, y - 78, told, size, anchor="middle", bold=True)]
    if held < len(food):
        rest = food[held] - day
        when = "today" if rest <= 0 else "tomorrow" if rest == 1 else f"in {rest} days"
        gives = "points" if held % 2 else "goods"
        parts.append(svg.text(x, y - 54, f"age {1 if held < 2 else 2}", 16, svg.MUTED, "middle"))
        told = f"next food day: {when} ({gives})"
        parts.append(svg.text(x, y - 32, told, 14, svg.MUTED, "middle"))
    owner = facts["first_player"]
    parts += [
        svg.line((x - 110, y - 18), (x + 110, y - 18)),
        svg.text(x, y + 4, "First-player space", 15, anchor="middle", bold=True),
        _first_space(facts, x - 46, y + 36),
        icons.counted(x + 6, y + 36, "maize", facts["wheel"]["maize"], 26),
        svg.text(x, y + 84, "first player", 14, svg.MUTED, "middle"),
        pieces.disc(x - 30, y + 107, 12, facts.names, owner, "marker"),
        svg.text(x - 12, y + 112, facts.names[owner], 16, bold=True),
    ]
    return "".join(parts)


def _first_space(facts: Facts, x: float, y: float) -> str:
    owner = facts["first_space"]
    ring = svg.circle(x, y, 23, "#ffffff", "#a08a55", stroke_width=2, stroke_dasharray="4 3")
    inside = (
        svg.text(x, y + 5, "free", 13, svg.MUTED, "middle")
        if owner is None
        else pieces.disc(x, y, 17, facts.names, owner, "worker")
    )
    told = "First-player space"
    return svg.place(["first_space"], [ring, inside], told, data_action="claim_first_space")


# ---- the gears with action spaces ----------------------------------------------------------------


def _gear(facts: Facts, name: str, teeth: int) -> str:
    fill, edge = PAINT[name]
    radius = CALENDAR_RADIUS * teeth / CALENDAR_TEETH
    direction = -90 + CONTACT[name] * TOOTH
    centre = svg.polar(CENTRE, CALENDAR_RADIUS + radius, direction)
    pitch = 360 / teeth
    # The gap between the last two teeth, which have no number, lies on a tooth of the calendar.
    first = direction + 180 + 1.5 * pitch
    index = facts.values("Gear").index(name)
    last = facts.numbers("last_space", (7,) * 4 + (10,))[index]
    free_from = facts.numbers("free_from", (6,) * 4 + (10,))[index]
    label = facts.label("Gear", name)
    wheel = [
        _cog(centre, radius, teeth, first, fill, edge),
        svg.circle(*centre, radius - 27, "#ffffff", edge, fill_opacity=0.55),
        _title(centre, label),
    ]
    parts = [svg.place([name], wheel, label)]
    for n in range(teeth):
        angle = first + n * pitch
        tooth = _tooth(facts, name, n, svg.polar(centre, radius - 3, angle), edge)
        if n <= last:
            space = _space(facts, name, n, n >= free_from, centre, radius, angle)
            keys = [f"{name} {n}", *space_rows(facts, name, n)]
            tooth = svg.place(keys, [space, tooth], _told(facts, name, n, free_from))
        parts.append(tooth)
    return svg.group(parts, class_=f"gear {name}")


def space_rows(facts: Facts, gear: str, n: int) -> list[str]:
    """The rows of the table of actions that lie at a space: one, or none."""
    at = facts.values("Gear").index(gear)
    return [
        row
        for row in facts.values("Space")
        if facts.entry("Space", "gear", row) == at and facts.entry("Space", "number", row) == n
    ]


def _told(facts: Facts, gear: str, n: int, free_from: int) -> str:
    """What a space is and costs, for those who rest the pointer on it."""
    words = [f"{facts.label('Gear', gear)} {n}", f"placing a worker here costs {n} maize"]
    if n >= free_from:
        words.append("any action of the gear")
    else:
        words += [", ".join(hints.space(facts, row)) for row in space_rows(facts, gear, n)]
    return ": ".join([words[0], "; ".join(words[1:])])


def _tooth(facts: Facts, gear: str, n: int, at: svg.Point, edge: str) -> str:
    """A worker at its tooth, or the mark of a free one."""
    owner = facts["worker"][gear].get(n)
    if owner is not None:
        return pieces.disc(*at, 14.5, facts.names, owner, "worker")
    if facts["neutral"][gear].get(n):
        return pieces.disc(*at, 12, facts.names, None, "worker")
    return svg.circle(*at, 5, "#ffffff", edge, fill_opacity=0.8)


def _title(centre: svg.Point, label: str) -> str:
    words = label.split()
    x, y = centre
    top = y + 5 - (len(words) - 1) * 9
    return "".join(
        svg.text(x, top + 18 * k, word, 15 if len(word) > 8 else 17, anchor="middle", bold=True)
        for k, word in enumerate(words)
    )


def _space(
    facts: Facts, gear: str, n: int, free: bool, centre: svg.Point, radius: float, angle: float
) -> str:
    """The number of a space outside its tooth, and a plate that says what it does."""
    x, y = svg.polar(centre, radius + 23, angle)
    mark = svg.circle(x, y, 10.5, svg.INK) + svg.text(
        x, y + 4.8, str(n), 13.5, "#ffffff", "middle", bold=True
    )
    if n == 0:
        return mark
    wide, high = _plate_size(facts, gear, n, free)
    unit = svg.polar((0, 0), 1, angle)
    # As far out as the plate needs to stay clear of the tooth, whatever side it lies on.
    reach = min(wide / 2 / max(abs(unit[0]), 1e-9), high / 2 / max(abs(unit[1]), 1e-9))
    px, py = svg.polar(centre, radius + 32 + reach, angle)
    fill = "#ffffff"
    if free:
        fill = "#e3dff0"
        inside = svg.text(px, py + 5, "any", 13.5, "#5a4b8a", "middle", bold=True)
    elif gear == "chichen_itza" and facts["altar"][n]["skull"] > 0:
        # The action is used up, so its reward is of no interest any more.
        fill = "#8fcdd4"
        inside = svg.group([icons.good("skull", px, py, 26)], class_="laid-skull")
    else:
        inside = _plate(facts, gear, n, px, py)
    return svg.rect(px - wide / 2, py - high / 2, wide, high, fill, svg.LINE, 6) + inside + mark


def _plate_size(facts: Facts, gear: str, n: int, free: bool) -> tuple[float, float]:
    if free:
        return 40, 26
    if _is_field(facts, gear, n):
        return 66, 46
    if _is_altar(facts, gear, n):
        return (74 if _altar_gives(facts, n) else 54), 32
    goods = _gifts(facts, gear, n)
    if goods:
        return _row_width(goods), 28
    words = _words(facts, gear, n)
    wide = max((svg.width_of(w, 13) for w in words), default=30) + 16
    return wide, 16 * len(words) + 12


def _unchanged(facts: Facts, row: str) -> bool:
    """Whether a space does what its sign says; the numbers of the sign come from the rules."""
    return not facts.game.variants or not facts.rules.changed(f"Space.{row}", numbers=False)


def _is_field(facts: Facts, gear: str, n: int) -> bool:
    """Whether a space shows its field: not if a variant gives it another action."""
    rows = space_rows(facts, gear, n)
    return gear == "palenque" and n in facts["jungle"] and all(_unchanged(facts, r) for r in rows)


def _is_altar(facts: Facts, gear: str, n: int) -> bool:
    rows = space_rows(facts, gear, n)
    return gear == "chichen_itza" and bool(rows) and all(_unchanged(facts, r) for r in rows)


def _altar_gives(facts: Facts, n: int) -> int:
    return facts.numbers("altar_gives_resource", (0, 0, 0, 0, 0, 1, 0, 1, 1))[n - 1]


def _gifts(facts: Facts, gear: str, n: int) -> list[tuple[str, int]]:
    """What the action of a space gives, if it does nothing else."""
    rows = space_rows(facts, gear, n)
    return (hints.gifts(facts, rows[0]) or []) if rows else []


def _words(facts: Facts, gear: str, n: int) -> list[str]:
    """What the action of a space does, in two lines or three."""
    rows = space_rows(facts, gear, n)
    told = ", ".join(hints.space(facts, rows[0])) if rows else "no action"
    return svg.wrapped(told, 84, 13)


def _plate(facts: Facts, gear: str, n: int, x: float, y: float) -> str:
    if _is_field(facts, gear, n):
        return _field(facts, n, x, y)
    if _is_altar(facts, gear, n):
        return _altar(facts, n, x, y)
    goods = _gifts(facts, gear, n)
    if goods:
        return _row_of_goods(goods, x, y)
    words = _words(facts, gear, n)
    return svg.lines(x, y + 5 - 8 * (len(words) - 1), words, 13, anchor="middle")


def _row_of_goods(goods: list[tuple[str, int]], x: float, y: float) -> str:
    """Goods as signs; of many of a kind, the number and one sign."""
    parts = []
    at = x - (_row_width(goods) - 18) / 2
    for name, count in goods:
        if count > MOST_SIGNS:
            parts.append(svg.text(at + 4, y + 5, str(count), 14, bold=True))
            at += 12
        for _ in range(1 if count > MOST_SIGNS else count):
            parts.append(icons.good(name, at + 9, y, 16))
            at += 18
    return "".join(parts)


def _row_width(goods: list[tuple[str, int]]) -> float:
    return 18 + sum(30 if count > MOST_SIGNS else 18 * count for _, count in goods)


def _field(facts: Facts, n: int, x: float, y: float) -> str:
    """Yield of a field, and the harvest tiles still there: forest, open maize, nothing."""
    maize = facts.numbers("field_maize", (4, 5, 7, 9))[n - 2]
    wood = facts.numbers("field_wood", (0, 2, 3, 4))[n - 2]
    parts = []
    if wood:
        parts += [
            svg.text(x - 17, y - 6, str(maize), 14, anchor="end", bold=True),
            icons.good("maize", x - 9, y - 11, 15),
            svg.text(x + 12, y - 6, str(wood), 14, anchor="end", bold=True),
            icons.good("wood", x + 21, y - 11, 15),
        ]
    else:
        parts += [
            svg.text(x - 3, y - 6, str(maize), 14, anchor="end", bold=True),
            icons.good("maize", x + 6, y - 11, 15),
        ]
    here = facts["jungle"][n]
    forest = here["wood_tile"]
    bare = max(0, here["maize_tile"] - forest)
    size = 12
    room = max(facts.players, forest + bare)
    kinds = ["wood"] * forest + ["maize"] * bare
    kinds += ["nothing"] * (room - len(kinds))
    at = x - (room * (size + 2) - 2) / 2
    for k, kind in enumerate(kinds):
        parts.append(icons.field_tile(at + k * (size + 2), y + 6, size, kind))
    return "".join(parts)


def _altar(facts: Facts, n: int, x: float, y: float) -> str:
    """The reward for a skull: points, a step in a temple, perhaps a resource."""
    worth = facts.numbers("altar_points", (4, 5, 6, 7, 8, 8, 10, 11, 13))[n - 1]
    temples = facts.values("Temple")
    where = facts.numbers("altar_temple", (0, 0, 0, 2, 2, 2, 1, 1, 1))[n - 1]
    extra = _altar_gives(facts, n)
    shift = -22 if extra else -11
    parts = [
        icons.points(x + shift, y, worth, 21),
        icons.temple(temples[where], x + shift + 22, y, 19),
    ]
    if extra:
        parts.append(icons.any_resource(x + shift + 43, y))
    return "".join(parts)
