"""Splitting a step into cases: small choices one by one, where the whole is too hard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from verify.proof.symbolic_step import StepRun

# At most so many cases; more would cost more than they bring.
MOST_CASES = 256
# With so many cases of where a step writes nothing else is split.
ENOUGH = 4


def cases(run: StepRun) -> Iterator[dict[str, int]]:
    """What to fix in each case: the values that were chosen, and who chose them."""
    if run.initial:
        return
    sizes = {name: hi - lo + 1 for name, (lo, hi) in run.unknown.items()}
    chosen: list[str] = []
    total = 1
    # What says where the step writes; then the smallest ones, they say most about its structure.
    for name in sorted(sizes, key=lambda n: (-run.places.get(n, 0), sizes[n], n)):
        if total * sizes[name] > MOST_CASES or (total > ENOUGH and name not in run.places):
            break
        chosen.append(name)
        total *= sizes[name]
    if not chosen:
        return
    ranges = [range(run.unknown[n][0], run.unknown[n][1] + 1) for n in chosen]
    for values in product(*ranges):
        yield dict(zip(chosen, values, strict=True))
