"""A game that checks its contracts as it plays: `assumes`, `ensures` and `keeps` as assertions.

In play a contract costs nothing, since proofs have shown that it holds. Where they have not, or to
doubt them, a module with its contracts spelled out stops with a fault at the first that is broken.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from compiler import build as b
from compiler import ir
from compiler.lower.free import free
from compiler.measures import narrowed
from compiler.rule_id import rule_name
from compiler.transform import bound_names
from rules_dsl.language.spans import Span


def with_contracts(module: ir.Module, invariants: bool = False) -> ir.Module:
    """The same game, in which every contract is an assertion; so is every invariant, if asked for,
    wherever the game waits and at its end.

    An assertion is not a contract any more: doing this twice is the same as doing it once.

    >>> import rules_dsl as rd
    >>> module = rd.load("pig").ir
    >>> with_contracts(module).procedures.keys() == module.procedures.keys()
    True
    """
    routines: dict[str, ir.Routine] = {}
    for routine in module.routines.values():
        for part in _routine(routine):
            routines[part.name] = part
    functions = dict(module.functions)
    for procedure in module.procedures.values():
        if procedure.requires:
            required = _requirements(procedure)
            routines[required.name] = required
        functions |= {function.name: function for function in _ghosts(procedure)}
    stated = tuple(
        ir.Check(invariant.condition, f"the invariant {invariant.name}", span=invariant.span)
        for invariant in (module.invariants if invariants else ())
    )
    procedures = {name: _procedure(module, p, stated) for name, p in module.procedures.items()}
    return evolve(module, routines=routines, procedures=procedures, functions=functions)


def _routine(routine: ir.Routine) -> Iterator[ir.Routine]:
    """A routine with a contract becomes one that checks the contract before and after its body."""
    if not (routine.requires or routine.ensures):
        yield routine
        return
    rule, inner = rule_name(routine.name), f"{routine.name} inside"
    bare = evolve(routine, requires=(), ensures=(), before=())
    yield evolve(bare, name=inner)
    args = tuple(b.local(p.name, p.lo, p.hi) for p in routine.params)
    yield evolve(
        bare,
        body=(
            *_checks(routine.requires, f"what {rule} assumes", routine.span),
            *_remembered(routine.before, routine.span),
            ir.Do(inner, args, span=routine.span),
            *_checks(routine.ensures, f"what {rule} ensures", routine.span),
        ),
    )


def _requirements(procedure: ir.Procedure) -> ir.Routine:
    """Statements of a caller before the call: the entry itself may be the head of a loop."""
    rule = rule_name(procedure.name)
    checks = _checks(procedure.requires, f"what {rule} assumes", procedure.span)
    name = f"requirements of {procedure.name}"
    return ir.Routine(name, procedure.params, checks, procedure.span)


def _ghosts(procedure: ir.Procedure) -> Iterator[ir.Function]:
    """The values that a contract compares with: the caller computes them and passes them on."""
    for at, value in enumerate(procedure.before):
        name = f"{ir.before_name(at)} of {procedure.name}"
        yield ir.Function(name, procedure.params, value.lo, value.hi, value, procedure.span)


def compared(callee: ir.Procedure, args: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """The earlier values that a contract compares with, for a call with these arguments."""
    return tuple(ir.Call(ghost.name, args, lo=ghost.lo, hi=ghost.hi) for ghost in _ghosts(callee))


def _procedure(
    module: ir.Module, procedure: ir.Procedure, invariants: tuple[ir.Check, ...]
) -> ir.Procedure:
    rule = rule_name(procedure.name)
    blocks = []
    for block in procedure.blocks:
        terminator = block.terminator
        last: tuple[ir.Statement, ...] = ()
        if isinstance(terminator, ir.Exit):
            last = _checks(procedure.ensures, f"what {rule} ensures", terminator.span)
        elif isinstance(terminator, ir.Decide | ir.Chance | ir.End):
            last = invariants
        elif isinstance(terminator, ir.Enter):
            callee = module.procedures[terminator.procedure]
            if callee.requires:
                required = f"requirements of {callee.name}"
                last = (ir.Do(required, terminator.args, span=terminator.span),)
            terminator = evolve(
                terminator, args=(*terminator.args, *compared(callee, terminator.args))
            )
        kept = tuple(_kept(fact, block.span) for fact in block.facts)
        statements = (*kept, *block.statements, *last)
        blocks.append(evolve(block, statements=statements, terminator=terminator, facts=()))
    params = tuple(
        ir.Variable(ir.before_name(at), value.lo, value.hi)
        for at, value in enumerate(procedure.before)
    )
    return evolve(
        procedure,
        blocks=tuple(blocks),
        params=(*procedure.params, *params),
        requires=(),
        ensures=(),
        before=(),
    )


def _checks(conditions: tuple[ir.Expr, ...], what: str, span: Span) -> tuple[ir.Statement, ...]:
    return tuple(ir.Check(condition, what, span=span) for condition in conditions)


def _remembered(values: tuple[ir.Expr, ...], span: Span) -> Iterator[ir.Statement]:
    """The values at the entry that a contract compares with."""
    for at, value in enumerate(values):
        yield ir.SetLocal(b.local(ir.before_name(at), value.lo, value.hi), value, span=span)


def _kept(fact: ir.Expr, span: Span) -> ir.Statement:
    """What a loop keeps; after the last round it may mention an element that does not exist."""
    check = ir.Check(fact, "what the loop keeps", span=span)
    bound = bound_names(fact)
    inside = [
        b.and_(b.le(b.int_(n.lo), n.value), b.le(n.value, b.int_(n.hi)))
        for n in narrowed(fact)
        if not free(n.value) & bound
    ]
    condition = b.and_(*inside)
    return check if condition == b.TRUE else ir.Branch(condition, (check,), (), span=span)
