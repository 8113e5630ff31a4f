"""Positions whose history does not start at the opening, and seeds that are given later.

What is hidden in a position that was set up is drawn anew, evenly among what fits: bots that sample
it must not find out what really lies there. Seeds, samples and bar were fixed beforehand.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.runtime.bots import Bot
from compiler.runtime.sampling import retold
from compiler.runtime.unplayed import SampleError

SAMPLES, BAR = 400, 0.1

POTS = """\
game pots
    players 2 named ann, bob

good gem limit 6

state
    pool box bank
    pool pot[Player] hidden
    pool cup[Player] hidden
    rounds: 0..3 = 0

action wait by p
    rounds += 1

action rest by p
    require rounds > 1 "it is too early"
    rounds = 3

setup
    for p in Player
        move 1 gem from box to pot[p]
        move 1 gem from box to cup[p]

play
    while rounds < 3 decreases 3 - rounds
        choose ann: wait, rest

scoring
    score p = 0
"""


def kuhn(mine: str, other: str) -> rd.State:
    """The hands of Kuhn poker as a position that was set up, the opener to move."""
    state = rd.load("kuhn_poker").start().play(f"draw {mine}").play(f"draw {other}")
    return state.game.position(at=state)


def test_a_hidden_card_is_drawn_anew() -> None:
    drawn = Counter(kuhn("jack", "king").sample(0, seed)["hand"][1] for seed in range(SAMPLES))
    assert drawn.keys() == {("queen",), ("king",)}
    assert all(abs(count / SAMPLES - 0.5) < BAR for count in drawn.values())


def test_a_hidden_number_is_drawn_anew() -> None:
    game = rd.load("first_sealed_auction")
    state = game.position(at=game.start(seed=1), value={0: 5, 1: 7})
    samples = [state.sample(0, seed) for seed in range(SAMPLES)]
    assert {sample["value"][0] for sample in samples} == {5}
    drawn = Counter(sample["value"][1] for sample in samples)
    assert drawn.keys() == set(range(1, 11))
    assert all(abs(count / SAMPLES - 0.1) < BAR for count in drawn.values())


def test_hidden_goods_are_spread_over_hidden_places(tmp_path: Path) -> None:
    path = tmp_path / "pots.rules"
    path.write_text(POTS, encoding="utf-8")
    game = rd.load(path)
    found = set()
    for seed in range(60):
        sample = game.position(at=game.start(), rounds=1).sample("ann", seed)
        assert sample["box"]["gem"] == 2
        amounts = [sample[name][p]["gem"] for name in ("pot", "cup") for p in (0, 1)]
        assert sum(amounts) == 4
        found.add(tuple(amounts))
    assert len(found) > 10


def test_what_is_certain_stays() -> None:
    """The treasures that are left in Tikal follow from those that were found."""
    game = rd.load("tikal", players=2)
    state = game.position(at=game.start(seed=5))
    assert state.sample(0, seed=3) == state


def test_a_round_of_secret_choices_must_not_have_begun() -> None:
    game = rd.load("goofspiel")
    state = game.position(at=game.start(seed=1).play("bidding 3"))
    with pytest.raises(SampleError, match="amid a round of secret choices"):
        state.sample(1)


def test_moves_after_the_start_count() -> None:
    """An opener with the king that has bet: the reply leaves both cards possible."""
    state = kuhn("king", "jack").play("bet")
    drawn = {state.sample(0, seed)["hand"][1] for seed in range(20)}
    assert drawn == {("jack",), ("queen",)}


@pytest.mark.parametrize(
    "bot",
    [rd.bots.random(seed=4), rd.bots.greedy(seed=4), rd.bots.mcts(playouts=40, seed=4)],
    ids=["random", "greedy", "mcts"],
)
def test_bots_do_not_look_at_a_position_that_was_set_up(bot: Bot) -> None:
    for mine, others in (("queen", ("jack", "king")), ("jack", ("queen", "king"))):
        assert len({str(bot.choose(kuhn(mine, other))) for other in others}) == 1
    game = rd.load("first_sealed_auction")
    base = game.start(seed=1)
    choices = {str(bot.choose(game.position(at=base, value={0: 6, 1: other}))) for other in (1, 9)}
    assert len(choices) == 1


# ---- seeds that are given later ------------------------------------------------------------------


def given_later(name: str) -> list[rd.State]:
    """Positions with another seed than their history: given anew, twice or again."""
    start = rd.load(name).start(seed=1)
    one = start.play(start.moves()[0])
    two = one.reseed(2)
    return [
        state.play(state.moves()[0])
        for state in (start.reseed(5), two, two.reseed(3), one.reseed(1))
    ]


@pytest.mark.parametrize("name", ["pig", "kuhn_poker", "goofspiel"])
@pytest.mark.parametrize("number", range(4))
def test_a_position_with_another_seed_can_be_kept(name: str, number: int) -> None:
    game, state = rd.load(name), given_later(name)[number]
    for again in (
        game.state_from_json(state.to_json()),
        pickle.loads(pickle.dumps(state)),
        game.replay(game.record(state)),
    ):
        assert again == state
        assert again.seat(0).log == state.seat(0).log
    kept = game.state_from_json(state.to_json())
    assert (kept.seed, kept.draws) == (state.seed, state.draws)


def test_another_seed_forgets_no_roll() -> None:
    state = rd.load("pig").start(seed=1).play("roll")
    assert state.reseed(2).seat(1).log == state.seat(1).log == ("p1: roll", "chance: roll 5")
    assert state.reseed(2).sample(1, seed=3) == state


def test_a_position_that_was_set_up_is_kept_with_its_moves(tmp_path: Path) -> None:
    """A move that is not legal in the opening."""
    path = tmp_path / "pots.rules"
    path.write_text(POTS, encoding="utf-8")
    game = rd.load(path)
    state = game.position(rounds=2).play("rest")
    again = game.state_from_json(state.to_json())
    assert again == state
    assert again.history() == state.history()
    with pytest.raises(rd.DataError, match="set up, not played"):
        game.record(state)


def test_a_game_retold_is_one_that_the_player_may_have_seen() -> None:
    for name in ("kuhn_poker", "goofspiel", "first_sealed_auction"):
        game = rd.load(name)
        state = game.start(seed=3)
        for number in range(3):
            state = state.play(state.moves()[number % len(state.moves())])
            if state.over:
                break
            for player in range(game.players):
                again = retold(state, player, seed=number)
                assert again == state.sample(player, seed=number)
                assert again.seat(player).log == state.seat(player).log
                assert game.replay(game.record(again)) == again


def test_old_files_have_one_seed() -> None:
    """Positions kept by earlier versions name no seeds and no start."""
    from compiler.runtime.saving import _sealed

    state = rd.load("pig").start(seed=1).play("roll")
    data = json.loads(state.to_json())
    for name in ("seeds", "start", "checksum"):
        del data[name]
    assert state.game.state_from_json(_sealed(data)).history() == state.history()
