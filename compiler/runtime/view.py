"""The view of a player on a position, as plain data that can be sent to that player."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import asdict

from compiler.runtime.html import table
from compiler.runtime.values import UNLIMITED, Hidden, Unlimited

if TYPE_CHECKING:
    from compiler.runtime.state import State

VIEW_FORMAT = "rules-view/1"


class View(dict[str, Any]):
    """The names of the state with their values; what the player may not see is `Hidden`.

    >>> import rules_dsl as rd
    >>> view = rd.load("kuhn_poker").start(seed=1).view(player=0)
    >>> view["hand"]
    {0: ('king',), 1: 1 hidden}
    """

    def __init__(self, values: dict[str, Any], header: dict[str, Any]) -> None:
        super().__init__(values)
        # Game, viewer, decision, and the scores where they may be seen.
        self.header = header

    def to_json(self) -> str:
        """The view as JSON: no seed, nothing that the viewer may not see.

        >>> import rules_dsl as rd, json
        >>> text = rd.load("tic_tac_toe").start().view().to_json()
        >>> json.loads(text)["state"]["placed"]
        0
        """
        data = {"format": VIEW_FORMAT, **self.header, "state": self}
        return json.dumps(plain(data), ensure_ascii=False)

    def _repr_html_(self) -> str:
        rows = [[name, str(value)] for name, value in self.items()]
        return table(["", f"as {self.header['viewer'] or 'everybody'} sees it"], rows)


def plain(value: Any) -> Any:
    """A value as JSON has it: keys are texts, fractions are texts, hidden things say so."""
    if type(value) is int or value is None:
        return value
    if isinstance(value, Hidden):
        return {"hidden": True} if value.count is None else {"hidden": True, "count": value.count}
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return str(value) if isinstance(value, Fraction | Unlimited) else value


def view_of(state: State, viewer: int | None) -> View:
    """The view of a player on a position; without a player, the public view."""
    game = state.game
    decision = state.decision
    header = {
        "game": game.name,
        "players": list(game.player_names),
        "viewer": None if viewer is None else game.player_names[viewer],
        "over": state.over,
        "decision": None if decision is None else asdict(decision),
    }
    return View(values_of(state, viewer, masked=True), header)


def values_of(state: State, viewer: int | None = None, masked: bool = False) -> dict[str, Any]:
    """Everything by name; of goods without a limit the bank has an unlimited amount.

    >>> import rules_dsl as rd
    >>> values_of(rd.load("tzolkin", players=2).start(seed=1))["supply"]["maize"]
    unlimited
    """
    meta = state.game.machine.meta
    values = state.game.reader.everything(state.cells, viewer, masked)
    for name, array in meta["arrays"].items():
        if array["bank"]:
            for good in array["goods"]:
                if meta["goods"].get(good) is None:
                    values[name][good] = UNLIMITED
    return values
