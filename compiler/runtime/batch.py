"""Many games side by side, for learners: positions, legal moves and scores as numpy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compiler.runtime.arguments import whole_number
from compiler.runtime.backends import BackendError
from compiler.runtime.machine import OVER
from compiler.runtime.randomness import MASK, chance_key
from compiler.runtime.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from compiler.runtime.game import Game


class Batch:
    """Games side by side; one that ends makes room for the next.

    Slot k plays the games with seeds seed + k, seed + k + n, seed + k + 2n, …, each exactly as
    `game.start(seed)` would. `step` takes one legal move, by number, for every slot, or -1 for
    a slot that waits.

    >>> import rules_dsl as rd
    >>> batch = rd.load("tic_tac_toe").batch(3, seed=1)
    >>> batch.counts.tolist(), batch.player.tolist()
    ([9, 9, 9], [0, 0, 0])
    >>> batch.step(batch.moves[:, 0])
    >>> batch.counts.tolist(), batch.done.tolist()
    ([8, 8, 8], [False, False, False])
    """

    def __init__(self, game: Game, n: int, seed: int, backend: str) -> None:
        try:
            import numpy as np
        except ImportError:
            raise BackendError("batches need numpy: `pip install 'rules-dsl[rl]'`") from None
        n = whole_number(n, "the number of games")
        if n < 1:
            raise ValueError(f"a batch has at least one game, not {n}")
        meta = game.machine.meta
        if meta["frame_pointer"] is not None:
            raise BackendError(
                f"{game.name} has procedures that call themselves: its positions vary in size"
            )
        self.game = game
        self.size = n
        self.seed = whole_number(seed, "a seed")
        self._machine = game.backends.choose(backend, n)
        counts = [o[2] + o[3] for p in meta["points"] if p.get("options") for o in p["options"]]
        # The cells of each position.
        self.states: NDArray[np.uint8] = np.zeros((n, len(game.machine.code["INITIAL"])), np.uint8)
        # The numbers of the legal moves of each position, `counts` of them; the rest is -1.
        self.moves: NDArray[np.int32] = np.full((n, max(counts, default=1)), -1, np.int32)
        self.counts: NDArray[np.int32] = np.zeros(n, np.int32)
        # The player who decides in each position.
        self.player: NDArray[np.int32] = np.zeros(n, np.int32)
        # Whether the last step ended a game in each slot, and its final scores: whole
        # numbers, to be divided by `denominator`.
        self.done: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.scores: NDArray[np.int64] = np.zeros((n, game.players), np.int64)
        self.denominator: int = meta["denominator"]
        self._winners: NDArray[np.uint64] = np.zeros(n, np.uint64)
        # The seed of the game in each slot, and how often chance was resolved in it.
        seeds = [(self.seed + k) & MASK for k in range(n)]
        self.seeds: NDArray[np.uint64] = np.array(seeds, np.uint64)
        self.draws: NDArray[np.uint64] = np.zeros(n, np.uint64)
        self._advance(None)

    @property
    def winners(self) -> NDArray[np.bool_]:
        """The winners of the last game that ended in each slot, ties broken by the rules."""
        import numpy as np

        bits = np.uint64(1) << np.arange(self.game.players, dtype=np.uint64)
        won: NDArray[np.bool_] = (self._winners[:, None] & bits) != 0
        return won

    def mask(self) -> NDArray[np.bool_]:
        """For each position which numbers of moves are legal."""
        import numpy as np

        found = np.zeros(self.moves.shape, np.bool_)
        slots, codes = self.legal()
        found[slots, codes] = True
        return found

    def legal(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """All legal moves in one list: the slots, and the numbers of the moves there."""
        import numpy as np

        slots = np.repeat(np.arange(self.size), self.counts)
        first = np.repeat(np.cumsum(self.counts) - self.counts, self.counts)
        return slots, self.moves[slots, np.arange(len(slots)) - first]

    def step(self, choices: Any) -> None:
        """Make a move in every slot; raises `ValueError`, and does nothing, if one is illegal."""
        import numpy as np

        chosen = np.ascontiguousarray(choices, np.int64)
        if chosen.shape != (self.size,):
            raise ValueError(f"{self.size} choices are needed, not {chosen.shape}")
        slots, codes = self.legal()
        fine = chosen == -1
        fine[slots[codes == chosen[slots]]] = True
        if not fine.all():
            slot = int(np.argmin(fine))
            raise ValueError(f"{int(chosen[slot])} is not a legal move in slot {slot}")
        self._advance(chosen)

    def _advance(self, chosen: NDArray[np.int64] | None) -> None:
        """Make the chosen moves, or start all games."""
        from compiler.native.machine import NativeMachine

        if isinstance(self._machine, NativeMachine):
            self._machine.functions.batch(
                chosen, self.states, self.seeds, self.draws, self.moves, self.counts, self.player,
                self.done, self.scores, self._winners,
            )  # fmt: skip
            return
        for slot in range(self.size):
            self._advance_slot(slot, None if chosen is None else int(chosen[slot]))

    def _advance_slot(self, slot: int, move: int | None) -> None:
        import numpy as np

        machine = self._machine
        if move == -1:
            self.done[slot] = False
            return
        if move is None:
            cells = self._started(slot)
        else:
            key = chance_key(int(self.seeds[slot]))
            draws = int(self.draws[slot])
            cells, draws = machine.step(self.states[slot].tobytes(), move, key, draws)
            self.draws[slot] = draws
        self.done[slot] = cells[machine.who_at] == OVER
        if self.done[slot]:
            score = machine.code["score"]
            self.scores[slot] = [int(score(cells, p)) for p in range(self.game.players)]
            won = State(self.game, cells, None, 0, None).winners()
            self._winners[slot] = sum(1 << p for p in won)
            self.seeds[slot] = (int(self.seeds[slot]) + self.size) & MASK
            cells = self._started(slot)
        self.states[slot] = np.frombuffer(cells, np.uint8)
        self.player[slot] = machine.player(cells)
        codes = machine.moves(cells) if cells[machine.who_at] < OVER else []
        self.counts[slot] = len(codes)
        self.moves[slot, : len(codes)] = codes
        self.moves[slot, len(codes) :] = -1

    def _started(self, slot: int) -> bytes:
        """The opening position of the game whose seed a slot has."""
        cells = self._machine.new()
        self.draws[slot] = self._machine.settle(cells, chance_key(int(self.seeds[slot])), 0)
        return bytes(cells)
