"""Splitting a step into cases, one for each value of small choices, when the whole is too hard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from verify.proof.step_parts import Unknown
from verify.proof.symbolic_step import StepRun

# Maximum number of cases of a split; more would cost more than they save.
MOST_CASES = 256
# Number of cases of where a step writes from which on nothing else is split.
ENOUGH = 4


def cases(run: StepRun) -> Iterator[dict[Unknown, int]]:
    """The values to fix in each case: those chosen, and the player who chose them."""
    if run.initial:
        return
    sizes = {unknown: unknown.hi - unknown.lo + 1 for unknown in run.unknown}
    chosen: list[Unknown] = []
    total = 1
    # What says where the step writes; then the smallest ones, they say most about its structure.
    for unknown in sorted(sizes, key=lambda u: (-run.places.get(u, 0), sizes[u], u.name, u.text)):
        if total * sizes[unknown] > MOST_CASES or (total > ENOUGH and unknown not in run.places):
            break
        chosen.append(unknown)
        total *= sizes[unknown]
    if not chosen:
        return
    ranges = [range(u.lo, u.hi + 1) for u in chosen]
    for values in product(*ranges):
        yield dict(zip(chosen, values, strict=True))
