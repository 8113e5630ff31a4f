"""`rules bench` measures what it says."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rules_dsl.cli import other_engines
from tests.cli.conftest import Run


def test_every_way_of_playing_is_measured(run: Run) -> None:
    result = run("bench", "tic_tac_toe", "kuhn_poker", "--seconds", "0.01", "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    first, second = told["results"]
    ways = ("python_step", "python_inside", "native_step", "native_cells", "native_inside")
    assert all(first[way] > 0 and second[way] > 0 for way in ways)
    assert first["openspiel_inside"] > 0 and second["openspiel_inside"] is None
    assert first["openspiel_python"] > 0 and second["openspiel_python"] is None
    assert told["machine"]["cores"]
    assert {"OpenSpiel", "PettingZoo", "catanatron"} <= told["machine"].keys()


def test_bench_as_a_table(run: Run) -> None:
    result = run("bench", "tic_tac_toe", "--seconds", "0.01")
    assert result.exit_code == 0
    assert "native inside" in result.stdout and "tic_tac_toe" in result.stdout
    assert run("bench", "no_such_game").exit_code == 2


def test_other_libraries_are_left_out_where_they_are_not_installed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("pyspiel", "open_spiel", "pettingzoo", "catanatron"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(other_engines, "PACKAGES", dict.fromkeys(other_engines.PACKAGES, "none"))
    result = run("bench", "tic_tac_toe", "--seconds", "0.01")
    assert result.exit_code == 0
    assert "native inside / Python inside" in result.stdout
    assert "/ OpenSpiel" not in result.stdout and "/ PettingZoo" not in result.stdout
    assert "catanatron not installed" in " ".join(result.stdout.split())


def test_libraries_that_are_not_in_the_lock_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loops for PettingZoo and catanatron, which tests cannot install, on stand-ins."""

    class Table:
        def reset(self, seed: int) -> None:
            self.left = 3

        def last(self) -> tuple[dict[str, Any], int, bool, bool, dict[str, int]]:
            mask = np.array([0, 1, 0, 1])
            return {"action_mask": mask}, 0, self.left == 0, False, {}

        def step(self, move: int) -> None:
            assert move in (1, 3)
            self.left -= 1

    class Catan:
        def __init__(self, players: list[str], seed: int) -> None:
            self.state = SimpleNamespace(actions=[])
            self.players = players

        def play(self) -> None:
            self.state.actions += ["roll"] * 5 * len(self.players)

    petting = SimpleNamespace(env=Table)
    monkeypatch.setitem(sys.modules, "pettingzoo.classic.tictactoe.tictactoe", petting)
    assert other_engines.other_engines("tic_tac_toe", 2)["pettingzoo"](1) == 3
    catan = SimpleNamespace(Game=Catan, RandomPlayer=str, Color=list("RBWO"))
    monkeypatch.setitem(sys.modules, "catanatron", catan)
    assert other_engines.other_engines("tikal", 3)["catanatron"](1) == 15


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e309", "0", "-1", "61"])
def test_a_measurement_has_an_end(run: Run, seconds: str) -> None:
    result = run("bench", "pig", "--seconds", seconds)
    assert result.exit_code == 2
    assert "--seconds" in result.stderr
