"""The values that calls give the parameters of a rule, whoever calls it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from compiler import ir
from compiler.traverse import every_statement
from verify.analysis.possible_values import PossibleValues, Values, collect

Arguments = tuple[ir.Expr, ...]


@define(eq=False)
class Calls:
    """The arguments of all calls of a module, by the rule that is called.

    >>> import rules_dsl as rd
    >>> module = rd.load("kuhn_poker").ir
    >>> Calls(module).given(module.main, PossibleValues(module))
    {}
    """

    module: ir.Module
    _of: dict[str, list[Arguments]] = field(factory=dict)
    # The locals of each rule that are set in it.
    _changed: dict[str, set[str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for name, routine in self.module.routines.items():
            self.note(name, routine.body)
        for name, procedure in self.module.procedures.items():
            for block in procedure.blocks:
                self.note(name, block.statements)
                if isinstance(end := block.terminator, ir.Enter):
                    self._of.setdefault(end.procedure, []).append(end.args)

    def note(self, rule: str, body: tuple[ir.Statement, ...]) -> None:
        """What some statements of a rule call and set."""
        for statement in every_statement(body):
            if isinstance(statement, ir.Do):
                self._of.setdefault(statement.routine, []).append(statement.args)
            elif isinstance(statement, ir.SetLocal):
                self._changed.setdefault(rule, set()).add(statement.target.name)

    def given(self, rule: str, values: PossibleValues) -> dict[str, Values]:
        """The parameters of a rule with their possible values, if calls alone decide them."""
        calls = self._of.get(rule, [])
        return {name: collect(self.given_to(at, calls, values)) for at, name in self.kept(rule)}

    def given_to(self, at: int, calls: list[Arguments], values: PossibleValues) -> Iterator[int]:
        """The values of one argument in some calls, whatever the locals of the callers are."""
        for args in calls:
            yield from values.of(args[at], {})

    def kept(self, rule: str) -> Iterator[tuple[int, str]]:
        """The parameters of a rule that is called, but for those that it changes itself."""
        whole = self.module.procedures.get(rule) or self.module.routines.get(rule)
        if whole is not None and rule in self._of:
            for at, param in enumerate(whole.params):
                if param.name not in self._changed.get(rule, ()):
                    yield at, param.name
