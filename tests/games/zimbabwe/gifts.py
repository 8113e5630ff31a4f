"""Gifts for the rituals of The Great Zimbabwe: which can be had, and which complete a ritual."""

from __future__ import annotations

from .components import (
    CRAFTS,
    RESOURCES,
    Craftsman,
    Gift,
)
from .geometry import Cell
from .land import Land


class Gifts(Land):
    """A position, and the gifts that can be had in it."""

    def superseded(self, craft: str) -> bool:
        return any(CRAFTS[k.craft].primary == craft for k in self.craftsmen)

    def left(self, p: int, cell: Cell) -> bool:
        if self.says["pieces"] == "as_in_the_box" and self.used.total() >= 25:
            return False
        return self.used[cell] < (2 if self.god[p] == "Atete" else 1)

    def makers(self, p: int, craft: str, hubs: dict[Cell, int]) -> list[Gift]:
        """Craftsmen of a craft within reach, each with a resource that it may use up."""
        out = []
        for k in self.of_craft(craft):
            away = [hubs[c] for c in k.cells if c in hubs]
            if not away:
                continue
            for x in sorted(self.in_sight(k.cells, self.reach(p))):
                fits = RESOURCES.get(self.ground[x]) == CRAFTS[craft].resource and self.left(p, x)
                if fits and self.herd[p] >= self.cost(p, k) + min(away):
                    out.append(Gift(k, x, min(away)))
        return out

    def cost(self, p: int, maker: Craftsman) -> int:
        return 1 if self.god[p] == "Anansi" else self.price[maker.owner][maker.craft]

    def allowed(self, p: int, craft: str, given: list[str]) -> bool:
        if self.superseded(craft):
            return False
        if self.god[p] == "Tsui-Goab":
            return True
        if self.says["different_gifts"] == "by_resource":
            return CRAFTS[craft].resource not in {CRAFTS[g].resource for g in given}
        return craft not in given

    def pay(self, p: int, gift: Gift) -> None:
        price = self.cost(p, gift.maker)
        self.herd[p] -= price + gift.hubs
        self.on_card[gift.maker.owner][gift.maker.craft] += price
        if self.qamata():
            self.fees += gift.hubs
        self.used[gift.resource] += 1

    def unpay(self, p: int, gift: Gift) -> None:
        price = self.cost(p, gift.maker)
        self.herd[p] += price + gift.hubs
        self.on_card[gift.maker.owner][gift.maker.craft] -= price
        if self.qamata():
            self.fees -= gift.hubs
        self.used[gift.resource] -= 1

    def qamata(self) -> bool:
        on_offer = self.says["god_in_play"] == "on_offer" and "Qamata" in self.gods
        return "Qamata" in self.god or on_offer

    def first_gifts(self, p: int, spot: Cell, given: list[str]) -> list[Gift]:
        hubs = self.hubs_from(p, [spot])
        return [
            g
            for craft in CRAFTS
            if self.allowed(p, craft, given)
            for g in self.makers(p, craft, hubs)
        ]

    def helpers(self, p: int, maker: Craftsman) -> list[Gift]:
        return self.makers(p, CRAFTS[maker.craft].primary, self.hubs_from(p, maker.cells))

    def can_finish(self, p: int, spot: Cell, need: int, given: list[str]) -> bool:
        """Whether the gifts that are still needed can all be had."""
        return Search(self, p, spot).gifts(need, given)


class Search:
    """Looks for gifts that complete a ritual, trying one after another and taking them back."""

    def __init__(self, game: Gifts, p: int, spot: Cell) -> None:
        self.game, self.p, self.spot = game, p, spot
        self.failed: set[tuple[object, ...]] = set()

    def gifts(self, need: int, given: list[str]) -> bool:
        if need == 0:
            return True
        used = tuple(sorted((+self.game.used).items()))
        key = (tuple(sorted(given)), self.game.herd[self.p], used)
        if key in self.failed:
            return False
        if any(
            self.gift(g, need - 1, given) for g in self.game.first_gifts(self.p, self.spot, given)
        ):
            return True
        self.failed.add(key)
        return False

    def gift(self, gift: Gift, need: int, given: list[str]) -> bool:
        """Whether the ritual can be completed after this gift."""
        craft = gift.maker.craft
        self.game.pay(self.p, gift)
        if CRAFTS[craft].primary:
            helpers = self.game.helpers(self.p, gift.maker)
            done = any(self.help(h, need, [*given, craft]) for h in helpers)
        else:
            done = self.gifts(need, [*given, craft])
        self.game.unpay(self.p, gift)
        return done

    def help(self, helper: Gift, need: int, given: list[str]) -> bool:
        self.game.pay(self.p, helper)
        done = self.gifts(need, given)
        self.game.unpay(self.p, helper)
        return done
