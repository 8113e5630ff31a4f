"""What every proof about a game takes for granted."""

from __future__ import annotations

from compiler import ir
from verify.encode.unknowns import unlimited


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
