"""Tikal once more, in plain Python, written from the rulebooks and not from the rule files.

It plays as a generator: it yields who decides (`None` for chance) and the moves on offer, in the
notation of the rule files, and is sent the move that is made. `test_oracle` plays it side by side
with the compiled rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from functools import cache
from itertools import permutations

from tests.games.side_by_side import Course, Step

COLOURS = ("red", "yellow", "white", "black")
EDGES = ("north", "northeast", "southeast", "south", "southwest", "northwest")
AXIAL = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
TOKENS = {2: 3, 3: 6, 4: 9, 5: 11, 6: 8, 7: 5, 8: 3, 9: 2, 10: 1}
KINDS = tuple(f"T{n}" for n in range(1, 9))

# name, kind, value of the temple or masks of the ruin, stones clockwise
TILES = """
A1 temple 1 210000 | A2 temple 2 200100 | A3 temple 2 201000 | A4 clearing 0 110100
A5 ruin 4 200010 | A6 ruin 4 201000
B1 temple 2 200010 | B2 temple 3 200100 | B3 clearing 0 201000 | B4 clearing 0 210000
B5 ruin 4 200001 | B6 volcano 0 000000
C1 temple 3 300000 | C2 temple 4 200010 | C3 clearing 0 110100 | C4 clearing 0 300000
C5 ruin 3 300000
D1 temple 5 200100 | D2 temple 5 300000 | D3 clearing 0 101010 | D4 ruin 3 300000
D5 volcano 0 000000
E1 temple 5 300000 | E2 temple 6 300000 | E3 clearing 0 200100 | E4 clearing 0 200100
E5 ruin 2 200001
F1 temple 4 210000 | F2 temple 4 300000 | F3 clearing 0 200100 | F4 ruin 2 200100
F5 volcano 0 000000
G1 temple 3 200001 | G2 temple 3 201000 | G3 clearing 0 200100 | G4 ruin 2 300000
"""

Axial = tuple[int, int]


def name(at: Axial) -> str:
    """The name of a space: column letter, and place from the bottom of the column."""
    q, r = at
    row = r + 4 + q // 2
    return "abcdefgh"[q] + str(5 - row)


SPACES = {name((q, row - 4 - q // 2)): (q, row - 4 - q // 2) for q in range(8) for row in range(5)}


@cache
def across(space: str, edge: int) -> str | None:
    """The space on the other side of an edge, if there is one."""
    q, r = SPACES[space]
    dq, dr = AXIAL[edge]
    there = (q + dq, r + dr)
    return name(there) if there in SPACES.values() else None


class Oracle:
    """A game in progress."""

    def __init__(self, players: int, edition: int, auction: bool) -> None:
        self.n, self.edition, self.auction = players, edition, auction
        self.tiles = {}
        for entry in TILES.replace("\n", "|").split("|"):
            if entry.strip():
                tile, kind, number, stones = entry.split()
                self.tiles[tile] = (kind, int(number), tuple(int(s) for s in stones))
        self.stack = list(self.tiles)
        self.terrain = {"a1": "base_camp", "a2": "temple", "b1": "temple", "b2": "clearing"}
        self.stones: dict[str, tuple[int, ...]] = {
            "a1": (1, 1, 1, 0, 0, 0),
            "a2": (1, 1, 0, 1, 0, 0),
            "b1": (0, 1, 0, 0, 0, 1),
            "b2": (1, 1, 1, 0, 0, 0),
        }
        self.value = Counter({"a2": 1, "b1": 1})
        self.tokens = Counter(TOKENS)
        self.buried: Counter[str] = Counter()
        self.unseen = Counter(dict.fromkeys(KINDS, 3))
        self.found: list[Counter[str]] = [Counter() for _ in range(players)]
        self.reserve = [Counter(worker=18, leader=1) for _ in range(players)]
        self.on: list[dict[str, Counter[str]]] = [
            {s: Counter() for s in SPACES} for _ in range(players)
        ]
        self.camp: dict[str, int] = {}
        self.guard: dict[str, int] = {}
        self.points = [20 if auction else 0] * players
        self.ap = 0
        self.last = 0

    # ---- what holds on the board ----------------------------------------------------------------

    def road(self, space: str, edge: int) -> int:
        there = across(space, edge)
        for end in (space, there):
            if end is None or self.terrain.get(end, "volcano") == "volcano":
                return 0
        assert there is not None
        return self.stones[space][edge] + self.stones[there][(edge + 3) % 6]

    def placements(self, tile: str) -> list[str]:
        kind, _, stones = self.tiles[tile]
        found = []
        for space in SPACES:
            if space in self.terrain:
                continue
            around = [(e, across(space, e)) for e in range(6)]
            beside = [(e, s) for e, s in around if s in self.terrain]
            if not beside:
                continue
            if kind == "volcano":
                found.append(f"place {tile} on {space} turned 0")
                continue
            for turns in range(6):
                for e, s in beside:
                    assert s is not None
                    link = stones[(e - turns) % 6] + self.stones[s][(e + 3) % 6]
                    if self.terrain[s] != "volcano" and link:
                        found.append(f"place {tile} on {space} turned {turns}")
                        break
        return found

    def strength(self, p: int, space: str) -> int:
        return self.on[p][space]["worker"] + 3 * self.on[p][space]["leader"]

    def leads(self, p: int, space: str) -> bool:
        mine = self.strength(p, space)
        return all(mine > self.strength(q, space) for q in range(self.n) if q != p)

    def camps(self, p: int) -> list[str]:
        return ["a1", *(s for s, owner in self.camp.items() if owner == p)]

    def controls(self, p: int, space: str) -> bool:
        if space in self.guard:
            return self.guard[space] == p
        return self.leads(p, space)

    def count(self, p: int) -> int:
        temples = sum(v for s, v in self.value.items() if self.controls(p, s))
        return temples + sum((0, 1, 3, 6)[n] for n in self.found[p].values())

    # ---- ten action points ----------------------------------------------------------------------

    def options(self, p: int, levels: Counter[str], digs: Counter[str]) -> list[str]:
        """The actions that a player may take with the remaining action points."""
        ap, here, camps = self.ap, self.on[p], self.camps(p)
        out = ["stop"]
        for m in ("worker", "leader"):
            standing = [s for s in SPACES if here[s][m]]
            if ap >= 1 and self.reserve[p][m]:
                out += [f"bring {m} to {c}" for c in camps]
            if ap >= 1:
                out += [
                    f"send {m} from {a} to {b}" for a, b in permutations(camps, 2) if a in standing
                ]
            out += [
                f"move {m} from {s} {EDGES[e]}"
                for s in standing
                for e in range(6)
                if 0 < self.road(s, e) <= ap
            ]
            if ap >= 5 and list(self.guard.values()).count(p) < 2:
                out += [
                    f"guard {s} with {m}"
                    for s in standing
                    if self.terrain[s] == "temple" and s not in self.guard and self.leads(p, s)
                ]
        out += [f"uncover {s}" for s in self.terrain if self.may_uncover(p, s, levels[s])]
        out += [f"dig on {s}" for s in self.terrain if self.may_dig(p, s, digs[s])]
        out += [f"found a camp on {s}" for s in self.terrain if self.may_camp(p, s)]
        for q in range(self.n):
            if q != p and ap >= 3 and 1 in self.found[q].values():
                out += [f"exchange {k} with {COLOURS[q]}" for k in KINDS if self.found[p][k] == 1]
        return out

    def may_uncover(self, p: int, space: str, done: int) -> bool:
        if self.terrain[space] != "temple" or space in self.guard or self.ap < 2:
            return False
        enough = self.on[p][space].total() > done and done < 2
        return enough and self.tokens[self.value[space] + 1] > 0

    def may_dig(self, p: int, space: str, done: int) -> bool:
        enough = self.on[p][space].total() > done and done < 2
        return enough and self.ap >= 3 and self.buried[space] > 0

    def may_camp(self, p: int, space: str) -> bool:
        kind = self.terrain[space]
        ground = kind == "clearing" or (kind == "ruin" and not self.buried[space])
        if not ground or self.ap < 5 or space in self.camp or len(self.camps(p)) == 3:
            return False
        return self.edition == 1999 or self.on[p][space].total() > 0

    def explore(self, p: int) -> Course:
        self.ap = 10
        levels: Counter[str] = Counter()
        digs: Counter[str] = Counter()
        here = self.on[p]
        while len(offers := self.options(p, levels, digs)) > 1:
            move = yield p, offers
            words = move.split()
            match words:
                case ["stop"]:
                    break
                case ["bring", m, "to", s]:
                    self.ap -= 1
                    self.reserve[p][m] -= 1
                    here[s][m] += 1
                case ["send", m, "from", s, "to", t]:
                    self.ap -= 1
                    here[s][m] -= 1
                    here[t][m] += 1
                case ["move", m, "from", s, way]:
                    edge = EDGES.index(way)
                    goal = across(s, edge)
                    assert goal is not None
                    self.ap -= self.road(s, edge)
                    here[s][m] -= 1
                    here[goal][m] += 1
                case ["uncover", s]:
                    self.ap -= 2
                    levels[s] += 1
                    self.value[s] += 1
                    self.tokens[self.value[s]] -= 1
                case ["dig", "on", s]:
                    self.ap -= 3
                    digs[s] += 1
                    self.buried[s] -= 1
                    kind = (yield None, [f"draw {k}" for k in KINDS if self.unseen[k]]).split()[1]
                    self.unseen[kind] -= 1
                    self.found[p][kind] += 1
                case ["exchange", give, "with", colour]:
                    self.ap -= 3
                    other = self.found[COLOURS.index(colour)]
                    singles = [f"take {k}" for k in KINDS if other[k] == 1]
                    take = (yield p, singles).split()[1]
                    self.found[p].subtract([give])
                    other.update([give])
                    other.subtract([take])
                    self.found[p].update([take])
                case ["found", "a", "camp", "on", s]:
                    self.ap -= 5
                    self.camp[s] = p
                case ["guard", s, "with", _]:
                    self.ap -= 5
                    self.guard[s] = p
                    here[s].clear()
                case _:
                    raise ValueError(move)
        self.ap = 0

    # ---- turns and rounds -----------------------------------------------------------------------

    def scoring_round(self, order: list[int]) -> Course:
        for p in order:
            yield from self.explore(p)
            self.points[p] += self.count(p)

    def around(self, first: int) -> list[int]:
        return [(first + k) % self.n for k in range(self.n)]

    def play_tile(self, p: int, tile: str) -> Course:
        kind, number, stones = self.tiles[tile]
        if kind == "volcano":
            yield from self.scoring_round(self.around(p))
        offers = self.placements(tile)
        if offers:
            words = (yield p, offers).split()
            space, turns = words[3], int(words[5])
            self.terrain[space] = kind
            self.stones[space] = tuple(stones[(e - turns) % 6] for e in range(6))
            if kind == "temple":
                self.value[space] = number
            if kind == "ruin":
                self.buried[space] = number
        yield from self.explore(p)

    def top_tile(self) -> Generator[Step, str, str]:
        letter = min(self.stack)[0]
        tile = (yield None, [f"draw {t}" for t in self.stack if t[0] == letter]).split()[1]
        self.stack.remove(tile)
        return tile

    def bidding(self, waiting: list[int]) -> Generator[Step, str, int]:
        """Players who have not moved yet bid in turn; returns the winner, who has paid."""
        asked, high, best, passed = list(waiting), 0, None, []
        while asked and not (best is not None and len(asked) == 1):
            p = asked.pop(0)
            bids = [f"bid {b}" for b in range(high + 1, self.points[p] + 1)]
            move = yield p, ["pass", *bids]
            if move == "pass":
                passed.append(p)
            else:
                high, best = int(move.split()[1]), p
                asked.append(p)
        if best is None:
            return passed[0]
        self.points[best] -= high
        return best

    def auction_round(self, waiting: list[int]) -> Course:
        display: list[str] = []
        while len(display) < self.n:
            display += [(yield from self.top_tile())]
        while waiting:
            p = waiting[0] if len(waiting) == 1 else (yield from self.bidding(waiting))
            tile = (yield p, [f"take {t}" for t in display]).split()[1]
            display.remove(tile)
            yield from self.play_tile(p, tile)
            self.last = p
            waiting = [q for q in self.around((p + 1) % self.n) if q in waiting and q != p]

    def course(self) -> Course:
        first = COLOURS.index((yield None, [f"draw {c}" for c in COLOURS[: self.n]]).split()[1])
        self.last = (first - 1) % self.n
        while self.stack:
            p = (self.last + 1) % self.n
            if self.auction:
                yield from self.auction_round(self.around(p))
            else:
                yield from self.play_tile(p, (yield from self.top_tile()))
                self.last = p
        order = self.around((self.last + 1) % self.n)
        if self.auction and self.edition == 1999:
            order.sort(key=lambda p: self.points[p])
        yield from self.scoring_round(order)

    def winners(self) -> list[int]:
        def rank(p: int) -> tuple[int, ...]:
            if self.edition == 1999:
                return (self.points[p],)
            heights = [v for s, v in self.value.items() if self.controls(p, s)]
            return (self.points[p], max(heights, default=0), self.found[p].total())

        best = max(rank(p) for p in range(self.n))
        return [p for p in range(self.n) if rank(p) == best]
