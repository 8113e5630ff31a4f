"""Proof obligations: what must hold at the end of a step, and what is known on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import define, frozen

from rules_dsl.language.spans import NOWHERE, Span

if TYPE_CHECKING:
    from verify.encode.terms import Truth

Kind = Literal[
    "init", "invariant", "safety", "conservation", "progress", "termination", "scoring", "views",
    "liveness", "examples", "agreement",
]  # fmt: skip

KINDS: tuple[Kind, ...] = (
    "init", "invariant", "safety", "conservation", "progress", "termination", "scoring", "views",
    "liveness", "examples", "agreement",
)  # fmt: skip


# Their subjects are invariants.
OF_INVARIANTS = ("init", "invariant")


@frozen(eq=False)
class Step:
    """Where a step starts and ends, in the words of the rules."""

    rule: str
    start: str
    span: Span = NOWHERE


@define(eq=False)
class Obligation:
    """A goal under the conditions of one path."""

    kind: Kind
    subject: str
    step: Step
    what: str
    # All of these must hold.
    goals: list[Truth]
    # Premises besides the invariants: tests on the path, earlier checks.
    path: list[Truth]
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    # How it was discharged without a solver, if it was.
    by: str = ""
