"""What is in the box of The Great Zimbabwe, and how the rulings are answered by default."""

from __future__ import annotations

from attrs import define

from .geometry import Cell, name

COLOURS = ("red", "yellow", "green", "white", "black")
RESOURCES = {"T": "wood", "C": "clay", "I": "ivory", "D": "diamonds"}
TILE_SUPPLY = {"wood": 6, "clay": 4, "ivory": 3, "diamonds": 3}
VALUE = (0, 1, 3, 7, 13, 21)
SPECIALISTS = {
    "shaman": (3, 2),
    "rain ceremony": (1, 3),
    "herd": (6, 2),
    "builder": (2, 2),
    "nomads": (1, 2),
}
GODS = {
    "Shadipinyi": 4, "Elegua": 4, "Dziva": 2, "Eshu": 4, "Gu": 4, "Obatala": 7, "Atete": 5,
    "Tsui-Goab": 3, "Anansi": 5, "Qamata": 2, "Engai": 5, "Xango": -2,
}  # fmt: skip
RULINGS = {
    "start_tile": "as_printed",
    "first_settler": "last_plaque",
    "start_points": "one",
    "nomads_help": "both",
    "pieces": "unlimited",
    "linked_craftsman": "through_hubs",
    "same_turn": "primary_before",
    "claimed_resource": "same_craft",
    "god_in_play": "adored",
    "xango_wins": "equal_margin",
    "dziva_prices": "next_turn",
    "interleaving": "forbidden",
    "different_gifts": "by_craft",
    "disc_of_gu": "moves",
    "monuments_stop": "hub_ways",
}


@define(frozen=True)
class Craft:
    """One kind of craftsman: what is printed on its cards."""

    resource: str
    cost: int
    points: int
    square: bool
    vr: int
    primary: str = ""


CRAFTS = {
    "wood carver": Craft("wood", 2, 1, False, 3),
    "potter": Craft("clay", 2, 1, False, 3),
    "ivory carver": Craft("ivory", 2, 1, True, 2),
    "diamond cutter": Craft("diamonds", 10, 3, True, 1),
    "sculptor": Craft("wood", 4, 2, True, 3, "wood carver"),
    "vessel maker": Craft("clay", 4, 2, True, 3, "potter"),
    "throne maker": Craft("wood", 4, 2, False, 3, "ivory carver"),
}


@define(frozen=True)
class Craftsman:
    """A craftsman on the map."""

    craft: str
    owner: int
    cells: tuple[Cell, ...]

    @property
    def at(self) -> str:
        return name(self.cells[0])


@define(frozen=True)
class Gift:
    """One way to get a gift: who makes it, from what, at which price."""

    maker: Craftsman
    resource: Cell
    hubs: int


def footprint(cell: Cell, shape: str) -> tuple[Cell, ...]:
    r, c = cell
    match shape:
        case "across":
            return (cell, (r, c + 1))
        case "down":
            return (cell, (r + 1, c))
        case _:
            return (cell, (r, c + 1), (r + 1, c), (r + 1, c + 1))
