"""What happens in play at a place that is called PROVED is a contradiction, and loud."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from time import perf_counter

import pytest
from click.testing import CliRunner

import rules_dsl as rd
import verify
from compiler.contracts import with_contracts
from compiler.runtime.fault import Fault
from rules_dsl.cli.verify import verify as command
from tests.verify.fault_table import FAULTS
from verify.encode.terms import Truth
from verify.proof.obligation import Obligation
from verify.proof.prover import Prover, Verdict
from verify.proof.results import Report


def gullible(
    prover: Prover,
    obligation: Obligation,
    assumed: list[Truth],
    initial: bool,
    patient: bool = True,
) -> Verdict:
    """A prover that believes everything."""
    return Verdict("proved", "frame", perf_counter() - perf_counter())


@pytest.fixture
def lying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(Prover, "prove", gullible)


LIES = {
    "number_too_large": ("safety", "gain"),
    "action_breaks_an_invariant": ("invariant", "nobody_above_four"),
    "no_legal_move": ("progress", "play"),
    "score_without_a_value": ("scoring", "scores"),
    "ensures_is_wrong": ("safety", "clean"),
    "requires_is_not_met": ("safety", "burn"),
    "loop_does_not_keep": ("safety", "play"),
    "draw_from_an_empty_bag": ("safety", "reach"),
}


@pytest.mark.usefixtures("lying")
@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_found_out(name: str) -> None:
    game = rd.load(str(FAULTS / f"{name}.bad.rules"))
    report = verify.run(game, jobs=1)
    assert LIES[name] in {(c.obligation, c.subject) for c in report.contradictions}
    assert report.exit_code == 3
    for contradiction in report.contradictions:
        if contradiction.record:
            game.replay(contradiction.record)
    again = Report.from_data(json.loads(report.to_json()))
    assert again is not None
    assert again.contradictions == report.contradictions


@pytest.mark.usefixtures("lying")
def test_it_is_said_first() -> None:
    path = str(FAULTS / "number_too_large.bad.rules")
    result = CliRunner().invoke(command, [path, "--jobs", "1"])
    assert result.exit_code == 3
    assert result.output.startswith("CONTRADICTION safety gain")
    assert "all is proved" not in result.output


@pytest.mark.usefixtures("lying")
def test_tests_are_held_against_proofs() -> None:
    path = str(FAULTS / "number_too_large.bad.rules")
    arguments = [path, "--jobs", "1", "--check", "safety", "--tests", "300"]
    assert CliRunner().invoke(command, arguments).exit_code == 3


def test_a_checked_game_stops_at_a_broken_contract() -> None:
    plain = rd.load(str(FAULTS / "ensures_is_wrong.bad.rules"))
    assert plain.playout(seed=1, backend="python").over
    with pytest.raises(Fault, match="what clean ensures"):
        plain.checked().playout(seed=1, backend="python")


def test_a_checked_game_stops_at_a_broken_invariant() -> None:
    game = rd.load(str(FAULTS / "action_breaks_an_invariant.bad.rules")).checked()
    with pytest.raises(Fault, match="the invariant nobody_above_four"):
        list(map(partial(game.playout, backend="python"), range(50)))


CIRCLE = """game circle
    players 2

state
    taken[Player]: 0..9 clamped = 0

procedure take(p: Player, coins: 0..3)
    decreases coins, 1
    choose p: much in 0..coins
    taken[p] += much
    if much > 0
        give(next(p), coins - LESS)

procedure give(p: Player, coins: 0..3)
    decreases coins, 2
    choose p optionally: much in 0..1
    take(p, coins)

play
    for p in Player
        take(p, 3)

scoring
    score p = taken[p]
"""


@pytest.mark.parametrize("backend", ["python", "native"])
def test_a_checked_game_stops_where_a_recursion_goes_round(tmp_path: Path, backend: str) -> None:
    """Also if it leads through two procedures, each with its measure."""
    path = tmp_path / "circle.rules"
    path.write_text(CIRCLE.replace("LESS", "1"), encoding="utf-8")
    good = rd.load(str(path), players=2).checked()
    assert all(good.playout(seed=seed, backend=backend).over for seed in range(20))
    assert good.checked().playout(seed=1, backend=backend).over
    path.write_text(CIRCLE.replace("LESS", "0"), encoding="utf-8")
    bad = rd.load(str(path), players=2).checked()
    with pytest.raises(Fault, match="give has less to do"):
        list(map(partial(bad.playout, backend=backend), range(20)))
    path.write_text(FAULTS.joinpath("recursion_without_an_end.bad.rules").read_text())
    with pytest.raises(Fault, match="dig has less to do"):
        list(map(partial(rd.load(str(path)).checked().playout, backend=backend), range(20)))


@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "tikal"])
def test_a_checked_game_is_the_same_game(name: str) -> None:
    plain = rd.load(name)
    checked = plain.checked()
    for seed in range(2):
        one = plain.playout(seed=seed, backend="python")
        assert checked.playout(seed=seed, backend="python").scores() == one.scores()


CONTRACTS = """game promises
    players 2

state
    low: 0..3 = 3
    turns: 0..2 = 0

procedure use(much: 0..1)
    assumes low > 0
    ensures low = before(low) - much
    low -= much

procedure turn()
    assumes low > 0
    ensures low >= before(low) - 1
    choose p1: much in 0..1
    use(much)

play
    while turns < 2 decreases 2 - turns
        keeps low >= LEFT
        turns += 1
        turn()

scoring
    score p = low

invariant some
    low > 0
"""


@pytest.mark.parametrize(
    ("left", "plain", "checked"),
    [("3 - turns", "PROVED", "UNPROVED"), ("3", "REFUTED", "REFUTED")],
)
def test_contracts_are_spelled_out_once(
    tmp_path: Path, left: str, plain: str, checked: str
) -> None:
    """A game that checks its contracts already can be checked again, and verified.

    To the verifier what it checks are assertions: nothing is known of them at the head of a loop.
    """
    path = tmp_path / "promises.rules"
    path.write_text(CONTRACTS.replace("LEFT", left), encoding="utf-8")
    game = rd.load(str(path), players=2)
    once = with_contracts(game.ir)
    assert once != game.ir
    assert with_contracts(once) == once
    assert not game.checked().checked().start().over
    for version, status in ((game, plain), (game.checked(), checked)):
        results = verify.run(version, ["safety"], jobs=1, fresh=True).results
        assert [r.status for r in results if r.subject == "play"] == [status]
