"""`reveal`: a line in the log for those who are shown something, and nothing in the position."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from compiler.reference import ReferenceMachine

RULES = """\
game peek
    players 2 named ann, bob

enum Suit: hearts, spades

state
    secret[Player]: Suit = hearts visible to owner
    rounds: 0..2 = 0

action look by p
    rounds += 1
    reveal secret[next(p)] to p

action show by p
    rounds += 1
    reveal secret[p]
    reveal rounds + 1

setup
    for p in Player
        draw s in Suit
        secret[p] = s

play
    choose ann: look, show
    choose bob: look, show

scoring
    score p = 0
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rd.Game:
    path = tmp_path_factory.mktemp("peek") / "peek.rules"
    path.write_text(RULES, encoding="utf-8")
    return rd.load(str(path))


def dealt(game: rd.Game) -> rd.State:
    return game.start().play("draw hearts").play("draw spades")


def test_what_is_shown_to_everybody(game: rd.Game) -> None:
    state = dealt(game).play("show")
    assert state.revealed() == ("secret[p] is hearts", "rounds + 1 is 2")
    assert state.revealed("bob") == state.revealed()


def test_what_is_shown_to_one_player(game: rd.Game) -> None:
    state = dealt(game).play("look")
    assert state.revealed() == ()
    assert state.revealed(0) == ("secret[next(p)] is spades",)
    assert state.revealed("bob") == ()


def test_nothing_else_happens(game: rd.Game) -> None:
    one, two = (dealt(game).play(move) for move in ("look", "show"))
    assert one == two
    assert one.view(0) == dealt(game).view(0) | {"rounds": 1}
    with pytest.raises(ValueError, match="there is no player"):
        one.revealed(2)


def test_the_interpreter_shows_the_same(game: rd.Game) -> None:
    machine = ReferenceMachine(game.ir)
    machine.play(0, (0,))
    machine.play(0, (1,))
    machine.play(1, ())
    assert machine.revealed == [("secret[p]", "Suit", 0, -1), ("rounds + 1", "int", 2, -1)]
