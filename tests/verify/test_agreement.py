"""The comparison of formulas with compiled rules finds differences, where there are any."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import rules_dsl as rd
from compiler.rebuild import build
from verify.agreement.formula_functions import asked, written
from verify.agreement.formula_game import Formulated
from verify.agreement.sampled_games import Agreement, most_rounds
from verify.authoring.mutants import Mutant, mutants
from verify.encode import terms as v
from verify.encode.replica import Replica
from verify.encode.unknowns import World

NAMES = ("a", "b", "c")
UNKNOWN = [*(z3.Int(n) for n in NAMES), z3.Bool("d")]
PLACES = {x.get_id(): at for at, x in enumerate(UNKNOWN)}
NUMBERS = st.recursive(
    st.one_of(st.sampled_from(UNKNOWN[:3]), st.integers(-9, 9)),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: v.add(*p)),
        st.tuples(inner, inner).map(lambda p: v.sub(*p)),
        st.tuples(inner, inner).map(lambda p: v.mul(*p)),
        st.tuples(inner, st.integers(1, 7)).map(lambda p: v.term(p[0]) / p[1]),
        st.tuples(inner, st.integers(-7, -1)).map(lambda p: v.term(p[0]) / p[1]),
        st.tuples(inner, st.integers(1, 7)).map(lambda p: v.term(p[0]) % p[1]),
        st.tuples(inner, inner).map(lambda p: z3.If(UNKNOWN[3], v.term(p[0]), v.term(p[1]))),
        st.tuples(inner, inner, inner).map(
            lambda p: z3.If(v.term(p[0]) <= v.term(p[1]), *(v.term(x) for x in p[1:]))
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(NUMBERS, st.tuples(*[st.integers(-20, 20)] * 3, st.booleans()))
def test_written_out_formulas_mean_what_the_solver_means(
    term: v.Value, values: tuple[int, int, int, bool]
) -> None:
    pairs = [(x, v.term(value)) for x, value in zip(UNKNOWN, values, strict=True)]
    (found,) = written([term], PLACES, {})(values)
    assert found == asked(term, pairs)


def against(game: rd.Game, wanted: Callable[[Mutant], bool]) -> Agreement:
    """A game, and the formulas of one with a mistake in it."""
    program = game.origin.program()
    mutant = next(m for m in mutants(program) if wanted(m))
    comparison = Agreement(game, 400)
    world = World(build(game, mutant.program(program)).ir)
    comparison.replica = type(comparison.replica)(world)
    comparison.run()
    return comparison


def test_another_effect_is_seen() -> None:
    comparison = against(rd.load("mancala"), lambda m: "at != store[p]" in m.text)
    assert comparison.differs.startswith("mover is")


def test_another_requirement_is_seen() -> None:
    comparison = against(rd.load("connect_four"), lambda m: m.operator == "drop requirement")
    assert "legal moves" in comparison.differs


@pytest.mark.parametrize(("samples", "kind"), [(20, Replica), (1000, Formulated)])
def test_paths_are_compared(samples: int, kind: type[Replica]) -> None:
    comparison = Agreement(rd.load("hex"), samples)
    assert type(comparison.replica) is kind
    comparison.samples = 40
    comparison.run()
    assert (comparison.compared, comparison.differs) == (40, "")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "samples"), [("tzolkin", 600), ("tikal", 150)])
def test_large_games_agree_with_their_formulas(name: str, samples: int) -> None:
    """For few moves known values would do; here the formulas themselves are compared."""
    comparison = Agreement(rd.load(name, players=3), 1000)
    assert type(comparison.replica) is Formulated
    comparison.samples = samples
    comparison.run()
    assert (comparison.compared, comparison.differs) == (samples, "")


def test_the_solver_is_asked() -> None:
    game = rd.load("goofspiel")
    replica = Formulated(World(game.ir), asking=True)
    replica.start()
    replica.play(0, (3,))
    assert replica.doubts == ""
    formulas = next(f for f in replica._known.values() if len(f.terms) > 1)
    values = [0] * len(formulas.unknowns)
    found = formulas.function(values)
    replica.doubt(formulas, values, tuple(1 - int(x) for x in found))
    assert "by the solver" in replica.doubts


LONG_LOOP = """game sorting
    players 2

good coin limit 60

state
    rounds: 0..9 = 0
    pool bank bank
    pool box[0..11]

play
    while rounds < 9 decreases 9 - rounds
        rounds += 1
        choose p1: k in 0..11
        for i in 0..11
            for j in 0..11
                move up to 1 coin from bank to box[(i * j + k) mod 12]
                move up to 1 coin from box[i] to box[(i + j) mod 12]

scoring
    score p = box[0].coin
"""


def test_long_loops_are_compared_in_known_positions(tmp_path: Path) -> None:
    path = tmp_path / "sorting.rules"
    path.write_text(LONG_LOOP, encoding="utf-8")
    game = rd.load(str(path), players=2)
    assert most_rounds(game.ir) == 144
    comparison = Agreement(game, 10)
    assert not isinstance(comparison.replica, Formulated)
    comparison.run()
    assert comparison.compared == 10 and not comparison.differs


def test_fewer_moves_are_compared_where_each_takes_many_rounds(tmp_path: Path) -> None:
    path = tmp_path / "sorting.rules"
    path.write_text(LONG_LOOP.replace("0..11\n        ", "0..199\n        "), encoding="utf-8")
    game = rd.load(str(path), players=2)
    assert Agreement(game, 100).samples < Agreement(game, 10_000).samples == 10_000
