"""Beside the board: score track, turn, tiles to place or for sale, tokens left, and the key."""

from __future__ import annotations

from games import pieces, svg
from games.facts import Facts, amount, how_many
from games.tikal import hexes, tokens

# ---- the score track -----------------------------------------------------------------------------


def score_track(facts: Facts, x: float, y: float, width: float) -> str:
    """A ruler with the markers of the players."""
    points: list[int] = [facts["points"][p] for p in range(facts.players)]
    low = min(0, min(points) // 10 * 10)
    high = max(100, -(-max(points) // 20) * 20)
    left, right = x + 90, x + width - 22

    def at(score: int) -> float:
        return left + (right - left) * (score - low) / (high - low)

    parts = [
        svg.panel(x, y, width, 62),
        svg.text(x + 12, y + 36, "Points", 15, bold=True),
        svg.line((left, y + 42), (right, y + 42), "#b08b3e", 3, stroke_linecap="round"),
    ]
    for n in range(low, high + 1, 5):
        tall = 5 if n % 10 == 0 else 3
        parts.append(svg.line((at(n), y + 42 - tall), (at(n), y + 42 + tall), "#b08b3e", 2))
        if n % 10 == 0:
            parts.append(svg.text(at(n), y + 58, str(n), 12.5, svg.MUTED, "middle"))
    # Markers that would cover each other step aside.
    placed: list[float] = []
    for p in sorted(range(facts.players), key=lambda q: (points[q], q)):
        mx = at(points[p])
        if placed and mx < placed[-1] + 21:
            mx = placed[-1] + 21
        placed.append(mx)
        parts.append(svg.line((at(points[p]), y + 42), (mx, y + 30), svg.INK, 1.2))
        parts.append(pieces.disc(mx, y + 21, 11, facts.names, p, "score"))
    return "".join(parts)


# ---- the turn ------------------------------------------------------------------------------------


def turn(facts: Facts, x: float, y: float, width: float) -> str:
    """Whose turn it is, and the action points left."""
    parts = [svg.panel(x, y, width, 106)]
    if facts.player is not None:
        parts += [
            pieces.disc(x + 28, y + 28, 15, facts.names, facts.player, "turn"),
            svg.text(x + 52, y + 35, f"{facts.names[facts.player]} to move", 20, bold=True),
        ]
    else:
        told = "The game is over" if facts.over else "Chance decides"
        parts.append(svg.text(x + 14, y + 35, told, 20, bold=True))
    parts.append(svg.text(x + width - 12, y + 33, _phase(facts), 14, svg.MUTED, "end"))
    left = facts["ap"]
    parts.append(svg.text(x + 14, y + 64, f"{left} action points left", 14))
    for k in range(max(facts.most("ap"), left)):
        paint = ("#f6bd16", "#8a6a00") if k < left else ("#f3efe4", "#cfc6b2")
        parts.append(svg.circle(x + 24 + k * 29, y + 85, 10, *paint, stroke_width=1.5))
    return "".join(parts)


def _phase(facts: Facts) -> str:
    if facts.over:
        return ""
    if facts["to_count"]:
        waiting = ", ".join(facts.names[p] for p in facts["to_count"])
        return f"still to count: {waiting}"
    return f"scoring rounds held: {facts['scorings']}"


# ---- tiles ---------------------------------------------------------------------------------------


def _tile(facts: Facts, name: str, centre: svg.Point, scale: float) -> str:
    terrain = facts.values("Terrain")[facts.entry("Tile", "kind", name)]
    fill, edge = hexes.GROUND.get(terrain, hexes.GROUND["clearing"])
    value, masks = (facts.entry("Tile", c, name) for c in ("value", "masks"))
    x, y = centre
    parts = [
        svg.polygon(hexes.outline(centre, hexes.SIZE * scale), fill, edge, stroke_width=1.6),
        hexes.scenery(terrain, (x, y + 14 * scale), value, masks, scale),
        hexes.edge_stones(centre, list(facts.row("Tile", "stones", name, 6)), scale),
        svg.text(x - (hexes.SIZE - 9) * scale, y + 5, facts.label("Tile", name), 13, svg.MUTED),
    ]
    told = f"tile {facts.label('Tile', name)}"
    return svg.place([name], parts, told, class_=f"tile {terrain}", data_card="Tile")


def tiles(facts: Facts, x: float, y: float, width: float, height: float) -> str:
    """The tile being placed and what is left of the stack; in the auction, the tiles for sale."""
    if facts.over:
        return _result(facts, x, y, width, height)
    hand, display = facts["hand"], facts["display"]
    title = "Tiles for sale" if display else "Tile to be placed" if hand else "Next tile"
    parts = [
        svg.panel(x, y, width, height, title),
        svg.text(x + width - 12, y + 22, _stack(facts), 13, svg.MUTED, "end"),
    ]
    shown = [*hand, *display]
    step = width / max(1, len(shown))
    scale = min((height - 50) / (2 * hexes.INNER), 0.94 * step / (2 * hexes.SIZE))
    for k, name in enumerate(shown):
        centre = (x + step * (k + 0.5), y + 32 + (height - 42) / 2)
        parts.append(_tile(facts, name, centre, scale))
        if name in hand and display:
            parts.append(
                svg.text(centre[0], y + 44, "to be placed", 13, anchor="middle", bold=True)
            )
    if not shown:
        parts.append(_back(facts, (x + width / 2, y + 32 + (height - 42) / 2), scale))
    return "".join(parts)


def _result(facts: Facts, x: float, y: float, width: float, height: float) -> str:
    """The players in the order of their points."""
    parts = [svg.panel(x, y, width, height, "Result")]
    order = sorted(range(facts.players), key=lambda p: -facts.scores[p])
    for k, p in enumerate(order):
        cy = y + 62 + k * (height - 60) / 4
        bold = p in facts.winners
        parts += [
            pieces.disc(x + 40, cy, 15, facts.names, p, "result"),
            svg.text(x + 68, cy + 7, facts.names[p], 19, bold=bold),
            svg.text(x + width - 40, cy + 7, amount(facts.scores[p]), 21, anchor="end", bold=bold),
        ]
    return "".join(parts)


def _stack(facts: Facts) -> str:
    """How many tiles are left."""
    left = how_many(facts["stack"])
    return f"{left} tile{'' if left == 1 else 's'} in the stack"


def _back(facts: Facts, centre: svg.Point, scale: float) -> str:
    """The stack, with the letter on the back of the topmost tile, which all can see.

    Tiles lie in the order of their letters, so the letter follows from their number.
    """
    left = how_many(facts["stack"])
    groups = sorted(facts.numbers("Tile.group"))
    x, y = centre
    if not left or len(groups) < left:
        return svg.text(x, y + 5, "the stack is empty", 15, svg.MUTED, "middle")
    letter = facts.values("Group")[groups[len(groups) - left]]
    layers = [
        svg.polygon(
            hexes.outline((x + 3 * k, y - 3 * k), (hexes.SIZE - 8) * scale),
            "#7f9470",
            "#4f6143",
            stroke_width=1.5,
        )
        for k in range(min(3, left))
    ]
    top = 3 * (len(layers) - 1)
    mark = svg.text(
        x + top, y - top + 20 * scale, letter, 56 * scale, "#f4f1e4", "middle", bold=True
    )
    return svg.group([*layers, mark], class_="stack")


def auction(facts: Facts, x: float, y: float, width: float) -> str:
    """How the bidding stands."""
    parts = [svg.panel(x, y, width, 92, "Auction")]
    bidder = facts["high_bidder"]
    if bidder is None:
        told = "no bid yet"
    else:
        told = f"highest bid {facts['high_bid']} by {facts.names[bidder]}"
    parts.append(svg.text(x + width - 12, y + 22, told, 15, anchor="end", bold=bidder is not None))
    step = (width - 16) / facts.players
    for p in range(facts.players):
        if p in facts["moved"]:
            paid = facts["paid"][p]
            state = f"paid {paid}" if paid else "free turn"
        elif bidder == p:
            state = f"bids {facts['high_bid']}"
        elif p in facts["passed"]:
            state = "passed"
        else:
            state = "may bid"
        cx = x + 8 + step * (p + 0.5)
        parts += [
            pieces.disc(cx, y + 48, 13, facts.names, p, "bidder"),
            svg.text(cx, y + 80, state, 14, anchor="middle"),
        ]
    return "".join(parts)


# ---- tokens and key ------------------------------------------------------------------------------


def temple_tokens(facts: Facts, x: float, y: float, width: float) -> str:
    """The square tokens beside the board: number and how many are left."""
    stock = facts["token_stock"]
    parts = [svg.panel(x, y, width, 92, "Temple tokens left")]
    step = (width - 20) / len(stock)
    for k, (name, left) in enumerate(stock.items()):
        cx = x + 10 + step * (k + 0.5)
        parts.append(
            svg.group(
                [
                    svg.rect(cx - 15, y + 34, 30, 26, tokens.TEMPLE, tokens.TEMPLE_EDGE, 4),
                    svg.text(
                        cx, y + 53, facts.label("Token", name), 16, anchor="middle", bold=True
                    ),
                    svg.text(cx, y + 80, f"×{left}", 14, anchor="middle"),
                ],
                opacity=None if left else 0.35,
            )
        )
    return "".join(parts)


def treasures(facts: Facts, x: float, y: float, width: float) -> str:
    """The kinds of treasure, and how many of each have been found."""
    kinds = facts.values("Treasure")
    parts = [svg.panel(x, y, width, 92, "Treasures found")]
    step = (width - 20) / len(kinds)
    for k, name in enumerate(kinds):
        found = sum(facts["treasures"][p][name] for p in range(facts.players))
        cx = x + 10 + step * (k + 0.5)
        parts += [
            svg.place(
                [name],
                [tokens.treasure(cx, y + 47, k, 13)],
                facts.label("Treasure", name),
                class_="key",
            ),
            svg.text(cx, y + 80, f"{found} of 3", 13.5, anchor="middle"),
        ]
    return "".join(parts)


def key(x: float, y: float, width: float) -> str:
    """The signs on the board."""
    grey = pieces.Colours("#e9e4d8", "#6b675f", svg.INK)
    half = width / 2
    left, right = x + 34, x + half + 34
    signs = [
        ("workers", _example(left, y + 48, grey, "2")),
        ("leader", tokens.crown(left, y + 78, svg.INK, svg.INK)),
        ("stones on a road", tokens.stones(left, y + 108, 0, 2)),
        ("treasure, face down", tokens.masks(left, y + 138, 1)),
        ("temple and its value", tokens.pyramid(right, y + 48, 4, 0.5)),
        ("guard: temple closed", tokens.shield(right, y + 78, grey, size=0.75)),
        ("tent camp", tokens.tent(right, y + 109, grey, size=0.85)),
        ("ruin", tokens.ruin(right, y + 140, 0.55)),
    ]
    parts = [svg.panel(x, y, width, 160, "Key")]
    for k, (label, sign) in enumerate(signs):
        column, row = divmod(k, 4)
        words = svg.text(x + half * column + 66, y + 53 + 30 * row, label, 13.5)
        parts += [svg.group([sign], class_="key"), words]
    return "".join(parts)


def _example(x: float, y: float, paint: pieces.Colours, number: str) -> str:
    return svg.rect(x - 17, y - 10.5, 34, 21, paint.fill, paint.edge, 10.5) + svg.text(
        x, y + 5, number, 14, anchor="middle", bold=True
    )
