"""What lies beside the map of The Great Zimbabwe: track, plaques, cards of gods and crafts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games import pieces, svg
from games.facts import Facts
from games.zimbabwe.land import SHORT

BOXES, ROWS = 24, 3


def track(facts: Facts, x: float, y: float, width: float) -> str:
    """Points as cubes, requirements as discs that lie on each other."""
    parts = [svg.panel(x, y, width, 178, "Points (squares) and victory requirements (discs)")]
    wide = (width - 24) / BOXES
    by_height = sorted(range(facts.players), key=lambda p: facts["disc"][p])
    for n in range(BOXES * ROWS):
        left, top = x + 12 + n % BOXES * wide, y + 34 + n // BOXES * 46
        parts.append(svg.rect(left, top, wide, 42, "#fbf6e8", svg.LINE))
        parts.append(svg.text(left + wide / 2, top + 11, str(n), 10, svg.MUTED, "middle"))
        here = [p for p in range(facts.players) if min(facts["points"][p], BOXES * ROWS - 1) == n]
        for k, p in enumerate(here):
            paint = pieces.colours(facts.names, p)
            parts.append(
                svg.rect(left + 1 + k % 3 * 8, top + 14 + k // 3 * 8, 8, 8, paint.fill, paint.edge,
                         class_=f"points {facts.names[p]}")
            )  # fmt: skip
        discs = [p for p in by_height if facts["vr"][p] == n]
        for k, p in enumerate(discs):
            paint = pieces.colours(facts.names, p)
            parts.append(
                svg.circle(
                    left + wide / 2,
                    top + 36 - 4 * k,
                    6,
                    paint.fill,
                    paint.edge,
                    class_=f"requirement {facts.names[p]}",
                )
            )
    return "".join(parts)


def tribes(facts: Facts, x: float, y: float, width: float) -> tuple[str, float]:
    """One line for each player: herd, requirement, points, god and specialists."""
    height = 38.0 + 36 * facts.players
    parts = [svg.panel(x, y, width, height, "Tribes")]
    for column, words in (
        (150, "herd"),
        (206, "points"),
        (268, "needs"),
        (330, "god, specialists"),
    ):
        parts.append(svg.text(x + column, y + 22, words, 12, svg.MUTED))
    for k, p in enumerate(_in_order(facts)):
        base = y + 58 + 36 * k
        parts.append(svg.text(x + 8, base, str(k + 1), 11, svg.MUTED))
        parts.append(pieces.disc(x + 30, base - 5, 12, facts.names, p, "tribe"))
        parts.append(svg.text(x + 50, base, facts.names[p], 15, bold=facts.player == p))
        for column, number in (
            (150, facts["herd"][p]["cattle"]),
            (206, facts["points"][p]),
            (268, facts["vr"][p]),
        ):
            parts.append(svg.text(x + column, base, str(number), 16, bold=True))
        cards = [(str(g), facts.label("God", str(g))) for g in facts["adored"][p]]
        for s in facts["hired"][p]:
            lying = facts["on_specialist"][s]["cattle"]
            told = facts.label("Specialist", str(s)) + (f" ({lying})" if lying else "")
            cards.append((str(s), told))
        parts.append(_cards(x + 330, base, width - 340, cards))
    return "".join(parts), height


def _cards(x: float, base: float, room: float, cards: Sequence[tuple[str, str]]) -> str:
    """Cards side by side, by their keys and words; each can be clicked."""
    gap = 20
    wanted = sum(svg.width_of(words, 14) + gap for _, words in cards)
    size = min(14.0, 14 * room / max(1, wanted))
    parts = []
    for key, words in cards:
        wide = svg.width_of(words, size) + gap * size / 14
        frame = svg.rect(x - 4, base - size - 1, wide - 5, size + 7, "#fbf6e8", svg.LINE, 3)
        parts.append(svg.place([key], [frame, svg.text(x, base, words, size)], words))
        x += wide
    return "".join(parts) or svg.text(x, base, "–", 14)


def _in_order(facts: Facts) -> list[int]:
    """Players in turn order; in the first auction as they sit."""
    order = [facts["turn_order"][k] for k in range(1, facts.players + 1)]
    return order if sorted(order) == list(range(facts.players)) else list(range(facts.players))


def crafts(facts: Facts, x: float, y: float, width: float) -> str:
    """Who has which technology, at which price, and the cattle that lie on the cards."""
    parts = [svg.panel(x, y, width, 254, "Technology: price asked, and cattle on the card")]
    for column, words in ((168, "left"), (204, "card")):
        parts.append(svg.text(x + column, y + 46, words, 12, svg.MUTED))
    printed = _requirements(facts, "Craft")
    step = (width - 250) / facts.players
    parts += [
        pieces.disc(x + 272 + p * step, y + 42, 9, facts.names, p, "tribe")
        for p in range(facts.players)
    ]
    for k, craft in enumerate(facts.values("Craft")):
        base = y + 74 + 26 * k
        word, paint = SHORT[craft]
        sign = svg.rect(x + 12, base - 16, 30, 21, paint, "#4a3b22", 4)
        dark = craft in ("sculptor", "vessel_maker", "wood_carver")
        ink = "#ffffff" if dark else svg.INK
        name = facts.label("Craft", craft)
        drawn = [
            sign,
            svg.text(x + 27, base, word, 13, ink, "middle", True),
            svg.text(x + 50, base, name, 14),
        ]
        left = 3 - sum(
            1
            for who, owner in facts["owner"].items()
            if owner is not None and str(who).rsplit("_", 1)[0] == craft
        )
        parts.append(svg.place([craft], drawn, f"{name}: {left} craftsmen left"))
        parts.append(svg.text(x + 176, base, str(left), 13, svg.MUTED))
        taken = sum(1 for p in range(facts.players) if facts["card"][p][craft])
        next_card = f"+{printed[craft] + taken}" if taken < 2 and craft in printed else "–"
        parts.append(svg.text(x + 210, base, next_card, 13, svg.MUTED))
        for p in range(facts.players):
            if facts["card"][p][craft]:
                lying = facts["on_card"][p][craft]["cattle"]
                words = f"{facts['price'][p][craft]}" + (f" +{lying}" if lying else "")
                parts.append(
                    svg.text(x + 272 + p * step, base, words, 15, anchor="middle", bold=True)
                )
    return "".join(parts)


def _requirements(facts: Facts, table: str) -> dict[str, int]:
    """What each card of a table adds to the requirement."""
    return dict(zip(facts.values(table), facts.numbers(f"{table}.requirement"), strict=False))


def _offered(facts: Facts, table: str, cards: Iterable[object]) -> list[tuple[str, str]]:
    """Cards by their keys, with what each adds to the requirement."""
    printed = _requirements(facts, table)
    return [
        (key, facts.label(table, key) + (f" {printed[key]:+}" if key in printed else ""))
        for key in map(str, cards)
    ]


def bidding(facts: Facts) -> bool:
    """Whether an auction is under way: the plaques are laid out, and two players may still bid."""
    return _laid_out(facts) and sum(not out for out in facts["out_of"].values()) > 1


def _laid_out(facts: Facts) -> bool:
    return sorted(facts["plaque_of"].values()) == list(range(facts.players))


def _plaques(facts: Facts) -> str:
    """The cattle on the plaques in their order, which an auction lays out."""
    if not bidding(facts):
        return "taken back until the next auction" if _laid_out(facts) else "not laid out yet"
    owners = [facts["plaque_of"][k] for k in range(1, facts.players + 1)]
    told = [f"{facts.names[p]} {facts['plaque'][k]['cattle']}" for k, p in enumerate(owners, 1)]
    if facts["plaque"][0]["cattle"]:
        told.insert(0, f"{facts.label('God', 'shadipinyi')} {facts['plaque'][0]['cattle']}")
    return ", ".join(told) + f" · highest bid {facts['high_bid']}"


def supply(facts: Facts, x: float, y: float, width: float) -> str:
    """Gods and specialists on offer, tiles beside the map, cattle on the plaques."""
    tiles = [f"{n} {r}" for r, n in facts["tiles_left"].items()]
    cards = [
        ("Gods", _offered(facts, "God", facts["gods"])),
        ("Specialists", _offered(facts, "Specialist", facts["specialists"])),
    ]
    rows = [
        ("Tiles", ", ".join([*tiles, f"{facts['water_left']} water"])),
        ("Plaques", _plaques(facts)),
        ("Qamata", f"{facts['god_card']['cattle']} cattle on the card"),
    ]
    parts = [svg.panel(x, y, width, 158, "On offer, and what it adds to the requirement")]
    for k, (head, offered) in enumerate(cards):
        base = y + 46 + 23 * k
        parts.append(svg.text(x + 12, base, head, 13, svg.MUTED))
        parts.append(_cards(x + 94, base, width - 104, offered))
    for k, (head, words) in enumerate(rows, len(cards)):
        base = y + 46 + 23 * k
        size = min(14.0, 14 * (width - 110) / max(1, svg.width_of(words, 14)))
        parts.append(svg.text(x + 12, base, head, 13, svg.MUTED))
        parts.append(svg.text(x + 94, base, words, size))
    return "".join(parts)
