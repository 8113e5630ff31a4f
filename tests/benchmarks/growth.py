"""Draws the time of a decision on boards of 36 to 900 cells: python -m tests.benchmarks.growth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.wide_boards import SIDES, Speed, measure

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "pages" / "pictures" / "growth.svg"
WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 640, 320, 60, 50, 30


def costs(speeds: list[Speed]) -> list[tuple[int, float, float]]:
    """For each board its cells, and a decision and one of its moves next to the smallest board's.

    >>> from tests.benchmarks.wide_boards import Speed
    >>> costs([Speed(36, 9, 10.0, 0.5, 3.0), Speed(72, 9, 20.0, 0.25, 3.0)])
    [(36, 1.0, 1.0), (72, 2.0, 1.0)]
    """
    first = speeds[0]
    return [
        (
            speed.cells,
            first.ratio / speed.ratio,
            first.ratio * first.moves / (speed.ratio * speed.moves),
        )
        for speed in speeds
    ]


def drawing(found: list[tuple[int, float, float]]) -> str:
    """The picture: a line for a decision, one for each of its moves, and the cells to compare."""
    cells = [float(number) for number, _, _ in found]
    lines = [
        ("cells", "#999999", [number / cells[0] for number in cells]),
        ("a decision", "#1f5fbf", [decision for _, decision, _ in found]),
        ("one of its moves", "#bf3f1f", [move for _, _, move in found]),
    ]
    highest = max(max(values) for _, _, values in lines)
    return "\n".join(_svg(cells, lines, highest)) + "\n"


def _svg(
    cells: list[float], lines: list[tuple[str, str, list[float]]], highest: float
) -> Iterator[str]:
    across, up = (WIDTH - 2 * LEFT) / cells[-1], (HEIGHT - BELOW - ABOVE) / highest
    floor = HEIGHT - BELOW
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<path d="M{LEFT} {ABOVE}V{floor}H{WIDTH - LEFT}" stroke="black" fill="none"/>'
    for number in cells:
        x = LEFT + number * across
        yield f'<text x="{x:.0f}" y="{floor + 18}" text-anchor="middle">{number:.0f}</text>'
    yield f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">cells</text>'
    for value in (1, round(highest / 2), round(highest)):
        y = floor - value * up
        yield f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{value}×</text>'
    for at, (name, colour, values) in enumerate(lines):
        points = " ".join(
            f"{LEFT + number * across:.1f},{floor - value * up:.1f}"
            for number, value in zip(cells, values, strict=True)
        )
        yield f'<polyline points="{points}" stroke="{colour}" stroke-width="2" fill="none"/>'
        yield f'<text x="{LEFT + 14}" y="{ABOVE + 16 * (at + 1)}" fill="{colour}">{name}</text>'
    yield "</svg>"


if __name__ == "__main__":
    rows = costs([measure(side) for side in SIDES])
    PICTURE.write_text(drawing(rows), encoding="utf-8")
    for row in rows:
        print("{} cells: a decision {:.2f} times the least board's, a move {:.2f}".format(*row))
