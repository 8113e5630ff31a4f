"""The recipes: short games that are formatted, sound, playable, and proved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from rules_dsl.language.checking import diagnose
from rules_dsl.language.formatter import format_text
from rules_dsl.language.sources import gather

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pages" / "how_to" / "recipes.md"
_BLOCK = re.compile(r'^```rules title="([\w.]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
RECIPES = dict(_BLOCK.findall(PAGE.read_text(encoding="utf-8")))


def test_every_genre_has_a_recipe() -> None:
    assert set(RECIPES) == {
        "worker_placement.rules",
        "auction.rules",
        "drafting.rules",
        "network.rules",
        "market_track.rules",
        "deck_and_discard.rules",
        "area_majority.rules",
        "fireworks.rules",
        "partners.rules",
    }


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_a_recipe_is_sound_and_proved(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(RECIPES[name], encoding="utf-8")
    assert format_text(RECIPES[name], name) == RECIPES[name]
    sources = gather(str(path))
    assert [d.render(sources.texts) for d in diagnose(sources)] == []
    playing, proved = (4, 4) if name == "partners.rules" else (3, 2)
    assert rd.load(str(path), players=playing).playout(seed=1).over
    report = verify.run(rd.load(str(path), players=proved), jobs=1)
    others = [r for r in report.results if r.status not in ("PROVED", "TESTED")]
    assert [(r.obligation, r.subject, r.status) for r in others] == []
