"""Native code against the generated Python and against OpenSpiel, as ratios of one run."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from rules_dsl.cli.bench import measure

SECONDS = 0.5


@pytest.mark.benchmark
@pytest.mark.parametrize("name", ["tzolkin", "tikal"])
def test_large_games_are_fifty_times_as_fast(name: str) -> None:
    speeds = measure(rd.load(name, players=4), SECONDS)
    assert speeds.native_inside is not None
    assert speeds.native_inside >= 50 * speeds.python_inside


@pytest.mark.benchmark
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough", "mancala"])
def test_ahead_of_openspiel(name: str) -> None:
    pytest.importorskip("pyspiel", reason="needs the extra `rl`")
    speeds = measure(rd.load(name), SECONDS)
    assert speeds.native_inside is not None and speeds.openspiel_inside is not None
    assert speeds.native_inside > speeds.openspiel_inside
    assert speeds.native_cells is not None and speeds.openspiel_step is not None
    assert speeds.native_cells > speeds.openspiel_step
