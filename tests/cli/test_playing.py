"""`play` and `simulate`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rules_dsl as rd
from rules_dsl.cli.table.gist import Gist
from tests.cli.conftest import Run

NAMES = [game.name for game in rd.games()]
HOT_SEAT = ("play", "tic_tac_toe", "--bots", "none", "--seed", "1")


def moves(*texts: str) -> str:
    return "".join(f"{text}\n" for text in texts)


def test_a_whole_game_at_one_screen(run: Run) -> None:
    result = run(*HOT_SEAT, stdin=moves("a1", "b2", "a2", "c3", "a3"))
    assert result.exit_code == 0
    assert "The game is over: cross wins (cross 1, nought -1)." in result.stdout


def test_moves_by_number(run: Run) -> None:
    # The first square that is left, each time.
    result = run(*HOT_SEAT, stdin=moves(*"1111111"))
    assert "The game is over: cross wins" in result.stdout


def test_numbers_that_are_notation_are_moves(run: Run) -> None:
    """Columns are called 0 to 6: "1" is the column, not the first move of the list."""
    stdin = moves("1", "log")
    result = run("play", "connect_four", "--bots", "none", "--seed", "1", stdin=stdin)
    assert "yellow: 1" in result.stdout
    assert "1) " not in result.stdout


def test_bots_play_the_other_seats(run: Run) -> None:
    for bots in ("random", "greedy"):
        result = run("play", "tic_tac_toe", "--bots", bots, "--seed", "1", stdin=moves("b2"))
        assert "cross: you" in result.stdout
        assert "nought: " in result.stdout.split("cross> b2")[1]


def test_bots_alone_finish_the_game(run: Run) -> None:
    result = run("play", "tic_tac_toe", "--seat", "0", "--bots", "random", "--seed", "1")
    assert "The game is over" in result.stdout


def test_where_people_sit(run: Run) -> None:
    assert "nought: you" in run("play", "tic_tac_toe", "--seat", "nought").stdout
    assert "nought: you" in run("play", "tic_tac_toe", "--human", "2").stdout
    assert run("play", "tic_tac_toe", "--seat", "3").exit_code == 2
    assert run("play", "tic_tac_toe", "--seat", "circle").exit_code == 2


def test_an_illegal_move_is_explained(run: Run) -> None:
    result = run(*HOT_SEAT, stdin=moves("b2", "b2", "why b2", "why a1", "z9"))
    assert result.exit_code == 0
    text = result.stdout
    assert "b2: b2 is already taken" in text
    assert "  no  b2 is already taken" in text
    assert "  ok  mark[ord(at)] = none" in text
    assert "there is no move `z9` here" in text


def test_why_shows_values_and_cites(run: Run) -> None:
    stdin = moves("1", "1", "why pick up tikal 0")
    result = run("play", "tzolkin", "--bots", "none", "--players", "2", "--seed", "1", stdin=stdin)
    assert "[R p. 6 Picking up workers]" in " ".join(result.stdout.split())


def test_the_beginning_of_a_move_is_enough(run: Run) -> None:
    stdin = moves("1", "1", "place pal", "log")
    result = run("play", "tzolkin", "--bots", "none", "--players", "2", "--seed", "1", stdin=stdin)
    assert "blue: place Palenque" in result.stdout


def test_undo(run: Run) -> None:
    result = run(*HOT_SEAT, stdin=moves("undo", "a1", "undo", "a1"))
    assert "there is nothing to take back" in result.stdout
    assert "is already taken" not in result.stdout
    # Bots do not stand in the way.
    result = run("play", "tic_tac_toe", "--seed", "1", stdin=moves("a1", "undo", "log", "a1"))
    assert "is already taken" not in result.stdout


def test_save_and_load(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    run(*HOT_SEAT, stdin=moves("a1", "b2", f"save {path}"))
    record = json.loads(Path(path).read_text())
    assert record["moves"] == ["a1", "b2"]
    result = run(*HOT_SEAT, stdin=moves(f"load {path}", "log"))
    assert "2  nought: b2" in result.stdout
    result = run("play", "--from", path, "--bots", "none", stdin=moves("a2", "log"))
    assert "3  cross: a2" in result.stdout


def test_save_never_destroys_other_files(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear reader")
    result = run(*HOT_SEAT, stdin=moves(f"save {path}", f"save {tmp_path}", "save"))
    assert path.read_text() == "dear reader"
    assert "it was left as it is" in result.stdout
    assert f"cannot write {tmp_path}" in result.stdout


def test_records_that_cannot_be_loaded(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    run(*HOT_SEAT, stdin=moves("a1", f"save {path}"))
    whole = path.read_text()
    for text in (whole[:-20], whole.replace('"a1"', '"a2"'), "{}", "[]", "", "\x00"):
        path.write_text(text)
        result = run(*HOT_SEAT, stdin=moves(f"load {path}", "log"))
        assert result.exit_code == 0
        assert "Traceback" not in result.stdout
        result = run("play", "--from", str(path))
        assert result.exit_code == 2
        assert result.stderr.startswith(f"error: {path}: ")
    assert run("play", "--from", str(tmp_path / "nowhere.json")).exit_code == 2


def test_a_record_of_another_game_is_refused(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    run(*HOT_SEAT, stdin=moves("a1", f"save {path}"))
    result = run("play", "pig", "--bots", "none", stdin=moves(f"load {path}"))
    assert "this is a record of tic_tac_toe, not of pig" in result.stdout


NO_MERCY = ("no_mercy", "--option", "top_level=nothing", "--players", "2", "--seed", "1")


@pytest.fixture
def saved(run: Run, tmp_path: Path) -> str:
    """A game of a variant, with a ruling that is not the usual one."""
    path = str(tmp_path / "saved.json")
    assert run("play", *NO_MERCY, stdin=moves("1", f"save {path}")).exit_code == 0
    return path


@pytest.mark.parametrize(
    "asked",
    [
        (),
        ("no_mercy",),
        ("tzolkin", "--variant", "no_mercy"),
        ("--variant", "no_mercy"),
        ("--players", "2", "--option", "top_level=nothing"),
        ("no_mercy@top_level=nothing", "--seed", "1"),
    ],
)
def test_what_is_not_asked_for_is_as_saved(run: Run, saved: str, asked: tuple[str, ...]) -> None:
    result = run("play", *asked, "--from", saved, stdin=moves("log"))
    assert result.exit_code == 0
    title, chosen, *_ = result.stdout.splitlines()
    assert title.endswith(" + no_mercy")
    assert chosen == "with top_level=nothing"


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        (("pig",), "of tzolkin + no_mercy, not of pig"),
        (("tzolkin",), "of tzolkin + no_mercy, not of tzolkin"),
        (("no_mercy", "--variant", "short_year"), "not of tzolkin + no_mercy + short_year"),
        (("--variant", "short_year"), "not of tzolkin + short_year"),
        (("--players", "3"), "of 2 players, not of 3"),
        (("no_mercy", "--seed", "2"), "with seed 1, not with seed 2"),
        (("--option", "top_level=bonus"), "with top_level=nothing, not with top_level=bonus"),
        (("no_mercy@top_level=bonus",), "with top_level=nothing, not with top_level=bonus"),
        (("--option", "top_level=other"), "`top_level` cannot be 'other'"),
    ],
)
def test_a_saved_game_of_something_else_is_refused(
    run: Run, saved: str, asked: tuple[str, ...], problem: str
) -> None:
    result = run("play", *asked, "--from", saved)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert result.stdout == ""


def test_the_header_names_the_rules_in_play(run: Run) -> None:
    asked = ("tikal@1999", "--option", "auction=true", "--variant", "short_days")
    title, chosen, *_ = run("play", *asked, "--seed", "1").stdout.splitlines()
    assert title.endswith(" + short_days")
    assert chosen == "with edition=1999, auction=true"
    usual = run("play", "tikal", "--seed", "1").stdout.splitlines()
    assert "+" not in usual[0]
    assert not usual[1].startswith("with ")


def test_commands(run: Run) -> None:
    result = run(*HOT_SEAT, stdin=moves("help", "?", "view", "moves", "moves c", "why", "", "quit"))
    assert result.exit_code == 0
    assert "  undo           take back" in result.stdout
    assert "which move? `why MOVE`" in result.stdout


def test_cards(run: Run) -> None:
    stdin = moves("card a1-01", "card M-05", "card nothing", "card")
    text = run("play", "tzolkin", "--seed", "1", stdin=stdin).stdout
    assert "A1-01 (buildings): age 1, frame farm (yellow frame), cost 1 wood, feeds 1" in text
    assert "    6 for each of all players' monuments" in text
    assert "there is no such card" in text


def test_cards_speak_in_words(run: Run) -> None:
    text = run("play", "tzolkin", "--seed", "1", stdin=moves("card a1-10", "card Uxmal 1")).stdout
    assert "    gained: agriculture +1, 1 stone" in text
    assert "perform: pay 3 maize, any temple +1" in text


def test_moves_that_name_something_provisional_have_a_star(run: Run) -> None:
    arguments = ("play", "yucatan", "--players", "2", "--seed", "3", "--bots", "none")
    text = run(*arguments, stdin=moves("1", "1", "moves")).stdout
    assert ") be advised by AD3 and AD4*\n" in text
    assert ") lead the clan by CL3*\n" in text
    assert ") start with the temple\n" in text


def test_unfinished_words_find_their_move(run: Run) -> None:
    text = run("play", "tzolkin", "--seed", "3", stdin=moves("1", "pl pal")).stdout
    assert "Worker on an action space Palenque" in text


def test_what_happens_without_a_decision_is_told(run: Run) -> None:
    """Effects of bots' moves, and of steps without a decision."""
    lines = run("play", "tzolkin", "--seed", "3", stdin=moves("1", "pl pal", "stop")).stdout
    assert "    Day of the calendar: 1 → 2" in lines
    assert re.search(r"\nred: place \S+.*  \(.* 0\)\n", lines)
    assert "Workers on the gears" not in lines


