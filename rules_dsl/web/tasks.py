"""What a worker does with rules: check, format, run examples, verify, compare and simulate them.

Each task takes a function that tells how far it is, and plain data; it gives plain data back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict

import rules_dsl as rd
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.sources import gather
from rules_dsl.web.desk import Refused, opened

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.simulation import Simulation
    from verify.proof.results import Report, Result

Tell = Callable[[dict[str, Any]], None]
# Standard deviations to each side of a mean that make an interval of 95 %.
NORMAL_95 = 1.96


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
            return {"errors": [], "game": name, "variants": list(variants), "title": title,
                    "players": [low, high]}  # fmt: skip
    except RuleError as error:
        errors = tuple(error.diagnostics)
    return {"errors": [_error(error, path) for error in errors]}


def _error(error: Diagnostic, path: str) -> dict[str, Any]:
    own = Path(error.span.file).name == Path(path).name
    return {
        "code": error.code, "message": error.message, "hint": error.hint,
        # Only the name of a file is told: where it lies is the server's business.
        "file": "" if own else Path(error.span.file).name,
        "line": error.span.line, "column": error.span.column,
        "end_line": error.span.end_line, "end_column": error.span.end_column,
        "notes": [note.message for note in error.notes],
    }  # fmt: skip


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
        {"title": e.title, "ok": e.ok, "message": e.message, "players": e.players,
         "cites": list(e.cites)}
        for e in found
    ]  # fmt: skip


def verify(tell: Tell, path: str, players: int | None, effort: str) -> dict[str, Any]:
    """Check every proof obligation of a game; progress is told as it goes."""
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
    return {"obligation": result.obligation, "subject": result.subject, "rule": result.rule,
            "cite": result.cite}  # fmt: skip


def _attention(group: list[Result]) -> dict[str, Any]:
    """What needs attention, in words that a player can read; `record` is a game that shows it."""
    from verify.running.reports.attention import lines_of

    shown = group[0]
    sentence, *lines = lines_of(group)
    return {
        **_line(shown), "status": shown.status, "sentence": sentence, "lines": lines,
        "moves": list(shown.moves), "record": shown.record, "waived": shown.waived,
    }  # fmt: skip


def _report_text(report: Report) -> str:
    """The report as the terminal shows it."""
    from rich.console import Console

    from verify.running.reports.terminal import print_report

    out = StringIO()
    print_report(report, Console(file=out, width=100, no_color=True))
    return out.getvalue()


def compare(tell: Tell, path: str, players: int | None) -> dict[str, Any]:
    """What a variant changes in the game that it is a variant of."""
    from verify import diff

    sources = gather(path)
    if not sources.variants:
        raise Refused("this is a game of its own: there is nothing to compare it with")
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
    tell: Tell, path: str, players: int | None, options: Mapping[str, Any], variants: list[str],
    games: int, policy: str, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Play many games and count."""
    game = _loaded(path, players, options, variants)
    result = game.simulate(
        games, policy, seed, jobs=1, progress=lambda done: tell({"done": done, "total": games})
    )
    return {**json.loads(result.to_json()), **_distribution(result),
            "names": list(game.player_names), "title": game.title,
            "variants": list(game.variants)}  # fmt: skip


def _distribution(result: Simulation) -> dict[str, Any]:
    """How scores, lengths and wins are spread, with intervals of 95 %."""
    n = result.games
    shares = [float(share) for share in result.win_share()]
    return {
        "scores": [
            sorted([float(score), count] for score, count in counts.items())
            for counts in result.scores
        ],
        "length_counts": sorted([length, count] for length, count in result.lengths.items()),
        "share_intervals": [_wilson(share, n) for share in shares],
        "score_intervals": [
            _mean_interval({float(score): count for score, count in counts.items()})
            for counts in result.scores
        ],
    }


def _wilson(share: float, n: int) -> list[float]:
    """The Wilson interval of a share.

    >>> [round(x, 3) for x in _wilson(0.5, 100)]
    [0.404, 0.596]
    """
    z = NORMAL_95
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return [max(0.0, middle - half), min(1.0, middle + half)]


def _mean_interval(counts: Mapping[float, int]) -> list[float]:
    """The interval of a mean.

    >>> _mean_interval({1.0: 10})
    [1.0, 1.0]
    """
    n = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / n
    variance = sum((value - mean) ** 2 * count for value, count in counts.items()) / max(1, n - 1)
    half = NORMAL_95 * math.sqrt(variance / n)
    return [mean - half, mean + half]


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
    except RuleError as error:
        raise Refused(f"the rules have errors: {error.diagnostics[0].message}") from None
    except rd.OptionError as error:
        raise Refused(str(error)) from None


TASKS: dict[str, Callable[..., Any]] = {
    "check": check, "layout": layout, "examples": examples, "verify": verify,
    "compare": compare, "simulate": simulate, "unpack": unpack,
}  # fmt: skip
