"""Branches and options that no row of a table uses: only other rows could make them happen.

A rulebook may explain symbols that are printed on no component. A condition that is false in every
state with the present rows, but not with other rows, is not a mistake of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

from attrs import define, field

from compiler import ir
from compiler.lower.names import LocalNames, Lowering
from compiler.lower.statements import Statements
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checker.heads import split_action
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.program import Program, walk
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    ActionSymbol,
    Checked,
    ColumnSymbol,
    ConstSymbol,
    FunctionSymbol,
    LocalSymbol,
    MemberFunction,
)
from rules_dsl.language.types import bounds
from verify.analysis.given_values import Calls
from verify.analysis.possible_values import PossibleValues, Values

# Where it takes several tables at once, or was found out before the game starts.
SOME_ROWS = "the rows"

MOST_NAMED = 3

Condition = ir.Expr | ir.Require | ir.Define


@define(eq=False)
class Rows:
    """The rows of a game, and the values that other rows could have."""

    module: ir.Module
    program: Program
    _reading: dict[object, bool] = field(factory=dict)

    @cached_property
    def known(self) -> PossibleValues:
        """With the rows as they are."""
        return PossibleValues(self.module)

    @cached_property
    def calls(self) -> Calls:
        """What rules are called with."""
        return Calls(self.module)

    @cached_property
    def checked(self) -> tuple[Checked, Context]:
        """The checked program."""
        chosen: dict[str, OptionValue] = dict(self.module.options)
        return check_program(self.program, self.module.players, chosen)

    @cached_property
    def could_say(self) -> Mapping[str, tuple[int, int]]:
        """The constant tables that come from rows, with the range of what they could say."""
        found: dict[str, tuple[int, int]] = {}
        _, context = self.checked
        for table in context.tables.values():
            for name, column in table.columns.items():
                found[f"{table.name}.{name}"] = bounds(column.type)
        for symbol in context.globals.values():
            if isinstance(symbol, ConstSymbol) and symbol.type is not None and self.reads(symbol):
                # The type of a constant is that of its values: what is nowhere could be there.
                low, high = bounds(symbol.type)
                found[symbol.name] = min(low, 0), max(high, 1)
        return {name: range_ for name, range_ in found.items() if name in self.module.tables}

    @cached_property
    def named(self) -> Mapping[LocalSymbol, s.Expr]:
        """The values that each `let` names."""
        lets = (node for node in walk(self.program.declarations) if isinstance(node, s.Let))
        known = self.checked[0].facts.locals
        return {known[let.name]: let.value for let in lets if let.name in known}

    def reads(self, symbol: object) -> bool:
        """Whether a constant, a function or a `let` reads rows."""
        if symbol not in self._reading:
            self._reading[symbol] = False
            match symbol:
                case ColumnSymbol() | MemberFunction():
                    self._reading[symbol] = True
                case ConstSymbol(declaration):
                    self._reading[symbol] = self.mentions(declaration.value)
                case LocalSymbol() if symbol in self.named:
                    self._reading[symbol] = self.mentions(self.named[symbol])
                case FunctionSymbol():
                    self._reading[symbol] = self.mentions(symbol.declaration.body)
        return self._reading[symbol]

    def mentions(self, node: object) -> bool:
        """Whether some piece of the rules reads rows."""
        refs = self.checked[0].facts.refs
        return any(self.reads(refs[part]) for part in walk(node) if part in refs)

    # ---- verdicts --------------------------------------------------------------------------------

    def keep_from(self, conditions: Iterable[tuple[str, ir.Expr]]) -> str:
        """The rows that keep a branch from being taken anywhere; nothing if there are none.

        Its conditions come with the rules in which they stand.
        """
        found = [self._kept_by((), (condition,), rule) for rule, condition in conditions]
        return found[0] if found and all(found) else ""

    def keep_from_option(self, option: ir.Option) -> str:
        """The rows that keep an option from being offered; nothing if there are none."""
        return self._kept_by(option.params, option.head)

    def allow(self, option: ir.Option) -> bool:
        """Whether an option might be offered if the rows said something else."""
        return not never(PossibleValues(self.module, self.could_say), option.params, option.head)

    def _kept_by(
        self, params: tuple[ir.Param, ...], parts: tuple[Condition, ...], rule: str = ""
    ) -> str:
        def impossible(values: PossibleValues) -> bool:
            return never(values, params, parts, self.calls.given(rule, values))

        if not impossible(self.known):
            return ""
        if ruled_out(parts):
            return self._ruled_out_by(ruled_out(parts))
        if impossible(PossibleValues(self.module, self.could_say)):
            return ""
        alone = [
            f"`{name}`"
            for name, range_ in self.could_say.items()
            if not impossible(PossibleValues(self.module, {name: range_}))
        ]
        return " or ".join(alone) if 0 < len(alone) <= MOST_NAMED else SOME_ROWS

    def keep_from_action(self, name: str) -> str:
        """The rows that keep an action from being offered at all; nothing if there are none."""
        checked, context = self.checked
        action = context.globals[name]
        assert isinstance(action, ActionSymbol)
        lowering = Lowering(self.program, checked, dict(self.module.tables))
        lower = Statements(lowering, LocalNames())
        lower.params((action.actor, *action.params))
        return self._ruled_out_by(ruled_out(lower.head(split_action(action.declaration.body)[0])))

    def _ruled_out_by(self, spans: list[Span]) -> str:
        """The rows, if all of some requirements that never hold read them."""
        lines = [n for n in walk(self.program.declarations) if isinstance(n, s.Require)]
        looking = {n.span: n.condition for n in lines if self.mentions(n.condition)}
        if not spans or not looking.keys() >= set(spans):
            return ""
        return " and ".join(self._columns(looking[spans[0]])) or SOME_ROWS

    def _columns(self, node: s.Expr) -> list[str]:
        """The columns that an expression names, also by a `let`."""
        checked, context = self.checked
        found: list[str] = []
        for part in walk(node):
            symbol = checked.facts.refs.get(part)
            if isinstance(symbol, LocalSymbol) and symbol in self.named:
                found += self._columns(self.named[symbol])
            for table in context.tables.values():
                found += [f"`{table.name}.{n}`" for n, c in table.columns.items() if c is symbol]
        return list(dict.fromkeys(found))


def ruled_out(parts: Iterable[Condition]) -> list[Span]:
    """The requirements of which lowering has found out that they never hold."""
    return [p.span for p in parts if isinstance(p, ir.Require) and p.condition.hi == 0]


def never(
    values: PossibleValues,
    params: tuple[ir.Param, ...],
    parts: tuple[Condition, ...],
    given: Mapping[str, Values] = MappingProxyType({}),
) -> bool:
    """Whether one of several conditions holds in no state at all; `given` are known locals."""
    env: dict[str, Values] = dict(given)
    for param in params:
        low, high = (values.of(e, env) for e in (param.range.low, param.range.high))
        env[param.range.name] = range(min(low), max(high) + 1)
    if not params:
        return _none_holds(values, env, parts)
    first = params[0].range.name
    ways = values.one_by_one(env[first])
    found = [_none_holds(values, {**env, first: way}, parts) for way in ways]
    return all(found)


def _none_holds(
    values: PossibleValues, env: dict[str, Values], parts: tuple[Condition, ...]
) -> bool:
    """Whether, with some values of the locals, one of several conditions holds in no state."""
    for part in parts:
        if isinstance(part, ir.Define):
            env[part.name] = values.of(part.value, env)
        elif 1 not in values.of(part.condition if isinstance(part, ir.Require) else part, env):
            return True
    return False
