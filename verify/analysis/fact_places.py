"""Places where facts are proposed, and the names that facts use besides those of the rules."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from compiler import ir


@frozen
class FactPlace:
    """Where facts are proposed: a way out of a block, the head of a loop, an entry, an exit."""

    kind: Literal["edge", "head", "entry", "exit"]
    procedure: str
    block: int = 0
    way: int = 0


# Facts that could not be proved, each at its place.
Refused = frozenset[tuple[FactPlace, ir.Expr]]
NONE_REFUSED: Refused = frozenset()


def measure_name(block: int, part: int) -> str:
    """The local that remembers a loop's measure at the head of the present round."""
    return f"measure.{block}.{part}"


def entry_name(part: int) -> str:
    """The local that remembers a recursive procedure's measure at its entry."""
    return f"measure.entry.{part}"


def ghost_name(rule: str, part: int) -> str:
    """The local of a caller that remembers what a contract of a rule that it called compares."""
    return f"{rule} {ir.before_name(part)}"
