"""The map of The Great Zimbabwe, what is on it, and what every player owns and needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from .components import (
    CRAFTS,
    GODS,
    RESOURCES,
    RULINGS,
    TILE_SUPPLY,
    VALUE,
    Craftsman,
)
from .geometry import Cell, Geometry


class Land:
    """A position."""

    def __init__(self, players: int, **rulings: str) -> None:
        self.n = players
        self.says = {**RULINGS, **rulings}
        self.ground: dict[Cell, str] = {}
        self.monuments: dict[Cell, tuple[int, int]] = {}
        self.craftsmen: list[Craftsman] = []
        self.used: Counter[Cell] = Counter()
        self.tiles_left = Counter(TILE_SUPPLY)
        self.water_left = 8
        self.herd = [3] * players
        self.vr = [20] * players
        self.discs: list[int] = []
        self.order: list[int] = []
        self.gods = list(GODS)
        self.god: list[str | None] = [None] * players
        self.hired: list[list[str]] = [[] for _ in range(players)]
        self.cards: list[dict[str, int]] = [{} for _ in range(players)]
        self.price: list[dict[str, int]] = [{} for _ in range(players)]
        self.on_card: list[Counter[str]] = [Counter() for _ in range(players)]
        self.fees = 0
        self.plaques: list[int] = []
        self.geometry: Geometry | None = None
        self.seen_from: dict[tuple[frozenset[Cell], int], set[Cell]] = {}
        self.hubs_to: dict[tuple[frozenset[Cell], int], dict[Cell, int]] = {}
        # The turn at hand.
        self.taken = False
        self.acted = False
        self.rested: set[str] = set()
        self.raised: set[Cell] = set()
        self.placed: set[str] = set()
        self.there_before: set[str] = set()

    def ways(self) -> Geometry:
        if self.geometry is None:
            self.geometry = Geometry(self.ground)
        return self.geometry

    def set_ground(self, cell: Cell, kind: str) -> None:
        self.ground[cell] = kind
        self.geometry = None
        self.forget_ways()

    def set_monument(self, cell: Cell, owner: int, level: int) -> None:
        self.monuments[cell] = (owner, level)
        self.forget_ways()

    def forget_ways(self) -> None:
        self.seen_from.clear()
        self.hubs_to.clear()

    def reach(self, p: int) -> int:
        return 6 if self.god[p] == "Eshu" else 3

    def standing(self) -> set[Cell]:
        return {c for k in self.craftsmen for c in k.cells}

    def empty(self) -> list[Cell]:
        built = self.standing() | set(self.monuments)
        return [c for c, kind in self.ground.items() if kind == "." and c not in built]

    def stops(self) -> Collection[Cell]:
        return self.monuments if self.says["monuments_stop"] == "all_ways" else ()

    def in_sight(self, cells: Iterable[Cell], reach: int) -> set[Cell]:
        """What a craftsman on these cells gets at without hubs."""
        key = (frozenset(cells), reach)
        if key not in self.seen_from:
            self.seen_from[key] = self.ways().near(key[0], reach, self.stops())
        return self.seen_from[key]

    def resources(self, kind: str) -> list[Cell]:
        return [c for c, mark in self.ground.items() if RESOURCES.get(mark) == kind]

    def points(self, p: int) -> int:
        stones = sum(VALUE[level] for owner, level in self.monuments.values() if owner == p)
        people = sum(CRAFTS[k.craft].points for k in self.craftsmen if k.owner == p)
        return stones + people + (self.says["start_points"] == "two")

    def has_disc(self, p: int) -> bool:
        """One of the 22 discs of a player lies on the track."""
        built = sum(level for owner, level in self.monuments.values() if owner == p)
        return self.says["pieces"] == "unlimited" or built < 21

    def card_vr(self, p: int, craft: str) -> int:
        copies = sum(craft in cards for cards in self.cards)
        return 1 if self.god[p] == "Gu" else CRAFTS[craft].vr + copies

    def god_vr(self, p: int, god: str) -> int:
        rebate = sum(vr - 1 for vr in self.cards[p].values()) if god == "Gu" else 0
        return GODS[god] - rebate

    def require_more(self, p: int, change: int) -> None:
        self.vr[p] += change
        if change or self.says["disc_of_gu"] == "moves":
            self.discs.remove(p)
            self.discs.append(p)

    def plaque_order(self) -> list[int]:
        return sorted(range(self.n), key=lambda p: (-self.vr[p], self.discs.index(p)))

    def of_craft(self, craft: str) -> list[Craftsman]:
        return [k for k in self.craftsmen if k.craft == craft]

    def hubs_from(self, p: int, cells: Iterable[Cell]) -> dict[Cell, int]:
        key = (frozenset(cells), self.reach(p))
        if key not in self.hubs_to:
            self.hubs_to[key] = self.ways().hubs(key[0], key[1], self.monuments)
        return self.hubs_to[key]
