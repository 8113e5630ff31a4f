"""A game's machine on native code: the same bytes, the same moves, the same draws."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.native.errors import NativeError
from compiler.native.library import Functions, functions_of
from compiler.runtime.machine import Machine

if TYPE_CHECKING:
    from compiler.runtime.game import Game

Cells = bytes | bytearray


@frozen
class Games:
    """What many random games came to, game by game.

    `scores` has a numerator for each seat, `winners` a bit for each seat, and `used` counts the
    options of all decision points in their order.
    """

    scores: array[int]
    winners: array[int]
    lengths: array[int]
    used: array[int]


class NativeMachine(Machine):
    """Runs a game natively. What goes wrong is said by the Python code, which is run again."""

    def __init__(self, python: Machine, functions: Functions) -> None:
        super().__init__(python.code)
        self.python = python
        self.functions = functions

    def new(self, seed: int | None = None) -> bytearray:
        """The opening position; with a seed, chance is resolved until somebody must decide."""
        if seed is not None:
            return super().new(seed)
        cells = self.functions.start()
        if cells is None:
            self.python.new()
            raise _disagreement()
        return bytearray(cells)

    def moves(self, cells: Cells) -> list[int]:
        """The numbers of the legal moves, or of the possible outcomes of chance."""
        found = self.functions.moves(cells)
        if found is None:
            self.python.moves(cells)
            raise _disagreement()
        return found

    def outcomes(self, cells: Cells) -> list[tuple[int, int]]:
        """The outcomes of chance with their weights."""
        found = self.functions.outcomes(cells)
        if found is None:
            self.python.outcomes(cells)
            raise _disagreement()
        return found

    def play(self, cells: bytearray, move: int) -> None:
        """Make a move in place; it must be one of `moves`."""
        after = self.functions.play(cells, move)
        if after is None:
            self.python.play(cells, move)
            raise _disagreement()
        cells[:] = after

    def step(self, cells: bytes, move: int, key: int | None, draws: int) -> tuple[bytes, int]:
        """The position after a move and, with a key, after the chance that follows it."""
        if key is None:
            after = self.functions.play(cells, move)
            if after is not None:
                return after, draws
        else:
            found: tuple[bytes, int] | None = self.functions.play(cells, move, key, draws)
            if found is not None:
                return found
        self.python.step(cells, move, key, draws)
        raise _disagreement()

    def playout(self, seed: int) -> tuple[bytearray, int, int]:
        """Play at random to the end; gives the end, the number of decisions and of draws."""
        found = self.functions.playout(seed)
        if found is None:
            self.python.playout(seed)
            raise _disagreement()
        cells, decisions, draws = found
        return bytearray(cells), decisions, draws

    def random_games(self, cells: Cells | None, seed: int, games: int) -> Games:
        """Play at random with seeds seed, seed + 1, … from a position, or from the opening."""
        options = sum(len(point.get("options", ())) for point in self.meta["points"])
        found = Games(
            array("q", bytes(8 * games * self.meta["players"])), array("Q", bytes(8 * games)),
            array("I", bytes(4 * games)), array("Q", bytes(8 * (options + 1))),
        )  # fmt: skip
        done = self.functions.games(
            cells, seed, found.scores, found.winners, found.lengths, found.used
        )
        if done < games:
            self.python.random_game(cells, seed + done)
            raise _disagreement()
        return found


def _disagreement() -> NativeError:
    return NativeError("the native code reports a fault that the Python code does not")


def native_machine(game: Game, checked: bool = False, build: bool = True) -> NativeMachine | None:
    """The native machine of a game; raises `NativeError` if it cannot be played natively."""
    functions = functions_of(game, checked, build)
    return None if functions is None else NativeMachine(game.machine, functions)