def test_a_food_day_is_told(run: Run) -> None:
    """A line for each player, with cost and gain, in a whole game of bots."""
    text = run("play", "tzolkin", "--seat", "0", "--bots", "random", "--seed", "1").stdout
    # Where the same player goes on, what happened is told with the move.
    assert text.count("Food days held: ") + text.count("food days held +1") == 4
    eaten = text[: text.index("Food days held: 0 → 1")].splitlines()[-4:]
    assert all(any(f"{who}:" in line for line in eaten) for who in ("blue", "red"))
    assert any("victory points -" in line or "maize" in line for line in eaten)


def test_moves_say_place_and_price(run: Run) -> None:
    text = run(
        "play", "tzolkin", "--players", "3", "--seed", "3", stdin=moves("1", "pl pal")
    ).stdout
    assert "  1) place Palenque  (Palenque 2, -3 maize)" in text
    assert "  5) place Chichen Itza  (Chichen Itza 0, -1 maize)" in text


def test_cards_know_temples_technologies_and_spaces(run: Run) -> None:
    asked = moves("card Chaac", "card agriculture", "card Uxmal", "card extraction")
    text = run("play", "tzolkin", "--seed", "1", stdin=asked).stdout
    assert "    top step: 6 [R p. 10 Temples]" in text
    assert "    level 1 (pay 1): +1 maize a harvest" in text
    assert "    Uxmal 1: pay 3 maize, any temple +1" in text
    assert "[1, 0, 0]" not in text


