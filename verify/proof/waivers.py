"""Waivers: failures that a rule file accepts by name, with a reason; no proof may rest on them."""

from __future__ import annotations

from compiler import ir

_OF_INVARIANTS = ("init", "invariant")


def reason_for(module: ir.Module, obligation: str, subject: str, rule: str) -> str:
    """The reason for which a failure is accepted; nothing if it is not."""
    names = {subject, rule, subject.partition(".")[0]}
    for waiver in module.waivers:
        if waiver.obligation == obligation and waiver.subject in names:
            return waiver.reason
    return ""


def is_waived(module: ir.Module, obligation: str, rule: str) -> bool:
    """Whether an obligation of a rule is waived: then it is not a premise afterwards."""
    return bool(reason_for(module, obligation, rule, rule))


def hypotheses(module: ir.Module) -> tuple[ir.Invariant, ...]:
    """The invariants that proofs may take for granted where a step starts: those not waived.

    A waiver that names a rule, not an invariant, may speak of any of them.

    >>> import rules_dsl as rd
    >>> len(hypotheses(rd.load("pig").ir)) == len(rd.load("pig").ir.invariants)
    True
    """
    waived = {w.subject for w in module.waivers if w.obligation in _OF_INVARIANTS}
    if waived - {invariant.name for invariant in module.invariants}:
        return ()
    return tuple(i for i in module.invariants if i.name not in waived)
