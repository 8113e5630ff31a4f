"""Procedures that lead back to themselves, directly or through each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compiler import ir
from rules_dsl.language.checker.flow import strong_components


def circles(procedures: Mapping[str, ir.Procedure]) -> Iterator[set[object]]:
    """The groups of procedures that lead to each other; one alone if it leads to itself."""
    calls: dict[object, set[object]] = {
        name: {
            block.terminator.procedure
            for block in procedure.blocks
            if isinstance(block.terminator, ir.Enter)
        }
        for name, procedure in procedures.items()
    }
    for group in strong_components(calls):
        if len(group) > 1 or group[0] in calls.get(group[0], set()):
            yield set(group)
