"""Distances on the map of The Great Zimbabwe, in plain Python, written from the rulebook.

A map is a dictionary from (row, column) to a letter, as tiles are printed: `.` land, `S` start
cell, `W` water and a letter for each resource.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

Cell = tuple[int, int]

TILES = {
    "A": "..S..S ...... S..T.. ..C..S ...... S..S..",
    "B": "D..WWW ...WWW C...I. ...... ...... ......",
    "C": "WWWW.T WWWW.. WWWW.. ..ID.. ...... ......",
    "D": "..WW.. .TWWC. ...... ...... ....T. ......",
    "E": ".W.... .W.I.. .W.... .WI... .WWW.. .WWW.T",
    "F": "WW.... WWI... ..C... ...... .D..WW ....WW",
    "G": ".WWWWW .I.... ...T.. ...T.. WW.... WW....",
    "H": "..W... ..WCI. ..WC.. ..W... ..WWWW ..WWWW",
    "I": ".....W .C...W .....W .....W .WWDTW .WW..W",
    "J": "WWWW.. WWWW.. ..T... ...... D....C ......",
    "K": "...... .C..T. WW.... WW.... WWWW.. .WWW.C",
}

LAYOUTS = {2: "Sx xx", 3: "--x -Sx xxx", 4: "xx- xSx -xx", 5: "xxx xSx xxx"}


def slots(players: int) -> list[tuple[int, int, bool]]:
    """Where tiles lie, row by row, and which place is that of the start tile."""
    return [
        (r, c, mark == "S")
        for r, row in enumerate(LAYOUTS[players].split())
        for c, mark in enumerate(row)
        if mark != "-"
    ]


def turned(tile: str, quarters: int) -> list[str]:
    """The rows of a tile after some quarter turns clockwise."""
    rows = TILES[tile].split()
    for _ in range(quarters):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    return rows


def name(cell: Cell) -> str:
    """A cell as people call it: the letter of its column, the number of its row."""
    return "abcdefghijklmnopqr"[cell[1]] + str(cell[0] + 1)


def lakes(ground: Mapping[Cell, str]) -> dict[Cell, Cell]:
    """For each water cell the first cell of its lake; water joins along edges, not at corners."""
    found: dict[Cell, Cell] = {}
    for cell in sorted(ground):
        if ground[cell] != "W" or cell in found:
            continue
        todo = [cell]
        found[cell] = cell
        while todo:
            r, c = todo.pop()
            for beside in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if ground.get(beside) == "W" and beside not in found:
                    found[beside] = cell
                    todo.append(beside)
    return found


class Geometry:
    """Ways over one map. A lake is one place, every other cell is a place of its own."""

    def __init__(self, ground: Mapping[Cell, str]) -> None:
        lake = lakes(ground)
        self.place = {cell: lake.get(cell, cell) for cell in ground}
        self.cells: dict[Cell, list[Cell]] = {}
        for cell, place in self.place.items():
            self.cells.setdefault(place, []).append(cell)
        self.beside: dict[Cell, set[Cell]] = {place: set() for place in self.cells}
        for r, c in ground:
            here = self.place[r, c]
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    there = self.place.get((r + dr, c + dc))
                    if there is not None and there != here:
                        self.beside[here].add(there)

    def steps(self, sources: Collection[Cell], stops: Collection[Cell] = ()) -> dict[Cell, int]:
        """Steps from the nearest source to every cell; no way leads on from a stop but a source."""
        begin = {self.place[cell] for cell in sources}
        far = dict.fromkeys(begin, 0)
        edge = list(begin)
        while edge:
            ahead = []
            for place in edge:
                if place in stops and place not in begin:
                    continue
                for there in self.beside[place]:
                    if there not in far:
                        far[there] = far[place] + 1
                        ahead.append(there)
            edge = ahead
        return {cell: far[place] for cell, place in self.place.items() if place in far}

    def near(
        self, sources: Collection[Cell], reach: int, stops: Collection[Cell] = ()
    ) -> set[Cell]:
        """The cells within reach of some source."""
        return {cell for cell, n in self.steps(sources, stops).items() if n <= reach}

    def hubs(
        self, sources: Collection[Cell], reach: int, monuments: Collection[Cell]
    ) -> dict[Cell, int]:
        """For each cell that can be reached the fewest monuments that serve as hubs on the way."""
        used: dict[Cell, int] = {}
        begin = list(sources)
        count = 0
        while begin:
            fresh = [c for c in sorted(self.near(begin, reach, monuments)) if c not in used]
            used.update(dict.fromkeys(fresh, count))
            begin = [c for c in fresh if c in monuments and c not in sources]
            count += 1
        return used
