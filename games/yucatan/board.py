"""The jungle, the three cities with their bonuses, and the supply."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts, how_many
from games.yucatan import marks, named

GAP = 12
HEIGHT = 300.0
PAINT = {"jungle": "#dfead2", "yellow": "#fbf0b8", "red": "#f6d3c2", "blue": "#cfe3f1"}
EDGE = {"jungle": "#5f7f45", "yellow": "#b99a00", "red": "#a3390a", "blue": "#00568a"}


def draw(facts: Facts, x: float, y: float, width: float) -> str:
    """All places side by side, the supply at the end."""
    places = facts.values("Place")
    wide = (width - GAP * len(places)) / (len(places) + 0.62)
    parts = [_place(facts, place, x + k * (wide + GAP), y, wide) for k, place in enumerate(places)]
    at = x + len(places) * (wide + GAP)
    return "".join([*parts, _supply(facts, at, y, x + width - at)])


def _place(facts: Facts, place: str, x: float, y: float, wide: float) -> str:
    parts = [
        svg.rect(x, y, wide, HEIGHT, PAINT[place], EDGE[place], 12, stroke_width=2.5),
        svg.text(x + 14, y + 28, facts.label("Place", place), 19, bold=True),
    ]
    jade = facts["lying"][place]["jade"]
    if jade:
        parts.append(
            svg.text(x + wide - 14, y + 28, f"{jade} jade", 16, "#0f7a57", "end", bold=True)
        )
    here = [
        (p, w)
        for p in range(facts.players)
        for w in facts.values("Warlord")
        if facts["at"][p][w] == place
    ]
    for k, (p, w) in enumerate(here):
        parts.append(army(facts, p, w, x + 34, y + 66 + 30 * k))
    if place != "jungle":
        parts.append(_bonuses(facts, place, x, y))
    label = facts.label("Place", place)
    return svg.place([place], parts, label, class_=f"place {place}")


def army(facts: Facts, p: int, w: str, x: float, y: float) -> str:
    """An army: its player, the warriors, the creature with its last round."""
    number = facts.values("Warlord").index(w) + 1
    warriors = facts["army"][p][w]["warrior"]
    words = f"{number}: warriors {warriors}"
    for creature in facts["attached"][p][w]:
        words += f", {marks.starred(facts, 'Creature', creature)} to round {facts['expiry'][p][w]}"
    parts = [pieces.disc(x, y, 12, facts.names, p, "leader"), svg.text(x + 18, y + 5, words, 14)]
    told = f"{facts.names[p]}, {facts.label('Warlord', w)}"
    return svg.place([w], parts, told, class_=f"army {facts.names[p]}", data_player=facts.names[p])


def _bonuses(facts: Facts, place: str, x: float, y: float) -> str:
    """What the stand offers, by round; rounds to come are faint."""
    rows: list[str] = []
    at = facts.values("Place").index(place)
    cities, rounds = facts.numbers("Bonus.city"), facts.numbers("Bonus.round")
    for k, bonus in enumerate(facts.values("Bonus")):
        if cities[k] == at:
            words = facts.label("Bonus", bonus).removesuffix(f" of {place}")
            star = marks.star(facts, "Bonus", bonus)
            told = f"{facts.label('Bonus', bonus)}{f' ({marks.PROVISIONAL})' if star else ''}"
            fill = svg.INK if rounds[k] <= facts["round"] else "#a39d90"
            words = f"round {rounds[k]}: {words}{star}"
            base = y + 168 + 21 * len(rows)
            frame = svg.rect(x + 12, base - 14, svg.width_of(words, 13) + 4, 18, "none", None, 3)
            rows.append(svg.place([bonus], [frame, svg.text(x + 14, base, words, 13, fill)], told))
    return svg.group(rows, class_="stand")


def _supply(facts: Facts, x: float, y: float, wide: float) -> str:
    supply = facts["supply"]
    rows = [
        f"corn {supply['corn']}",
        f"jade {supply['jade']}",
        f"warriors {supply['warrior']}",
        f"cards in the deck {how_many(facts['deck'])}",
        f"discarded {how_many(facts['discard'])}",
    ]
    return svg.group(
        [
            svg.rect(x, y, wide, HEIGHT, svg.CARD, svg.LINE, 12, stroke_width=1.5),
            svg.text(x + 14, y + 28, "Supply", 19, bold=True),
            svg.lines(x + 14, y + 58, rows, 15),
            svg.text(x + 14, y + 170, "To be summoned", 15, bold=True),
            named.draw(_creatures(facts, wide - 28), x + 14, y + 194, 14),
        ],
        class_="supply",
    )


def _creatures(facts: Facts, wide: float) -> list[named.Row]:
    """Who can be summoned, level by level."""
    rows: list[named.Row] = []
    for level in (1, 2, 3):
        names = [
            named.component(facts, "Creature", c)
            for c in facts["summoning_area"]
            if facts.entry("Creature", "level", c) == level
        ]
        if names:
            # The names of the components are capitals and digits, wider than other words.
            rows += named.rows([named.Named(f"{level}:"), *names], 0.92 * wide, 14)
    return rows or named.rows([named.Named("nobody")], wide, 14)
