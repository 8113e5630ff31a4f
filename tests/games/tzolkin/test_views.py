"""Each player sees what that player may see, and no more."""

from __future__ import annotations

from typing import Any

import pytest

import rules_dsl as rd

HIDDEN = ("first_stack", "second_stack", "monument_box", "bag", "put_away")


def _cards(view: Any, name: str) -> str:
    try:
        return str(view[name])
    except KeyError:
        return ""


@pytest.fixture(scope="module")
def choosing() -> Any:
    """The first player is choosing starting wealth."""
    return rd.load("tzolkin", players=3).start(seed=4)


def test_nobody_sees_the_stacks(choosing: Any) -> None:
    for player in (None, 0, 1, 2):
        view = choosing.view() if player is None else choosing.view(player=player)
        for zone in HIDDEN:
            shown = _cards(view, zone).lower().replace("-", "_")
            for card in choosing[zone]:
                assert str(card).lower().replace("-", "_") not in shown.split()


def test_dealt_tiles_are_seen_by_their_owner_only(choosing: Any) -> None:
    mine = sorted(str(t) for t in choosing["dealt"][0])
    assert len(mine) == 4
    assert sorted(str(t) for t in choosing.view(player=0)["dealt"][0]) == mine
    for other in (choosing.view(player=1), choosing.view(player=2), choosing.view()):
        shown = str(other["dealt"][0])
        assert not any(t in shown for t in mine)


def test_a_choice_of_wealth_stays_secret_until_all_have_chosen(choosing: Any) -> None:
    other = choosing.moves()[0], choosing.moves()[-1]
    first, second = (choosing.play(m) for m in other)
    assert first.player == second.player == 1
    for player in (1, 2, None):
        views = [s.view() if player is None else s.view(player=player) for s in (first, second)]
        assert str(views[0]) == str(views[1])
    assert [str(m) for m in first.moves()] == [str(m) for m in second.moves()]


def test_kept_tiles_are_public() -> None:
    s = rd.load("tzolkin", players=2).start(seed=1)
    while not s["under_way"]:
        s = s.play(s.moves()[0])
    kept = sorted(str(t) for t in s["kept"][0])
    assert len(kept) == 2
    assert sorted(str(t) for t in s.view(player=1)["kept"][0]) == kept
    assert sorted(str(t) for t in s.view()["kept"][0]) == kept
