"""The printed values of the components of Tzolk'in, for the game in plain Python."""

from __future__ import annotations

import re

GEARS = {
    "palenque": "Palenque",
    "yaxchilan": "Yaxchilan",
    "tikal": "Tikal",
    "uxmal": "Uxmal",
    "chichen": "Chichen Itza",
}
TEETH = {"palenque": 10, "yaxchilan": 10, "tikal": 10, "uxmal": 10, "chichen": 13}
TOPS = {"chaac": 6, "quetzalcoatl": 8, "kukulcan": 7}
GODS = {"chaac": "Chaac", "quetzalcoatl": "Quetzalcoatl", "kukulcan": "Kukulcan"}
TRACKS = ("agriculture", "extraction", "architecture", "theology")
CUBES = {"wood": 2, "stone": 3, "gold": 4}
STEP_POINTS = {
    "chaac": (-1, 0, 2, 4, 6, 7, 8),
    "quetzalcoatl": (-2, 0, 1, 2, 4, 6, 9, 12, 13),
    "kukulcan": (-3, 0, 1, 3, 5, 7, 9, 10),
}
GIFTS = {
    "chaac": {2: "stone", 4: "stone"},
    "quetzalcoatl": {3: "gold", 5: "gold"},
    "kukulcan": {2: "wood", 4: "wood"},
}
BONUS = {
    1: {"chaac": 6, "quetzalcoatl": 2, "kukulcan": 4},
    2: {"chaac": 2, "quetzalcoatl": 6, "kukulcan": 4},
}
FIELDS = {2: (4, 0), 3: (5, 2), 4: (7, 3), 5: (9, 4)}
ALTAR = {
    1: (4, "chaac", 0),
    2: (5, "chaac", 0),
    3: (6, "chaac", 0),
    4: (7, "kukulcan", 0),
    5: (8, "kukulcan", 0),
    6: (8, "kukulcan", 1),
    7: (10, "quetzalcoatl", 0),
    8: (11, "quetzalcoatl", 1),
    9: (13, "quetzalcoatl", 1),
}
FOOD_DAYS = (8, 14, 21, 27)

# name, frame, cost in wood, stone and gold, what it gives
BUILDINGS = """
A1-01 farm 100 feeds1
A1-02 farm 100 feeds1
A1-03 farm 100 feeds1
A1-04 farm 400 saves1
A1-05 farm 400 saves1
A1-06 tomb 210 chaac+1 quetzalcoatl+1
A1-07 tomb 120 chaac+1 kukulcan+1
A1-08 tomb 101 temple+1 build
A1-09 civil 200 agriculture+1
A1-10 civil 300 agriculture+1 1stone
A1-11 civil 110 extraction+1 1maize
A1-12 civil 210 extraction+1 1gold
A1-13 shrine 001 architecture+1
A1-14 shrine 011 theology+1 kukulcan+1
A2-01 farm 200 feeds3
A2-02 farm 200 feeds3
A2-03 farm 200 feeds3
A2-04 tomb 030 exchange 6points
A2-05 tomb 111 worker 6points
A2-06 tomb 102 8points
A2-07 tomb 211 any 2points
A2-08 tomb 121 chaac+1 quetzalcoatl+1 kukulcan+1 3points
A2-09 civil 300 track+1 1stone
A2-10 civil 210 track+1 1gold
A2-11 civil 310 track+1 6maize
A2-12 civil 220 track+1 1skull
A2-13 shrine 020 chaac+2 2points
A2-14 shrine 011 architecture+1 3points
A2-15 shrine 002 kukulcan+2 3points
A2-16 shrine 021 theology+1 chaac+1 kukulcan+1
A2-17 shrine 012 track+2
A2-18 shrine 003 quetzalcoatl+2 4points
"""

# name, frame, cost in wood, stone, gold and skulls
MONUMENTS = """
M-01 tomb 3210
M-02 tomb 1320
M-03 tomb 1140
M-04 tomb 1040
M-05 tomb 2220
M-06 civil 2310
M-07 civil 1130
M-08 civil 2130
M-09 civil 3030
M-10 shrine 0230
M-11 shrine 0430
M-12 shrine 0330
M-13 shrine 0041
"""

# printed space, what it gives
WEALTH = """
Palenque-1 3maize quetzalcoatl+1 agriculture+1
Palenque-3 5maize 1gold quetzalcoatl+1
Palenque-5 1stone 1gold agriculture+1
Palenque-7 9maize 1stone
Yaxchilan-1 1wood kukulcan+1 extraction+1
Yaxchilan-3 2maize 2wood kukulcan+1
Yaxchilan-5 4maize 1wood extraction+1
Yaxchilan-7 3maize 2wood 1stone
Tikal-1 2maize chaac+1 architecture+1
Tikal-3 6maize 2stone
Tikal-5 3maize 1gold architecture+1
Tikal-7 6maize 1wood 1stone
Uxmal-1 5maize 1stone chaac+1
Uxmal-3 3maize 1wood feeds1
Uxmal-5 worker
Uxmal-7 8maize 1gold
Chichen-0 4maize 1wood 1skull
Chichen-3 5maize 1stone theology+1
Chichen-5 4maize 3wood
Chichen-7 2maize 2wood theology+1
Chichen-10 7maize 2wood
"""


class Tile:
    """A building, monument or wealth tile."""

    def __init__(self, line: str, columns: int) -> None:
        words = line.split()
        self.name = words[0]
        self.frame, self.cost = (
            (words[1], dict(zip((*CUBES, "skull"), map(int, words[2]), strict=False)))
            if columns
            else ("", {})
        )
        self.effects = words[columns + 1 :]

    def amount(self, word: str) -> int:
        """The number printed with a word, as in `feeds3` or `6points`."""
        for effect in self.effects:
            if word in effect:
                found = re.search(r"\d", effect)
                return int(found[0]) if found else 1
        return 0


def tiles(text: str, columns: int) -> dict[str, Tile]:
    """Tiles by name, one on each line."""
    return {line.split()[0]: Tile(line, columns) for line in text.strip().splitlines()}
