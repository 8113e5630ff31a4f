"""The difference between the editions is exactly the list of points on which the books differ."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

import rules_dsl as rd
from docs import editions
from docs.edition_points import POINTS
from rules_dsl.cli.game_argument import GameChoice
from rules_dsl.language.options import option_infos
from verify.compare.bisimulation import along
from verify.compare.changes import Diff
from verify.compare.differences import diff


@pytest.fixture(scope="module")
def told() -> list[dict[str, Any]]:
    """What `rules diff tikal@1999 tikal@2018` tells: all numbers of players, all options."""
    done = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "diff", "tikal@1999", "tikal@2018", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    changes: list[dict[str, Any]] = json.loads(done.stdout)["changes"]
    return changes


def by_name(changes: list[dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = [c for c in changes if c["name"] == name]
    return found


def replayed(change: dict[str, Any]) -> tuple[rd.State, rd.State]:
    """The witness of a change, in both editions."""
    loaded = []
    for edition, record in zip((1999, 2018), change["witness"]["records"], strict=True):
        data = json.loads(record)
        options = {"edition": edition, "auction": "auction" in change["configuration"]}
        loaded.append(rd.load("tikal", players=data["players"], options=options).replay(record))
    assert [str(m) for m in loaded[0].played()] == change["witness"]["moves"]
    assert loaded[0].played() == loaded[1].played()
    return loaded[0], loaded[1]


def test_every_difference_of_the_books_and_nothing_else(told: list[dict[str, Any]]) -> None:
    expected = {
        rule for point in POINTS.values() if point.verdict == "differs" for rule in point.rules
    }
    assert {c["name"] for c in told} == expected | {"edition"}
    assert len(told) == len(expected) + 1
    for point in POINTS.values():
        if point.verdict == "differs":
            for rule in point.rules:
                # Changes of both configurations are shown once, for the usual one.
                configuration = by_name(told, rule)["configuration"]
                assert configuration == point.with_ or (configuration == "" and rule == "setup")


def test_every_difference_is_shown_or_proved_to_make_none(told: list[dict[str, Any]]) -> None:
    for change in told:
        assert change["equivalent"] != (change["witness"] is not None), change["name"]
    # Who begins is drawn in both editions; only the reason differs.
    assert [c["name"] for c in told if c["equivalent"]] == ["setup"]


def test_a_camp_without_a_member(told: list[dict[str, Any]]) -> None:
    old, new = replayed(by_name(told, "needs_member"))
    assert "found a camp on b2" in {str(m) for m in old.moves()}
    (reason,) = [r for r in new.explain("found a camp on b2") if not r.holds]
    assert reason.text == "you have no member on b2"


def test_the_fewest_points_count_first_after_an_auction(told: list[dict[str, Any]]) -> None:
    old, new = replayed(by_name(told, "fewest_first"))
    assert old["final"] and new["final"]
    assert old["points"] == new["points"]
    points = list(old["points"])
    assert old.player is not None and new.player is not None
    assert points[old.player] == min(points) < points[new.player]
    assert new.player == (new["last_mover"] + 1) % new.game.players


@pytest.mark.parametrize("level", [1, 2])
def test_tie_breaks(told: list[dict[str, Any]], level: int) -> None:
    names = ["most highest_temple(p)", "most treasures_of(p)"]
    old, new = replayed(by_name(told, names[level - 1]))
    assert old.over and new.over
    assert old.values() == new.values()
    assert old.scores() == new.scores()
    assert set(new.winners()) < set(old.winners())
    ties = [tie for _, tie in new.game.machine.code["TIES"]]
    deciding = [{int(tie(new.cells, p)) for p in old.winners()} for tie in ties]
    assert [len(values) > 1 for values in deciding[:level]] == [False] * (level - 1) + [True]


def test_who_begins_the_final_scoring_differs_only_by_a_ruling() -> None:
    point = POINTS["D07"]
    name, _, value = point.with_.partition("=")
    old = rd.load("tikal@1999", players=2, options={name: value})
    new = rd.load("tikal@2018", players=2)
    found: Diff = diff(old, new, positions=40, games=3)
    (change,) = [c for c in found.changes if c.name in point.rules]
    assert change.witness is not None
    assert change.witness.kind == "turn"


def test_open_questions_are_rulings() -> None:
    infos = {i.name: i for i in option_infos(GameChoice("tikal").program())}
    for point in POINTS.values():
        assert bool(point.ruling) == (point.verdict == "ruling")
        if point.ruling:
            assert infos[point.ruling].kind == "ruling"


def test_the_page_tells_the_same(told: list[dict[str, Any]]) -> None:
    def facts(changes: list[editions.Found]) -> list[tuple[object, ...]]:
        return [(c.what, c.name, c.before, c.after, c.configuration, c.equivalent) for c in changes]

    assert facts(editions.kept()) == facts([editions.found_of(c) for c in told])


@pytest.mark.parametrize("found", [c for c in editions.kept() if c.moves], ids=lambda c: c.name)
def test_the_positions_on_the_page_still_differ(found: editions.Found) -> None:
    old, new = found.states()
    codes = [state.last_code for state in old.history()[1:]]
    witness = along(old.game, new.game, codes)
    assert witness is not None
    assert witness.text == found.text


def test_the_page_and_its_pictures_are_up_to_date() -> None:
    for path, text in editions.pages(editions.kept()).items():
        assert path.read_text(encoding="utf-8") == text, f"run docs/editions.py: {path.name}"
