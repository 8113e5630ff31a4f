"""Effects of tiles in Tzolk'in: goods, workers, temples, technology."""

from __future__ import annotations

from collections.abc import Generator
from itertools import combinations_with_replacement

from tests.games.side_by_side import Course, Step

from .components import (
    CUBES,
    GODS,
    TOPS,
    TRACKS,
)
from .table import Table


class Effects(Table):
    """A position, and the effects of the symbols on tiles."""

    def draw(self, pile: list[str]) -> Generator[Step, str, str]:
        move = yield None, [f"draw {x}" for x in pile]
        name = move.removeprefix("draw ")
        pile.remove(name)
        return name

    def refill(self) -> Course:
        while self.gaps:
            self.gaps -= 1
            stack = self.stacks[1 if self.held < 2 else 2]
            if stack:
                self.offer.append((yield from self.draw(stack)))

    def effect(self, p: int, effect: str) -> Course:
        """One symbol on a building or wealth tile (actions it grants are not done here)."""
        if "+" in effect:
            name, times = effect.split("+")
            for _ in range(int(times)):
                if name in TOPS:
                    self.rise(p, name)
                elif name in TRACKS:
                    yield from self.climb(p, name, free=True)
                elif name == "temple":
                    yield from self.rise_anywhere(p)
                else:
                    move = yield p, [f"study {t}" for t in TRACKS]
                    yield from self.climb(p, move.removeprefix("study "), free=True)
        elif effect == "worker":
            self.worker(p)
        elif effect[0].isdigit():
            n, what = int(effect[0]), effect[1:]
            if what == "points":
                self.points[p] += n
            elif what == "skull":
                self.take_skulls(p, n)
            else:
                self.goods[p][what] += n

    def worker(self, p: int) -> None:
        if self.reserve[p]:
            self.reserve[p] -= 1
            self.hand[p] += 1

    def take_skulls(self, p: int, n: int) -> None:
        if self.ruled("short_skulls", "nothing") and n > self.skulls:
            return
        n = min(n, self.skulls)
        self.skulls -= n
        self.goods[p]["skull"] += n

    def rise(self, p: int, t: str) -> None:
        if self.can_rise(p, t):
            self.step[p][t] += 1
            if self.step[p][t] == TOPS[t]:
                self.light[p] = True

    def rise_anywhere(self, p: int) -> Course:
        temples = [t for t in TOPS if self.may_rise(p, t)]
        if temples:
            move = yield p, [f"rise in {GODS[t]}" for t in temples]
            self.rise(p, move.split()[-1].lower())

    def climb(self, p: int, track: str, free: bool) -> Course:
        if self.level[p][track] < 3:
            self.level[p][track] += 1
        elif free and self.ruled("top_level", "nothing"):
            return
        elif track == "agriculture":
            yield from self.rise_anywhere(p)
        elif track == "extraction":
            pairs = combinations_with_replacement(CUBES, 2)
            move = yield p, [f"take {a} and {b}" for a, b in pairs]
            for cube in move.split()[1::2]:
                self.goods[p][cube] += 1
        elif track == "architecture":
            self.points[p] += 3
        else:
            self.take_skulls(p, 1)
