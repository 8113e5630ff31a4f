"""What every proof about a game takes for granted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compiler import ir
from rules_dsl.language.provenance import provisional
from verify.analysis.goods import unlimited

if TYPE_CHECKING:
    from compiler.runtime.game import Game


def assumptions(module: ir.Module) -> list[str]:
    """What is assumed of a game and not proved, in the words of its rules.

    >>> import rules_dsl as rd
    >>> assumptions(rd.load("mancala").ir)
    []
    """
    found = []
    for pool in module.arrays.values():
        endless = [good for good in pool.goods if unlimited(module, pool, good)]
        if endless:
            most = max(module.goods[good].total for good in endless)
            found.append(
                f"{pool.name} never runs out of {', '.join(endless)} "
                f"(goods without a limit; the machine holds {most:,} of each)"
            )
    return found


def supposed(game: Game) -> list[str]:
    """Printed values that the proofs take as given, although no source confirms them.

    >>> import rules_dsl as rd
    >>> supposed(rd.load("mancala"))
    []
    """
    counts = provisional(game.origin.program())
    verb = "is" if re.fullmatch(r"1 \w+ \w+", counts) else "are"
    return [f"{counts} of {game.name} {verb} as printed"] if counts else []


def runs_dry(module: ir.Module, message: str) -> bool:
    """Whether a fault is a bank running out of a good, which is assumed never to happen.

    >>> import rules_dsl as rd
    >>> runs_dry(rd.load("tzolkin").ir, "there is not enough maize in supply")
    True
    """
    return any(
        message == f"there is not enough {good} in {pool.name}"
        for pool in module.arrays.values()
        for good in pool.goods
        if unlimited(module, pool, good)
    )
