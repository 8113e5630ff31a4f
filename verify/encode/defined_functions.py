"""Functions that have a value for all arguments, proved once for all calls.

A question over a relation asks its conditions about every place, and conditions may ask further
questions: possible faults would be checked again for each combination. So it is first tried
to prove, from the ranges of the arguments and of the cells alone, that nothing can. That cells and
arguments are in their ranges is proved where they are written and given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3
from attrs import evolve

from verify.encode import terms as v
from verify.encode.gathering import gather_unknowns
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import World

if TYPE_CHECKING:
    from verify.encode.expressions import Evaluator, SafetyCondition

# Limit on the proof of one fault, in the solver's unit of work.
EFFORT = 200_000
# A function with more possible faults is checked where it is called.
MOST_FAULTS = 200


def always_defined(look: Evaluator, function: str) -> bool:
    """True if a function has no fault in any state, for all arguments of its types."""
    world = look.world
    faults: list[SafetyCondition] = []
    anywhere = evolve(
        look, state=world.any_state, faults=faults, guards=[], overrides={}, sums=None
    )
    arguments: dict[str, Value] = {
        p.name: world.unknown(f"{function}.{p.name}?asked {p.lo}..{p.hi}", p.lo, p.hi)
        for p in world.module.functions[function].params
    }
    # Places read here are not places that the current step reads.
    places = {array: dict(found) for array, found in world.places.items()}
    anywhere.value(world.module.functions[function].body, arguments)
    world.places.clear()
    world.places.update(places)
    return len(faults) <= MOST_FAULTS and all(_holds(world, fault.condition) for fault in faults)


def _holds(world: World, condition: Truth) -> bool:
    """Whether a condition follows from the ranges of the cells and locals in it.

    Cells of pools are left aside: their range depends on the number of goods in the game.
    """
    if isinstance(condition, bool):
        return condition
    memo: dict[int, frozenset[int]] = {}
    gather_unknowns(condition, memo)
    unknowns = memo[condition.get_id()]
    if unknowns & world.counting.keys():
        return False
    known = [world.limits[n][1] for n in sorted(unknowns & world.limits.keys())]
    asked = [v.term(v.not_(condition)), *(part for part in known if not isinstance(part, bool))]
    solver = z3.SimpleSolver()
    solver.set("rlimit", EFFORT)
    solver.set("random_seed", 1)
    solver.add(asked)
    return solver.check() == z3.unsat and world.confirms(asked)
