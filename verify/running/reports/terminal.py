"""The report on the terminal: one screen, and details of unproved obligations."""

from __future__ import annotations

from textwrap import wrap

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from verify.proof.obligation import OF_INVARIANTS
from verify.proof.results import FAILING, UNUSED, Contradiction, Report, Result
from verify.proof.second_solver import opinions_text
from verify.running.reports.attention import alike, lines_of
from verify.running.reports.lines import (
    assumption_lines,
    configuration_lines,
    unclaimed_lines,
    unused_lines,
)

STYLES = {
    "PROVED": "green",
    "UNUSED": "blue",
    "TESTED": "cyan",
    "UNKNOWN": "yellow",
    "UNPROVED": "magenta",
    "REFUTED": "bold red",
}
SLOWEST = 3
# Lines to paste have at least this margin.
PASTED = 6


def summary(report: Report) -> RenderableType:
    """The table of obligations by kind, and the slowest."""
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("obligation")
    for status in report.statuses():
        table.add_column(status.lower(), justify="right")
    table.add_column("seconds", justify="right")
    for kind, counts in report.count().items():
        seconds = sum(r.seconds for r in report.results if r.obligation == kind)
        cells: list[RenderableType] = [
            Text(str(counts[s]), style=STYLES[s]) if counts[s] else Text("·", style="dim")
            for s in report.statuses()
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
        *unused_lines(report),
        *assumption_lines(report),
    ]
    lines += [Text(line, style="dim") for line in shown_below]
    return Group(*lines)


def _second_opinion(rechecked: dict[str, int]) -> Text:
    style = "bold red" if rechecked.get("disagreed") else "dim"
    return Text(opinions_text(rechecked), style=style)


def details(group: list[Result], width: int) -> RenderableType:
    """A result that needs attention, in the configurations that have it."""
    status = group[0].status
    first, *rest = lines_of(group)
    head, *more = wrap(f"{status}  {first}", width, subsequent_indent=" " * (len(status) + 2))
    title = Text(head, style="bold")
    title.stylize(STYLES[status], 0, len(status))
    return Group(title, *map(Text, more), *(_line(line, width) for line in rest))


def _line(line: str, width: int) -> Text:
    """A line; one to paste is never wrapped, others keep their margin."""
    margin = len(line) - len(line.lstrip())
    if margin >= PASTED and not line.lstrip()[:1].isdigit():
        return Text(line, no_wrap=True, overflow="ignore")
    told = "\n".join(wrap(line, width, subsequent_indent=" " * (margin + 4)))
    return Text(told, style="dim" if line.startswith("  in the rules:") else "")


def print_report(report: Report, console: Console) -> None:
    """The whole report."""
    for contradiction in report.contradictions:
        console.print(contradicted(contradiction))
        console.print()
    console.print(summary(report))
    for group in alike(report):
        console.print()
        # Lines to paste may be long; all others are wrapped.
        console.print(details(group, console.width), crop=False)
    for condition, number in conditional(report).items():
        one = number == 1
        proofs = "1 more proof rests" if one else f"{number:,} more proofs rest"
        counts = "does not count" if one else "do not count"
        console.print()
        console.print(Text(f"{proofs} on {condition} and {counts}", style="magenta"))
    console.print()
    if report.interrupted:
        console.print(Text("interrupted: results so far", style="yellow"))
    style = "green" if report.ok else "bold red"
    console.print(Text(verdict(report), style=style))


def contradicted(found: Contradiction) -> RenderableType:
    """An event in play that the report calls PROVED never to happen."""
    head = Text("CONTRADICTION", style="bold red")
    head.append(f" {found.obligation} {found.subject} ({found.configuration})", style="bold")
    lines: list[RenderableType] = [
        head,
        Text(f"    {found.message}"),
        Text("    called PROVED below, and yet it happens: this is an error of the verifier"),
    ]
    if found.moves:
        lines.append(Text("    the game:"))
        lines += [Text(f"    {n:4}. {move}") for n, move in enumerate(found.moves, 1)]
    return Group(*lines)


def conditional(report: Report) -> dict[str, int]:
    """Number of results that rest on something unproved, by what that is."""
    # What an invariant says can be rested on; of other obligations the sentence says what is wrong.
    sentences = {
        f"{r.obligation} {r.subject}": f"“{r.sentence}”"
        for r in report.results
        if r.sentence and r.obligation in OF_INVARIANTS
    }
    found: dict[str, int] = {}
    for result in report.results:
        if result.given:
            told = " and ".join(sentences.get(given, f"`{given}`") for given in result.given)
            found[told] = found.get(told, 0) + 1
    return found


def verdict(report: Report) -> str:
    """The last line: how much is proved, and what is open, waived, assumed or not claimed.

    >>> verdict(Report(seconds=0.5, assumed=["the bank never runs out of coin"]))
    'all is proved (0.5 s of CPU time; 1 assumed)'
    """
    waived = sum(bool(r.waived) and r.status in FAILING for r in report.results)
    failing = sum(r.fails for r in report.results)
    verb = "needs" if failing == 1 else "need"
    said = f"{failing:,} of {len(report.results):,} obligations {verb} attention"
    if report.contradictions:
        said = "the verifier contradicts itself: believe nothing that it says of these rules"
    elif report.ok:
        what = (
            "all" + " that is claimed" * bool(report.unclaimed) + " but the waived" * bool(waived)
        )
        said = f"{what} is proved"
    counts = {
        "waived": waived,
        "that no row uses": sum(r.status == UNUSED for r in report.results),
        "assumed": len(report.assumed),
        "not claimed": len(report.unclaimed),
    }
    also = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    return f"{said} ({report.seconds:.1f} s of CPU time{'; ' if also else ''}{also})"
