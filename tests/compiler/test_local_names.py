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


ODD = """\
game odd_names
    players 2

good coin limit 3

state
    any_1: 0..20 = 0
    pool chest bank
    pool purse[Player]

const T_weight[0..2] = [3, 4, 5]

function f_worth(t1: 0..2): 0..9 = T_weight[t1]

procedure again(f: 0..3, t1: Player)
    decreases f
    choose t1: k in 0..2
    move up to k coin from chest to purse[t1]
    any_1 += f_worth(k)
    if f > 0
        again(f - 1, next(t1))

play
    again(3, p1)

scoring
    score p = purse[p].coin
"""


def test_rules_may_use_any_name(tmp_path: Path) -> None:
    path = tmp_path / "odd_names.rules"
    path.write_text(ODD)
    state = rd.load(path).start()
    for move in ("k 1", "k 2", "k 0", "k 2"):
        state = state.play(move)
    assert state.over
    assert state["any_1"] == 4 + 5 + 3 + 5
    assert state.scores() == (1, 2)
