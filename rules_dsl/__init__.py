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
from rules_dsl.shipped import GameInfo, games

if TYPE_CHECKING:
    from compiler.loading import load
    from compiler.runtime.fault import Fault
    from compiler.runtime.game import Game
    from compiler.runtime.moves import IllegalMove, Move, Reason
    from compiler.runtime.saving import DataError, Record, ReplayError
    from compiler.runtime.simulation import Simulation
    from compiler.runtime.state import State
    from compiler.runtime.values import Hidden

__version__ = "0.1.0"

__all__ = [
    "DataError", "Diagnostic", "Fault", "Game", "GameInfo", "Hidden", "IllegalMove", "Move",
    "OptionError", "OptionInfo", "Reason", "Record", "ReplayError", "RuleError", "Simulation",
    "State", "games", "load",
]  # fmt: skip

# Names that live further down are fetched when they are first asked for, to keep imports light.
_ELSEWHERE = {
    "DataError": "compiler.runtime.saving",
    "Fault": "compiler.runtime.fault",
    "Game": "compiler.runtime.game",
    "Hidden": "compiler.runtime.values",
    "IllegalMove": "compiler.runtime.moves",
    "Move": "compiler.runtime.moves",
    "Reason": "compiler.runtime.moves",
    "Record": "compiler.runtime.saving",
    "ReplayError": "compiler.runtime.saving",
    "Simulation": "compiler.runtime.simulation",
    "State": "compiler.runtime.state",
    "load": "compiler.loading",
}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        import importlib

        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
