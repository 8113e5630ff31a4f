"""The large games are played fast enough, as ratios to a fixed loop."""

from __future__ import annotations

import pytest

from tests.benchmarks.large_games import measure, reference_loop

# The target is 100 games of 500 decisions a second on a machine that makes 300,000 steps of the
# reference loop in a second.
TARGET = 100 * 500 / 300_000
# Listing the moves of an expedition looks at every member on every space.
LEAST = {"tzolkin": TARGET, "tikal": 0.04, "tikal auction": 0.05}


def test_the_reference_loop_stays_as_it_is() -> None:
    assert reference_loop(2_000) == 3_204


@pytest.mark.benchmark
@pytest.mark.parametrize("name", LEAST)
def test_playouts(name: str) -> None:
    speed = measure(name)
    assert speed.ratio >= LEAST[name], str(speed)
    assert 0 < speed.generating < 1 and 0 < speed.carrying_out < 1
    assert speed.generating + speed.carrying_out <= 1
