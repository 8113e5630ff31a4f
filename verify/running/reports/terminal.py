"""The report on the terminal: one screen, and the details of what is not proved."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rules_dsl.language.printer.expressions import quoted
from verify.proof.results import FAILING, STATUSES, Contradiction, Report, Result
from verify.proof.second_solver import opinions_text
from verify.running.reports.lines import assumption_lines, configuration_lines, unclaimed_lines

STYLES = {
    "PROVED": "green", "TESTED": "cyan", "UNKNOWN": "yellow", "UNPROVED": "magenta",
    "REFUTED": "bold red",
}  # fmt: skip
# What kind of invariant is missing when something cannot be proved.
ADVICE = {
    "invariant": "an invariant that excludes this position, or `keeps` in the loop around the step",
    "init": "set-up leaves a position that breaks the invariant",
    "safety": "a requirement, an invariant or an `assert` that rules this position out",
    "progress": "an invariant that says why a move is left, or `optionally`",
    "termination": "an invariant that bounds the measure, or another measure",
    "conservation": "goods may only be moved",
    "scoring": "an invariant or a condition that rules this position out, so that there is a value",
    "views": "rules that do not depend on what is hidden, or a `reveal` of what is shown",
    "liveness": "if the rule is meant to be dead, drop it or waive it",
    "examples": "the example or the rules are wrong",
    "agreement": "this is a fault in the tool, please report it",
}
MOST_CELLS = 12
SLOWEST = 3


def summary(report: Report) -> RenderableType:
    """The table of obligations by kind, and the slowest."""
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("obligation")
    for status in reversed(STATUSES):
        table.add_column(status.lower(), justify="right")
    table.add_column("seconds", justify="right")
    for kind, counts in report.count().items():
        seconds = sum(r.seconds for r in report.results if r.obligation == kind)
        cells: list[RenderableType] = [
            Text(str(counts[s]), style=STYLES[s]) if counts[s] else Text("·", style="dim")
            for s in reversed(STATUSES)
        ]
        table.add_row(kind, *cells, f"{seconds:.2f}")
    lines: list[RenderableType] = [table]
    slow = sorted(report.results, key=lambda r: -r.seconds)[:SLOWEST]
    if slow and slow[0].seconds >= 0.1:
        shown = ", ".join(f"{r.obligation} {r.subject} {r.seconds:.1f} s" for r in slow)
        lines.append(Text(f"slowest: {shown}", style="dim"))
    rechecked = report.rechecked()
    if rechecked:
        lines.append(_second_opinion(rechecked))
    shown_below = [
        *configuration_lines(report),
        *unclaimed_lines(report),
        *assumption_lines(report),
    ]
    lines += [Text(line, style="dim") for line in shown_below]
    return Group(*lines)


def _second_opinion(rechecked: dict[str, int]) -> Text:
    style = "bold red" if rechecked.get("disagreed") else "dim"
    return Text(opinions_text(rechecked), style=style)


def details(result: Result, configurations: list[str]) -> RenderableType:
    """One result that needs attention, in the configurations of the game that have it."""
    head = Text()
    head.append(result.status, style=STYLES[result.status])
    head.append(f" {result.obligation} {result.subject}", style="bold")
    if result.rule and result.rule != result.subject:
        head.append(f" in {result.rule}")
    head.append(f" ({'; '.join(configurations)})")
    if result.cite:
        head.append(f" [{result.cite}]", style="dim")
    lines: list[RenderableType] = [head]
    if result.detail:
        lines.append(Text(f"    {result.detail}"))
    if result.span:
        lines.append(Text(f"    {result.span}", style="dim"))
    if result.moves or result.status == "REFUTED":
        lines += _game(result)
    elif result.status == "UNPROVED":
        lines += _position(result)
    if result.waived:
        lines.append(Text(f"    waived: {result.waived}", style="dim"))
    elif result.status in ("UNPROVED", "UNKNOWN"):
        lines.append(Text(f"    missing: {ADVICE[result.obligation]}", style="dim"))
    elif result.obligation == "examples" and result.variants:
        meant = "    if this is meant to come out otherwise, write in the house rule:"
        lines += [Text(meant, style="dim"), _code(f"drop example {quoted(result.subject)}")]
    return Group(*lines)


def _code(line: str) -> Text:
    """A line to paste: it is never wrapped."""
    return Text(f"        {line}", no_wrap=True, overflow="ignore")


def _game(result: Result) -> list[RenderableType]:
    lines: list[RenderableType] = []
    if result.moves:
        lines.append(Text("    a game that breaks it:"))
        lines += [Text(f"    {n:4}. {move}") for n, move in enumerate(result.moves, 1)]
    return lines + _cells(result, "    the position, as differences from the opening:")


def _side_by_side(result: Result) -> list[RenderableType]:
    """Two positions that a player should not be able to tell apart: the cells that differ."""
    heading = "    not known to be reachable; two positions that look alike until then:"
    lines: list[RenderableType] = [Text(heading, style="dim")]
    lines += [
        Text(f"      {name} = {value} in one, {result.twin.get(name, '')} in the other")
        for name, value in list(result.cells.items())[:MOST_CELLS]
    ]
    return lines


def _position(result: Result) -> list[RenderableType]:
    if result.twin:
        return _side_by_side(result)
    lines: list[RenderableType] = []
    if result.chosen:
        shown = ", ".join(f"{name} = {value}" for name, value in result.chosen.items())
        lines.append(Text(f"    chosen: {shown}"))
    return lines + _cells(
        result,
        "    not known to be reachable; a position that the invariants allow, as differences:",
    )


def _cells(result: Result, heading: str) -> list[RenderableType]:
    if not result.cells:
        return []
    shown = list(result.cells.items())
    lines: list[RenderableType] = [Text(heading, style="dim")]
    lines += [Text(f"      {name} = {value}") for name, value in shown[:MOST_CELLS]]
    if len(shown) > MOST_CELLS:
        lines.append(Text(f"      … and {len(shown) - MOST_CELLS} more", style="dim"))
    return lines


def alike(report: Report) -> list[list[Result]]:
    """What needs attention; what is the same in several configurations of a game is told once."""
    groups: dict[object, list[Result]] = {}
    for result in report.results:
        if (result.fails or result.waived) and not result.given:
            key = (
                result.status, result.obligation, result.subject, result.rule, result.detail,
                result.span, tuple(result.moves), tuple(result.cells.items()),
            )  # fmt: skip
            groups.setdefault(key, []).append(result)
    return list(groups.values())


def print_report(report: Report, console: Console) -> None:
    """The whole report."""
    for contradiction in report.contradictions:
        console.print(contradicted(contradiction))
        console.print()
    console.print(summary(report))
    for configurations in alike(report):
        console.print()
        # Lines to paste may be long; all others are wrapped.
        console.print(
            details(configurations[0], [result.configuration for result in configurations]),
            crop=False,
        )
    for condition, number in conditional(report).items():
        console.print()
        console.print(
            Text(f"{condition}: {number} more, which count as not proved", style="magenta")
        )
    console.print()
    if report.interrupted:
        console.print(Text("interrupted: this is what was done", style="yellow"))
    style = "green" if report.ok else "bold red"
    console.print(Text(verdict(report), style=style))


def contradicted(found: Contradiction) -> RenderableType:
    """Something that the report calls PROVED and that happened in play all the same."""
    head = Text("CONTRADICTION", style="bold red")
    head.append(f" {found.obligation} {found.subject} ({found.configuration})", style="bold")
    lines: list[RenderableType] = [
        head, Text(f"    {found.message}"),
        Text("    called PROVED below, and yet it happens: this is an error of the verifier"),
    ]  # fmt: skip
    if found.moves:
        lines.append(Text("    the game:"))
        lines += [Text(f"    {n:4}. {move}") for n, move in enumerate(found.moves, 1)]
    return Group(*lines)


def conditional(report: Report) -> dict[str, int]:
    """How many results rest on something that is not proved, by what that is."""
    found: dict[str, int] = {}
    for result in report.results:
        if result.given:
            found[result.detail] = found.get(result.detail, 0) + 1
    return found


def verdict(report: Report) -> str:
    """The last line: what is proved, and what is not, waived, assumed or not claimed.

    >>> verdict(Report(seconds=0.5, assumed=["the bank never runs out of coin"]))
    'all is proved (0.5 s; 1 assumed)'
    """
    waived = sum(bool(r.waived) and r.status in FAILING for r in report.results)
    failing = sum(r.fails for r in report.results)
    said = f"{failing} of {len(report.results)} to look at"
    if report.contradictions:
        said = "the verifier contradicts itself: believe nothing that it says of these rules"
    elif report.ok:
        what = (
            "all" + " that is claimed" * bool(report.unclaimed) + " but the waived" * bool(waived)
        )
        said = f"{what} is proved"
    counts = {
        "waived": waived, "assumed": len(report.assumed), "not claimed": len(report.unclaimed),
    }  # fmt: skip
    also = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    return f"{said} ({report.seconds:.1f} s{'; ' if also else ''}{also})"
