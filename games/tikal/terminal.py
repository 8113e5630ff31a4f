"""A position of Tikal in characters: the map with roads and members, and what each player has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.facts import Facts, amount, how_many
from games.pieces import letter
from games.screen import Row, player_table, words

if TYPE_CHECKING:
    from compiler.runtime.state import State

# What follows from the rest, and what only the proof or the counting within a turn reads.
BOOKKEEPING = frozenset({
    "edge", "terrain", "value", "printed_value", "closed_value", "worked", "levels_done",
    "digs_done", "token_stock", "temple_tokens", "earth", "to_count", "turns_left",
    "last_mover", "rounds_left", "scorings", "board", "passed", "first_pass", "moved",
})  # fmt: skip
# Width of a space in characters and height in lines; every second column lies half a space lower.
WIDE, HIGH, RANKS, COLUMNS = 10, 4, 5, 8
ROOM = WIDE - 2
NORTH, NORTHEAST, SOUTHEAST, SOUTH = 0, 1, 2, 3

_GROUND = {
    "en": {"base_camp": "base", "clearing": "clear", "ruin": "ruin", "volcano": "volc.",
           "temple": "T"},
    "ru": {"base_camp": "база", "clearing": "пол.", "ruin": "руины", "volcano": "вулк.",
           "temple": "Х"},
}  # fmt: skip
_RUSSIAN = {
    "tiles in the stack": "тайлов в стопке", "next letter": "следующая буква",
    "scoring round": "подсчёт", "final scoring": "последний подсчёт",
    "action points": "очки действий", "tile to place": "тайл для размещения",
    "for sale": "продаются", "highest bid": "высшая ставка",
    "points, paid": "очки, уплачено", "points": "очки",
    "members to bring, camps": "не на карте, лагеря",
    "guards": "охрана", "treasures": "сокровища", "lost": "вне игры",
    "still to count": "ещё не считали", "no bid": "нет ставок",
    "T3: temple of value 3   R2*: two workers and the leader of a player   ^R: camp":
        "Х3: храм ценностью 3   R2*: два рабочих и лидер игрока   ^R: лагерь",
    "!R: guard   $4: treasures buried   digits on the borders: stones of the road":
        "!R: охрана   $4: зарытые сокровища   цифры на границах: камни дороги",
}  # fmt: skip


class _Map:
    """The board as lines of characters."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.ground = _GROUND["ru" if facts.language == "ru" else "en"]
        self.lines = [[" "] * (WIDE * COLUMNS) for _ in range(HIGH * RANKS + 3)]
        # Spaces on which there is more than fits.
        self.crowded: dict[str, str] = {}

    def drawn(self) -> list[str]:
        for name in self.facts.values("Hex"):
            self._space(name)
        return ["".join(line).rstrip() for line in self.lines]

    def _put(self, x: int, y: int, text: str) -> None:
        if x < WIDE * COLUMNS:
            self.lines[y][x : x + len(text)] = text

    def _space(self, name: str) -> None:
        column, rank = ord(name[0]) - ord("a"), int(name[1:])
        x, y = WIDE * column, HIGH * (RANKS - rank) + 2 * (column % 2)
        self._put(x + 2, y, f"---{self._stones(name, NORTH) or '-'}---")
        self._put(x + 2, y + HIGH, f"---{self._stones(name, SOUTH) or '-'}---")
        self._put(x + WIDE, y + 1, self._stones(name, NORTHEAST) or "\\")
        self._put(x + WIDE, y + 3, self._stones(name, SOUTHEAST) or "/")
        if column == 0:
            self._put(x, y + 1, "/")
        if column == 0 or (column % 2 and rank == 1):
            self._put(x, y + 3, "\\")
        for k, text in enumerate(self._told(name)):
            self._put(x + 2, y + 1 + k, text.ljust(ROOM)[:ROOM])

    def _stones(self, name: str, way: int) -> str:
        """The stones on both sides of an edge, if there are any."""
        edge = self.facts["edge"]
        number = list(edge[name].values())[way]
        there = _neighbour(name, way)
        if there in edge:
            number += list(edge[there].values())[(way + 3) % 6]
        return str(number) if number else ""

    def _told(self, name: str) -> list[str]:
        facts, terrain = self.facts, self.facts["terrain"][name]
        if terrain == "unexplored":
            return [name]
        value = str(facts["value"][name]) if terrain == "temple" else ""
        teams = [_team(facts, p, facts["team"][p][name]) for p in range(facts.players)]
        marks = []
        for kind, sign in (("camp", "^"), ("guard", "!")):
            owner = facts[kind][name]
            marks += [sign + letter(facts.names, owner)] if owner is not None else []
        marks += [f"${facts['buried'][name]}"] * bool(facts["buried"][name])
        here = " ".join(filter(None, teams))
        if len(here) > ROOM:
            here = "".join(filter(None, teams))
        if len(here) > ROOM:
            self.crowded[name] = " ".join(filter(None, teams))
            here = "(below)"
        return [f"{name} {self.ground.get(terrain, terrain)}{value}", here, " ".join(marks)]


