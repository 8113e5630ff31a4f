"""Every heading of both rulebooks is cited by a rule, or says why not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import rules_dsl as rd

FOLDER = Path(rd.__file__).parent.parent / "games" / "tikal"
CITE = re.compile(r'([AB]) (\d+(?:-\d+)?) "([^"]+)"')


def test_headings_and_cites_agree() -> None:
    book = json.loads((FOLDER / "rulebook.json").read_text(encoding="utf-8"))["sources"]
    headings = {(s, h["page"], h["heading"]) for s, entries in book.items() for h in entries}
    excused = {
        (s, h["page"], h["heading"])
        for s, entries in book.items()
        for h in entries
        if "reason" in h
    }
    cited = {
        match.groups()
        for file in FOLDER.glob("*.rules")
        for line in file.read_text(encoding="utf-8").splitlines()
        for match in CITE.finditer(line)
    }
    assert cited <= headings
    assert headings - cited == excused
