"""The layers that decide soundness, one at a time: effects, facts, steps, prover, views.

Small cases by hand, so that a failure points to the layer and not to a whole proof.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler import build as b
from compiler import ir
from compiler.pipeline import to_ir
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather
from verify.analysis.effects import Effects
from verify.analysis.fact_sets import Facts, FactSets
from verify.encode.unknowns import World
from verify.proof.prover import Prover
from verify.proof.structure import nesting
from verify.proof.symbolic_step import Explorer
from verify.proof.views import Views

GAME = """game mill
    players 2

state
    flour: 0..9 = 1
    which: 1..3 = 1
    sack[1..3]: 0..9
    turns: 0..3 = 0
    hand[Player]: 0..1 visible to owner

function heaviest(): 0..9
    return max(i in 1..3: sack[i])

procedure fill(i: 1..3)
    sack[i] = min(9, sack[i] + 1)

procedure work()
    fill(which)
    choose p1: grind, rest

action grind by p
    flour = FLOUR

action rest by p
    which = 1

play
    while turns < 3 decreases 3 - turns
        turns += 1
        work()
        SHOWN

scoring
    score p = flour

invariant some_flour
    flour >= 1
"""


def lowered(folder: Path, flour: str = "min(9, flour + 1)", shown: str = "which = 1") -> ir.Module:
    path = folder / "mill.rules"
    path.write_text(GAME.replace("FLOUR", flour).replace("SHOWN", shown), encoding="utf-8")
    return to_ir(assemble(gather(str(path))), 2, {})


@pytest.fixture
def mill(tmp_path: Path) -> ir.Module:
    return lowered(tmp_path)


FLOUR = ir.Cell("flour", (), lo=0, hi=9)
WHICH = ir.Cell("which", (), lo=1, hi=3)
SOME, OTHER = b.local("i", 0, 2), b.local("j", 0, 2)


def sack(at: ir.Expr) -> ir.Cell:
    return ir.Cell("sack", (at,), lo=0, hi=9)


def known(sets: FactSets, *conditions: ir.Expr) -> Facts:
    facts: Facts = {}
    for condition in conditions:
        sets.gain(facts, condition)
    return facts


# ---- effects ---------------------------------------------------------------------------------


def test_a_call_writes_what_it_reaches(mill: ir.Module) -> None:
    effects = Effects(mill)
    assert effects.routine("fill") == {"sack"}
    assert effects.procedure("work") == {"sack", "flour", "which"}
    # What a call leaves behind: the main procedure ends the game and never comes back.
    assert effects.procedure("play") == frozenset()
    assert effects.waiting == {"work", "play"}


def test_an_expression_reads_what_its_functions_read(mill: ir.Module) -> None:
    effects = Effects(mill)
    call = ir.Call("heaviest", (), lo=0, hi=9)
    assert effects.reads(b.add(call, SOME)).arrays == {"sack"}
    assert effects.reads(b.add(call, SOME)).locals == {"i"}
    assert effects.reads(sack(WHICH)).arrays == {"sack", "which"}


# ---- facts -----------------------------------------------------------------------------------


def test_a_write_drops_what_may_be_the_same_cell(mill: ir.Module) -> None:
    sets = FactSets(mill, Effects(mill))
    of_i, of_one, other = (
        b.eq(sack(SOME), b.int_(2)),
        b.eq(sack(b.int_(1)), b.int_(3)),
        b.eq(FLOUR, SOME),
    )
    facts = known(sets, of_i, of_one, other)
    sets.assign(facts, sack(OTHER), b.int_(5))
    assert set(facts.values()) == {other, b.eq(sack(OTHER), b.int_(5))}
    facts = known(sets, of_i, of_one, other)
    sets.assign(facts, sack(b.int_(2)), b.int_(5))
    assert set(facts.values()) == {of_one, other, b.eq(sack(b.int_(2)), b.int_(5))}


def test_a_write_drops_what_it_is_an_index_of(mill: ir.Module) -> None:
    sets = FactSets(mill, Effects(mill))
    facts = known(sets, b.eq(sack(b.sub(WHICH, b.int_(1))), b.int_(2)))
    sets.assign(facts, WHICH, b.int_(3))
    assert list(facts.values()) == [b.eq(WHICH, b.int_(3))]


def test_a_change_by_a_number_is_taken_back(mill: ir.Module) -> None:
    sets = FactSets(mill, Effects(mill))
    facts = known(sets, b.eq(FLOUR, SOME))
    sets.assign(facts, FLOUR, b.add(FLOUR, b.int_(2)))
    assert list(facts.values()) == [b.eq(b.sub(FLOUR, b.int_(2)), SOME)]


def test_a_write_drops_what_a_function_reads(mill: ir.Module) -> None:
    sets = FactSets(mill, Effects(mill))
    facts = known(sets, b.eq(ir.Call("heaviest", (), lo=0, hi=9), b.int_(4)))
    sets.assign(facts, sack(SOME), b.int_(5))
    assert list(facts.values()) == [b.eq(sack(SOME), b.int_(5))]


def test_a_conjunction_is_forgotten_in_parts(mill: ir.Module) -> None:
    sets = FactSets(mill, Effects(mill))
    facts = known(sets, b.and_(b.eq(FLOUR, b.int_(1)), b.lt(SOME, WHICH)))
    sets.forget(facts, {"which"}, ())
    assert list(facts.values()) == [b.eq(FLOUR, b.int_(1))]
    sets.forget(facts, (), {"i"})
    assert len(facts) == 1
    sets.forget(facts, {"flour"}, ())
    assert facts == {}


# ---- steps and the prover --------------------------------------------------------------------


def verdicts(module: ir.Module) -> dict[tuple[str, str], set[str]]:
    """What becomes of the obligations of all steps, by kind and subject."""
    world = World(module)
    explorer, prover = Explorer(world), Prover(world)
    found: dict[tuple[str, str], set[str]] = {}
    todo, seen = [explorer.opening], {explorer.opening}
    while todo:
        run = explorer.explore(todo.pop())
        for owed in run.obligations:
            verdict = prover.prove(owed, run.assumed, run.initial)
            found.setdefault((owed.kind, owed.subject), set()).add(verdict.outcome)
        for start in run.next:
            if start not in seen:
                seen.add(start)
                todo.append(start)
    return found


def test_the_steps_of_a_game_owe_every_kind_of_goal(mill: ir.Module) -> None:
    found = verdicts(mill)
    kinds = {kind for kind, _ in found}
    assert {"init", "invariant", "progress", "safety", "termination"} <= kinds
    assert set().union(*found.values()) == {"proved"}


@pytest.mark.parametrize(
    ("flour", "fails"),
    [
        ("flour - 1", ("invariant", "some_flour")),
        ("flour + 1", ("safety", "grind")),
    ],
)
def test_a_broken_rule_fails_where_it_is_broken(
    tmp_path: Path, flour: str, fails: tuple[str, str]
) -> None:
    found = verdicts(lowered(tmp_path, flour))
    assert {key for key, outcomes in found.items() if outcomes != {"proved"}} == {fails}


TENNIS = """game tennis
    players 2

