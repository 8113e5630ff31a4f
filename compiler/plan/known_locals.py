"""The locals that a decision is about, and those of them that are public.

A decision may read parameters, loop variables and other locals of its rule: "sell how much of this
good". Those that were computed from public values are public; those that come
from something hidden are not. A local that is not certain to be public counts as hidden.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.lower.free import free, free_in_head
from compiler.plan.dependent_blocks import DependentBlocks
from compiler.plan.kept_draws import kept_draws
from compiler.reads import ArrayReads
from compiler.traverse import children, every_statement
from rules_dsl.language.viewers import everybody

Rule = ir.Procedure | ir.Routine
# The local that counts the players in a round of secret choices.
ROUND = "turn_of"


def read_by(decide: ir.Decide) -> set[str]:
    """The locals that a decision reads: who decides, what may be chosen and what it is called."""
    return free(decide.actor).union(*(free_in_head(option) for option in decide.options))


def guarded_by(end: ir.Decide | ir.Chance) -> Iterator[ir.Expr]:
    """The expressions that decide the moves, and the probabilities of outcomes."""
    match end:
        case ir.Decide():
            yield end.actor
            for option in end.options:
                for param in option.params:
                    yield from (param.range.low, param.range.high)
                for line in option.head:
                    yield line.value if isinstance(line, ir.Define) else line.condition
        case ir.Chance():
            yield from (end.range.low, end.range.high)
            yield from (part for part in (end.where, end.weight) if part is not None)


class PublicLocals:
    """The public locals of every rule."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        seen = everybody(module.players)
        self.hidden_arrays = {n for n, a in module.arrays.items() if a.viewers != seen}
        self.hidden_arrays |= {z.array for z in module.zones.values() if z.viewers != seen}
        self.arrays = ArrayReads(module)
        self.kept = kept_draws(module, self.hidden_arrays)
        self.dependent = DependentBlocks()
        self.secret: dict[str, set[str]] = {}
        rules: list[Rule] = [*module.procedures.values(), *module.routines.values()]
        changed = True
        while changed:
            changed = False
            for rule in rules:
                for name, local in self._learnt(rule):
                    if local not in self.secret.setdefault(name, set()):
                        self.secret[name].add(local)
                        changed = True

    def depends_on_hidden(self, rule: str, end: ir.Decide | ir.Chance) -> bool:
        """Whether something hidden may decide which moves there are at a decision point."""
        return any(self._hidden(rule, part) for part in guarded_by(end))

    def public(self, rule: str, local: str) -> bool:
        """Whether everybody may know a local of a rule."""
        return local not in self.secret.get(rule, ())

    def _learnt(self, rule: Rule) -> Iterator[tuple[str, str]]:
        """Locals, each with its rule, that get a value from something hidden."""
        if isinstance(rule, ir.Routine):
            for statement in every_statement(rule.body):
                yield from self._set_by(rule.name, statement)
            return
        for block in rule.blocks:
            for statement in every_statement(block.statements):
                yield from self._set_by(rule.name, statement)
            yield from self._set_by_end(rule.name, block.terminator)
            if isinstance(block.terminator, ir.Fork | ir.Together):
                yield from self._set_behind(rule, block)

    def _set_by(self, rule: str, statement: ir.Statement) -> Iterator[tuple[str, str]]:
        match statement:
            case ir.SetLocal(target, value) | ir.SetLocalCell(target, value):
                if self._hidden(rule, value):
                    yield rule, target.name
            case ir.Branch(condition) if self._hidden(rule, condition):
                # A value set in a branch on something hidden reveals the way taken.
                for inner in every_statement((*statement.then, *statement.otherwise)):
                    if isinstance(inner, ir.SetLocal | ir.SetLocalCell):
                        yield rule, inner.target.name
            case ir.Loop(range_):
                if self._hidden(rule, range_.low) or self._hidden(rule, range_.high):
                    yield rule, range_.name
            case ir.Do(routine, args):
                yield from self._passed(rule, self.module.routines[routine], args)
            case ir.Branch() | ir.SetCell() | ir.Transfer() | ir.PlaceCard() | ir.Check():
                return  # these set no locals
            case ir.Reveal() | ir.Leave():
                return
            case _:
                raise AssertionError(statement)

    def _set_by_end(self, rule: str, end: ir.Terminator) -> Iterator[tuple[str, str]]:
        match end:
            case ir.Enter(procedure, args):
                yield from self._passed(rule, self.module.procedures[procedure], args)
            case ir.Decide():
                for option in end.options:
                    for param in option.params:
                        if end.secret:
                            yield rule, param.range.name
            case ir.Chance(_, range_, where):
                told_by = (range_.low, range_.high, where)
                kept = (rule, range_.name) in self.kept
                if kept or any(self._hidden(rule, e) for e in told_by if e):
                    yield rule, range_.name
            case ir.Jump() | ir.Fork() | ir.Together() | ir.Exit() | ir.End():
                return  # these set no locals
            case _:
                raise AssertionError(end)

    def _set_behind(self, rule: ir.Procedure, fork: ir.Block) -> Iterator[tuple[str, str]]:
        """Locals that are set, or not, as something hidden has decided."""
        end = fork.terminator
        # Whether choices made together can be finished may depend on anything.
        if isinstance(end, ir.Fork) and not self._hidden(rule.name, end.condition):
            return
        for at in self.dependent.of(rule, fork.id):
            for inner in every_statement(rule.blocks[at].statements):
                if isinstance(inner, ir.SetLocal | ir.SetLocalCell):
                    yield rule.name, inner.target.name

    def _passed(
        self, rule: str, callee: Rule, args: tuple[ir.Expr, ...]
    ) -> Iterator[tuple[str, str]]:
        for param, arg in zip(callee.params, args, strict=True):
            if self._hidden(rule, arg):
                yield callee.name, param.name

    def _hidden(self, rule: str, expr: ir.Expr) -> bool:
        """Whether a value depends on something that not everybody sees."""
        secret = self.secret.get(rule, set())
        return bool(free(expr) & secret) or self._reads_hidden(expr)

    def _reads_hidden(self, expr: ir.Expr) -> bool:
        return bool(self.arrays.of(expr) & self.hidden_arrays) or _secret_choice(expr)


def _secret_choice(expr: ir.Expr) -> bool:
    """Whether a value is read that players chose in secret."""
    return isinstance(expr, ir.LocalCell) or any(map(_secret_choice, children(expr)))
