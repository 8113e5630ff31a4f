"""What calls and branches lead to from the start of the game, if some arms are never taken."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.lower.lasting_locals import successors
from compiler.traverse import parts

# A rule or the mark of an arm, by name; or a block of a procedure.
Reached = str | tuple[str, int]


def reached(marked: ir.Module, closed: frozenset[str]) -> set[Reached]:
    """The rules, marks and blocks of a module with marks in its arms; nothing in closed arms.

    >>> import rules_dsl as rd
    >>> from verify.analysis.branches import marked_for_play
    >>> marked = marked_for_play(rd.load("tic_tac_toe").ir)
    >>> sorted(reached(marked, frozenset()) - reached(marked, frozenset({"branch 1"})), key=str)
    [('play', 5), 'branch 1']
    """
    found: set[Reached] = set()
    todo: list[Reached] = [marked.main]
    while todo:
        at = todo.pop()
        if at in found:
            continue
        if isinstance(at, tuple):
            block = marked.procedures[at[0]].blocks[at[1]]
            if _begins_closed(block.statements, closed):
                continue
            todo += _calls(block.statements, closed)
            todo += [(at[0], number) for number in successors(block.terminator)]
            if isinstance(block.terminator, ir.Enter):
                todo.append(block.terminator.procedure)
        elif at in marked.procedures:
            todo.append((at, marked.procedures[at].blocks[0].id))
        elif at in marked.routines:
            todo += _calls(marked.routines[at].body, closed)
        found.add(at)
    return found


def _calls(body: tuple[ir.Statement, ...], closed: frozenset[str]) -> Iterator[str]:
    """The routines that some statements call."""
    if _begins_closed(body, closed):
        return
    for statement in body:
        if isinstance(statement, ir.Do):
            yield statement.routine
        for name, part in parts(type(statement)):
            if part == "body":
                yield from _calls(getattr(statement, name), closed)


def _begins_closed(body: tuple[ir.Statement, ...], closed: frozenset[str]) -> bool:
    """Whether some statements are a closed arm: it begins with its mark."""
    first = body[0] if body else None
    return isinstance(first, ir.Do) and first.routine in closed
