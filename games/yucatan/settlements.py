"""The settlements of the players: goods, buildings, development, tokens, reinforcements."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts, counted_points, how_many
from games.yucatan import marks
from games.yucatan.named import LEADING, Named, Row, component, printed, rows
from games.yucatan.named import draw as draw_words
from rules_dsl.language.doubt import STAR

GAP = 12
LEAST_HEIGHT = 440.0
TITLES = 120
NOT_CHOSEN = "not chosen yet"
# The cell of a development column below level 3.
BONUS = 4


def draw(facts: Facts, x: float, y: float, width: float) -> str:
    """All settlements side by side."""
    wide, tall = _width(facts, width), height(facts, width)
    return "".join(
        _board(facts, p, x + p * (wide + GAP), y, wide, tall) for p in range(facts.players)
    )


def height(facts: Facts, width: float) -> float:
    """Large enough for the settlement with most lines: hands grow, and their owners see them."""
    wide = _width(facts, width)
    tallest = max(
        sum(12 + LEADING * len(lines) for _, lines in _wrapped(facts, p, wide))
        for p in range(facts.players)
    )
    return max(LEAST_HEIGHT, 60 + tallest)


def _width(facts: Facts, width: float) -> float:
    return (width - GAP * (facts.players - 1)) / facts.players


def _board(facts: Facts, p: int, x: float, y: float, wide: float, tall: float) -> str:
    paint = pieces.colours(facts.names, p)
    active = facts.player == p
    notes = ["first player"] * (facts["first_player"] == p) + ["winner"] * (p in facts.winners)
    parts = [
        svg.rect(x, y, wide, tall, svg.CARD, paint.edge if active else svg.LINE, 9,
                 stroke_width=4 if active else 1.5),
        svg.place(
            [facts.names[p]],
            [
                svg.rect(x + 3, y + 3, wide - 6, 36, paint.fill, None, 7),
                pieces.disc(x + 23, y + 21, 13, facts.names, p, "key"),
                svg.text(x + 44, y + 27, facts.names[p], 19, paint.ink, bold=True),
            ],
            facts.names[p],
        ),
        svg.text(x + 60 + 1.12 * svg.width_of(facts.names[p], 19), y + 27, " · ".join(notes), 14,
                 paint.ink),
        svg.text(x + wide - 12, y + 28, counted_points(facts["points"][p]), 18, paint.ink, "end",
                 bold=True),
    ]  # fmt: skip
    at = y + 64
    for title, lines in _wrapped(facts, p, wide):
        parts.append(svg.text(x + 12, at, title, 14, svg.MUTED))
        parts.append(draw_words(lines, x + TITLES, at, 14))
        at += 12 + LEADING * len(lines)
    return svg.group(parts, class_=f"board {facts.names[p]}", data_player=facts.names[p])


def _wrapped(facts: Facts, p: int, wide: float) -> list[tuple[str, list[Row]]]:
    room = wide - TITLES - GAP
    return [(title, rows(items, room, 14)) for title, items in _lines(facts, p)]


def _lines(facts: Facts, p: int) -> list[tuple[str, list[Named]]]:
    """What a player has, line by line."""
    stock = facts["stock"][p]
    others = (q for q in range(facts.players) if facts["clan_token"][p][q])
    tokens = [_player(facts, q) for q in others]
    chosen = [a for a in facts.values("Advisor") if facts["advises"][p][a]]
    ability = component(facts, "Ability", facts["ability"][p])
    used = [
        *(["clan leader"] * facts["clan_leader_used"][p]),
        *(facts.label("Warlord", w) for w, done in facts["warlord_used"][p].items() if done),
    ]
    return [
        ("goods", [Named(f"corn {stock['corn']}"), Named(f"jade {stock['jade']}")]),
        ("prisoners", [Named(str(facts["prison"][p]["warrior"]))]),
        ("clan tokens", tokens or [Named("none")]),
        ("cards", _cards(facts, p)),
        (
            "sacrifice",
            [Named(f"marker on {facts['sacrifice_marker'][p]}"), Named(f"step {facts['step'][p]}")],
        ),
        ("development", [_column(facts, c, n) for c, n in facts["development"][p].items()]),
        ("buildings", [_building(facts, b, n) for b, n in facts["level"][p].items()]),
        ("leaders used", [Named(leader) for leader in used] or [Named("none")]),
        ("advisors", [component(facts, "Advisor", a) for a in chosen] or [Named(NOT_CHOSEN)]),
        ("clan ability", [ability if chosen else Named(NOT_CHOSEN)]),
        *(
            (f"warlord {k}", _sectors(facts, p, w))
            for k, w in enumerate(facts.values("Warlord"), 1)
        ),
    ]


def _player(facts: Facts, q: int) -> Named:
    name = facts.names[q]
    return Named(name, name, f"clan token of {name}")


def _column(facts: Facts, column: str, cell: int) -> Named:
    label = facts.label("Column", column)
    at = "bonus" if cell == BONUS else str(cell)
    return Named(f"{label.split()[0]} {at}", column, f"{label}: {at}")


def _building(facts: Facts, building: str, level: int) -> Named:
    """A building with its level; what a level says may be provisional."""
    label = facts.label("Building", building)
    star = marks.star(facts, "Stage", f"{building}_{level}")
    told = f"{label}, level {level}{f' ({marks.PROVISIONAL})' if star else ''}"
    shown = f"{label} {level}{star}" if level or building != "granary" else label
    return Named(shown, building, told)


def _cards(facts: Facts, p: int) -> list[Named]:
    """How many cards a player holds, those that the viewer sees, and the one in battle."""
    own = (c for army in facts["attached"][p].values() for c in army)
    creatures = [c for c in own if facts["card_held"][c]]
    hand = facts["hand"][p]
    items = [Named(f"in hand: {how_many(hand) + len(creatures)}")]
    if isinstance(hand, tuple):
        items += [_card(facts, card) for card in hand]
    if facts["played"][p] is not None:
        items += [Named("; in battle"), _card(facts, facts["played"][p])]
    return items


def _card(facts: Facts, card: str) -> Named:
    shown = marks.card(facts, card)
    sure = f" ({marks.PROVISIONAL})" if shown.endswith(STAR) else ""
    return Named(shown, card, f"{facts.label('Card', card)}: {printed(facts, 'Card', card)}{sure}")


def _sectors(facts: Facts, p: int, w: str) -> list[Named]:
    """The reinforcements of a warlord, sector by sector."""
    return [
        Named("–", f"{w} {sector}", f"{facts.label('Warlord', w)}, sector {sector}")
        if token is None
        else component(facts, "Reinforcement", token)
        for sector, token in facts["reinforcement"][p][w].items()
    ]
