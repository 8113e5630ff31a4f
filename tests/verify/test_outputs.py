"""What `rules verify` prints, and where it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rules_dsl.cli.console import console
from rules_dsl.cli.verify import verify
from verify.proof.results import Report, Result
from verify.running.reports.terminal import print_report

PIG = ["pig", "--players", "2", "--check", "init"]


def test_missing_folders_are_made(tmp_path: Path) -> None:
    junit, page, records = tmp_path / "a/b/j.xml", tmp_path / "c/x.md", tmp_path / "d/e"
    paths = ["--junit", str(junit), "--report", str(page), "--records", str(records)]
    result = CliRunner().invoke(verify, [*PIG, *paths])
    assert result.exit_code == 0
    assert "all is proved" in result.output
    assert junit.is_file()
    assert page.is_file()
    assert records.is_dir()


@pytest.mark.parametrize(
    ("option", "path", "why"),
    [
        ("--junit", "file/j.xml", "file' is not a folder"),
        ("--report", "file/deeper/x.html", "file' is not a folder"),
        ("--records", "file/records", "file' is not a folder"),
        ("--junit", "folder", "is a directory"),
        ("--report", "folder.md", "is a directory"),
        ("--records", "file", "is a file"),
        ("--report", "x.txt", "neither Markdown (.md) nor HTML (.html)"),
    ],
)
def test_bad_paths_are_refused_before_any_work(
    option: str, path: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.md").mkdir()
    monkeypatch.setattr("rules_dsl.cli.verify.run_all", None)
    result = CliRunner().invoke(verify, [*PIG, option, str(tmp_path / path)])
    assert result.exit_code == 2
    assert why in result.output
    assert option in result.output


def test_a_write_protected_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    result = CliRunner().invoke(verify, [*PIG, "--junit", str(tmp_path / "a/j.xml")])
    assert result.exit_code == 2
    assert "write-protected" in result.output


def test_a_line_to_paste_is_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    title = "A player who can neither place nor pick up must beg, " + "and beg " * 12 + '"twice"'
    broken = Result("pig", 2, {}, "examples", title, "REFUTED", 0.1, variants=["harsh"])
    print_report(Report([broken]), console())
    escaped = title.replace('"', '\\"')
    assert f'      drop example "{escaped}"' in capsys.readouterr().out.splitlines()
