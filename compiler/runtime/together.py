"""Choices that are made together: a search that decides whether they can still be finished.

Depth first, with memory: a position from which they can or cannot be finished is remembered, so
that ways which lead to the same position are followed once. A search that takes long first asks of
a position whether they could be finished if what choices only use up were given back after each of
them: if not, there is no need to look further.

Native code searches in the same order, remembers the same positions and has the same limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from compiler.runtime.fault import Endless, Fault

Cells = bytes | bytearray
Span = tuple[int, int | None]
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
        # The parts of a position that decide the answer: those that are the same from the first
        # choice on, those that change, and those of them that are not given back.
        self._fixed = self._changing = self._lasting = _parts(((0, None),))
        self._renewed: tuple[tuple[int, int], ...] = ()
        # Number of nested trial runs.
        self.trying = 0
        self._depth = 0
        # The first choice of a trial: what is used up is given back as it was there, and what is
        # known of the positions that it leads to, without and with giving back.
        self._start: bytes | None = None
        self._known: tuple[dict[bytes, bool], dict[bytes, bool]] = ({}, {})
        self.forget()

    def link(
        self,
        blocks: Sequence[Callable[[bytearray], int] | None],
        play: Sequence[Callable[[bytearray, int], int] | None],
        allowed: dict[int, Callable[[Cells], Iterable[int]]],
        finished: frozenset[int],
        pc: int,
        wide: bool,
        fixed: tuple[Span, ...],
        changing: tuple[Span, ...],
        lasting: tuple[Span, ...],
        renewed: tuple[tuple[int, int], ...],
    ) -> None:
        """Set the code that plays the game, and the blocks that mean that all is finished.

        The bytes of a position that decide the answer are those that stay as they were at the first
        choice and those that change, all but the `lasting` ones since they are used up: of these
        the choices `renewed` use more and more.
        """
        self._blocks, self._play, self._allowed = blocks, play, allowed
        self._finished, self._pc, self._wide = finished, pc, wide
        self._renewed = renewed
        self._fixed, self._changing = _parts(fixed), _parts(changing)
        self._lasting = _parts(lasting)

    def forget(self) -> None:
        """Forget every position."""
        # The position from which trials are made, and what is known of those that they come to, by
        # what is the same in all of them from the first choice on.
        self._root = b""
        self._memory: dict[bytes, tuple[dict[bytes, bool], dict[bytes, bool]]] = {}
        self._looked_at = 0

    def begin(self, cells: Cells, block: int) -> bool:
        """Whether the choices that begin with a block can be finished."""
        return self._ahead(cells, False, lambda: self._run(bytearray(cells), block, False))

    def after(self, cells: Cells, point: int, move: int) -> bool:
        """Whether they can be finished after a move."""
        among = point in self._allowed
        return self._ahead(cells, among, lambda: self._tried(cells, point, move, False))

    def _ahead(self, cells: Cells, among: bool, answer: Callable[[], bool]) -> bool:
        """An answer that is found by trial runs from a position; it may be one of the choices."""
        self._from(cells)
        outer = self._start, self._known, self._depth
        self._start = None
        if among:
            self._started(cells)
        self.trying += 1
        try:
            return answer()
        except RecursionError:
            raise Endless("too many choices are made together") from None
        finally:
            self.trying -= 1
            self._start, self._known, self._depth = outer

    def _started(self, cells: Cells) -> None:
        """Note the first choice of a trial."""
        self._start = bytes(cells)
        self._known = self._memory.setdefault(b"".join(self._fixed(cells)), ({}, {}))

    def _from(self, cells: Cells) -> None:
        """Trials from another position begin with an empty memory, so that limits are the same."""
        if not self.trying and cells != self._root:
            self.forget()
            self._root = bytes(cells)

    def _tried(self, cells: Cells, point: int, move: int, renew: bool) -> bool:
        trial = bytearray(cells)
        play = self._play[point]
        assert play is not None
        return self._run(trial, play(trial, move), renew)

    def _run(self, trial: bytearray, block: int, renew: bool) -> bool:
        if self._depth > MAX_DEPTH:
            raise Endless(f"more than {MAX_DEPTH} choices are made together")
        self._depth += 1
        for _ in range(MAX_BLOCKS):
            if block < 0:
                found = self._wait(trial, renew)
                break
            if block in self._finished:
                found = True
                break
            function = self._blocks[block]
            assert function is not None
            block = function(trial)
        else:
            raise Endless(f"a trial runs for {MAX_BLOCKS:,} rounds without a decision")
        self._depth -= 1
        return found

    def _wait(self, trial: bytearray, renew: bool) -> bool:
        """Whether they can be finished from where a trial run waits."""
        pc = self._pc
        point = trial[pc] | trial[pc + 1] << 8 if self._wide else trial[pc]
        allowed = self._allowed.get(point)
        if allowed is None:
            return True
        if self._start is None:
            self._started(trial)
        assert self._start is not None
        key = b"".join((self._lasting if renew else self._changing)(trial))
        known = self._known[renew].get(key)
        if known is not None:
            return known
        self._looked_at += 1
        if self._looked_at > MAX_POSITIONS:
            raise Endless(
                f"{MAX_POSITIONS:,} positions do not show whether the choices can be finished"
            )
        if renew:
            trial = bytearray(trial)
            for first, end in self._renewed:
                trial[first:end] = self._start[first:end]
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
        depth = self._depth
        try:
            return self._wait(trial, True)
        except Endless:
            raise
        except Fault:
            self._depth = depth
            return True


def _parts(spans: tuple[Span, ...]) -> Callable[[Cells], tuple[Cells, ...]]:
    """A function that reads some parts of a position."""
    # With a single index the result is not a tuple: an empty part makes it one.
    return itemgetter(*(slice(*span) for span in spans), slice(0), slice(0))
