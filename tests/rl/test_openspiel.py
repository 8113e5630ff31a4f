"""OpenSpiel's own tests and algorithms on our games, and the published sizes of their trees."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rules_dsl as rd
from rules_dsl import rl

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `rl`")

GAMES = [info.name for info in rd.games()]
SMALL = [name for name in GAMES if name not in ("zimbabwe", "tikal", "tzolkin", "yucatan")]


@pytest.mark.parametrize("name", SMALL)
def test_random_sim(name: str) -> None:
    pyspiel.random_sim_test(
        rl.openspiel_game(rd.load(name)), num_sims=2, serialize=True, verbose=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(GAMES) - set(SMALL)))
def test_random_sim_of_a_large_game(name: str) -> None:
    pyspiel.random_sim_test(
        rl.openspiel_game(rd.load(name)), num_sims=1, serialize=True, verbose=False
    )


# ---- published sizes -----------------------------------------------------------------------------


def sizes(game: Any) -> tuple[Counter[str], set[tuple[int, str]]]:
    """How many nodes of each kind a game has, and its information states."""
    nodes: Counter[str] = Counter()
    information: set[tuple[int, str]] = set()
    todo = [game.new_initial_state()]
    while todo:
        state = todo.pop()
        if state.is_terminal():
            nodes["terminal"] += 1
            continue
        if state.is_chance_node():
            nodes["chance"] += 1
            todo += [state.child(action) for action, _ in state.chance_outcomes()]
            continue
        nodes["decision"] += 1
        player = state.current_player()
        information.add((player, state.information_state_string(player)))
        todo += [state.child(action) for action in state.legal_actions()]
    return nodes, information


def test_kuhn_poker_has_its_published_size() -> None:
    nodes, information = sizes(rl.openspiel_game(rd.load("kuhn_poker")))
    # H. Kuhn, 1950: 30 ends and 12 information states.
    assert nodes == {"chance": 4, "decision": 24, "terminal": 30}
    assert len(information) == 12


def variant(tmp_path: Path, of: str, lines: str) -> rd.Game:
    path = tmp_path / "small.rules"
    path.write_text(f'variant small of {of} "Small"\n{lines}', encoding="utf-8")
    return rd.load(str(path))


def test_the_auction_is_as_large_as_that_of_openspiel(tmp_path: Path) -> None:
    ours = variant(tmp_path, "first_sealed_auction", "    const highest_value = 2\n")
    nodes, information = sizes(rl.openspiel_game(ours))
    theirs = pyspiel.load_game_as_turn_based("first_sealed_auction(players=2,max_value=2)")
    known, states = sizes(theirs)
    assert nodes["decision"] == known["decision"]
    assert nodes["terminal"] == known["terminal"]
    assert len(information) == len(states)


def test_goofspiel_is_as_large_as_that_of_openspiel(tmp_path: Path) -> None:
    """Three cards, prizes in random order, bids turned up."""
    ours = variant(tmp_path, "goofspiel", "    const cards = 3\n")
    nodes, information = sizes(rl.openspiel_game(ours))
    theirs = "goofspiel(imp_info=False,num_cards=3,players=2,points_order=random)"
    known, states = sizes(pyspiel.load_game_as_turn_based(theirs))
    assert nodes == known == {"chance": 28, "decision": 174, "terminal": 216}
    assert len(information) == len(states) == 114


def test_goofspiel_with_closed_bids_has_its_published_size(tmp_path: Path) -> None:
    """Four cards, prizes in descending order, and only who won is told."""
    path = tmp_path / "closed.rules"
    path.write_text(CLOSED_GOOFSPIEL, encoding="utf-8")
    nodes, information = sizes(rl.openspiel_game(rd.load(str(path))))
    theirs = "goofspiel(imp_info=True,num_cards=4,players=2,points_order=descending)"
    known, states = sizes(pyspiel.load_game_as_turn_based(theirs))
    assert nodes == known == {"decision": 501, "terminal": 576}
    assert len(information) == len(states) == 162


CLOSED_GOOFSPIEL = """\
game closed_goofspiel "Goofspiel with closed bids"
    players 2

const cards = 4

state
    prize: 0..cards = cards
    hand[Player]: set of 1..cards visible to owner
    played[Player]: 1..cards visible to owner
    won[Player]: 0..10 = 0

setup
    for c in 1..cards
        for p in Player
            add c to hand[p]

