"""Games that show everything are kept beside the rules, and following them is enough."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rules_dsl as rd
from rules_dsl.cli import rules
from verify.search.random_games import FOLLOWED, Thing
from verify.search.refute import search_for_all
from verify.search.witness_cover import cover, keep_witnesses
from verify.search.witnesses import FILE, Witness, read_witnesses

RULES = """\
game well
    players 1..2

const deep = 6

state
    days: 0..40 = 0
    depth: 0..9 = 0
    water: 0..40 = 0

action dig(n: 0..4) by p "dig {n}"
    if n = 3
        depth = min(9, depth + 1)
    else
        depth = 0
    if depth >= deep
        water += 1

action rest by p "rest"
    require days mod 2 = 0
    depth = 0

play
    while days < 40 decreases 40 - days
        days += 1
        choose p1: dig, rest

scoring
    score p = water
"""
VARIANT = """\
variant deeper of well "Deeper"
    const deep = 8
"""


@pytest.fixture
def well(tmp_path: Path) -> Path:
    path = tmp_path / "well.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def verify(path: Path, *args: str) -> Result:
    return CliRunner().invoke(rules, ["verify", str(path), "--check", "liveness", *args])


def followed(path: Path, players: int) -> bool:
    """Whether following the games that are kept shows everything."""
    search = search_for_all(rd.load(str(path), players=players), "low")
    with search.watched():
        search.follow(FOLLOWED)
    return search.content


def kept(folder: Path) -> list[Witness]:
    return read_witnesses(folder / FILE)


def test_following_is_enough(well: Path) -> None:
    assert not followed(well, 1)
    answer = verify(well, "--witnesses")
    assert answer.exit_code == 0, answer.output
    games = kept(well.parent)
    assert games
    assert answer.output.count("moves that show") == len(games)
    assert {game.players for game in games} == {1, 2}
    assert followed(well, 1)
    assert followed(well, 2)
    # Nothing is missing: nothing is added.
    assert verify(well, "--witnesses").exit_code == 0
    assert kept(well.parent) == games


def test_the_games_of_a_variant_stand_beside_it(well: Path) -> None:
    keep_witnesses(rd.load(str(well), players=1), "normal")
    games = kept(well.parent)
    folder = well.parent / "variants"
    folder.mkdir()
    deeper = folder / "deeper.rules"
    deeper.write_text(VARIANT, encoding="utf-8")
    assert keep_witnesses(rd.load(str(deeper), players=1), "normal")
    assert kept(well.parent) == games
    assert all((game.variant, game.players) == ("deeper", 1) for game in kept(folder))
    assert followed(deeper, 1)


def test_games_say_who_moved(well: Path) -> None:
    (game, *_) = keep_witnesses(rd.load(str(well), players=2), "normal")
    assert {move.by for move in game.moves} == {0}
    assert kept(well.parent)[0] == game


def test_a_file_that_cannot_be_made(well: Path) -> None:
    (well.parent / FILE).mkdir()
    answer = verify(well, "--witnesses")
    assert answer.exit_code == 2
    assert "cannot keep games in" in answer.output
    assert "that is not a file" in answer.output


def test_a_file_that_cannot_be_written(well: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    answer = verify(well, "--witnesses")
    assert answer.exit_code == 2
    assert "nothing may be written there" in answer.output


def test_few_and_short_games() -> None:
    games: dict[tuple[int, ...], dict[Thing, int]] = {
        (1, 2, 3): {"a": 1, "b": 2, "c": 3},
        (4, 5): {"a": 1, "b": 2},
        (6, 7, 8, 9): {"d": 2, "a": 3},
    }
    assert cover(games, []) == [("c", (1, 2, 3)), ("d", (6, 7))]
    assert cover(games, ["c", "d"]) == [("b", (4, 5))]
    assert cover(games, ["a", "b", "c", "d"]) == []
