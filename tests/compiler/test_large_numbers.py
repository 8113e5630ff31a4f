"""Numbers above 65,535 and goods above 30,000: played and proved like small ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler.runtime.fault import Fault
from tests.compiler.agreement import play_side_by_side

RULES = """\
game rail "Railways"
    players 2..3 named ann, bob, cem

good dollar limit 200000

state
    rounds: 0..3
    income[Player]: 0..900000000 clamped
    debt[Player]: -100000..100000 = 70000
    best: 0..LEAST = 0
    pool bank bank
    pool purse[Player]
    pool box of dollar holds 40000 dollar

action sell(n: 1..9) by p "sell {n} shares"
    require bank.dollar >= n * 10000 "the bank has only {bank.dollar}"
    move n * 10000 dollar from bank to purse[p]
    income[p] += n * 123456789
    debt[p] = max(-100000, debt[p] - n * 9000)
    best = max(best, purse[p].dollar)

setup
    for p in Player
        move 20000 dollar from bank to purse[p]

play
    while rounds < 3 decreases 3 - rounds
        rounds += 1
        for p in Player
            choose p optionally: sell

scoring
    score p = income[p] + debt[p] + purse[p].dollar / 1000

invariant purses_are_full
    every p in Player: purse[p].dollar >= 20000
"""


def rail(tmp_path: Path, least: int = 200_000, backend: str = "python") -> rd.Game:
    path = tmp_path / "rail.rules"
    path.write_text(RULES.replace("LEAST", str(least)), encoding="utf-8")
    return rd.load(str(path), players=2, backend=backend)


def test_all_back_ends_agree(tmp_path: Path) -> None:
    game, native = rail(tmp_path), rail(tmp_path, backend="native")
    for seed in range(6):
        assert play_side_by_side(game, seed) > 0
        one, two = game.playout(seed=seed), native.playout(seed=seed)
        assert (one.cells, one.scores()) == (two.cells, two.scores())


def test_values_are_right(tmp_path: Path) -> None:
    state = rail(tmp_path).start().play("sell 9 shares").play("pass").play("sell 2 shares")
    assert state["income"]["ann"] == 900_000_000
    assert state["debt"]["ann"] == 70_000 - 99_000
    assert state["purse"]["ann"]["dollar"] == 130_000


def test_they_are_proved(tmp_path: Path) -> None:
    report = verify.run(rail(tmp_path), jobs=1, fresh=True)
    assert {r.status for r in report.results} <= {"PROVED", "TESTED"}


@pytest.mark.parametrize("backend", ["python", "native"])
def test_a_range_that_is_too_small_is_refuted_and_stops_the_game(
    tmp_path: Path, backend: str
) -> None:
    game = rail(tmp_path, 109_999, backend)
    with pytest.raises(Fault, match=r"best is 110000, outside 0\.\.109999"):
        game.start().play("sell 9 shares")
    report = verify.run(rail(tmp_path, 109_999), jobs=1, fresh=True)
    assert [r.status for r in report.results if r.obligation == "safety" and r.rule == "sell"] == [
        "REFUTED"
    ]