play
    while prize > 1 decreases prize
        for p in Player
            choose p secretly as bidding: bid in hand[p]
            played[p] = bid
        take()
    for p in Player
        played[p] = min(c in hand[p]: c)
    take()

procedure take()
    let high = max(p in Player: played[p])
    if count(p in Player where played[p] = high) = 1
        for p in Player where played[p] = high
            won[p] += prize
    for p in Player
        remove played[p] from hand[p]
    prize -= 1

scoring
    score p = won[p] - won[next(p)]
"""


@pytest.mark.slow
def test_tic_tac_toe_has_as_many_games_as_known() -> None:
    """255,168 games, which reach 5,478 positions."""
    games: dict[bytes, int] = {}

    def count(state: Any) -> int:
        cells = state.episode.state.cells
        if cells not in games:
            children = [state.child(action) for action in state.legal_actions()]
            games[cells] = sum(map(count, children)) or 1
        return games[cells]

    assert count(rl.openspiel_game(rd.load("tic_tac_toe")).new_initial_state()) == 255_168
    assert len(games) == 5_478


# ---- algorithms ----------------------------------------------------------------------------------


def test_cfr_finds_the_value_of_kuhn_poker() -> None:
    """Known since 1950: the first player loses 1/18 of a chip a game."""
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game = rl.openspiel_game(rd.load("kuhn_poker"), reward="score")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(150):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert value[0] == pytest.approx(-1 / 18, abs=0.002)
    assert exploitability.nash_conv(game, policy) < 0.02


@pytest.mark.slow
def test_mcts_of_openspiel_plays_tzolkin() -> None:
    from open_spiel.python.algorithms import mcts

    game = rl.openspiel_game(rd.load("tzolkin", players=2))
    random = np.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(game, 2.0, 4, evaluator, random_state=random, solve=False)
    rng = np.random.default_rng(1)
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes(), strict=True)
            action = int(rng.choice(actions, p=shares))
        elif state.current_player() == 0 and moves < 3:
            action = bot.step(state)
            assert action in state.legal_actions()
            moves += 1
        else:
            action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
    assert moves == 3
    assert sum(state.returns()) == pytest.approx(0)


# ---- what players know ---------------------------------------------------------------------------


def test_information_states_hide_what_players_do_not_know() -> None:
    game = rl.openspiel_game(rd.load("goofspiel"))
    told = []
    for bid in (3, 7):
        state = game.new_initial_state()
        state.apply_action(5)
        state.apply_action(bid)
        told.append([state.information_state_string(player) for player in (0, 1)])
    assert told[0][1] == told[1][1]
    assert told[0][0] != told[1][0]


def test_a_round_is_turned_up_when_all_have_chosen() -> None:
    game = rl.openspiel_game(rd.load("goofspiel"))
    state = game.new_initial_state()
    for action in (5, 3, 7):
        state.apply_action(action)
    assert "p1: bidding 4" in state.information_state_string(1)
    assert "p2: bidding 8" in state.information_state_string(0)


def test_positions_that_look_alike_have_the_same_information_tensor() -> None:
    game = rl.openspiel_game(rd.load("kuhn_poker"), reward="score")
    tensors = []
    for cards in ((0, 1), (0, 2)):
        state = game.new_initial_state()
        for action in cards:
            state.apply_action(action)
        tensors.append([state.information_state_tensor(player) for player in (0, 1)])
    assert tensors[0][0] == tensors[1][0]
    assert tensors[0][1] != tensors[1][1]


# ---- by name -------------------------------------------------------------------------------------


def test_games_load_by_name() -> None:
    game = pyspiel.load_game("rules(game=tikal,players=3,options=edition:1999+auction:true)")
    assert game.num_players() == 3
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_a_rule_file_by_name(tmp_path: Path) -> None:
    game = variant(tmp_path, "tic_tac_toe", "")
    again = pyspiel.load_game(str(rl.openspiel_game(game)))
    assert again.num_distinct_actions() == 9
    pyspiel.random_sim_test(again, num_sims=1, serialize=True, verbose=False)


def test_bounds() -> None:
    game = rd.load("kuhn_poker")
    bounds = rl.bounds(game, reward="score", prove=True)
    assert (bounds.low, bounds.high, bounds.decisions, bounds.proved) == (-2, 2, 3, True)
    assert not rl.bounds(game).proved, "not proved here"
    ours = rl.openspiel_game(game, reward="score")
    assert (ours.min_utility(), ours.max_utility(), ours.max_game_length()) == (-2, 2, 3)
