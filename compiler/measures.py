"""A game that compares the measure of every loop at every round, as it plays.

That a measure decreases is proved. Where it is not, or to doubt it, the measure is kept when a
round begins and compared when the next one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from compiler import build as b
from compiler import ir
from compiler.lower.free import free
from compiler.transform import bound_names
from compiler.traverse import children

_WHAT = "the measure of the loop does not decrease"


def with_measures(module: ir.Module) -> ir.Module:
    """The same game, in which a round that does not decrease the measure of its loop is a fault.

    >>> import rules_dsl as rd
    >>> module = rd.load("pig").ir
    >>> with_measures(module).procedures.keys() == module.procedures.keys()
    True
    """
    procedures = {name: _procedure(part) for name, part in module.procedures.items()}
    return evolve(module, procedures=procedures)


def _procedure(procedure: ir.Procedure) -> ir.Procedure:
    heads = {block.id: block for block in procedure.blocks if block.measure}
    blocks = []
    for block in procedure.blocks:
        first: tuple[ir.Statement, ...] = ()
        last: tuple[ir.Statement, ...] = ()
        if block.id in heads:
            kept = tuple(
                ir.SetLocal(_kept(block, at), value, span=block.span)
                for at, value in enumerate(block.measure)
            )
            first = _where_defined(block, kept)
        jump = block.terminator
        if isinstance(jump, ir.Jump) and jump.back and jump.target in heads:
            head = heads[jump.target]
            check = ir.Check(_decreased(head), _WHAT, span=head.span)
            last = _where_defined(head, (check,))
        blocks.append(evolve(block, statements=(*first, *block.statements, *last)))
    variables = tuple(
        ir.Variable(_kept(head, at).name, value.lo, value.hi)
        for head in heads.values()
        for at, value in enumerate(head.measure)
    )
    return evolve(procedure, blocks=tuple(blocks), variables=(*procedure.variables, *variables))


def _kept(head: ir.Block, at: int) -> ir.Local:
    """The value of a part of the measure at the start of the round."""
    value = head.measure[at]
    return b.local(f"measure_{head.id}_{at}", value.lo, value.hi)


def _decreased(head: ir.Block) -> ir.Expr:
    return smaller(head.measure, [_kept(head, at) for at in range(len(head.measure))])


def smaller(measure: Sequence[ir.Expr], before: Sequence[ir.Expr]) -> ir.Expr:
    """Whether a measure is less than it was; the first part that differs counts."""
    less: ir.Expr = b.FALSE
    for now, then in reversed(list(zip(measure, before, strict=True))):
        less = b.or_(b.lt(now, then), b.and_(b.eq(now, then), less))
    return less


def _where_defined(
    head: ir.Block, statements: tuple[ir.Statement, ...]
) -> tuple[ir.Statement, ...]:
    """Statements about a measure, unless it mentions an element that no longer exists."""
    inside = [
        b.and_(b.le(b.int_(n.lo), n.value), b.le(n.value, b.int_(n.hi)))
        for value in head.measure
        for n in narrowed(value)
        if not free(n.value) & bound_names(value)
    ]
    condition = b.and_(*inside)
    if condition == b.TRUE:
        return statements
    return (ir.Branch(condition, statements, (), span=head.span),)


def narrowed(expr: ir.Expr) -> Iterator[ir.Narrow]:
    """The places of an expression at which a value is taken to be in a smaller range."""
    if isinstance(expr, ir.Narrow):
        yield expr
    for child in children(expr):
        yield from narrowed(child)
