"""The positions that a player considers possible if the history does not start at the opening.

Such a position was set up by hand, or saved without its moves. Its past is unknown, so hidden
values at its start are drawn evenly among all that agree with what the player sees there:
cards that begin the game in the same place change places, limited goods are spread over the
hidden places, other hidden values are any that keep the invariants. Nothing of it is read off the
position. Values that a rule remembers for itself are taken as known; a round of secret choices must
not have begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from compiler.runtime.elementary import place_in_round
from compiler.runtime.fault import Fault
from compiler.runtime.positions import check
from compiler.runtime.values import read_slot, write_slot

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.randomness import Stream

# Values drawn for the hidden cells before giving up.
TRIES = 500
# A cell: its slot, its index in it, and the good that it counts, if that is limited.
HiddenCell = tuple[Any, int, str]


class SampleError(ValueError):
    """No position was found that agrees with what the player has seen."""


class HiddenStart:
    """The hidden part of a position that was set up, for one player."""

    def __init__(self, game: Game, player: int, cells: bytes) -> None:
        self.game, self.player, self.start = game, player, cells
        if place_in_round(game, cells):
            raise SampleError(
                "this position was set up amid a round of secret choices: play the round instead"
            )
        self.goods: dict[str, list[HiddenCell]] = {}
        self.values: list[HiddenCell] = []
        for cell in _hidden_cells(game, player):
            if cell[2]:
                self.goods.setdefault(cell[2], []).append(cell)
            else:
                self.values.append(cell)

    @property
    def certain(self) -> bool:
        """Whether what the player sees leaves one possibility for all hidden numbers.

        The only hidden place of a limited good has what is not in the others.
        """
        return not self.values and all(len(cells) == 1 for cells in self.goods.values())

    def guess(self, cells: bytes, stream: Stream) -> bytes:
        """The position with other hidden numbers."""
        if self.certain:
            return cells
        for _ in range(TRIES):
            result = bytearray(cells)
            for slot, index, _ in self.values:
                write_slot(slot, result, index, slot[3] + stream.below(slot[4] - slot[3] + 1))
            for places in self.goods.values():
                _spread(result, places, stream)
            if self._possible(result):
                return bytes(result)
        name = self.game.player_names[self.player]
        raise SampleError(
            f"this position was set up, and none of {TRIES} guesses at what {name} does not see "
            f"keeps the invariants: play to it from the opening instead"
        )

    def _possible(self, cells: bytearray) -> bool:
        machine = self.game.machine
        try:
            stuck = machine.player(cells) >= 0 and not machine.moves(cells)
        except Fault:
            return False
        return not stuck and all(one.holds for one in check(self.game, bytes(cells)))


def _hidden_cells(game: Game, player: int) -> Iterator[HiddenCell]:
    """The cells that a player does not see, apart from the places of cards."""
    limits = game.machine.meta["goods"]
    for array in game.machine.meta["arrays"].values():
        if array["kind"] == "zone":
            continue
        count = 1
        for _, size, _ in array["dimensions"]:
            count *= size
        share = count // len(array["viewers"])
        goods = array["goods"]
        for index in range(count):
            if not array["viewers"][index // share] >> player & 1:
                good = goods[index % len(goods)] if goods else ""
                yield array["slot"], index, good if limits.get(good) is not None else ""


def _spread(cells: bytearray, places: list[HiddenCell], stream: Stream) -> None:
    """Put the units of a good that lie in hidden places into any of them."""
    units = sum(read_slot(slot, cells, index) for slot, index, _ in places)
    amounts = [slot[3] for slot, _, _ in places]
    for _ in range(units - sum(amounts)):
        room = [k for k, (slot, _, _) in enumerate(places) if amounts[k] < slot[4]]
        amounts[room[stream.below(len(room))]] += 1
    for (slot, index, _), amount in zip(places, amounts, strict=True):
        write_slot(slot, cells, index, amount)
