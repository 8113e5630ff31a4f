"""The possible amounts of a good."""

from __future__ import annotations

from rules_dsl.language.symbols import GoodSymbol

UNLIMITED = 30_000
# The greatest limit that can be written.
MOST_GOODS = 1_000_000_000


def amount_limit(good: GoodSymbol) -> int:
    """The maximum amount of a good; a bank of 30,000 stands for "as many as needed"."""
    return UNLIMITED if good.limit is None else good.limit
