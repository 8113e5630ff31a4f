"""Small pictures of the goods, temples and points of Tzolk'in."""

from __future__ import annotations

from collections.abc import Iterable

from games import svg

FRAMES = {"farm": "#d9a400", "tomb": "#8a8a8a", "civil": "#3f8f4f", "shrine": "#2f6db5"}
TEMPLES = {"chaac": "#8f4f2a", "quetzalcoatl": "#b98a00", "kukulcan": "#2f7d46"}
MAIZE, WOOD = "#f6bd16", "#8b5a2b"


def good(name: str, x: float, y: float, size: float = 16) -> str:
    """The picture of a good, centred at a point."""
    h = size / 2
    if name == "maize":
        leaf = [(-0.2, 1), (-0.75, 0.7), (-0.9, 0.2), (-0.75, -0.25), (-0.5, 0.4), (0, 0.95)]
        return (
            svg.element(
                "ellipse", cx=x, cy=y, rx=h * 0.56, ry=h * 0.95, fill=MAIZE, stroke="#9a6b00"
            )
            + svg.line((x, y - h * 0.8), (x, y + h * 0.6), "#c98f00", 0.8)
            + _shape(leaf, x, y, h, "#6aa84f", "#3d6b2c")
        )
    if name == "wood":
        return (
            svg.rect(x - h * 0.9, y - h * 0.55, h * 1.8, h * 1.1, WOOD, "#4f3012", h * 0.3)
            + svg.line((x - h * 0.5, y - h * 0.12), (x + h * 0.6, y - h * 0.12), "#c08a55", 0.9)
            + svg.line((x - h * 0.6, y + h * 0.22), (x + h * 0.3, y + h * 0.22), "#c08a55", 0.9)
        )
    if name == "stone":
        shape = [(-0.9, 0.6), (-0.6, -0.5), (0.1, -0.85), (0.8, -0.3), (0.9, 0.6), (0, 0.85)]
        return _shape(shape, x, y, h, "#9aa0a6", "#55595e")
    if name == "gold":
        bar = [(-0.95, 0.6), (-0.55, -0.55), (0.55, -0.55), (0.95, 0.6)]
        return _shape(bar, x, y, h, "#ffe27a", "#8f6b00") + svg.line(
            (x - h * 0.3, y - h * 0.2), (x + h * 0.3, y - h * 0.2), "#ffffff", 1.4
        )
    if name == "skull":
        return svg.group(
            [
                svg.rect(x - h * 0.42, y + h * 0.2, h * 0.84, h * 0.7, "#c9eef2", "#1d6b78", 2),
                svg.circle(x, y - h * 0.18, h * 0.78, "#c9eef2", "#1d6b78"),
                svg.circle(x - h * 0.3, y - h * 0.1, h * 0.2, "#1d6b78"),
                svg.circle(x + h * 0.3, y - h * 0.1, h * 0.2, "#1d6b78"),
            ]
        )
    if name == "maize_tile":
        return field_tile(x - h * 0.8, y - h * 0.8, h * 1.6, "maize")
    if name == "wood_tile":
        return field_tile(x - h * 0.8, y - h * 0.8, h * 1.6, "wood")
    return svg.circle(x, y, h, "#dddddd", svg.MUTED)


def _shape(
    points: Iterable[svg.Point], x: float, y: float, h: float, fill: str, stroke: str
) -> str:
    return svg.polygon([(x + a * h, y + b * h) for a, b in points], fill, stroke)


def field_tile(x: float, y: float, size: float, kind: str) -> str:
    """A field of the jungle: forest over maize, open maize, or nothing left."""
    if kind == "wood":
        inner = svg.polygon(
            [
                (x + size * 0.5, y + size * 0.12),
                (x + size * 0.88, y + size * 0.85),
                (x + size * 0.12, y + size * 0.85),
            ],
            "#e8f3df",
        )
        return svg.rect(x, y, size, size, "#3d7a35", "#23491f", 1.5, class_="forest") + inner
    if kind == "maize":
        dots = "".join(
            svg.circle(x + size * a, y + size * b, size * 0.11, "#9a6b00")
            for a in (0.3, 0.7)
            for b in (0.3, 0.7)
        )
        return svg.rect(x, y, size, size, MAIZE, "#9a6b00", 1.5, class_="field") + dots
    return svg.rect(x, y, size, size, "none", "#c9c1ae", 1.5, stroke_dasharray="2 2")


def temple(name: str, x: float, y: float, size: float = 18) -> str:
    """A step pyramid in the colour of a temple, with the first letter of its name."""
    h = size / 2
    outline = [
        (-1, 0.9), (-1, 0.3), (-0.66, 0.3), (-0.66, -0.3), (-0.33, -0.3), (-0.33, -0.9),
        (0.33, -0.9), (0.33, -0.3), (0.66, -0.3), (0.66, 0.3), (1, 0.3), (1, 0.9),
    ]  # fmt: skip
    fill = TEMPLES.get(name, svg.MUTED)
    mark = name[:1].upper() if name in TEMPLES else "?"
    return _shape(outline, x, y, h, fill, "#ffffff") + svg.text(
        x, y + h * 0.75, mark, size * 0.62, "#ffffff", "middle", bold=True
    )


def any_resource(x: float, y: float, size: float = 16) -> str:
    """A resource of one's choice: a square in the colours of all three."""
    third, left, top = size / 3, x - size / 2, y - size / 2
    paints = (WOOD, "#9aa0a6", "#ffe27a")
    stripes = "".join(
        svg.rect(left + k * third, top, third, size, paint) for k, paint in enumerate(paints)
    )
    return stripes + svg.rect(left, top, size, size, "none", svg.INK, 2)


def points(x: float, y: float, amount: int | str, size: float = 22) -> str:
    """A badge with victory points."""
    h = size / 2
    wide = h * (1 if len(str(amount)) < 3 else 1.25)
    shield = [(-1, -0.9), (1, -0.9), (1, 0.25), (0, 1), (-1, 0.25)]
    return svg.polygon(
        [(x + a * wide, y + b * h) for a, b in shield], "#7b2d3b", "#ffffff"
    ) + svg.text(x, y + h * 0.4, str(amount), size * 0.6, "#ffffff", "middle", bold=True)


def cost(x: float, y: float, goods: Iterable[tuple[str, int]], size: float = 15) -> str:
    """Goods one by one in a row, beginning at x: what something costs."""
    parts = []
    for name, count in goods:
        for _ in range(count):
            parts.append(good(name, x + size / 2, y, size))
            x += size + 2
        x += 3 if count else 0
    return "".join(parts)


def counted(x: float, y: float, name: str, count: int, size: float = 18) -> str:
    """A good with its number behind it."""
    faded = None if count else 0.35
    return svg.group(
        [
            good(name, x + size / 2, y, size),
            svg.text(x + size + 4, y + size * 0.33, str(count), size * 0.92, bold=True),
        ],
        opacity=faded,
    )
