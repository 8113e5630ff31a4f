"""W06: valid rules that may not be meant."""

from __future__ import annotations

from rules_dsl.language.codes.explanation import Explanation

WARNINGS = (
    Explanation(
        "W0601",
        "A value that no row has",
        "The rules compare a column of a table with a value that no row has, whatever the options "
        "and the number of players are: the comparison always has the same result. It may be a "
        "slip, or a symbol that is printed on none of the components known today. Nothing has to "
        "be changed: a warning fails no check, and a variant may add a row that has the value. "
        "Invariants and examples are not warned about.",
        "table Stall\n    columns sells: Fruit\n    row corner: apple\n    row gate: pear\n\n"
        "action visit(x: Stall) by p\n    if x.sells = plum\n        points[p] = 0",
        "table Stall\n    columns sells: Fruit\n    row corner: apple\n    row gate: pear\n\n"
        "action visit(x: Stall) by p\n    if x.sells = pear\n        points[p] = 0",
    ),
)
