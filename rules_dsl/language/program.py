"""A whole game: the declarations of its files, with variants applied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import attrs
from attrs import define, field

from rules_dsl.language import syntax as s
from rules_dsl.language.costs import expand_costs, imply_measures
from rules_dsl.language.diagnostics import Note, Reporter, RuleError, did_you_mean
from rules_dsl.language.giving_way import give_way, unsure_values
from rules_dsl.language.parser import parse_file
from rules_dsl.language.recursion import deep_recursion
from rules_dsl.language.sources import SourceSet, may_include, stays_below
from rules_dsl.language.spans import Span
from rules_dsl.language.triggers import expand_triggers
from rules_dsl.language.variants import apply_variant

D = TypeVar("D", bound=s.Declaration)
MAX_PLAYERS = 20


@define
class Program:
    """The declarations of a game after includes and variants."""

    game: s.Game
    declarations: list[s.Declaration]
    sources: SourceSet
    labels: dict[str, s.Text] = field(factory=dict)
    variants: list[s.Variant] = field(factory=list)
    # Options and rulings that variants decide.
    settled: dict[str, str | int] = field(factory=dict)
    # Names that a variant touched, for showing what it changes.
    touched: dict[str, str] = field(factory=dict)
    # The words of declarations that could not be read; a sound program has none.
    unread: set[str] = field(factory=set)

    def of(self, kind: type[D]) -> Iterator[D]:
        """The declarations of one kind, in order."""
        return (d for d in self.declarations if isinstance(d, kind))

    @property
    def player_range(self) -> tuple[int, int]:
        """The least and greatest number of players, clamped to the possible range."""
        low, high = (min(max(number, 1), MAX_PLAYERS) for number in self.written_range)
        return low, max(low, high)

    @property
    def written_range(self) -> tuple[int, int]:
        """The least and greatest number of players as they are written."""
        if not self.game.players:
            return (2, 2)
        line = self.game.players[0]
        low = line.low.value if isinstance(line.low, s.IntLit) else 2
        high = line.high.value if isinstance(line.high, s.IntLit) else low
        return low, high


def assemble(sources: SourceSet) -> Program:
    """Parse the files of a game and put them together; raises `RuleError` with all errors found."""
    reporter = Reporter()
    program = assemble_partly(sources, reporter)
    if reporter or program is None:
        raise RuleError(reporter.diagnostics, sources.texts)
    return program


# How a file is read: its path, its text, and where errors go.
Parse = Callable[[str, str, Reporter], s.File]


def assemble_partly(
    sources: SourceSet, reporter: Reporter, parse: Parse = parse_file
) -> Program | None:
    """Assemble the readable parts of a game; errors go to the reporter."""
    declarations: list[s.Declaration] = []
    seen: set[str] = set()
    unread: set[str] = set()
    with deep_recursion():
        _splice(sources, sources.main, declarations, seen, unread, reporter, parse)
    games = [d for d in declarations if isinstance(d, s.Game)]
    for variant in declarations:
        if isinstance(variant, s.Variant):
            reporter.error(
                "E0504",
                "a game and a variant in one file",
                variant.span,
                hint="put the variant into a separate file",
            )
    start = Span(sources.main, 1, 1, 1, 2)
    if not games:
        if not reporter:
            reporter.error(
                "E0409",
                "this is not a game: the `game` declaration is missing",
                start,
                hint='start with `game my_game "My game"` and a `players` line',
            )
        return None
    if len(games) > 1:
        reporter.error(
            "E0202",
            "there are two `game` declarations",
            games[1].span,
            notes=[Note("the first one", games[0].span)],
        )
    program = Program(
        games[0],
        [d for d in declarations if not isinstance(d, s.Game | s.Include | s.Variant)],
        sources,
        unread=unread,
    )
    _check_players(program, reporter)
    _check_labels(program, reporter)
    variants: list[s.Variant] = []
    for path in sources.variants:
        variants += _variants_in(sources, path, unread, reporter, parse)
    touched: dict[str, Span] = {}
    for variant in variants:
        unsure = unsure_values(program)
        apply_variant(program, variant, touched, reporter)
        give_way(unsure, program, variant)
        program.variants.append(variant)
    expand_triggers(program, reporter)
    imply_measures(program)
    for label in program.of(s.Label):
        program.labels[label.name.name] = label.text
    _check_cites(program, reporter)
    return program


def _splice(
    sources: SourceSet,
    path: str,
    out: list[s.Declaration],
    seen: set[str],
    unread: set[str],
    reporter: Reporter,
    parse: Parse,
) -> None:
    if path in seen:
        return
    seen.add(path)
    file = parse(path, sources.texts[path], reporter)
    unread |= file.unread
    for declaration in file.declarations:
        out.append(expand_costs(declaration))
        if isinstance(declaration, s.Include):
            target = str(Path(path).parent / declaration.path.value)
            if refusal := _refusal(sources, path, target, declaration.path.value):
                message, hint = refusal
                reporter.error("E0115", message, declaration.path.span, hint=hint)
                unread.add(declaration.path.value)
            else:
                _splice(sources, target, out, seen, unread, reporter, parse)


def _refusal(sources: SourceSet, path: str, target: str, written: str) -> tuple[str, str] | None:
    """Why a file cannot be included, with a hint; None if it can."""
    if not may_include(written):
        return (
            "an include names a rule file in the same folder or below",
            '`include "components.rules"`',
        )
    if Path(target).is_file() and not stays_below(Path(target), Path(path).parent):
        return f"`{written}` is a link to a file outside this folder", "copy the file here"
    if target not in sources.texts:
        siblings = [p.name for p in Path(path).parent.glob("*.rules") if p != Path(path)]
        return f"there is no file `{written}` here", did_you_mean(written, siblings)
    return None


def _variants_in(
    sources: SourceSet, path: str, unread: set[str], reporter: Reporter, parse: Parse
) -> list[s.Variant]:
    file = parse(path, sources.texts[path], reporter)
    unread |= file.unread
    declarations = file.declarations
    found = [expand_costs(d) for d in declarations if isinstance(d, s.Variant)]
    for other in declarations:
        if not isinstance(other, s.Variant):
            reporter.error(
                "E0505",
                "in a variant file everything belongs inside the variant",
                other.span,
                hint=_how_to_indent(other),
            )
    if not found and not reporter:
        reporter.error(
            "E0506",
            "this file has no variant",
            Span(path, 1, 1, 1, 2),
            hint="start with `variant my_rule of GAME`",
        )
    return found


def _how_to_indent(declaration: s.Declaration) -> str:
    """The form inside a variant of a declaration at the left margin of its file."""
    match declaration:
        case s.Const():
            return "indent it below `variant`; a new constant also needs `add`"
        case s.Label() | s.Example():
            return "indent it below `variant`"
        case _:
            return "indent it below `variant`, with `add` or `replace`"


def _check_players(program: Program, reporter: Reporter) -> None:
    lines = program.game.players
    if len(lines) != 1:
        reporter.error(
            "E0410", "a game needs one `players` line", program.game.span, hint="`players 2..4`"
        )
        return
    line = lines[0]
    for side in (line.low, line.high):
        if side is not None and not isinstance(side, s.IntLit):
            reporter.error("E0410", "the number of players is a plain number", side.span)
            return
    low, high = program.written_range
    if not 1 <= low <= high <= MAX_PLAYERS:
        reporter.error(
            "E0410",
            f"{low}..{high} players are not possible",
            line.span,
            hint=f"between 1 and {MAX_PLAYERS}",
        )


def _check_labels(program: Program, reporter: Reporter) -> None:
    """Nothing is labelled twice; a variant may label it anew."""
    seen: dict[str, Span] = {}
    for label in program.of(s.Label):
        if label.name.name in seen:
            reporter.error(
                "E0202",
                f"`{label.name}` is labelled twice",
                label.name.span,
                notes=[Note("labelled here first", seen[label.name.name])],
            )
        seen.setdefault(label.name.name, label.name.span)


def walk(node: object) -> Iterator[s.Node]:
    """A node and everything below it."""
    stack: list[object] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, s.Node):
            yield current
            stack.extend(
                getattr(current, a.name) for a in attrs.fields(type(current)) if a.name != "span"
            )
        elif isinstance(current, tuple | list):
            stack.extend(current)


def _check_cites(program: Program, reporter: Reporter) -> None:
    known = {line.name.name for line in program.game.sources}
    for declaration in [program.game, *program.declarations]:
        for node in walk(declaration):
            if isinstance(node, s.Cite) and node.source not in known:
                reporter.error(
                    "E0205",
                    f"there is no source `{node.source}`",
                    node.span,
                    hint=did_you_mean(node.source, known)
                    or f'declare it below `game`: `source {node.source} "…"`',
                )
