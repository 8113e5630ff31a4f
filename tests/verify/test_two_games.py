"""A leak is REFUTED if two games from the opening show it, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from tests.verify.fault_table import FAULTS
from tests.verify.leak_table import LEAKS, Leak
from verify.proof.results import Result
from verify.running.reports.attention import lines_of
from verify.search.two_games import find, seen

SHOWN = {
    "branch_that_asks",
    "index",
    "requirement",
    "whether_it_is_revealed",
    "secret_choice_from_another_hand",
    "branch_that_moves_a_card",
}


def views(path: Path) -> tuple[rd.Game, list[Result]]:
    game = rd.load(str(path))
    report = verify.run(game, ["views"], jobs=1, effort="low", fresh=True)
    return game, [r for r in report.results if r.status == "REFUTED"]


def test_both_games_are_replayed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path))
    game, (result,) = views(FAULTS / "secret_is_copied_into_the_open.bad.rules")
    one, two = game.replay(result.record), game.replay(result.other_record)
    assert [str(move) for move in one.played()] == result.moves
    assert [str(move) for move in two.played()] == result.other_moves
    player = game.player_names.index(result.detail.split()[0])
    assert seen(one, player) != seen(two, player)
    assert result.cells != result.twin
    told = "\n".join(lines_of([result]))
    assert result.moves[-1] in told and "the other" in told


@pytest.mark.parametrize(
    "leak", [leak for leak in LEAKS if leak.name in SHOWN], ids=lambda leak: leak.name
)
def test_games_show_a_leak_and_none_its_repair(leak: Leak, tmp_path: Path) -> None:
    path = tmp_path / "leak.rules"
    path.write_text(leak.bad, encoding="utf-8")
    assert find(rd.load(str(path)).ir, "normal") is not None
    path.write_text(leak.good, encoding="utf-8")
    assert find(rd.load(str(path)).ir, "low") is None
