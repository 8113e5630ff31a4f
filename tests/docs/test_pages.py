"""The documentation is true: its commands and examples are executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs import game_pages
from tests.docs.pages import carry_out

PAGES = Path(__file__).parents[2] / "docs" / "pages"
# The language reference has separate tests.
EXECUTED = [
    page
    for page in sorted(PAGES.rglob("*.md"))
    if page.name not in ("language.md", "gallery.md", "api.md")
]


@pytest.mark.parametrize("page", EXECUTED, ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = carry_out(page, tmp_path)
    if page.stem == "tutorial":
        assert done >= 20, "every step is executed"


@pytest.mark.parametrize("page", game_pages.PAGES, ids=lambda page: page.stem)
def test_tables_of_the_games_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == game_pages.filled(text), "run docs/game_pages.py"
