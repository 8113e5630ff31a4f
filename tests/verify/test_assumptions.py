"""Every report says what its proofs take for granted."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

import rules_dsl as rd
import verify
from verify.proof.results import Report
from verify.running.reports.junit import junit
from verify.running.reports.page import html, markdown
from verify.running.reports.terminal import print_report

GAME = """\
game kiosk
    players 2..3

good coin
goods Paper: stamp, card
good box limit 1

state
    pool till bank
    pool purse[Player]
    pool drawer

action earn(n: 1..9) by p
    move n coin from till to purse[p]

action pack by p
    require till.box > LEFT
    move 1 box from till to purse[p]

play
    for p in Player
        choose p: earn, pack

scoring
    score p = purse[p].coin
"""
LINE = (
    "till never runs out of coin, stamp, card "
    "(goods without a limit; the machine holds 30,000 of each)"
)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> rd.Game:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    return written(tmp_path, "0")


def written(folder: Path, left: str) -> rd.Game:
    path = folder / f"kiosk{len(left)}.rules"
    path.write_text(GAME.replace("LEFT", left), encoding="utf-8")
    return rd.load(str(path), players=2)


def test_the_bank_is_assumed_to_be_full(game: rd.Game) -> None:
    report = verify.run(game, jobs=1)
    assert report.ok
    assert report.assumed == [LINE]


def test_a_limited_good_is_proved_to_be_there(game: rd.Game, tmp_path: Path) -> None:
    short = verify.run(written(tmp_path, "-1"), ["safety"], jobs=1)
    (failing,) = [r for r in short.results if r.fails_itself]
    assert (failing.subject, failing.status) == ("pack", "REFUTED")
    assert failing.detail.startswith("there is not enough box in till")


def test_kept_reports_say_it_too(game: rd.Game) -> None:
    first = verify.run(game, ["safety"], jobs=1)
    again = verify.run(game, ["safety"], jobs=1)
    assert first.assumed == again.assumed == [LINE]
    assert [r.proofs for r in again.results] == [r.proofs for r in first.results]


def test_nothing_is_assumed_where_nothing_is_proved(game: rd.Game) -> None:
    assert verify.run(game, ["examples"], jobs=1).assumed == []
    assert verify.run(rd.load("mancala"), ["init"], jobs=1).assumed == []


def test_several_configurations_say_it_once() -> None:
    report = Report(assumed=["a"])
    report.extend(Report(assumed=["b", "a"]))
    assert report.assumed == ["a", "b"]


def test_every_kind_of_report_says_it(game: rd.Game) -> None:
    report = verify.run(game, ["safety"], jobs=1)
    screen = StringIO()
    print_report(report, Console(file=screen, width=200))
    assert f"assumed: {LINE}" in screen.getvalue()
    assert json.loads(report.to_json())["assumed"] == [LINE]
    assert f"- assumed: {LINE}" in markdown(report)
    assert f"<li>assumed: {LINE}</li>" in html(report)
    (found,) = ET.fromstring(junit(report)).iter("property")
    assert found.attrib == {"name": "assumed", "value": LINE}


@pytest.mark.parametrize(("mark", "more"), [("provisional ", 1), ("public ", 0), ("", 0)])
def test_provisional_values_are_taken_as_they_stand(
    mark: str, more: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "kiosk.rules"
    text = GAME.replace("good coin", f"{mark}const most = 9\n\ngood coin", 1)
    text = text.replace("LEFT", "0").replace("1..9", "1..most")
    path.write_text(text, encoding="utf-8")
    said = verify.run(rd.load(str(path), players=2), ["safety"], jobs=1).assumed
    assert said == [LINE, *["1 provisional constant of kiosk is as printed"] * more]
