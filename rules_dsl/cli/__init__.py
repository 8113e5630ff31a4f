"""The command line: `rules`, also `python -m rules_dsl`."""

from __future__ import annotations

import gc

from rules_dsl.cli.commands import rules
from rules_dsl.cli.streams import make_streams_safe


def main() -> None:
    """Run the command line; leaves with 0 (fine), 1 (a check failed) or 2 (bad input)."""
    # Rules and formulas are many small objects that stay; looking among them for garbage after
    # every few hundred new ones takes a tenth of the time of a check.
    gc.set_threshold(200_000, 30, 30)
    make_streams_safe()
    rules.main(prog_name="rules")


__all__ = ["main", "rules"]
