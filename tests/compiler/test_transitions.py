"""The script that compares transitions: it covers every kind of game, and names differences."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from compiler.rebuild import build
from rules_dsl.language.sources import shipped_games
from tests.compiler import transitions
from tests.compiler.seeded_games import configurations, same_ends
from tests.compiler.test_native import native
from tests.compiler.transitions import changed, compare_all, shipped, written
from verify.agreement.sampled_games import Agreement
from verify.authoring.mutants import mutants

TRANSITIONS = 1_000_000


@pytest.mark.parametrize(
    ("games", "many"),
    [
        (shipped(["tic_tac_toe"]), 1),
        (changed(["tic_tac_toe"], 2, 1), 2),
        (written(3, 1), 3),
    ],
    ids=["shipped", "changed", "written"],
)
def test_every_kind_of_game_is_compared(games: transitions.Games, many: int) -> None:
    found = compare_all(games, 30, 5, 1)
    assert found.games + found.refused == many
    assert found.transitions and found.by_formulas


def _with_a_mistake(game: rd.Game) -> rd.Game:
    program = game.origin.program()
    mutant = next(m for m in mutants(program) if "at != store[p]" in m.text)
    return build(game, mutant.program(program))


def test_another_native_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transitions, "native", lambda game: native(_with_a_mistake(game)))
    with pytest.raises(AssertionError, match="mancala: 2 players\ndiffers"):
        compare_all(shipped(["mancala"]), 200, 0, 1)


def test_other_formulas_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(game: rd.Game, samples: int) -> Agreement:
        comparison = Agreement(game, samples)
        comparison.replica = Agreement(_with_a_mistake(game), samples).replica
        return comparison

    monkeypatch.setattr(transitions, "Agreement", other)
    with pytest.raises(AssertionError, match="mancala: 2 players\ndiffers: mover is"):
        compare_all(shipped(["mancala"]), 0, 400, 1)


@pytest.mark.long
def test_a_million_transitions(capsys: pytest.CaptureFixture[str]) -> None:
    """Shipped games, changed ones and random programs have the same share."""
    names = list(shipped_games())
    kinds = (shipped(names), changed(names, 30, 1), written(60, 1))
    share = -(-TRANSITIONS // (sum(1 for _ in shipped(names)) + 30 + 60))
    found = [compare_all(games, share, 30, 1) for games in kinds]
    with capsys.disabled():
        print("", *found, sep="\n")
    assert sum(one.transitions for one in found) >= 0.9 * TRANSITIONS


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_games())
def test_seeded_games_of_every_configuration_end_alike(name: str) -> None:
    """Up to a hundred games for each configuration and variant; the script plays more of them."""
    for _, recipe in configurations(name):
        same_ends(recipe.load(), 1, 100, 5)
