"""The part of a position that a search among choices made together must remember.

Whether the choices can be finished depends on the cells that are read between here and there, and
on control. Positions that differ elsewhere, such as in where payments went, have one answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from attrs import frozen

from compiler import ir
from compiler.lower.lasting_locals import successors
from compiler.plan.points import Plan
from compiler.traverse import children, every_statement

# Where some bytes of a position begin and end; none is its end.
Bytes = tuple[int, int | None]


@frozen
class Remembered:
    """The bytes that decide whether choices can be finished: where they begin and end.

    What is `fixed` stays as it is from the first of the choices on. The last bytes that change,
    those of control, go on to the end of the position.
    """

    fixed: tuple[Bytes, ...]
    changing: tuple[Bytes, ...]
    # Those that change and are not given back by a search that gives back what is used up.
    lasting: tuple[Bytes, ...]


def remembered(plan: Plan, renewed: Collection[str]) -> Remembered:
    """The parts of a position that a search must remember, if some arrays can be given back."""
    read, written = arrays_read(plan), arrays_written(plan)
    control = plan.layout.control
    changing = read & written
    return Remembered(
        _spans(plan, read - written),
        _spans(plan, changing, control),
        _spans(plan, changing - set(renewed), control),
    )


def _spans(plan: Plan, arrays: Collection[str], end: int | None = None) -> tuple[Bytes, ...]:
    """Where arrays begin and end, and all from `end` on."""
    slots = [slot for name, slot in plan.layout.arrays.items() if name in arrays]
    found: list[Bytes] = []
    for first, last in (*((slot.offset, slot.end) for slot in slots), (end, None)):
        if first is None:
            continue
        if found and found[-1][1] == first:
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    return tuple(found)


def arrays_written(plan: Plan) -> frozenset[str]:
    """The arrays that may change from the first of the choices on until they are finished."""
    written: set[str] = set()
    for statements, terminator in stretch(plan):
        if isinstance(terminator, ir.Together | ir.Enter | ir.Chance):
            return frozenset(plan.ir.arrays)
        written |= _written(plan, statements)
    return frozenset(written)


def _written(plan: Plan, statements: tuple[ir.Statement, ...]) -> set[str]:
    written: set[str] = set()
    for statement in every_statement(statements):
        match statement:
            case ir.SetCell(target):
                written.add(target.array)
            case ir.Transfer(_, source, target):
                written |= {source.array, target.array}
            case ir.PlaceCard(target):
                written.add(target.array)
            case ir.Do(routine):
                written |= _written(plan, plan.ir.routines[routine].body)
            case (
                ir.SetLocal() | ir.SetLocalCell() | ir.Branch() | ir.Loop() | ir.Check()
                | ir.Reveal() | ir.Leave()
            ):  # fmt: skip
                pass
            case _:
                raise TypeError(f"unknown statement {statement}")
    return written


def arrays_read(plan: Plan) -> frozenset[str]:
    """The arrays that are read from choices made together on until they are finished."""
    read: set[str] = set()
    for statements, terminator in stretch(plan):
        read |= _statements(plan, statements) | _terminator(plan, terminator)
    return frozenset(read)


def looks_ahead(module: ir.Module) -> bool:
    """Whether there are choices made together, even if nothing finishes them."""
    ends = [b.terminator for p in module.procedures.values() for b in p.blocks]
    return any(isinstance(end, ir.Together) or _among(end) for end in ends)


def stretch(plan: Plan) -> Iterator[tuple[tuple[ir.Statement, ...], ir.Terminator]]:
    """The code that may run from choices made together until they are finished, block by block.

    Of a block that ends in such a choice, its statements are among them only if it follows one.
    """
    for procedure in plan.ir.procedures.values():
        blocks = {block.id: block for block in procedure.blocks}
        todo = [b for b in blocks.values() if _among(b.terminator)]
        for block in todo:
            yield (), block.terminator
        seen: set[int] = set()
        waiting = [target for b in todo for target in successors(b.terminator)]
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            block = blocks[number]
            yield block.statements, block.terminator
            if not (isinstance(block.terminator, ir.Jump) and block.terminator.finishes):
                waiting += successors(block.terminator)


def _among(terminator: ir.Terminator) -> bool:
    return isinstance(terminator, ir.Decide) and terminator.together


def _statements(plan: Plan, statements: Iterable[ir.Statement]) -> set[str]:
    read: set[str] = set()
    for statement in every_statement(tuple(statements)):
        for expr in _values(statement):
            read |= plan.reads.of(expr)
        if isinstance(statement, ir.Do):
            read |= _statements(plan, plan.ir.routines[statement.routine].body)
    return read


def _values(statement: ir.Statement) -> Iterator[ir.Expr]:
    """The expressions whose values decide what a statement does.

    What a cell held that is written does not, nor how much there was where goods go: they always
    fit, as there are never more of them.
    """
    match statement:
        case ir.SetCell(target, value):
            yield from children(target)
            yield value
        case ir.Transfer(_, source, target, amount):
            yield from children(target)
            yield source
            yield amount
        case ir.PlaceCard(target, source, place):
            yield from children(target) if source is None else (target, source)
            yield place
        case ir.SetLocal() | ir.SetLocalCell() | ir.Check() | ir.Reveal() | ir.Leave():
            yield from children(statement)
        case ir.Branch() | ir.Loop() | ir.Do():
            yield from children(statement)
        case _:
            raise TypeError(f"unknown statement {statement}")


def _terminator(plan: Plan, node: ir.Terminator) -> set[str]:
    match node:
        case ir.Jump() | ir.Together() | ir.Exit() | ir.End():
            found: list[ir.Expr] = []
        case ir.Fork(condition):
            found = [condition]
        case ir.Enter(_, args):
            found = list(args)
        case ir.Decide():
            found = [node.actor, *(e for o in node.options for e in _option(o))]
        case ir.Chance(_, range_, where, weight):
            found = [range_.low, range_.high, *(e for e in (where, weight) if e is not None)]
        case _:
            raise TypeError(f"unknown terminator {node}")
    return {array for expr in found for array in plan.reads.of(expr)}


def _option(option: ir.Option) -> Iterator[ir.Expr]:
    for param in option.params:
        yield param.range.low
        yield param.range.high
    for line in option.head:
        yield line.value if isinstance(line, ir.Define) else line.condition
