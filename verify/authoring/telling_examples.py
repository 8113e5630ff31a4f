"""Does an example notice a mistake? Those that lead through the changed line are asked first."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from attrs import define

from compiler.examples import Examples
from compiler.runtime.fault import Fault
from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.program import Program
from verify.authoring.mutants import Mutant

# A line of a rule file.
_Line = tuple[str, int]


@define
class TellingExamples:
    """The examples that hold without a mistake, with the lines of the rules that they lead through.

    Those that share a setting follow each other, the most frequent setting first: the fewer
    settings are needed, the fewer games are compiled. In a setting the shortest come first: what is
    printed is counted by examples that play nothing.
    """

    lines: list[tuple[s.Example, set[_Line]]]

    @classmethod
    def of(cls, program: Program) -> TellingExamples:
        """The examples of the unchanged rules; one that fails catches nothing."""
        runs = Examples(program)
        found = []
        for example in program.of(s.Example):
            with _traced() as seen:
                holds = runs.run_one(example).ok
            if holds:
                found.append((example, seen))
        settings = {id(example): repr(runs.asked(example)) for example, _ in found}
        often = Counter(settings.values())

        def rank(one: tuple[s.Example, set[_Line]]) -> tuple[int, str, int]:
            setting = settings[id(one[0])]
            return -often[setting], setting, len(one[1])

        return cls(sorted(found, key=rank))

    def failing(self, mutant: Mutant, program: Program) -> str:
        """The title of an example that fails with the mistake, or what else went wrong."""
        runs = Examples(program)
        for example in self.ordered(mutant):
            try:
                holds = runs.run_one(example).ok
            except Fault as fault:
                return str(fault)
            except RuleError as error:
                return error.diagnostics[0].message
            if not holds:
                return example.title.value
        return ""

    def ordered(self, mutant: Mutant) -> list[s.Example]:
        """All examples, those first that lead through a line of what was changed."""
        span = mutant.span
        lines = {(span.file, n) for n in range(span.line, span.end_line + 1)}
        ordered = sorted(self.lines, key=lambda one: lines.isdisjoint(one[1]))
        return [example for example, _ in ordered]


@contextmanager
def _traced() -> Iterator[set[_Line]]:
    """The lines of rule files that are carried out meanwhile: compiled rules know their places."""
    seen: set[_Line] = set()

    def within(frame: FrameType, event: str, _: Any) -> Any:
        seen.add((frame.f_code.co_filename, frame.f_lineno))
        return within

    def entered(frame: FrameType, event: str, _: Any) -> Any:
        return within if frame.f_code.co_filename.endswith(".rules") else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        yield seen
    finally:
        sys.settrace(before)
