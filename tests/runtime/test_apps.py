"""What programs that show a game use: decisions, events, seats, components, positions."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.runtime.positions import PositionError
from compiler.runtime.seat import Seat


def test_a_decision_says_what_it_is_about() -> None:
    game = rd.load("tzolkin", players=2)
    chooser = random.Random(3)
    state = game.start(seed=3)
    about: dict[str, dict[str, object]] = {}
    while not state.over and "exchange.sell" not in about:
        assert state.decision is not None
        about[state.decision.name] = state.decision.about
        state = state.play(chooser.choice(state.moves()))
    assert about["exchange.sell"].keys() == {"p", "r"}
    assert about["exchange.sell"]["r"] in ("wood", "stone", "gold")


@pytest.mark.parametrize(
    ("name", "players"), [("tzolkin", 4), ("tikal", 3), ("zimbabwe", 2), ("yucatan", 2)]
)
def test_the_parts_of_a_move(name: str, players: int) -> None:
    game = rd.load(name, players=players)
    chooser = random.Random(3)
    state = game.start(seed=3)
    named = set()
    for _ in range(60):
        decision = state.decision
        assert decision is not None
        taken = {o.name: {(p.name, p.kind) for p in o.parameters} for o in decision.options}
        for move in state.moves():
            assert tuple(part.value for part in move.parts) in (move.args, *move.args)
            named |= {part.name for part in move.parts}
            assert all((p.name, p.kind) in taken[move.name] for p in move.parts if p.name)
            assert pickle.loads(pickle.dumps(move)).parts == move.parts
        state = state.play(chooser.choice(state.moves()))
    assert len(named) > 1


TWO_NAMES = """\
game two_names
    players 2 named ann, bob

state
    total: 0..99 = 0

action place(row_1: 0..2, row_2: 0..2) by p
    total += row_1 + row_2

action take(h: 1..3) by p
    total += h

play
    choose ann: take
    choose bob: take, place
    ask(1)
    ask(2)

procedure ask(row_1: 1..2)
    draw row_2 in 0..2
    choose ann: total_1 in row_2..2
    total += total_1 * row_1

scoring
    score p = total
