"""What notebooks show: tables, and a widget that plays one seat."""

from __future__ import annotations

import json

import pytest

import rules_dsl as rd

pytest.importorskip("anywidget", reason="needs the extra `web`")

from rules_dsl.notebook import SCRIPT, play


def test_buttons_play_the_seat() -> None:
    widget = play("tic_tac_toe", seat=1, bots="random", seed=3)
    assert widget.state.player == 1
    while widget.moves:
        before = widget.turn
        widget.pressed = [0, widget.turn]
        assert widget.turn == before + 1
    assert widget.state.over
    assert widget.prompt.startswith("The game is over")
    assert widget.picture.startswith("<svg")


def test_an_old_press_does_nothing() -> None:
    widget = play("connect_four", seed=3)
    moves, turn = list(widget.moves), widget.turn
    widget.pressed = [0, turn - 1]
    widget.pressed = [99, turn]
    assert (widget.moves, widget.turn) == (moves, turn)


def test_a_widget_knows_what_its_seat_knows() -> None:
    """Everything that is sent is the same for positions that look alike to the seat."""
    game = rd.load("kuhn_poker")
    sent = []
    for card in ("queen", "king"):
        widget = play(game, seat=0, seed=1)
        widget.state = game.start().play("draw jack").play(f"draw {card}")
        widget.show()
        state = widget.get_state()
        sent.append(json.dumps({k: state[k] for k in ("picture", "prompt", "moves", "log")}))
    assert sent[0] == sent[1]
    assert "seed" not in widget.get_state()


def test_the_script_is_shipped() -> None:
    assert "export default" in SCRIPT.read_text(encoding="utf-8")


def test_tables() -> None:
    game = rd.load("tzolkin", players=2)
    cards = game.tables["Building"]._repr_html_()  # type: ignore[attr-defined]
    assert cards.count("<tr>") == len(game.tables["Building"]) + 1
    shown = game.start(seed=1).view(0)._repr_html_()
    assert "unlimited" in shown
    result = rd.load("pig").simulate(games=20, seed=1)
    assert "seat 1" in result._repr_html_()
