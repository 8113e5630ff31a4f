"""Follow a known game, even where the rules have changed a little."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

from attrs import define

from verify.search.player import Player
from verify.search.policies import Balanced, Cells
from verify.search.witnesses import Wish

# Number of moves of a known game considered ahead.
MOVES_AHEAD = 200
NEAR = 8
# Probability that a wavering player deviates from the known game.
DEVIATION_PROBABILITY = 0.01


@define(eq=False)
class Wishful:
    """The moves of a known game as wishes: the earliest that can be fulfilled is, again and again.

    Where the rules are those of the known game, this is the known game. Where they differ, what
    cannot be done yet is put off, a player who could not go on in the known game makes room for the
    others, and moves of any kind come in between.
    """

    player: Player
    random: Random
    wishes: list[Wish]
    # Tries a move: the position after it and what can be done there.
    attempt: Callable[[Cells, int], tuple[Cells, list[int]]]
    wavering: bool = False

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """The earliest wish, else a move of any of the options; nothing without wishes."""
        if not self.wishes:
            return None
        if not self.wavering or self.random.random() >= DEVIATION_PROBABILITY:
            at = self.earliest(cells, choices)
            if at is None or (at[0] and not self.turn_of(self.wishes[0], cells)):
                move = self.making_room(cells, choices)
                if move is not None:
                    return move
            if at is not None:
                del self.wishes[at[0]]
                return at[1]
        return Balanced(self.player, self.random).choose(cells, choices)

    def earliest(self, cells: Cells, choices: list[int]) -> tuple[int, int] | None:
        """The place of the earliest wish that can be fulfilled, and its move."""
        moves = self.texts(cells, choices)
        for at, wish in enumerate(islice(self.wishes, MOVES_AHEAD)):
            if wish.text in moves and self.turn_of(wish, cells):
                return at, moves[wish.text]
        return None

    def turn_of(self, wish: Wish, cells: Cells) -> bool:
        """Whether those decide who wished for something."""
        return wish.by is None or wish.by == self.player.game.machine.player(cells)

    def making_room(self, cells: Cells, choices: list[int]) -> int | None:
        """A move after which the next move of another player becomes possible."""
        near = islice(self.wishes, NEAR)
        wish = next((w for w in near if w.by is None or not self.turn_of(w, cells)), None)
        if wish is None or len(choices) == 1:
            return None
        # Whatever ends a turn tends to stand last.
        for move in reversed(choices):
            after, moves = self.attempt(cells, move)
            if self.turn_of(wish, after) and wish.text in self.texts(after, moves):
                return move
        return None

    def texts(self, cells: Cells, choices: list[int]) -> dict[str, int]:
        """Moves by their notation."""
        notation = self.player.game.notation
        return {str(notation.move(cells, move)): move for move in choices}
