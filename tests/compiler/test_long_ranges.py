"""Ranges of many thousand values: sets of them are too long for Python to write in decimal."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd

GAME = """\
game long
    players 1

const last = 16000

state
    mark[0..last]: bool = false
    left: 0..2 = 2

action mark_it(c: 0..9) by p
    mark[c] = true
    left -= 1

play
    while left > 0 decreases left
        choose p1: mark_it

scoring
    score p = {score}
"""


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("count(k in 0..last where mark[k])", 2),
        ("count(k in 0..last where k > 1 and mark[k])", 1),
        ("count(k in 0..last - 1 where mark[k + 1])", 1),
        ("if (every k in 0..last: mark[4 * k]) then 1 else 0", 0),
        ("count(k in 0..last where mark[if k < 15000 then k else k - 15000])", 4),
    ],
)
@pytest.mark.parametrize("backend", ["python", "native"])
def test_sets_of_many_thousand_values(
    score: str, expected: int, backend: str, tmp_path: Path
) -> None:
    path = tmp_path / "long.rules"
    path.write_text(GAME.format(score=score), encoding="utf-8")
    state = rd.load(path, backend=backend).start().play("mark_it 0").play("mark_it 3")
    assert [*state.scores()] == [expected]
