"""Every planted leak is found, and no repaired twin is called one."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from tests.verify.leak_table import HARMLESS, LEAKS, Leak, harmless
from verify.proof.results import Part
from verify.proof.views import Views

# Some of each sort are proved in every run.
QUICK = {
    "local_across_a_decision", "index", "branch_that_rolls", "count_of_one_card", "reason",
    "skipped_question", "score", "restricted_draw", "marker_for_a_dealt_card",
    "a_card_tells_another", "secret_choice_from_another_hand", "revealed_to_another",
    "steps_in_the_dark", "stops_in_the_dark", "only_the_others_see_it",
    "copied_to_the_wrong_neighbour", "order_of_what_is_revealed",
}  # fmt: skip


def failures(text: str, folder: Path) -> list[Part]:
    path = folder / "leak.rules"
    path.write_text(text, encoding="utf-8")
    return [part for part in Views(rd.load(str(path)).ir).parts() if part.status != "PROVED"]


def leaks() -> list[object]:
    return [
        pytest.param(leak, id=leak.name, marks=() if leak.name in QUICK else pytest.mark.long)
        for leak in LEAKS
    ]


@pytest.mark.parametrize("leak", leaks())
def test_a_leak_is_found_and_its_repair_proved(leak: Leak, tmp_path: Path) -> None:
    found = failures(leak.bad, tmp_path)
    assert {part.status for part in found} == {"UNPROVED"}
    # Two positions that differ in something, unless two draws from one position tell it.
    assert all(part.cells.keys() == part.twin.keys() for part in found)
    assert failures(leak.good, tmp_path) == []


@pytest.mark.parametrize("name", HARMLESS)
def test_reading_what_is_hidden_is_no_leak_by_itself(name: str, tmp_path: Path) -> None:
    assert failures(harmless(name), tmp_path) == []


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "goofspiel", "first_sealed_auction", "tic_tac_toe", "pig"]
)
def test_classics_tell_nothing(name: str) -> None:
    assert {part.status for part in Views(rd.load(name).ir).parts()} == {"PROVED"}


def test_kuhn_poker_with_a_tell(tmp_path: Path) -> None:
    """Whoever bets with the king blinks."""
    path = tmp_path / "tell.rules"
    path.write_text(
        "variant tell of kuhn_poker\n"
        "    add state\n        blinks: bool = false\n\n"
        "    amend action bet\n        after\n            blinks = king in hand[p]\n",
        encoding="utf-8",
    )
    found = [p for p in Views(rd.load(str(path)).ir).parts() if p.status != "PROVED"]
    assert {(part.status, part.what) for part in found} == {
        ("UNPROVED", "opener can tell: blinks"),
        ("UNPROVED", "replier can tell: blinks"),
    }


@pytest.mark.long
def test_tzolkin_with_a_marker_for_a_dealt_tile(tmp_path: Path) -> None:
    path = tmp_path / "marker.rules"
    path.write_text(
        "variant marker of tzolkin\n"
        "    add state\n        marked: Wealth? = none\n\n"
        "    amend procedure place_neutral_workers\n        before\n"
        "            for w in Wealth\n                if w in dealt[red]\n"
        "                    marked = w\n",
        encoding="utf-8",
    )
    found = [p for p in Views(rd.load(str(path), players=2).ir).parts() if p.status != "PROVED"]
    assert ("UNPROVED", "blue can tell: marked") in {(p.status, p.what) for p in found}


def test_hidden_scores_are_told_at_the_end() -> None:
    game = rd.load("first_sealed_auction", players=2)
    state = game.start(seed=1)
    assert state.scores() == ()
    while not state.over:
        state = state.play(state.moves()[0])
    assert len(state.scores()) == 2
