"""`list`, `show`, `explain`, `trace`, `compile`: looking at games."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click
import pytest
import z3
from click.testing import CliRunner

import rules_dsl as rd
from rules_dsl.cli.errors import folded
from rules_dsl.cli.group import RulesGroup
from tests.cli.conftest import Run

NAMES = [game.name for game in rd.games()]


def fits(text: str) -> bool:
    return all(len(line) <= 100 for line in text.splitlines())


def test_list(run: Run) -> None:
    result = run("list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in NAMES)
    assert fits(result.stdout)


def test_titles_and_texts_in_russian(run: Run) -> None:
    listed = run("list", "--lang", "ru")
    assert "Тикаль" in listed.output
    shown = run("show", "zimbabwe", "--lang", "ru")
    assert shown.output.startswith("Великое Зимбабве (zimbabwe)\n")
    assert "Tile: плитка поля, 11 rows" in shown.output
    told = json.loads(run("show", "tikal", "--lang", "ru", "--json").output)
    assert told["title"] == "Тикаль"


def test_a_long_message_is_folded_for_a_terminal(run: Run) -> None:
    piped = run("explain", "tzolkin", "nonsense")
    assert piped.exit_code == 2
    message = piped.stderr.rstrip("\n")
    lines = folded(message).splitlines()
    assert len(lines) > len(message.splitlines())
    assert max(map(len, lines)) <= 100
    assert " ".join(folded(message).split()) == " ".join(message.split())


def test_list_as_json(run: Run) -> None:
    listed = json.loads(run("list", "--json").stdout)
    assert [game["name"] for game in listed] == NAMES
    tikal = next(game for game in listed if game["name"] == "tikal")
    assert tikal["players"] == [2, 4]
    assert {"edition", "auction"} <= {option["name"] for option in tikal["options"]}


@pytest.mark.parametrize("name", NAMES)
def test_show_every_game(run: Run, name: str) -> None:
    result = run("show", name)
    assert result.exit_code == 0
    assert fits(result.stdout)
    shown = json.loads(run("show", name, "--json").stdout)
    assert shown["name"] == name
    assert {"play", "scoring"} <= {rule["kind"] for rule in shown["rules"]}


def test_show_tells_rulings_cites_and_sources(run: Run) -> None:
    text = run("show", "tzolkin").stdout
    assert "source R: Tzolk'in rulebook" in text
    assert "spent_skull: returns (default), leaves" in text
    assert "[R p. 2 Goods; R p. 11" in text
    assert 'needs step[p, t] > 0, else "you stand on the lowest step of {t}"' in text


def test_show_marks_what_is_provisional(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "guess.rules"
    path.write_text(
        'game guess "A guess"\n    players 2\n    source S "Nowhere"\n\n'
        'provisional const income = 4 "not public" [S 1]\n\n'
        "play\n    end\n\nscoring\n    score p = income\n"
    )
    text = run("show", str(path)).stdout
    assert "Provisional" in text
    assert "constant income: not public [S p. 1]" in text
    assert "provisional const income = 4" in text


def test_show_a_declaration(run: Run) -> None:
    result = run("show", "tic_tac_toe", "place")
    assert "action place(" in result.stdout
    assert "tic_tac_toe.rules:" in result.stdout
    assert run("show", "tic_tac_toe", "plaice").exit_code == 2


def test_show_what_is_chosen(run: Run) -> None:
    assert "edition: 1999, 2018 (default)" in run("show", "tikal").stdout
    assert "now 1999" in run("show", "tikal@1999").stdout
    assert "variant short_year" in run("show", "tzolkin", "--variant", "short_year").stdout


def test_explain_an_error_code(run: Run) -> None:
    result = run("explain", "E0201")
    assert result.exit_code == 0
    assert result.stdout.startswith("E0201: ")
    assert json.loads(run("explain", "E0201", "--json").stdout)["code"] == "E0201"


def test_explain_an_unknown_code(run: Run) -> None:
    result = run("explain", "E9999")
    assert result.exit_code == 2
    assert "there is no error code E9999" in result.stderr


def test_explain_an_action(run: Run) -> None:
    text = run("explain", "tzolkin", "beg").stdout
    assert "[R p. 4 Begging for maize; R p. 10 Begging for maize]" in text
    assert "needs stock[p].maize <= begging_limit" in text
    (told,) = json.loads(run("explain", "tzolkin", "beg", "--json").stdout)
    assert told["action"] == "beg"
    assert len(told["needs"]) == 2
    assert "beg" in run("explain", "tzolkin").stdout.split()
    assert "did you mean `beg`?" in run("explain", "tzolkin", "bge").stderr


def test_trace_a_covered_rulebook(run: Run) -> None:
    result = run("trace", "tzolkin")
    assert result.exit_code == 0
    assert "R p. 4 Begging for maize\n    rules: " in result.stdout
    assert "no rule: putting the game together" in result.stdout
    assert "0 uncovered" in result.stdout
    assert fits(result.stdout)


def test_trace_without_a_list_of_headings(run: Run) -> None:
    result = run("trace", "pig")
    assert result.exit_code == 0
    assert "there is no rulebook.json" in result.stdout


@pytest.fixture
def traced(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(
        'game tiny "Tiny"\n    players 2\n    source S "A book"\n\n'
        'play [S 1 "Course"]\n    end\n\nscoring [S 2 "Winning"]\n    score p = 0\n'
    )
    return path


def write_headings(folder: Path, *headings: dict[str, str]) -> None:
    (folder / "rulebook.json").write_text(json.dumps({"sources": {"S": headings}}))


def test_trace_fails_for_an_uncovered_heading(run: Run, traced: Path) -> None:
    course, winning = {"page": "1", "heading": "Course"}, {"page": "2", "heading": "Winning"}
    write_headings(traced.parent, course, winning, {"page": "3", "heading": "Ties"})
    result = run("trace", str(traced))
    assert result.exit_code == 1
    assert "S p. 3 Ties\n    UNCOVERED" in result.stdout
    told = json.loads(run("trace", str(traced), "--json").stdout)
    assert not told["ok"]
    excused = {"page": "3", "heading": "Ties", "reason": "there are none"}
    write_headings(traced.parent, course, winning, excused)
    assert run("trace", str(traced)).exit_code == 0


def test_trace_fails_for_a_heading_that_is_not_there(run: Run, traced: Path) -> None:
    write_headings(traced.parent, {"page": "1", "heading": "Course"})
    result = run("trace", str(traced))
    assert result.exit_code == 1
    assert "S p. 2 Winning: cited, but not a heading" in result.stdout


@pytest.mark.parametrize("text", ["{", "[]", '{"sources": {"S": [1]}}'])
def test_trace_with_a_broken_list(run: Run, traced: Path, text: str) -> None:
    (traced.parent / "rulebook.json").write_text(text)
    result = run("trace", str(traced))
    assert result.exit_code == 2
    assert "rulebook.json" in result.stderr


def test_compile_to_python(run: Run, tmp_path: Path) -> None:
    result = run("compile", "tic_tac_toe")
    ast.parse(result.stdout)
    assert "generated from its rules" in result.stdout
    target = tmp_path / "out.py"
    assert run("compile", "tic_tac_toe", "-o", str(target)).stdout == ""
    assert target.read_text() == result.stdout


@pytest.mark.parametrize("name", NAMES)
def test_compile_to_ir(run: Run, name: str) -> None:
    text = run("compile", name, "--emit", "ir").stdout
    assert text.startswith(f"module {name}: ")
    assert "procedure play()" in text
    assert "    decide" in text


def test_compile_to_smt_lib(run: Run) -> None:
    """Another reader of the same text comes to the same verdict."""
    text = run("compile", "kuhn_poker", "--emit", "smt2").stdout
    queries = re.findall(r"\(push 1\)(.*?)\(check-sat\)", text, re.DOTALL)
    assert len(queries) > 50
    for query in queries:
        solver = z3.Solver()
        solver.from_string(query)
        assert solver.check() == z3.unsat


def test_compile_to_c(run: Run) -> None:
    text = run("compile", "pig", "--emit", "c").stdout
    assert text.startswith("/* Pig for 2 players, from its rules. */")
    assert "#include" not in text
    assert "static u32 moves_at(S *s, u32 point, u32 *out)" in text


def test_compile_to_what_is_not_there(run: Run) -> None:
    assert run("compile", "pig", "--emit", "cobol").exit_code == 2


def test_commands_of_later_versions() -> None:
    group = RulesGroup(
        "rules",
        commands_at={
            "list": "rules_dsl.cli.list_games:list_command",
            "later": "rules_dsl.cli.of_another_version:later_command",
        },
    )
    assert group.list_commands(click.Context(group)) == ["list"]
    result = CliRunner().invoke(group, ["later"])
    assert result.exit_code == 2
    assert "this version has no `rules later`" in result.stderr


def test_generated_code_names_cells_rules_and_blocks(run: Run) -> None:
    text = run("compile", "pig").stdout
    assert "#   s[0:2]       points[Player]: 0..105" in text
    assert re.search(r"#   play: back s\[\d+(:\d+)?\]", text)
    assert re.search(r"# \S*pig\.rules:\d+  choose mover", text)
    assert re.search(r"return \d+  # continues with \w+, block \d+", text)
    compile(text, "pig.py", "exec")
