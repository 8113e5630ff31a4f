"""Premises of a proof besides the rules of its step: invariants and facts, by name."""

from __future__ import annotations

from collections.abc import Iterable

INVARIANT, FACT = "invariant ", "fact "
# The source of a formula that is plainly false: any invariant, any fact.
ALL = "all"


def named(kind: str, sources: Iterable[str], names: Iterable[str]) -> list[str]:
    """The invariants or facts among some sources, of those that there are.

    >>> named(INVARIANT, {"invariant few", "fact 3"}, ["few", "many"])
    ['few']
    >>> named(INVARIANT, {ALL}, ["few", "many"])
    ['few', 'many']
    """
    found = frozenset(sources)
    return sorted(name for name in names if ALL in found or kind + name in found)
