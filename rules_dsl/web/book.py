"""The rules of a game as a book: declarations with texts and cites, headings of the rulebook."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from attrs import asdict

import rules_dsl as rd
from rules_dsl.book.chapters import chapters
from rules_dsl.language import syntax as s
from rules_dsl.language.outline import KINDS, OutlineEntry, cites_text, outline
from rules_dsl.language.printer import declaration_text, expression_text
from rules_dsl.language.program import assemble
from rules_dsl.language.rulebook import trace
from rules_dsl.language.sources import gather


@lru_cache
def book(name: str, language: str = "en") -> dict[str, Any]:
    """The chapters of a game's rulebook, its declarations by kind, and what cites each heading.

    >>> [section["kind"] for section in book("pig")["sections"]][:2]
    ['constant', 'state']
    """
    program = assemble(gather(name))
    entries = outline(program)
    found = [(kind, [_told(e) for e in entries if e.kind == kind]) for kind in KINDS]
    coverage = [
        {
            "heading": str(heading),
            "reason": heading.reason,
            "cited_by": [{"kind": e.kind, "name": e.name} for e in cited],
        }
        for heading, cited in trace(program).headings
    ]
    return {
        "name": name,
        "title": program.game.text.value if program.game.text else name,
        "players": list(program.player_range),
        "sections": [{"kind": kind, "entries": members} for kind, members in found if members],
        "coverage": coverage,
        "chapters": [
            {
                "title": chapter.title,
                "blocks": [{"kind": type(b).__name__, **asdict(b)} for b in chapter.blocks],
            }
            for chapter in chapters(rd.load(name), language)
        ],
    }


def _told(entry: OutlineEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "text": entry.text,
        "cites": [str(cite) for cite in entry.all_cites],
        "provisional": entry.provisional,
        "needs": _needs(entry.node),
        "source": _source(entry.node),
    }


def _needs(node: s.Node) -> list[dict[str, str]]:
    """A requirement of an action: the refusal that a player reads, the condition, its cites."""
    if not isinstance(node, s.Action):
        return []
    return [
        {
            "refusal": line.reason.value if line.reason else "",
            "condition": expression_text(line.condition),
            "cite": cites_text(line.cites),
        }
        for line in node.body
        if isinstance(line, s.Require)
    ]


def _source(node: s.Node) -> str:
    """The source text of a declaration; a single part of the state has none."""
    return declaration_text(node) if isinstance(node, s.Declaration) else ""
