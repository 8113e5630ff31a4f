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
    assert state.revealed() == ("secret of ann is hearts", "rounds + 1 is 2")
    assert state.revealed("bob") == state.revealed()


def test_what_is_shown_to_one_player(game: rd.Game) -> None:
    state = dealt(game).play("look")
    assert state.revealed() == ()
    assert state.revealed(0) == ("secret of bob is spades",)
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
    assert machine.revealed == [
        ("[]", "Player", 0, -1),
        ("secret[]", "Suit", 0, -1),
        ("rounds + 1", "int", 2, -1),
    ]


LABELLED = """\
game cards
    players 2 named ann, bob

enum Card
    spear "Spear"
    shield "Shield"

state
    played[Player]: Card? = none "Battle card"
    grid[0..1, Player]: Card = shield hidden

play
    choose each p in Player secretly as play "play {c}": c in Card
    for p in Player
        reveal c[p]
        played[p] = c[p]
        reveal played[p]
    reveal grid[1, next(ann)] to ann
    choose ann: x in 0..1

scoring
    score p = 0
"""


def test_the_log_says_whose_value_it_is_in_the_words_of_the_rules(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("cards") / "cards.rules"
    path.write_text(LABELLED, "utf-8")
    game = rd.load(str(path))
    state = game.start().play("play Spear").play("play Shield")
    both = (
        "shown: Spear of ann",
        "battle card of ann is Spear",
        "shown: Shield of bob",
        "battle card of bob is Shield",
    )
    assert state.revealed("bob") == both
    assert state.revealed("ann") == (*both, "grid of 1, bob is Shield")
    told = [event.text for event in state.events() if event.kind == "reveal"]
    assert told == list(both)
