"""Every heading of a rulebook is cited by a rule, or says why not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rules_dsl as rd
from rules_dsl.language.program import assemble
from rules_dsl.language.rulebook import trace
from rules_dsl.language.sources import gather

FOLDER = Path(rd.__file__).parent.parent / "games"
GAMES = ("tikal", "tzolkin", "yucatan", "zimbabwe")
# Games whose cites have pages; those of Zimbabwe are headings alone.
BY_PAGE = GAMES[:3]


@pytest.mark.parametrize("game", BY_PAGE)
def test_headings_and_cites_agree(game: str) -> None:
    """Read off the files, without the code of `rules trace`."""
    text = (FOLDER / game / "rulebook.json").read_text(encoding="utf-8")
    book = json.loads(text)["sources"]
    entries = [(source, h["page"], h["heading"], h) for source in book for h in book[source]]
    headings = {entry[:3] for entry in entries}
    excused = {entry[:3] for entry in entries if "reason" in entry[3]}
    cite = re.compile(rf'({"|".join(book)}) (\d+(?:-\d+)?) "([^"]+)"')
    cited = {
        match.groups()
        for file in (FOLDER / game).glob("*.rules")
        for line in file.read_text(encoding="utf-8").splitlines()
        for match in cite.finditer(line)
    }
    assert len(headings) == len(entries)
    assert cited <= headings
    assert headings - cited == excused


@pytest.mark.parametrize("game", GAMES)
def test_rules_trace_says_the_same(game: str) -> None:
    found = trace(assemble(gather(game)))
    assert found.listed
    assert found.uncovered == []
    assert found.unlisted == {}


def test_every_correction_of_zimbabwe_is_cited_or_explained() -> None:
    headings = {h.heading for h, _ in trace(assemble(gather("zimbabwe"))).headings}
    assert {f"E{n:02}" for n in range(1, 19)} <= headings
