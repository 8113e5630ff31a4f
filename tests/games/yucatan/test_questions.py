"""The page of questions: all 72, each once, and those that are rulings named as such."""

from __future__ import annotations

import re
from pathlib import Path

import rules_dsl as rd
from rules_dsl.language.options import option_infos
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather

PAGE = Path(rd.__file__).parent.parent / "docs" / "pages" / "games" / "yucatan_questions.md"
ROW = re.compile(r"^\| (Q\d\d) \|.*\| ([^|]+) \|$", re.MULTILINE)


def test_every_question_has_an_answer() -> None:
    decided = dict(ROW.findall(PAGE.read_text(encoding="utf-8")))
    assert list(decided) == [f"Q{n:02}" for n in range(1, 73)]
    rulings = {
        number: f"`{info.name}`"
        for info in option_infos(assemble(gather("yucatan")))
        for number in re.findall(r"Q\d\d", info.text)
    }
    assert {q: by for q, by in decided.items() if by.startswith("`")} == rulings
