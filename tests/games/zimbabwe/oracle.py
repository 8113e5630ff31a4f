"""The Great Zimbabwe once more, in plain Python, written from the rulebook and not from the rules.

It plays as a generator: it yields who decides (`None` for chance) and the moves on offer, in the
notation of the rule files, and is sent the move that is made. `test_oracle` plays it side by side
with the compiled rules.
"""

from __future__ import annotations

from itertools import count

from tests.games.side_by_side import Course

from .components import (
    COLOURS,
    CRAFTS,
    RESOURCES,
    SPECIALISTS,
    Craftsman,
    Gift,
    footprint,
)
from .geometry import TILES, Cell, name, slots, turned
from .gifts import Gifts, Search


class Oracle(Gifts):
    """A game in progress."""

    # ---- set-up ---------------------------------------------------------------------------------

    def lay_out_map(self) -> Course:
        stack = [t for t in TILES if t != "A"]
        for r, c, start in slots(self.n):
            quarters = 0
            tile = "A"
            if not start:
                tile = (yield None, [f"draw {t}" for t in stack]).split()[1]
                stack.remove(tile)
            if not start or self.says["start_tile"] == "turned":
                quarters = int((yield None, [f"roll {k}" for k in range(4)]).split()[1])
            for i, row in enumerate(turned(tile, quarters)):
                for j, kind in enumerate(row):
                    self.set_ground((6 * r + i, 6 * c + j), kind)

    def prepare(self) -> Course:
        yield from self.lay_out_map()
        while len(self.discs) < self.n:
            left = [COLOURS[p] for p in range(self.n) if p not in self.discs]
            drawn = yield None, [f"draw {c}" for c in left]
            self.discs.append(COLOURS.index(drawn.split()[1]))
        from_the_top = self.says["first_settler"] == "last_plaque"
        settlers = self.discs[::-1] if from_the_top else list(self.discs)
        while len(self.gods) > 8:
            self.gods.remove((yield None, [f"draw {g}" for g in self.gods])[5:])
        for p in settlers:
            free = {
                name(c): c
                for c, kind in self.ground.items()
                if kind == "S" and c not in self.monuments
            }
            move = yield p, [f"settle on {c}" for c in free]
            self.set_monument(free[move.split()[-1]], p, 1)

    # ---- phase I --------------------------------------------------------------------------------

    def auction(self) -> Course:
        bidders = self.plaque_order()
        drunk = "Shadipinyi" in self.god or (
            self.says["god_in_play"] == "on_offer" and "Shadipinyi" in self.gods
        )
        plaques: list[int | None] = [None] if drunk else []
        plaques += bidders
        lying = [0] * len(plaques)
        spot, high = 0, 0
        first_gift = set(bidders)
        active = list(bidders)
        late: list[int] = []
        while len(active) > 1:
            p = active.pop(0)
            grant = 3 if self.god[p] == "Elegua" and p in first_gift else 0
            bids = [f"bid {n}" for n in range(high + 1, self.herd[p] + grant + 1)]
            move = yield p, ["pass", *bids]
            if move == "pass":
                late.insert(0, p)
                continue
            active.append(p)
            high = int(move.split()[1])
            self.herd[p] -= max(0, high - grant)
            first_gift.discard(p)
            for _ in range(high):
                lying[spot] += 1
                spot = (spot + 1) % len(plaques)
        self.order = [*active, *late]
        for owner, cattle in zip(plaques, lying, strict=True):
            if owner is None and "Shadipinyi" in self.god:
                owner = self.god.index("Shadipinyi")
            if owner is not None:
                self.herd[owner] += cattle

    # ---- phase II: gods and specialists ---------------------------------------------------------

    def culture_moves(self, p: int) -> list[str]:
        if self.taken:
            return []
        out = []
        if self.god[p] is None:
            out += [f"adore {g}" for g in self.gods if self.vr[p] + self.god_vr(p, g) <= 40]
        hired = {s for mine in self.hired for s in mine}
        out += [
            f"hire {s}"
            for s, (vr, _) in SPECIALISTS.items()
            if s not in hired and self.vr[p] + vr <= 40 and self.usable(p, s)
        ]
        return out

    def pairs_for_rain(self) -> list[str]:
        empty = set(self.empty())
        return [
            f"rain on {name(c)} {shape}"
            for c in empty
            for shape in ("across", "down")
            if footprint(c, shape)[1] in empty
        ]

    def usable(self, p: int, who: str) -> bool:
        if self.herd[p] < SPECIALISTS[who][1]:
            return False
        if who == "shaman":
            return self.tiles_left.total() > 0 and bool(self.empty())
        if who == "rain ceremony":
            return self.water_left > 0 and bool(self.pairs_for_rain())
        return True

    def specialist_moves(self, p: int) -> list[str]:
        mine = [s for s in self.hired[p] if s not in self.rested and self.usable(p, s)]
        return [f"use {s}" for s in mine]

    def use(self, p: int, who: str) -> Course:
        self.rested.add(who)
        cost = SPECIALISTS[who][1]
        self.herd[p] -= cost
        self.on_card[p][who] += cost
        if who == "shaman":
            kinds = [r for r in RESOURCES.values() if self.tiles_left[r]]
            spots = {name(c): c for c in self.empty()}
            move = yield p, [f"put {r} on {c}" for r in kinds for c in spots]
            _, kind, _, where = move.split()
            self.tiles_left[kind] -= 1
            letter = next(k for k, r in RESOURCES.items() if r == kind)
            self.set_ground(spots[where], letter)
        elif who == "rain ceremony":
            empty = {name(c): c for c in self.empty()}
            _, _, where, shape = (yield p, self.pairs_for_rain()).split()
            self.water_left -= 1
            for c in footprint(empty[where], shape):
                self.set_ground(c, "W")
        elif who == "herd":
            most = min(3, 1 + self.herd[p] // 2)
            calves = int((yield p, [f"gain {k}" for k in range(1, most + 1)]).split()[1])
            self.herd[p] -= 2 * (calves - 1)
            self.on_card[p][who] += 2 * (calves - 1) + calves

    def culture(self, p: int, move: str) -> Course:
        self.taken = True
        verb, which = move.split(" ", 1)
        if verb == "adore":
            change = self.god_vr(p, which)
            self.god[p] = which
            self.gods.remove(which)
            if which == "Gu":
                self.cards[p] = dict.fromkeys(self.cards[p], 1)
            self.require_more(p, change)
            if which == "Dziva" and self.says["dziva_prices"] == "at_once":
                yield from self.change_prices(p)
        else:
            self.hired[p].append(which)
            self.require_more(p, SPECIALISTS[which][0])
            yield from self.use(p, which)

    def change_prices(self, p: int) -> Course:
        done: set[str] = set()
        while True:
            offers = [
                f"price of {c} {n}"
                for c, now in self.price[p].items()
                for n in (1, 2, 3)
                if c not in done and n != now
            ]
            if not offers or (move := (yield p, [*offers, "stop"])) == "stop":
                return
            words = move.split()
            craft = " ".join(words[2:-1])
            done.add(craft)
            self.price[p][craft] = int(words[-1])

    # ---- phase II: a new monument ---------------------------------------------------------------

    def sites(self, nomads_help: bool) -> list[Cell]:
        free = self.empty()
        if "nomads" in self.rested and nomads_help:
            return free
        taken = {
            (r + dr, c + dc) for r, c in self.monuments for dr in (-1, 0, 1) for dc in (-1, 0, 1)
        }
        return [c for c in free if c not in taken]

    def build(self, p: int) -> Course:
        for k in range(2 if self.god[p] == "Obatala" else 1):
            helped = k == 0 or self.says["nomads_help"] == "both"
            spots = {name(c): c for c in self.sites(helped)}
            offers = [f"build on {c}" for c in spots]
            if k and (not offers or not self.has_disc(p)):
                return
            move = yield p, offers + ["pass"] * k
            if move == "pass":
                return
            self.set_monument(spots[move.split()[-1]], p, 1)

    # ---- phase II: craftsmen --------------------------------------------------------------------

    def rivals(self, craft: str) -> list[Craftsman]:
        if self.says["claimed_resource"] == "same_craft":
            return self.of_craft(craft)
        kind = CRAFTS[craft].resource
        return [k for k in self.craftsmen if CRAFTS[k.craft].resource == kind]

    def may_link(self, craft: str) -> bool:
        """Whether the turn allows this craft beside what else was placed in it."""
        primary = CRAFTS[craft].primary
        if self.says["same_turn"] == "primary_before":
            return not primary or primary in self.there_before
        rivals = {primary} if primary else {c for c, k in CRAFTS.items() if k.primary == craft}
        return not rivals & self.placed and (not primary or primary in self.there_before)

    def linked_cells(self, p: int, craft: str) -> set[Cell] | None:
        """Where a secondary craftsman finds its primary; None if it needs none."""
        primary = CRAFTS[craft].primary
        if not primary or self.says["linked_craftsman"] == "not_needed":
            return None
        cells = [c for k in self.of_craft(primary) for c in k.cells]
        hubs = self.hubs_from(p, cells)
        most = 1 if self.says["linked_craftsman"] == "one_hub" else 99
        return {c for c, n in hubs.items() if n <= most}

    def placements(self, p: int) -> list[str]:
        empty = set(self.empty())
        out = []
        for craft, kind in CRAFTS.items():
            if len(self.of_craft(craft)) == 3 or self.herd[p] < kind.cost:
                continue
            if craft not in self.cards[p]:
                copies = sum(craft in cards for cards in self.cards)
                if copies == 2 or self.vr[p] + self.card_vr(p, craft) > 40:
                    continue
            if not self.may_link(craft):
                continue
            claimed: set[Cell] = set()
            for k in self.rivals(craft):
                claimed |= self.in_sight(k.cells, self.reach(p))
            free = [c for c in self.resources(kind.resource) if c not in claimed]
            if not free:
                continue
            good = self.in_sight(free, self.reach(p))
            linked = self.linked_cells(p, craft)
            for cell in empty:
                for shape in ("square",) if kind.square else ("across", "down"):
                    cells = footprint(cell, shape)
                    if not empty.issuperset(cells) or good.isdisjoint(cells):
                        continue
                    if linked is None or not linked.isdisjoint(cells):
                        out.append(f"place {craft} on {name(cell)} {shape}")
        return out

    def place_craftsmen(self, p: int) -> Course:
        spots = {name(c): c for c in self.ground}
        while True:
            extra = self.specialist_moves(p) if self.says["interleaving"] == "allowed" else []
            offers = self.placements(p) + extra
            if not offers or (move := (yield p, [*offers, "stop"])) == "stop":
                break
            if move.startswith("use"):
                yield from self.use(p, move[4:])
                continue
            words = move.split()
            craft = " ".join(words[1:-3])
            cost = CRAFTS[craft].cost
            self.herd[p] -= cost
            if "builder" in self.rested:
                self.on_card[p]["builder"] += 2
            self.craftsmen.append(Craftsman(craft, p, footprint(spots[words[-2]], words[-1])))
            self.placed.add(craft)
            if craft not in self.cards[p]:
                vr = self.card_vr(p, craft)
                self.cards[p][craft] = vr
                self.require_more(p, vr)
                self.price[p][craft] = int((yield p, [f"ask {n}" for n in (1, 2, 3)]).split()[1])
        while True:
            offers = [
                f"raise price of {c} to {n}"
                for c, now in self.price[p].items()
                for n in range(now + 1, 4)
            ]
            if not offers or (move := (yield p, [*offers, "stop"])) == "stop":
                return
            words = move.split()
            self.price[p][" ".join(words[3:-2])] = int(words[-1])

    # ---- phase II: higher monuments -------------------------------------------------------------

    @staticmethod
    def words(kind: str, gift: Gift) -> str:
        maker = gift.maker
        return f"{kind} {maker.craft} on {maker.at} with {name(gift.resource)}"

    def ritual(self, p: int, spot: Cell) -> Course:
        _, level = self.monuments[spot]
        given: list[str] = []
        while len(given) < level:
            need = level - len(given) - 1
            offers: dict[str, Gift] = {}
            for gift in self.first_gifts(p, spot, given):
                if Search(self, p, spot).gift(gift, need, given):
                    offers[self.words("gift of", gift)] = gift
            gift = offers[(yield p, list(offers))]
            self.pay(p, gift)
            given.append(gift.maker.craft)
            if CRAFTS[gift.maker.craft].primary:
                offers = {}
                for helper in self.helpers(p, gift.maker):
                    self.pay(p, helper)
                    if self.can_finish(p, spot, need, given):
                        offers[self.words("help of", helper)] = helper
                    self.unpay(p, helper)
                self.pay(p, offers[(yield p, list(offers))])
        self.set_monument(spot, p, level + 1)
        self.raised.add(spot)

    def raise_monuments(self, p: int) -> Course:
        while True:
            extra = self.specialist_moves(p) if self.says["interleaving"] == "allowed" else []
            spots = {
                f"raise {name(c)}": c
                for c, (owner, level) in self.monuments.items()
                if owner == p
                and level < 5
                and c not in self.raised
                and self.has_disc(p)
                and self.can_finish(p, c, level, [])
            }
            if not spots and not extra:
                return
            move = yield p, [*spots, *extra, "stop"]
            if move == "stop":
                return
            if move in spots:
                yield from self.ritual(p, spots[move])
            else:
                yield from self.use(p, move[4:])

    # ---- turns and rounds -----------------------------------------------------------------------

    def main_moves(self, p: int) -> list[str]:
        if self.acted:
            return []
        out = ["place craftsmen"]
        if self.sites(True) and self.has_disc(p):
            out.append("build a monument")
        if any(owner == p and level < 5 for owner, level in self.monuments.values()):
            out.append("raise monuments")
        return out

    def turn(self, p: int) -> Course:
        self.taken = self.acted = False
        self.rested, self.raised, self.placed = set(), set(), set()
        self.there_before = {k.craft for k in self.craftsmen}
        if self.god[p] == "Dziva":
            yield from self.change_prices(p)
        while True:
            offers = self.culture_moves(p) + self.specialist_moves(p) + self.main_moves(p)
            if not offers or (move := (yield p, [*offers, "stop"])) == "stop":
                return
            match move.split()[0]:
                case "adore" | "hire":
                    yield from self.culture(p, move)
                case "use":
                    yield from self.use(p, move[4:])
                case "build":
                    self.acted = True
                    yield from self.build(p)
                case "place":
                    self.acted = True
                    yield from self.place_craftsmen(p)
                case "raise":
                    self.acted = True
                    yield from self.raise_monuments(p)
                case _:
                    raise ValueError(move)

    def revenue(self) -> None:
        for p in range(self.n):
            self.herd[p] += self.on_card[p].total()
            self.on_card[p].clear()
            self.herd[p] += max(level for owner, level in self.monuments.values() if owner == p)
            if self.god[p] == "Qamata":
                self.herd[p] += self.fees
                self.fees = 0
            if self.god[p] == "Engai":
                self.herd[p] += 2

    def course(self) -> Course:
        yield from self.prepare()
        for _ in count():
            yield from self.auction()
            for p in self.order:
                yield from self.turn(p)
            self.revenue()
            if any(self.points(p) >= self.vr[p] for p in range(self.n)):
                return
            self.used.clear()

    def winners(self) -> list[int]:
        def rank(p: int) -> tuple[int, ...]:
            margin, xango = self.points(p) - self.vr[p], self.god[p] == "Xango"
            late = -self.order.index(p)
            match self.says["xango_wins"]:
                case "equal_margin":
                    return (margin, xango, self.points(p), late)
                case "equal_points":
                    return (margin, self.points(p), xango, late)
                case _:
                    return (xango and margin >= 0, margin, self.points(p), late)

        return [max(range(self.n), key=rank)]
