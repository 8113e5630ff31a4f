"""Choices that are made together: a search whether they can still be finished.

Depth first, with memory: a position from which they can or cannot be finished is remembered, so
that ways which lead to the same position are followed once. A search that takes long first asks of
a position whether they could be finished if what choices only use up were given back after each of
them: if not, there is no need to look further.

Native code searches in the same order, remembers the same positions and has the same limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from compiler.runtime.fault import Endless, Fault

Cells = bytes | bytearray
# Maximum number of blocks between two moves that are tried.
MAX_BLOCKS = 100_000
# Maximum number of positions visited for the moves of one position.
MAX_POSITIONS = 50_000
# Maximum number of choices that one search looks ahead.
MAX_DEPTH = 200
# Number of positions after which a search asks whether there is any hope.
PATIENCE = 32


class Together:
    """Looks ahead in the choices of one game that are made together."""

    def __init__(self) -> None:
        self._blocks: Sequence[Callable[[bytearray], int] | None] = ()
        self._play: Sequence[Callable[[bytearray, int], int] | None] = ()
        # The moves that requirements allow in the decisions among them, by decision point.
        self._allowed: dict[int, Callable[[Cells], Iterable[int]]] = {}
        self._finished: frozenset[int] = frozenset()
        self._pc = 0
        self._wide = False
        self._spans: tuple[tuple[int, int | None], ...] = ((0, None),)
        self._renewed: tuple[tuple[int, int], ...] = ()
        # Number of nested trial runs.
        self.trying = 0
        self._depth = 0
        # The first choice of a trial: what is used up is given back as it was there.
        self._start: bytes | None = None
        self.forget()

    def link(
        self,
        blocks: Sequence[Callable[[bytearray], int] | None],
        play: Sequence[Callable[[bytearray, int], int] | None],
        allowed: dict[int, Callable[[Cells], Iterable[int]]],
        finished: frozenset[int],
        pc: int,
        wide: bool,
        spans: tuple[tuple[int, int | None], ...],
        renewed: tuple[tuple[int, int], ...],
    ) -> None:
        """Set the code that plays the game, and the blocks that mean that all is finished.

        `spans` are the bytes of a position that decide the answer, `renewed` those that choices
        only use up.
        """
        self._blocks, self._play, self._allowed = blocks, play, allowed
        self._finished, self._pc, self._wide = finished, pc, wide
        self._spans, self._renewed = spans, renewed

    def forget(self) -> None:
        """Forget every position."""
        # The position from which trials are made, and what is known of those that they come to,
        # without and with giving back what is used up.
        self._root = b""
        self._known: tuple[dict[bytes, bool], dict[bytes, bool]] = ({}, {})
        self._looked_at = 0

    def begin(self, cells: Cells, block: int) -> bool:
        """Whether the choices that begin with a block can be finished."""
        self._from(cells)
        outer, self._start = self._start, None
        try:
            return self._run(bytearray(cells), block, False)
        finally:
            self._start = outer

    def after(self, cells: Cells, point: int, move: int) -> bool:
        """Whether they can be finished after a move."""
        self._from(cells)
        outer, self._start = self._start, bytes(cells) if point in self._allowed else None
        try:
            return self._tried(cells, point, move, False)
        finally:
            self._start = outer

    def _from(self, cells: Cells) -> None:
        """Trials from another position begin with an empty memory, so that limits are the same."""
        if not self.trying and cells != self._root:
            self.forget()
            self._root = bytes(cells)

    def _tried(self, cells: Cells, point: int, move: int, renew: bool) -> bool:
        trial = bytearray(cells)
        play = self._play[point]
        assert play is not None
        self.trying += 1
        try:
            block = play(trial, move)
        finally:
            self.trying -= 1
        return self._run(trial, block, renew)

    def _run(self, trial: bytearray, block: int, renew: bool) -> bool:
        if self._depth > MAX_DEPTH:
            raise Endless(f"more than {MAX_DEPTH} choices are made together")
        self.trying += 1
        self._depth += 1
        try:
            for _ in range(MAX_BLOCKS):
                if block < 0:
                    return self._wait(trial, renew)
                if block in self._finished:
                    return True
                function = self._blocks[block]
                assert function is not None
                block = function(trial)
            raise Endless(f"a trial runs for {MAX_BLOCKS:,} rounds without a decision")
        except RecursionError:
            raise Endless("too many choices are made together") from None
        finally:
            self._depth -= 1
            self.trying -= 1

    def _wait(self, trial: bytearray, renew: bool) -> bool:
        """Whether they can be finished from where a trial run waits."""
        pc = self._pc
        point = trial[pc] | trial[pc + 1] << 8 if self._wide else trial[pc]
        allowed = self._allowed.get(point)
        if allowed is None:
            return True
        if self._start is None:
            self._start = bytes(trial)
        if renew:
            for first, end in self._renewed:
                trial[first:end] = self._start[first:end]
        key = b"".join([trial[first:end] for first, end in self._spans])
        known = self._known[renew].get(key)
        if known is not None:
            return known
        self._looked_at += 1
        if self._looked_at > MAX_POSITIONS:
            raise Endless(
                f"{MAX_POSITIONS:,} positions do not show whether the choices can be finished"
            )
        known = False
        if renew or not self._renewed or self._looked_at <= PATIENCE or self._hopeful(trial):
            for move in allowed(trial):
                if self._tried(trial, point, move, renew):
                    known = True
                    break
        self._known[renew][key] = known
        return known

    def _hopeful(self, trial: bytearray) -> bool:
        """Whether they could be finished if what is used up were given back; if in doubt, true."""
        try:
            return self._wait(bytearray(trial), True)
        except Endless:
            raise
        except Fault:
            return True
