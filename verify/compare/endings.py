"""Looking for games that end in a way that a tie-break decides.

Players who end level are rare in games played at random, so the search is directed: the end of a
game is replayed again and again, each time from a random point on, and every end that brings the
leaders closer together is kept. The game found is then shortened; it remains a game from the
opening, legal under both rule sets, and differs only in how its end is judged.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle

from attrs import define, field, frozen

from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from verify.compare.bisimulation import RESTRAINT, GamePair

# Number of times that the end of a game is replayed: in all, and without getting closer.
MOST_ENDS = 3_000
PATIENCE = 150
MOST_SHORTENING = 250
LONGEST = 5_000

# Positions of both games that were reached by the same moves.
Both = tuple[bytes, bytes]
# The positions in which the games wait, and the numbers of the move made there.
_Step = tuple[Both, tuple[int, int]]


@frozen
class Judge:
    """The ranking of a game: criterion by criterion, the score first."""

    game: Game

    def values(self, cells: bytes, player: int) -> tuple[int, ...]:
        """The criteria for a player, the most important first."""
        code = self.game.machine.code
        ties = [sign * int(tie(cells, player)) for sign, tie in code["TIES"]]
        return (int(code["score"](cells, player)), *ties)

    def winners(self, cells: bytes, level: int | None = None) -> tuple[int, ...]:
        """The winners by the criteria up to a level."""
        stop = None if level is None else level + 1
        ranks = [self.values(cells, p)[:stop] for p in range(self.game.players)]
        best = max(ranks)
        return tuple(p for p, rank in enumerate(ranks) if rank == best)

    def decides(self, cells: bytes, level: int) -> bool:
        """Whether players are level before, and not after."""
        return self.winners(cells, level) != self.winners(cells, level - 1)

    def gaps(self, cells: bytes, level: int) -> tuple[int, ...]:
        """The distance between the two best at each level before this one."""
        ranks = sorted((self.values(cells, p) for p in range(self.game.players)), reverse=True)
        return tuple(
            abs(ranks[0][k] - ranks[-1 if len(ranks) == 1 else 1][k]) for k in range(level)
        )


@define(eq=False)
class Endings:
    """A search for an end that tie-break `level` of one of the games decides, and not the other.

    `second` tells which of the games has that tie-break.
    """

    pair: GamePair
    level: int
    second: bool
    seed: int = 0
    _rng: random.Random = field(init=False)
    _judges: tuple[Judge, Judge] = field(init=False)
    _left: int = MOST_ENDS
    _restraint: float = 0.0

    def __attrs_post_init__(self) -> None:
        self._rng = random.Random(self.seed)
        self._judges = (Judge(self.pair.one), Judge(self.pair.two))

    def find(self) -> tuple[int, ...] | None:
        """The moves of a game that ends as wanted, or nothing within the budget."""
        for self._restraint in cycle(RESTRAINT):
            found = self._climb()
            if found is not None:
                return self.shortened(found)
            if self._left <= 0:
                break
        return None

    # ---- ends ------------------------------------------------------------------------------------

    def wanted(self, end: Both) -> bool:
        """Whether the tie-break decides, and the other game is won by others."""
        one, two = (judge.winners(cells) for judge, cells in zip(self._judges, end, strict=True))
        return one != two and self._judges[self.second].decides(end[self.second], self.level)

    def gaps(self, end: Both) -> tuple[int, ...]:
        """The distance between the leaders."""
        return self._judges[self.second].gaps(end[self.second], self.level)

    def _climb(self) -> list[_Step] | None:
        """From one random game to others that end closer and closer."""
        best, end = self._played(self._opening())
        if end is None:
            return None
        gaps, stale = self.gaps(end), 0
        while stale < PATIENCE and self._left > 0:
            if self.wanted(end):
                return best
            # Mostly late in the game: an end changes little and costs little.
            cut = len(best) - 1 - int(len(best) * self._rng.random() ** 3)
            steps, other = self._played(best[cut][0])
            stale += 1
            if other is not None and self.gaps(other) <= gaps:
                stale = stale if self.gaps(other) == gaps else 0
                best, end, gaps = best[:cut] + steps, other, self.gaps(other)
        return None

    # ---- playing both games ----------------------------------------------------------------------

    def _opening(self) -> Both:
        return bytes(self.pair.one.machine.new()), bytes(self.pair.two.machine.new())

    def _after(self, position: Both, codes: tuple[int, int]) -> Both:
        one, two = bytearray(position[0]), bytearray(position[1])
        self.pair.one.machine.play(one, codes[0])
        self.pair.two.machine.play(two, codes[1])
        return bytes(one), bytes(two)

    def _over(self, position: Both) -> bool:
        return self.pair.one.machine.over(position[0]) or self.pair.two.machine.over(position[1])

    def _played(self, position: Both) -> tuple[list[_Step], Both | None]:
        """Play at random to the end with moves that both games allow."""
        self._left -= 1
        steps: list[_Step] = []
        try:
            while not self._over(position) and len(steps) < LONGEST:
                legal = self.pair.steps(*position)[0]
                codes = self.pair.choice(position[0], legal, self._rng, self._restraint)
                steps.append((position, codes))
                position = self._after(position, codes)
        except (Fault, IndexError):
            return steps, None
        return steps, position if self._level_end(position) else None

    def _level_end(self, position: Both) -> bool:
        """Whether both games are over, and nothing but the judgement may differ."""
        if not self._over(position):
            return False
        difference = self.pair.differs(*position, "")
        return difference is None or difference.kind == "score"

    # ---- shortening ------------------------------------------------------------------------------

    def shortened(self, steps: Sequence[_Step]) -> tuple[int, ...]:
        """A shorter game that ends as wanted, too: moves are left out while it still does."""
        best = list(steps)
        tries, size = 0, max(1, len(best) // 2)
        while tries < MOST_SHORTENING:
            at, changed = 0, False
            while at < len(best) and tries < MOST_SHORTENING:
                tries += 1
                rest = self._mended(best[at][0], best[at + size :])
                if rest is not None and at + len(rest) < len(best):
                    best, changed = [*best[:at], *rest], True
                else:
                    at += size
            if size == 1 and not changed:
                break
            size = max(1, size // 2)
        return tuple(code for _, (code, _) in best)

    def _mended(self, position: Both, wishes: Sequence[_Step]) -> list[_Step] | None:
        """A game that continues with some moves; where the next is not possible, players stop, or
        the first move that is possible is made. Nothing if it does not end as wanted."""
        number = self.pair.one.machine.point
        played: list[_Step] = []
        at = 0

        def granted() -> bool:
            (wished, _), (code, _) = wishes[at]
            return number(wished) == point and code in legal

        try:
            while not self._over(position) and len(played) < LONGEST:
                point = number(position[0])
                legal = dict(self.pair.steps(*position)[0])
                code = self.pair.leaving(point)
                if code not in legal:
                    # Stopping is not possible here: continue with the next wish for this point.
                    while at < len(wishes) and not granted():
                        at += 1
                    code = next(iter(legal), None)
                if at < len(wishes) and granted():
                    code = wishes[at][1][0]
                    at += 1
                if code is None:
                    return None
                played.append((position, (code, legal[code])))
                position = self._after(position, (code, legal[code]))
        except Fault:
            return None
        return played if self._level_end(position) and self.wanted(position) else None
