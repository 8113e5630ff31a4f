"""Procedures without decisions that may end the game are spliced into their callers.

They are procedures only because `end` cuts the course of the game; spliced in, they cost nothing.
"""

from __future__ import annotations

from attrs import evolve

from compiler import ir
from compiler.lower.lasting_locals import lasting
from compiler.lower.rename import rename_block
from compiler.rule_id import is_action

MAX_BLOCKS = 12
# Maximum number of blocks of a procedure that others are still spliced into.
MAX_CALLER = 100


def _simple(procedure: ir.Procedure) -> bool:
    plain = ir.Jump | ir.Fork | ir.Exit | ir.End
    return (
        len(procedure.blocks) <= MAX_BLOCKS
        and not procedure.requires
        and not procedure.ensures
        and all(
            isinstance(b.terminator, plain)
            and not (isinstance(b.terminator, ir.Jump) and b.terminator.back)
            for b in procedure.blocks
        )
    )


def inline_simple(
    procedures: dict[str, ir.Procedure], variables: dict[str, dict[str, ir.Variable]]
) -> dict[str, ir.Procedure]:
    """All procedures, with the simple ones spliced into those that call them."""
    result = dict(procedures)
    changed = True
    while changed:
        changed = False
        simple = {name for name, p in result.items() if name != "play" and _simple(p)}
        for name, procedure in list(result.items()):
            calls = [
                b
                for b in procedure.blocks
                if isinstance(b.terminator, ir.Enter) and b.terminator.procedure in simple
            ]
            if calls and len(procedure.blocks) <= MAX_CALLER:
                result[name] = _splice(procedure, calls[0], result, variables)
                changed = True
    called = {
        b.terminator.procedure
        for p in result.values()
        for b in p.blocks
        if isinstance(b.terminator, ir.Enter)
    }
    return {
        name: p
        for name, p in result.items()
        # A simple procedure stays only if examples may start it by name.
        if name in called or not _simple(p) or not is_action(name)
    }


def _splice(
    caller: ir.Procedure,
    block: ir.Block,
    procedures: dict[str, ir.Procedure],
    variables: dict[str, dict[str, ir.Variable]],
) -> ir.Procedure:
    enter = block.terminator
    assert isinstance(enter, ir.Enter)
    callee = procedures[enter.procedure]
    own = variables[caller.name]
    first = max(b.id for b in caller.blocks) + 1
    numbers = {b.id: first + k for k, b in enumerate(callee.blocks)}
    names: dict[str, str] = {}
    for name, variable in {**{p.name: p for p in callee.params}, **variables[callee.name]}.items():
        fresh = name
        count = 2
        while fresh in own or fresh in names.values():
            fresh = f"{name}_{count}"
            count += 1
        names[name] = fresh
        own[fresh] = evolve(variable, name=fresh)
    settings = tuple(
        ir.SetLocal(ir.Local(names[p.name], lo=p.lo, hi=p.hi), arg, span=enter.span)
        for p, arg in zip(callee.params, enter.args, strict=True)
    )
    head = evolve(
        block,
        statements=block.statements + settings,
        terminator=ir.Jump(numbers[callee.blocks[0].id], span=enter.span),
    )
    spliced = tuple(rename_block(b, names, numbers, enter.target) for b in callee.blocks)
    blocks = tuple(head if b.id == block.id else b for b in caller.blocks) + spliced
    from compiler.lower.blocks import tidy

    tidied = merge(tidy(blocks))
    return evolve(caller, blocks=tidied, variables=lasting(tidied, caller.params, own))


def merge(blocks: tuple[ir.Block, ...]) -> tuple[ir.Block, ...]:
    """Join a block with the only one that follows it, if nothing else leads there."""
    from compiler.lower.blocks import tidy
    from compiler.lower.lasting_locals import arrivals

    by_id = {b.id: b for b in blocks}
    count = arrivals(blocks)
    changed = True
    while changed:
        changed = False
        for block in list(by_id.values()):
            if block.id not in by_id:
                continue
            jump = by_id[block.id].terminator
            if not isinstance(jump, ir.Jump) or jump.back or count[jump.target] != 1:
                continue
            after = by_id[jump.target]
            if after.id == block.id or after.facts or after.heads_loop:
                continue
            current = by_id[block.id]
            by_id[block.id] = evolve(
                current,
                statements=current.statements + after.statements,
                terminator=after.terminator,
            )
            del by_id[after.id]
            changed = True
    return tidy(tuple(by_id.values()))
