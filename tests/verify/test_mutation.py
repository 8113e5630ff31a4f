"""Mutants are described, judged and, if they change nothing, recognised."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rules_dsl as rd
from compiler.rebuild import build
from rules_dsl.cli import rules
from verify.authoring.kept_mutants import OtherMutantsError
from verify.authoring.mutants import mutants
from verify.authoring.mutation import mutate
from verify.authoring.telling_examples import TellingExamples
from verify.compare.bisimulation import compare
from verify.compare.blockwise import Blockwise

RULES = """\
game ladder
    players 2

good coin

state
    rounds: 0..3 = 0
    step[Player]: 0..4 = 0
    pool box bank
    pool purse[Player]

action climb by p
    require step[p] < 2 "you are on top"
    step[p] += 1
    move 1 coin from box to purse[p]

action rest by p

play
    while rounds < 3 decreases 3 - rounds
        for p in Player
            choose p: climb, rest
        rounds += 1

scoring
    score p = purse[p].coin

invariant not_above_two
    every p in Player: step[p] <= 2

invariant a_coin_a_step
    every p in Player: purse[p].coin = step[p]
"""

EXAMPLE = """\

example "The game ends"
    do "rest", "climb", "rest", "climb", "rest"
    refuse "climb" because "top"
    do "rest"
    expect over
    expect winners p2
"""


CLIMBING = """\

example "Two steps"
    do "climb", "rest", "climb"
    expect step[p1] = 2
"""


@pytest.fixture
def game(tmp_path: Path) -> rd.Game:
    path = tmp_path / "ladder.rules"
    path.write_text(RULES + EXAMPLE)
    return rd.load(path)


def test_every_kind_of_mistake_is_made(game: rd.Game) -> None:
    found = list(mutants(game.origin.program()))
    assert {m.operator for m in found} == {
        "drop requirement",
        "negate requirement",
        "change constant",
        "change operator",
        "swap source and target",
        "drop effect",
        "skip phase",
        "drop option",
    }
    dropped = next(m for m in found if m.operator == "drop requirement")
    assert str(dropped).endswith(
        'ladder.rules:13:5: climb: without `require step[p] < 2` "you are on top"'
    )


def test_a_mutant_differs_in_one_rule_only(game: rd.Game) -> None:
    program = game.origin.program()
    swapped = next(m for m in mutants(program) if m.operator == "swap source and target")
    other = build(game, swapped.program(program))
    assert other.start().play("rest").player == 1
    with pytest.raises(rd.Fault):
        other.start().play("climb")


def test_examples_play_and_invariants_kill(game: rd.Game) -> None:
    report = mutate(game, decisions=60, proofs=False)
    assert report.share >= 0.9, report.text()
    assert {o.by for o in report.of("killed")} <= {"examples", "play"}
    assert not report.unprotected()
    assert "of those that make a difference are caught" in report.text()


IDLE = """\

example "Nobody climbs"
    do "rest"
    expect step[p1] = 0
"""
WRONG = """\

example "Wrong from the start"
    expect rounds = 1
