"""A game that compares the measures of caller and callee at every call that may recur.

The measure is treated like a value that a contract compares with: the caller computes it, and its
value at the entry is known inside the procedure, where the next call is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve

from compiler import build as b
from compiler import ir
from compiler.circles import circles
from compiler.contracts import compared
from compiler.measures import smaller
from compiler.rule_id import rule_name


def with_less_to_do(module: ir.Module) -> ir.Module:
    """The same game, in which a recursive call that does not decrease the measure is a fault.

    The comparison is a contract, which `with_contracts` turns into code; if that has been done
    already, nothing is added.

    >>> import rules_dsl as rd
    >>> module = rd.load("pig").ir
    >>> with_less_to_do(module).procedures.keys() == module.procedures.keys()
    True
    """
    known = dict(module.procedures)
    for circle in circles(module.procedures):
        if any(_spelled_out(known[name]) for name in known.keys() & circle):
            continue
        for name in module.procedures.keys() & circle:
            procedure = known[name]
            known[name] = evolve(procedure, before=(*procedure.before, *procedure.decreases))
        inside = {name: known[name] for name in module.procedures.keys() & circle}
        known |= {name: _procedure(part, inside) for name, part in inside.items()}
    return evolve(module, procedures=known)


def _spelled_out(procedure: ir.Procedure) -> bool:
    return ir.before_name(0) in {param.name for param in procedure.params}


def _procedure(procedure: ir.Procedure, circle: Mapping[str, ir.Procedure]) -> ir.Procedure:
    blocks = []
    for block in procedure.blocks:
        last: Iterable[ir.Statement] = ()
        if isinstance(block.terminator, ir.Enter) and block.terminator.procedure in circle:
            last = _less(procedure, circle[block.terminator.procedure], block.terminator)
        blocks.append(evolve(block, statements=(*block.statements, *last)))
    return evolve(procedure, blocks=tuple(blocks))


def _less(procedure: ir.Procedure, callee: ir.Procedure, enter: ir.Enter) -> Iterator[ir.Statement]:
    """That the measure of a call is smaller than its caller's; none if they are not comparable."""
    number = len(procedure.decreases)
    if not number or number != len(callee.decreases):
        return
    first = len(procedure.before) - number
    now = compared(callee, enter.args)[-number:]
    then = [
        b.local(ir.before_name(first + at), value.lo, value.hi)
        for at, value in enumerate(procedure.decreases)
    ]
    what = f"{rule_name(callee.name)} has less to do"
    yield ir.Check(smaller(now, then), what, span=enter.span)
