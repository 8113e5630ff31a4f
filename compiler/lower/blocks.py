"""Blocks while they are filled, and the blocks that remain."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from compiler import ir
from compiler.lower.lasting_locals import successors
from compiler.lower.names import LocalNames, Lowering
from compiler.lower.statements import Statements
from rules_dsl.language.spans import NOWHERE, Span


@define
class _Open:
    """A block being filled."""

    id: int
    statements: list[ir.Statement] = field(factory=list)
    facts: tuple[ir.Expr, ...] = ()
    measure: tuple[ir.Expr, ...] = ()
    span: Span = NOWHERE
    endless: str = ""


class Blocks(Statements):
    """Fills the blocks of one procedure."""

    def __init__(self, lowering: Lowering, names: LocalNames) -> None:
        super().__init__(lowering, names)
        self.done: dict[int, ir.Block] = {}
        self.count = 0
        self.current: _Open | None = None

    def new(self) -> int:
        """The number of a new block."""
        self.count += 1
        return self.count - 1

    def open(self, number: int, span: Span = NOWHERE) -> _Open:
        """Start filling a block."""
        self.current = _Open(number, span=span)
        return self.current

    def close(self, terminator: ir.Terminator) -> None:
        """Finish the block being filled."""
        if self.current is None:
            return
        block = self.current
        self.done[block.id] = ir.Block(
            block.id,
            tuple(block.statements),
            terminator,
            block.facts,
            block.measure,
            block.span,
            block.endless,
        )
        self.current = None

    def cut(self, terminator: ir.Terminator, number: int) -> None:
        """Finish a block and continue in another."""
        self.close(terminator)
        self.open(number, terminator.span)

    def finish(self) -> tuple[ir.Block, ...]:
        """All blocks that something leads to, in order."""
        return tidy(tuple(self.done[k] for k in sorted(self.done)))

    def add(self, *statements: ir.Statement) -> None:
        """Go on in the block being filled."""
        assert self.current is not None
        self.current.statements += statements

    def keep(self, name: str, value: ir.Expr, span: Span) -> ir.Local:
        """Keep a value in a local that outlives the block."""
        target = self.names.scratch(name, value.lo, value.hi)
        self.add(ir.SetLocal(target, value, span=span))
        return target


def tidy(blocks: tuple[ir.Block, ...]) -> tuple[ir.Block, ...]:
    """Shorten jumps to empty blocks, drop blocks that nothing leads to, number the rest."""
    by_id = {block.id: block for block in blocks}

    def resolve(number: int) -> int:
        seen = set()
        while number not in seen:
            seen.add(number)
            block = by_id[number]
            plain = not block.statements and not block.facts and not block.heads_loop
            jump = block.terminator
            if plain and isinstance(jump, ir.Jump) and not (jump.back or jump.finishes):
                number = jump.target
            else:
                break
        return number

    entry = resolve(blocks[0].id)
    reached: set[int] = set()
    todo = [entry]
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            todo += map(resolve, successors(by_id[number].terminator))
    order = {number: at for at, number in enumerate([entry, *sorted(reached - {entry})])}

    def moved(number: int) -> int:
        return order[resolve(number)]

    return tuple(
        evolve(by_id[number], id=at, terminator=_redirect(by_id[number].terminator, moved))
        for number, at in order.items()
    )


def _redirect(terminator: ir.Terminator, moved: Callable[[int], int]) -> ir.Terminator:
    match terminator:
        case ir.Jump() | ir.Enter() | ir.Chance():
            return evolve(terminator, target=moved(terminator.target))
        case ir.Fork() | ir.Together():
            return evolve(
                terminator, then=moved(terminator.then), otherwise=moved(terminator.otherwise)
            )
        case ir.Decide():
            options = tuple(evolve(o, target=moved(o.target)) for o in terminator.options)
            skip = None if terminator.skip is None else moved(terminator.skip)
            return evolve(terminator, options=options, skip=skip)
    return terminator
