"""Simple players: at random, and greedy by one step on the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.randomness import GOLDEN, MASK, chance_key, decision_key, mix

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.machine import Machine

POLICIES = ("random", "greedy")


def check_policy(name: str) -> str:
    """The name, if there is such a policy."""
    if name not in POLICIES:
        raise ValueError(f"there is no policy {name!r}; there are: {', '.join(POLICIES)}")
    return name


class Player:
    """Chooses moves; the same seed gives the same choices."""

    def __init__(self, game: Game, policy: str, seed: int, machine: Machine | None = None) -> None:
        self.game = game
        self.machine = machine or game.machine
        self.policy = check_policy(policy)
        self.key = decision_key(seed)
        self.luck = chance_key(seed ^ 0x5DEECE66D)
        self.count = 0

    def pick(self, n: int) -> int:
        """A number below n."""
        self.count += 1
        return (mix((self.key + self.count * GOLDEN) & MASK) * n) >> 64

    def choose(self, cells: bytes | bytearray) -> int:
        """The number of a legal move."""
        moves = self.machine.moves(cells)
        if not moves:
            raise self.machine.stuck(cells)
        if self.policy == "random" or len(moves) == 1:
            return moves[self.pick(len(moves))]
        return self._greedy(cells, moves)

    def _greedy(self, cells: bytes | bytearray, moves: list[int]) -> int:
        """The move after which one's lead is largest; chance is resolved by a guess."""
        machine = self.machine
        score = machine.code["score"]
        me = machine.player(cells)
        others = [p for p in range(self.game.players) if p != me]
        best: list[int] = []
        best_lead = None
        for move in moves:
            after = bytearray(cells)
            machine.play(after, move)
            if machine.is_chance(after):
                machine.settle(after, self.luck, self.count)
            lead = score(after, me) - max((score(after, p) for p in others), default=0)
            if best_lead is None or lead > best_lead:
                best, best_lead = [move], lead
            elif lead == best_lead:
                best.append(move)
        return best[self.pick(len(best))]
