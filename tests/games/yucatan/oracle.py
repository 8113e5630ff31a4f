"""Yucatan once more, in plain Python, written from the rulebook and not from the rule files.

It plays as a generator: it yields who decides (`None` for chance) and the moves on offer, in the
notation of the rule files, and is sent the move that is made. Effects are carried out component by
component as the legend reads, where the rule files add up symbols. `test_oracle` plays it side by
side with the compiled rules.
"""

from __future__ import annotations

from itertools import combinations

from tests.games.side_by_side import Course

from .battle import Battle
from .components import (
    ABILITIES,
    ADVISORS,
    CREATURES,
    HARVEST,
    PRICES,
    REINFORCEMENTS,
    STANDS,
    Effect,
    effects,
)
from .table import CITIES, COLUMNS, NAMES, UPGRADABLE, Army

TOKENS = {
    (): "no clan token",
    (1,): "the clan token of the left",
    (2,): "the clan token of the second to the left",
    (3,): "the clan token of the third to the left",
    (1, 2): "the clan tokens of the left and the second",
    (1, 3): "the clan tokens of the left and the third",
    (2, 3): "the clan tokens of the second and the third",
    (1, 2, 3): "all three clan tokens",
}


class Oracle(Battle):
    """The course of one game."""

    def course(self) -> Course:
        move = yield None, [f"draw {seat.name}" for seat in self.seats]
        self.first = NAMES.index(move.removeprefix("draw "))
        for p, seat in enumerate(self.seats):
            move = yield p, [f"be advised by {a} and {b}" for a, b in combinations(ADVISORS, 2)]
            seat.advisors = move.removeprefix("be advised by ").split(" and ")
            seat.ability = (yield p, [f"lead the clan by {a}" for a in ABILITIES]).split()[-1]
            move = yield p, [f"start with the {b}" for b in self.upgradable]
            seat.level[move.removeprefix("start with the ")] = 1
        while self.round <= 4:
            for _ in range(3):
                for k in range(self.n):
                    yield from self.turn((self.first + k) % self.n)
            yield from self.sacrifice()
            yield from self.calendar()
        yield from self.end_bonuses()

    # ---- activation -----------------------------------------------------------------------------

    def turn(self, p: int) -> Course:
        buildings = [f"activate the {b}" for b in (*UPGRADABLE, "granary")]
        leaders = ["clan leader", "first warlord", "second warlord"]

        def free() -> list[str]:
            return [f"activate the {x}" for x in leaders if x not in self.seats[p].used]

        move = yield p, buildings + free()
        yield from self.activate(p, move)
        move = yield p, free() if move in buildings else buildings
        yield from self.activate(p, move)

    def activate(self, p: int, move: str) -> Course:
        what = move.removeprefix("activate the ")
        seat = self.seats[p]
        match what:
            case "construction":
                yield from self.construct(p, *PRICES[what][seat.level[what]])
            case "military camp":
                yield from self.train(p, *PRICES[what][seat.level[what]])
            case "barracks":
                yield from self.recruit_somewhere(p)
            case "temple":
                before = len(self.summonable)
                yield from self.summon(p, *PRICES[what][seat.level[what]])
                both = not self.ruled("extension", "none_when_summoning")
                if both or before == len(self.summonable):
                    yield from self.extend(p)
            case "granary":
                self.gain(p, corn=HARVEST[seat.level[what]])
            case "clan leader":
                seat.used.add(what)
                yield from self.lead_clan(p)
            case _:
                seat.used.add(what)
                yield from self.march(p, seat.armies[what.split()[0]])

    def construct(self, p: int, unit: int, less: int) -> Course:
        seat = self.seats[p]
        less += self.helped(p, "CONSTRUCT", "DISCOUNT_JADE")
        prices = {
            f"raise the {b} to level {k}": (b, k, max(0, (k - seat.level[b]) * unit - less))
            for b in self.upgradable
            for k in range(seat.level[b] + 1, min(3, seat.development["construction"]) + 1)
        }
        offers = [move for move, (_, _, price) in prices.items() if price <= seat.jade]
        if offers and (move := (yield p, [*offers, "pass"])) != "pass":
            b, k, price = prices[move]
            self.pay(p, jade=price)
            seat.level[b] = k
            self.occasion(p, "CONSTRUCT")

    def train(self, p: int, unit: int, less: int) -> Course:
        seat = self.seats[p]
        less += self.helped(p, "BUY_REINFORCEMENT", "DISCOUNT_CORN")
        placed = [name for army in seat.armies.values() for name in army.sectors]
        offers = {}
        for name in REINFORCEMENTS:
            level = int(name[2])
            price = max(0, level * unit - less)
            if name in placed or level > seat.development["training"] or price > seat.corn:
                continue
            for which, army in seat.armies.items():
                for sector in range(level, 4):
                    if army.sectors[sector - 1] is None:
                        move = f"place {name} in sector {sector} of the {which} warlord"
                        offers[move] = (name, army, sector, price)
        if offers and (move := (yield p, [*offers, "pass"])) != "pass":
            name, army, sector, price = offers[move]
            self.pay(p, corn=price)
            army.sectors[sector - 1] = name
            self.occasion(p, "BUY_REINFORCEMENT")

    def summon(self, p: int, unit: int, less: int) -> Course:
        seat = self.seats[p]
        less += self.helped(p, "SUMMON", "DISCOUNT_CORN")
        offers = {}
        for name in CREATURES:
            level = int(name[2])
            price = max(0, level * unit - less)
            if name not in self.summonable or level > seat.development["summoning"]:
                continue
            for which, army in seat.armies.items():
                for more in range(min(seat.jade, 5 - self.round) + 1):
                    if army.creature is None and price <= seat.corn:
                        last = self.round + more
                        move = f"summon {name} for the {which} warlord until round {last}"
                        offers[move] = (name, army, more, price)
        if offers and (move := (yield p, [*offers, "pass"])) != "pass":
            name, army, more, price = offers[move]
            self.pay(p, corn=price, jade=more)
            self.summonable.remove(name)
            army.creature, army.expiry = name, self.round + more
            seat.hand.append(f"{name} card")
            self.occasion(p, "SUMMON")

    def extend(self, p: int) -> Course:
        seat = self.seats[p]
        offers = {}
        for which, army in seat.armies.items():
            for more in range(1, min(seat.jade, 5 - army.expiry) + 1 if army.creature else 0):
                last = army.expiry + more
                move = f"extend the life of the creature of the {which} warlord to round {last}"
                offers[move] = (army, more)
        if offers and (move := (yield p, [*offers, "pass"])) != "pass":
            army, more = offers[move]
            self.pay(p, jade=more)
            army.expiry += more

    def lead_clan(self, p: int) -> Course:
        seat = self.seats[p]
        move = yield p, ["take corn", "take jade", "take a card"]
        if move == "take corn":
            self.gain(p, corn=2)
            self.occasion(p, "CLAN_LEADER_OPTION_1")
        elif move == "take jade":
            self.gain(p, jade=1)
            self.occasion(p, "CLAN_LEADER_OPTION_2")
        else:
            yield from self.draw(p)
        names = ("use the ability of the clan leader", "use the other line of the ability")
        # A paid line each; what costs nothing comes with the first.
        printed = effects(self.box.abilities[seat.ability])
        free = [e for e in printed if not e.cost]
        paid = [e for e in printed if e.cost]
        uses = [[*free, *paid[:1]], paid[1:]]
        for name, used in zip(names, uses, strict=True):
            if not used or not all(self.affordable(p, e) for e in used if e.cost):
                continue
            if (yield p, [name, "pass"]) != "pass":
                for effect in used:
                    if effect.cost:
                        self.pay_for(p, effect)
                    yield from self.bonus(p, effect)

    # ---- moving ---------------------------------------------------------------------------------

    def march(self, p: int, army: Army) -> Course:
        seat = self.seats[p]
        own = [*self.worn(army), *self.beast(army)]
        moving = [e for e in (*own, *self.standing(p)) if e.when == "ON_MOVE"]
        less = sum(e.amount for e in moving if e.what == "DISCOUNT_CORN")
        others = {a.place for a in seat.armies.values()} - {"jungle"}
        offers = {}
        for place in ("jungle", *CITIES):
            price = max(0, (1 if "jungle" in (army.place, place) else 2) - less)
            if place != army.place and place not in others and price <= seat.corn:
                end = "the jungle" if place == "jungle" else f"the {place} city"
                offers[f"move to {end}"] = (place, price)
        if not offers or (move := (yield p, [*offers, "pass"])) == "pass":
            return
        place, price = offers[move]
        self.pay(p, corn=price)
        if any(e.what == "RECRUIT" for e in moving):
            self.recruit(p, army)
        self.occasion(p, "ON_MOVE", own)
        held = self.holder(place)
        if place == "jungle":
            army.place = place
        elif held is None:
            army.place = place
            self.gain(p, jade=1)
            seat.jade += self.lying[place]
            self.lying[place] = 0
            yield from self.city(p, place)
        else:
            yield from self.battle(p, army, *held, place)

    def city(self, p: int, city: str) -> Course:
        offers = {
            f"take {name} of {city}": text
            for r, name, text in STANDS[city]
            if r <= min(self.round, 3)
        }
        texts = [offers[(yield p, list(offers))]]
        if self.round == 4:
            texts += [text for r, _, text in STANDS[city] if r == 4]
        for text in texts:
            for effect in effects(text):
                yield from self.bonus(p, effect)
                if effect.what == "GAIN_CORN":
                    self.occasion(p, "ON_CITY_CORN")
                if effect.what == "GAIN_JADE":
                    self.occasion(p, "ON_CITY_JADE")

    def bonus(self, p: int, effect: Effect) -> Course:
        """What a stand, an ability or a cell of the development board gives or sells."""
        match effect.what:
            case "CONSTRUCT":
                yield from self.construct(p, effect.amount, effect.less)
            case "BUY_REINFORCEMENT":
                yield from self.train(p, effect.amount, effect.less)
            case "SUMMON":
                yield from self.summon(p, effect.amount, effect.less)
            case "ACTIVATE_CITY":
                yield from self.activate_a_city(p)
            case _:
                yield from self.simple(p, effect)

    def activate_a_city(self, p: int) -> Course:
        places = {army.place for army in self.seats[p].armies.values()} - {"jungle"}
        moves = {f"activate the {city} city": city for city in places}
        if moves:
            yield from self.city(p, moves[(yield p, list(moves))])

    # ---- sacrifice ------------------------------------------------------------------------------

    def sacrifice(self) -> Course:
        offers = []
        for p, seat in enumerate(self.seats):
            n = int(
                (yield p, [f"offer prisoners: {k}" for k in range(seat.prisoners + 1)]).split()[2]
            )
            j = int((yield p, [f"offer {k} jade" for k in range(seat.jade + 1)]).split()[1])
            c = int((yield p, [f"offer {k} corn" for k in range(seat.corn + 1)]).split()[1])
            held = {k for k in range(1, self.n) if (p + k) % self.n in seat.tokens}
            sets = {f"offer {text}": gift for gift, text in TOKENS.items() if set(gift) <= held}
            offers.append((n, j, c, sets[(yield p, list(sets))]))
        worth = (3, 2, 2, 1)[self.round - 1]
        points = [n * worth + j // 2 + c // 4 + max(0, len(g) - 1) for n, j, c, g in offers]
        rising = [value > seat.marker for value, seat in zip(points, self.seats, strict=True)]
        for p, ((n, j, c, gift), value) in enumerate(zip(offers, points, strict=True)):
            seat = self.seats[p]
            self.pay(p, corn=c, jade=j, prisoners=n)
            seat.tokens -= {(p + k) % self.n for k in gift}
            seat.total += value
            seat.marker = max(seat.marker, value)
            if rising[p] and value == max(points):
                seat.step = min(3, seat.step + 1)
            seat.points += value + seat.step
        for k in range(self.n):
            p = (self.first + k) % self.n
            if rising[p]:
                yield from self.develop(p)

    def develop(self, p: int) -> Course:
        markers = self.seats[p].development
        cap = 4 if self.round == 4 else 3
        open_ = [c for c in COLUMNS if markers[c] < cap]
        if self.round == 1:
            moves = {
                f"move the markers of the {a} column and the {b} column": (a, b)
                for a, b in combinations(open_, 2)
            }
        else:
            moves = {f"move the marker of the {c} column": (c, "") for c in open_}
        chosen = [column for column in moves[(yield p, list(moves))] if column]
        for column in chosen:
            markers[column] += 1
        for column in chosen:
            for effect in effects(self.box.cells.get((column, markers[column]), "")):
                yield from self.bonus(p, effect)

    # ---- calendar and end -----------------------------------------------------------------------

    def calendar(self) -> Course:
        for p, army in self.armies():
            if army.creature and army.expiry == self.round:
                self.summonable.append(army.creature)
                card = f"{army.creature} card"
                if card in self.seats[p].hand:
                    self.seats[p].hand.remove(card)
                army.creature = None
        for city in CITIES:
            if self.holder(city) is None and self.jade:
                self.jade -= 1
                self.lying[city] += 1
        for seat in self.seats:
            seat.used.clear()
        self.round += 1
        if self.round <= 4:
            others = [seat.name for p, seat in enumerate(self.seats) if p != self.first]
            move = yield self.first, [f"give the first-player token to {name}" for name in others]
            self.first = NAMES.index(move.split()[-1])

    def end_bonuses(self) -> Course:
        for p, seat in enumerate(self.seats):
            if 4 not in seat.development.values():
                continue
            free = not self.ruled("end_bonus", "column")
            worth = {
                "construction": ("buildings", sum(seat.level.values())),
                "training": (
                    "reinforcements",
                    sum(int(t[2]) for a in seat.armies.values() for t in a.sectors if t),
                ),
                "summoning": (
                    "creatures",
                    2 * sum(int(a.creature[2]) for a in seat.armies.values() if a.creature),
                ),
            }
            moves = {
                f"count {what}": points
                for column, (what, points) in worth.items()
                if free or seat.development[column] == 4
            }
            seat.points += min(12, moves[(yield p, list(moves))])
