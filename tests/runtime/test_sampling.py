"""Samples are positions that a player cannot tell from the real one, as likely as they are.

The truth is enumerated: all games are played, with chance as the rules say and the others choosing
uniformly; those that look the same to a player have the distribution that samples must have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.runtime.elementary import elementary_steps
from compiler.runtime.knowledge import knowledge_of
from compiler.runtime.randomness import Stream
from compiler.runtime.sampling import Sampler, replayed
from compiler.runtime.shuffling import exchangeable

# Fixed before the first run: samples for each information set, and how far shares may be off.
SAMPLES, BAR = 300, 0.12

# How games with four cards begin.
FOUR_CARDS = """\
    players 2

table Card
    columns worth: 1..4
    row one: 1
    row two: 2
    row three: 3
    row four: 4

state
    zone deck of Card holds all hidden
"""
TWO_PILES = f"""\
game two_piles
{FOUR_CARDS}\
    zone hand[Player] of Card visible to owner
    zone buried of Card hidden
    zone open of Card
    points[Player]: 0..9 = 0

procedure turn(p: Player)
    choose p secretly as burying "bury {{c}}": c in hand[p]
    move c from hand[p] to buried

play
    for p in Player
        for k in 1..2
            draw c in deck
            move c from deck to hand[p]
    turn(p1)
    turn(p2)
    choose p1 as guess "guess {{n}}": n in 1..4
    for c in hand[p2]
        points[p1] = if c.worth = n then 1 else 0

scoring
    score p = points[p]
"""
BIDS = """\
game bids
    players 2

state
    paid[Player]: 0..3 = 0

play
    choose each p in Player secretly: bid in 1..3
    for p in Player
        paid[p] = bid[p]
    choose each p in Player secretly: more in 0..1
    for p in Player
        paid[p] = more[p]

scoring
    score p = paid[p]
"""

# What the second player says is likelier with the card that leaves fewer things to say.
TELLING = f"""\
game telling
{FOUR_CARDS}\
    zone hand[Player] of Card visible to owner
    said[Player]: 0..4 = 0

play
    for p in Player
        draw c in deck
        move c from deck to hand[p]
    choose p2 as tell "say {{n}}": n in 1..4 where (some c in hand[p2]: n <= c.worth)
    said[p2] = n
    choose p1 as guess "guess {{g}}": g in 1..4
    said[p1] = g

scoring
    score p = said[p]
"""
# The second player keeps one of two cards and puts the other back, both unseen.
KEEPING = f"""\
game keeping
{FOUR_CARDS}\
    zone drawn[Player] of Card visible to owner
    zone hand[Player] of Card visible to owner
    points[Player]: 0..4 = 0

procedure take(p: Player)
    for k in 1..2
        draw c in deck
        move c from deck to drawn[p]
    choose p secretly as keep "keep {{c}}": c in drawn[p]
    move c from drawn[p] to hand[p]
    for d in drawn[p]
        move d from drawn[p] to deck

play
    take(p2)
    take(p1)
    choose p1 as guess "guess {{n}}": n in 1..4
    points[p1] = n

scoring
    score p = points[p]
