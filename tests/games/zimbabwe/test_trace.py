"""Every heading of the rulebook is cited by a rule, or says why not."""

from __future__ import annotations

from rules_dsl.language.program import assemble
from rules_dsl.language.rulebook import trace
from rules_dsl.language.sources import gather


def test_headings_and_cites_agree() -> None:
    found = trace(assemble(gather("zimbabwe")))
    assert found.listed
    assert found.uncovered == []
    assert found.unlisted == {}


def test_every_correction_is_cited_or_explained() -> None:
    headings = {h.heading for h, _ in trace(assemble(gather("zimbabwe"))).headings}
    assert {f"E{n:02}" for n in range(1, 19)} <= headings
