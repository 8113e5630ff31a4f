"""The view of a player on a position, as one value that can be compared.

Two positions that look alike to a player have the same sight: the cells and cards that the player
may see, the number of cards in every zone, the decision point, who decides, and the public values
that the decision is about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compiler.runtime.decision import about_decision
from compiler.runtime.values import read_slot
from rules_dsl.language.viewers import everybody, sees

if TYPE_CHECKING:
    from compiler.runtime.game import Game

Cells = bytes | bytearray
Sight = tuple[Any, ...]


class Sights:
    """Reads the views of the players of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        meta = game.machine.meta
        self.players: int = meta["players"]
        # Where every game begins, before chance.
        self.opening = bytes(game.machine.new())
        # For each player the bytes that the player sees, as stretches.
        self.stretches: list[list[tuple[int, int]]] = [[] for _ in range(self.players)]
        # The bytes of arrays that the player does not see.
        self.unseen: list[list[tuple[int, int]]] = [[] for _ in range(self.players)]
        self.hidden_cells = False
        # Whether a player can distinguish a draw from all others: cells before it, outcome, player.
        self.seen_draws: dict[tuple[bytes, int, int], bool] = {}
        for array in meta["arrays"].values():
            if array["kind"] != "zone":
                self._array(array)
        # For each table of cards: the slot of the places, how many cards, and who sees which place.
        self.tables: list[tuple[Any, int, list[frozenset[int]]]] = []
        # The tables by name, in the same order.
        self.names: list[str] = []
        for name, array in meta["arrays"].items():
            if array["kind"] == "zone":
                self._cards(name, array, meta["zones"].values())

    def _array(self, array: dict[str, Any]) -> None:
        offset, width, *_ = array["slot"]
        count = 1
        for _, size, _ in array["dimensions"]:
            count *= size
        viewers = array["viewers"]
        share = count // len(viewers) * width
        for player in range(self.players):
            seen: list[tuple[int, int]] = []
            unseen: list[tuple[int, int]] = []
            for number, mask in enumerate(viewers):
                start = offset + number * share
                _extend(seen if mask >> player & 1 else unseen, (start, start + share))
            self.stretches[player] += seen
            self.unseen[player] += unseen
        self.hidden_cells = self.hidden_cells or viewers != everybody(self.players)

    def _cards(self, name: str, array: dict[str, Any], zones: Any) -> None:
        whole_table = frozenset(range(self.players))
        seen_by: dict[int, frozenset[int]] = {}
        cards = array["dimensions"][0][1]
        for _, of, _, first, places, *_, viewers in zones:
            if of != name:
                continue
            for place in range(places):
                seen_by[first + place] = frozenset(
                    player for player in range(self.players) if sees(viewers, places, place, player)
                )
        places_in_all = max(seen_by, default=-1) + 1
        watchers_of = [seen_by.get(place, whole_table) for place in range(places_in_all)]
        self.tables.append((array["slot"], cards, watchers_of))
        self.names.append(array["dimensions"][0][2])

    def of(self, cells: Cells, player: int) -> Sight:
        """What a player sees."""
        machine = self.game.machine
        parts: list[Any] = [bytes(cells[a:b]) for a, b in self.stretches[player]]
        for slot, cards, watchers in self.tables:
            sizes = [0] * len(watchers)
            places = []
            for card in range(cards):
                place = read_slot(slot, cells, card)
                sizes[place] += 1
                places.append(place if player in watchers[place] else -1)
            parts += (tuple(places), tuple(sizes))
        about = () if machine.over(cells) else tuple(about_decision(self.game, cells))
        return (machine.point(cells), machine.player(cells), about, *parts)


def _extend(stretches: list[tuple[int, int]], new: tuple[int, int]) -> None:
    """Add a stretch of bytes; one that continues the last one makes it longer."""
    if stretches and stretches[-1][1] == new[0]:
        new = (stretches.pop()[0], new[1])
    stretches.append(new)