"""

Observed = tuple[object, ...]


def observed(state: rd.State, player: int) -> Observed:
    """Everything a player has seen, in order."""
    sights = state.game.sights
    steps = elementary_steps(state)
    own = tuple(step.code if step.who == player else None for step in steps)
    return (own, tuple(sights.of(step.after, player) for step in steps))


def all_games(game: rd.Game, player: int) -> dict[Observed, tuple[rd.State, Counter[bytes]]]:
    """Every information set of a player, with a position in it and the weights of all of them."""
    found: dict[Observed, tuple[rd.State, dict[bytes, Fraction]]] = {}

    def walk(state: rd.State, weight: Fraction) -> None:
        if state.player == player:
            entry = found.setdefault(observed(state, player), (state, defaultdict(Fraction)))
            entry[1][state.cells] += weight
        if state.over:
            return
        if state.is_chance:
            for move, share in state.outcomes():
                walk(state.play(move), weight * share)
            return
        moves = state.moves()
        for move in moves:
            walk(state.play(move), weight if state.player == player else weight / len(moves))

    walk(game.start(), Fraction(1))
    return {
        key: (state, Counter({cells: float(w) for cells, w in weights.items()}))
        for key, (state, weights) in found.items()
    }


def load(tmp_path: Path, text: str) -> rd.Game:
    path = tmp_path / "game.rules"
    path.write_text(text, encoding="utf-8")
    return rd.load(str(path))


def compare(game: rd.Game, player: int, most: int) -> int:
    """Compare samples with the truth; gives how many information sets were looked at."""
    sets = list(all_games(game, player).values())
    step = max(1, len(sets) // most)
    for state, truth in sets[::step]:
        total = sum(truth.values())
        drawn = Counter(state.sample(player, seed).cells for seed in range(SAMPLES))
        assert set(drawn) <= set(truth), "a sample that the player could tell from the real one"
        for cells, weight in truth.items():
            assert abs(drawn[cells] / SAMPLES - weight / total) < BAR
    return len(sets[::step])


def test_kuhn_poker() -> None:
    assert compare(rd.load("kuhn_poker"), 0, 12) >= 6
    assert compare(rd.load("kuhn_poker"), 1, 12) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_two_piles(tmp_path: Path, player: int) -> None:
    assert compare(load(tmp_path, TWO_PILES), player, 12) >= 12


@pytest.mark.parametrize("player", [0, 1])
def test_bids(tmp_path: Path, player: int) -> None:
    assert compare(load(tmp_path, BIDS), player, 12) >= 4


@pytest.mark.parametrize("player", [0, 1])
def test_telling(tmp_path: Path, player: int) -> None:
    """Where a hidden card decides how much there is to choose, shuffles count by likelihood."""
    assert compare(load(tmp_path, TELLING), player, 16) >= 4


@pytest.mark.parametrize("player", [0, 1])
def test_keeping(tmp_path: Path, player: int) -> None:
    game = load(tmp_path, KEEPING)
    assert compare(game, player, 12) >= 2
    if player == 0:
        # One of two unseen cards was kept: the quick way does that.
        assert all(Sampler(state, 0).groups for state, _ in all_games(game, 0).values())


def test_cards_kept_in_secret_are_sampled_quickly() -> None:
    """In Yucatan clan leaders keep one of three cards; hundreds of samples are made of that."""
    game = rd.load("yucatan", players=3)
    state = game.start(seed=8)
    bot = rd.bots.random(seed=8)
    move, keeper = None, None
    while move is None or move.name != "keep":
        move, keeper = bot.choose(state), state.player
        state = state.play(move)
    for player in range(3):
        if player != keeper:
            sampler = Sampler(state, player)
            assert sampler.knowledge.face_down
            assert sampler.groups
            assert len({sampler.cells(seed) for seed in range(8)}) > 1


def test_samples_do_not_depend_on_what_is_hidden() -> None:
    """Two positions that look alike to a player have the same samples for the same seeds."""
    game = rd.load("kuhn_poker")
    by_sight: dict[Observed, list[rd.State]] = defaultdict(list)
    for seed in range(12):
        state = game.start(seed)
        by_sight[(observed(state, 0)[1],)].append(state)
    pairs = [states for states in by_sight.values() if len({s.cells for s in states}) > 1]
    assert pairs
    for states in pairs:
        drawn = {tuple(s.sample(0, seed).cells for seed in range(8)) for s in states}
        assert len(drawn) == 1


@pytest.mark.parametrize("name", ["tzolkin", "tikal", "goofspiel", "kuhn_poker"])
def test_a_sample_looks_like_the_real_position(name: str) -> None:
    game = rd.load(name)
    state = game.start(seed=5)
    for number in range(40):
        if state.over:
            break
        player = state.player
        assert player is not None
        if number % 5 == 0:
            for viewer in range(game.players):
                sample = state.sample(viewer, number)
                assert game.sights.of(sample.cells, viewer) == game.sights.of(state.cells, viewer)
        assert [str(m) for m in state.sample(player, 1).moves()] == [str(m) for m in state.moves()]
        moves = state.moves()
        state = state.play(moves[(7 * number) % len(moves)])


def test_reseed_changes_chance_to_come() -> None:
    game = rd.load("pig")
    state = game.start(seed=1)
    ends = {str(state.reseed(seed).play(state.moves()[0]).values()) for seed in range(20)}
    assert len(ends) > 1
    assert state.reseed(9) == state


def test_where_every_draw_was_seen_the_position_is_known() -> None:
    """In Tikal what is left of the treasures follows from what was found: one sample."""
    game = rd.load("tikal", players=2)
    state = game.start(seed=5)
    bot = rd.bots.random(seed=5)
    for _ in range(40):
        state = state.play(bot.choose(state))
    assert state.player is not None
    knowledge = knowledge_of(state, state.player)
    assert exchangeable(knowledge) == []
    # The slow way agrees: it plays the game again with guesses.
    assert replayed(knowledge, Stream(1))[0] == state.cells
    # A draw that nobody saw leaves something open.
    hidden = rd.load("kuhn_poker").start(seed=1)
    assert exchangeable(knowledge_of(hidden, 0)) != []
