"""What every proof about a game takes for granted."""

from __future__ import annotations

from compiler import ir
from verify.analysis.goods import unlimited


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


def runs_dry(module: ir.Module, message: str) -> bool:
    """Whether a fault says that a bank ran out of a good of which that is assumed never to happen.

    >>> import rules_dsl as rd
    >>> runs_dry(rd.load("tzolkin").ir, "there are not so many maize in supply")
    True
    """
    return any(
        message == f"there are not so many {good} in {pool.name}"
        for pool in module.arrays.values()
        for good in pool.goods
        if unlimited(module, pool, good)
    )
