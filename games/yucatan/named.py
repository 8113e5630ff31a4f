"""Words that stand for components: each is a place to click, and says what is printed there."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from games import svg
from games.facts import Facts
from games.yucatan import marks

LEADING = 17.0
# Between words, and what their width may be underestimated by.
GAP, SPREAD = 8.0, 1.06
# The columns of the two lines that hold on an occasion or are paid for.
LINES = (("when", "cost", "gives", "amount"), ("also", "also_cost", "also_gives", "also_amount"))


@frozen
class Named:
    """A word of a drawing; with a key it can be clicked and tells more."""

    words: str
    key: str = ""
    told: str = ""


Row = list[tuple[float, Named]]


def component(facts: Facts, table: str, name: str) -> Named:
    """A component by its name, with what is printed on it."""
    return Named(marks.starred(facts, table, name), name, told(facts, table, name))


def told(facts: Facts, table: str, name: str) -> str:
    """What is printed on a component that has a face; provisional values say so."""
    sure = "" if not marks.star(facts, table, name) else f" ({marks.PROVISIONAL})"
    return f"{facts.label(table, name)}: {printed(facts, table, name)}{sure}"


def printed(facts: Facts, table: str, name: str) -> str:
    """The symbols of a component: those that always hold, then its lines."""
    face = facts.entry(table, "face", name)
    symbols = facts.values("Symbol")
    always = facts.numbers("shows")[face * len(symbols) : (face + 1) * len(symbols)]
    parts = [
        f"{facts.label('Symbol', symbol)} {n}"
        for symbol, n in zip(symbols, always, strict=True)
        if n
    ]
    for when, cost, gives, amount in LINES:
        occasion, price, gift, worth = (
            next(iter(facts.numbers(f"Face.{column}")[face : face + 1]), 0)
            for column in (when, cost, gives, amount)
        )
        if occasion:
            label = facts.label("Occasion", facts.values("Occasion")[occasion])
            head = f"{label} {price}" if price else label
            parts.append(f"{head}: {facts.label('Symbol', symbols[gift])} {worth}")
    return "; ".join(parts) or "nothing"


def rows(items: Iterable[Named], width: float, size: float) -> list[Row]:
    """Words side by side, in lines of about this width."""
    found: list[Row] = [[]]
    at = 0.0
    for item in items:
        wide = SPREAD * svg.width_of(item.words, size) + GAP
        if found[-1] and at + wide - GAP > width:
            found.append([])
            at = 0.0
        found[-1].append((at, item))
        at += wide
    return found


def draw(lines: list[Row], x: float, y: float, size: float) -> str:
    """Lines of words, the first with its base line at y."""
    parts = []
    for k, row in enumerate(lines):
        base = y + k * LEADING
        for at, item in row:
            words = svg.text(x + at, base, item.words, size)
            if item.key:
                wide = svg.width_of(item.words, size)
                frame = svg.rect(x + at - 2, base - size, wide + 4, size + 4, "none", None, 3)
                words = svg.place([item.key], [frame, words], item.told or item.words)
            parts.append(words)
    return "".join(parts)
