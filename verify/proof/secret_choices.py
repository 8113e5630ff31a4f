"""Secret choices of which it is plain that nothing shows before all have chosen.

What a player chooses is kept for each player, and until then read by nobody but that player.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.lower.free import free, free_in_head, mentioned, union
from compiler.lower.liveness import successors


def kept_apart(procedure: ir.Procedure, decide: ir.Decide) -> bool:
    """Whether what is chosen only becomes known as the value of a player, when all have chosen.

    A value that the rules use at once, and an action, are matters for a comparison of two games.
    """
    if any(option.action for option in decide.options):
        return False
    ends = [procedure.blocks[option.target] for option in decide.options]
    if len(ends) > 1:
        quiet = all(
            isinstance(end.terminator, ir.Jump)
            and all(isinstance(x, ir.SetLocal | ir.SetLocalCell) for x in end.statements)
            for end in ends
        )
        if not quiet or len({tuple(successors(end.terminator)) for end in ends}) > 1:
            return False
    names = _copies(procedure, {p.range.name for o in decide.options for p in o.params})
    return not any(names & used for used in _uses(procedure))


def _copies(procedure: ir.Procedure, names: set[str]) -> set[str]:
    """The locals that are given the values of others."""
    while True:
        found = {
            statement.target.name
            for block in procedure.blocks
            for statement in block.statements
            if isinstance(statement, ir.SetLocal) and free(statement.value) & names
        }
        if found <= names:
            return names
        names = names | found


def _uses(procedure: ir.Procedure) -> Iterator[set[str]]:
    """What is read other than to be kept, or by those who choose in secret themselves."""
    for block in procedure.blocks:
        for statement in block.statements:
            match statement:
                case ir.SetLocal():
                    pass
                case ir.SetLocalCell(target, _):
                    yield free(target.index)
                case _:
                    yield mentioned(statement)
        match block.terminator:
            case ir.Decide(_, actor, options, secret, skip):
                yield free(actor)
                # Everybody sees whether somebody is asked at all.
                if not secret or skip is not None:
                    yield set().union(*(free_in_head(option) for option in options))
            case ir.Fork(condition):
                yield free(condition)
            case ir.Enter(_, args):
                yield union(args)
            case ir.Chance(_, range_, where, weight):
                parts = (range_.low, range_.high, where, weight)
                yield union(part for part in parts if part is not None)
            case ir.Jump() | ir.Together() | ir.Exit() | ir.End():
                pass
            case terminator:
                raise AssertionError(terminator)
