"""A page for people: Markdown, or HTML made from the same parts."""

from __future__ import annotations

from html import escape

from verify.recheck import opinions_text
from verify.results import STATUSES, Report, Result


def markdown(report: Report) -> str:
    """The report as Markdown."""
    lines = ["# What is proved", ""]
    lines.append(f"| obligation | {' | '.join(s.lower() for s in reversed(STATUSES))} |")
    lines.append("|---" * (len(STATUSES) + 1) + "|")
    for kind, counts in report.count().items():
        lines.append(f"| {kind} | {' | '.join(str(counts[s]) for s in reversed(STATUSES))} |")
    lines.append("")
    for configuration, most in report.bounds.items():
        lines.append(f"- {configuration}: at most {most:,} decisions")
    rechecked = report.rechecked()
    if rechecked:
        lines.append(f"- {opinions_text(rechecked)}")
    for result in report.results:
        if result.fails or result.waived:
            lines += ["", *_section(result)]
    return "\n".join(lines) + "\n"


def _section(result: Result) -> list[str]:
    lines = [f"## {result.status}: {result.obligation} {result.subject}", ""]
    facts = [
        ("rule", result.rule), ("players", str(result.players)), ("cite", result.cite),
        ("what", result.detail), ("where", result.span), ("waived", result.waived),
    ]  # fmt: skip
    lines += [f"- {name}: {value}" for name, value in facts if value]
    if result.moves:
        lines += ["", "A game that breaks it:", ""]
        lines += [f"{n}. `{move}`" for n, move in enumerate(result.moves, 1)]
    if result.cells:
        lines += ["", "| cell | value |", "|---|---|"]
        lines += [f"| {name} | {value} |" for name, value in result.cells.items()]
    return lines


def html(report: Report) -> str:
    """The report as a page of its own; pictures stand where the game can draw a position."""
    head = "".join(f"<th>{s.lower()}</th>" for s in reversed(STATUSES))
    rows = "".join(
        f"<tr><td>{escape(kind)}</td>"
        + "".join(f"<td>{counts[s]}</td>" for s in reversed(STATUSES))
        + "</tr>"
        for kind, counts in report.count().items()
    )
    sections = "".join(_article(r) for r in report.results if r.fails or r.waived)
    style = "body{font-family:sans-serif;max-width:60em;margin:auto}td,th{padding:0 .7em}"
    return (
        "<!doctype html><meta charset='utf-8'><title>What is proved</title>"
        f"<style>{style}</style><h1>What is proved</h1>"
        f"<table><tr><th>obligation</th>{head}</tr>{rows}</table>{sections}\n"
    )


def _article(result: Result) -> str:
    title = escape(f"{result.status}: {result.obligation} {result.subject}")
    facts = " · ".join(escape(x) for x in (result.rule, result.detail, result.cite) if x)
    moves = "".join(f"<li><code>{escape(m)}</code></li>" for m in result.moves)
    cells = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>"
        for name, value in result.cells.items()
    )
    listing = f"<ol>{moves}</ol>" if moves else ""
    table = f"<table>{cells}</table>" if cells else ""
    return f"<h2>{title}</h2><p>{facts}</p>{listing}{table}"
