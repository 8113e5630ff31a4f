"""A page on the balance of two rule sets: tables with intervals, and plots as plain SVG."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from compiler.runtime.balance import Balance, BalanceRow, BalanceSection, Interval

ONE, TWO, INK = "#0072b2", "#d5500b", "#2b2a27"
STYLE = (
    "body{font-family:sans-serif;max-width:64em;margin:2em auto;padding:0 1em;line-height:1.4}"
    "td,th{padding:.15em .8em;text-align:right}td:first-child,th:first-child{text-align:left}"
    "tr.differs{font-weight:bold}small{color:#666}svg{max-width:100%;height:auto}"
)
NOTE = "Intervals are 95 % intervals; what differs beyond them is bold."
LABEL, WIDTH, HIGH, MARGIN = 230, 760, 34, 26


def page(one: Balance, two: Balance, sections: list[BalanceSection]) -> str:
    """The whole page as HTML."""
    parts = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{_title(one, two)}</title>",
        f"<style>{STYLE}</style><h1>{_title(one, two)}</h1>",
        f"<p>{one.games:,} games of each, seats played by {escape(one.policy)} bots. {NOTE}</p>",
    ]
    for section in sections:
        parts += [f"<h2>{escape(section.title)}</h2>", plot(section, one.name, two.name)]
        parts.append(_table(section, one.name, two.name))
    return "".join([*parts, "</html>\n"])


def _title(one: Balance, two: Balance) -> str:
    return escape(f"{one.title} and {two.title}: balance")


def value_text(value: float, is_share: bool) -> str:
    """A number or a share, as people write it.

    >>> value_text(0.5, True), value_text(12.345, False)
    ('50.0 %', '12.35')
    """
    return f"{value:.1%}".replace("%", " %") if is_share else f"{value:.2f}"


def interval_text(found: Interval, is_share: bool) -> str:
    """A value with its interval.

    >>> interval_text(Interval(2, 1, 3), False)
    '2.00 [1.00, 3.00]'
    """
    low, high = (value_text(value, is_share) for value in (found.low, found.high))
    return f"{value_text(found.value, is_share)} [{low}, {high}]"


def _table(section: BalanceSection, one: str, two: str) -> str:
    rows = "".join(
        f"<tr{' class=differs' if row.difference.differs else ''}><td>{escape(row.name)}</td>"
        + "".join(
            f"<td>{interval_text(found, row.is_share)}</td>"
            for found in (row.one, row.two, row.difference)
        )
        + "</tr>"
        for row in section.rows
    )
    head = "".join(f"<th>{escape(word)}</th>" for word in ("", one, two, "difference"))
    return f"<table><tr>{head}</tr>{rows}</table>"


def plot(section: BalanceSection, one: str, two: str) -> str:
    """Bars of both games with their intervals, as SVG."""
    rows = section.rows[:24]
    low = min(0.0, *(min(row.one.low, row.two.low) for row in rows))
    high = max(1e-9, *(max(row.one.high, row.two.high) for row in rows))
    tall = MARGIN * 2 + HIGH * len(rows)

    def x(value: float) -> float:
        return LABEL + (WIDTH - LABEL - 20) * (value - low) / (high - low)

    parts = [
        f"<rect x='{LABEL}' y='6' width='12' height='12' fill='{ONE}'/>",
        f"<text x='{LABEL + 17}' y='16'>{escape(one)}</text>",
        f"<rect x='{LABEL + 250}' y='6' width='12' height='12' fill='{TWO}'/>",
        f"<text x='{LABEL + 267}' y='16'>{escape(two)}</text>",
        _line((x(0), MARGIN), (x(0), tall - MARGIN), "#999", 1),
    ]
    for number, row in enumerate(rows):
        parts += _bars(row, MARGIN + HIGH * number, x(0), x)
    first, last = (value_text(value, rows[0].is_share) for value in (low, high))
    parts.append(f"<text x='{LABEL}' y='{tall - 8}'>{first}</text>")
    parts.append(f"<text x='{WIDTH - 20}' y='{tall - 8}' text-anchor='end'>{last}</text>")
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {tall}' width='{WIDTH}' "
        f"role='img' font-family='sans-serif' font-size='12' fill='{INK}'>"
        f"<title>{escape(section.title)}</title>{''.join(parts)}</svg>"
    )


def _bars(row: BalanceRow, y: float, zero: float, x: Callable[[float], float]) -> list[str]:
    parts = [f"<text x='{LABEL - 8}' y='{y + 18:.1f}' text-anchor='end'>{escape(row.name)}</text>"]
    for number, (found, paint) in enumerate(((row.one, ONE), (row.two, TWO))):
        top = y + 3 + 13 * number
        left, right = sorted((zero, x(found.value)))
        middle = top + 5.5
        size = f"width='{right - left:.1f}' height='11'"
        place = f"x='{left:.1f}' y='{top:.1f}'"
        parts.append(f"<rect {place} {size} fill='{paint}' fill-opacity='0.75'/>")
        parts.append(_line((x(found.low), middle), (x(found.high), middle), INK, 1.6))
    return parts


def _line(start: tuple[float, float], end: tuple[float, float], paint: str, wide: float) -> str:
    ends = f"x1='{start[0]:.1f}' y1='{start[1]:.1f}' x2='{end[0]:.1f}' y2='{end[1]:.1f}'"
    return f"<line {ends} stroke='{paint}' stroke-width='{wide}'/>"
