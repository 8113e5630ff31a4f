"""Ghosts: cells that only proofs read; they do not exist in play.

The checker makes sure that nothing but contracts, invariants, measures and changes of ghosts reads
a ghost. So a game without all of these has the same moves, and each of its positions is a position
of the whole game with the ghosts left out: everything proved of the whole game holds in play.
"""

from __future__ import annotations

from attrs import evolve

from compiler import ir
from compiler.reads import ArrayReads
from compiler.traverse import Body, bodies, map_statement

# Why no measure of a loop is known in play.
_MEASURED = "its measure counts with ghosts"


def ghosts(module: ir.Module) -> frozenset[str]:
    """The arrays of a module that only proofs read.

    >>> import rules_dsl as rd
    >>> ghosts(rd.load("pig").ir)
    frozenset()
    """
    return frozenset(name for name, array in module.arrays.items() if array.ghost)


def without_ghosts(module: ir.Module) -> ir.Module:
    """The module for play: no ghosts, and no contracts, which only proofs and checks need."""
    names = ghosts(module)
    if not names:
        return module
    return _Play(module, names).module()


class _Play:
    """Removes the ghosts of a module."""

    def __init__(self, module: ir.Module, names: frozenset[str]) -> None:
        self.whole = module
        self.names = names
        self.reads = ArrayReads(module)
        bare = {name: self.left(routine.body) for name, routine in module.routines.items()}
        # Routines with nothing left to do.
        self.idle = {name for name, body in bare.items() if module.routines[name].body and not body}

    def module(self) -> ir.Module:
        """The module without its ghosts."""
        whole = self.whole
        return evolve(
            whole,
            arrays={n: array for n, array in whole.arrays.items() if n not in self.names},
            functions={n: f for n, f in whole.functions.items() if not self.reading(f.body)},
            routines={n: self.routine(r) for n, r in whole.routines.items()},
            procedures={n: self.procedure(p) for n, p in whole.procedures.items()},
            invariants=tuple(i for i in whole.invariants if not self.reading(i.condition)),
            left_out=tuple(sorted(self.names)),
        )

    def reading(self, expr: ir.Expr) -> bool:
        """Whether an expression reads a ghost."""
        return not self.names.isdisjoint(self.reads.of(expr))

    def routine(self, routine: ir.Routine) -> ir.Routine:
        body = self.called(self.left(routine.body))
        return evolve(routine, body=body, requires=(), ensures=(), before=())

    def procedure(self, procedure: ir.Procedure) -> ir.Procedure:
        blocks = tuple(self.block(block) for block in procedure.blocks)
        return evolve(procedure, blocks=blocks, requires=(), ensures=(), before=(), decreases=())

    def block(self, block: ir.Block) -> ir.Block:
        block = evolve(block, statements=self.called(self.left(block.statements)), facts=())
        if any(self.reading(part) for part in block.measure):
            return evolve(block, measure=(), endless=_MEASURED)
        return block

    def left(self, body: Body) -> Body:
        """Statements without changes of ghosts."""
        left: list[ir.Statement] = []
        for statement in body:
            match statement:
                case ir.SetCell(target):
                    kept = target.array not in self.names
                case ir.SetLocal():  # of what a set becomes, put aside before its cells change
                    kept = not self.reading(statement.value)
                case ir.Check(condition):
                    kept = not self.reading(condition)
                case ir.Branch() | ir.Loop():
                    whole = statement
                    statement = map_statement(whole, lambda expr: expr, self.left)
                    kept = any(bodies(statement)) or not any(bodies(whole))
                case ir.SetLocalCell() | ir.Transfer() | ir.PlaceCard():
                    kept = True
                case ir.Do() | ir.Reveal() | ir.Leave():
                    kept = True
                case _:
                    raise TypeError(f"unknown statement {statement}")
            if kept:
                left.append(statement)
        return tuple(left)

    def called(self, body: Body) -> Body:
        """Statements without the calls of routines that have nothing left to do."""
        return tuple(
            map_statement(statement, lambda expr: expr, self.called)
            for statement in body
            if not (isinstance(statement, ir.Do) and statement.routine in self.idle)
        )
