"""Nobody sees the stack or what lies in the earth; everything else is public."""

from __future__ import annotations

import json

import rules_dsl as rd


def _midgame() -> object:
    game = rd.load("tikal", players=3)
    s = game.start(seed=5)
    for _ in range(60):
        s = s.play(s.moves()[0])
    return s


def test_hidden_and_public_parts() -> None:
    s = _midgame()
    for player in (None, 0, 1, 2):
        view = s.view(player=player) if player is not None else s.view()  # type: ignore[attr-defined]
        assert view["terrain"]["a1"] is not None
        for hidden in ("stack", "earth"):
            try:
                shown = view[hidden]
            except KeyError:
                continue
            assert "T1" not in json.dumps(shown, default=str) or shown["T1"] is None


def test_the_same_view_for_everybody() -> None:
    s = _midgame()
    views = [str(s.view(player=p)["points"]) for p in range(3)]  # type: ignore[attr-defined]
    assert len(set(views)) == 1
