"""Piles against lists: the same moves, and the card at an end is the one that was put there."""

from __future__ import annotations

import random

import pytest

import rules_dsl as rd
from compiler.examples import run_examples
from compiler.runtime.sampling import sample

CARDS = ("ace", "two", "three", "four", "five")
RULES = """\
game stacks "Stacks"
    players 2 named ann, bob
    source R "Rules of the stacks"

table Card
    row ace
    row two
    row three
    row four
    row five

state
    count_of: 0..60
    pile deck[Player] of Card
    pile heap of Card holds all hidden
    zone hand of Card

action above(c in hand, q: Player) by p "{c} on deck of {q}"
    move c from hand to top of deck[q]

action below(c in hand, q: Player) by p "{c} under deck of {q}"
    move c to bottom of deck[q]

action upper(q: Player) by p "top of deck of {q}"
    require deck[q] is not empty
    draw c from top of deck[q] to hand

action lower(q: Player) by p "bottom of deck of {q}"
    require deck[q] is not empty
    draw c from bottom of deck[q] to hand

action over(q: Player) by p "turn over deck of {q}"
    require deck[q] is not empty
    draw c from top of deck[q] to bottom of deck[next(q)]

action within(c: Card) by p "take {c}"
    require some q in Player: c in deck[q]
    move c to hand

action deal by p "deal"
    require heap is not empty
    draw c from top of heap to hand

action bury(c in hand) by p "bury {c}"
    move c from hand to bottom of heap

action mix by p "mix"
    shuffle hand into heap

play
    while count_of < 60 decreases 60 - count_of
        count_of += 1
        choose ann: above, below, upper, lower, over, within, deal, bury, mix

scoring
    score p = 0

example "Cards that are given close ranks"
    given top of deck[ann] = ace
    given bottom of deck[ann] = two
    given top of deck[ann] = three
    given ace in hand
    given bottom of deck[bob] = four
    given bottom of deck[bob] = five
    do "top of deck of ann"
    expect three in hand
    expect top of deck[ann] = two
    expect top of deck[bob] = four
    expect bottom of deck[bob] = five
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rd.Game:
    path = tmp_path_factory.mktemp("piles") / "stacks.rules"
    path.write_text(RULES, encoding="utf-8")
    return rd.load(str(path), players=2)


def follow(decks: list[list[str]], move: str) -> None:
    """The decks after a move, each a list from the bottom to the top."""
    words = move.split()
    owner = {"ann": 0, "bob": 1}.get(words[-1], 0)
    match words:
        case [card, "on", *_]:
            decks[owner].append(card)
        case [card, "under", *_]:
            decks[owner].insert(0, card)
        case ["top", *_]:
            decks[owner].pop()
        case ["bottom", *_]:
            decks[owner].pop(0)
        case ["turn", *_]:
            card = decks[owner].pop()
            decks[1 - owner].insert(0, card)
        case ["take", card]:
            for deck in decks:
                if card in deck:
                    deck.remove(card)


@pytest.mark.parametrize("seed", range(8))
def test_cards_come_back_in_their_order(game: rd.Game, seed: int) -> None:
    rng = random.Random(seed)
    decks: list[list[str]] = [[], []]
    state = game.start(seed=seed)
    while not state.over:
        move = str(rng.choice(state.moves()))
        follow(decks, move)
        state = state.play(move)
        for player, deck in enumerate(decks):
            assert state["deck"][player] == tuple(reversed(deck)), move


def test_a_card_that_was_put_there_is_no_chance(game: rd.Game) -> None:
    state = game.start(seed=3).play("deal")
    (card,) = state["hand"]
    state = state.play(f"bury {card}")
    for _ in range(4):  # the four that lie above it
        state = state.play("deal")
        assert card not in state["hand"]
    last = game.states(game, state.cells, None, 0, None).play("deal")
    assert not last.is_chance
    assert set(last["hand"]) == set(CARDS)
    again = last.play("mix")
    assert again["hand"] == ()
    assert len(again["heap"]) == len(CARDS)


def test_a_sample_has_other_cards_where_nobody_sees_them(game: rd.Game) -> None:
    state = game.start(seed=5)
    for move in ("deal", "deal", "mix", "deal"):
        state = state.play(move)
    assert repr(state.view(player=0)["heap"]) == "4 hidden"
    for seed in range(20):
        other = sample(state, 0, seed)
        assert other.view(player=0) == state.view(player=0)


def test_draws_of_shuffled_cards_are_even(game: rd.Game) -> None:
    counts = dict.fromkeys(CARDS, 0)
    for seed in range(500):
        state = game.start(seed=seed).play("deal")
        counts[state["hand"][0]] += 1
    assert all(60 < count < 140 for count in counts.values())


def test_given_cards_close_ranks(game: rd.Game) -> None:
    (result,) = run_examples(game.origin.program())
    assert result.ok, result.message
