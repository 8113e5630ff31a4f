"""Errors and warnings in rule files, and how they are shown.

>>> from rules_dsl.language.spans import Span
>>> d = Diagnostic("E0201", "nothing is called `mazie`", Span("a.rules", 2, 5, 2, 10),
...                hint="did you mean `maize`?")
>>> print(d.render({"a.rules": "state\\n    mazie: 0..3\\n"}))
error[E0201]: nothing is called `mazie`
  --> a.rules:2:5
   |
 2 |     mazie: 0..3
   |     ^^^^^
   = hint: did you mean `maize`?
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from attrs import define, field, frozen

from rules_dsl.language.spans import NOWHERE, Span


@frozen
class Note:
    """A second place that belongs to an error ("first declared here")."""

    message: str
    span: Span


@frozen
class Diagnostic:
    """One error or warning: a stable code, a message, the place, and a hint."""

    code: str
    message: str
    span: Span
    hint: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def severity(self) -> str:
        """Whether it is an `error` or a `warning`, which fails no check."""
        return "warning" if self.code.startswith("W") else "error"

    def render(self, sources: Mapping[str, str]) -> str:
        """The error as text, with the source line and carets."""
        width = max(len(str(span.line)) for span in (self.span, *(n.span for n in self.notes)))
        gutter = " " * (width + 2)
        lines = [f"{self.severity}[{self.code}]: {self.message}"]
        lines += _excerpt(self.span, sources, "-->", width)
        for note in self.notes:
            lines.append(f"{gutter}= note: {note.message}")
            lines += _excerpt(note.span, sources, ":::", width)
        if self.hint:
            lines.append(f"{gutter}= hint: {self.hint}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}[{self.code}]: {self.message}"


def _excerpt(span: Span, sources: Mapping[str, str], arrow: str, width: int) -> list[str]:
    margin = " " * (width + 1)
    if span == NOWHERE:
        return []
    if span.line == 0:
        return [f"{margin}{arrow} {span.file}"]
    out = [f"{margin}{arrow} {span}"]
    text = sources.get(span.file)
    if text is None:
        return out
    source_lines = text.split("\n")
    if span.line > len(source_lines):
        return out
    source_line = source_lines[span.line - 1].rstrip("\r").replace("\t", " ")
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(source_line)
    marked = max(1, min(end, len(source_line)) - start)
    if len(source_line) > 96:  # keep the marked part of an overlong line in sight
        cut = max(0, min(start - 20, len(source_line) - 90))
        source_line = ("…" if cut else "") + source_line[cut : cut + 90]
        start = start - cut + (1 if cut else 0)
        marked = min(marked, 90)
    out.append(f"{margin} |")
    out.append(f" {span.line:>{width}} | {source_line}".rstrip())
    out.append(f"{margin} | {' ' * start}{'^' * marked}")
    return out


MAX_CANDIDATES = 200


def its_parameters(names: Iterable[str]) -> str:
    """A hint that names the parameters of a rule.

    >>> its_parameters(["b", "n"]), its_parameters([])
    ('its parameters: `b`, `n`', 'it has no parameters')
    """
    known = ", ".join(f"`{name}`" for name in names)
    return f"its parameters: {known}" if known else "it has no parameters"


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A hint for a misspelt name, or an empty string.

    >>> did_you_mean("mazie", ["maize", "wood"])
    'did you mean `maize`?'
    """
    pool = sorted(set(candidates))
    if len(pool) > MAX_CANDIDATES:  # comparing with thousands takes too long
        alike = [c for c in pool if c[:1] == name[:1] and abs(len(c) - len(name)) <= 2]
        pool = alike[:MAX_CANDIDATES]
    close = difflib.get_close_matches(name, pool, n=1, cutoff=0.6)
    if not close:
        lowered = {c.lower(): c for c in pool}
        close = [lowered[name.lower()]] if name.lower() in lowered else []
    return f"did you mean `{close[0]}`?" if close else ""


class RuleError(Exception):
    """Bad rules: `.diagnostics` says what and where.

    >>> try:
    ...     raise RuleError([Diagnostic("E0110", "no such declaration", NOWHERE)])
    ... except RuleError as error:
    ...     print(error)
    error[E0110]: no such declaration
    """

    def __init__(
        self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None
    ) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(self.render())

    def render(self) -> str:
        """All errors as text."""
        return "\n\n".join(d.render(self.sources) for d in self.diagnostics)

    def __reduce__(self) -> tuple[type[RuleError], tuple[object, ...]]:
        return RuleError, (self.diagnostics, self.sources)


MAX_DIAGNOSTICS = 100


@define
class Reporter:
    """Collects the errors of a run, each once, in the order of the source."""

    found: dict[tuple[str, Span, str], Diagnostic] = field(factory=dict)

    def error(
        self, code: str, message: str, span: Span, hint: str = "", notes: Iterable[Note] = ()
    ) -> None:
        """Note an error; the same one at the same place counts once."""
        if not self.full:
            self.found.setdefault(
                (code, span, message), Diagnostic(code, message, span, hint, tuple(notes))
            )

    def add(self, diagnostic: Diagnostic) -> None:
        """Note an error made elsewhere."""
        d = diagnostic
        self.error(d.code, d.message, d.span, d.hint, d.notes)

    @property
    def full(self) -> bool:
        """Whether enough errors were found."""
        return len(self.found) >= MAX_DIAGNOSTICS

    def has_error_in(self, span: Span) -> bool:
        """Whether an error was noted inside a stretch of source already."""
        start, end = (span.line, span.column), (span.end_line, span.end_column)
        return any(
            d.span.file == span.file
            and start <= (d.span.line, d.span.column)
            and (d.span.end_line, d.span.end_column) <= end
            for d in self.found.values()
        )

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All errors, by place."""
        return tuple(
            sorted(self.found.values(), key=lambda d: (d.span.file, d.span.line, d.span.column))
        )

    def __bool__(self) -> bool:
        return bool(self.found)
