"""`check`, `fmt`, `new variant`: working on rule files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules_dsl.language.sources import GAMES
from tests.cli.conftest import Run

GOOD = """\
game tiny "Tiny"
    players 2..3

option fast: bool = false "Fast"

const steps = 3

state
    x: 0..steps = 0

action go by p
    require x < steps "done"
    x += 1

play
    while x < steps decreases steps - x
        choose p1: go

scoring
    score p = x

example "One step"
    do "go"
    expect x = 1
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(GOOD)
    return path


def test_clean_files(run: Run, tiny: Path) -> None:
    result = run("check", str(tiny), "tic_tac_toe")
    assert result.exit_code == 0
    # Two numbers of players, and with each the option one way and the other.
    assert "tiny.rules: ok (4 configurations)" in result.stdout


def test_all_errors_of_all_files(run: Run, tiny: Path) -> None:
    other = tiny.with_name("other.rules")
    other.write_text(GOOD.replace("x < steps", "y < steps").replace("tiny", "other"))
    tiny.write_text(GOOD.replace("score p = x", "score p = z").replace("x += 1", "q += 1"))
    result = run("check", str(tiny), str(other))
    assert result.exit_code == 1
    for name in ("`z`", "`q`", "`y`"):
        assert f"nothing is called {name}" in result.stdout
    assert "tiny.rules: 2 errors" in result.stdout


def test_an_error_that_only_an_option_shows(run: Run, tiny: Path) -> None:
    tiny.write_text(GOOD.replace("x: 0..steps = 0", "x: 0..(if fast then 1 else 3) = 2"))
    result = run("check", str(tiny))
    assert result.exit_code == 1
    assert "= note: with 2 players, fast = true" in result.stdout


def test_an_error_that_only_a_number_of_players_shows(run: Run, tiny: Path) -> None:
    tiny.write_text(GOOD.replace("x: 0..steps = 0", "x: 0..(if players = 3 then 1 else 3) = 2"))
    assert run("check", str(tiny)).exit_code == 1


def test_examples_run_when_asked(run: Run, tiny: Path) -> None:
    assert "1 example" in run("check", "--examples", str(tiny)).stdout
    tiny.write_text(GOOD.replace("expect x = 1", "expect x = 2"))
    assert run("check", str(tiny)).exit_code == 0
    result = run("check", "--examples", str(tiny))
    assert result.exit_code == 1
    assert "example fails: One step" in result.stdout
    assert "FAILED" in result.stdout


SYMBOLS = """
enum Symbol: jade, corn, feather

table Card
    columns gives: Symbol, other[1..2]: Symbol? = [none, none]
    row plain: jade
    row rich: jade, [{other}, none]

state
    feathers: 0..3 = 0

action look(c: Card) by p "look {c}"
    if c.gives = corn
        feathers = 1
    if c.other[1] != Symbol.feather
        feathers = 2
    if c.gives = jade
        feathers = 3

invariant no_feathers
    every c in Card: c.gives != feather
"""


def test_a_value_that_no_row_has(run: Run, tiny: Path) -> None:
    tiny.write_text(GOOD + SYMBOLS.replace("{other}", "corn"))
    result = run("check", str(tiny))
    assert result.exit_code == 0
    *shown, verdict = result.stdout.splitlines()
    warnings = [line.partition(": ")[2] for line in shown if line.startswith("warning[W0601]: ")]
    assert warnings == [
        "no row has `corn` in the column `gives`: this never holds",
        "no row has `feather` in the column `other`: this always holds",
    ]
    line = tiny.read_text().splitlines().index("    if c.gives = corn") + 1
    assert shown[1].strip() == f"--> {tiny}:{line}:8"
    assert verdict.endswith("ok (4 configurations)")
    (unit,) = json.loads(run("check", str(tiny), "--json").stdout)["units"]
    assert [found["message"] for found in unit["warnings"]] == warnings
    assert {found["code"] for found in unit["warnings"]} == {"W0601"}
    explained = run("explain", "w0601")
    assert explained.exit_code == 0 and "A value that no row has" in explained.stdout


def test_a_value_that_only_an_option_or_a_number_of_players_brings(run: Run, tiny: Path) -> None:
    option = "if fast then Symbol.feather else Symbol.corn"
    players = "if count(p in Player) = 3 then Symbol.feather else Symbol.corn"
    for cell in (option, players):
        tiny.write_text(GOOD + SYMBOLS.replace("{other}", cell))
        result = run("check", str(tiny))
        assert result.exit_code == 0, result.stdout
        assert "`corn` in the column `gives`" in result.stdout
        assert "feather" not in result.stdout


