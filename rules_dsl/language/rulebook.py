"""The headings of a game's rulebook, and the rules that cite them.

A game's folder may hold `rulebook.json`: for each source the headings in their order, those that
need no rule with a `reason`.
"""

from __future__ import annotations

import json
from pathlib import Path

from attrs import define, field, frozen

from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.outline import OutlineEntry, outline
from rules_dsl.language.program import Program
from rules_dsl.language.spans import Span
from rules_dsl.language.syntax import Cite


@frozen
class RulebookHeading:
    """A heading of a rulebook; `reason` says why it needs no rule."""

    source: str
    page: str
    heading: str
    reason: str = ""

    def __str__(self) -> str:
        page = f"p. {self.page} " if self.page else ""
        return f"{self.source} {page}{self.heading}"


@define
class Trace:
    """The headings of a rulebook with the declarations that cite them.

    `unlisted` are the headings that rules cite and the list does not have.
    """

    headings: list[tuple[RulebookHeading, list[OutlineEntry]]] = field(factory=list)
    unlisted: dict[RulebookHeading, list[OutlineEntry]] = field(factory=dict)
    # Whether the headings come from a rulebook's list, or merely from the cites.
    listed: bool = True

    @property
    def uncovered(self) -> list[RulebookHeading]:
        """Headings without a rule and without a reason."""
        return [h for h, entries in self.headings if not entries and not h.reason]

    @property
    def ok(self) -> bool:
        """Whether every heading is covered or excused, and every cite has its heading."""
        return not self.uncovered and not self.unlisted


def read_headings(path: Path) -> list[RulebookHeading]:
    """The headings listed in a `rulebook.json`; raises `RuleError` if it cannot be used."""

    def bad(reason: str) -> RuleError:
        return RuleError([Diagnostic("E0115", f"`{path}` {reason}", Span(str(path), 0, 0, 0, 0))])

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return [
            RulebookHeading(source, str(h["page"]), str(h["heading"]), str(h.get("reason", "")))
            for source, headings in data["sources"].items()
            for h in headings
        ]
    except OSError as error:
        raise bad(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise bad(f"is not valid JSON: {error}") from None
    except (KeyError, TypeError, AttributeError):
        raise bad("is not a list of headings by source") from None


def trace(program: Program) -> Trace:
    """Compare the cites of a game with the headings of its rulebook.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> trace(assemble(gather("tzolkin"))).ok
    True
    """
    cited = _cited(program)
    path = Path(program.sources.main).parent / "rulebook.json"
    if not path.is_file():
        return Trace(
            [(h, entries) for h, entries in sorted(cited.items(), key=_order)], listed=False
        )
    headings = read_headings(path)
    found = Trace([(h, cited.pop(_bare(h), [])) for h in headings])
    found.unlisted = cited
    return found


def _bare(heading: RulebookHeading) -> RulebookHeading:
    return RulebookHeading(heading.source, heading.page, heading.heading)


def _order(item: tuple[RulebookHeading, list[OutlineEntry]]) -> tuple[str, str]:
    return item[0].source, item[0].page


def _cited(program: Program) -> dict[RulebookHeading, list[OutlineEntry]]:
    """The headings that are cited; a cite without a heading counts for none."""
    found: dict[RulebookHeading, list[OutlineEntry]] = {}

    def note(cite: Cite, entry: OutlineEntry) -> None:
        if cite.heading:
            entries = found.setdefault(RulebookHeading(cite.source, cite.pages, cite.heading), [])
            if entry not in entries:
                entries.append(entry)

    game = program.game
    title = game.text.value if game.text else ""
    first = OutlineEntry("game", game.name.name, title, game.cites, (), game.span, game)
    for entry in [first, *outline(program)]:
        for cite in entry.all_cites:
            note(cite, entry)
    return found
