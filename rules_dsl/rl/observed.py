"""The observations of each player in the course of a game: the information state.

In order: the player's moves with their parts, the moves of others, "has chosen" for secret ones,
draws that everybody sees, the view whenever it changed, and who is asked what.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from compiler.runtime.elementary import place_in_round
from compiler.runtime.events import place_text, value_text
from compiler.runtime.values import CellTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from compiler.runtime.game import Game
    from compiler.runtime.state import State

# Secret choices of a round that is still open: who, what, and its last id.
Open = tuple[tuple[int, str, int], ...]


class Observed:
    """One step of a game as each player knows it, and all steps before it.

    It never changes and is shared by all positions that follow.
    """

    __slots__ = ("_acted", "_before", "_lines", "_open", "_state")

    def __init__(
        self,
        before: Observed | None,
        state: State,
        lines: tuple[tuple[str, ...], ...],
        acted: tuple[int, int, bool] | None = None,
        still_open: Open = (),
    ) -> None:
        self._before = before
        # The position after the step.
        self._state = state
        # The text of the step for each player.
        self._lines = lines
        # Who chose which id, and whether it is public at once.
        self._acted = acted
        self._open = still_open

    @staticmethod
    def start(state: State) -> Observed:
        """Nothing has happened."""
        asked = _asked(state)
        return Observed(None, state, tuple((asked,) for _ in range(state.game.players)))

    def after_draw(self, before: State, after: State) -> Observed:
        """Chance has acted."""
        machine = before.game.machine
        point = machine.meta["points"][machine.point(before.cells)]
        told = [f"chance: {before.game.notation.move(before.cells, after.last_code)}"]
        return self._add(before, after, [told if point["public"] else []] * before.game.players)

    def after_part(self, state: State, player: int, number: int) -> Observed:
        """A player has chosen a part of a move, which the others do not know yet."""
        text = f"{state.game.player_names[player]}: {state.game.actions.text(number)}"
        lines = tuple((text,) if p == player else () for p in range(state.game.players))
        return Observed(self, state, lines, (player, number, False), self._open)

    def after_move(self, before: State, after: State, player: int, number: int) -> Observed:
        """A player has finished a move."""
        game = before.game
        machine = game.machine
        secret = bool(machine.meta["points"][machine.point(before.cells)]["secret"])
        name = game.player_names[player]
        text = f"{name}: {game.notation.move(before.cells, after.last_code)}"
        lines = [
            [text if p == player or not secret else f"{name} has chosen"]
            for p in range(game.players)
        ]
        place, here = place_in_round(game, before.cells), place_in_round(game, after.cells)
        still_open: Open = ()
        if place is not None:
            still_open = self._open
            if not machine.meta["points"][machine.point(before.cells)]["kept"]:
                still_open = (*still_open, (player, text, number))
            if here is None or here <= place:  # all have chosen: the choices are turned up
                for p, told in enumerate(lines):
                    told += [what for who, what, _ in still_open if who != p]
                still_open = ()
        return self._add(before, after, lines, (player, number, not secret), still_open)

    def _add(
        self,
        before: State,
        after: State,
        lines: list[list[str]],
        acted: tuple[int, int, bool] | None = None,
        still_open: Open = (),
    ) -> Observed:
        asked = _asked(after)
        told = tuple(
            (*lines[p], *_changes(before, after, p), asked) for p in range(after.game.players)
        )
        return Observed(self, after, told, acted, still_open)

    def steps(self) -> list[Observed]:
        """All steps, the first one first."""
        chain = [self]
        while chain[-1]._before is not None:
            chain.append(chain[-1]._before)
        return chain[::-1]

    def text(self, player: int) -> str:
        """All observations of a player, line by line."""
        return "\n".join(line for step in self.steps() for line in step._lines[player])

    def rows(self, player: int) -> Iterator[NDArray[np.float32]]:
        """A row for every step: the observation, the id chosen, and by whom."""
        import numpy as np

        for step in self.steps()[1:]:
            game = step._state.game
            row = np.zeros(game.observations.size + game.actions.size + game.players, np.float32)
            row[: game.observations.size] = game.observations.of(step._state.cells, player)
            if step._acted is not None:
                who, number, public = step._acted
                row[game.observations.size + game.actions.size + who] = 1
                if public or who == player:
                    row[game.observations.size + number] = 1
            yield row


def _asked(state: State) -> str:
    decision = state.decision
    return "the game is over" if decision is None else f"→ {decision.prompt}"


def _changes(before: State, after: State, player: int) -> Iterator[str]:
    """What a player sees changed."""
    game = before.game
    reader, meta = game.reader, game.machine.meta
    for name in reader.known():
        array = meta["arrays"][meta["zones"][name][1] if name in meta["zones"] else name]
        offset, width, *_ = array["slot"]
        count = 1
        for _, size, _ in array["dimensions"]:
            count *= size
        where = slice(offset, offset + width * count)
        if before.cells[where] != after.cells[where]:
            old = dict(_leaves(reader.read(before.cells, name, player, masked=True)))
            new = dict(_leaves(reader.read(after.cells, name, player, masked=True)))
            for keys, value in new.items():
                if old[keys] != value:
                    yield f"{place_text(game, name, keys)} = {_shown(game, name, value)}"


def _leaves(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, CellTable):
        for key in value:
            yield from _leaves(value[key], (*keys, key))
    else:
        yield keys, value


def _shown(game: Game, name: str, value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    array = game.machine.meta["arrays"].get(name)
    return value_text(game, array["value"], value) if array is not None else str(value)
