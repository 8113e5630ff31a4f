"""A game that breaks something refutes the result that owes it, and no other."""

from __future__ import annotations

from pathlib import Path

import rules_dsl as rd
import verify
from verify.proof.results import Report, Result
from verify.search.player import Broken
from verify.search.refute import matching
from verify.search.telling import _still_breaks


def unproved(subject: str, detail: str, line: int, rule: str = "play") -> Result:
    return Result(
        "g", 2, {}, "safety", subject, "UNPROVED", 0.0,
        rule=rule, detail=detail, span=f"g.rules:{line}:5",
    )  # fmt: skip


def refuted(broken: Broken, *results: Result) -> list[str]:
    return [r.subject for r in matching(Report(list(results)), broken)]


def test_a_caller_owes_what_is_required() -> None:
    """It is met where the rule is declared, and so is what that rule itself ensures."""
    broken = Broken("safety", "side", "what side assumes", "g.rules:60")
    play = unproved("play", "what side assumes after a round", 84)
    side = unproved("side", "what side ensures after a round", 60)
    assert refuted(broken, play, side) == ["play"]
    assert refuted(broken, side) == []


def test_of_several_callers_none_is_blamed_by_guessing() -> None:
    broken = Broken("safety", "side", "what side assumes", "g.rules:60")
    callers = [unproved(name, "what side assumes", 84) for name in ("play", "turn")]
    assert refuted(broken, *callers) == []


def test_a_fault_refutes_the_rule_it_is_in() -> None:
    """A step that begins in a rule may fail in another one."""
    broken = Broken("safety", "play", "what the loop keeps", "g.rules:79")
    play = unproved("play", "something to draw", 82)
    side = unproved("side", "something to draw", 65)
    assert refuted(broken, play, side) == ["play"]


def test_a_loop_is_not_blamed_for_what_another_keeps() -> None:
    broken = Broken("safety", "play", "what the loop keeps", "g.rules:79")
    assert refuted(broken, unproved("side", "what the loop keeps", 65)) == []


def test_other_rules_may_fail_in_set_up(tmp_path: Path) -> None:
    """So that a change taken back to find the culprit does not end the check."""
    path = tmp_path / "early.rules"
    path.write_text(
        "game early\n    players 2\n\nstate\n    low: 0..2 = 0\n\nplay\n    low -= 1\n"
        "    choose p1: n in 0..1\n\nscoring\n    score p = low\n",
        encoding="utf-8",
    )
    result = Result("early", 2, {}, "safety", "play", "REFUTED", 0.0, moves=["n 0"])
    assert _still_breaks(rd.load(str(path), players=2), result, unfinished=True) is None


def test_goods_that_a_move_chooses_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "gifts.rules"
    path.write_text(
        "game gifts\n    players 2\n\ngoods Gem: ruby, pearl limit 2\n\nstate\n"
        "    pool gems[Player] of Gem holds 1 ruby\n    pool gone of Gem holds 2 pearl\n\n"
        "action give(g: Gem) by p\n    move 1 g from gems[p] to gone\n\n"
        "play\n    choose p2: give\n\nscoring\n    score p = gems[p].ruby\n",
        encoding="utf-8",
    )
    report = verify.run(rd.load(path), checks=["safety", "init"], jobs=1)
    [found] = [r for r in report.results if r.status == "REFUTED"]
    assert found.numbers == "1 needed; before this move: 0 in gems of p1, 0 in gems of p2"
