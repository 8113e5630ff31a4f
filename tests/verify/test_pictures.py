"""Pages show the positions in which something breaks, where a game can be drawn."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

import rules_dsl as rd
from verify.proof.results import Report, Result, Status
from verify.running.configurations import configuration_text
from verify.running.reports.page import html, write_page
from verify.running.reports.pictures import (
    AFTER,
    BEFORE,
    SUPPOSED,
    pictures,
    position_of,
    positions,
)
from verify.search.player import Player
from verify.search.refute import differences


def played(game: rd.Game, moves: int) -> rd.State:
    rng = Random(7)
    state = game.start()
    for _ in range(moves):
        choices = state.moves() or tuple(move for move, _ in state.outcomes())
        state = state.play(rng.choice(choices))
    return state


def result(game: rd.Game, status: Status, **more: object) -> Result:
    made = Result(game.name, game.players, game.options, "invariant", "some_law", status, 0.1)
    made.configuration = configuration_text(game)
    for name, value in more.items():
        setattr(made, name, value)
    return made


@pytest.fixture(scope="module")
def tzolkin() -> rd.Game:
    return rd.load("tzolkin", players=2)


@pytest.fixture(scope="module")
def jungle() -> rd.Game:
    return rd.load("tikal", players=2, variants=["restless_jungle"])


def refuted(game: rd.Game) -> Result:
    state = played(game, 12)
    texts = [str(move) for move in state.played()]
    return result(game, "REFUTED", record=game.record(state).to_json(), moves=texts)


def unproved(game: rd.Game) -> Result:
    cells = differences(Player(game, game.ir), played(game, 12).cells)
    return result(game, "UNPROVED", cells=cells)


def test_before_and_after_the_last_move(tzolkin: rd.Game) -> None:
    (one, before), (two, after) = positions(refuted(tzolkin), tzolkin)
    assert (one, two) == (BEFORE, AFTER)
    assert after == played(tzolkin, 12)
    assert before == after.previous


def test_a_move_that_fails_has_nothing_after_it(tzolkin: rd.Game) -> None:
    broken = refuted(tzolkin)
    broken.moves.append("a move that cannot be carried out")
    ((caption, state),) = positions(broken, tzolkin)
    assert caption == BEFORE
    assert state == played(tzolkin, 12)


def test_a_supposed_position_has_the_cells_that_were_named(jungle: rd.Game) -> None:
    state = played(jungle, 12)
    player = Player(jungle, jungle.ir)
    found = position_of(jungle, differences(player, state.cells))
    assert found is not None
    for name in jungle.ir.arrays:
        assert list(player.cells(found.cells, name)) == list(player.cells(state.cells, name))
    assert position_of(jungle, {"no such cell": "1"}) is None


def test_a_page_with_its_pictures(tzolkin: rd.Game, jungle: rd.Game, tmp_path: Path) -> None:
    report = Report([refuted(tzolkin), unproved(jungle), result(jungle, "PROVED")])
    games = {configuration_text(game): game for game in (tzolkin, jungle)}
    drawn = pictures(report, games)
    assert {at: [p.caption for p in shown] for at, shown in drawn.items()} == {
        0: [BEFORE, AFTER],
        1: [SUPPOSED],
    }
    page = tmp_path / "report.html"
    write_page(page, report, games)
    sources = page.read_text(encoding="utf-8").split("data:image/svg+xml;base64,")[1:]
    svgs = [b64decode(source.split("'")[0]).decode() for source in sources]
    assert svgs == [picture.svg for shown in drawn.values() for picture in shown]
    for svg in svgs:
        assert ET.fromstring(svg).tag.endswith("svg")
    assert svgs[0] != svgs[1]


def test_markdown_links_to_files(tzolkin: rd.Game, tmp_path: Path) -> None:
    page = tmp_path / "report.md"
    write_page(page, Report([refuted(tzolkin)]), {configuration_text(tzolkin): tzolkin})
    text = page.read_text(encoding="utf-8")
    for name in ("report_pictures/1_1.svg", "report_pictures/1_2.svg"):
        assert f"({name})" in text
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<svg")


def test_games_without_a_drawing(tmp_path: Path) -> None:
    game = rd.load("pig")
    page = tmp_path / "report.md"
    write_page(page, Report([refuted(game)]), {configuration_text(game): game})
    assert "![" not in page.read_text(encoding="utf-8")
    assert not (tmp_path / "report_pictures").exists()


def test_no_text_of_the_rules_is_markup() -> None:
    """Names, moves and details come from rule files: on a page they are texts and nothing else."""
    evil = "<script>alert(1)</script>"
    made = Result(evil, 2, {}, "invariant", evil, "REFUTED", 0.1, evil, evil, evil)
    made.cells, made.chosen, made.moves = {evil: evil}, {evil: evil}, [evil, "pass <b>"]
    made.configuration = evil
    page = html(Report([made]))
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "<b>" not in page
