"""Two tables that look alike to a seat answer everything alike, whatever is hidden from it.

The second table is a retelling of the first: a game that its player cannot tell from the real one.
Everything that a desk offers is asked at both: views of all positions, reasons for legal, illegal
and misspelt moves, places, looks ahead, error texts, and taking back.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules_dsl as rd
from compiler.runtime.sampling import retold
from compiler.runtime.saving import without_seed
from rules_dsl.web.desk import Desk, Refused, Setup

# Moves that are tried, and rows of each table whose places are asked for.
MOVES, ROWS = 12, 6
LARGE = [pytest.param(name, marks=pytest.mark.slow) for name in ("tzolkin", "yucatan")]


def desk_of(state: rd.State) -> Desk:
    """A table at a position; chance to come is the same at all of them."""
    game = state.game
    codes = tuple(after.last_code for after in state.history()[1:])
    return Desk(Setup(game.name, game.players, dict(game.options), prefix=codes, seed=9))


def answers(desk: Desk, viewer: int, rng: random.Random) -> dict[str, Any]:
    """What a table tells a seat, by question."""
    last = len(desk.chain) - 1
    found: dict[str, Any] = {"data": desk.data(viewer), "record": desk.record(viewer)}
    for at in {0, rng.randrange(last + 1), last}:
        found[f"view {at}"] = desk.view(viewer, at)
    for row in [row for table in desk.game.tables.values() for row in list(table)[:ROWS]]:
        found[f"place {row}"] = desk.refusals(viewer, row)
    if desk.state.player != viewer:
        return found
    cells, notation = desk.state.cells, desk.game.notation
    possible = list(notation.possible(cells))
    for code in rng.sample(possible, min(MOVES, len(possible))):
        text = str(notation.move(cells, code))
        # Also misspelt: hints tell what was meant, and whether it is legal.
        for written in (text, text[:-1], text + "x"):
            found[f"explain {written}"] = desk.explain(viewer, written)
            found[f"play {written}"] = _played(desk, viewer, written)
    for move in desk.state.moves()[:MOVES]:
        found[f"preview {move}"] = desk.preview(viewer, move.code)
    return found


def _played(desk: Desk, viewer: int, text: str) -> Any:
    try:
        desk.play_text(viewer, text)
    except Refused as refusal:
        return str(refusal), refusal.reasons
    desk.chain.pop()
    return "legal"


def taken_back_alike(one: Desk, two: Desk, viewer: int) -> None:
    """After a move that shows a difference neither table may take it back."""
    for move in one.state.moves()[:MOVES]:
        views = []
        for desk in (one, two):
            desk.play(viewer, move.code)
            views.append(desk.view(viewer))
            desk.chain.pop()
        undo = [view.pop("undo") for view in views]
        assert undo == [False, False] if views[0] != views[1] else undo[0] == undo[1], str(move)


@pytest.mark.parametrize("name", ["kuhn_poker", "first_sealed_auction", "goofspiel", *LARGE])
def test_tables_that_look_alike_answer_alike(name: str) -> None:
    game = rd.load(name, players=2)
    different = 0
    for seed in (1, 2):
        rng = random.Random(seed)
        state = game.start(seed=seed)
        for ply in range(6):
            if state.over:
                break
            real = without_seed(state)
            for viewer in range(game.players):
                twin = retold(state, viewer, seed=ply)
                if twin == real:
                    continue
                different += 1
                one, two = desk_of(real), desk_of(twin)
                told = [answers(desk, viewer, random.Random(ply)) for desk in (one, two)]
                assert told[0] == told[1]
                if state.player == viewer:
                    taken_back_alike(one, two, viewer)
            state = state.play(rng.choice(state.moves()))
    assert different > 2, "the tables were the same"
