"""Large boards are played fast enough, and nothing about them grows faster than they do."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.benchmarks.large_games import measure as measure_game
from tests.benchmarks.wide_boards import SIDES, field_time, measure

# Of the decisions of Tzolk'in, on 324 cells; a ninth was measured on a busy machine.
LEAST_SHARE = 1 / 12


@pytest.mark.benchmark
def test_placements_on_324_cells() -> None:
    speed = measure(18)
    assert speed.moves >= 200
    assert speed.ratio >= LEAST_SHARE * measure_game("tzolkin").ratio, str(speed)


@pytest.mark.benchmark
def test_a_field_grows_no_faster_than_the_board() -> None:
    """From 36 cells to 900, there is no cliff."""
    times = {side * side: field_time(side) for side in SIDES}
    base = times[SIDES[0] ** 2] / SIDES[0] ** 2
    assert all(time <= 2 * base * cells for cells, time in times.items()), times


@pytest.mark.benchmark
def test_a_decision_grows_no_faster_than_its_moves() -> None:
    """From 36 cells to 900, there is no cliff; half as much again is left to a busy machine."""
    speeds = [measure(side) for side in SIDES]
    for small, large in pairwise(speeds):
        assert small.ratio / large.ratio <= 1.5 * large.moves / small.moves, f"{small}\n{large}"
