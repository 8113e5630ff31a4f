"""Battles in the game in plain Python: effects of components, one after the other."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from attrs import define, field

from tests.games.side_by_side import Course, Step

from .components import Effect, effects
from .table import Army, Table, kind


@define
class Side:
    """One side of a battle."""

    p: int
    army: Army
    attacks: bool
    card: str | None = None
    # The options that are paid for, by the component and its line.
    paid: set[tuple[str, int]] = field(factory=set)
    ignored: bool = False
    won: bool = False
    captured: bool = False


class Battle(Table):
    """What players do with cards and armies."""

    def city(self, p: int, city: str) -> Course:
        raise NotImplementedError

    # ---- effects --------------------------------------------------------------------------------

    def affordable(self, p: int, effect: Effect) -> bool:
        assert effect.cost is not None
        what, n = effect.cost
        seat = self.seats[p]
        have = {
            "SPEND_CORN": seat.corn,
            "SPEND_JADE": seat.jade,
            "RETURN_PRISONER": seat.prisoners,
        }
        return have[what] >= n

    def pay_for(self, p: int, effect: Effect) -> None:
        assert effect.cost is not None
        what, n = effect.cost
        name = {"SPEND_CORN": "corn", "SPEND_JADE": "jade", "RETURN_PRISONER": "prisoners"}[what]
        self.pay(p, **{name: n})

    def simple(self, p: int, effect: Effect) -> Course:
        """Carry out an effect that has nothing to do with a battle."""
        self.take(p, effect)
        match effect.what:
            case "DRAW_1":
                for _ in range(effect.amount):
                    yield from self.draw(p)
            case "DRAW_3_KEEP_1":
                for _ in range(effect.amount):
                    yield from self.draw_three(p)
            case "RECRUIT":
                yield from self.recruit_somewhere(p)

    def recruit_somewhere(self, p: int) -> Course:
        moves = {f"recruit for the {w} warlord": a for w, a in self.seats[p].armies.items()}
        self.recruit(p, moves[(yield p, list(moves))])

    def drawn(self) -> Generator[Step, str, str | None]:
        if not self.deck:
            self.deck, self.discard = self.discard, []
        if not self.deck:
            return None
        card = (yield None, [f"draw {card}" for card in self.deck]).removeprefix("draw ")
        self.deck.remove(card)
        return card

    def draw(self, p: int) -> Course:
        card = yield from self.drawn()
        if card:
            self.seats[p].hand.append(card)

    def draw_three(self, p: int) -> Course:
        cards = []
        for _ in range(3):
            card = yield from self.drawn()
            if card:
                cards.append(card)
        if cards:
            kept = (yield p, [f"keep {card}" for card in cards]).removeprefix("keep ")
            self.seats[p].hand.append(kept)
            cards.remove(kept)
            (self.deck if self.ruled("kept_cards", "back") else self.discard).extend(cards)

    # ---- a battle -------------------------------------------------------------------------------

    def battle(self, p: int, army: Army, q: int, other: Army, city: str) -> Course:
        a, d = Side(p, army, True), Side(q, other, False)
        for side in sorted((a, d), key=lambda s: s.p):
            cards = self.playable(side)
            if cards:
                move = yield side.p, [f"play {card}" for card in cards]
                side.card = move.removeprefix("play ")
        for side in (a, d):
            yield from self.buy(side, late=False)
        ignoring = [self.total(side, "IGNORE_OPP_CREATURE") for side in (a, d)]
        a.ignored, d.ignored = ignoring[1] > 0, ignoring[0] > 0
        first = [self.total(side, "CAPTURE_STEP1") for side in (a, d)]
        self.capture(a, d, first[0])
        self.capture(d, a, first[1])
        power = [self.power(side) for side in (a, d)]
        a.won, d.won = power[0] > power[1], power[1] > power[0]
        for winner, loser in ((a, d), (d, a)):
            spared = self.ruled("short_captures", "warriors_only") and not loser.army.warriors
            if winner.won and not spared:
                self.capture(winner, loser, 1)
        for side in (a, d):
            yield from self.buy(side, late=True)
        for side, foe in ((a, d), (d, a)):
            yield from self.aftermath(side, foe)
        for side, foe in ((a, d), (d, a)):
            if side.captured:
                self.seats[side.p].tokens.add(foe.p)
        self.rebuild(a, d)
        evicted = d.won and self.total(a, "LOST_ATTACK_EVICT_ACTIVATE") > 0
        if d.won:
            stays = evicted and self.ruled("evicting_army", "enters")
            a.army.place = city if stays else "jungle"
        else:
            a.army.place = city
        if evicted or not d.won:
            d.army.place = "jungle"
        self.put_away(a, d)
        if evicted or not d.won:
            if self.ruled("battle_jade", "one"):
                self.gain(p, jade=1)
            yield from self.city(p, city)

    def buy(self, side: Side, late: bool) -> Course:
        """What card and creature sell: for the clash before it, everything else in step 3."""
        for number in (1, 2):
            for owner, name in (("card", "the card"), ("creature", side.army.creature)):
                if owner == "creature" and side.ignored:
                    continue
                effect = self.lines(side, owner).get(number)
                if effect is None or effect.cost is None or not self.affordable(side.p, effect):
                    continue
                early = effect.what in ("STRENGTH", "CAPTURE_STEP1", "IGNORE_OPP_CREATURE")
                if early != late:
                    move = yield side.p, [f"pay for option {number} of {name}", "pass"]
                    if move != "pass":
                        side.paid.add((owner, number))
                        self.pay_for(side.p, effect)

    def printed(self, side: Side, owner: str) -> list[Effect]:
        """What is printed on the card or the creature of a side."""
        if owner == "creature":
            return self.beast(side.army)
        return effects(self.box.of_card(side.card)) if side.card else []

    def lines(self, side: Side, owner: str) -> dict[int, Effect]:
        """The lines of a component that do not always hold, by number."""
        return dict(enumerate((e for e in self.printed(side, owner) if e.is_line), 1))

    def playable(self, side: Side) -> list[str]:
        own = f"{side.army.creature} card"
        return [c for c in self.seats[side.p].hand if kind(c) != "creature" or c == own]

    def in_force(self, side: Side) -> Iterator[Effect]:
        """The effects of card, reinforcements, creature and tokens whose conditions hold."""
        met = {"": True, "IF_ATTACKER": side.attacks, "ON_VICTORY": side.won}
        for owner in ("card", *["creature"] * (not side.ignored)):
            yield from (e for e in self.printed(side, owner) if not e.is_line)
            for number, effect in self.lines(side, owner).items():
                if (owner, number) in side.paid if effect.cost else met.get(effect.when, False):
                    yield effect
        tokens = self.box.modifications[: self.seats[side.p].step]
        for effect in (*self.worn(side.army), *(e for text in tokens for e in effects(text))):
            if met.get(effect.when, False):
                yield effect

    def total(self, side: Side, what: str) -> int:
        return sum(e.amount for e in self.in_force(side) if e.what == what)

    def power(self, side: Side) -> int:
        figures = side.army.warriors + (not side.army.captured)
        return self.total(side, "STRENGTH") + figures

    def capture(self, taker: Side, loser: Side, n: int) -> None:
        army = loser.army
        for _ in range(n):
            if army.warriors:
                army.warriors -= 1
                self.seats[taker.p].prisoners += 1
                taker.captured = True
            elif not army.captured:
                army.captured = True
                taker.captured = True

    def aftermath(self, side: Side, foe: Side) -> Course:
        self.capture(side, foe, self.total(side, "CAPTURE_STEP3"))
        # Single cards are drawn before three of which one is kept.
        for effect in sorted(self.in_force(side), key=lambda e: e.what == "DRAW_3_KEEP_1"):
            if effect.what == "RECRUIT":
                if not side.army.captured:
                    self.recruit(side.p, side.army)
            else:
                yield from self.simple(side.p, effect)

    def rebuild(self, a: Side, d: Side) -> None:
        for side, foe in ((d, a), (a, d)):
            if side.army.captured:
                self.seats[foe.p].points += 1
                if self.warriors:
                    self.warriors -= 1
                    self.seats[foe.p].prisoners += 1
        for side in (a, d):
            if side.army.captured:
                side.army.captured = False
                if self.ruled("reforming", "whole_supply"):
                    side.army.warriors, self.warriors = self.warriors, 0
                else:
                    self.recruit(side.p, side.army)

    def put_away(self, a: Side, d: Side) -> None:
        takes = {s.p: self.total(s, "TAKE_OPP_CARD") > 0 for s in (a, d)}
        keeps = {s.p: self.total(s, "RETURN_CARD") > 0 for s in (a, d)}
        for side, foe in ((a, d), (d, a)):
            card = side.card
            if card is None:
                continue
            stays = keeps[side.p] and self.ruled("contested_card", "to_owner")
            if takes[foe.p] and kind(card) != "creature" and not stays:
                self.seats[side.p].hand.remove(card)
                self.seats[foe.p].hand.append(card)
            elif not keeps[side.p]:
                self.seats[side.p].hand.remove(card)
                piles = {"starting": self.removed, "special": self.discard}
                if kind(card) in piles:
                    piles[kind(card)].append(card)
