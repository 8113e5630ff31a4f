"""The additions of the site to its pages."""

from __future__ import annotations

import re

from docs.site_hooks import LANGUAGE, anchor, keyword_table, on_page_content
from rules_dsl.highlighting import keywords


def test_every_word_leads_to_a_section_that_exists() -> None:
    text = LANGUAGE.read_text(encoding="utf-8")
    anchors = {anchor(title) for title in re.findall(r"^#{2,4} (.+)$", text, re.MULTILINE)}
    rows = keyword_table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == keywords()
    for row in rows:
        linked = re.findall(r"language\.md#([\w-]+)", row)
        assert linked and set(linked) <= anchors, row


def test_drawings_can_be_enlarged() -> None:
    html = on_page_content('<p><img alt="A board" src="../pictures/board.svg" /></p>')
    assert html == (
        '<p><a href="../pictures/board.svg" title="Enlarge">'
        '<img alt="A board" src="../pictures/board.svg" /></a></p>'
    )
