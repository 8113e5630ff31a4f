"""`rules bench` measures what it says."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def test_every_way_of_playing_is_measured(run: Run) -> None:
    result = run("bench", "tic_tac_toe", "kuhn_poker", "--seconds", "0.01", "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    first, second = told["results"]
    ways = ("python_step", "python_inside", "native_step", "native_cells", "native_inside")
    assert all(first[way] > 0 and second[way] > 0 for way in ways)
    assert first["openspiel_inside"] > 0 and second["openspiel_inside"] is None
    assert told["machine"]["cores"]


def test_bench_as_a_table(run: Run) -> None:
    result = run("bench", "tic_tac_toe", "--seconds", "0.01")
    assert result.exit_code == 0
    assert "native inside" in result.stdout and "tic_tac_toe" in result.stdout
    assert run("bench", "no_such_game").exit_code == 2
