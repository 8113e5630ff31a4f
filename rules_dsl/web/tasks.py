"""The tasks of a worker: check, format, run examples, verify, compare and simulate rules.

Each task takes a progress callback and plain data; it returns plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict

import rules_dsl as rd
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.sources import gather
from rules_dsl.web import measuring, reading
from rules_dsl.web.desk import Refused, opened

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from verify.proof.results import Report, Result

Tell = Callable[[dict[str, Any]], None]


def check(tell: Tell, path: str) -> dict[str, Any]:
    """All errors of a rule file, for every number of players."""
    from rules_dsl.language.checking import diagnose
    from rules_dsl.language.program import assemble

    try:
        sources = gather(path)
        errors = diagnose(sources)
        if not errors:
            program = assemble(sources)
            low, high = program.player_range
            name, variants = sources.names()
            title = program.game.text.value if program.game.text else name
            return {
                "errors": [],
                "game": name,
                "variants": list(variants),
                "title": title,
                "players": [low, high],
                "symbols": reading.symbols(path),
            }
    except RuleError as error:
        errors = tuple(error.diagnostics)
    return {"errors": [_error(error, path) for error in errors], "symbols": reading.symbols(path)}


def _error(error: Diagnostic, path: str) -> dict[str, Any]:
    own = Path(error.span.file).name == Path(path).name
    return {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        # Only the name of a file is sent, not its folder on the server.
        "file": "" if own else Path(error.span.file).name,
        "line": error.span.line,
        "column": error.span.column,
        "end_line": error.span.end_line,
        "end_column": error.span.end_column,
        "notes": [note.message for note in error.notes],
    }


def layout(tell: Tell, text: str) -> dict[str, Any]:
    """The text as `rules fmt` writes it; raises `Refused` if it cannot be read."""
    from rules_dsl.language.formatter import LayoutError, format_text

    try:
        return {"text": format_text(text, "your text")}
    except (RuleError, LayoutError) as error:
        raise Refused(str(error).splitlines()[0]) from None


def examples(tell: Tell, path: str) -> list[dict[str, Any]]:
    """The examples of a rule file, and whether they hold."""
    from compiler.examples import Examples
    from rules_dsl.language.program import assemble

    found = Examples(assemble(gather(path))).run()
    return [
        {
            "title": e.title,
            "ok": e.ok,
            "message": e.message,
            "players": e.players,
            "cites": list(e.cites),
        }
        for e in found
    ]


def verify(tell: Tell, path: str, players: int | None, effort: str) -> dict[str, Any]:
    """Check every proof obligation of a game, with progress."""
    from verify import run
    from verify.running.reports.attention import alike

    game = _loaded(path, players)
    tell({"done": 0, "total": 0, "what": "reading the rules", "failed": 0})
    report = run(game, jobs=2, effort=effort, progress=lambda event: tell(asdict(event)))
    return {
        "ok": report.ok,
        "seconds": round(report.seconds, 2),
        "players": game.players,
        "bound": next(iter(report.bounds.values()), None),
        "counts": report.count(),
        "results": [_attention(group) for group in alike(report)],
        "conditional": [
            {**_line(r), "given": list(r.given)} for r in report.results if r.fails and r.given
        ],
        "proved": [_line(r) for r in report.results if r.status == "PROVED"],
        "text": _report_text(report),
    }


def _line(result: Result) -> dict[str, Any]:
    return {
        "obligation": result.obligation,
        "subject": result.subject,
        "rule": result.rule,
        "cite": result.cite,
    }


def _attention(group: list[Result]) -> dict[str, Any]:
    """The results that need attention, in words for players; `record` is a game that shows it."""
    from verify.running.reports.attention import lines_of

    shown = group[0]
    sentence, *lines = lines_of(group)
    return {
        **_line(shown),
        "status": shown.status,
        "sentence": sentence,
        "lines": lines,
        "moves": list(shown.moves),
        "record": shown.record,
        "waived": shown.waived,
    }


def _report_text(report: Report) -> str:
    """The report as the terminal shows it."""
    from rich.console import Console

    from verify.running.reports.terminal import print_report

    out = StringIO()
    print_report(report, Console(file=out, width=100, no_color=True))
    return out.getvalue()


def compare(tell: Tell, path: str, players: int | None) -> dict[str, Any]:
    """The changes of a variant to its game."""
    from verify import diff

    sources = gather(path)
    if not sources.variants:
        raise Refused("this is a complete game: there is no other game to compare it with")
    base = _loaded(sources.main, players)
    found = diff(base, _loaded(path, players))
    return {
        "text": found.text(),
        "same": found.same,
        "equivalent": found.equivalent,
        "changes": [
            {"how": c.how, "what": c.what, "name": c.name, "before": c.before, "after": c.after,
             "equivalent": c.equivalent, "witness": c.witness.text if c.witness else ""}
            for c in found.changes
        ],
    }  # fmt: skip


def simulate(
    tell: Tell,
    path: str,
    players: int | None,
    options: Mapping[str, Any],
    variants: list[str],
    games: int,
    policy: str,
    seed: int,
) -> dict[str, Any]:
    """Play many games and count."""
    return measuring.simulated(tell, _loaded(path, players, options, variants), games, policy, seed)


def balance(
    tell: Tell,
    path: str,
    players: int | None,
    variants: list[str],
    games: int,
    policy: str,
    seed: int,
) -> dict[str, Any]:
    """Compare the results of many games of a variant with those of its game."""
    sources = gather(path)
    if not sources.variants and not variants:
        raise Refused("this is a complete game: there is no other game to compare it with")
    pair = _loaded(sources.main, players), _loaded(path, players, None, variants)
    return measuring.balance(tell, pair, games, policy, seed)


def unpack(tell: Tell, text: str, path: str) -> list[Any]:
    """The set-up and moves of a record under the rules of a file."""
    setup, codes = opened(text, path)
    return [asdict(setup), list(codes)]


def _loaded(
    path: str,
    players: int | None,
    options: Mapping[str, Any] | None = None,
    variants: list[str] | None = None,
) -> Game:
    try:
        return rd.load(path, players, options=options, variants=variants or ())
    except rd.OptionError as error:
        raise Refused(str(error)) from None


TASKS: dict[str, Callable[..., Any]] = {
    "check": check, "layout": layout, "examples": examples, "verify": verify,
    "compare": compare, "simulate": simulate, "balance": balance, "unpack": unpack,
    "hover": reading.hover, "complete": reading.complete,
}  # fmt: skip
