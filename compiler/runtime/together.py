"""Choices that are made together: whether they can still be finished, found out by trying.

Depth first, with memory: a position from which they can or cannot be finished is remembered, so
that ways which lead to the same position are followed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.runtime.fault import Endless

Cells = bytes | bytearray
# How many positions are remembered before all are forgotten.
MAX_KNOWN = 50_000
# How many blocks run between two moves that are tried.
MAX_BLOCKS = 100_000
# How many moves are tried for one answer.
MAX_TRIED = 200_000


class Together:
    """Looks ahead in the choices of one game that are made together."""

    def __init__(self) -> None:
        self._blocks: Sequence[Callable[[bytearray], int] | None] = ()
        self._play: Sequence[Callable[[bytearray, int], int] | None] = ()
        # The moves of the decisions among them as far as requirements go, by decision point.
        self._allowed: dict[int, Callable[[Cells], list[int]]] = {}
        self._finished: frozenset[int] = frozenset()
        self._pc = 0
        self._wide = False
        self._spans: tuple[tuple[int, int | None], ...] = ((0, None),)
        self._known: dict[bytes, bool] = {}
        # How many trial runs are under way, one inside the other, and how many there were.
        self.trying = 0
        self._tried = 0

    def link(
        self, blocks: Sequence[Callable[[bytearray], int] | None],
        play: Sequence[Callable[[bytearray, int], int] | None],
        allowed: dict[int, Callable[[Cells], list[int]]], finished: frozenset[int], pc: int,
        wide: bool, spans: tuple[tuple[int, int | None], ...],
    ) -> None:  # fmt: skip
        """Say with which code the game is played, and which blocks mean that all is finished.

        `spans` are the bytes of a position that decide the answer.
        """
        self._blocks, self._play, self._allowed = blocks, play, allowed
        self._finished, self._pc, self._wide, self._spans = finished, pc, wide, spans

    def begin(self, cells: Cells, block: int) -> bool:
        """Whether the choices that begin with a block can be finished."""
        if not self.trying:
            self._tried = 0
        return self._run(bytearray(cells), block)

    def after(self, cells: Cells, point: int, move: int) -> bool:
        """Whether they can be finished after a move."""
        if not self.trying:
            self._tried = 0
        self._tried += 1
        if self._tried > MAX_TRIED:
            raise Endless(f"{MAX_TRIED:,} moves do not show whether the choices can be finished")
        trial = bytearray(cells)
        play = self._play[point]
        assert play is not None
        self.trying += 1
        try:
            block = play(trial, move)
        finally:
            self.trying -= 1
        return self._run(trial, block)

    def _run(self, trial: bytearray, block: int) -> bool:
        self.trying += 1
        try:
            for _ in range(MAX_BLOCKS):
                if block < 0:
                    return self._wait(trial)
                if block in self._finished:
                    return True
                function = self._blocks[block]
                assert function is not None
                block = function(trial)
            raise Endless(f"a trial goes on for {MAX_BLOCKS:,} rounds without a decision")
        except RecursionError:
            raise Endless("too many choices are made together") from None
        finally:
            self.trying -= 1

    def _wait(self, trial: bytearray) -> bool:
        """Whether they can be finished from where a trial run waits."""
        pc = self._pc
        point = trial[pc] | trial[pc + 1] << 8 if self._wide else trial[pc]
        allowed = self._allowed.get(point)
        if allowed is None:
            return True
        key = b"".join([trial[first:end] for first, end in self._spans])
        known = self._known.get(key)
        if known is None:
            known = any(self.after(trial, point, move) for move in allowed(trial))
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[key] = known
        return known
