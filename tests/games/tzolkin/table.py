"""What lies on the table in the game in plain Python, and what can be read off it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from .components import (
    BUILDINGS,
    CUBES,
    FIELDS,
    GEARS,
    MONUMENTS,
    STEP_POINTS,
    TEETH,
    TOPS,
    TRACKS,
    WEALTH,
    tiles,
)


class Table:
    """The state of one game."""

    def __init__(self, players: int, **rulings: str) -> None:
        self.n = players
        self.rulings = rulings
        self.seats = range(players)
        self.day, self.held, self.first = 1, 0, 0
        self.space: int | None = None
        self.board: dict[str, list[Any]] = {g: [None] * TEETH[g] for g in GEARS}
        self.hand = [3] * players
        self.reserve = [3] * players
        self.points = [0] * players
        self.light = [True] * players
        self.step = [dict.fromkeys(TOPS, 1) for _ in self.seats]
        self.level = [dict.fromkeys(TRACKS, 0) for _ in self.seats]
        self.goods: list[Counter[str]] = [Counter() for _ in self.seats]
        self.skulls = 13
        self.wheel = 0
        self.altar: set[int] = set()
        self.maize_tiles = dict.fromkeys(FIELDS, players)
        self.wood_tiles = {k: players if k > 2 else 0 for k in FIELDS}
        self.buildings = tiles(BUILDINGS, 2)
        self.all_monuments = tiles(MONUMENTS, 2)
        self.wealth = tiles(WEALTH, 0)
        self.offer: list[str] = []
        self.monuments: list[str] = []
        self.built: list[list[str]] = [[] for _ in self.seats]
        self.raised: list[list[str]] = [[] for _ in self.seats]
        self.kept: list[list[str]] = [[] for _ in self.seats]
        self.stacks = {age: [b for b in self.buildings if b[1] == str(age)] for age in (1, 2)}
        self.gaps = 0
        self.placed = 0
        self.skill_spent = False
        self.waiting: list[str] = []

    # ---- small questions ------------------------------------------------------------------------

    def ruled(self, name: str, value: str) -> bool:
        return self.rulings.get(name) == value

    def on_gears(self, p: int) -> int:
        return sum(row.count(p) for row in self.board.values())

    def lowest(self, g: str) -> int | None:
        last = TEETH[g] - 3
        return next((k for k in range(last + 1) if self.board[g][k] is None), None)

    def cubes(self, p: int) -> int:
        return sum(self.goods[p][r] for r in CUBES)

    def can_rise(self, p: int, t: str) -> bool:
        to = self.step[p][t] + 1
        return to < TOPS[t] or (to == TOPS[t] and all(self.step[q][t] < to for q in self.seats))

    def may_rise(self, p: int, t: str) -> bool:
        return not self.ruled("wasted_steps", "forbidden") or self.can_rise(p, t)

    # ---- the end --------------------------------------------------------------------------------

    def scores(self) -> list[Fraction]:
        return [self.score(p) for p in self.seats]

    def score(self, p: int) -> Fraction:
        goods = self.goods[p]
        quarters = goods["maize"] + sum(price * goods[r] for r, price in CUBES.items())
        if self.ruled("quarter_points", "rounded_down"):
            quarters -= quarters % 4
        total = Fraction(self.points[p]) + Fraction(quarters, 4) + 3 * goods["skull"]
        return total + sum(self.monument_points(p, m) for m in self.raised[p])

    def monument_points(self, p: int, m: str) -> int:
        frames = Counter(self.buildings[b].frame for b in self.built[p])
        frames.update(self.all_monuments[x].frame for x in self.raised[p])
        mastered = sum(level == 3 for level in self.level[p].values())
        steps = [STEP_POINTS[t][k] for t, k in self.step[p].items()]
        if self.ruled("temple_monument", "gains_only"):
            steps = [max(0, x) for x in steps]
        return {
            "M-01": 4 * frames["tomb"],
            "M-02": 2 * sum(frames.values()),
            "M-03": 4 * self.goods[p]["maize_tile"],
            "M-04": 4 * self.goods[p]["wood_tile"],
            "M-05": {2: 6, 3: 5, 4: 4}[self.n] * sum(map(len, self.raised)),
            "M-06": 4 * frames["civil"],
            "M-07": (0, 9, 20, 33, 33)[mastered],
            "M-08": 3 * sum(self.level[p].values()),
            "M-09": 6 * (3 - self.reserve[p]),
            "M-10": 4 * frames["shrine"],
            "M-11": sum(steps),
            "M-12": 3 * max(0, *(k - 1 for k in self.step[p].values())),
            "M-13": 3 * len(self.altar),
        }[m]

    def winners(self) -> list[int]:
        keys = [(score, self.on_gears(p)) for p, score in enumerate(self.scores())]
        return [p for p in self.seats if keys[p] == max(keys)]