"""


def test_parts_are_called_as_in_the_rules(tmp_path: Path) -> None:
    """Names that a procedure has twice are told apart by a number that nobody wrote."""
    path = tmp_path / "two_names.rules"
    path.write_text(TWO_NAMES)
    state = rd.load(path).start()
    for names in [{"take": ["h"]}, {"take": ["h"], "place": ["row_1", "row_2"]}]:
        assert state.decision is not None
        found = {o.name: [p.name for p in o.parameters] for o in state.decision.options}
        assert found == names
        for move in state.moves():
            assert [part.name for part in move.parts] == names[move.name]
        state = state.play(state.moves()[-1])
    for _ in range(2):
        assert state.decision is not None
        assert state.decision.name == "draw row_2"
        state = state.play(state.outcomes()[1][0])
        assert state.decision is not None
        assert state.decision.about == {"row_2": 1}
        assert [p.name for o in state.decision.options for p in o.parameters] == ["total_1"]
        state = state.play(state.moves()[0])


def test_a_part_has_a_label() -> None:
    dice = rd.load("pig").start().play("roll").outcomes()[0][0].parts
    assert [(part.name, part.kind, part.value, part.label) for part in dice] == [
        ("", "int", 1, "1")
    ]
    first = rd.load("tikal", players=2).start(seed=1).moves()[0].parts[0]
    assert (first.kind, first.value, first.label) == ("Hex", "a3", "a3")


def test_no_decision_at_the_end() -> None:
    end = rd.load("tic_tac_toe").playout(seed=1)
    assert end.decision is None


def test_events_of_goods_and_cards() -> None:
    game = rd.load("tzolkin", players=2)
    chooser = random.Random(5)
    state = game.start(seed=5)
    texts: list[str] = []
    kinds = set()
    while not state.over:
        state = state.play(chooser.choice(state.moves()))
        for event in state.events():
            kinds.add(event.kind)
            texts.append(event.text)
            json.dumps(event.data)
    assert {"move", "goods", "cards", "change", "end"} <= kinds
    assert any("maize: Supply → Goods of a player" in text for text in texts)


def test_a_secret_choice_is_not_told_before_all_have_chosen() -> None:
    game = rd.load("goofspiel")
    state = game.start(seed=1)
    first = state.moves()[3]
    state = state.play(first)
    assert state.seat(1).log[1:] == ("p1 has chosen",)
    assert str(first) in state.seat(0).log[1]
    assert [e.text for e in state.seat(1).events][:1] == ["p1 has chosen"]
    state = state.play(state.moves()[0])
    assert str(first) in state.seat(1).log[1]


def test_a_seat_has_only_its_own_moves() -> None:
    state = rd.load("kuhn_poker").start(seed=1)
    me, other = state.seat(0), state.seat("replier")
    assert [str(move) for move in me.moves] == [str(move) for move in state.moves()]
    assert other.moves == ()
    assert [reason.text for reason in other.explain("bet")] == ["it is not your turn"]
    with pytest.raises(rd.IllegalMove):
        other.play("bet")
    assert not hasattr(me, "state") and not hasattr(me, "seed")
    assert "seed" not in dir(Seat)


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "tzolkin"])
def test_what_a_seat_gets_is_the_same_whatever_is_hidden(name: str) -> None:
    """A sample looks like the real position: so must everything that a seat can ask for."""
    game = rd.load(name)
    state = game.start(seed=2)
    for number in range(8):
        if state.over:
            break
        for player in range(game.players):
            twin = state.sample(player, number)
            assert twin.view(player).to_json() == state.view(player).to_json()
            one, two = state.seat(player), twin.seat(player)
            assert [str(m) for m in one.moves] == [str(m) for m in two.moves]
            for move in one.moves[:3]:
                assert one.explain(str(move)) == two.explain(str(move))
        state = state.play(state.moves()[number % len(state.moves())])


def test_a_view_as_json_has_no_seed() -> None:
    state = rd.load("kuhn_poker").start(seed=987654321)
    text = state.view(0).to_json()
    assert "987654321" not in text
    data = json.loads(text)
    assert data["state"]["hand"]["1"] == {"hidden": True, "count": 1}
    assert data["decision"]["options"][0]["name"] == "check"


def test_components() -> None:
    game = rd.load("tzolkin", players=2)
    building = game.tables["Building"]["a1_14"]
    assert building.label == "A1-14"
    assert building.cost == {"wood": 0, "stone": 1, "gold": 1}
    assert building["frame"] == "shrine"
    with pytest.raises(AttributeError, match="has no column `price`"):
        _ = building.price


def test_a_position_by_names() -> None:
    game = rd.load("tic_tac_toe")
    state = game.position(mark={4: 0, 0: 1}, placed=2)
    assert state["mark"][4] == 0
    with pytest.raises(PositionError, match="has no `dice`"):
        game.position(dice=3)
    with pytest.raises(PositionError, match="placed cannot be 99"):
        game.position(placed=99)


def test_a_position_says_which_invariant_it_breaks() -> None:
    game = rd.load("tzolkin", players=2)
    start = game.start(seed=1)
    broken = [
        one
        for one in game.check(game.position(in_hand={"blue": 1}, at=start, lawful=False))
        if not one.holds
    ]
    assert broken
    assert any("blue" in one.text for one in broken), [one.text for one in broken]
    with pytest.raises(PositionError) as error:
        game.position(in_hand={"blue": 1}, at=start)
    assert {one.invariant for one in error.value.broken} == {one.invariant for one in broken}


def test_a_value_drawn_for_one_player_is_not_told_to_others() -> None:
    state = rd.load("first_sealed_auction").start(seed=1)
    assert state["value"] == {0: 8, 1: 4}
    for player in range(2):
        assert not any("draw" in line for line in state.seat(player).log)
    # What everybody sees is still told.
    assert any("draw" in line for line in rd.load("goofspiel").start(seed=1).seat(0).log)
