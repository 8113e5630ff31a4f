"""Broken rule files and the exact text of their diagnostics.

`python -m tests.diagnostics.rendering` writes the expected texts anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_dsl.language.checking import diagnose
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.parser import MAX_FILE_BYTES
from rules_dsl.language.sources import SourceSet, find, gather
from rules_dsl.language.spans import NOWHERE, Span
from tests.diagnostics.rendering import BROKEN, errors, rendered

FILES = sorted(BROKEN.glob("*.rules"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_rendered_text(path: Path) -> None:
    assert rendered(path) == path.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_one_fault_gives_one_error(path: Path) -> None:
    """The code is in the name of the file, and nothing follows from the fault."""
    error = errors(path)
    assert error is not None
    if path.stem.startswith(("E0", "W0")):
        assert {d.code for d in error.diagnostics} == {path.stem.split("_")[0]}
    else:
        assert len(error.diagnostics) >= 5


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_output_fits_a_terminal(path: Path) -> None:
    assert max(len(line) for line in rendered(path).split("\n")) <= 110


def test_there_are_many() -> None:
    assert len(FILES) >= 90


def test_the_base_of_the_broken_variants_is_sound() -> None:
    assert diagnose(gather(str(BROKEN.parent / "counting.rules"))) == ()


def test_a_file_that_is_too_large() -> None:
    text = "# " + "x" * MAX_FILE_BYTES
    (diagnostic,) = diagnose(SourceSet("big.rules", {}, [], {"big.rules": text}))
    assert diagnostic.code == "E0109"
    assert diagnostic.render({}) == (
        "error[E0109]: the file has 60,002 characters; at most 60,000 are read\n"
        "  --> big.rules\n"
        "   = hint: split it with `include`"
    )


def test_a_name_that_is_no_game() -> None:
    with pytest.raises(RuleError) as caught:
        find("tic_tac_to")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E0130"
    assert diagnostic.hint == "did you mean `tic_tac_toe`?"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="E0115"):
        gather(str(tmp_path / "nothing.rules"))
    (tmp_path / "folder.rules").mkdir()
    with pytest.raises(RuleError, match="is a folder"):
        gather(str(tmp_path / "folder.rules"))


def test_a_variant_file_without_a_variant(tmp_path: Path) -> None:
    other = tmp_path / "other.rules"
    other.write_text("# nothing here\n")
    (diagnostic,) = diagnose(gather("tic_tac_toe", (str(other),)))
    assert diagnostic.code == "E0506"


def test_a_variant_of_another_game() -> None:
    with pytest.raises(RuleError, match="E0507"):
        gather("tic_tac_toe", ("short_days",))


def test_errors_are_shown_without_a_source() -> None:
    diagnostic = Diagnostic("E0201", "nothing is called `x`", Span("gone.rules", 3, 1, 3, 2))
    assert diagnostic.render({}) == "error[E0201]: nothing is called `x`\n  --> gone.rules:3:1"
    assert Diagnostic("E0201", "m", NOWHERE).render({}) == "error[E0201]: m"
    assert str(diagnostic) == "gone.rules:3:1: error[E0201]: nothing is called `x`"


def test_a_long_line_is_cut_around_the_mark() -> None:
    line = "const a = " + "1 + " * 60 + "x"
    diagnostic = Diagnostic("E0201", "m", Span("a", 1, len(line), 1, len(line) + 1))
    excerpt = diagnostic.render({"a": line}).split("\n")
    assert len(excerpt[3]) < 100
    assert excerpt[3][excerpt[4].index("^")] == "x"
