"""How games are played in a search: policies take turns, known games are followed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rules_dsl as rd
from verify.search.follow import Wishful
from verify.search.player import Player
from verify.search.policies import AnyMove, Balanced, BiasedPolicy, SearchPolicy
from verify.search.random_games import Search
from verify.search.witnesses import Wish, witnesses

# Every day both may buy as long as they can pay; a player who can buy again may also stop.
RULES = """\
game market
    players 2

state
    coins[Player]: 0..9 = START
    days: 0..2 = 0

action buy by p "buy"
    coins[p] -= 1

play
    while days < 2 decreases 2 - days
        days += 1
        for p in Player
            if coins[p] > 0
                choose p: buy
            if coins[p] > 0
                choose p optionally: buy

scoring
    score p = coins[p]
"""


def search_of(game: rd.Game) -> Search:
    search = Search(Player(game, game.ir), "low")
    search.left = 10_000
    return search


class Recorded:
    """A policy whose moves are written down."""

    def __init__(self, search: Search, policy: SearchPolicy) -> None:
        self.search = search
        self.policy = policy
        self.texts: list[str] = []

    def choose(self, cells: bytes | bytearray, choices: list[int]) -> int | None:
        # Play hands over what can be done; nobody has to work it out again.
        assert choices == self.search.player.game.machine.moves(cells)
        move = self.policy.choose(cells, choices)
        if move is not None:
            assert move in choices
            self.texts.append(str(self.search.player.game.notation.move(cells, move)))
        return move


def possible(game: rd.Game, wishes: tuple[Wish, ...]) -> int:
    """How many moves of a known game can be made one after another."""
    cells = game.machine.new()
    for number, wish in enumerate(wishes):
        moves = {str(move): move.code for move in game.notation.legal(cells)}
        if wish.by != game.machine.player(cells) or wish.text not in moves:
            return number
        game.machine.play(cells, moves[wish.text])
    return len(wishes)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_known_game_is_followed_exactly(players: int) -> None:
    game = rd.load("tzolkin", players=players)
    exact = 0
    for wishes in witnesses(game.origin.sources, players):
        search = search_of(game)
        played = Recorded(search, search.wishful(wishes, Random(0), wavering=False))
        search.playout(played)
        number = possible(game, wishes)
        assert played.texts[:number] == [wish.text for wish in wishes[:number]]
        exact += number == len(wishes)
    # Some come from games with house rules.
    assert exact >= 10


@pytest.mark.parametrize(
    ("start", "texts"),
    [("1", ["buy", "buy"]), ("3", ["buy", "pass", "buy", "pass", "buy"])],
)
def test_whoever_can_go_on_makes_room(tmp_path: Path, start: str, texts: list[str]) -> None:
    path = tmp_path / "market.rules"
    path.write_text(RULES.replace("START", start), encoding="utf-8")
    search = search_of(rd.load(str(path)))
    wishes = (Wish("buy", 0), Wish("buy", 1), Wish("buy", 0))
    played = Recorded(search, search.wishful(wishes, Random(0), wavering=False))
    search.playout(played)
    assert played.texts == texts


def test_moves_that_are_only_tried_are_played_too() -> None:
    search = search_of(rd.load("tic_tac_toe"))
    cells, choices = search.opening()
    after, then = search.attempted(cells, choices[0])
    assert bytes(after) != bytes(cells)
    assert then == choices[1:]
    assert search.tried == 1


@pytest.mark.parametrize("name", ["kuhn_poker", "pig", "mancala"])
def test_every_manner_plays_to_the_end(name: str) -> None:
    game = rd.load(name)
    search = search_of(game)
    biased = BiasedPolicy(search.player, Random(1), search.untried)
    for policy in (
        AnyMove(Random(1)),
        Balanced(search.player, Random(1)),
        biased,
        biased.heir(Random(2)),
    ):
        search.playout(Recorded(search, policy))
    assert not search.found
    assert search.tried > 4


def test_heirs_have_most_of_the_tastes() -> None:
    search = search_of(rd.load("mancala"))
    biased = BiasedPolicy(search.player, Random(1), search.untried)
    search.playout(biased)
    heir = biased.heir(Random(2))
    assert heir.weights.items() <= biased.weights.items()
    assert len(biased.weights) / 2 < len(heir.weights) < len(biased.weights)


def test_a_willing_player_tries_what_nobody_did() -> None:
    search = search_of(rd.load("tic_tac_toe"))
    cells, choices = search.opening()
    number = search.player.game.machine.point(cells)
    assert search.untried[number] == {0}
    search.play(cells, [], choices[3])
    assert search.untried[number] == set()


def test_the_same_search_again() -> None:
    first, second = (search_of(rd.load("pig")) for _ in range(2))
    first.run()
    second.run()
    assert first.reached == second.reached
    assert (first.tried, first.carried) == (second.tried, second.carried)


def test_a_known_game_without_wishes_is_left() -> None:
    search = search_of(rd.load("pig"))
    cells, choices = search.opening()
    wishful = Wishful(search.player, Random(0), [], search.attempted)
    assert wishful.choose(cells, choices) is None
