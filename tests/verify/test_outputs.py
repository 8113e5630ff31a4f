"""What `rules verify` prints, and where it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rules_dsl as rd
from rules_dsl.cli.console import console
from rules_dsl.cli.game_argument import GameChoice
from rules_dsl.cli.verify import verify
from verify.proof.results import Report, Result
from verify.running.configurations import configurations, outline
from verify.running.reports.terminal import print_report
from verify.search.telling import tell_sentence

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


def test_what_is_unknown_says_what_to_paste(capsys: pytest.CaptureFixture[str]) -> None:
    """The line checks the same obligation, in the same configuration, with more effort."""
    options: dict[str, str | int | bool] = {"edition": 1999, "auction": True, "least_bid": "zero"}
    game = rd.load("tikal", players=3, options=options)
    unknown = Result("tikal", 3, options, "progress", "bidding", "UNKNOWN", 0.1)
    tell_sentence(game, unknown)
    print_report(Report([unknown]), console())
    (line,) = (t for t in capsys.readouterr().out.splitlines() if "--effort" in t)
    words = line.removeprefix("      rules verify ").split()
    with verify.make_context("verify", words) as asked:
        asks = asked.params
    assert (asks["names"], asks["effort"], asks["checks"]) == (("tikal",), "high", ("progress",))
    assert len(configurations(outline("tikal"), asks["players"], asks["options"])) == 1
    again = GameChoice("tikal", asks["players"], asks["options"]).load()
    assert again.options == game.options
    assert again.players == 3


def test_a_line_to_paste_is_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    title = "A player who can neither place nor pick up must beg, " + "and beg " * 12 + '"twice"'
    broken = Result("pig", 2, {}, "examples", title, "REFUTED", 0.1, variants=["harsh"])
    print_report(Report([broken]), console())
    escaped = title.replace('"', '\\"')
    assert f'      drop example "{escaped}"' in capsys.readouterr().out.splitlines()


def test_what_two_games_show_is_told_once_for_all_rules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    leaks = [
        Result(
            "duel", players, {}, "views", subject, "REFUTED", 0.1,
            rule=subject, detail="ann can tell two games apart: the position",
            moves=["note 0"], told=["bob: note 0"], other_told=["bob: note 1"],
            twin={"note": "1"}, cells={"note": "0"}, causes=[f"duel.rules:{line}   note = n"],
            quoted=f"duel.rules:{line}   {subject}", configuration=f"duel {players} players",
            sentence="A player can learn hidden information",
        )
        for players in (2, 3)
        for line, subject in ((7, "play"), (9, "noting"))
    ]  # fmt: skip
    print_report(Report(leaks), console())
    text = capsys.readouterr().out
    assert text.count("REFUTED  A player can learn") == 1
    assert "duel.rules:7   note = n\n  the line: duel.rules:9   note = n" in text
    assert "happens with 2 players; also with 3 players" in text
    assert "(views play)" in text and "(views noting)" in text
