"""The house rules load, play to the end, and have the stated effect."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from verify.proof.results import Report
from verify.running.scheduler import run

FOLDER = Path(rd.__file__).parent.parent / "games" / "tikal" / "variants"
VARIANTS = sorted(p.name for p in FOLDER.glob("*.rules"))


def test_there_are_enough() -> None:
    assert len(VARIANTS) >= 4


@pytest.mark.parametrize("name", VARIANTS)
def test_loads_and_plays(name: str) -> None:
    game = rd.load(str(FOLDER / name), players=3, options={"auction": True})
    for seed in range(3):
        assert game.playout(seed=seed, backend="python").over


def test_short_days() -> None:
    game = rd.load(str(FOLDER / "short_days.rules"), players=2)
    s = game.start(seed=1)
    s = s.play(s.moves()[0])
    assert s["ap"] == 8


def test_struck_camps_come_back() -> None:
    game = rd.load(str(FOLDER / "striking_camps.rules"), players=2)
    s = game.start()
    for move in (
        "draw red",
        "draw A1",
        "place A1 on c2 turned 0",
        "bring worker to a1",
        "move worker from a1 northeast",
        "found a camp on b2",
    ):
        s = s.play(move)
    assert s["camps_left"][0] == 1
    s = s.play("strike the camp on b2")
    assert (s["camps_left"][0], s["camp"]["b2"], s["ap"]) == (2, None, 2)


def test_the_jungle_takes_back_a_guarded_temple_until_mended() -> None:
    opening = (
        "draw red", "draw A1", "place A1 on c2 turned 0",
        "bring worker to a1", "bring worker to a1", "move worker from a1 north",
        "move worker from a1 north", "uncover a2", "uncover a2",
        "draw A2", "place A2 on a3 turned 0", "bring leader to a1", "move leader from a1 north",
        "stop", "draw A3", "place A3 on b3 turned 0", "bring worker to a1", "bring worker to a1",
        "move worker from a1 north", "move worker from a1 north", "stop",
        "draw A4", "place A4 on c1 turned 0", "stop",
        "draw A5", "place A5 on d2 turned 0", "guard a2 with worker", "stop",
        "draw A6", "place A6 on d1 turned 0",
    )  # fmt: skip
    taken = {}
    for name in ("restless_jungle.rules", "restless_jungle_mended.rules"):
        s = rd.load(str(FOLDER / name), players=2).start()
        for move in opening:
            s = s.play(move)
        assert s["guard"]["a2"] is not None
        taken[name] = "let the jungle take a2" in {str(m) for m in s.moves()}
    assert taken == {"restless_jungle.rules": True, "restless_jungle_mended.rules": False}


@pytest.fixture(scope="module")
def restless() -> Report:
    """The house rule that breaks a proof, and the games that were found."""
    return run(rd.load(str(FOLDER / "restless_jungle.rules"), players=2), ["invariant"])


@pytest.mark.slow
def test_the_restless_jungle_breaks_one_invariant_and_no_other(restless: Report) -> None:
    assert restless.exit_code == 1
    failing = [(r.status, r.subject) for r in restless.results if r.fails and not r.given]
    assert failing == [("REFUTED", "closed_temples_stay")]
    # Everything else is proved, or proved for as long as closed temples stay.
    assert {tuple(r.given) for r in restless.results} == {(), ("invariant closed_temples_stay",)}


@pytest.mark.slow
def test_the_game_that_breaks_the_invariant_can_be_replayed(restless: Report) -> None:
    (broken,) = [r for r in restless.results if r.status == "REFUTED"]
    game = rd.load(str(FOLDER / "restless_jungle.rules"), players=2)
    last = game.replay(broken.record)
    sunk = [
        (before, now)
        for guard, before, now in zip(
            last["guard"].values(),
            last["closed_value"].values(),
            last["value"].values(),
            strict=True,
        )
        if guard is not None and before != now
    ]
    assert sunk == [(sunk[0][1] + 1, sunk[0][1])]
    assert broken.moves[-1].startswith("let the jungle take")


@pytest.mark.slow
def test_the_mended_jungle_keeps_every_invariant() -> None:
    game = rd.load(str(FOLDER / "restless_jungle_mended.rules"), players=2)
    assert run(game, ["invariant"]).exit_code == 0
