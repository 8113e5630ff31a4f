"""The proof side: rules to SMT, obligations, search, mutation, semantic diff, reports.

>>> import rules_dsl as rd, verify
>>> report = verify.run(rd.load("tic_tac_toe"), jobs=1, checks=["invariant"])
>>> report.ok
True
"""

from __future__ import annotations

import importlib
from typing import Any

from verify.proof.results import Report, Result
from verify.running.scheduler import ProgressEvent, run, run_all

__all__ = ["ProgressEvent", "Report", "Result", "run", "run_all"]

# Names that need more than the core, fetched when they are first asked for.
_ELSEWHERE = {
    "diff": "verify.compare.differences",
    "mutate": "verify.authoring.mutation",
    "state_machine": "verify.authoring.strategies",
    "strategies": "verify.authoring.strategies",
    "suggest": "verify.authoring.suggestions",
    "test_invariants": "verify.authoring.invariant_tests",
}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
