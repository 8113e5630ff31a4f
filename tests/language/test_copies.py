"""Rows that stand for several: copies, rows for each seat, and zones by owner."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd

GAME = """\
game levy "Levy"
    players 2..3 named ann, bob, cem

table Card "cards"
    columns strength: 0..9, owner: Player? = none
    procedure shout(p: Player)
    row scout "Scout" ru "Разведчик" copies 2: 3
        shout
            points[p] += row.strength
    row guard "Guard" for each p in Player: 4, p
    row twins "Twins" for each q in Player copies 2: 1, owner = next(q)

state
    points[Player]: 0..99 = 0
    zone deck of Card holds c where c.owner = none
    zone hand[p in Player] of Card holds c where c.owner = p visible to owner

play
    for p in Player
        choose p as shown "show {c}": c in hand[p]
        c.shout(p)
        scout_2.shout(p)

scoring
    score p = points[p]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "levy.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.mark.parametrize("players", [2, 3])
def test_copies_and_seats_make_rows(path: Path, players: int) -> None:
    state = rd.load(path, players=players).start()
    assert len(state["deck"]) == 2
    assert [len(state["hand"][seat]) for seat in range(players)] == [3] * players


def test_labels_say_which_copy_and_whose(path: Path) -> None:
    state = rd.load(path, players=2).start()
    assert sorted(str(move) for move in state.moves()) == [
        "show Guard (ann)",
        "show Twins (bob) (1)",
        "show Twins (bob) (2)",
    ]


def test_every_copy_has_the_body_of_its_row(path: Path) -> None:
    state = rd.load(path, players=2).start()
    state = state.play("show Guard (ann)").play("show Guard (bob)")
    assert state.over
    assert state.scores() == (3, 3)


def test_a_variant_changes_the_number_of_copies(path: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.rules"
    more.write_text(
        'variant more of levy "More scouts"\n'
        '    replace row Card.scout "Scout" copies 4: 2\n'
        "    replace row Card.guard: 5, p\n",
        encoding="utf-8",
    )
    state = rd.load(path, players=2, variants=[more]).start()
    assert len(state["deck"]) == 4
    assert [len(state["hand"][seat]) for seat in range(2)] == [3, 3]
    assert state.play("show Guard (ann)").play("show Guard (bob)").scores() == (2, 2)
