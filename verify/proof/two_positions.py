"""Two positions that a player should not be able to tell apart, side by side."""

from __future__ import annotations

import z3

from verify.encode.unknowns import cell_name
from verify.proof.counterexample import number_of, shown_value
from verify.proof.look_alike import named
from verify.proof.pairs import PathPair


def side_by_side(pair: PathPair, model: z3.ModelRef) -> tuple[dict[str, str], dict[str, str]]:
    """The cells and locals that differ between two positions, in the first and in the second."""
    module = pair.sight.module
    one: dict[str, str] = {}
    two: dict[str, str] = {}
    for array in module.arrays.values():
        for k, cell in enumerate(pair.step.before.arrays[array.name].values):
            if isinstance(cell, int) or not pair.run.changed(cell):
                continue
            values = [
                number_of(model.eval(term, model_completion=True))
                for term in (cell, pair.run.other(cell))
            ]
            if values[0] != values[1]:
                name = cell_name(module, array, k)
                one[name], two[name] = (shown_value(module, array, value) for value in values)
    for (name, at), value in named(pair.step.locals):
        if isinstance(value, int) or not pair.run.changed(value) or name.startswith("measure."):
            continue
        values = [
            number_of(model.eval(term, model_completion=True))
            for term in (value, pair.run.other(value))
        ]
        if values[0] != values[1]:
            shown = name if at is None else f"{name}[{module.enums['Player'].values[at]}]"
            one[shown], two[shown] = str(values[0]), str(values[1])
    return one, two
