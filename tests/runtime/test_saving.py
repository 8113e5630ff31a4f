"""Positions and records as JSON: they come back the same, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rules_dsl as rd

NAMES = [game.name for game in rd.games()]

COUNTING = """\
game counting "Counting"
    players 2

const most = 9

state
    total: 0..most = 0

action raise(n: 1..3) by p "add {n}"
    require total + n <= most "too much"
    total += n

play
    while total < most decreases most - total
        choose next(p1, total mod 2): raise

scoring
    score p = total
"""


def write(path: Path, text: str = COUNTING) -> Path:
    path.write_text(text)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "counting.rules")


def some_way(game: rd.Game, seed: int | None, moves: int) -> rd.State:
    s = game.start(seed=seed)
    for turn in range(moves):
        if s.over:
            break
        options = [move for move, _ in s.outcomes()] if s.is_chance else list(s.moves())
        s = s.play(options[turn * 5 % len(options)])
    return s


@pytest.mark.parametrize("seed", [None, 4])
@pytest.mark.parametrize("name", NAMES)
def test_positions_come_back(name: str, seed: int | None) -> None:
    game = rd.load(name)
    for moves in (0, 1, 30):
        s = some_way(game, seed, moves)
        t = game.state_from_json(s.to_json())
        assert t == s
        assert t.to_json() == s.to_json()
        assert [str(m) for m in t.moves()] == [str(m) for m in s.moves()]
        assert t.played() == s.played()
        if not s.over and not s.is_chance:
            # The seed goes on where it was.
            move = s.moves()[0]
            assert t.play(move) == s.play(move)


@pytest.mark.parametrize("seed", [None, 4])
@pytest.mark.parametrize("name", NAMES)
def test_records_are_played_again(name: str, seed: int | None) -> None:
    game = rd.load(name)
    s = some_way(game, seed, 60)
    record = game.record(s)
    assert game.replay(record) == s
    assert game.replay(record.to_json()) == s
    assert rd.Record.from_json(record.to_json()) == record
    assert (record.game, record.players, record.seed) == (name, game.players, seed)


def test_a_record_says_what_it_is(path: Path) -> None:
    game = rd.load(path)
    record = game.record(game.start(seed=1).play("add 2"))
    told = json.loads(record.to_json())
    assert told["format"] == "rules-record/1"
    assert told["moves"] == ["add 2"]
    assert told["rules"] == game.digest


# ---- damaged -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["state", "record"])
def test_every_truncation_is_noticed(path: Path, kind: str) -> None:
    game = rd.load(path)
    s = some_way(game, 1, 3)
    text = s.to_json() if kind == "state" else game.record(s).to_json()
    for length in range(0, len(text) - 1, 7):
        with pytest.raises(rd.DataError):
            game.state_from_json(text[:length]) if kind == "state" else game.replay(text[:length])


@pytest.mark.parametrize("kind", ["state", "record"])
def test_every_edit_is_noticed(path: Path, kind: str) -> None:
    game = rd.load(path)
    s = some_way(game, 1, 3)
    text = s.to_json() if kind == "state" else game.record(s).to_json()
    data = json.loads(text)
    for key in data:
        wrong: tuple[object, ...] = (None, 0, "x", [], {}, -1, True)
        for value in wrong:
            if data[key] == value and type(data[key]) is type(value):
                continue
            edited = json.dumps({**data, key: value})
            with pytest.raises(rd.DataError):
                game.state_from_json(edited) if kind == "state" else game.replay(edited)


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "3", '"x"', "{}", "[" * 100_000, "\0"])
def test_no_data_at_all(path: Path, text: str) -> None:
    game = rd.load(path)
    with pytest.raises(rd.DataError):
        game.state_from_json(text)
    with pytest.raises(rd.DataError):
        game.replay(text)


def test_a_position_and_a_record_are_two_things(path: Path) -> None:
    game = rd.load(path)
    s = game.start(seed=1)
    with pytest.raises(rd.DataError, match="the format is 'rules-record/1'"):
        game.state_from_json(game.record(s).to_json())
    with pytest.raises(rd.DataError, match="the format is 'rules-state/1'"):
        game.replay(s.to_json())


def test_of_another_game(path: Path) -> None:
    game = rd.load(path)
    other = rd.load("tic_tac_toe")
    with pytest.raises(rd.DataError, match="tic_tac_toe"):
        game.state_from_json(other.start(seed=1).to_json())
    with pytest.raises(rd.DataError, match="this is a record of tic_tac_toe, not of counting"):
        game.replay(other.record(other.start(seed=1)))


def test_of_another_number_of_players() -> None:
    two, three = rd.load("pig", players=2), rd.load("pig", players=3)
    with pytest.raises(rd.DataError, match="players"):
        three.state_from_json(two.start(seed=1).to_json())
    with pytest.raises(rd.DataError, match="a game of 2, not of 3"):
        three.replay(two.record(two.start(seed=1)))


def test_of_other_options() -> None:
    old, new = rd.load("tikal@1999"), rd.load("tikal@2018")
    with pytest.raises(rd.DataError):
        new.state_from_json(old.start(seed=1).to_json())
    with pytest.raises(rd.DataError):
        new.replay(old.record(old.start(seed=1)))


# ---- changed rules -------------------------------------------------------------------------------


def test_a_position_under_other_rules_is_refused(path: Path) -> None:
    saved = rd.load(path).start(seed=1).play("add 3").to_json()
    game = rd.load(write(path, COUNTING.replace("most = 9", "most = 7")))
    with pytest.raises(rd.DataError, match="under other rules"):
        game.state_from_json(saved)


def test_a_record_that_still_holds(path: Path) -> None:
    old = rd.load(path)
    record = old.record(old.start(seed=1).play("add 3").play("add 2"))
    game = rd.load(write(path, COUNTING.replace('"too much"', '"that is too much"')))
    assert game.digest != old.digest
    s = game.replay(record)
    assert s["total"] == 5


def test_a_record_that_leads_elsewhere(path: Path) -> None:
    old = rd.load(path)
    record = old.record(old.start(seed=1).play("add 1").play("add 3").play("add 2"))
    game = rd.load(write(path, COUNTING.replace("total += n", "total += if n = 3 then 2 else n")))
    with pytest.raises(rd.ReplayError) as caught:
        game.replay(record)
    assert (caught.value.ply, caught.value.move) == (2, "add 3")
    assert str(caught.value) == (
        "the position after move 2, `add 3`, differs from the record; it was made under other rules"
    )


def test_a_record_with_a_move_that_is_no_longer_legal(path: Path) -> None:
    old = rd.load(path)
    record = old.record(old.start(seed=1).play("add 1").play("add 3"))
    game = rd.load(write(path, COUNTING.replace("n: 1..3", "n: 1..2")))
    with pytest.raises(rd.ReplayError) as caught:
        game.replay(record)
    assert (caught.value.ply, caught.value.move) == (2, "add 3")
    assert "move 2, `add 3`, is not possible" in str(caught.value)


def test_a_record_that_starts_elsewhere(path: Path) -> None:
    old = rd.load(path)
    record = old.record(old.start(seed=1).play("add 1"))
    game = rd.load(write(path, COUNTING.replace("0..most = 0", "0..most = 1")))
    with pytest.raises(rd.ReplayError, match="before the first move") as caught:
        game.replay(record)
    assert caught.value.ply == 0


def test_a_record_under_a_variant_is_not_misread() -> None:
    old = rd.load("tzolkin")
    record = old.record(some_way(old, 3, 40))
    with pytest.raises(rd.ReplayError, match="it was made under other rules"):
        rd.load("tzolkin", variants=["rich_start"]).replay(record)


def test_a_forged_checksum_does_not_help(path: Path) -> None:
    """Whoever computes the checksum anew still cannot smuggle in an impossible position."""
    import hashlib

    game = rd.load(path)
    data = json.loads(game.start(seed=1).to_json())
    del data["checksum"]
    data["cells"] = "ff" * (len(data["cells"]) // 2)
    text = json.dumps(data, sort_keys=True, ensure_ascii=False)
    data["checksum"] = hashlib.sha256(text.encode()).hexdigest()[:16]
    with pytest.raises(rd.DataError):
        game.state_from_json(json.dumps(data))
