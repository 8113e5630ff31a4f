"""A position of Tzolk'in in characters: calendar, gears as rows, offers, what each player has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.facts import Facts, amount, how_many
from games.pieces import letter
from games.screen import Row, in_words, player_table, words
from games.tzolkin import hints
from games.tzolkin.tables import price

if TYPE_CHECKING:
    from compiler.runtime.state import State

# What follows from the rest, and what only matters inside a move: never told by itself.
BOOKKEEPING = frozenset({
    "neutral", "neutral_placed", "on_gears", "in_hand", "placed", "emptied", "choosing_wealth",
    "under_way", "architecture_used", "waiting", "newest", "any_action_due", "rounds",
    "put_away", "monument_box",
})  # fmt: skip
_RUSSIAN = {
    "day": "день", "of": "из", "food day on day": "день пищи", "goods": "товары",
    "points": "очки", "first player": "первый игрок", "on the wheel": "на шестерне",
    "first-player space": "ячейка первого игрока", "x: a neutral worker": "x: нейтральный рабочий",
    "harvest tiles": "жетоны сбора", "skulls at": "черепа",
    "Buildings": "Здания", "Monuments": "Дворцы", "in the stack": "в стопке",
    "set-up": "подготовка",
    "workers: hand, gears, supply": "рабочие: рука, шестерни, запас",
    "tiles dealt": "розданные жетоны", "empty": "пусто", "open tiles": "открытые жетоны",
}  # fmt: skip


class _GearScreen:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def say(self, text: str) -> str:
        """A word of the screen itself."""
        return _RUSSIAN.get(text, text) if self.facts.language == "ru" else text

    def owner(self, player: int | None) -> str:
        """The letter of a player, as on the pieces; a dot for nobody."""
        return "." if player is None else letter(self.facts.names, player)

    # ---- the board ---------------------------------------------------------------------------

    def heading(self) -> list[str]:
        facts, say = self.facts, self.say
        food_days = facts.numbers("food_day", (8, 14, 21, 27))
        last = food_days[-1] - 1
        parts = [f"{say('day')} {min(facts['day'], last)} {say('of')} {last}"]
        if not facts["under_way"]:
            parts.append(say("set-up"))
        held = facts["food_days_held"]
        if held < len(food_days):
            kind = say("goods" if held % 2 == 0 else "points")
            parts.append(f"{say('food day on day')} {food_days[held]} ({kind})")
        parts.append(f"{say('first player')} {facts.names[facts['first_player']]}")
        if facts["wheel"]["maize"]:
            maize = facts.word("maize")
            parts.append(f"{facts['wheel']['maize']} {maize} {say('on the wheel')}")
        line = " · ".join(parts)
        return words(line[:1].upper() + line[1:])

    def gears(self) -> Iterator[str]:
        facts, say = self.facts, self.say
        last = dict(zip(facts.values("Gear"), facts.numbers("last_space"), strict=True))
        first = max(len(facts.word(gear)) for gear in last) + 4
        wheels = facts["worker"]
        numbers = max(n for gear in last for n in wheels[gear] if self._in_play(gear, n, last))
        yield " " * first + "".join(f"{n:>2} " for n in range(numbers + 1)).rstrip()
        for gear in last:
            marks = [self._tooth(gear, n, last) for n in range(numbers + 1)]
            note = self._beside(gear)
            row = f"  {facts.word(gear)}".ljust(first) + "".join(f" {mark} " for mark in marks)
            yield f"{row}  {note}".rstrip()
        fields = facts["jungle"].items()
        tiles = [f"{n}: {tiles['maize_tile']}+{tiles['wood_tile']}" for n, tiles in fields]
        first_space = f"{say('first-player space')}: {self.owner(facts['first_space'])}"
        yield f"  {first_space}   {say('harvest tiles')} {'  '.join(tiles)}"

    def _in_play(self, gear: str, n: int, last: dict[str, int]) -> bool:
        """Whether a tooth is a numbered space, or holds a neutral worker behind the last one."""
        return n <= last[gear] or self.facts["neutral"][gear][n]

    def _tooth(self, gear: str, n: int, last: dict[str, int]) -> str:
        if self.facts["neutral"][gear][n]:
            return "x"
        return self.owner(self.facts["worker"][gear][n]) if n <= last[gear] else " "

    def _beside(self, gear: str) -> str:
        """What is to be said of a gear besides its workers."""
        if gear == "chichen_itza":
            taken = [str(n) for n, skulls in self.facts["altar"].items() if skulls["skull"]]
            return f"{self.say('skulls at')} {' '.join(taken)}" if taken else ""
        first = gear == self.facts.values("Gear")[0]
        return self.say("x: a neutral worker") if first and self.facts.players < 4 else ""

    def offers(self) -> Iterator[str]:
        facts = self.facts
        cards = [self._building(name) for name in facts["display"]]
        age = 1 if facts["food_days_held"] < 2 else 2
        left = how_many(facts["first_stack" if age == 1 else "second_stack"])
        head = f"{self.say('Buildings')} ({left} {self.say('in the stack')})"
        yield from words(f"{head}: {'; '.join(cards) or self.say('empty')}")
        raised = [self._priced("Monument", name) for name in facts["monuments"]]
        yield from words(f"{self.say('Monuments')}: {'; '.join(raised) or self.say('empty')}")
        if facts.get("row_of_tiles"):
            tiles = [facts.label("Wealth", name) for name in facts["row_of_tiles"]]
            yield from words(f"{self.say('open tiles')}: {', '.join(tiles)}")

    def _priced(self, table: str, name: str) -> str:
        cost = in_words(dict(price(self.facts, table, name)), self._goods)
        return f"{self.facts.label(table, name)} ({cost})"

    def _building(self, name: str) -> str:
        told = hints.building(self.facts, name)
        points = self.facts.entry("Building", "points", name)
        gives = [told] * bool(told) + [f"{points} {self.say('points')}"] * bool(points)
        return f"{self._priced('Building', name)} {', '.join(gives)}".rstrip()

    @property
    def _goods(self) -> dict[str, str]:
        facts = self.facts
        return {good: facts.word(good) for good in (*facts.values("Resource"), "skull")}

    # ---- the players -------------------------------------------------------------------------

    def players(self) -> Iterator[Row]:
        facts, people = self.facts, range(self.facts.players)
        yield self.say("points"), [amount(facts["points"][p]) for p in people]
        places = [facts[name] for name in ("in_hand", "on_gears", "in_reserve")]
        workers = [" ".join(str(place[p]) for place in places) for p in people]
        yield self.say("workers: hand, gears, supply"), workers
        for good in ("maize", *facts.values("Resource"), "skull"):
            yield facts.word(good), [str(facts["stock"][p][good] or "-") for p in people]
        for table, held in (("Temple", "step"), ("Track", "level")):
            for name in facts.values(table):
                yield facts.word(name), [str(facts[held][p][name]) for p in people]
        for zone in ("built", "raised", "kept", "dealt"):
            cells = [self._cards(facts[zone][p]) for p in people]
            yield self.say("tiles dealt") if zone == "dealt" else self._title(zone), cells

    def _title(self, zone: str) -> str:
        return self.facts.word(zone).lower()

    def _cards(self, cards: object) -> str:
        labels = self.facts.label
        if not isinstance(cards, tuple):
            return "?" * how_many(cards) or "-"
        return " ".join(labels(self._table(card), card) for card in cards) or "-"

    def _table(self, card: str) -> str:
        tables = ("Building", "Monument", "Wealth")
        return next(table for table in tables if card in self.facts.values(table))


def screen(state: State, viewer: int | None = None, language: str = "en") -> list[str]:
    """The position for a viewer, in lines of at most 80 characters."""
    facts = Facts(state, viewer, language)
    it = _GearScreen(facts)
    names = [f"{name} ({letter(facts.names, p)})" for p, name in enumerate(facts.names)]
    return [*it.heading(), *it.gears(), *it.offers(), *player_table(names, it.players())]


def about(state: State, name: str, language: str = "en") -> list[str]:
    """What technologies and monuments do, which the rules say at length."""
    facts = Facts(state, None, language)
    prices = facts.numbers("advance_cost", (1, 2, 3, 1))
    lines = []
    for track in facts.values("Track"):
        if name in (track, facts.label("Track", track), facts.word(track)):
            for level, told in enumerate(hints.technology(facts, track)):
                step = f"level {level + 1}" if level < 3 else "beyond level 3"
                lines.append(f"{step} (pay {prices[level]}): {' '.join(told)}")
    return lines + [
        hints.monument(facts, monument)
        for monument in facts.values("Monument")
        if name in (monument, facts.label("Monument", monument).casefold())
    ]
