"""Actions chosen in secret stay secret; values that all players choose are turned up."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import rules_dsl as rd
from verify.proof.views import Views

RULES = """\
game sealed
    players 2 named ann, bob

state
    own[Player]: 0..1 = 0 visible to owner
    told[Player]: 0..1 = 0

action put(k: 0..1) by p "put {k}"
    own[p] = k

play
    choose each p in Player secretly
        choose p as bid "bid {n}": n in 0..1
        choose p: put
    for p in Player
        told[p] = n[p]
    choose bob: m in 0..1

scoring
    score p = told[p]
"""


@pytest.fixture
def game(tmp_path: Path) -> rd.Game:
    path = tmp_path / "sealed.rules"
    path.write_text(RULES, encoding="utf-8")
    return rd.load(str(path))


def test_an_action_is_not_told_when_all_have_chosen(game: rd.Game) -> None:
    for a, b, c, d in product("01", repeat=4):
        state = game.start().play(f"bid {a}").play(f"put {b}").play(f"bid {c}").play(f"put {d}")
        assert state.seat("bob").log == (
            f"ann: bid {a}", "ann has chosen", f"bob: bid {c}", f"bob: put {d}"
        )  # fmt: skip
        assert state.seat("ann").log == (
            f"ann: bid {a}", f"ann: put {b}", f"bob: bid {c}", "bob has chosen"
        )  # fmt: skip
        assert state.seat("bob").record is None


def test_nothing_is_told_before_all_have_chosen(game: rd.Game) -> None:
    state = game.start().play("bid 1").play("put 1")
    assert state.seat("bob").log == ("ann has chosen", "ann has chosen")
    assert state.play("bid 0").seat("bob").log == (
        "ann has chosen", "ann has chosen", "bob: bid 0"
    )  # fmt: skip


def test_a_sample_has_what_was_turned_up_and_any_action(game: rd.Game) -> None:
    state = game.start(seed=1).play("bid 1").play("put 1").play("bid 0").play("put 0")
    samples = [state.sample("bob", seed=seed) for seed in range(12)]
    assert {s["told"]["ann"] for s in samples} == {1}
    assert {s["own"]["ann"] for s in samples} == {0, 1}


def test_that_is_what_is_proved(game: rd.Game) -> None:
    assert {part.status for part in Views(game.ir).parts()} == {"PROVED"}