def test_a_variant_answers_for_its_own_examples(run: Run, tiny: Path) -> None:
    variant = tiny.with_name("leap.rules")
    variant.write_text(
        'variant leap of tiny "Leap"\n    amend action go\n        before\n            x += 1\n'
    )
    result = run("check", "--examples", str(variant))
    assert result.exit_code == 0
    assert "1 example of its game changed" in result.stdout


def test_a_module_is_checked_with_its_game(run: Run) -> None:
    result = run("check", str(GAMES / "tikal" / "camps.rules"))
    assert result.exit_code == 0
    assert "tikal.rules: ok" in result.stdout


def test_a_module_without_a_game(run: Run, tmp_path: Path) -> None:
    lonely = tmp_path / "lonely.rules"
    lonely.write_text("good maize\n")
    result = run("check", str(lonely))
    assert result.exit_code == 0
    assert "no game next to it includes it" in result.stdout
    lonely.write_text("good good good\n")
    assert run("check", str(lonely)).exit_code == 1


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    binary = tmp_path / "binary.rules"
    binary.write_bytes(b"\xff\xfe\x00")
    for name in (str(tmp_path / "nowhere.rules"), str(tmp_path), str(binary), "nonsense"):
        result = run("check", name)
        assert result.exit_code == 2, result.stdout


def test_check_as_json(run: Run, tiny: Path) -> None:
    tiny.write_text(GOOD.replace("score p = x", "score p = z"))
    result = run("check", "--json", str(tiny))
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    (error,) = told["units"][0]["errors"]
    assert (error["code"], error["line"], error["column"]) == ("E0201", 20, 15)
    assert told["ok"] is False


def test_check_in_parallel(run: Run, tiny: Path) -> None:
    names = ["pig", "hex", str(tiny)]
    assert run("check", "--jobs", "2", *names).stdout == run("check", *names).stdout


def test_fmt(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "messy.rules"
    path.write_text("const   a=1\nconst b   =2\n")
    result = run("fmt", "--check", str(path))
    assert result.exit_code == 1
    assert "would change" in result.stdout
    assert run("fmt", str(path)).exit_code == 0
    assert path.read_text() == "const a = 1\nconst b = 2\n"
    assert run("fmt", "--check", str(path)).exit_code == 0


def test_fmt_of_standard_input(run: Run) -> None:
    assert run("fmt", "-", stdin="const   a=1\n").stdout == "const a = 1\n"


def test_fmt_leaves_what_it_cannot_read(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.rules"
    path.write_text("const = = 1\n")
    result = run("fmt", str(path))
    assert result.exit_code == 2
    assert "error[E" in result.stderr
    assert path.read_text() == "const = = 1\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("game", ["tzolkin", "tikal", "pig", "tic_tac_toe", "kuhn_poker"])
def test_a_new_variant_checks_clean(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("new", "variant", "my_rule", "--of", game)
    assert result.exit_code == 0
    assert run("check", "my_rule.rules").exit_code == 0
    before = Path("my_rule.rules").read_text()
    assert before.startswith(f'variant my_rule of {game} "My rule"')
    again = run("new", "variant", "my_rule", "--of", game)
    assert again.exit_code == 2
    assert Path("my_rule.rules").read_text() == before


def test_the_suggestions_of_a_new_variant_can_be_used(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "variant", "my_rule", "--of", "tzolkin")
    path = Path("my_rule.rules")
    code = ("const ", "ruling ", "amend ", "    drop ", "    require ", "drop ", "state ", "row ")
    lines = [
        line.replace("# ", "", 1) if line.lstrip().removeprefix("# ").startswith(code) else line
        for line in path.read_text().splitlines()
    ]
    path.write_text("\n".join(lines) + "\n")
    result = run("check", "my_rule.rules")
    assert result.exit_code == 0, result.stdout


def test_a_new_game_checks_plays_and_proves(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("new", "game", "my_village")
    assert result.exit_code == 0
    assert run("check", "my_village.rules").exit_code == 0
    assert run("fmt", "--check", "my_village.rules").exit_code == 0
    assert run("simulate", "my_village.rules", "--games", "5").exit_code == 0
    proved = run("verify", "my_village.rules", "--players", "2", "--jobs", "1")
    assert proved.exit_code == 0, proved.stdout
    assert "all is proved" in proved.stdout
    assert run("new", "game", "my_village").exit_code == 2
    assert run("new", "game", "My Village").exit_code == 2


def test_a_new_variant_of_ones_own_game(run: Run, tiny: Path) -> None:
    assert run("new", "variant", "slow", "--of", str(tiny)).exit_code == 0
    assert run("check", str(tiny.with_name("slow.rules"))).exit_code == 0


@pytest.mark.parametrize("name", ["My Rule", "1st", "../up", "tikal", "short_year"])
def test_bad_names_for_a_variant(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "variant", name, "--of", "pig").exit_code == 2
    assert list(tmp_path.iterdir()) == []
