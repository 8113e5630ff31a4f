"""The outcome of a draw is named to everybody: not if it decides what lies in hidden places."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from tests.verify.leak_table import with_secrets
from verify.proof.views import Views

_HIDDEN = """
state
    pool chest hidden
    zone cellar[0..1] of Card hidden

procedure lock()
    grid[0] = 1

procedure ask(n: 0..1)
    choose ann as asked: m in 0..1
    if n = 1
        return
    grid[0] = m

procedure leave(n: 0..1)
    if n = 1
        return
    lock()
"""
# What is rolled decides something hidden: at once, or later, or whether it happens at all.
KEPT = {
    "branch": "if k = 1\n    grid[0] = 1",
    "later": "choose ann: go\nif k = 1\n    grid[0] = 1",
    "number_of_rounds": "for j in 0..k\n    grid[j] = 1",
    "call": "if k = 1\n    lock()",
    "parameter_of_a_rule": "leave(k)",
    "parameter_of_a_rule_that_asks": "ask(k)",
    "local": "var x: 0..3 = 0\nif k = 1\n    x = 2\ngrid[0] = x",
    "another_draw": "roll j in 0..k\ngrid[0] = j",
    "place": "for c in deck where c = ten\n    move c from deck to cellar[k]",
    "goods": "if k = 1\n    move 1 coin from purse to chest",
    "way": "while rounds < k decreases k - rounds\n    choose ann: go\n    rounds += 1\n    lock()",
}
SHOWN = {
    "marker": "choose ann: go\nmarker = k",
    "two_dice": "roll j in 0..3\nmarker = k + j",
    "nothing": "choose ann: go",
    "goods": "move k coin from purse to pot",
}


def loaded(play: str, folder: Path) -> rd.Game:
    path = folder / "draws.rules"
    path.write_text(with_secrets(f"roll k in 0..1\n{play}", _HIDDEN, "marker"), encoding="utf-8")
    return rd.load(str(path))


def named(game: rd.Game) -> bool:
    """Whether a player is told what was rolled for `k`."""
    state = game.start(seed=1)
    state = state.play(state.moves()[0])
    return any(event.kind == "draw" for event in state.events("bob"))


@pytest.mark.parametrize("play", KEPT.values(), ids=KEPT)
def test_what_decides_something_hidden_is_not_named(play: str, tmp_path: Path) -> None:
    assert not named(loaded(play.replace("roll j", "draw j"), tmp_path))


@pytest.mark.parametrize("play", SHOWN.values(), ids=SHOWN)
def test_what_hides_nothing_is_named_and_known(play: str, tmp_path: Path) -> None:
    game = loaded(play, tmp_path)
    assert named(game)
    assert {part.status for part in Views(game.ir).parts()} == {"PROVED"}


@pytest.mark.parametrize("name", ["branch", "number_of_rounds", "goods"])
def test_if_it_were_named_views_would_not_be_proved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = loaded(KEPT[name], tmp_path).ir
    assert {part.status for part in Views(module).parts()} == {"PROVED"}
    monkeypatch.setattr("compiler.plan.known_locals.kept_draws", lambda *_: set())
    found = [part.what for part in Views(module).parts() if part.status != "PROVED"]
    assert found
    assert all("what was drawn, which is kept secret" in what for what in found)
