"""The picture that fits every game: well formed, complete, and without secrets."""

from __future__ import annotations

import doctest
from xml.etree import ElementTree as ET

import pytest

import rules_dsl as rd
from games import default_drawing
from tests.random_play import played

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [info.name for info in rd.games()]


def texts(drawn: str) -> str:
    return " ".join(e.text or "" for e in ET.fromstring(drawn).iter(f"{SVG}text"))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_picture(name: str) -> None:
    game = rd.load(name)
    state = played(game, 2, 6)
    for viewer in (None, 0, 1):
        drawn = default_drawing.draw(state, viewer)
        root = ET.fromstring(drawn)
        assert root.tag == f"{SVG}svg"
        assert game.title in texts(drawn)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for rect in root.iter(f"{SVG}rect"):
            right = float(rect.attrib["x"]) + float(rect.attrib["width"])
            bottom = float(rect.attrib["y"]) + float(rect.attrib["height"])
            assert right <= width + 1, rect.attrib
            assert bottom <= height + 1


@pytest.mark.parametrize("name", ["kuhn_poker", "first_sealed_auction", "tzolkin", "yucatan"])
def test_secrets_are_not_drawn(name: str) -> None:
    game = rd.load(name)
    state = game.start(seed=3)
    for viewer in range(game.players):
        sample = state.sample(viewer, seed=8)
        assert default_drawing.draw(sample, viewer) == default_drawing.draw(state, viewer)


def test_pieces_are_on_their_squares() -> None:
    state = rd.load("tic_tac_toe").start().play("b2").play("a1")
    cells = [
        e
        for e in ET.fromstring(state._repr_svg_()).iter(f"{SVG}g")
        if e.attrib.get("class") == "cell"
    ]
    assert len(cells) == 9
    told = {cell.attrib["data-key"]: cell.findtext(f"{SVG}title") for cell in cells}
    assert told["mark 4"] == "4: cross"
    assert told["mark 0"] == "0: nought"


def test_hidden_cards_are_counted() -> None:
    state = rd.load("kuhn_poker").start().play("draw jack").play("draw king")
    assert "Jack" in texts(state.seat(0).drawing)
    assert "King" not in texts(state.seat(0).drawing)
    assert "1 face down" in texts(state.seat(0).drawing)


def test_where_cells_lie() -> None:
    assert doctest.testmod(default_drawing).failed == 0