def _neighbour(name: str, way: int) -> str:
    """The name of the space beyond an edge, on the board or not.

    >>> [_neighbour("b2", way) for way in range(4)]
    ['b3', 'c2', 'c1', 'b1']
    """
    column, rank = ord(name[0]), int(name[1:])
    lower = (column - ord("a")) % 2
    aside, up = ((0, 1), (1, 1 - lower), (1, -lower), (0, -1))[way]
    return f"{chr(column + aside)}{rank + up}"


def _team(facts: Facts, player: int, team: dict[str, int]) -> str:
    return letter(facts.names, player) + _members(team) if any(team.values()) else ""


def _members(team: dict[str, int]) -> str:
    """The number of workers, and a star for the leader."""
    return f"{team['worker'] or ''}{'*' * team['leader']}"


class _MapScreen:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def say(self, text: str) -> str:
        """A word of the screen itself."""
        return _RUSSIAN.get(text, text) if self.facts.language == "ru" else text

    def heading(self) -> list[str]:
        facts, say = self.facts, self.say
        parts = [f"{how_many(facts['stack'])} {say('tiles in the stack')}"]
        if facts["final"]:
            parts.append(say("final scoring"))
        elif facts["to_count"]:
            parts.append(f"{say('scoring round')} {facts['scorings']}")
        if facts["to_count"]:
            waiting = " ".join(letter(facts.names, p) for p in facts["to_count"])
            parts.append(f"{say('still to count')}: {waiting}")
        if facts["ap"]:
            parts.append(f"{say('action points')}: {facts['ap']}")
        return words(" · ".join(parts))

    def tiles(self) -> Iterator[str]:
        facts, say = self.facts, self.say
        for zone, title in (("hand", "tile to place"), ("display", "for sale")):
            if facts[zone]:
                told = "; ".join(self._tile(name) for name in facts[zone])
                bid = f" · {self._bid()}" if zone == "display" else ""
                yield from words(f"{say(title)}: {told}{bid}")

    def _bid(self) -> str:
        bidder = self.facts["high_bidder"]
        if bidder is None:
            return self.say("no bid")
        return f"{self.say('highest bid')} {self.facts['high_bid']} ({self.facts.names[bidder]})"

    def _tile(self, name: str) -> str:
        facts = self.facts
        terrain = facts.values("Terrain")[facts.entry("Tile", "kind", name)]
        value, masks = (facts.entry("Tile", column, name) for column in ("value", "masks"))
        stones = "".join(str(n) for n in facts.row("Tile", "stones", name, 6))
        kind = facts.word(terrain) + (f" {value}" if value else f" ${masks}" if masks else "")
        return f"{facts.label('Tile', name)} {kind} ({stones})"

    def players(self) -> Iterator[Row]:
        facts, people = self.facts, range(self.facts.players)
        paid = [f" (−{n})" if n else "" for n in (facts["paid"][p] for p in people)]
        title = "points, paid" if any(paid) else "points"
        yield self.say(title), [amount(facts["points"][p]) + paid[p] for p in people]
        camps = facts["camps_left"]
        beside = [f"{_members(facts['reserve'][p])} ^{camps[p]}" for p in people]
        yield self.say("members to bring, camps"), beside
        for pool, title in (("guards", "guards"), ("gone", "lost")):
            yield self.say(title), [_members(facts[pool][p]) for p in people]
        yield self.say("treasures"), [self._treasures(p) for p in people]

    def _treasures(self, player: int) -> str:
        """How many of each kind: sets are what counts."""
        found = sorted(self.facts["treasures"][player].values(), reverse=True)
        return " + ".join(str(n) for n in found if n)


def screen(state: State, viewer: int | None = None, language: str = "en") -> list[str]:
    """The position for a viewer, in lines of at most 80 characters."""
    facts = Facts(state, viewer, language)
    it, board = _MapScreen(facts), _Map(facts)
    names = [f"{name} ({letter(facts.names, p)})" for p, name in enumerate(facts.names)]
    lines = [*it.heading(), *board.drawn()]
    lines += [f"  {name}: {told}" for name, told in board.crowded.items()]
    return [*lines, *it.tiles(), *player_table(names, it.players())]


def legend(language: str = "en") -> list[str]:
    """What the signs on the map mean."""
    lines = [line for line in _RUSSIAN if line.startswith(("T3: ", "!R: "))]
    return [_RUSSIAN[line] for line in lines] if language == "ru" else lines
