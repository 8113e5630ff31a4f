"""How many of a good there can be."""

from __future__ import annotations

from rules_dsl.language.symbols import GoodSymbol

UNLIMITED = 30_000


def amount_limit(good: GoodSymbol) -> int:
    """How many of a good there are at most; a bank of 30,000 stands for "as many as needed"."""
    return UNLIMITED if good.limit is None else good.limit
