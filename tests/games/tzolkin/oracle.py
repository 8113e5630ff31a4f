"""Tzolk'in once more, in plain Python, written from the rulebook and not from the rule files.

It plays as a generator: it yields who decides (`None` for chance) and the moves on offer, in the
notation of the rule files, and is sent the move that is made. `test_oracle` plays it side by side
with the compiled rules.
"""

from __future__ import annotations

from itertools import combinations

from tests.games.side_by_side import Course

from .building import Building
from .components import (
    ALTAR,
    BONUS,
    CUBES,
    FIELDS,
    FOOD_DAYS,
    GEARS,
    GIFTS,
    GODS,
    STEP_POINTS,
    TEETH,
    TOPS,
    TRACKS,
)


class Oracle(Building):
    """The course of one game."""

    # ---- set-up ---------------------------------------------------------------------------------

    def setup(self) -> Course:
        box = list(self.all_monuments)
        for _ in range(self.n + 2):
            self.monuments.append((yield from self.draw(box)))
        self.gaps = 6
        yield from self.refill()
        bag = list(self.wealth)
        dealt: list[list[str]] = [[] for _ in self.seats]
        for _ in range(4):
            for hand in dealt:
                name = yield from self.draw(bag)
                hand.append(name)
        neutral = {2: 12, 3: 6, 4: 0}[self.n]
        while neutral:
            name = yield from self.draw(bag)
            city, number = name.lower().split("-")
            row = self.board[city]
            alone = not any(row)
            row[int(number)] = "neutral"
            neutral -= 1
            if alone and city != "chichen" and neutral:
                row[(int(number) + 5) % 10] = "neutral"
                neutral -= 1
        order = list(self.wealth)
        for p in self.seats:
            mine = sorted(dealt[p], key=order.index)
            move = yield p, [f"keep {a} and {b}" for a, b in combinations(mine, 2)]
            self.kept[p] = move.removeprefix("keep ").split(" and ")
        for p in self.seats:
            for name in self.kept[p]:
                for effect in self.wealth[name].effects:
                    yield from self.effect(p, effect)

    # ---- the turn -------------------------------------------------------------------------------

    def course(self) -> Course:
        yield from self.setup()
        while True:
            for k in self.seats:
                yield from self.turn((self.first + k) % self.n)
            if self.held < 4 and self.day >= FOOD_DAYS[self.held]:
                yield from self.food_day()
            last = self.day == 27
            yield from self.calendar()
            if last:
                return

    def begging(self, p: int) -> list[str]:
        if self.goods[p]["maize"] > 2:
            return []
        return [f"beg, angering {GODS[t]}" for t in TOPS if self.step[p][t] > 0]

    def placing(self, p: int) -> list[str]:
        if not self.hand[p]:
            return []
        purse = self.goods[p]["maize"] - min(self.placed, 5)
        moves = [
            f"place {label}"
            for g, label in GEARS.items()
            if (k := self.lowest(g)) is not None and k <= purse
        ]
        if self.space is None and purse >= 0:
            moves.append("place first player")
        return moves

    def picking(self, p: int) -> list[str]:
        return [
            f"pick up {label} {k}"
            for g, label in GEARS.items()
            for k, who in enumerate(self.board[g])
            if who == p and isinstance(who, int)
        ]

    def mercy(self, p: int) -> list[str]:
        if self.picking(p) or self.placing(p) or any(self.step[p].values()) or not self.hand[p]:
            return []
        spaces = {g: k for g in GEARS if (k := self.lowest(g)) is not None}
        low = min(spaces.values())
        return [f"place {GEARS[g]} by mercy of the gods" for g, k in spaces.items() if k == low]

    def turn(self, p: int) -> Course:
        self.placed = 0
        rest = self.placing(p) + self.picking(p)
        move = yield p, self.begging(p) + rest + self.mercy(p)
        if move.startswith("beg"):
            self.goods[p]["maize"] = 3
            self.step[p][move.split()[-1].lower()] -= 1
            move = yield p, self.placing(p) + self.picking(p)
        if move.startswith("place"):
            self.place(p, move)
            while moves := self.placing(p):
                move = yield p, [*moves, "stop"]
                if move == "stop":
                    break
                self.place(p, move)
        else:
            yield from self.pick_up(p, move)
            while moves := self.picking(p):
                move = yield p, [*moves, "stop"]
                if move == "stop":
                    break
                yield from self.pick_up(p, move)
        if self.space == p:
            self.goods[p]["maize"] += self.wheel
            self.wheel = 0
        yield from self.refill()

    def place(self, p: int, move: str) -> None:
        where = move.removeprefix("place ").removesuffix(" by mercy of the gods")
        cost = min(self.placed, 5)
        if where == "first player":
            self.space = p
        else:
            g = next(g for g, label in GEARS.items() if label == where)
            k = self.lowest(g)
            assert k is not None
            self.board[g][k] = p
            cost += k
        self.goods[p]["maize"] = 0 if "mercy" in move else self.goods[p]["maize"] - cost
        assert self.goods[p]["maize"] >= 0
        self.placed += 1
        self.hand[p] -= 1

    def pick_up(self, p: int, move: str) -> Course:
        where, number = move.removeprefix("pick up ").rsplit(" ", 1)
        g = next(g for g, label in GEARS.items() if label == where)
        k = int(number)
        self.board[g][k] = None
        self.hand[p] += 1
        actions = self.reachable(p, g, k)
        if actions:
            move = yield p, [*(f"perform {GEARS[g]} {a}" for a in actions), "pass"]
            if move != "pass":
                a = int(move.split()[-1])
                self.goods[p]["maize"] -= actions[a]
                yield from self.act(p, g, a)
                yield from self.granted(p)

    def reachable(self, p: int, g: str, k: int) -> dict[int, int]:
        """Action spaces and the maize for going back to them."""
        last = 9 if g == "chichen" else 5
        fees: dict[int, int] = {}
        if k > last:
            fees = dict.fromkeys(range(1, last + 1), 0)
        else:
            fees = {a: k - a for a in range(1, k + 1)}
            if g == "chichen" and self.level[p]["theology"] >= 1:
                if k < 9:
                    fees[k + 1] = 0
                elif not self.ruled("theology_from_nine", "nothing"):
                    fees = dict.fromkeys(range(1, 10), 0)
        return {
            a: fee
            for a, fee in fees.items()
            if self.possible(p, g, a, self.goods[p]["maize"] - fee)
        }

    def possible(self, p: int, g: str, a: int, maize: int) -> bool:
        if maize < 0:
            return False
        steps = sum(self.may_rise(p, t) for t in TOPS)
        match g, a:
            case "palenque", 2 | 3 | 4 | 5:
                return self.maize_tiles[a] > 0 or self.level[p]["agriculture"] >= 2
            case "tikal", 1 | 3:
                return self.cubes(p) >= min(self.advance_cost(p, t) for t in TRACKS)
            case "tikal", 2:
                return bool(self.buildable(p, True))
            case "tikal", 4:
                return bool(self.buildable(p, True) or self.raisable(p))
            case "tikal", 5:
                return self.cubes(p) >= 1 and steps >= 2
            case "uxmal", 1:
                return maize >= 3 and steps >= 1
            case "uxmal", 4:
                return bool(self.buildable_for_maize(p, maize))
            case "uxmal", 5:
                return maize >= 1
            case "chichen", _:
                return self.goods[p]["skull"] > 0 and a not in self.altar
        return True

    # ---- what the gears do ----------------------------------------------------------------------

    def act(self, p: int, g: str, a: int) -> Course:
        goods, level = self.goods[p], self.level[p]
        more = level["extraction"]
        match g, a:
            case "palenque", 1:
                goods["maize"] += 3 + (level["agriculture"] >= 2)
            case "palenque", _:
                yield from self.harvest(p, a)
            case "yaxchilan", 1:
                goods["wood"] += 1 + (more >= 1)
            case "yaxchilan", 2:
                goods["stone"] += 1 + (more >= 2)
                goods["maize"] += 1
            case "yaxchilan", 3:
                goods["gold"] += 1 + (more >= 3)
                goods["maize"] += 2
            case "yaxchilan", 4:
                self.take_skulls(p, 1 + (level["theology"] >= 3))
            case "yaxchilan", 5:
                goods["gold"] += 1 + (more >= 3)
                goods["stone"] += 1 + (more >= 2)
                goods["maize"] += 2
            case "tikal", 1 | 3:
                yield from self.advance(p, twice=a == 3)
            case "tikal", 2:
                self.skill_spent = False
                yield from self.build_one(p, True, optional=False)
            case "tikal", 4:
                yield from self.build_two(p)
            case "tikal", 5:
                moves = [
                    f"rise in {GODS[s]} and {GODS[t]} for {r}"
                    for s, t in combinations(TOPS, 2)
                    for r in CUBES
                    if goods[r] and self.may_rise(p, s) and self.may_rise(p, t)
                ]
                _, _, s, _, t, _, r = (yield p, moves).split()
                goods[r] -= 1
                self.rise(p, s.lower())
                self.rise(p, t.lower())
            case "uxmal", 1:
                goods["maize"] -= 3
                yield from self.rise_anywhere(p)
            case "uxmal", 2:
                yield from self.exchange(p)
            case "uxmal", 3:
                self.worker(p)
            case "uxmal", 4:
                self.skill_spent = False
                yield from self.build_for_maize(p)
            case "uxmal", 5:
                goods["maize"] -= 1
                while self.ruled("any_action_again", "allowed") and goods["maize"]:
                    if (yield p, ["perform Uxmal 5", "stop"]) == "stop":
                        break
                    goods["maize"] -= 1
                yield from self.elsewhere(p, 0)
            case "chichen", _:
                yield from self.lay_skull(p, a)

    def elsewhere(self, p: int, toll: int) -> Course:
        maize = self.goods[p]["maize"] - toll
        again = toll and self.ruled("any_action_again", "allowed")
        moves = [
            f"perform {GEARS[g]} {a}"
            for g in ("palenque", "yaxchilan", "tikal", "uxmal")
            for a in range(1, 6)
            if (again or (g, a) != ("uxmal", 5)) and self.possible(p, g, a, maize)
        ]
        if moves:
            move = yield p, moves + ["pass"] * toll
            if move != "pass":
                _, city, number = move.split()
                self.goods[p]["maize"] -= toll
                yield from self.act(p, city.lower(), int(number))

    def harvest(self, p: int, a: int) -> Course:
        level, goods = self.level[p], self.goods[p]
        maize = FIELDS[a][0] + (0, 1, 1, 3)[level["agriculture"]]
        wood = FIELDS[a][1] + (level["extraction"] >= 1)
        bare = self.maize_tiles[a] - self.wood_tiles[a]
        moves = ["harvest maize"] * (bare > 0)
        if self.wood_tiles[a]:
            moves.append("harvest wood")
            moves += [f"burn the forest, angering {GODS[t]}" for t in TOPS if self.step[p][t] > 0]
        if bare == 0 and level["agriculture"] >= 2:
            moves.append("harvest maize by irrigation")
        move = (yield p, moves) if self.wood_tiles[a] else moves[0]
        if move == "harvest wood":
            self.wood_tiles[a] -= 1
            goods["wood_tile"] += 1
            goods["wood"] += wood
            return
        goods["maize"] += maize
        if move.startswith("burn"):
            self.wood_tiles[a] -= 1
            self.step[p][move.split()[-1].lower()] -= 1
        if "irrigation" not in move:
            self.maize_tiles[a] -= 1
            goods["maize_tile"] += 1

    def exchange(self, p: int) -> Course:
        goods = self.goods[p]
        for r, price in CUBES.items():
            if goods[r]:
                n = int((yield p, [f"sell {n} {r}" for n in range(goods[r] + 1)]).split()[1])
                goods[r] -= n
                goods["maize"] += n * price
        for r, price in CUBES.items():
            most = goods["maize"] // price
            if most:
                n = int((yield p, [f"buy {n} {r}" for n in range(most + 1)]).split()[1])
                goods[r] += n
                goods["maize"] -= n * price

    def advance_cost(self, p: int, t: str) -> int:
        return (1, 2, 3, 1)[self.level[p][t]]

    def advance(self, p: int, twice: bool) -> Course:
        for again in (False, True)[: 1 + twice]:
            moves = [f"advance {t}" for t in TRACKS if self.cubes(p) >= self.advance_cost(p, t)]
            if not moves:
                return
            move = yield p, moves + ["pass"] * again
            if move == "pass":
                return
            track = move.split()[1]
            for _ in range(self.advance_cost(p, track)):
                paid = yield p, [f"pay {r}" for r in CUBES if self.goods[p][r]]
                self.goods[p][paid.split()[1]] -= 1
            yield from self.climb(p, track, free=False)

    def lay_skull(self, p: int, a: int) -> Course:
        points, temple, cube = ALTAR[a]
        self.goods[p]["skull"] -= 1
        self.altar.add(a)
        self.points[p] += points
        self.rise(p, temple)
        if cube:
            move = yield p, [f"take {r}" for r in CUBES]
            self.goods[p][move.split()[1]] += 1
        if self.level[p]["theology"] >= 2:
            moves = [
                f"offer {r} to rise in {GODS[t]}"
                for r in CUBES
                for t in TOPS
                if self.goods[p][r] and self.may_rise(p, t)
            ]
            if moves and (move := (yield p, [*moves, "pass"])) != "pass":
                self.goods[p][move.split()[1]] -= 1
                self.rise(p, move.split()[-1].lower())

    # ---- granted actions ------------------------------------------------------------------------

    def afterwards(self, p: int, name: str) -> Course:
        for effect in self.buildings[name].effects:
            if effect == "build":
                if not self.ruled("extra_building", "once"):
                    self.skill_spent = False
                yield from self.build_one(p, not self.skill_spent, optional=True)
            elif effect == "exchange":
                yield from self.exchange(p)
            elif effect == "any":
                yield from self.elsewhere(p, 1)

    def granted(self, p: int) -> Course:
        """Actions that new buildings grant, once building is over."""
        while self.waiting:
            if len(self.waiting) > 1 and not self.ruled("granted_order", "as_built"):
                move = yield p, [f"use {b} first" for b in sorted(self.waiting)]
                name = move.split()[1]
            else:
                name = self.waiting[0]
            self.waiting.remove(name)
            yield from self.afterwards(p, name)

    # ---- food days and calendar -----------------------------------------------------------------

    def food_day(self) -> Course:
        for p in self.seats:
            built = [self.buildings[b] for b in self.built[p]]
            tiles = built + [self.wealth[w] for w in self.kept[p]]
            hungry = 6 - self.reserve[p]
            if self.ruled("first_space_worker", "fasts") and self.space == p:
                hungry -= 1
            hungry = max(0, hungry - sum(tile.amount("feeds") for tile in tiles))
            price = max(0, 2 - sum(tile.amount("saves") for tile in tiles))
            while hungry and self.goods[p]["maize"] >= price:
                self.goods[p]["maize"] -= price
                hungry -= 1
            self.points[p] -= 3 * hungry
        self.held += 1
        if self.held == 2:
            self.offer = []
            self.gaps = 6
            yield from self.refill()
        if self.held % 2:
            for p in self.seats:
                for t, gifts in GIFTS.items():
                    for k, cube in gifts.items():
                        self.goods[p][cube] += self.step[p][t] >= k
            pious = [p for p in self.seats if self.step[p]["kukulcan"] >= 5]
            if len(pious) <= self.skulls:
                for p in pious:
                    self.take_skulls(p, 1)
        else:
            for t in TOPS:
                high = max(self.step[p][t] for p in self.seats)
                best = [p for p in self.seats if self.step[p][t] == high]
                for p in self.seats:
                    self.points[p] += STEP_POINTS[t][self.step[p][t]]
                for p in best:
                    self.points[p] += BONUS[self.held // 2][t] // (1 if len(best) == 1 else 2)

    def calendar(self) -> Course:
        days = 1
        last = self.day == 27
        if self.space is None:
            self.wheel += 1
        else:
            p = self.space
            self.space = None
            self.hand[p] += 1
            self.first = (p + 1) % self.n if self.first == p else p
            held_up = any(
                isinstance(who := self.board[g][TEETH[g] - 4], int)
                or (who is not None and self.ruled("neutral_blocks", "yes"))
                for g in GEARS
            )
            allowed = not last or self.ruled("last_turn", "choice")
            if self.day == 26 and self.ruled("eve_of_the_end", "forbidden"):
                allowed = False
            if allowed and self.light[p] and not held_up:
                move = yield p, ["turn the calendar by two days", "pass"]
                if move != "pass":
                    self.light[p] = False
                    days = 2
        for _ in range(days):
            for g, row in self.board.items():
                leaving = row[TEETH[g] - 3]
                if isinstance(leaving, int):
                    self.hand[leaving] += 1
                    row[TEETH[g] - 3] = None
                self.board[g] = [row[-1], *row[:-1]]
        if not last:
            self.day = min(27, self.day + days)
