"""The random player of simulations: the same choices in every back end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.randomness import GOLDEN, MASK, decision_key, mix

if TYPE_CHECKING:
    from compiler.runtime.machine import Machine


class RandomPlayer:
    """Chooses any legal move; the same seed gives the same choices, natively as well.

    >>> import rules_dsl as rd
    >>> machine = rd.load("tic_tac_toe").machine
    >>> RandomPlayer(machine, 1).choose(machine.new()) in range(9)
    True
    """

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine = machine
        self.key = decision_key(seed)
        self.count = 0

    def choose(self, cells: bytes | bytearray) -> int:
        """The number of a legal move."""
        moves = self.machine.moves(cells)
        if not moves:
            raise self.machine.stuck(cells)
        self.count += 1
        return moves[(mix((self.key + self.count * GOLDEN) & MASK) * len(moves)) >> 64]
