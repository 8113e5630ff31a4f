"""The Great Zimbabwe once more, in plain Python, written from the rulebook and not from the rules.

It plays as a generator: it yields who decides (`None` for chance) and the moves on offer, in the
notation of the rule files, and is sent the move that is made. `test_oracle` plays it side by side
with the compiled rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable
from itertools import count

from attrs import define

from .geometry import TILES, Cell, Geometry, name, slots, turned

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
    "first_plaques": "bottom_first",
    "start_points": "one",
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

Step = tuple[int | None, list[str]]
Course = Generator[Step, str, None]


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


class Oracle:
    """A game in progress."""

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

    # ---- what holds on the map ------------------------------------------------------------------

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

    # ---- victory requirement --------------------------------------------------------------------

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
        bottom_first = self.says["first_plaques"] == "bottom_first"
        settlers = self.discs[::-1] if bottom_first else list(self.discs)
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

    def sites(self) -> list[Cell]:
        free = self.empty()
        if "nomads" in self.rested:
            return free
        taken = {
            (r + dr, c + dc) for r, c in self.monuments for dr in (-1, 0, 1) for dc in (-1, 0, 1)
        }
        return [c for c in free if c not in taken]

    def build(self, p: int) -> Course:
        for k in range(2 if self.god[p] == "Obatala" else 1):
            spots = {name(c): c for c in self.sites()}
            offers = [f"build on {c}" for c in spots]
            if k and not offers:
                return
            move = yield p, offers + ["pass"] * k
            if move == "pass":
                return
            self.set_monument(spots[move.split()[-1]], p, 1)

    # ---- phase II: craftsmen --------------------------------------------------------------------

    def of_craft(self, craft: str) -> list[Craftsman]:
        return [k for k in self.craftsmen if k.craft == craft]

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

    def superseded(self, craft: str) -> bool:
        return any(CRAFTS[k.craft].primary == craft for k in self.craftsmen)

    def left(self, p: int, cell: Cell) -> bool:
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

    def hubs_from(self, p: int, cells: Iterable[Cell]) -> dict[Cell, int]:
        key = (frozenset(cells), self.reach(p))
        if key not in self.hubs_to:
            self.hubs_to[key] = self.ways().hubs(key[0], key[1], self.monuments)
        return self.hubs_to[key]

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
        return _Search(self, p, spot).gifts(need, given)

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
                if _Search(self, p, spot).gift(gift, need, given):
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
                if owner == p and level < 5 and c not in self.raised
                and self.can_finish(p, c, level, [])
            }  # fmt: skip
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
        if self.sites():
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


class _Search:
    """Looks for gifts that complete a ritual, trying one after another and taking them back."""

    def __init__(self, game: Oracle, p: int, spot: Cell) -> None:
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
