"""Options and rulings: their possible values and their chosen one."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checker.naming import taken
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.symbols import EnumValue, OptionSymbol
from rules_dsl.language.types import BOOL, EnumType, IntType


def option_choices(declaration: s.Option) -> tuple[OptionValue, ...]:
    """The values that an option or ruling may take.

    `bool` stands for false and true.
    """
    values = tuple(c.value for c in declaration.choices)
    if values == ("bool",):
        return (False, True)
    return values


def default_choice(declaration: s.Option) -> OptionValue:
    """The default of an option."""
    value = declaration.default.value
    if option_choices(declaration) == (False, True):
        return {"true": True, "false": False}.get(str(value), str(value))
    return value


def declare_option(ctx: Context, declaration: s.Option) -> None:
    """Take up an option or a ruling with the value that was chosen."""
    if taken(ctx, declaration.name):
        return
    choices = option_choices(declaration)
    name = declaration.name.name
    default = default_choice(declaration)
    if len(set(choices)) < len(choices):
        ctx.error("E0202", f"a value of `{name}` is listed twice", declaration.span)
        return
    if len(choices) < 2:
        ctx.error(
            "E0411",
            f"`{name}` leaves no choice: it has one value",
            declaration.span,
            hint="list the alternatives, or make it a `const`",
        )
        return
    if default not in choices:
        ctx.error(
            "E0412",
            f"the default `{declaration.default.value}` is none of the values of `{name}`",
            declaration.default.span,
            hint=did_you_mean(str(declaration.default.value), [str(c) for c in choices]),
        )
        return
    value = ctx.chosen.get(name, default)
    if choices == (False, True):
        ctx.globals[name] = OptionSymbol(declaration, BOOL, int(value), choices)
    elif all(isinstance(c, int) for c in choices):
        numbers = [int(c) for c in choices]
        ctx.globals[name] = OptionSymbol(
            declaration, IntType(min(numbers), max(numbers)), int(value), choices
        )
    elif any(isinstance(c, int) for c in choices):
        ctx.error("E0413", f"the values of `{name}` mix numbers and names", declaration.span)
    else:
        enum = EnumType(name, tuple(str(c) for c in choices), "choice")
        for index, choice in enumerate(enum.values):
            ctx.values.setdefault(choice, []).append(EnumValue(enum, index))
        ctx.globals[name] = OptionSymbol(declaration, enum, enum.values.index(str(value)), choices)
