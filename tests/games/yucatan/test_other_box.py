"""The compiled rules against the plain Python game with values that no shipped row has."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd

from .other_box import OTHER, variant
from .test_oracle import play_beside

# What only such values bring about.
OPTIONS = {
    "pay for option 1 of the card",
    "pay for option 2 of the card",
    *(f"pay for option {k} of CR11" for k in (1, 2)),
    "pay for option 1 of CR12",
    "pay for option 1 of CR13",
    "use the other line of the ability",
    "activate the red city",
}


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("box") / "other_box.rules"
    path.write_text(variant(OTHER), encoding="utf-8")
    return path


@pytest.mark.parametrize("players", [2, 3, 4])
def test_side_by_side_with_other_values(players: int, box: Path) -> None:
    game = rd.load(box, players=players)
    seen: set[str] = set()
    for seed in range(6):
        seen |= play_beside(game, OTHER, 300 + seed)
    assert players < 4 or seen >= OPTIONS, OPTIONS - seen
