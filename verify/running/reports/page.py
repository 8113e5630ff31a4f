"""A page for people: Markdown, or HTML made from the same parts, with pictures of positions."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from rules_dsl.language.files import write_text
from verify.proof.results import STATUSES, Report, Result
from verify.proof.second_solver import opinions_text
from verify.running.reports.lines import assumption_lines, configuration_lines, unclaimed_lines
from verify.running.reports.pictures import Picture, Pictures, pictures

if TYPE_CHECKING:
    from compiler.runtime.game import Game

TITLE = "What is proved"
STYLE = (
    "body{font-family:sans-serif;max-width:70em;margin:2em auto;padding:0 1em;line-height:1.4}"
    "td,th{padding:.1em .7em;text-align:right}td:first-child,th:first-child{text-align:left}"
    "figure{margin:1em 0}img{max-width:100%;border:1px solid #ccc}figcaption{color:#555}"
)


def write_page(path: Path, report: Report, games: Mapping[str, Game]) -> None:
    """Write a page, HTML or Markdown by the name of the file.

    HTML has its pictures inside; those of Markdown stand in a folder next to the file.
    """
    drawn = pictures(report, games)
    if path.suffix == ".html":
        write_text(path, html(report, drawn))
        return
    folder = path.with_name(f"{path.stem}_pictures")
    links: dict[int, list[tuple[str, str]]] = {}
    for at, shown in drawn.items():
        folder.mkdir(exist_ok=True)
        for number, picture in enumerate(shown, 1):
            file = folder / f"{at + 1}_{number}.svg"
            write_text(file, picture.svg)
            link = (picture.caption, f"{folder.name}/{file.name}")
            links.setdefault(at, []).append(link)
    write_text(path, markdown(report, links))


# ---- Markdown -----------------------------------------------------------------------------------


def markdown(report: Report, links: Mapping[int, list[tuple[str, str]]] | None = None) -> str:
    """The report as Markdown; `links` are captions and addresses of pictures, by result."""
    lines = [f"# {TITLE}", ""]
    lines.append(f"| obligation | {' | '.join(s.lower() for s in reversed(STATUSES))} |")
    lines.append("|---" * (len(STATUSES) + 1) + "|")
    for kind, counts in report.count().items():
        lines.append(f"| {kind} | {' | '.join(str(counts[s]) for s in reversed(STATUSES))} |")
    lines.append("")
    lines += [f"- {line}" for line in _summary(report)]
    for at, result in enumerate(report.results):
        if result.fails or result.waived:
            lines += ["", *_section(result, (links or {}).get(at, []))]
    return "\n".join(lines) + "\n"


def _summary(report: Report) -> list[str]:
    rechecked = report.rechecked()
    opinions = [opinions_text(rechecked)] if rechecked else []
    return [
        *configuration_lines(report),
        *unclaimed_lines(report),
        *assumption_lines(report),
        *opinions,
    ]


def _facts(result: Result) -> list[tuple[str, str]]:
    facts = [
        ("rule", result.rule), ("configuration", result.configuration), ("cite", result.cite),
        ("what", result.detail), ("where", result.span), ("waived", result.waived),
        ("chosen", ", ".join(f"{name} = {value}" for name, value in result.chosen.items())),
    ]  # fmt: skip
    return [(name, value) for name, value in facts if value]


def _section(result: Result, links: list[tuple[str, str]]) -> list[str]:
    lines = [f"## {result.status}: {result.obligation} {result.subject}", ""]
    lines += [f"- {name}: {value}" for name, value in _facts(result)]
    if result.moves:
        lines += ["", "A game that breaks it:", ""]
        lines += [f"{n}. `{move}`" for n, move in enumerate(result.moves, 1)]
    for caption, address in links:
        lines += ["", f"![{caption}]({address})", "", f"*{caption}*"]
    if result.cells:
        lines += ["", "| cell | value |", "|---|---|"]
        lines += [f"| {_plain(name)} | {_plain(value)} |" for name, value in result.cells.items()]
    return lines


def _plain(text: str) -> str:
    return text.replace("|", "\\|")


# ---- HTML ---------------------------------------------------------------------------------------


def html(report: Report, drawn: Pictures | None = None) -> str:
    """The report as a page of its own, pictures included."""
    head = "".join(f"<th>{s.lower()}</th>" for s in reversed(STATUSES))
    rows = "".join(
        f"<tr><td>{escape(kind)}</td>"
        + "".join(f"<td>{counts[s]}</td>" for s in reversed(STATUSES))
        + "</tr>"
        for kind, counts in report.count().items()
    )
    summary = "".join(f"<li>{escape(line)}</li>" for line in _summary(report))
    sections = "".join(
        _article(result, (drawn or {}).get(at, []))
        for at, result in enumerate(report.results)
        if result.fails or result.waived
    )
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{TITLE}</title>"
        f"<style>{STYLE}</style><h1>{TITLE}</h1>"
        f"<table><tr><th>obligation</th>{head}</tr>{rows}</table><ul>{summary}</ul>{sections}"
        "</html>\n"
    )


def _article(result: Result, shown: list[Picture]) -> str:
    title = escape(f"{result.status}: {result.obligation} {result.subject}")
    facts = "".join(f"<li>{name}: {escape(value)}</li>" for name, value in _facts(result))
    parts = [f"<h2>{title}</h2><ul>{facts}</ul>"]
    if result.moves:
        moves = "".join(f"<li><code>{escape(m)}</code></li>" for m in result.moves)
        parts.append(f"<p>A game that breaks it:</p><ol>{moves}</ol>")
    parts += [_figure(picture) for picture in shown]
    if result.cells:
        cells = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>"
            for name, value in result.cells.items()
        )
        heading = "<summary>The position, as differences from the one before set-up</summary>"
        parts.append(f"<details open>{heading}<table>{cells}</table></details>")
    return "".join(parts)


def _figure(picture: Picture) -> str:
    # As an image of its own: drawings may use the same names inside.
    data = b64encode(picture.svg.encode()).decode()
    caption = escape(picture.caption)
    return (
        f"<figure><figcaption>{caption}</figcaption>"
        f"<img alt='{caption}' src='data:image/svg+xml;base64,{data}'></figure>"
    )
