"""A page for people: Markdown, or HTML made from the same parts, with pictures of positions."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from compiler.runtime.html import markdown_text
from rules_dsl.language.files import write_text
from verify.proof.results import Report, Result
from verify.proof.second_solver import opinions_text
from verify.running.reports.attention import alike, lines_of
from verify.running.reports.lines import (
    assumption_lines,
    configuration_lines,
    unclaimed_lines,
    unused_lines,
)
from verify.running.reports.pictures import Picture, Pictures, pictures

if TYPE_CHECKING:
    from compiler.runtime.game import Game

T = TypeVar("T")
TITLE = "What is proved"
STYLE = (
    "body{font-family:sans-serif;max-width:70em;margin:2em auto;padding:0 1em;line-height:1.4}"
    "td,th{padding:.1em .7em;text-align:right}td:first-child,th:first-child{text-align:left}"
    "pre{white-space:pre-wrap}"
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
    lines.append(f"| obligation | {' | '.join(s.lower() for s in report.statuses())} |")
    lines.append("|---" * (len(report.statuses()) + 1) + "|")
    for kind, counts in report.count().items():
        lines.append(f"| {kind} | {' | '.join(str(counts[s]) for s in report.statuses())} |")
    lines.append("")
    lines += [f"- {markdown_text(line)}" for line in _summary(report)]
    for group in alike(report):
        lines += ["", *_section(group, _of_group(report, group, links or {}))]
    return "\n".join(lines) + "\n"


def _of_group(report: Report, group: list[Result], found: Mapping[int, list[T]]) -> list[T]:
    """The pictures of the result of a group that is shown."""
    at = next(k for k, result in enumerate(report.results) if result is group[0])
    return found.get(at, [])


def _summary(report: Report) -> list[str]:
    rechecked = report.rechecked()
    opinions = [opinions_text(rechecked)] if rechecked else []
    return [
        *configuration_lines(report),
        *unclaimed_lines(report),
        *unused_lines(report),
        *assumption_lines(report),
        *opinions,
    ]


def _section(group: list[Result], links: list[tuple[str, str]]) -> list[str]:
    first, *rest = lines_of(group)
    lines = [
        f"## {group[0].status}: {markdown_text(first)}",
        "",
        "```text",
        *(line[2:] for line in rest),
        "```",
    ]
    for caption, address in links:
        said = markdown_text(caption)
        lines += ["", f"![{said}]({address})", "", f"*{said}*"]
    return lines


# ---- HTML ---------------------------------------------------------------------------------------


def html(report: Report, drawn: Pictures | None = None) -> str:
    """The report as a page of its own, pictures included."""
    head = "".join(f"<th>{s.lower()}</th>" for s in report.statuses())
    rows = "".join(
        f"<tr><td>{escape(kind)}</td>"
        + "".join(f"<td>{counts[s]}</td>" for s in report.statuses())
        + "</tr>"
        for kind, counts in report.count().items()
    )
    summary = "".join(f"<li>{escape(line)}</li>" for line in _summary(report))
    sections = "".join(
        _article(group, _of_group(report, group, drawn or {})) for group in alike(report)
    )
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{TITLE}</title>"
        f"<style>{STYLE}</style><h1>{TITLE}</h1>"
        f"<table><tr><th>obligation</th>{head}</tr>{rows}</table><ul>{summary}</ul>{sections}"
        "</html>\n"
    )


def _article(group: list[Result], shown: list[Picture]) -> str:
    first, *rest = lines_of(group)
    told = escape("\n".join(line[2:] for line in rest))
    title = escape(f"{group[0].status}: {first}")
    return "".join([f"<h2>{title}</h2><pre>{told}</pre>", *map(_figure, shown)])


def _figure(picture: Picture) -> str:
    # As an image of its own: drawings may use the same names inside.
    data = b64encode(picture.svg.encode()).decode()
    caption = escape(picture.caption)
    return (
        f"<figure><figcaption>{caption}</figcaption>"
        f"<img alt='{caption}' src='data:image/svg+xml;base64,{data}'></figure>"
    )
