"""The seed of tests that try something new each time; RULES_SEED repeats a run."""

from __future__ import annotations

import os
import random


def fresh_seed() -> int:
    """A seed nobody chose, printed so that the run can be repeated."""
    seed = int(os.environ.get("RULES_SEED") or random.SystemRandom().randrange(10**9))
    print(f"RULES_SEED={seed}")
    return seed
