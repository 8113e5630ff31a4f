"""Read and write sets of rules: arrays and locals, through functions, routines and calls."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from attrs import frozen

from compiler import ir
from compiler.lower.free import free
from compiler.lower.lasting_locals import successors
from compiler.reads import ArrayReads
from compiler.traverse import every_statement


@frozen
class Reads:
    """The arrays and the locals that something reads."""

    arrays: frozenset[str]
    locals: frozenset[str]


class Effects:
    """Read and write sets of the rules of a module, computed once each."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.arrays = ArrayReads(module)
        self._reads: dict[int, tuple[ir.Expr, Reads]] = {}
        self._routines: dict[str, frozenset[str]] = {}

    # ---- reading -------------------------------------------------------------------------------

    def reads(self, expr: ir.Expr) -> Reads:
        """The cells that an expression reads."""
        found = self._reads.get(id(expr))
        if found is None:
            result = Reads(self.arrays.of(expr), frozenset(free(expr)))
            found = self._reads[id(expr)] = (expr, result)
        return found[1]

    def function(self, name: str) -> frozenset[str]:
        """The arrays that a function reads."""
        return self.arrays.function(name)

    # ---- writing -------------------------------------------------------------------------------

    def written(self, statements: Iterable[ir.Statement]) -> set[str]:
        """The arrays that statements write."""
        result: set[str] = set()
        for statement in every_statement(tuple(statements)):
            match statement:
                case ir.SetCell(target, _) | ir.PlaceCard(target):
                    result.add(target.array)
                case ir.Transfer(_, source, target):
                    result |= {source.array, target.array}
                case ir.Do(routine, _):
                    result |= self.routine(routine)
                case ir.SetLocal() | ir.SetLocalCell() | ir.Branch() | ir.Loop():
                    pass
                case ir.Check() | ir.Reveal() | ir.Leave():
                    pass
                case _:
                    raise AssertionError(statement)
        return result

    def written_locals(self, statements: Iterable[ir.Statement]) -> set[str]:
        """The locals that statements set."""
        result: set[str] = set()
        for statement in every_statement(tuple(statements)):
            match statement:
                case ir.SetLocal(target, _) | ir.SetLocalCell(target, _):
                    result.add(target.name)
                case ir.Loop(range_):
                    result.add(range_.name)
                case ir.SetCell() | ir.PlaceCard() | ir.Transfer() | ir.Branch():
                    pass
                case ir.Do() | ir.Check() | ir.Reveal() | ir.Leave():
                    pass
                case _:
                    raise AssertionError(statement)
        return result

    def routine(self, name: str) -> frozenset[str]:
        """The arrays that a routine writes."""
        if name not in self._routines:
            self._routines[name] = frozenset(self.written(self.module.routines[name].body))
        return self._routines[name]

    def procedure(self, name: str) -> frozenset[str]:
        """The arrays that a call of a procedure may have written when it comes back."""
        return self._procedures[name]

    @cached_property
    def calls(self) -> dict[str, frozenset[str]]:
        """The procedures that a procedure enters directly."""
        return {
            name: frozenset(
                b.terminator.procedure for b in p.blocks if isinstance(b.terminator, ir.Enter)
            )
            for name, p in self.module.procedures.items()
        }

    def callees_first(self, name: str) -> list[str]:
        """A procedure and all that it enters, directly or not, each after those that it enters."""
        order: list[str] = []
        # Each with the procedures that it enters and that are still to be visited.
        stack = [(name, sorted(self.calls[name]))]
        seen = {name}
        while stack:
            at, left = stack[-1]
            if not left:
                order.append(at)
                stack.pop()
                continue
            callee = left.pop(0)
            if callee not in seen:
                seen.add(callee)
                stack.append((callee, sorted(self.calls[callee])))
        return order

    @cached_property
    def returning(self) -> dict[str, frozenset[int]]:
        """The blocks of each procedure from which control may come back to the caller.

        Writes on the way to the end of the game have no reader.
        """
        result: dict[str, frozenset[int]] = {name: frozenset() for name in self.module.procedures}
        changed = True
        while changed:
            changed = False
            for name, procedure in self.module.procedures.items():
                found = set(result[name])
                for block in reversed(procedure.blocks):
                    if block.id not in found and self._returns(block, found, result):
                        found.add(block.id)
                if len(found) > len(result[name]):
                    result[name] = frozenset(found)
                    changed = True
        return result

    def _returns(self, block: ir.Block, found: set[int], result: dict[str, frozenset[int]]) -> bool:
        terminator = block.terminator
        if isinstance(terminator, ir.Exit):
            return True
        if isinstance(terminator, ir.Enter):
            callee = self.module.procedures[terminator.procedure]
            if callee.blocks[0].id not in result[callee.name]:
                return False
        return any(s in found for s in successors(terminator))

    @cached_property
    def _procedures(self) -> dict[str, frozenset[str]]:
        result: dict[str, frozenset[str]] = {
            name: frozenset(
                self.written(
                    s for b in p.blocks if b.id in self.returning[name] for s in b.statements
                )
            )
            for name, p in self.module.procedures.items()
        }
        changed = True
        while changed:
            changed = False
            for name, procedure in self.module.procedures.items():
                callees = [
                    b.terminator.procedure
                    for b in procedure.blocks
                    if isinstance(b.terminator, ir.Enter) and b.id in self.returning[name]
                ]
                total = result[name].union(*(result[c] for c in callees))
                if total != result[name]:
                    result[name] = total
                    changed = True
        return result

    @cached_property
    def waiting(self) -> frozenset[str]:
        """The procedures with decisions, chance or loops."""
        result = {
            name
            for name, p in self.module.procedures.items()
            if p.recursive
            or any(
                isinstance(b.terminator, ir.Decide | ir.Chance)
                or (isinstance(b.terminator, ir.Jump) and b.terminator.back)
                for b in p.blocks
            )
        }
        changed = True
        while changed:
            more = {n for n, callees in self.calls.items() if callees & result} - result
            result |= more
            changed = bool(more)
        return frozenset(result)
