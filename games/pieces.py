"""The colours of the players, and pieces in these colours.

Every piece also carries the first letter of its player's name, so that a drawing can be read
without telling the colours apart; the colours themselves are those of Okabe and Ito, which people
with any kind of colour vision can tell apart.
"""

from __future__ import annotations

from attrs import frozen

from games import svg


@frozen
class Colours:
    """Colours of a player: the piece, its outline, letters upon it."""

    fill: str
    edge: str
    ink: str


BY_NAME = {
    "blue": Colours("#0072b2", "#00456c", "#ffffff"),
    "red": Colours("#d5500b", "#86300a", "#ffffff"),
    "yellow": Colours("#f5d533", "#8a7300", "#2b2a27"),
    "green": Colours("#009e73", "#005c43", "#ffffff"),
    "white": Colours("#ffffff", "#6b675f", "#2b2a27"),
    "orange": Colours("#e69f00", "#8a5f00", "#2b2a27"),
    "purple": Colours("#cc79a7", "#7d3f61", "#2b2a27"),
    "black": Colours("#2b2a27", "#000000", "#ffffff"),
}
OTHERS = ("blue", "red", "yellow", "green")
NEUTRAL = Colours("#a9a6a0", "#65625c", "#2b2a27")


def colours(names: tuple[str, ...], player: int) -> Colours:
    """The colours of a player: those of the name, if the name is a colour."""
    return BY_NAME.get(names[player]) or BY_NAME[OTHERS[player % len(OTHERS)]]


def letter(names: tuple[str, ...], player: int) -> str:
    """The letter on a player's pieces: the first of the name, or a number if two share it."""
    initials = [name[:1].upper() for name in names]
    mine = initials[player]
    return mine if initials.count(mine) == 1 else str(player + 1)


def disc(
    x: float,
    y: float,
    radius: float,
    names: tuple[str, ...],
    player: int | None,
    kind: str = "piece",
) -> str:
    """A round piece of a player, or a neutral one; `kind` is its class in the SVG."""
    paint = NEUTRAL if player is None else colours(names, player)
    mark = "" if player is None else letter(names, player)
    parts = [svg.circle(x, y, radius, paint.fill, paint.edge, stroke_width=1.6)]
    if mark and radius >= 7:
        size = radius * 1.15
        parts.append(svg.text(x, y + size * 0.36, mark, size, paint.ink, "middle", bold=True))
    owner = "neutral" if player is None else names[player]
    return svg.group(parts, class_=f"{kind} {owner}")
