"""The advice for first games breaks one sentence: the marker is then not that of the best round."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.runtime.fault import Fault

FOLDER = Path(rd.__file__).parent.parent / "games" / "yucatan" / "variants"
PROMISE = "        ensures sacrifice_marker[p] = max(before(sacrifice_marker[p]), offered[p])\n"
HEAD = '    replace procedure move_the_marker(p: Player) [R 10 "Sacrifice phase"]\n'


def play(game: rd.Game, games: int) -> None:
    checked = game.checked()
    for seed in range(games):
        rng = random.Random(seed)
        state = checked.start(seed=seed)
        while not state.over:
            state = state.play(rng.choice(state.moves()))


def test_the_advice_breaks_the_promise_of_the_game(tmp_path: Path) -> None:
    text = (FOLDER / "first_games.rules").read_text(encoding="utf-8")
    assert text.count(HEAD) == 1
    path = tmp_path / "first_promises.rules"
    text = text.replace(HEAD, HEAD + PROMISE).replace(
        "variant first_games", "variant first_promises"
    )
    path.write_text(text, encoding="utf-8")
    game = rd.load(path, players=2)
    with pytest.raises(Fault, match="move_the_marker"):
        play(game, 20)


def test_without_the_promise_every_other_sentence_holds() -> None:
    game = rd.load("yucatan", players=2, variants=["first_games"])
    play(game, 3)
