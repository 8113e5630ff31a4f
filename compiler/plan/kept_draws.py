"""Draws that decide the contents of hidden places: their outcome is a secret, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from compiler import ir
from compiler.lower.free import free, union
from compiler.plan.dependent_blocks import DependentBlocks
from compiler.traverse import every_statement
from rules_dsl.language.viewers import everybody

# Locals by rule.
Locals = set[tuple[str, str]]
Rule = ir.Procedure | ir.Routine


def kept_draws(module: ir.Module, hidden: set[str]) -> Locals:
    """The drawn locals, each with its rule, that decide the contents of a hidden array.

    The drawn card or good lies there itself, or whether something is put there depends on it.
    """
    drawn = {
        (name, block.terminator.range.name)
        for name, procedure in module.procedures.items()
        for block in procedure.blocks
        if isinstance(block.terminator, ir.Chance)
    }
    return _DecidingLocals(module, hidden).locals() & drawn if drawn and hidden else set()


@define
class _DecidingLocals:
    """All locals that decide the contents of the hidden arrays."""

    module: ir.Module
    hidden: set[str]
    found: Locals = field(factory=set)
    # The rules that may put something there, by their calls as well.
    storing: set[str] = field(factory=set)
    dependent: DependentBlocks = field(factory=DependentBlocks)

    def locals(self) -> Locals:
        """The locals, each with its rule."""
        rules: list[Rule] = [*self.module.procedures.values(), *self.module.routines.values()]
        size = -1
        while len(self.found) + len(self.storing) > size:
            size = len(self.found) + len(self.storing)
            for rule in rules:
                if any(self.stores(rule.name, s) for s in _statements(rule)) or any(
                    end.procedure in self.storing for end in _calls(rule)
                ):
                    self.storing.add(rule.name)
                self.found |= {(rule.name, local) for local in self.of_rule(rule)}
                for call in _calls(rule):
                    params = self.module.procedures[call.procedure].params
                    self.found |= self.passed(rule.name, call.procedure, params, call.args)
        return self.found

    def of_rule(self, rule: Rule) -> Iterator[str]:
        """The locals of a rule that decide the values that its statements and blocks store."""
        for statement in _statements(rule):
            yield from self.of_statement(rule.name, statement)
        if not isinstance(rule, ir.Procedure):
            return
        for block in rule.blocks:
            match block.terminator:
                case ir.Chance(_, range_, where, weight) if (rule.name, range_.name) in self.found:
                    told_by = (range_.low, range_.high, where, weight)
                    yield from union(e for e in told_by if e is not None)
                case ir.Fork(condition) if self.way_stores(rule, block):
                    yield from free(condition)

    def of_statement(self, rule: str, statement: ir.Statement) -> Iterator[str]:
        """The locals that decide the values that a statement stores."""
        match statement:
            case ir.SetCell(target, value) if target.array in self.hidden:
                yield from union((value, *target.index))
            case ir.Transfer(_, source, target, amount):
                if target.array in self.hidden:
                    yield from union((amount, *target.index, *source.index))
                elif source.array in self.hidden:
                    # The good itself is seen where it arrives.
                    yield from union((amount, *source.index[:-1]))
            case ir.PlaceCard(target, source, place) if target.array in self.hidden:
                yield from union(target.index)
                yield from union(
                    e for e in (source, place) if e is not None and self.dark(target.array, e)
                )
            case ir.SetLocal(target, value) if (rule, target.name) in self.found:
                yield from free(value)
            case ir.SetLocalCell(target, value) if (rule, target.name) in self.found:
                yield from union((value, target.index))
            case ir.Branch(condition, then, otherwise):
                if any(self.stores(rule, s) for s in every_statement((*then, *otherwise))):
                    yield from free(condition)
            case ir.Loop(range_, body):
                if any(self.stores(rule, s) for s in every_statement(body)):
                    yield from union((range_.low, range_.high))
            case ir.Do(routine, args):
                params = self.module.routines[routine].params
                yield from (local for _, local in self.passed(rule, routine, params, args))

    def passed(
        self, rule: str, callee: str, params: Iterable[ir.Variable], args: Iterable[ir.Expr]
    ) -> Locals:
        """The locals that a call passes on to parameters that were found."""
        return {
            (rule, local)
            for param, arg in zip(params, args, strict=True)
            if (callee, param.name) in self.found
            for local in free(arg)
        }

    def stores(self, rule: str, statement: ir.Statement) -> bool:
        """Whether a statement, without those inside it, may change something hidden."""
        match statement:
            case ir.SetCell(target):
                return target.array in self.hidden
            case ir.Transfer(_, source, target):
                return source.array in self.hidden or target.array in self.hidden
            case ir.PlaceCard(target, source, place):
                ends = (source, place)
                return target.array in self.hidden and any(self.dark(target.array, e) for e in ends)
            case ir.SetLocal(target) | ir.SetLocalCell(target):
                return (rule, target.name) in self.found
            case ir.Do(routine):
                return routine in self.storing
            case ir.Leave():
                return rule in self.storing  # what comes after it may store something
            case ir.Branch() | ir.Loop() | ir.Check() | ir.Reveal():
                return False  # those inside are met by themselves
            case _:
                raise AssertionError(statement)

    def way_stores(self, rule: ir.Procedure, fork: ir.Block) -> bool:
        """Whether a fork decides if something is stored."""
        dependent = self.dependent.of(rule, fork.id)
        return any(self.block_stores(rule.name, rule.blocks[at]) for at in dependent)

    def block_stores(self, rule: str, block: ir.Block) -> bool:
        """Whether a block, with what it calls or draws, may change something hidden."""
        if any(self.stores(rule, s) for s in every_statement(block.statements)):
            return True
        match block.terminator:
            case ir.Enter(procedure):
                return procedure in self.storing
            case ir.Chance(_, range_):
                return (rule, range_.name) in self.found
            case ir.Jump() | ir.Fork() | ir.Together() | ir.Decide() | ir.Exit() | ir.End():
                return False
            case _:
                raise AssertionError(block.terminator)

    def dark(self, array: str, place: ir.Expr | None) -> bool:
        """Whether a place of cards may be one that not everybody sees."""
        seen = everybody(self.module.players)
        return place is None or any(
            place.lo < zone.first + zone.places and zone.first <= place.hi
            for zone in self.module.zones.values()
            if zone.array == array and zone.viewers != seen
        )


def _statements(rule: Rule) -> Iterator[ir.Statement]:
    if isinstance(rule, ir.Routine):
        yield from every_statement(rule.body)
        return
    for block in rule.blocks:
        yield from every_statement(block.statements)


def _calls(rule: Rule) -> Iterator[ir.Enter]:
    for block in rule.blocks if isinstance(rule, ir.Procedure) else ():
        if isinstance(block.terminator, ir.Enter):
            yield block.terminator