def test_the_log_shows_what_was_revealed(run: Run) -> None:
    text = run("play", "tzolkin", "--players", "3", "--seed", "3", stdin=moves("1", "log")).stdout
    log = text[text.index("> log") :]
    assert "red: keep Palenque-5" in log
    assert "         shown: Palenque-5" in log
    poker = run("play", "kuhn_poker", "--seed", "2", stdin=moves("log")).stdout
    assert "draw" not in poker[poker.index("> log") :]


def test_russian(run: Run) -> None:
    asked = ("play", "tzolkin", "--players", "3", "--lang", "ru", "--seed", "3")
    text = run(*asked, stdin=moves("1", "на ушм", "card Чак", "help")).stdout
    assert "синий: вы, красный: жадный бот, жёлтый: жадный бот; начальное число 3" in text
    assert "`help` объясняет, что можно ввести." in text
    assert "  открыто: " in text
    assert "синий решает (keep):" in text
    assert "  4) на Ушмаль  (Ушмаль 0)" in text
    assert "  Рабочий на месте действия Ушмаль 0: - → синий" in text
    assert "Чак\n    top step: 6" in text
    assert "  quit           выйти" in text


def test_a_board_in_letters(run: Run) -> None:
    """The map as a map, and cells by the names that moves give them."""
    text = run("play", "zimbabwe", "--seed", "1", "--bots", "none", stdin=moves("1", "1")).stdout
    assert "  1  .   .   +   .   .   +" in text
    assert "  1  .   .   1Y  .   .   +" in text
    assert "    level of monument c1: 0 → 1" in text
    assert "  1) settle on f1  (victory points +1)" in text
    assert "what lies on" not in text
    assert "gods on offer:" in text


