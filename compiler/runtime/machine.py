"""A compiled game as a machine over bytes: the low-level interface.

Moves are small numbers, valid only at the decision point where the game waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from compiler.runtime.fault import Endless, Fault
from compiler.runtime.randomness import GOLDEN, MASK, chance_key, decision_key, mix
from compiler.runtime.values import write_slot

if TYPE_CHECKING:
    from compiler.runtime.moves import Notation
    from compiler.runtime.state import State

OVER, CHANCE = 254, 255
# Maximum number of blocks, and of draws, between two decisions: a thousand times as many as in a
# large game. More are taken for a loop without an end.
MAX_BLOCKS = 100_000


class Machine:
    """Runs the generated code of one game.

    >>> import rules_dsl as rd
    >>> machine = rd.load("tic_tac_toe").machine
    >>> cells = machine.new()
    >>> machine.player(cells), len(machine.moves(cells))
    (0, 9)
    >>> machine.play(cells, 4)
    >>> machine.player(cells), machine.over(cells)
    (1, False)
    """

    def __init__(self, code: Mapping[str, Any]) -> None:
        self.code = code
        self.meta: dict[str, Any] = code["META"]
        self._initial: bytes = code["INITIAL"]
        self._blocks: tuple[Callable[[bytearray], int], ...] = code["BLOCKS"]
        self._moves: tuple[Callable[[bytes | bytearray], list[Any]], ...] = code["MOVES"]
        self._play: tuple[Callable[[bytearray, int], int], ...] = code["PLAY"]
        offset: int = self.meta["pc"][0]
        width: int = self.meta["pc"][1]
        self._pc = offset
        self._pc_wide = width > 1
        # The byte that says who decides, and those that say where the game waits and for whom.
        self.who_at: int = self.meta["who"]
        self.waiting = slice(offset, self.who_at + 1)

    def states(self, notation: Notation, plain: type[State]) -> type[State]:
        """The class of positions that this machine plays."""
        return plain

    def new(self, seed: int | None = None) -> bytearray:
        """The opening position; with a seed, chance is resolved up to the first decision."""
        cells = bytearray(self._initial)
        self.run(cells, self.code["ENTRY"])
        if seed is not None:
            self.settle(cells, chance_key(seed), 0)
        return cells

    def opening(self, seed: int | None) -> tuple[bytes, int, int | None]:
        """The opening position, the draws that it took, and the key of the stream of the seed.

        Without a seed chance is left to the caller.
        """
        cells, draws, key = self.new(), 0, None
        if seed is not None:
            key = chance_key(seed)
            draws = self.settle(cells, key, 0)
        return bytes(cells), draws, key

    @property
    def trying(self) -> bool:
        """Whether this is a trial run, to see whether choices can be finished."""
        together = self.code.get("TOGETHER")
        return together is not None and together.trying > 0

    def forget_trials(self) -> None:
        """Forget the results of trials: the next ones have the limits of a first search."""
        together = self.code.get("TOGETHER")
        if together is not None:
            together.forget()

    def run(self, cells: bytearray, block: int) -> None:
        """Run blocks until the game waits or is over."""
        blocks = self._blocks
        for _ in range(MAX_BLOCKS):
            if block < 0:
                return
            block = blocks[block](cells)
        if block >= 0:
            place = blocks[block].__code__
            raise _endless(f"{place.co_filename}:{place.co_firstlineno}: ")

    def call(self, cells: bytearray, procedure: str, args: list[int]) -> None:
        """Call a procedure by itself; the game counts as over when it returns."""
        entry = self.meta["entries"].get(procedure)
        if entry is None:  # it has no decisions
            self.code[self.meta["routines"][procedure]](cells, *args)
            cells[self.who_at] = OVER
            return
        block, params, back, moving = entry
        base = 0
        if moving:
            base = len(cells)
            cells.extend(bytes(moving))
            pointer = self.meta["frame_pointer"]
            cells[pointer : pointer + 2] = base.to_bytes(2, "little")
        for slot, value in [(back, len(self._blocks) - 1), *zip(params, args, strict=True)]:
            write_slot((slot[0] + base, *slot[1:]), cells, 0, value)
        self.run(cells, block)

    def point(self, cells: bytes | bytearray) -> int:
        """The point where the game waits; 0 when it is over."""
        if self._pc_wide:
            return cells[self._pc] | cells[self._pc + 1] << 8
        return cells[self._pc]

    def player(self, cells: bytes | bytearray) -> int:
        """Who decides: a player, -1 at the end, -2 for chance."""
        who = cells[self.who_at]
        return who if who < OVER else -1 if who == OVER else -2

    def over(self, cells: bytes | bytearray) -> bool:
        """Whether the game is over."""
        return cells[self.who_at] == OVER

    def is_chance(self, cells: bytes | bytearray) -> bool:
        """Whether chance decides next."""
        return cells[self.who_at] == CHANCE

    def moves(self, cells: bytes | bytearray) -> list[int]:
        """The numbers of the legal moves, or of the possible outcomes of chance."""
        point = self.point(cells)
        if not point:
            return []
        found = self._moves[point](cells)
        if cells[self.who_at] == CHANCE:
            return [move for move, _ in found]
        return found

    def outcomes(self, cells: bytes | bytearray) -> list[tuple[int, int]]:
        """The outcomes of chance with their weights."""
        return self._moves[self.point(cells)](cells)

    def stuck(self, cells: bytes | bytearray) -> Fault:
        """The fault of a player who must decide and has no legal move."""
        name = self.meta["enums"]["Player"][1][self.player(cells)]
        return Fault(f"{name} must decide and has no legal move")

    def play(self, cells: bytearray, move: int) -> None:
        """Make a move in place; it must be one of `moves`."""
        self.run(cells, self._play[self.point(cells)](cells, move))

    def step(self, cells: bytes, move: int, key: int | None, draws: int) -> tuple[bytes, int]:
        """The position after a move and, with a key, after the chance that follows it.

        `draws` counts the draws of the game so far; the new count is given with the position.
        """
        after = bytearray(cells)
        self.play(after, move)
        if key is not None:
            draws = self.settle(after, key, draws)
        return bytes(after), draws

    def settle(self, cells: bytearray, key: int, draws: int) -> int:
        """Resolve chance up to the next decision; returns the number of draws made so far."""
        most = draws + MAX_BLOCKS
        while cells[self.who_at] == CHANCE:
            self.play(cells, self.chance_move(cells, key, draws))
            draws += 1
            if draws > most:
                raise _endless()
        return draws

    def chance_move(self, cells: bytes | bytearray, key: int, draws: int) -> int:
        """The outcome that number `draws` of a stream chooses."""
        outcomes = self.outcomes(cells)
        if not outcomes:
            raise Fault("there is nothing to draw from")
        total = sum(weight for _, weight in outcomes)
        rest = (mix((key + (draws + 1) * GOLDEN) & MASK) * total) >> 64
        for move, weight in outcomes:
            rest -= weight
            if rest < 0:
                return move
        raise AssertionError("weights do not add up")

    def playout(self, seed: int) -> tuple[bytearray, int, int]:
        """Play at random to the end; gives the end, the number of decisions and of draws."""
        return self.random_game(None, seed)

    def random_game(self, start: bytes | bytearray | None, seed: int) -> tuple[bytearray, int, int]:
        """Play at random from a position, or from the opening; the seed's streams begin anew."""
        if start is None:
            cells = bytearray(self._initial)
            self.run(cells, self.code["ENTRY"])
        else:
            cells = bytearray(start)
        run, moves, play, who_at, pc = self.run, self._moves, self._play, self.who_at, self._pc
        wide = self._pc_wide
        luck, will = chance_key(seed), decision_key(seed)
        draws = decisions = 0
        most = MAX_BLOCKS
        while True:
            who = cells[who_at]
            point = cells[pc] | cells[pc + 1] << 8 if wide else cells[pc]
            if who < OVER:
                legal = moves[point](cells)
                if not legal:
                    raise self.stuck(cells)
                decisions += 1
                most = draws + MAX_BLOCKS
                z = (will + decisions * GOLDEN) & MASK
                z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
                z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
                move = legal[((z ^ (z >> 31)) * len(legal)) >> 64]
            elif who == OVER:
                return cells, decisions, draws
            else:
                move = self.chance_move(cells, luck, draws)
                draws += 1
                if draws > most:
                    raise _endless()
            block = play[point](cells, move)
            if block >= 0:
                run(cells, block)


def _endless(place: str = "") -> Endless:
    return Endless(f"{place}the rules go on for {MAX_BLOCKS:,} rounds without a decision")
