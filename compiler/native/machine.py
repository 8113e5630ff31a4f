"""A game's machine on native code: the same bytes, the same moves, the same draws."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import frozen

from compiler.native.errors import NativeError
from compiler.native.library import Functions, functions_of
from compiler.native.states import native_states
from compiler.runtime.fault import Fault
from compiler.runtime.machine import Machine

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.moves import Notation
    from compiler.runtime.state import State

Cells = bytes | bytearray


@frozen
class Games:
    """The results of many random games, game by game.

    `scores` has a numerator for each seat, `winners` a bit for each seat, and `used` counts the
    options of all decision points in their order.
    """

    scores: array[int]
    winners: array[int]
    lengths: array[int]
    used: array[int]


class NativeMachine(Machine):
    """Runs a game natively. After a fault the Python code runs again and raises the error."""

    def __init__(self, python: Machine, functions: Functions) -> None:
        super().__init__(python.code)
        self.functions = functions
        # These are called for every decision, so they are the native functions themselves.
        self.moves = functions.moves  # type: ignore[assignment, method-assign]
        self.opening = functions.start  # type: ignore[assignment, method-assign]
        self.outcomes = functions.outcomes  # type: ignore[assignment, method-assign]
        self.step = functions.step  # type: ignore[assignment, method-assign]

    def states(self, notation: Notation, plain: type[State]) -> type[State]:
        """The class of positions that this machine plays."""
        return native_states(self.functions, notation, plain)

    def new(self, seed: int | None = None) -> bytearray:
        """The opening position; with a seed, chance is resolved up to the first decision."""
        return bytearray(self.functions.start(seed)[0])

    def play(self, cells: bytearray, move: int) -> None:
        """Make a move in place; it must be one of `moves`."""
        cells[:] = self.functions.step(cells, move, None, 0)[0]

    def playout(self, seed: int) -> tuple[bytearray, int, int]:
        """Play at random to the end; gives the end, the number of decisions and of draws."""
        cells, decisions, draws = self.functions.playout(seed)
        return bytearray(cells), decisions, draws

    def random_games(self, cells: Cells | None, seed: int, games: int) -> Games:
        """Play at random with seeds seed, seed + 1, … from a position, or from the opening."""
        options = sum(len(point.get("options", ())) for point in self.meta["points"])
        found = Games(
            array("q", bytes(8 * games * self.meta["players"])),
            array("Q", bytes(8 * games)),
            array("I", bytes(4 * games)),
            array("Q", bytes(8 * (options + 1))),
        )
        self.functions.games(cells, seed, found.scores, found.winners, found.lengths, found.used)
        return found


def native_machine(game: Game, checked: bool = False, build: bool = True) -> NativeMachine | None:
    """The native machine of a game; raises `NativeError` if it cannot be played natively."""
    python = game.backends.python

    def on_fault(number: int, *args: Any) -> NoReturn:
        python.forget_trials()
        match number:
            case 0:
                python.new(*args)
            case 1:
                python.moves(*args)
            case 2:
                python.outcomes(*args)
            case 3:
                python.step(*args)
            case 4:
                python.playout(*args)
            case 5:
                python.random_game(*args)
            case _:
                raise Fault(f"the rules do something impossible in slot {args[0]} of a batch")
        raise NativeError("the native code reports a fault that the Python code does not")

    functions = functions_of(game, on_fault, checked, build)
    return None if functions is None else NativeMachine(python, functions)
