"""The Python interface, line by line."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rules_dsl as rd
from tests.runtime.market import MARKET

NAMES = [game.name for game in rd.games()]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("market") / "market.rules"
    path.write_text(MARKET.replace("        sold = sold\n", ""))
    return path


@pytest.fixture(scope="module")
def game(path: Path) -> rd.Game:
    return rd.load(path)


# ---- loading -------------------------------------------------------------------------------------


def test_load_a_shipped_game() -> None:
    game = rd.load("tzolkin", players=4)
    assert (game.name, game.players, len(game.player_names)) == ("tzolkin", 4, 4)


def test_load_a_file(path: Path) -> None:
    for name in (path, str(path)):
        game = rd.load(name, players=3)
        assert (game.title, game.players, game.player_names) == ("Market", 3, ("ann", "bob", "cid"))


def test_the_fewest_players_are_the_default(game: rd.Game) -> None:
    assert game.players == 2


def test_options(path: Path) -> None:
    game = rd.load(path, options={"rich": True, "goal": 5, "change": "lost"})
    assert game.options == {"rich": True, "goal": 5, "change": "lost"}
    assert game.start(seed=0)["purse"][0]["coin"] == 4
    assert rd.load(path, options={"rich": "true", "goal": "5"}).options["goal"] == 5
    written = rd.load(f"{path}@goal=5,rich=true").options
    assert written == {"rich": True, "goal": 5, "change": "kept"}
    assert rd.load(f"{path}@5,lost,rich").options == game.options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"poor": True}, "has no option `poor`"),
        ({"rihc": True}, "did you mean `rich`?"),
        ({"goal": 4}, "`goal` cannot be 4; it is one of: 3, 5"),
        ({"rich": "perhaps"}, "it is one of: false, true"),
    ],
)
def test_bad_options(path: Path, options: dict[str, int | str | bool], message: str) -> None:
    with pytest.raises(rd.OptionError) as caught:
        rd.load(path, options=options)
    assert message in str(caught.value)


@pytest.mark.parametrize("options", [["goal"], "goal=5", 5, [], ""])
def test_options_are_a_dictionary(path: Path, options: Any) -> None:
    with pytest.raises(rd.OptionError, match="options are a dictionary of names and values"):
        rd.load(path, options=options)


@pytest.mark.parametrize("players", [-1, 0, 1, 4])
def test_bad_numbers_of_players(path: Path, players: int) -> None:
    with pytest.raises(rd.OptionError, match="market is for 2 to 3 players"):
        rd.load(path, players=players)


@pytest.mark.parametrize(
    "name", ["nonsense", "nowhere/at/all.rules", "", ".", "a\0b", "tikal@nonsense"]
)
def test_bad_names(name: str) -> None:
    with pytest.raises((rd.RuleError, rd.OptionError)):
        rd.load(name)


def test_bad_rules_have_diagnostics(tmp_path: Path) -> None:
    path = tmp_path / "bad.rules"
    path.write_text(MARKET.replace("round += 1", "ruond += 1"))
    with pytest.raises(rd.RuleError) as caught:
        rd.load(path)
    first = caught.value.diagnostics[0]
    assert isinstance(first, rd.Diagnostic)
    assert (first.code, first.span.line) == ("E0201", 44)
    assert first.hint == "did you mean `round`?"
    assert "^^^^^" in str(caught.value)


def test_variants(path: Path, tmp_path: Path) -> None:
    house = path.with_name("house.rules")
    house.write_text(
        'variant house of market "House rule"\n    amend action buy\n        drop require "left"\n'
    )
    for game in (
        rd.load(house),
        rd.load(path, variants=[house]),
        rd.load(path, variants=house),
        rd.load(path, variants=str(house)),
    ):
        assert game.variants == ("house",)
        s = game.start(seed=0).play("buy apple")
        s = s.play("buy apple")
        assert s["basket"][1]["apple"] == 1


def test_shipped_variants_by_name() -> None:
    assert rd.load("tzolkin", variants=["short_year"]).variants == ("short_year",)
    assert rd.load("short_year").name == "tzolkin"


def test_games() -> None:
    known = {game.name: game for game in rd.games()}
    assert {"tzolkin", "tikal", "tic_tac_toe", "pig"} <= set(known)
    tikal = known["tikal"]
    assert (tikal.title, tikal.players) == ("Tikal", (2, 4))
    edition = next(option for option in tikal.options if option.name == "edition")
    assert (edition.kind, edition.choices) == ("option", (1999, 2018))
    assert "short_year" in known["tzolkin"].variants


def test_repr(game: rd.Game) -> None:
    assert repr(game).startswith("<game market for 2 players")
    assert repr(game.start(seed=0)) == "<market, player 0 to move>"
    assert repr(game.start()) == "<market, chance decides>"


# ---- playing -------------------------------------------------------------------------------------


def test_a_seed_decides_chance(game: rd.Game) -> None:
    s = game.start(seed=7)
    assert not s.is_chance
    assert s.outcomes() == ()
    assert s == game.start(seed=7)
    hands = {game.start(seed=seed)["hand"][0] for seed in range(20)}
    assert hands == {("cheap",), ("dear",)}


def test_without_a_seed_chance_is_left_to_the_caller(game: rd.Game) -> None:
    s = game.start()
    assert s.is_chance
    assert s.player is None
    assert s.moves() == ()
    assert {str(move): p for move, p in s.outcomes()} == {
        "draw Cheap one": Fraction(1, 2),
        "draw Dear one": Fraction(1, 2),
    }
    for move, _ in s.outcomes():
        assert s.play(move) == s.play(str(move))
    t = s.play("draw cheap")
    assert t["hand"][0] == ("cheap",)
    assert t.player == 0


@pytest.mark.parametrize("seed", ["7", 1.5])
def test_a_seed_is_a_whole_number(game: rd.Game, seed: int) -> None:
    with pytest.raises(TypeError, match="a seed is a whole number, not "):
        game.start(seed=seed)
    with pytest.raises(TypeError, match="a seed is a whole number, not "):
        game.playout(seed=seed)
    with pytest.raises(TypeError, match="a seed is a whole number, not "):
        game.simulate(games=1, seed=seed)


def test_moves(game: rd.Game) -> None:
    s = game.start(seed=0)
    buy, *_, wait = s.moves()
    assert (buy.name, buy.args, buy.by, str(buy)) == ("buy", ("apple",), 0, "buy apple")
    assert (wait.name, wait.args, wait.by, str(wait)) == ("wait", (), 0, "wait")


def test_notation_is_read_back_with_tolerance(game: rd.Game) -> None:
    s = game.start(seed=0)
    t = s.play(s.moves()[0])
    for text in ("buy apple", "BUY  Apple", " buy_apple "):
        assert s.play(text) == t


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_read_back(name: str) -> None:
    s = rd.load(name).start(seed=2)
    for turn in range(40):
        if s.over:
            break
        moves = s.moves()
        assert len({str(m) for m in moves}) == len(moves), "notation tells moves apart"
        for move in moves[:: max(1, len(moves) // 5)]:
            assert s.play(str(move)) == s.play(move)
        s = s.play(moves[turn * 13 % len(moves)])


def test_states_do_not_change(game: rd.Game) -> None:
    s = game.start(seed=0)
    before = s.to_json()
    t = s.play("buy apple")
    assert (s["basket"][0]["apple"], t["basket"][0]["apple"]) == (0, 1)
    assert s.to_json() == before


def test_illegal_moves_have_reasons(game: rd.Game) -> None:
    s = game.start(seed=0).play("buy apple")
    with pytest.raises(rd.IllegalMove) as caught:
        s.play("buy apple")
    assert str(caught.value) == "buy apple: there is no apple left"
    assert [reason.holds for reason in caught.value.reasons] == [True, False]
    with pytest.raises(rd.IllegalMove, match="there is no move `buy plum` here"):
        s.play("buy plum")
    with pytest.raises(TypeError):
        s.play(3)  # type: ignore[arg-type]


def test_a_misspelt_move_names_the_nearest_move_and_why_it_is_refused(game: rd.Game) -> None:
    s = game.start(seed=0)
    hints = []
    for text, position in (("buy aple", s), ("buy aple", s.play("buy apple")), ("sing", s)):
        with pytest.raises(rd.IllegalMove) as caught:
            position.play(text)
        assert caught.value.message == f"there is no move `{text}` here"
        assert str(caught.value) == f"{caught.value.message}; {caught.value.hint}"
        assert caught.value.reasons == ()  # they would be the reasons of another move
        hints.append(caught.value.hint)
    assert hints == [
        "did you mean `buy apple`?",
        "did you mean `buy apple`? It is refused: there is no apple left",
        "possible: buy apple, buy pear, wait",
    ]


def test_a_move_of_another_position_is_not_taken_for_granted(game: rd.Game) -> None:
    s = game.start(seed=0)
    apple = s.moves()[0]
    with pytest.raises(rd.IllegalMove, match="there is no apple left"):
        s.play(apple).play(apple)


def test_explain(game: rd.Game) -> None:
    s = game.start(seed=0)
    s = s.play("buy apple").play("wait").play("wait")
    s = s.play("wait") if s.player == 1 else s
    poor = s.explain("buy pear")
    assert [r.holds for r in poor] == [False, True]
    assert poor[0].text == "you have 0 coins, one is needed"
    assert poor[0].cite == "S p. 3 Prices"
    assert ("purse[p].coin", "0") in poor[0].values
    assert poor[1].cite == "S p. 3 Buying"
    assert s.explain("wait") == ()
    (unknown,) = s.explain("sing")
    assert not unknown.holds
    assert str(poor[0]).startswith("no: you have 0 coins")


@pytest.mark.parametrize("move", [None, 3, ("buy", "apple")])
def test_what_is_no_move(game: rd.Game, move: Any) -> None:
    s = game.start(seed=0)
    for use in (s.play, s.explain, finish(s).explain):
        with pytest.raises(TypeError, match="a move is a Move or a text, not "):
            use(move)


def finish(s: rd.State) -> rd.State:
    while not s.over:
        s = s.play(s.moves()[-1])
    return s


def test_the_end(game: rd.Game) -> None:
    s = finish(game.start(seed=0).play("buy pear").play("buy apple"))
    assert (s.over, s.player, s.is_chance, s.moves()) == (True, None, False, ())
    assert s.scores() == (Fraction(1, 2), 1)
    assert s.winners() == (1,)
    assert repr(s) == "<market, over>"
    with pytest.raises(rd.IllegalMove, match="the game is over"):
        s.play("wait")
    assert s.previous is not None
    for move in ("wait", s.previous.moves()[0]):
        (reason,) = s.explain(move)
        assert (reason.text, reason.holds) == ("the game is over", False)


def test_no_winner_before_the_end(game: rd.Game) -> None:
    assert game.start(seed=0).winners() == ()


def test_ties(game: rd.Game) -> None:
    s = game.start(seed=0)
    while len(s.moves()) < 3 or str(s.moves()[0]) != "number 0":
        s = s.play("wait")
    assert s.play("number 1").play("number 1").winners() == (0, 1)
    assert s.play("number 1").play("number 2").winners() == (1,)


# ---- reading -------------------------------------------------------------------------------------


def test_reading_by_name(game: rd.Game) -> None:
    s = game.start(seed=0).play("buy apple")
    assert s["round"] == 1
    assert s["purse"][0]["coin"] == 0
    assert s["purse"]["bob"]["coin"] == 1
    assert s["sold"] == ("apple",)
    assert s["last"] == 0
    assert game.start(seed=0)["last"] is None
    assert list(s["basket"]) == [0, 1]
    assert len(s["basket"]) == 2
    with pytest.raises(KeyError, match="this game has no `purze`; it has: round, "):
        s["purze"]
    with pytest.raises(KeyError):
        s["purse"][2]


def test_names_of_what_there_is(game: rd.Game) -> None:
    s = game.start(seed=0)
    assert "round" in s
    assert "deck" in s
    assert "purze" not in s
    assert 0 not in s
    assert list(s) == list(s.values())
    assert {name: s[name] for name in s}.keys() == s.values().keys()


def test_views(game: rd.Game) -> None:
    s = game.start(seed=0)
    assert isinstance(s.view()["deck"], rd.Hidden)
    assert s.view()["deck"].count == 1
    assert isinstance(s.view()["hand"][0], rd.Hidden)
    assert s.view(player=0)["hand"][0] == s["hand"][0]
    assert isinstance(s.view(player=1)["hand"][0], rd.Hidden)
    assert isinstance(s.view(player=1)["secret"][0], rd.Hidden)
    assert s.view(player=1)["secret"][1] == 0
    assert s.view(player="bob") == s.view(player=1)
    bad: Any
    for bad in (-1, 2, "cid", "", 0.5):
        with pytest.raises(
            ValueError, match=r"there is no player .*; players are 0..1 or ann, bob"
        ):
            s.view(player=bad)


def test_equality_and_hash(path: Path, game: rd.Game) -> None:
    s, t = game.start(seed=0), rd.load(path).start(seed=0)
    assert s == t
    assert hash(s) == hash(t)
    assert s != s.play("wait")
    assert s != rd.load(path, options={"goal": 5}).start(seed=0)
    assert s != rd.load(path, players=3).start(seed=0)
    assert s != "market"
    assert len({s, t, s.play("wait"), t.play("wait")}) == 2


def test_history(game: rd.Game) -> None:
    s = game.start(seed=0)
    t = s.play("wait").play("buy apple")
    assert [str(m) for m in t.played()] == ["wait", "buy apple"]
    assert [m.by for m in t.played()] == [0, 1]
    assert t.history()[0] == s
    assert t.previous is not None
    assert t.previous.previous == s
    assert s.previous is None


def test_pickle(game: rd.Game) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert again.identity == game.identity


# ---- many games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_playout(name: str) -> None:
    game = rd.load(name)
    end = game.playout(seed=1)
    assert end.over
    assert end == game.playout(seed=1, backend="python")
    assert end.winners()


def test_back_ends(game: rd.Game) -> None:
    with pytest.raises(ValueError, match="there is no back end 'magic'"):
        game.playout(backend="magic")
    with pytest.raises(ValueError, match="magic"):
        game.simulate(games=1, backend="magic")


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_simulate(game: rd.Game, policy: str) -> None:
    result = game.simulate(games=120, policy=policy, seed=3)
    assert (result.games, result.lengths.total(), result.winners.total()) == (120, 120, 120)
    assert [counts.total() for counts in result.scores] == [120] * game.players
    assert sum(result.win_share()) == 1
    assert result.moves.total() == sum(result.lengths.elements())
    least, *_, greatest = result.score_spread(0)
    assert least <= result.mean_scores()[0] <= greatest


def test_jobs_change_nothing(game: rd.Game) -> None:
    seen: list[int] = []
    alone = game.simulate(games=130, seed=3, backend="python", progress=seen.append)
    together = game.simulate(games=130, seed=3, backend="python", jobs=2)
    assert alone == together
    assert alone.to_json() == together.to_json()
    assert seen == [50, 100, 130]


def test_bad_simulations(game: rd.Game) -> None:
    with pytest.raises(ValueError, match="there is no policy 'clever'"):
        game.simulate(games=1, policy="clever")
    with pytest.raises(ValueError, match="negative"):
        game.simulate(games=-1)
    with pytest.raises(ValueError, match="at least one job is needed, not 0"):
        game.simulate(games=1, jobs=0)
    bad: Any = 1e3
    with pytest.raises(TypeError, match=r"the number of games is a whole number, not 1000\.0"):
        game.simulate(games=bad)
    with pytest.raises(TypeError, match=r"the number of jobs is a whole number, not 1000\.0"):
        game.simulate(games=1, jobs=bad)


def test_what_is_exported() -> None:
    for name in rd.__all__:
        assert getattr(rd, name) is not None
    with pytest.raises(AttributeError):
        _ = rd.nonsense


def test_moves_are_worked_out_late_and_stay_as_they_are(game: rd.Game) -> None:
    move = game.start(seed=1).moves()[0]
    with pytest.raises(AttributeError):
        move.code = 3  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(move))
    assert (again, hash(again), again.text) == (move, hash(move), str(move))
    assert again.name == move.name and again.args == move.args and again.by == move.by
    assert repr(move).startswith(f"Move(name={move.name!r}")


def test_a_move_of_another_point_is_read_by_its_text() -> None:
    """The number of a move says nothing at another decision point."""
    game = rd.load("kuhn_poker")
    start = game.start(seed=1)
    (check,) = [m for m in start.moves() if m.name == "check"]
    after = start.play("bet")
    with pytest.raises(rd.IllegalMove):
        after.play(check)
