"""Checking a game as a whole: every number of players, and all errors in one run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_partly, default_choice, example_setting
from rules_dsl.language.checker.context import Context
from rules_dsl.language.diagnostics import Diagnostic, Reporter
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.program import Program, assemble_partly
from rules_dsl.language.sources import SourceSet

Setting = tuple[int, dict[str, OptionValue]]

# Errors about missing declarations, which may be in a part that could not be read.
_MISSING = ("E0409", "E0410", "E0414", "E0418", "E0422", "E0424", "E0425", "E0431", "E0432")
_QUOTED = re.compile(r"`([^`]*)`")


def diagnose(sources: SourceSet) -> tuple[Diagnostic, ...]:
    """All errors of a game, for every number of players and for the settings of its examples.

    Where a declaration cannot be read, the others are still checked; errors that may only follow
    from the missing part are left out.

    >>> from rules_dsl.language.sources import gather
    >>> diagnose(gather("tic_tac_toe"))
    ()
    """
    reporter = Reporter()
    program = assemble_partly(sources, reporter)
    if program is not None:
        for setting in settings(program):
            check_setting(program, setting, reporter)
    return reporter.diagnostics


def check_setting(program: Program, setting: Setting, reporter: Reporter) -> Context:
    """Report the new errors of a program with one setting.

    Returns the facts about its names and types.
    """
    own = Reporter()
    ctx, _ = check_partly(program, *setting, own)
    # Another number of players may give the same error with other numbers in it.
    known = {(d.code, d.span) for d in reporter.diagnostics}
    for diagnostic in own.diagnostics:
        follows = program.unread and _may_follow(diagnostic, program.unread)
        if not follows and (diagnostic.code, diagnostic.span) not in known:
            reporter.add(diagnostic)
    return ctx


def _may_follow(diagnostic: Diagnostic, unread: set[str]) -> bool:
    if diagnostic.code in _MISSING:
        return True
    quoted = _QUOTED.findall(diagnostic.message)
    return any(unread.intersection(re.findall(r"\w+", part)) for part in quoted)


def settings(program: Program) -> Iterator[Setting]:
    """Every number of players with the options as they are by default, then those of examples.

    A game without a number of players is not checked: it has no configurations.
    """
    if len(program.game.players) != 1:
        return
    low, high = program.player_range
    usual = {o.name.name: default_choice(o) for o in program.of(s.Option)}
    seen: list[Setting] = []
    for players in range(high, low - 1, -1):
        seen.append((players, usual))
        yield players, dict(usual)
    for example in program.of(s.Example):
        # What is wrong with the setting of an example is reported when it is checked.
        setting = example_setting(Context(program, Reporter(), high, {}), example)
        if setting not in seen:
            seen.append(setting)
            yield setting[0], dict(setting[1])
