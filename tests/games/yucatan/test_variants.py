"""The examples of the rulebook under the house rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.examples import run_examples
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather

FOLDER = Path(rd.__file__).parent.parent / "games" / "yucatan" / "variants"
VARIANTS = sorted(p.stem for p in FOLDER.glob("*.rules"))
# Kept as a story: the loser of a battle may have nothing to pay with.
UNSOUND = "tribute"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in VARIANTS if name != UNSOUND])
def test_examples_come_out_as_written(name: str) -> None:
    for result in run_examples(assemble(gather(str(FOLDER / f"{name}.rules")))):
        assert result.ok, f"{result.title}: {result.message}"


def test_examples_show_what_is_unsound() -> None:
    results = run_examples(assemble(gather(str(FOLDER / f"{UNSOUND}.rules"))))
    failed = [result for result in results if not result.ok]
    assert failed
    assert all("not enough jade" in result.message for result in failed), failed[0].message
