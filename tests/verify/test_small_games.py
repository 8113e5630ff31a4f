"""No fault of a small rule set is called PROVED, whatever way it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from tests.verify.small_games import Leaky, Small, further_leaks, leaks, secret_leaks, small_games
from verify.proof.views import Views

GAMES = list(small_games())
FAULTY = [game for game in GAMES if game.obligation != "nothing"]
FAULTLESS = [game for game in GAMES if game.obligation == "nothing"]
LEAKS = [*leaks.LEAKS, *further_leaks.LEAKS, *secret_leaks.LEAKS]
HARMLESS = [*leaks.HARMLESS, *secret_leaks.HARMLESS]
ALL: list[Small | Leaky] = [*GAMES, *LEAKS, *HARMLESS]
# The draws, and one of each other sort; a leak takes longer than the other faults.
QUICK = {
    "draw_from_hidden_zone", "draw_and_put_back", "draw_shown_sometimes", "draw_revealed",
    "draw_shown", "together_else", "subset_cond", "secret_always_effect", "reveal_weaker",
    "possible_hidden", "a_card_tells_a_number", "a_card_tells_another",
    "secretly_laid_open", "recursion_depth", "repeat_count", "order_state", "cost_hidden",
    "sib_laid_open", "laid_then_marker", "one_of_two_chosen", "text_for_another",
    "not_what_is_secret", "pile_top_is_told",
}  # fmt: skip


def loaded(rules: str, folder: Path) -> rd.Game:
    path = folder / "small.rules"
    path.write_text(rules, encoding="utf-8")
    return rd.load(str(path), players=2)


def name_of(game: Small | Leaky) -> str:
    return game.name


def some(games: list[Leaky]) -> list[object]:
    return [
        pytest.param(game, id=game.name, marks=() if game.name in QUICK else pytest.mark.long)
        for game in games
    ]


def test_names_are_unique() -> None:
    names = [game.name for game in ALL]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("small", FAULTY, ids=name_of)
def test_no_fault_is_called_proved(small: Small, tmp_path: Path) -> None:
    game = loaded(small.rules, tmp_path)
    report = verify.run(game, jobs=1)
    failing = [r for r in report.results if r.fails and not r.given]
    assert small.obligation in {r.obligation for r in failing}
    assert report.contradictions == []
    for result in failing:
        if result.record:
            game.replay(result.record)


@pytest.mark.parametrize("small", FAULTLESS, ids=name_of)
def test_what_cannot_fail_is_proved(small: Small, tmp_path: Path) -> None:
    report = verify.run(loaded(small.rules, tmp_path), jobs=1)
    assert [r for r in report.results if r.fails] == []


@pytest.mark.parametrize("leaky", some(LEAKS))
def test_no_leak_is_called_proved(leaky: Leaky, tmp_path: Path) -> None:
    parts = Views(loaded(leaky.rules, tmp_path).ir).parts()
    assert "UNPROVED" in {part.status for part in parts}


@pytest.mark.parametrize("leaky", some(HARMLESS))
def test_what_tells_nothing_is_proved(leaky: Leaky, tmp_path: Path) -> None:
    parts = Views(loaded(leaky.rules, tmp_path).ir).parts()
    assert {part.status for part in parts} == {"PROVED"}
