"""Positions in the words of the rules: the cells that matter, as differences from the opening."""

from __future__ import annotations

import z3

from compiler import ir
from verify.encode import terms as v
from verify.encode.terms import Truth
from verify.encode.unknowns import World, cell_name, value_name
from verify.proof.prover import Prover
from verify.proof.symbolic_step import StepRun

# Most rounds of minimising differences.
MOST_ROUNDS = 200


def shown_value(module: ir.Module, array: ir.Array, value: int) -> str:
    """The value of a cell in the words of the rules."""
    if array.kind != "zone":
        return value_name(module, array.value_kind, value)
    for zone in module.zones.values():
        if zone.array == array.name and zone.first <= value < zone.first + zone.places:
            rest = (value - zone.first) // zone.levels
            indices: list[str] = []
            for dimension in reversed(zone.dimensions):
                at = dimension.lo + rest % dimension.size
                indices.insert(0, value_name(module, dimension.kind, at))
                rest //= dimension.size
            return f"{zone.name}[{', '.join(indices)}]" if indices else zone.name
    return str(value)


def named_cells(world: World) -> dict[str, tuple[ir.Array, int]]:
    """The unknown cells by name."""
    module = world.module
    return {
        cell_name(module, array, k): (array, k)
        for array in module.arrays.values()
        for k in range(array.size)
    }


def smallest(prover: Prover, parts: list[Truth], effort: int) -> z3.ModelRef | None:
    """A model that differs from the opening in few cells; the fewest if that is quick to find."""
    world = prover.world
    solver = z3.SimpleSolver()
    solver.set("rlimit", effort)
    names = prover.names(parts)
    for part in parts:
        if part is not True:
            solver.add(v.term(part))
    for name in sorted(names):
        if name in world.limits:
            solver.add(world.limits[name][1])
    wishes: dict[str, z3.BoolRef] = {}
    unknown = world.any_state
    for array in world.module.arrays.values():
        for k, cell in enumerate(unknown.arrays[array.name].values):
            if not isinstance(cell, int) and cell.get_id() in names:
                wish = z3.Bool(f"as at the start {cell}")
                same = v.eq(cell, array.initial[k])
                solver.add(z3.Implies(wish, v.term(same)))
                wishes[str(wish)] = wish
    for _ in range(MOST_ROUNDS):
        answer = solver.check(*wishes.values())
        if answer == z3.sat:
            return solver.model()
        if answer != z3.unsat:
            break
        core = [str(c) for c in solver.unsat_core()]
        if not core:
            break
        del wishes[sorted(core)[0]]
    return None


def describe(
    run: StepRun, model: z3.ModelRef, relevant: set[int]
) -> tuple[dict[str, str], dict[str, str]]:
    """A model as the cells that differ from the opening, and the values that were chosen."""
    world = run.world
    module = world.module
    cells: dict[str, str] = {}
    unknown = world.any_state
    for array in module.arrays.values():
        for k, cell in enumerate(unknown.arrays[array.name].values):
            if isinstance(cell, int) or cell.get_id() not in relevant:
                continue
            value = number_of(model.eval(cell, model_completion=True))
            if value != array.initial[k]:
                cells[cell_name(module, array, k)] = shown_value(module, array, value)
    chosen: dict[str, str] = {}
    for unknown_local, value in run.unknown.items():
        if unknown_local.role == "cell":
            continue
        if isinstance(value, int):
            if unknown_local not in run.fixed:
                continue
            number = value
        elif value.get_id() in relevant:
            number = number_of(model.eval(value, model_completion=True))
        else:
            continue
        name, kind = _written(module, unknown_local.procedure, unknown_local.name)
        chosen[name] = value_name(module, kind, number)
    return cells, chosen


def _written(module: ir.Module, procedure: str, local: str) -> tuple[str, str]:
    """The name that the rules give to a local, and the kind of its values."""
    found = module.procedures.get(procedure)
    for variable in (*found.params, *found.variables) if found is not None else ():
        if variable.name == local:
            return variable.written or local, variable.kind
    for block in found.blocks if found is not None else ():
        if isinstance(block.terminator, ir.Decide):
            for option in block.terminator.options:
                for param in option.params:
                    if param.range.name == local:
                        return param.written or local, param.kind
    return local, "int"


def number_of(term: z3.ExprRef) -> int:
    """The value of a term without unknowns."""
    if z3.is_true(term):
        return 1
    if z3.is_false(term):
        return 0
    return int(term.as_long())
