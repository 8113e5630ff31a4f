"""Names that generated functions use for themselves may be names of the rules as well."""

from __future__ import annotations

from pathlib import Path

import rules_dsl as rd

RULES = """\
game counting
    players 2

state
    mark[0..4]: bool = true
    found: 0..9 = 0
    lowest: 0..9 = 9

function marked(): 0..9 = count(n in 0..4 where mark[n])

function least(): 0..9 = min(best in 0..4, v in 0..4 where mark[best]: best + v)

play
    found = marked()
    lowest = least()

scoring
    score p = found
"""


def test_bound_names_do_not_meet_those_of_the_generated_code(tmp_path: Path) -> None:
    path = tmp_path / "counting.rules"
    path.write_text(RULES)
    end = rd.load(path).start()
    assert end["found"] == 5
    assert end["lowest"] == 0
