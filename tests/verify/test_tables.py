"""Cells of constant tables at unknown places: one name for one cell, however it is asked for."""

from __future__ import annotations

import rules_dsl as rd
from compiler import ir
from tests.verify.fault_table import FAULTS
from verify.encode import terms as v
from verify.encode.cell_reads import MANY_VALUES, CellReader
from verify.encode.unknowns import World


def name_of_cell(step: ir.Expr, at: int, world: World, stair: v.Value) -> v.Value:
    table = world.module.tables["above"]
    index = (ir.Local("stair", lo=0, hi=MANY_VALUES + 9), step)
    return CellReader(world, world.any_state).lookup(table, index, (stair, at))


def test_a_known_place_needs_no_range() -> None:
    world = World(rd.load(str(FAULTS / "other_cell_of_the_table.good.rules")).ir)
    stair = world.unknown("stair", 0, MANY_VALUES + 9)
    written, counted = ir.Int(1, lo=1, hi=1), ir.Local("step", lo=0, hi=1)
    one = name_of_cell(written, 1, world, stair)
    assert v.same(one, name_of_cell(counted, 1, world, stair))
    assert not v.same(one, name_of_cell(counted, 0, world, stair))
    # Outside the range there is a fault, and the value is that at its end.
    beyond = name_of_cell(counted, 2, world, stair)
    assert not v.same(beyond, name_of_cell(ir.Int(2, lo=2, hi=2), 2, world, stair))
