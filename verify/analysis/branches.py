"""The branches of rules: each arm of an `if`, each filtered loop, with a mark put into it.

The marks are ordinary statements, so that everything that reads rules can read them. A call of an
empty rule shows in play that an arm was taken. A failing assertion that is proved never to be
reached proves that the arm is never taken.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator

from attrs import define, evolve, field, frozen

from compiler import build as b
from compiler import ir
from compiler.lower.lasting_locals import arrivals, successors
from compiler.rule_id import RuleId, is_row_rule, rule_name
from compiler.traverse import every_statement
from rules_dsl.language.spans import Span
from verify.analysis.condition_distance import Distances, negation

Statements = tuple[ir.Statement, ...]

# How the detail of a branch begins, and what follows if its `else` was never seen.
CONDITION = "the condition is"
ELSE = "always true: its `else` never happens"


@frozen
class Arm:
    """One way a branch can go."""

    name: str
    # The rule that contains it, and what is known of it if it is never taken.
    rule: str
    what: str
    span: Span
    # The enclosing arm, if any.
    outer: str = ""


Mark = Callable[[Arm], Statements]
# Makes the marks before a branch, from each arm and the condition under which it is taken.
Measure = Callable[[Arm, ir.Expr], Statements]


def arms_of(module: ir.Module) -> dict[str, Arm]:
    """All arms of all branches, by name."""
    marking = _Marking(lambda _: ())
    marking.module(module)
    return marking.arms


def conditions_of(module: ir.Module) -> dict[str, list[tuple[str, ir.Expr]]]:
    """The condition of each arm and the rule around it, once for each place of its branch."""
    found: dict[str, list[tuple[str, ir.Expr]]] = {}

    def note(arm: Arm, condition: ir.Expr) -> Statements:
        found.setdefault(arm.name, []).append((marking.here, condition))
        return ()

    marking = _Marking(lambda _: (), note)
    marking.module(module)
    return found


def marked_for_play(module: ir.Module) -> ir.Module:
    """The same game, with an empty rule called in each arm, and where the rule of a card begins.

    >>> import rules_dsl as rd
    >>> module = rd.load("tic_tac_toe").ir
    >>> marked = marked_for_play(module)
    >>> sorted(marked.routines.keys() - module.routines.keys())
    ['branch 0', 'branch 1', 'branch 2']
    """
    return _with_marks(module, lambda *_: ())


def _with_marks(module: ir.Module, measure: Measure) -> ir.Module:
    marking = _Marking(lambda arm: (ir.Do(arm.name, (), span=arm.span),), measure)
    marked = marking.module(module)
    empty = {arm.name: ir.Routine(arm.name, (), (), arm.span) for arm in marking.arms.values()}
    procedures = dict(marked.procedures)
    # A rule with a decision, perhaps in a called rule, does not show that it began.
    for name in procedures.keys() & set(_parts(module)):
        procedure, mark = procedures[name], begun(name)
        first, *others = procedure.blocks
        statements = (ir.Do(mark, (), span=procedure.span), *first.statements)
        blocks = (evolve(first, statements=statements), *others)
        procedures[name] = evolve(procedure, blocks=blocks)
        empty[mark] = ir.Routine(mark, (), (), procedure.span)
    return evolve(marked, routines={**marked.routines, **empty}, procedures=procedures)


def marked_for_approach(
    module: ir.Module, arms: set[str], ways: set[tuple[str, int, int]]
) -> tuple[ir.Module, dict[str, str | tuple[str, int, int]]]:
    """The same game, marked for play, that also says how far it is to arms and options.

    An empty rule is called with the distance; gives the names of these rules, each with what it is
    the distance of.
    """
    distances = Distances(module)
    measured: dict[str, str | tuple[str, int, int]] = {}
    rules: dict[str, ir.Routine] = {}

    def measure(what: str | tuple[str, int, int], far: ir.Expr, span: Span) -> Statements:
        name = f"distance {len(rules)}"
        rules[name] = ir.Routine(name, (ir.Variable("far", far.lo, far.hi),), (), span)
        measured[name] = what
        return (ir.Do(name, (far,), span=span),)

    def before(arm: Arm, condition: ir.Expr) -> Statements:
        return measure(arm.name, distances.far(condition), arm.span) if arm.name in arms else ()

    def arriving(name: str, block: ir.Block) -> ir.Block:
        statements = block.statements
        for procedure, number, way in sorted(ways):
            if (procedure, number) == (name, block.id) and isinstance(block.terminator, ir.Decide):
                option = block.terminator.options[way]
                far = distances.option(option)
                if far is not None:
                    statements += measure((procedure, number, way), far, option.span)
        return evolve(block, statements=statements)

    marked = _with_marks(module, before)
    procedures = {
        name: evolve(procedure, blocks=tuple(arriving(name, b) for b in procedure.blocks))
        for name, procedure in marked.procedures.items()
    }
    marked = evolve(marked, procedures=procedures, routines={**marked.routines, **rules})
    return marked, measured


def begun(rule: str) -> str:
    """The name of the mark where the rule of a card begins."""
    return f"begin {rule}"


def marked_for_proof(module: ir.Module, arms: set[str]) -> ir.Module:
    """The same game, with the claim in each of some arms that it is never taken."""

    def claim(arm: Arm) -> Statements:
        if arm.name not in arms:
            return ()
        return (ir.Check(b.FALSE, arm.name, span=arm.span),)

    return _Marking(claim).module(module)


@define(eq=False)
class _Marking:
    """Puts marks into arms; the arms are numbered in the order in which they stand."""

    mark: Mark
    measure: Measure = field(default=lambda *_: ())
    arms: dict[str, Arm] = field(factory=dict)
    # A rule that is inlined into another is in both, and its arms are the same.
    _known: dict[tuple[Span, str], Arm] = field(factory=dict)
    _rules: list[tuple[str, int, str]] = field(factory=list)
    _outer: str = ""
    # The rule that is being marked.
    here: str = ""

    def module(self, module: ir.Module) -> ir.Module:
        """A module with all marks in it."""
        # What picks the rule of a card has an arm for each card; those are rules of their own.
        picks = {RuleId.of(name).name for name in _parts(module)}
        rules: list[ir.Routine | ir.Procedure] = [
            *module.routines.values(),
            *module.procedures.values(),
        ]
        self._rules = sorted((r.span.file, r.span.line, rule_name(r.name)) for r in rules)
        if module.options:
            # Rules that are never called with these options have no branches.
            picks |= (module.routines.keys() | module.procedures.keys()) - called(module)
        routines = dict(module.routines)
        for name, routine in module.routines.items():
            if name not in picks:
                self.here = name
                routines[name] = evolve(routine, body=self.statements(routine.body))
        procedures = dict(module.procedures)
        for name, procedure in module.procedures.items():
            if name not in picks:
                self.here = name
                procedures[name] = evolve(procedure, blocks=self.blocks(procedure.blocks))
        return evolve(module, routines=routines, procedures=procedures)

    def arm(self, what: str, span: Span) -> Arm:
        """The arm of a branch."""
        arm = self._known.get((span, what))
        if arm is None:
            at = bisect(self._rules, (span.file, span.line + 1))
            rule = self._rules[max(0, at - 1)][2]
            arm = Arm(f"branch {len(self.arms)}", rule, what, span, self._outer)
            self._known[span, what] = self.arms[arm.name] = arm
        return arm

    def statements(self, body: Statements) -> Statements:
        """Statements with marks in them."""
        return tuple(marked for statement in body for marked in self.statement(statement))

    def statement(self, statement: ir.Statement) -> Statements:
        match statement:
            case ir.Branch(condition, then, otherwise):
                branch = evolve(
                    statement,
                    then=self.inside(then, "never true", statement.span),
                    otherwise=self.otherwise(otherwise, statement.span),
                )
                return (*self.measured(condition, statement.span), branch)
            case ir.Loop(_, body):
                return (evolve(statement, body=self.statements(body)),)
        return (statement,)

    def measured(self, condition: ir.Expr, span: Span) -> Statements:
        """The marks before a branch whose arms are known."""
        taken = (("never true", condition), (ELSE, negation(condition)))
        arms = ((self._known.get((span, what)), when) for what, when in taken)
        return tuple(s for arm, when in arms if arm is not None for s in self.measure(arm, when))

    def inside(self, body: Statements, what: str, span: Span) -> Statements:
        """An arm with its mark; nothing happens in an arm that is not there."""
        if not body:
            return body
        arm = self.arm(what, span)
        outer, self._outer = self._outer, arm.name
        marked = (*self.mark(arm), *self.statements(body))
        self._outer = outer
        return marked

    def otherwise(self, body: Statements, span: Span) -> Statements:
        """`else`; the arms of an `else if` are its own."""
        if len(body) == 1 and isinstance(body[0], ir.Branch):
            return self.statements(body)
        return self.inside(body, ELSE, span)

    def blocks(self, blocks: tuple[ir.Block, ...]) -> tuple[ir.Block, ...]:
        """The arms of branches with decisions are blocks that nothing else leads to."""
        ways = arrivals(blocks)
        marks: dict[int, Statements] = {}
        for block in blocks:
            if not isinstance(block.terminator, ir.Fork):
                continue
            then, otherwise = successors(block.terminator)
            span = block.terminator.span
            if ways[then] == 1:
                marks[then] = self.mark(self.arm("never true", span))
            # The end of a loop is not an arm of a branch, and the arms of an `else if` are its own.
            chained = not blocks[otherwise].statements and isinstance(
                blocks[otherwise].terminator, ir.Fork
            )
            if ways[otherwise] == 1 and not block.heads_loop and not chained:
                marks[otherwise] = self.mark(self.arm(ELSE, span))
        marked = []
        for block in blocks:
            statements = (*marks.get(block.id, ()), *self.statements(block.statements))
            if isinstance(block.terminator, ir.Fork):
                fork = block.terminator
                statements += self.measured(fork.condition, fork.span)
            marked.append(evolve(block, statements=statements))
        return tuple(marked)


def called(module: ir.Module) -> set[str]:
    """The rules that calls lead to, from the start of the game."""
    found: set[str] = set()
    todo = [module.main]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        if name in module.procedures:
            for block in module.procedures[name].blocks:
                todo += _calls(block.statements)
                if isinstance(block.terminator, ir.Enter):
                    todo.append(block.terminator.procedure)
        else:
            todo += _calls(module.routines[name].body)
    return found


def _calls(body: Statements) -> Iterator[str]:
    return (s.routine for s in every_statement(body) if isinstance(s, ir.Do))


def _parts(module: ir.Module) -> list[str]:
    """The rules of single cards."""
    return [name for name in (*module.routines, *module.procedures) if is_row_rule(name)]
