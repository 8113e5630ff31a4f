"""Elements of SVG as text, for the drawings of the games.

Everything is written with attributes, without style sheets and ids: several drawings in one page
(a notebook, the docs) must not change each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

FONT = "Segoe UI, Helvetica Neue, Arial, DejaVu Sans, sans-serif"
INK = "#2b2a27"
MUTED = "#6b675f"
PAPER = "#faf7f0"
CARD = "#ffffff"
LINE = "#d9d2c3"

Number = int | float
Point = tuple[float, float]


def number(value: Number) -> str:
    """A coordinate with at most two decimals.

    >>> number(3.0), number(2.456), number(-0.001)
    ('3', '2.46', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", /, **attributes: str | Number | None) -> str:
    """An element; underscores in the names of attributes stand for hyphens, None leaves out.

    >>> element("circle", cx=1, r=2.5, stroke_width=1, class_="piece")
    '<circle cx="1" r="2.5" stroke-width="1" class="piece"/>'
    """
    written = "".join(
        f" {name.rstrip('_').replace('_', '-')}="
        + quoteattr(value if isinstance(value, str) else number(value))
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def group(parts: Iterable[str], /, **attributes: str | Number | None) -> str:
    """Several elements as one."""
    return element("g", "".join(parts), **attributes)


def place(
    keys: Iterable[str], parts: Iterable[str], told: str = "", /, **attributes: str | Number | None
) -> str:
    """Elements that stand for a place or card, so that a page can make them clickable.

    A key is the name of a value, row or space as moves name it, or several such names in the order
    of a move's arguments ("palenque 3"). `told` is shown by browsers where the pointer rests. The
    shape to outline is the first element.

    >>> place(["a1_10", "palenque 3"], [element("circle", r=5)], "1 stone")
    '<g data-place="a1_10,palenque 3"><circle r="5"/><title>1 stone</title></g>'
    """
    title = element("title", escape(told)) if told else ""
    return element("g", "".join(parts) + title, data_place=",".join(keys), **attributes)


def text(
    x: Number,
    y: Number,
    words: str,
    size: Number = 14,
    fill: str = INK,
    anchor: str = "start",
    bold: bool = False,
    **attributes: str | Number | None,
) -> str:
    """One line of text; y is its base line."""
    return element(
        "text",
        escape(words),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="bold" if bold else None,
        **attributes,
    )


def lines(
    x: Number,
    y: Number,
    rows: Iterable[str],
    size: Number = 13,
    fill: str = INK,
    anchor: str = "start",
    leading: float = 1.22,
) -> str:
    """Several lines of text, the first with its base line at y."""
    return "".join(
        text(x, y + k * size * leading, row, size, fill, anchor) for k, row in enumerate(rows)
    )


def rect(
    x: Number,
    y: Number,
    width: Number,
    height: Number,
    fill: str = CARD,
    stroke: str | None = None,
    radius: Number = 0,
    **attributes: str | Number | None,
) -> str:
    """A rectangle, with round corners if it has a radius."""
    return element(
        "rect", x=x, y=y, width=width, height=height, rx=radius or None, fill=fill,
        stroke=stroke, **attributes,
    )  # fmt: skip


def circle(
    x: Number,
    y: Number,
    radius: Number,
    fill: str = CARD,
    stroke: str | None = None,
    **attributes: str | Number | None,
) -> str:
    """A circle."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, **attributes)


def line(
    start: Point,
    end: Point,
    stroke: str = LINE,
    width: Number = 1,
    **attributes: str | Number | None,
) -> str:
    """A straight line."""
    return element(
        "line",
        x1=start[0],
        y1=start[1],
        x2=end[0],
        y2=end[1],
        stroke=stroke,
        stroke_width=width,
        **attributes,
    )


def polygon(
    points: Iterable[Point],
    fill: str = CARD,
    stroke: str | None = None,
    **attributes: str | Number | None,
) -> str:
    """A closed polygon."""
    joined = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element(
        "polygon", points=joined, fill=fill, stroke=stroke, stroke_linejoin="round", **attributes
    )


def path(d: str, fill: str = "none", **attributes: str | Number | None) -> str:
    """A path in SVG's own notation."""
    return element("path", d=d, fill=fill, **attributes)


def polar(centre: Point, radius: float, degrees: float) -> Point:
    """The point at a distance and an angle, clockwise from the right."""
    angle = math.radians(degrees)
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def panel(x: Number, y: Number, width: Number, height: Number, title: str = "") -> str:
    """A white sheet with a heading, on which a part of the position is drawn."""
    sheet = rect(x, y, width, height, CARD, LINE, 8)
    return sheet + (text(x + 12, y + 22, title, 15, bold=True) if title else "")


def width_of(words: str, size: Number) -> float:
    """About how wide a line of text is: enough to place what follows it."""
    narrow = sum(letter in "iljtfI1.,:;'|! ·" for letter in words)
    return size * (0.6 * (len(words) - narrow) + 0.34 * narrow)


def wrapped(words: str, width: Number, size: Number) -> list[str]:
    """Words in lines of about this width; a word that is wider has a line of its own.

    >>> wrapped("one two three", 50, 12)
    ['one two', 'three']
    """
    rows = [""]
    for word in words.split():
        longer = f"{rows[-1]} {word}".strip()
        if rows[-1] and width_of(longer, size) > width:
            rows.append(word)
        else:
            rows[-1] = longer
    return rows


def document(width: Number, height: Number, parts: Iterable[str], title: str, told: str) -> str:
    """A whole drawing. `title` and `told` are read out to those who cannot see it."""
    size = f"{number(width)} {number(height)}"
    inside = [
        element("title", escape(title)),
        element("desc", escape(told)),
        rect(0, 0, width, height, PAPER),
        *parts,
    ]
    return element(
        "svg",
        "".join(inside),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {size}",
        width=width,
        height=height,
        role="img",
        font_family=FONT,
    )