"""


def test_examples_that_lead_through_the_changed_line_are_asked_first(tmp_path: Path) -> None:
    path = tmp_path / "ladder.rules"
    path.write_text(RULES + IDLE + WRONG + EXAMPLE + CLIMBING)
    program = rd.load(path).origin.program()
    examples = TellingExamples.of(program)
    effects = [m for m in mutants(program) if m.operator == "drop effect"]
    climb = next(m for m in effects if m.rule == "climb")
    ordered = [e.title.value for e in examples.ordered(climb)]
    assert ordered == ["Two steps", "The game ends", "Nobody climbs"]
    assert examples.failing(climb, climb.program(program))


def test_an_example_that_fails_anyway_catches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ladder.rules"
    path.write_text(RULES + WRONG)
    report = mutate(rd.load(path), decisions=60, proofs=False)
    assert "examples" not in {o.by for o in report.outcomes}


def test_a_requirement_that_nothing_protects(tmp_path: Path) -> None:
    path = tmp_path / "ladder.rules"
    path.write_text(
        RULES.replace(
            "not_above_two\n    every p in Player: step[p] <= 2",
            "in_range\n    every p in Player: step[p] >= 0",
        )
    )
    report = mutate(rd.load(path), decisions=60, proofs=False)
    assert [m.rule for m in report.unprotected()] == ["climb"]


def test_a_mutant_that_changes_nothing_is_equivalent(tmp_path: Path) -> None:
    text = RULES.replace("require step[p] < 2", "require step[p] < 2 and step[p] <= 2")
    path = tmp_path / "ladder.rules"
    path.write_text(text)
    report = mutate(rd.load(path), decisions=30, proofs=False)
    texts = [o.mutant.text for o in report.of("equivalent")]
    assert "`step[p] <= 2` becomes `step[p] < 2`" in texts


# Cheap enough for every run; the others are measured by hand, as `rules verify NAME --mutate`.
CHEAP = ("first_sealed_auction", "goofspiel", "kuhn_poker", "pig", "tic_tac_toe")


@pytest.mark.parametrize("name", CHEAP)
def test_mistakes_in_the_classics_are_caught(name: str) -> None:
    report = mutate(rd.load(name))
    assert len(report.outcomes) == report.possible
    assert report.share >= 0.95, report.text()


def same(game: rd.Game, rule: str, text: str) -> list[bool]:
    program = game.origin.program()
    return [
        Blockwise(game.ir, build(game, m.program(program)).ir).same()
        for m in mutants(program)
        if m.rule == rule and m.text == text
    ]


def test_the_same_in_every_step() -> None:
    game = rd.load("mancala")
    assert Blockwise(game.ir, game.ir).same()
    # A constant that is never used; a place that is a store; both sides are asked anyway.
    assert same(game, "owner", "13 becomes 14") == [True]
    assert same(game, "setup", "0 becomes 1") == [True]
    assert same(game, "can_sow", "`owner[q] = p` becomes `owner[q] != p`") == [True]


def test_not_the_same_in_every_step() -> None:
    game = rd.load("mancala")
    assert same(game, "setup", "4 becomes 5") == [False]
    # The first place is a store; that one seed is enough is another matter.
    assert same(game, "can_sow", "0 becomes 1") == [True, False]
    assert same(game, "sow", "`at != store[p]` becomes `at = store[p]`") == [False]
    assert same(game, "owner", "1 becomes 0") == [False]
    assert same(rd.load("pig"), "throw", "6 becomes 5") == [False]
    assert same(rd.load("pig"), "scoring", "`players - 1` becomes `players + 1`") == [False]
    poker = rd.load("kuhn_poker")
    program = poker.origin.program()
    for mutant in mutants(program):
        other = build(poker, mutant.program(program))
        if Blockwise(poker.ir, other.ir).same():
            assert compare(poker, other).equivalent, mutant


RING = """\
game ring
    players 2

const beside[0..3] = [1, 2, 3, 0]

state
    rounds: 0..3 = 0
    at: 0..3 = 0

relation ring on a in 0..3
    to beside[a]

play
    while rounds < 3 decreases 3 - rounds
        rounds += 1
        choose p1: n in 0..3 where steps from at to n by ring within 3 < 2
        at = n

scoring
    score p = at
"""


def test_paths_of_another_ring_are_not_the_same(tmp_path: Path) -> None:
    path = tmp_path / "ring.rules"
    path.write_text(RING, encoding="utf-8")
    game = rd.load(str(path))
    path.write_text(RING.replace("[1, 2, 3, 0]", "[2, 3, 1, 0]"), encoding="utf-8")
    assert not Blockwise(game.ir, rd.load(str(path)).ir).same()


def test_proofs_kill_what_play_misses() -> None:
    report = mutate(rd.load("tic_tac_toe"), budget=4, decisions=20)
    assert len(report.outcomes) == 4
    assert report.possible > 50


def test_jobs_change_nothing_and_a_stopped_run_goes_on(tmp_path: Path) -> None:
    game = rd.load("kuhn_poker")
    whole = mutate(game, budget=12, seed=3, decisions=40, proofs=False)
    kept = tmp_path / "kuhn.jsonl"
    tried: list[str] = []

    def fates(seed: int, budget: int, jobs: int) -> list[tuple[str, str, str, str]]:
        tried.clear()
        report = mutate(
            game,
            budget,
            seed,
            decisions=40,
            proofs=False,
            jobs=jobs,
            kept=kept,
            progress=lambda outcome: tried.append(str(outcome.mutant)),
        )
        return [(str(o.mutant), o.fate, o.by, o.detail) for o in report.outcomes]

    expected = [(str(o.mutant), o.fate, o.by, o.detail) for o in whole.outcomes]
    assert fates(3, 12, 2) == expected
    assert len(tried) == 12
    # Killed while a line was written: that mutant is tried again, the others are not.
    text = kept.read_text()
    kept.write_text(text[: text.rindex("[") + 7])
    assert fates(3, 12, 1) == expected
    assert len(tried) == 1
    assert fates(3, 12, 1) == expected
    assert tried == []


def test_mutants_of_other_rules_are_not_taken(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    mutate(rd.load("pig"), budget=1, decisions=10, proofs=False, kept=kept)
    with pytest.raises(OtherMutantsError, match="name another file"):
        mutate(rd.load("kuhn_poker"), budget=1, decisions=10, proofs=False, kept=kept)
    command = ["verify", "kuhn_poker", "--mutate", "1", "--resume", str(kept)]
    result = CliRunner().invoke(rules, command)
    assert result.exit_code == 2
    assert "does not hold mutants of kuhn_poker" in result.output
    assert CliRunner().invoke(rules, ["verify", "pig", "--resume", str(kept)]).exit_code == 2
