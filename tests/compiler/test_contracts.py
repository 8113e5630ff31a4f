"""Rows at hand, contracts and loop conditions, on the generated code and the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler import ir
from tests.compiler.agreement import play_side_by_side

GAME = """\
game stalls
    players 2..3 named ann, bob, cem

table Stall
    columns price: 0..3, twin: Stall? = none
    function fee(p: Player): 0..9 = row.price + ord(p)
    function partner(): Stall? = row.twin
    procedure visit(p: Player)
        assumes coins[p] >= row.price
        ensures coins[p] <= before(coins[p])
        coins[p] -= row.price
        seen[row] += 1
    procedure ring(p: Player)
        choose p optionally: n in 0..row.price
        if n != none
            bells += n
    row fountain: 0
        fee = if row = fountain then 7 else 0
    row bakery: 2, tailor
        ring
            for k in 0..row.price
                keeps bells <= 99
                bells += k
    row tailor: 3, bakery

state
    coins[Player]: 0..20 = 12
    seen[Stall]: 0..50
    bells: 0..99 clamped
    rounds: 0..3
    walked: 0..60

action shop(s: Stall) by p
    ensures coins[p] = before(coins[p]) - s.price
    require coins[p] >= s.price
    s.visit(p)
    s.ring(p)

procedure walk(p: Player)
    for s in Stall
        keeps walked <= 50
        if s.partner() = none
            walked += 1
        else
            for q in Player from p where q != p
                keeps walked <= 55
                walked += s.fee(q)
                if walked > 50
                    walked = 0
                    return

play
    while rounds < 3 decreases 3 - rounds
        for p in Player
            choose p: shop
            walk(p)
        rounds += 1

scoring
    score p = coins[p]
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "stalls.rules"
    file.write_text(GAME, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("players", [2, 3])
def test_both_play_the_same(path: str, players: int) -> None:
    game = rd.load(path, players=players)
    for seed in range(8):
        assert play_side_by_side(game, seed) > 0


def test_the_row_at_hand_is_the_row_that_was_called(path: str) -> None:
    state = rd.load(path, players=2).start().play("shop tailor").play("n 3")
    assert state["coins"] == {0: 9, 1: 12}
    assert state["seen"] == {"fountain": 0, "bakery": 0, "tailor": 1}
    assert state["bells"] == 3
    # Behind the row at hand of the table, that of a row: 0 + 1 + 2 for the bakery.
    assert state.play("shop bakery")["bells"] == 6


def test_keeps_and_ensures_are_facts_for_the_verifier(path: str) -> None:
    module = rd.load(path, players=2).ir
    walk = module.procedures["walk"]
    assert sum(bool(block.facts) for block in walk.blocks) == 2
    visit = module.routines["Stall.visit"]
    assert (len(visit.requires), len(visit.ensures), len(visit.before)) == (1, 1, 1)
    shop = module.procedures["action shop"]
    (ensured,) = shop.ensures
    assert len(shop.before) == 1
    assert ir.before_name(0) in repr(ensured)


def test_contracts_change_nothing_in_play(path: str, tmp_path: Path) -> None:
    words = ("assumes", "ensures", "keeps")
    bare = "\n".join(x for x in GAME.split("\n") if not x.strip().startswith(words))
    (tmp_path / "bare.rules").write_text(bare, encoding="utf-8")
    games = [rd.load(where, players=3) for where in (path, str(tmp_path / "bare.rules"))]
    for seed in range(5):
        one, other = (game.playout(seed=seed) for game in games)
        assert [str(m) for m in one.played()] == [str(m) for m in other.played()]
        assert one.scores() == other.scores()
