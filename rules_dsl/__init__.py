"""Board games, formally specified: load them, play them, vary them, verify them.

>>> import rules_dsl as rd
>>> game = rd.load("tic_tac_toe")
>>> state = game.start()
>>> len(state.moves())
9
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.options import OptionError, OptionInfo
from rules_dsl.neighbours import check_neighbours
from rules_dsl.shipped import GameInfo, games

if TYPE_CHECKING:
    from compiler.loading import load
    from compiler.runtime.components import Component
    from compiler.runtime.decision import Decision
    from compiler.runtime.events import Event
    from compiler.runtime.fault import Fault
    from compiler.runtime.game import Game
    from compiler.runtime.moves import IllegalMove, Move, Reason
    from compiler.runtime.positions import PositionError
    from compiler.runtime.saving import DataError, Record, ReplayError
    from compiler.runtime.seat import Seat
    from compiler.runtime.simulation import Simulation
    from compiler.runtime.state import State
    from compiler.runtime.values import Hidden
    from compiler.runtime.view import View
    from rules_dsl import bots

__version__ = "0.1.0"

check_neighbours()

__all__ = [
    "Component",
    "DataError",
    "Decision",
    "Diagnostic",
    "Event",
    "Fault",
    "Game",
    "GameInfo",
    "Hidden",
    "IllegalMove",
    "Move",
    "OptionError",
    "OptionInfo",
    "PositionError",
    "Reason",
    "Record",
    "ReplayError",
    "RuleError",
    "Seat",
    "Simulation",
    "State",
    "View",
    "bots",
    "games",
    "load",
]

# Names from other modules are imported on first use, to keep imports light.
_ELSEWHERE = {
    "Component": "compiler.runtime.components",
    "DataError": "compiler.runtime.saving",
    "Decision": "compiler.runtime.decision",
    "Event": "compiler.runtime.events",
    "Fault": "compiler.runtime.fault",
    "Game": "compiler.runtime.game",
    "Hidden": "compiler.runtime.values",
    "IllegalMove": "compiler.runtime.moves",
    "Move": "compiler.runtime.moves",
    "PositionError": "compiler.runtime.positions",
    "Reason": "compiler.runtime.moves",
    "Record": "compiler.runtime.saving",
    "ReplayError": "compiler.runtime.saving",
    "Seat": "compiler.runtime.seat",
    "Simulation": "compiler.runtime.simulation",
    "State": "compiler.runtime.state",
    "View": "compiler.runtime.view",
    "load": "compiler.loading",
}


def __getattr__(name: str) -> Any:
    import importlib

    if name == "bots":
        return importlib.import_module("rules_dsl.bots")
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
