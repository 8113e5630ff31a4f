"""The map of The Great Zimbabwe as a picture: tiles, water, resources, craftsmen and monuments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games import pieces, svg
from games.facts import Facts

WIDTH = 756.0
RIM = 24.0
SIDE = 6
LAND, LAND_LINE = "#efe3c4", "#ddcda3"
WATER, WATER_LINE = "#7fb8d8", "#5d9cc0"
START = "#e3b97c"
# Each resource has a colour and a shape of its own; a craft has the colour of its resource's group.
PAINT = {"wood": "#8a5a2b", "clay": "#c4603a", "ivory": "#f7f1dc", "diamonds": "#8fe0ea"}
LETTERS = "abcdefghijklmnopqr"
GROUND = ("land", "start_cell", "water", "monument", "craftsman")
SHORT = {
    "wood_carver": ("Wo", "#a9743f"),
    "potter": ("Po", "#d98260"),
    "ivory_carver": ("Iv", "#f1e6c3"),
    "diamond_cutter": ("Di", "#aee9f0"),
    "sculptor": ("Sc", "#7d4f24"),
    "vessel_maker": ("Ve", "#b24d2a"),
    "throne_maker": ("Th", "#d8c48c"),
}


def craft_of(craftsman: str) -> str:
    """The craft of a craftsman, by its name in the rules.

    >>> craft_of("wood_carver_2")
    'wood_carver'
    """
    return craftsman.rsplit("_", 1)[0]


class Land:
    """Where the cells of a map are drawn."""

    def __init__(self, facts: Facts, x: float, y: float) -> None:
        self.facts, self.x, self.y = facts, x + RIM, y + RIM
        self.columns = facts.numbers("letter")
        self.rows = tuple(n - 1 for n in facts.numbers("number"))
        self.across = max(self.columns) + 1
        self.size = (WIDTH - RIM) / self.across
        self.height = RIM + self.size * (max(self.rows) + 1)

    def corner(self, cell: int) -> svg.Point:
        """The upper left corner of a cell."""
        return self.x + self.columns[cell] * self.size, self.y + self.rows[cell] * self.size

    def centre(self, cell: int) -> svg.Point:
        """The middle of a cell."""
        x, y = self.corner(cell)
        return x + self.size / 2, y + self.size / 2

    def draw(self) -> str:
        """The whole map."""
        kinds = [str(self.facts["kind"][cell]) for cell in range(len(self.rows))]
        parts = [*self._names()]
        parts += [self._ground(cell, kind) for cell, kind in enumerate(kinds)]
        parts += self._tiles()
        parts += [self._shore(cell, kinds) for cell, k in enumerate(kinds) if k == "water"]
        parts += [self._resource(cell, k) for cell, k in enumerate(kinds) if k in PAINT]
        parts += self._craftsmen()
        parts += [self._monument(cell) for cell, k in enumerate(kinds) if k == "monument"]
        return svg.group(parts, class_="map")

    def _names(self) -> Iterator[str]:
        for c in range(self.across):
            x = self.x + (c + 0.5) * self.size
            yield svg.text(x, self.y - 8, LETTERS[c], 13, svg.MUTED, "middle")
        for r in range(max(self.rows) + 1):
            y = self.y + (r + 0.5) * self.size + 5
            yield svg.text(self.x - 8, y, str(r + 1), 13, svg.MUTED, "end")

    def _ground(self, cell: int, kind: str) -> str:
        x, y = self.corner(cell)
        s = self.size
        fill = WATER if kind == "water" else LAND
        line = WATER if kind == "water" else LAND_LINE
        parts = [svg.rect(x, y, s, s, fill, line, stroke_width=1)]
        if kind == "start_cell":
            parts.append(
                svg.rect(x + 4, y + 4, s - 8, s - 8, START, "#b98a45", 5, stroke_dasharray="3 2")
            )
        name = f"{LETTERS[self.columns[cell]]}{self.rows[cell] + 1}"
        told = f"{name}: {kind.replace('_', ' ')}"
        return svg.place([name], parts, told, class_=kind if kind in GROUND[:3] else None)

    def _tiles(self) -> Iterator[str]:
        """The edges of the tiles."""
        for first in range(0, len(self.rows), SIDE * SIDE):
            x, y = self.corner(first)
            yield svg.rect(
                x, y, SIDE * self.size, SIDE * self.size, "none", "#a08a5c", stroke_width=2
            )

    def _shore(self, cell: int, kinds: list[str]) -> str:
        """Lines along the water, where it ends."""
        at = {(self.rows[k], self.columns[k]): k for k in range(len(kinds))}
        r, c = self.rows[cell], self.columns[cell]
        x, y = self.corner(cell)
        s = self.size
        sides = {
            (-1, 0): ((x, y), (x + s, y)),
            (1, 0): ((x, y + s), (x + s, y + s)),
            (0, -1): ((x, y), (x, y + s)),
            (0, 1): ((x + s, y), (x + s, y + s)),
        }
        lines = []
        for (dr, dc), (start, end) in sides.items():
            other = at.get((r + dr, c + dc))
            if other is None or kinds[other] != "water":
                lines.append(svg.line(start, end, WATER_LINE, 2.5))
        return "".join(lines)

    def _resource(self, cell: int, kind: str) -> str:
        x, y = self.centre(cell)
        r = self.size * 0.32
        paint = PAINT[kind]
        match kind:
            case "wood":
                shape = svg.circle(x, y, r, paint, "#4c2f12", stroke_width=1.5)
                shape += svg.circle(x, y, r * 0.5, "none", "#d9b07c", stroke_width=1.5)
            case "clay":
                shape = svg.rect(x - r, y - r * 0.7, 2 * r, 1.4 * r, paint, "#6e2c14", 4)
            case "ivory":
                d = f"M{x - r:.1f} {y - r:.1f} Q{x + r:.1f} {y - r:.1f} {x + r:.1f} {y + r:.1f}"
                d += f" Q{x + r * 0.2:.1f} {y:.1f} {x - r:.1f} {y - r:.1f} Z"
                shape = svg.path(d, paint, stroke="#8b8060", stroke_width=1.6)
            case _:
                points = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
                shape = svg.polygon(points, paint, "#2f8d99", stroke_width=1.6)
        marks = [self._cross(x, y, r, n) for n in range(self.facts["used"][cell])]
        return svg.group([shape, *marks], class_=f"resource {kind}")

    def _cross(self, x: float, y: float, r: float, number: int) -> str:
        """A used marker; the second one lies a little to the side."""
        x += number * r * 0.5
        parts = [
            svg.line((x - r, y - r * sign), (x + r, y + r * sign), "#1d1b18", 3.2)
            for sign in (-1, 1)
        ]
        return svg.group(parts, class_="used")

    def _craftsmen(self) -> Iterator[str]:
        standing: dict[str, list[int]] = {}
        for cell in range(len(self.rows)):
            who = self.facts["stands"][cell]
            if who is not None:
                standing.setdefault(str(who), []).append(cell)
        for who, cells in standing.items():
            yield self._craftsman(who, cells, self.facts["owner"][who])

    def _craftsman(self, who: str, cells: list[int], owner: Any) -> str:
        corners = [self.corner(cell) for cell in cells]
        left, top = min(c[0] for c in corners), min(c[1] for c in corners)
        wide = max(c[0] for c in corners) - left + self.size
        high = max(c[1] for c in corners) - top + self.size
        word, paint = SHORT[craft_of(who)]
        dark = craft_of(who) in ("sculptor", "vessel_maker", "wood_carver")
        x, y = left + wide / 2, top + high / 2
        r = self.size * 0.2
        parts = [
            svg.rect(left + 2, top + 2, wide - 4, high - 4, paint, "#4a3b22", 6, stroke_width=2),
            svg.text(x, y + self.size * 0.04, word, self.size * 0.42,
                     "#ffffff" if dark else svg.INK, "middle", bold=True),
            pieces.disc(x, y + self.size * 0.27, max(r, 7), self.facts.names, owner, "marker"),
        ]  # fmt: skip
        return svg.group(parts, class_=f"craftsman {craft_of(who)}")

    def _monument(self, cell: int) -> str:
        """A stack of discs, as high as its level, with the number on top."""
        x, y = self.centre(cell)
        names, owner = self.facts.names, self.facts["builder_of"][cell]
        level = self.facts["level"][cell]
        paint = pieces.colours(names, owner)
        r = self.size * 0.36
        parts = [
            svg.circle(x, y + 3 - 2.2 * k, r, paint.fill, paint.edge, stroke_width=1.4)
            for k in range(level)
        ]
        top = y + 3 - 2.2 * (level - 1)
        parts.append(svg.text(x, top + r * 0.42, str(level), r * 1.2, paint.ink, "middle", True))
        mark = pieces.letter(names, owner)
        left, low = x + r * 0.85, y + r * 0.9
        parts.append(svg.circle(left, low, r * 0.42, LAND, paint.edge, stroke_width=1))
        parts.append(svg.text(left, low + r * 0.24, mark, r * 0.66, svg.INK, "middle", True))
        return svg.group(parts, class_=f"monument {names[owner]}")
