"""A position of Yucatan in characters: jungle and cities, the battle, what each player has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.facts import Facts, amount, how_many
from games.pieces import letter
from games.screen import Row, player_table, words
from games.yucatan import marks
from rules_dsl.language.doubt import STAR

if TYPE_CHECKING:
    from compiler.runtime.state import State

# What follows from the rest, and what only counts within a turn, a battle or a sacrifice.
BOOKKEEPING = frozenset({
    "moved", "turns_taken", "building_placed", "leader_placed", "creature_cards", "card_held",
    "card_paid", "creature_paid", "creature_ignored", "warlord_captured", "took_prisoners",
    "fighter", "climbed", "offered", "advanced", "moves_due", "sacrifice_total",
})  # fmt: skip
LAST_ROUND = 4
NOTHING = "-"
PROVISIONAL = f"{STAR} provisional: what is printed there is not public"
_RUSSIAN = {
    "round": "раунд", "turn": "ход", "of": "из", "supply": "запас", "corn": "кукуруза",
    "jade": "нефрит", "warriors": "воины", "deck": "колода", "discarded": "сброс",
    "to be summoned": "можно призвать", "nobody": "никого", "attacks": "атакует",
    "cards": "карты", "hand": "рука", "drawn": "взяты", "offers": "бонусы", "points": "очки",
    "first player": "первый игрок", "goods": "ресурсы", "prisoners": "пленники",
    "clan tokens": "жетоны кланов", "cards in hand": "карт на руке",
    "marker, step": "жертвы, ступень", "development": "развитие", "buildings": "сооружения",
    "leaders used": "активированы", "advisors, ability": "советники",
    "reinforcements 1": "усиления 1", "reinforcements 2": "усиления 2", "clan": "клан",
    "W1: 3 warriors with the first warlord   +CR11 to 2: a creature, to the end of round 2":
        "W1: 3 воина у первого предводителя   +CR11 to 2: существо, до конца раунда 2",
    "development: columns of construction, training, summoning; 4 is the bonus cell":
        "развитие: столбцы возведения, усиления, призыва; 4: ячейка бонуса",
    "(1) after the points: the owner of the first-player token":
        "(1) после очков: у кого жетон первого игрока",
    PROVISIONAL: f"{STAR} условно: что там напечатано, не опубликовано",
}  # fmt: skip


class _Screen:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def say(self, text: str) -> str:
        """A word of the screen itself."""
        return _RUSSIAN.get(text, text) if self.facts.language == "ru" else text

    def letter(self, player: int) -> str:
        return letter(self.facts.names, player)

    # ---- the table -----------------------------------------------------------------------------

    def heading(self) -> list[str]:
        facts, say = self.facts, self.say
        supply = facts["supply"]
        goods = ", ".join(
            f"{say(title)} {supply[good]}"
            for good, title in (("corn", "corn"), ("jade", "jade"), ("warrior", "warriors"))
        )
        piles = f"{say('deck')} {how_many(facts['deck'])}, {say('discarded')} "
        parts = [
            f"{say('round')} {min(LAST_ROUND, facts['round'])} {say('of')} {LAST_ROUND}",
            f"{say('turn')} {min(3, facts['turn_number'])} {say('of')} 3",
            f"{say('supply')}: {goods}",
            piles + str(how_many(facts["discard"])),
        ]
        return words(" · ".join(parts))

    def places(self) -> Iterator[str]:
        facts = self.facts
        for place in facts.values("Place"):
            here = [
                self._army(p, w)
                for p in range(facts.players)
                for w in facts.values("Warlord")
                if facts["at"][p][w] == place
            ]
            jade = facts["lying"][place]["jade"]
            here += [f"{self.say('jade')} {jade}"] * bool(jade)
            offers = self._offers(place)
            told = [*here, *([f"{self.say('offers')}: {offers}"] if offers else [])]
            yield from words(f"  {facts.word(place)}: {' · '.join(told) or NOTHING}")

    def _army(self, player: int, warlord: str) -> str:
        """An army: whose it is, which warlord, the warriors, the creature with its last round."""
        facts = self.facts
        number = facts.values("Warlord").index(warlord) + 1
        told = f"{self.letter(player)}{number}: {facts['army'][player][warlord]['warrior']}"
        for creature in facts["attached"][player][warlord]:
            last = facts["expiry"][player][warlord]
            told += f" +{marks.starred(facts, 'Creature', creature)} to {last}"
        return told

    def _offers(self, place: str) -> str:
        """The bonuses of a city in this round."""
        facts = self.facts
        at, now = facts.values("Place").index(place), facts["round"]
        cities, rounds = facts.numbers("Bonus.city"), facts.numbers("Bonus.round")
        return ", ".join(
            facts.label("Bonus", bonus).removesuffix(f" of {place}")
            + marks.star(facts, "Bonus", bonus)
            for k, bonus in enumerate(facts.values("Bonus"))
            if cities[k] == at and rounds[k] <= now
        )

    def summoning(self) -> list[str]:
        facts = self.facts
        names = [marks.starred(facts, "Creature", c) for c in facts["summoning_area"]]
        told = ", ".join(names) or self.say("nobody")
        return words(f"{self.say('to be summoned')}: {told}")

    def battle(self) -> Iterator[str]:
        facts = self.facts
        attacker = facts["attacker"]
        if attacker is None:
            return
        played = [
            f"{facts.names[p]} {marks.card(facts, card)}"
            for p, card in facts["played"].items()
            if card is not None
        ]
        told = f"{facts.names[attacker]} {self.say('attacks')}"
        cards = f" · {self.say('cards')}: {', '.join(played)}" if played else ""
        yield from words(told + cards)

    # ---- players -------------------------------------------------------------------------------

    def players(self) -> Iterator[Row]:
        facts, people = self.facts, range(self.facts.players)
        first = facts["first_player"]
        yield (
            self.say("points"),
            [amount(facts["points"][p]) + " (1)" * (p == first) for p in people],
        )
        stock = facts["stock"]
        yield (
            f"{self.say('corn')}, {self.say('jade')}",
            [f"{stock[p]['corn']}, {stock[p]['jade']}" for p in people],
        )
        yield self.say("prisoners"), [str(facts["prison"][p]["warrior"]) for p in people]
        yield self.say("clan tokens"), [self._tokens(p) for p in people]
        yield self.say("cards in hand"), [str(self._held(p)) for p in people]
        yield (
            self.say("marker, step"),
            [f"{facts['sacrifice_marker'][p]}, {facts['step'][p]}" for p in people],
        )
        yield (
            self.say("development"),
            [" ".join(str(n) for n in facts["development"][p].values()) for p in people],
        )
        yield self.say("buildings"), [self._buildings(p) for p in people]
        yield self.say("leaders used"), [self._used(p) for p in people]
        yield self.say("advisors, ability"), [self._chosen(p) for p in people]
        for k, warlord in enumerate(facts.values("Warlord"), 1):
            yield self.say(f"reinforcements {k}"), [self._sectors(p, warlord) for p in people]

    def _tokens(self, player: int) -> str:
        held = self.facts["clan_token"][player]
        return " ".join(self.letter(q) for q in range(self.facts.players) if held[q]) or NOTHING

    def _held(self, player: int) -> int:
        facts = self.facts
        own = (c for army in facts["attached"][player].values() for c in army)
        creatures: int = sum(facts["card_held"][c] for c in own)
        return how_many(facts["hand"][player]) + creatures

    def _buildings(self, player: int) -> str:
        facts = self.facts
        raised = [
            f"{facts.word(b)} {n}{marks.star(facts, 'Stage', f'{b}_{n}')}"
            for b, n in facts["level"][player].items()
            if n
        ]
        return ", ".join(raised) or NOTHING

    def _used(self, player: int) -> str:
        facts = self.facts
        used = [self.say("clan")] * facts["clan_leader_used"][player]
        done = facts["warlord_used"][player].values()
        return " ".join([*used, *(str(k) for k, yes in enumerate(done, 1) if yes)]) or NOTHING

    def _chosen(self, player: int) -> str:
        """Two advisors and the ability; nothing before they are revealed."""
        facts = self.facts
        chosen = [a for a, yes in facts["advises"][player].items() if yes]
        if not chosen:
            return NOTHING
        ability = marks.starred(facts, "Ability", facts["ability"][player])
        return " ".join([*(marks.starred(facts, "Advisor", a) for a in chosen), ability])

    def _sectors(self, player: int, warlord: str) -> str:
        facts = self.facts
        tokens = list(facts["reinforcement"][player][warlord].values())
        if not any(tokens):
            return NOTHING
        return " ".join(
            NOTHING if t is None else marks.starred(facts, "Reinforcement", t) for t in tokens
        )

    def own_cards(self) -> Iterator[str]:
        """The cards that the viewer sees."""
        facts = self.facts
        for zone in ("hand", "drawn"):
            for cards in facts[zone].values():
                if isinstance(cards, tuple) and cards:
                    told = ", ".join(marks.card(facts, card) for card in cards)
                    yield from words(f"{self.say(zone)}: {told}")


def screen(state: State, viewer: int | None = None, language: str = "en") -> list[str]:
    """The position for a viewer, in lines of at most 80 characters."""
    facts = Facts(state, viewer, language)
    it = _Screen(facts)
    names = [f"{name} ({it.letter(p)})" for p, name in enumerate(facts.names)]
    return [
        *it.heading(),
        *it.places(),
        *it.summoning(),
        *it.battle(),
        *player_table(names, it.players()),
        *it.own_cards(),
        *([it.say(PROVISIONAL)] if marks.note(facts.game) else []),
    ]


def legend(language: str = "en") -> list[str]:
    """What the signs on the screen mean."""
    lines = [line for line in _RUSSIAN if line.startswith(("W1: ", "development: ", "(1) "))]
    return [_RUSSIAN[line] for line in lines] if language == "ru" else lines
