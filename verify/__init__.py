"""The proof side: rules to SMT, obligations, search, mutation, semantic diff, reports.

>>> import rules_dsl as rd, verify
>>> report = verify.run(rd.load("tic_tac_toe"), jobs=1, checks=["invariant"])
>>> report.ok
True
"""

from verify.results import Report, Result
from verify.running import Event, run

__all__ = ["Event", "Report", "Result", "run"]
