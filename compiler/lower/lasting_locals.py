"""The locals of a procedure that outlive the function that sets them, and so live in the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from compiler import ir
from compiler.lower.free import free, free_in_head, mentioned, union


def successors(terminator: ir.Terminator) -> list[int]:
    """The blocks of the same procedure that control may go to next."""
    match terminator:
        case ir.Jump() | ir.Enter() | ir.Chance():
            return [terminator.target]
        case ir.Fork() | ir.Together():
            return [terminator.then, terminator.otherwise]
        case ir.Decide():
            found = [o.target for o in terminator.options]
            return found if terminator.skip is None else [*found, terminator.skip]
        case ir.Exit() | ir.End():
            return []
    raise AssertionError(terminator)


def arrivals(blocks: Iterable[ir.Block]) -> Counter[int]:
    """Number of paths that lead to each block; a block with more than one is a function.

    The entry, the return point of a call, the head of a loop, and where choices made together
    begin and end always are.
    """
    ordered = list(blocks)
    count = Counter({ordered[0].id: 2})
    for block in ordered:
        match block.terminator:
            case ir.Enter(_, _, target) | ir.Jump(target, True) | ir.Jump(target, _, True):
                count[target] += 2
            case ir.Together(then, otherwise):  # it is tried from here
                count[then] += 2
                count[otherwise] += 1
            case terminator:
                count.update(successors(terminator))
    return count


def _reads(terminator: ir.Terminator) -> set[str]:
    """The locals that the end of a block reads at once."""
    match terminator:
        case ir.Fork(condition):
            return free(condition)
        case ir.Enter(_, args):
            return union(args)
        case ir.Decide() | ir.Chance():
            return _awaits(terminator)
        case ir.Jump() | ir.Together() | ir.Exit() | ir.End():
            return set()
    raise AssertionError(terminator)


def _awaits(terminator: ir.Terminator) -> set[str]:
    """The locals that a decision or chance reads when the state comes back."""
    match terminator:
        case ir.Decide(_, actor, options):
            return free(actor).union(*(free_in_head(o) for o in options))
        case ir.Chance(_, range_, where, weight):
            read = free(range_.low) | free(range_.high)
            for part in (where, weight):
                if part is not None:
                    read |= free(part) - {range_.name}
            return read
    return set()


def _use_and_set(block: ir.Block) -> tuple[set[str], set[str]]:
    """Locals read before they are set, and locals set for certain."""
    used: set[str] = union((*block.facts, *block.measure))
    certain: set[str] = set()
    for statement in block.statements:
        if isinstance(statement, ir.SetLocal):
            used |= free(statement.value) - certain
            certain.add(statement.target.name)
        else:
            used |= mentioned(statement) - certain
    return used | (_reads(block.terminator) - certain), certain


def _chosen(terminator: ir.Terminator, target: int) -> set[str]:
    """The locals that a move sets on its way to a block."""
    match terminator:
        case ir.Decide():
            return {
                p.range.name for o in terminator.options if o.target == target for p in o.params
            }
        case ir.Chance():
            return {terminator.range.name}
    return set()


def lasting(
    blocks: tuple[ir.Block, ...],
    params: tuple[ir.Variable, ...],
    variables: dict[str, ir.Variable],
) -> tuple[ir.Variable, ...]:
    """The locals that must be kept in the state, in the order in which they were declared."""
    parts = {block.id: _use_and_set(block) for block in blocks}
    alive: dict[int, set[str]] = {block.id: set() for block in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            used, certain = parts[block.id]
            after: set[str] = set()
            for target in successors(block.terminator):
                after |= alive[target] - _chosen(block.terminator, target)
            now = used | (after - certain)
            if now != alive[block.id]:
                alive[block.id] = now
                changed = True
    kept: set[str] = set()
    count = arrivals(blocks)
    for block in blocks:
        kept |= _awaits(block.terminator)
        if count[block.id] > 1:
            kept |= alive[block.id]
        if isinstance(block.terminator, ir.Decide | ir.Chance):
            for target in successors(block.terminator):
                kept |= alive[target] - _chosen(block.terminator, target)
    taken = {p.name for p in params}
    return tuple(
        v
        for name, v in variables.items()
        if name not in taken
        and (name in kept or v.size > 1)
        and (v.size == 1 or _mentioned_anywhere(name, parts))
    )


def _mentioned_anywhere(name: str, parts: dict[int, tuple[set[str], set[str]]]) -> bool:
    return any(name in used or name in certain for used, certain in parts.values())