state
    hits: 0..1 = 0

action hit by p
    hits = 1 - hits

procedure serve(left: 0..3)
    decreases left, 1
    choose p1: hit
    give_back(left)

procedure give_back(left: 0..3)
    decreases MEASURE
    choose p2: hit
    if left > 0
        serve(NEXT)

play
    serve(3)

scoring
    score p = hits
"""


def tennis(folder: Path, measure: str, next_left: str) -> ir.Module:
    path = folder / "tennis.rules"
    text = TENNIS.replace("MEASURE", measure).replace("NEXT", next_left)
    path.write_text(text, encoding="utf-8")
    return to_ir(assemble(gather(str(path))), 2, {})


def test_calls_that_nest_for_ever_are_not_safe(tmp_path: Path) -> None:
    """The frames of the machine run out, whether or not termination is claimed."""
    calls = {("safety", "serve"), ("safety", "give_back")}
    proved = verdicts(tennis(tmp_path, "left, 0", "left - 1"))
    assert {key for key in calls if proved[key] == {"proved"}} == calls
    failed = verdicts(tennis(tmp_path, "left, 0", "left"))
    assert {key for key in calls if failed[key] != {"proved"}} == {("safety", "give_back")}


@pytest.mark.parametrize(("measure", "status"), [("left, 0", "PROVED"), ("left", "UNPROVED")])
def test_calls_nest_as_deep_as_measures_that_can_be_compared_say(
    tmp_path: Path, measure: str, status: str
) -> None:
    (part,) = nesting(tennis(tmp_path, measure, "left - 1"))
    assert (part.obligation, part.status) == ("safety", status)


# ---- views -----------------------------------------------------------------------------------


def test_what_depends_on_a_hidden_cell_is_seen(tmp_path: Path) -> None:
    assert {part.status for part in Views(lowered(tmp_path)).parts()} == {"PROVED"}
    leaking = lowered(tmp_path, shown="which = 1 + hand[p2]")
    parts = Views(leaking).parts()
    assert {part.status for part in parts} != {"PROVED"}