def test_a_numbered_place_is_told_with_its_noun() -> None:
    game = rd.load("zimbabwe", players=3)
    state = game.start(seed=5)
    for _ in range(2):
        state = state.play(state.moves()[0])
    assert state.player is not None
    move = state.moves()[0]
    effects = state.seat(state.player).preview(move)
    assert effects is not None
    told = Gist(game, state.player).of(effects, str(move))
    assert told == "plaque 1, victory points +1"


def test_secret_choices_stay_secret(run: Run) -> None:
    result = run("play", "tzolkin", "--players", "3", "--seed", "2", stdin=moves("1"))
    assert "red has chosen" in result.stdout
    assert "red: keep" not in result.stdout


def test_hidden_cards_stay_hidden(run: Run) -> None:
    result = run("play", "kuhn_poker", "--seed", "2")
    hand = next(line for line in result.stdout.splitlines() if line.startswith("  hand"))
    assert "1 hidden" in hand


@pytest.mark.parametrize("name", NAMES)
def test_every_game_can_be_played_by_number(run: Run, name: str) -> None:
    """Ten times the first move, whatever it is called."""
    game = rd.load(name)
    state = game.start(seed=3)
    texts = []
    for _ in range(10):
        if state.over:
            break
        texts.append(str(state.moves()[0]))
        state = state.play(texts[-1])
    result = run("play", name, "--bots", "none", "--seed", "3", stdin=moves(*texts))
    assert result.exit_code == 0
    assert "there is no move" not in result.stdout
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


def test_a_long_game_by_bots(run: Run) -> None:
    result = run("play", "tzolkin", "--seat", "0", "--bots", "random", "--seed", "1")
    assert "The game is over" in result.stdout


