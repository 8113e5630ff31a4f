"""Conditional proofs: a proof counts only if all its premises are proved.

A proof about a step assumes the invariants at the start of the step, and every condition that was
checked earlier on the path. If one of these is not PROVED in the same report, every result that may
rest on it is "PROVED, given …": it counts as UNPROVED and names these premises. A waived obligation
is never a premise. A step that was not explored completely leaves everything after it unproved, and
cannot be waived.
"""

from __future__ import annotations

from compiler import ir
from verify.proof.obligation import OF_INVARIANTS
from verify.proof.results import UNEXPLORED, Report, Result
from verify.proof.settings import STEPWISE
from verify.proof.waivers import reason_for

# Obligations that are premises of other proofs, and obligations whose proofs have such premises.
HYPOTHESES = frozenset({"init", "invariant", "safety", "conservation"})
RESTING = STEPWISE | {"views"}
# Maximum number of hypotheses named in a line.
MOST_NAMED = 3


def waive(module: ir.Module, report: Report) -> None:
    """Mark the failures that a rule file accepts by name; an unexplored step is never accepted."""
    for result in report.results:
        if not unexplored(result):
            reason = reason_for(module, result.obligation, result.subject, result.rule)
            result.waived = reason


def unexplored(result: Result) -> bool:
    """True for a result that reports a step as not completely explored."""
    return any(by in result.proofs for by in UNEXPLORED)


def open_hypotheses(report: Report) -> list[str]:
    """Possible premises of other proofs that are not proved, as `obligation subject`."""
    invariants = {r.subject for r in report.results if r.obligation in OF_INVARIANTS}
    found = {
        f"{r.obligation} {r.subject}": None
        for r in report.results
        if r.status != "PROVED"
        and not r.waived
        # An invariant that may have no value is not proved at all.
        and (r.obligation in HYPOTHESES or unexplored(r) or r.subject in invariants)
    }
    return list(found)


def make_conditional(report: Report) -> None:
    """Name the unproved premises in results that may rest on them; these are not PROVED.

    >>> one = Result("g", 2, {}, "invariant", "few", "UNPROVED", 0.0)
    >>> two = Result("g", 2, {}, "progress", "play", "PROVED", 0.0, proofs={"tight": 1})
    >>> make_conditional(Report([one, two]))
    >>> two.status, two.given, two.detail
    ('UNPROVED', ['invariant few'], 'PROVED, given invariant few')
    """
    given = open_hypotheses(report)
    if not given:
        return
    shown = ", ".join(given[:MOST_NAMED])
    if len(given) > MOST_NAMED:
        shown += f" and {len(given) - MOST_NAMED} more"
    for result in report.results:
        structural = result.proofs.keys() <= {"structure"}
        if result.obligation in RESTING and result.status == "PROVED" and not structural:
            result.status = "UNPROVED"
            result.given = given
            result.detail = f"PROVED, given {shown}"
