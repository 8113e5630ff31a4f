"""The settlements of the players: goods, buildings, development, tokens, reinforcements."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts, counted_points, how_many
from games.yucatan import marks

GAP = 12
LEAST_HEIGHT = 440.0
TITLES = 120
NOT_CHOSEN = "not chosen yet"


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
        sum(12 + 17 * len(rows) for _, rows in _wrapped(facts, p, wide))
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
        svg.rect(x + 3, y + 3, wide - 6, 36, paint.fill, None, 7),
        pieces.disc(x + 23, y + 21, 13, facts.names, p, "key"),
        svg.text(x + 44, y + 27, facts.names[p], 19, paint.ink, bold=True),
        svg.text(x + 60 + 1.12 * svg.width_of(facts.names[p], 19), y + 27, " · ".join(notes), 14,
                 paint.ink),
        svg.text(x + wide - 12, y + 28, counted_points(facts["points"][p]), 18, paint.ink, "end",
                 bold=True),
    ]  # fmt: skip
    at = y + 64
    for title, rows in _wrapped(facts, p, wide):
        parts.append(svg.text(x + 12, at, title, 14, svg.MUTED))
        parts.append(svg.lines(x + TITLES, at, rows, 14))
        at += 12 + 17 * len(rows)
    return svg.group(parts, class_=f"board {facts.names[p]}", data_player=facts.names[p])


def _wrapped(facts: Facts, p: int, wide: float) -> list[tuple[str, list[str]]]:
    room = wide - TITLES - GAP
    return [(title, svg.wrapped(words, room, 14)) for title, words in _lines(facts, p)]


def _lines(facts: Facts, p: int) -> list[tuple[str, str]]:
    """What a player has, line by line."""
    stock, level, development = facts["stock"][p], facts["level"][p], facts["development"][p]
    tokens = [facts.names[q] for q in range(facts.players) if facts["clan_token"][p][q]]
    advisors = [
        marks.starred(facts, "Advisor", a)
        for a in facts.values("Advisor")
        if facts["advises"][p][a]
    ]
    cells = ", ".join(
        f"{facts.label('Column', c).split()[0]} {'bonus' if n == 4 else n}"
        for c, n in development.items()
    )
    used = [
        *(["clan leader"] * facts["clan_leader_used"][p]),
        *(facts.label("Warlord", w) for w, done in facts["warlord_used"][p].items() if done),
    ]
    held = how_many(facts["hand"][p]) + sum(
        facts["card_held"][c] for army in facts["attached"][p].values() for c in army
    )
    return [
        ("goods", f"{stock['corn']} corn, {stock['jade']} jade"),
        ("prisoners", str(facts["prison"][p]["warrior"])),
        ("clan tokens", ", ".join(tokens) or "none"),
        ("cards", f"{held} in hand" + _own_cards(facts, p) + _in_battle(facts, p)),
        ("sacrifice", f"marker on {facts['sacrifice_marker'][p]}, step {facts['step'][p]}"),
        ("development", cells),
        (
            "buildings",
            ", ".join(
                f"{facts.label('Building', b)} {n}{marks.star(facts, 'Stage', f'{b}_{n}')}"
                for b, n in level.items()
                if n
            )
            or "none raised",
        ),
        ("leaders used", ", ".join(used) or "none"),
        ("advisors", ", ".join(advisors) or NOT_CHOSEN),
        (
            "clan ability",
            marks.starred(facts, "Ability", facts["ability"][p]) if advisors else NOT_CHOSEN,
        ),
        *(
            (f"warlord {k}", _sectors(facts, p, w))
            for k, w in enumerate(facts.values("Warlord"), 1)
        ),
    ]


def _own_cards(facts: Facts, p: int) -> str:
    """The cards in hand by name, for those who may see them."""
    hand = facts["hand"][p]
    if not isinstance(hand, tuple) or not hand:
        return ""
    return ": " + ", ".join(marks.card(facts, card) for card in hand)


def _in_battle(facts: Facts, p: int) -> str:
    card = facts["played"][p]
    return "" if card is None else f"; in battle {marks.card(facts, card)}"


def _sectors(facts: Facts, p: int, w: str) -> str:
    """The reinforcements of a warlord, sector by sector."""
    names = [
        "–" if token is None else marks.starred(facts, "Reinforcement", token)
        for token in facts["reinforcement"][p][w].values()
    ]
    return " | ".join(names)