@pytest.mark.parametrize(
    "args",
    [
        ("play",),
        ("play", "nonsense"),
        ("play", "tic_tac_toe", "--players", "3"),
        ("play", "tikal", "--option", "edition=1817"),
        ("play", "tikal", "--option", "edition"),
        ("play", "tikal@auction=perhaps"),
        ("play", "tikal@nothing"),
        ("play", "tic_tac_toe", "--variant", "nowhere.rules"),
        ("play", "tic_tac_toe", "--variant", "short_year"),
        ("simulate", "pig", "--games", "0"),
        ("simulate", "pig", "--policy", "clever"),
        ("nonsense",),
    ],
)
def test_bad_input(run: Run, args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == "" or args == ("play",)
    assert "rror" in result.stderr


def test_simulate(run: Run) -> None:
    result = run("simulate", "pig", "--games", "40", "--seed", "5", "--players", "3")
    assert result.exit_code == 0
    assert "40 games of 3 players, random policy, seeds 5 to 44" in result.stdout
    for word in ("wins", "mean score", "median", "decisions a game", "throw", "hold"):
        assert word in result.stdout
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


def test_simulate_one_game(run: Run) -> None:
    result = run("simulate", "pig", "--games", "1", "--seed", "5")
    assert "1 game of 2 players, random policy, seed 5\n" in result.stdout
    assert result.stderr.startswith("1 game in ")


def test_simulate_as_json(run: Run) -> None:
    one = run("simulate", "kuhn_poker", "--games", "120", "--json")
    two = run("simulate", "kuhn_poker", "--games", "120", "--json", "--jobs", "2")
    assert one.stdout == two.stdout
    told = json.loads(one.stdout)
    assert told["games"] == 120
    assert sum(told["win_share"]) == pytest.approx(1)


def test_simulate_names_unused_actions(run: Run) -> None:
    result = run("simulate", "tzolkin", "--games", "3", "--policy", "greedy")
    assert "raise_monument" in result.stdout


def test_a_saved_game_of_a_variant_in_a_file(run: Run, tmp_path: Path) -> None:
    """Its record knows the variant by name only: the file must be named, and is asked for."""
    variant = tmp_path / "slow.rules"
    variant.write_text(
        'variant slow of tic_tac_toe "Slow"\n    add invariant few\n        placed <= 4\n',
        encoding="utf-8",
    )
    folder = tmp_path / "records"
    check = ("--check", "invariant", "--jobs", "1")
    found = run("verify", str(variant), *check, "--records", str(folder))
    assert found.exit_code == 1
    (record,) = folder.glob("*.json")
    assert f"saved: {record}" in found.stdout
    lost = run("play", "--from", str(record))
    assert lost.exit_code == 2
    assert "tic_tac_toe with slow, which is not shipped: name its file" in lost.output
    opened = run("play", str(variant), "--from", str(record), "--bots", "none", stdin="log\n")
    assert opened.exit_code == 0
    assert "cross" in opened.stdout


def test_several_moves_on_one_line(run: Run) -> None:
    """A forced move in between, here `perform Tikal 1`, may be left out."""
    stdin = moves(
        "1",
        "place palenque: place tikal: place chichen itza",
        "pick up tikal 1: advance agriculture",
        "log",
    )
    result = run("play", "tzolkin", "--players", "2", "--seed", "1", stdin=stdin)
    log = result.stdout.split("> log")[1]
    mine = [line.split("blue: ")[1] for line in log.splitlines() if "blue: " in line]
    assert mine[1:] == [
        "place Palenque",
        "place Tikal",
        "place Chichen Itza",
        "pick up Tikal 1",
        "perform Tikal 1",
        "advance agriculture",
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("place palenque: fly", "there is no move `fly`"),
        ("place palenque: place tikal: place uxmal: place uxmal", "ends your turn"),
    ],
)
def test_of_several_moves_all_or_none_are_made(run: Run, line: str, problem: str) -> None:
    stdin = moves("1", line, "log")
    result = run("play", "tzolkin", "--players", "2", "--seed", "1", stdin=stdin)
    assert problem in result.stdout
    assert "nothing of the line was done" in " ".join(result.stdout.split())
    assert "place Palenque" not in result.stdout.split("> log")[1]


def test_the_seed_of_a_game_with_secrets_is_not_shown(run: Run, tmp_path: Path) -> None:
    assert "seed" not in run("play", "kuhn_poker").stdout
    assert "seed 5" in run("play", "kuhn_poker", "--seed", "5").stdout
    assert "; seed " in run("play", "pig").stdout
    assert "\nseed " in run("play", "kuhn_poker", stdin="seed\n").stdout.replace("> ", "\n")
    shared = tmp_path / "shared.json"
    run("play", "kuhn_poker", "--seed", "5", stdin=f"share {shared}\n")
    assert json.loads(shared.read_text(encoding="utf-8"))["seed"] is None
    assert run("play", "--from", str(shared)).exit_code == 0
