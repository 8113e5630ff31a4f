"""Every heading of the rulebook is cited by a rule, or says why not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import rules_dsl as rd

FOLDER = Path(rd.__file__).parent.parent / "games" / "yucatan"
CITE = re.compile(r'R (\d+(?:-\d+)?) "([^"]+)"')


def test_headings_and_cites_agree() -> None:
    book = json.loads((FOLDER / "rulebook.json").read_text(encoding="utf-8"))["sources"]["R"]
    headings = {(h["page"], h["heading"]) for h in book}
    excused = {(h["page"], h["heading"]) for h in book if "reason" in h}
    cited = {
        match.groups()
        for file in FOLDER.glob("*.rules")
        for match in CITE.finditer(file.read_text(encoding="utf-8"))
    }
    assert cited <= headings
    assert headings - cited == excused
