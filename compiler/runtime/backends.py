"""The code that plays a game: Python or native."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.machine import Machine

if TYPE_CHECKING:
    from compiler.native.machine import NativeMachine
    from compiler.runtime.game import Game

BACKENDS = ("auto", "python", "native")
# Number of games from which on "auto" builds native code, which takes a second or so.
WORTH_BUILDING = 100


class BackendError(ValueError):
    """A back end that does not exist or cannot be used here."""


class Backends:
    """The machines of a game: the Python one, and the native one once it is asked for."""

    def __init__(self, game: Game, machine: Machine) -> None:
        self._game = game
        self.python = machine
        self._native: NativeMachine | None = None
        # The reason why there is no native code, known after the first attempt.
        self.problem: str | None = None

    def choose(self, backend: str, games: int = 1) -> Machine:
        """The machine of a back end; "auto" takes the native one if there is one already, or if
        this number of games is worth building it."""
        if backend == "python":
            return self.python
        if backend == "native":
            machine = self._find(build=True)
            if machine is None:
                raise BackendError(self.problem)
            return machine
        if backend == "auto":
            return self._find(build=games >= WORTH_BUILDING) or self.python
        raise BackendError(f"there is no back end {backend!r}; use 'python', 'native' or 'auto'")

    def _find(self, build: bool) -> NativeMachine | None:
        if self._native is None and self.problem is None:
            from compiler.native.errors import NativeError
            from compiler.native.machine import native_machine

            try:
                self._native = native_machine(self._game, build=build)
            except NativeError as error:
                self.problem = str(error)
        return self._native
