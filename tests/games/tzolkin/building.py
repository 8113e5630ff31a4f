"""Buildings and monuments of Tzolk'in: their costs, and how they are built."""

from __future__ import annotations

from tests.games.side_by_side import Course

from .components import (
    CUBES,
)
from .effects import Effects


class Building(Effects):
    """A position, and the buildings that can be built in it."""

    def short(self, p: int, name: str) -> int:
        cost = self.buildings[name].cost
        return sum(max(0, cost[r] - self.goods[p][r]) for r in CUBES)

    def buildable(self, p: int, skilled: bool) -> list[str]:
        spare = int(skilled and self.level[p]["architecture"] >= 3)
        return [b for b in self.buildings if b in self.offer and self.short(p, b) <= spare]

    def maize_price(self, p: int, name: str) -> int:
        cubes = sum(self.buildings[name].cost.values())
        return 2 * cubes - 2 * (self.level[p]["architecture"] >= 3)

    def buildable_for_maize(self, p: int, maize: int) -> list[str]:
        if self.ruled("architecture_maize", "before_paying"):
            maize += self.level[p]["architecture"] >= 1
        return [b for b in self.buildings if b in self.offer and self.maize_price(p, b) <= maize]

    def raisable(self, p: int) -> list[str]:
        return [
            m
            for m, tile in self.all_monuments.items()
            if m in self.monuments and all(self.goods[p][r] >= n for r, n in tile.cost.items())
        ]

    def pay(self, p: int, name: str, skilled: bool) -> Course:
        cost = dict(self.buildings[name].cost)
        goods = self.goods[p]
        if skilled and self.level[p]["architecture"] >= 3:
            if self.short(p, name):
                cost = {r: min(n, goods[r]) for r, n in cost.items()}
            else:
                must = self.ruled("discount", "obligatory")
                moves = [f"save 1 {r}" for r in CUBES if cost[r]] + ["pass"] * (not must)
                move = yield p, moves
                if move != "pass":
                    cost[move.split()[-1]] -= 1
        for r, n in cost.items():
            goods[r] -= n

    def erect(self, p: int, name: str, skilled: bool, lent: int = 0) -> Course:
        self.offer.remove(name)
        self.built[p].append(name)
        self.gaps += 1
        late = self.ruled("own_level", "after")

        def reward() -> None:
            level = self.level[p]["architecture"] if skilled else 0
            if level >= 1:
                self.goods[p]["maize"] += 1 - lent
                self.skill_spent = True
            if level >= 2:
                self.points[p] += 2

        if not late:
            reward()
        for effect in self.buildings[name].effects:
            yield from self.effect(p, effect)
        if {"build", "exchange", "any"} & set(self.buildings[name].effects):
            self.waiting.append(name)
        if late:
            reward()

    def build_one(self, p: int, skilled: bool, optional: bool) -> Course:
        moves = [f"build {b}" for b in self.buildable(p, skilled)]
        if moves:
            move = yield p, moves + ["pass"] * optional
            if move != "pass":
                name = move.split()[1]
                yield from self.pay(p, name, skilled)
                yield from self.erect(p, name, skilled)

    def build_for_maize(self, p: int) -> Course:
        names = self.buildable_for_maize(p, self.goods[p]["maize"])
        name = (yield p, [f"build {b} for maize" for b in names]).split()[1]
        price = self.maize_price(p, name)
        lent = max(0, price - self.goods[p]["maize"])
        self.goods[p]["maize"] -= price - lent
        yield from self.erect(p, name, True, lent)

    def build_two(self, p: int) -> Course:
        self.skill_spent = False
        moves = [f"build {b}" for b in self.buildable(p, True)]
        if self.level[p]["architecture"] or self.ruled("own_level", "after"):
            moves += [f"build {b} without architecture" for b in self.buildable(p, False)]
        move = yield p, moves + [f"build {m}" for m in self.raisable(p)]
        first = move.split()[1]
        if first in self.all_monuments:
            for r, n in self.all_monuments[first].cost.items():
                self.goods[p][r] -= n
                if r == "skull" and not self.ruled("spent_skull", "leaves"):
                    self.skulls += n
            self.monuments.remove(first)
            self.raised[p].append(first)
            return
        skilled = "without" not in move
        yield from self.pay(p, first, skilled)
        yield from self.erect(p, first, skilled)
        yield from self.build_one(p, not self.skill_spent, optional=True)
