"""Sums over many cells after writes at unknown places: what the formulas say is what happens."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import z3

import rules_dsl as rd
from compiler import ir
from compiler.reference import ReferenceMachine
from verify.agreement.formula_functions import written
from verify.encode import terms as v
from verify.encode.unknowns import World
from verify.proof.step_parts import Start
from verify.proof.symbolic_step import Explorer

# Two places that may be the same are written, one of them twice and one under a condition; what was
# written is read back at places that may be the same again.
RULES = """
game places "Places"
    players 2

enum Cell: a, b, c, d, e, f, g, h, i, j

state
    high[Cell]: 0..9 = 1
    marked[Cell]: bool = false

action change(x: Cell, y: Cell, n: 0..2) by p
    high[x] = n
    high[y] = high[x] + 1
    if high[x] > 1
        high[x] = high[y] - 2
        marked[y] = not marked[x]
    marked[x] = high[x] = n

procedure shuffle(x: Cell)
    for k in Cell
        if ord(k) > 0
            high[k] = high[x]
            marked[k] = marked[next(k, -1)]

action mix(x: Cell) by p
    shuffle(x)

invariant all_high "one array, one shape"
    sum(k in Cell: high[k]) >= count(k in Cell where marked[k])

invariant both "two arrays in one sum"
    count(k in Cell where marked[k] and high[k] > 1) <= sum(k in Cell where high[k] < 3: high[k])

invariant single "a cell by itself"
    every k in Cell: marked[k] implies high[k] < 9

play
    choose first(q in Player): change, mix

scoring
    score p = 0
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ir.Module:
    path: Path = tmp_path_factory.mktemp("sums") / "places.rules"
    path.write_text(RULES)
    return rd.load(str(path), players=2).ir


@pytest.mark.parametrize("way", [0, 1])
def test_invariants_after_a_step(module: ir.Module, way: int) -> None:
    world = World(module)
    run = Explorer(world).explore(Start("play", 0, way))
    play = module.procedures["play"]
    decide = play.blocks[0].terminator
    assert isinstance(decide, ir.Decide)
    block = play.blocks[decide.options[way].target]
    invariants = {invariant.name: invariant for invariant in module.invariants}
    goals = [
        (invariants[o.subject], goal)
        for o in run.obligations
        for goal in [v.and_(o.goals)]
        if o.kind == "invariant" and not o.by
    ]
    assert {invariant.name for invariant, _ in goals} == set(invariants)
    state = world.any_state
    inputs: dict[int, tuple[str, int]] = {}
    for name, cells in state.arrays.items():
        for k, cell in enumerate(cells.values):
            assert isinstance(cell, z3.ExprRef)
            inputs[cell.get_id()] = (name, k)
    chosen = {n: x for n, x in run.locals.items() if isinstance(x, z3.ExprRef)}
    for name, term in chosen.items():
        inputs[term.get_id()] = (name, -1)
    places = {identity: at for at, identity in enumerate(inputs)}
    definitions = {i: v.term(read.value) for i, read in world.reads.items()}
    definitions |= {i: total.definition.arg(1) for i, total in world.totals.items()}
    function = written([goal for _, goal in goals], places, definitions)
    random = Random(5)
    for _ in range(400):
        before = {
            n: [random.randint(a.lo, min(a.hi, 3)) for _ in range(a.size)]
            for n, a in module.arrays.items()
        }
        values = {u.name: random.randint(u.lo, u.hi) for u in run.unknown if u.name in chosen}
        flat = [before[n][k] if k >= 0 else values[n] for n, k in inputs.values()]
        said = function(
            [
                bool(x) if n == "marked" else x
                for x, (n, _) in zip(flat, inputs.values(), strict=True)
            ]
        )
        machine = ReferenceMachine(module)
        machine.values = before
        machine.run(block.statements, dict(values))
        for (invariant, _), truth in zip(goals, said, strict=True):
            assert bool(truth) == bool(machine.interpreter.value(invariant.condition, {})), (
                invariant.name
            )
