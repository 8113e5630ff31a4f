"""A million transitions: Python and native code list the same moves and write the same bytes."""

from __future__ import annotations

from itertools import count

import pytest

import rules_dsl as rd
from rules_dsl.language.sources import shipped_games
from tests.compiler.seeded_games import forms, same_ends
from tests.compiler.test_native import configurations_of, native, same_game

TRANSITIONS = 1_000_000
# Short games end early; for the others, as many moves as a whole game has.
MOST_MOVES = 2_000


@pytest.mark.long
def test_a_million_transitions(capsys: pytest.CaptureFixture[str]) -> None:
    """Every configuration of every shipped game has the same share."""
    found = [(name, c) for name in shipped_games() for c in configurations_of(name)]
    share = -(-TRANSITIONS // len(found))
    compared: dict[str, int] = {}
    for name, configuration in found:
        game = rd.load(name, players=configuration.players, options=configuration.options)
        machine, made = native(game), 0
        for seed in count():
            if made >= share:
                break
            made += same_game(game.machine, machine, seed, min(MOST_MOVES, share - made))
        compared[name] = compared.get(name, 0) + made
    with capsys.disabled():
        print(f"\n{sum(compared.values()):,} transitions of {len(found)} configurations:", compared)
    assert sum(compared.values()) >= TRANSITIONS


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_games())
def test_seeded_games_of_every_form_end_alike(name: str) -> None:
    """Up to a hundred games a form, of every variant too; the script plays more of them."""
    for _, recipe in forms(name):
        same_ends(recipe.load(), 1, 100, 5)
