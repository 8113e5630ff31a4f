"""What players are offered depends on what they have seen: by playing, without a proof."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import rules_dsl as rd
from tests.compiler.program_strategy import programs
from tests.verify.leak_table import LEAKS, Leak
from tests.verify.look_alikes import told_apart
from verify.proof.views import Views
from verify.search.look_alikes import LookAlikes

# Leaks that show in what is offered, and not only in the view itself.
OFFERED = {
    "branch_that_asks", "who_is_asked", "notation", "reason", "value_that_explains", "requirement",
    "range_of_a_choice", "skipped_question", "rounds_of_a_loop",
    "secret_choice_from_another_hand",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "players"), [("kuhn_poker", 2), ("first_sealed_auction", 2), ("goofspiel", 2)]
)
def test_classics(name: str, players: int) -> None:
    assert told_apart(rd.load(name, players=players), 150) == ""


@pytest.mark.parametrize(
    "leak", [leak for leak in LEAKS if leak.name in OFFERED], ids=lambda x: x.name
)
def test_leaks_are_met_in_play_and_their_repairs_are_not(leak: Leak, tmp_path: Path) -> None:
    path = tmp_path / "leak.rules"
    for text, leaks in ((leak.bad, True), (leak.good, False)):
        path.write_text(text, encoding="utf-8")
        assert bool(told_apart(rd.load(str(path)), 250)) is leaks


TOLD_FIRST = """\
game told
    players 2

state
    own[Player]: 0..1 visible to owner

setup
    draw d in 0..1
    own[p1] = d

play
    reveal own[p1]
    choose p2: n in 0..own[p1]

scoring
    score p = 0
"""


def test_what_is_revealed_before_the_first_decision_is_known(tmp_path: Path) -> None:
    path = tmp_path / "told.rules"
    path.write_text(TOLD_FIRST, encoding="utf-8")
    assert LookAlikes(rd.load(str(path)).ir).explore() is None
    path.write_text(TOLD_FIRST.replace("reveal own[p1]", "reveal own[p2]"), encoding="utf-8")
    assert LookAlikes(rd.load(str(path)).ir).explore() is not None


@pytest.mark.long
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_random_programs_that_are_proved(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("made") / "made.rules"
    path.write_text(text, encoding="utf-8")
    game = rd.load(str(path), players=2)
    if all(part.status == "PROVED" for part in Views(game.ir).parts()):
        try:
            assert told_apart(game, 30) == ""
        except rd.Fault:
            return  # views rest on safety
