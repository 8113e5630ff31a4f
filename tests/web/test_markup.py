"""A game whose every text is markup: no page, table or drawing takes any of it for its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import rules_dsl as rd
from tests.cli.conftest import Run, run
from tests.web.conftest import Browser, Seat

__all__ = ["run"]

RULES = Path(__file__).with_name("markup.rules")
# Elements that occur in the texts of the game, and not in what we write ourselves.
FOREIGN = {"script", "img", "i", "b", "u", "s"}
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "g", "title", "desc", "rect", "circle", "text", "tspan", "line", "path", "polygon"}


class Elements(HTMLParser):
    """What a browser would make of a page: its elements and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.handlers: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.handlers |= {name for name, _ in attrs if name.startswith("on")}
        self.handlers |= {value for _, value in attrs if value and "javascript:" in value}


def check_page(page: str) -> None:
    found = Elements(page)
    assert not found.tags & FOREIGN
    assert not found.handlers


def check_drawing(drawn: str) -> None:
    for element in ET.fromstring(drawn).iter():
        assert element.tag.removeprefix(SVG) in DRAWN
        assert not [name for name in element.attrib if name.startswith("on")]
    assert "alert(" in drawn or "&lt;" in drawn


def positions() -> Iterator[rd.State]:
    state = rd.load(RULES).start(seed=1)
    while not state.over:
        yield state
        state = state.play(state.moves()[0])
    yield state


def test_the_texts_are_what_they_are_meant_to_be() -> None:
    """The test of pages can fail: a page that writes texts as they are has all of this."""
    found = Elements(RULES.read_text(encoding="utf-8").replace('\\"', '"'))
    assert found.tags >= FOREIGN
    assert found.handlers >= {"onclick", "onerror"}


def test_drawings_and_tables_of_notebooks() -> None:
    for state in positions():
        for viewer in (None, 0, 1):
            check_drawing(state.seat(viewer).drawing or "")
            check_page(state.view(viewer)._repr_html_())
    game = rd.load(RULES)
    check_page(game.tables["Card"]._repr_html_())  # type: ignore[attr-defined]
    assert not Elements(game.simulate(games=4, seed=1)._repr_html_()).tags & FOREIGN


@pytest.mark.parametrize("suffix", [".html", ".md"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_rulebooks(run: Run, tmp_path: Path, suffix: str, language: str) -> None:
    file = tmp_path / f"book{suffix}"
    assert run("book", str(RULES), "--lang", language, "-o", str(file)).exit_code == 0
    check_page(outside_code(file.read_text(encoding="utf-8")))


def test_reports(run: Run, tmp_path: Path) -> None:
    changed = tmp_path / "changed.rules"
    changed.write_text(
        'variant changed of markup "<script>alert(0)</script>"\n    const least = 1\n',
        encoding="utf-8",
    )
    (tmp_path / "markup.rules").write_text(RULES.read_text(encoding="utf-8"), encoding="utf-8")
    for file in (tmp_path / "proofs.html", tmp_path / "proofs.md"):
        assert run("verify", str(changed), "--check", "init", "--report", str(file)).exit_code == 1
        check_page(outside_code(file.read_text(encoding="utf-8")))
    file = tmp_path / "balance.html"
    args = ("compare", str(RULES), str(changed), "--games", "4", "--report", str(file))
    assert run(*args).exit_code == 0
    check_page(file.read_text(encoding="utf-8"))


def outside_code(text: str) -> str:
    """Markdown without its code, in which every reader shows markup as it is written."""
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def test_a_table_in_the_browser(browser: Browser) -> None:
    client = browser()
    text = RULES.read_text(encoding="utf-8")
    draft = client.post("/api/drafts", json={"text": text}).json()["id"]
    table = Seat(client, client.post(f"/api/drafts/{draft}/tables", json={}).json()["id"])
    for language in ("en", "ru"):
        seen: dict[str, Any] = table.view(0, lang=language)
        check_drawing(seen["drawing"])
        assert seen["moves"]
