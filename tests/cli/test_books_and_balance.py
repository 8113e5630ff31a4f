"""`rules book` and `rules compare`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.runtime.balance import Sample, compared, difference, measure, share
from tests.cli.conftest import Run


def test_a_book_has_every_action_and_example(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.html"
    assert run("book", "tzolkin", "--players", "3", "-o", str(file)).exit_code == 0
    text = file.read_text()
    game = rd.load("tzolkin", players=3)
    assert "<svg" in text and text.count("<h2") >= 9
    spoken = "Beg, angering ‹temple›"
    for words in (spoken, "agriculture +1, 1 stone", "The food day is not skipped"):
        assert words in text
    assert all(row.label in text for row in game.tables["Building"].values())


def test_a_book_says_conditions_and_formulas_in_words(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    assert run("book", "tzolkin", "-o", str(file)).exit_code == 0
    text = file.read_text()
    for words in (
        "maize is at most 2 — “you have",
        "step in a temple of ‹temple› is more than 0",
        "wood: field wood of ‹n› + 1 if level of a technology of extraction is at least 1",
        "for every temple: step in a temple of temple is 0",
        # A value with a name is told where it is used; cards and pieces are named by their kind.
        "maize is at least lowest free of ‹gear› + surcharge",
        "worker: workers at hand → worker on the first-player space",
        "‹monument›: monuments on offer → monuments of a player",
        "for each n from 2 to 5:",
        "choose one of: place ‹gear›; place first player; pick up ‹gear› ‹n›",
        # Conditions hold for their arguments; yes and no have the name of the parameter.
        "for every gear: not: in the way for gear, last space of gear − 1 — “a worker would",
        "affordable for ‹building›, not skilled — “you lack",
        "everybody chooses secretly: keep ‹a› and ‹b›",
    ):
        assert words in text
    # No action is told in the words of the rule language.
    assert "`" not in text[text.index("## 5. ") : text.index("## 6. ")]
    assert run("book", "tzolkin", "--lang", "ru", "-o", str(file)).exit_code == 0
    text = file.read_text()
    assert "маис не больше 2\n" in text and "заплатить все маис" in text
    # A refusal that the rules do not translate says nothing new beside its condition.
    assert "you have no worker at hand" not in text and "4 × жетон сбора маиса" in text


def test_a_book_counts_what_a_map_is_made_of(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    assert run("book", "zimbabwe", "-o", str(file)).exit_code == 0
    text = file.read_text()
    assert "not: god or specialist taken" in text
    row = next(line for line in text.splitlines() if line.startswith("| A |"))
    assert "28 × empty land" in row and "land 0" not in row


def test_a_book_explains_rows_by_the_comments_above_them(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    assert run("book", "zimbabwe", "-o", str(file)).exit_code == 0
    rows = {line.split(" | ")[0]: line for line in file.read_text().splitlines()}
    assert "A resource may be used once more in a round." in rows["| Atete"]
    assert "A monument may be built beside other monuments." in rows["| nomads"]


def test_two_parameters_of_a_type_have_two_names(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    assert run("book", "tikal", "-o", str(file)).exit_code == 0
    assert "### Send ‹member› from ‹hex› to ‹to camp›" in file.read_text()


def test_a_book_marks_what_a_variant_changes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    assert run("book", "begging_costs_a_point", "-o", str(file)).exit_code == 0
    text = file.read_text()
    assert "### Beg, angering ‹temple› (house rule)" in text
    assert "### Place ‹gear›\n" in text
    assert (tmp_path / "book_opening.svg").read_text().startswith("<svg")


def test_a_book_speaks_russian_as_far_as_labels_go(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.html"
    assert run("book", "tzolkin", "--lang", "ru", "-o", str(file)).exit_code == 0
    text = file.read_text()
    assert "Компоненты" in text and "любой храм +1" in text and "дерево" in text


def test_a_book_in_another_format_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("book", "pig", "-o", str(tmp_path / "book.pdf"))
    assert result.exit_code == 2
    assert "neither HTML" in result.output


def test_compare_writes_a_page_with_plots(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    result = run("compare", "mancala", "mancala", "--games", "10", "--report", str(file))
    assert result.exit_code == 0
    assert "Wins by seat" in result.output and "*" not in result.output.split("chance", 1)[1]
    assert file.read_text().count("<svg") >= 3


COUNTING = """game counting
    players 2

const last = 4

state
    rounds: 0..20 = 0
    points[Player]: 0..60 = 0

action gain(n: 1..3) by p
    points[p] += n

play
    while rounds < last decreases last - rounds
        for p in Player
            choose p: gain
        rounds += 1

scoring
    score p = points[p]
"""


def test_compare_finds_a_difference(run: Run, tmp_path: Path) -> None:
    files = tmp_path / "one.rules", tmp_path / "two.rules"
    files[0].write_text(COUNTING)
    files[1].write_text(COUNTING.replace("last = 4", "last = 10"))
    result = run("compare", *map(str, files), "--games", "30", "--json")
    sections = {s["title"]: s["rows"] for s in json.loads(result.stdout)["sections"]}
    length = next(r for r in sections["Scores and length"] if r["name"] == "decisions a game")
    assert (length["one"]["value"], length["two"]["value"]) == (8, 20)
    assert length["difference"]["low"] > 0
    gain = sections["Points a player and game, by the move that brought them"][0]
    assert gain["name"] == "gain" and 1.5 < gain["two"]["value"] / 10 < 2.5


def test_compare_needs_one_number_of_players(run: Run) -> None:
    result = run("compare", "tikal", "mancala", "--games", "2", "--players", "3")
    assert result.exit_code == 2


def test_intervals_hold_what_they_should() -> None:
    """About 95 of 100 intervals of a fair coin hold one half."""
    import random

    rng = random.Random(1)
    held = 0
    for _ in range(400):
        hits = sum(rng.random() < 0.5 for _ in range(100))
        found = share(hits, 100)
        held += found.low <= 0.5 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_a_difference_of_equal_samples_is_none() -> None:
    one, two = Sample(), Sample()
    for value in range(50):
        one.add(value)
        two.add(value)
    assert not difference(one, two).differs
    two.add(10_000)
    assert difference(one, two).value == pytest.approx(195.6, abs=0.1)


def test_processes_measure_the_same() -> None:
    """Shares of wins are sums of fractions: their order must not depend on who is ready first."""
    game = rd.load("goofspiel")
    heard: list[int] = []
    assert measure(game, 35, progress=heard.append, jobs=2) == measure(game, 35)
    assert heard[-1] == 35


def test_sources_of_points_add_up() -> None:
    game = rd.load("mancala")
    found = measure(game, 10)
    sections = {s.title: s.rows for s in compared(found, found)}
    points = sections["Points a player and game, by the move that brought them"]
    total = sum(row.one.value for row in points)
    mean = sum(s.mean for s in found.scores) / 2
    start = sum(float(x) for x in game.start(seed=0).standing()) / 2
    assert total == pytest.approx(mean - start, abs=1e-9)
