"""The gist of a move for one player: places taken, the price and the gain, in a few words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from attrs import define, field

from compiler.runtime.events import Event, key_text, places_in, value_text
from compiler.runtime.nouns import counted
from compiler.runtime.terminal import bookkeeping

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compiler.runtime.game import Game

Place = list[Any]


@define
class Gist:
    """Collects the changes for one player, without the bookkeeping of the rules.

    `placing` shows the places that a player now holds, `shared` the numbers without an owner, such
    as action points left.

    >>> import rules_dsl as rd
    >>> s = rd.load("mancala").start()
    >>> Gist(s.game, 0).of(s.seat(0).preview("3"))
    'turns +1'
    """

    game: Game
    player: int
    placing: bool = True
    shared: bool = True
    places: list[str] = field(factory=list)
    goods: Counter[str] = field(factory=Counter)
    cards: list[str] = field(factory=list)
    changes: list[str] = field(factory=list)

    def of(self, events: Iterable[Event], known: str = "") -> str:
        """In words; places that are named in `known`, the move itself, are left out."""
        for event in events:
            match event.kind:
                case "goods":
                    self._goods(event)
                case "cards":
                    self._cards(event)
                case "change":
                    self._change(event)
                case "move" | "draw" | "reveal" | "end":
                    continue
        said = known.casefold()
        places = [place for place in self.places if place.casefold() not in said]
        places = places if self.placing else []
        goods = [counted(n, self.game.label(good), "+") for good, n in self.goods.items() if n]
        return ", ".join([*places, *goods, *self.cards, *self.changes])

    # ---- what is whose -----------------------------------------------------------------------

    def _dimensions(self, name: str) -> list[tuple[int, int, str]]:
        meta = self.game.machine.meta
        zones = meta["zones"]
        return list(zones[name][2] if name in zones else meta["arrays"][name]["dimensions"])

    def _own(self, place: Place) -> bool:
        name, *index = place
        return bool(index) and (self._dimensions(name)[0][2], index[0]) == ("Player", self.player)

    def _keys(self, place: Place) -> str:
        """The index of a place in words, without its owner."""
        name, *index = place
        keys = zip(self._dimensions(name), index, strict=False)
        return " ".join(key_text(self.game, d, key) for d, key in keys if d[2] != "Player")

    def _place(self, place: Place) -> str:
        """What a player now holds: "Uxmal 2"; a bare number needs a noun, as in "plaque 1"."""
        keys = self._keys(place)
        return f"{self._label(place[0])} {keys}" if keys.isdecimal() else keys

    def _label(self, name: str) -> str:
        label = self.game.machine.meta["labels"].get(name)
        text = str(label[0]) if label else name.replace("_", " ")
        return text[:1].lower() + text[1:]

    # ---- events ------------------------------------------------------------------------------

    def _goods(self, event: Event) -> None:
        data = event.data
        if "from" not in data:
            if self._own([data["name"], *data["index"]]):
                self.goods[data["good"]] += data["change"]
            return
        lost, gained = self._own(data["from"]), self._own(data["to"])
        if lost and gained:
            where = self._keys(data["to"]) or self._label(data["to"][0])
            self.places.append(where)
        elif lost or gained:
            self.goods[data["good"]] += data["amount"] if gained else -data["amount"]

    def _cards(self, event: Event) -> None:
        data = event.data
        if "card" not in data:
            return
        if "from" in data:
            lost, gained = self._own(data["from"]), self._own(data["to"])
            kind = self.game.machine.meta["zones"].get(data["to"][0])
            sign = "" if lost and gained else "+" if gained else "-" if lost else None
        else:
            kind = self.game.machine.meta["zones"].get(data["name"])
            sign = data["change"] if self._own([data["name"], *data["index"]]) else None
        if sign is not None and kind is not None:
            self.cards.append(sign + value_text(self.game, kind[0], data["card"]))

    def _change(self, event: Event) -> None:
        data = event.data
        name, place = data["name"], [data["name"], *data["index"]]
        if name in bookkeeping(self.game):
            return
        kind = self.game.machine.meta["arrays"][name]["value"]
        before, after = data["before"], data["after"]
        if kind.partition("?")[0] == "Player":
            if after == self.player and self._keys(place):
                self.places.append(self._place(place))
            elif after == self.player and "?" in kind:
                self.changes.append(self._label(name))
            return
        whole = self.shared and not self._dimensions(name)
        if not (self._own(place) or (whole and type(after) is int)):
            return
        title = self._keys(place) if self._own(place) else ""
        title = title or self._label(name)
        if type(before) is int and type(after) is int and places_in(self.game, name) is None:
            self.changes.append(f"{title} {after - before:+}")
        else:
            self.changes.append(f"{title}: {event.text.rpartition(' → ')[2]}")
