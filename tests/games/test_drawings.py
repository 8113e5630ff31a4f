"""Drawings are well formed, show every piece, and never hidden information."""

from __future__ import annotations

import importlib
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import rules_dsl as rd
from compiler.runtime.drawing import draw
from compiler.runtime.state import State
from compiler.runtime.values import write_slot
from games import default_drawing
from games.zimbabwe.terminal import told
from rules_dsl.cli.new import data
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather
from rules_dsl.web.drawings import drawing

SVG = "{http://www.w3.org/2000/svg}"
Setting = tuple[str, int, dict[str, Any]]
TZOLKIN: list[Setting] = [("tzolkin", n, {}) for n in (2, 3, 4)]
TIKAL: list[Setting] = [
    ("tikal", n, {"edition": edition, "auction": auction})
    for n in (2, 3, 4)
    for edition in (1999, 2018)
    for auction in (False, True)
]
YUCATAN: list[Setting] = [("yucatan", n, {}) for n in (2, 4)]


def _walk(setting: Setting, seed: int, every: int) -> Iterator[State]:
    """Positions of a random game: the first, the last, and some in between."""
    name, players, options = setting
    state = rd.load(name, players=players, options=options).start(seed=seed)
    rng = random.Random(seed)
    count = 0
    yield state
    while not state.over:
        state = state.play(rng.choice(state.moves()))
        count += 1
        if state.over or count % every == 0:
            yield state


def _picture(state: State, viewer: int | None = None) -> str:
    drawn = draw(state, viewer)
    assert drawn is not None
    return drawn


def _classes(drawn: str) -> Counter[str]:
    """How often each class occurs, parsed as XML."""
    root = ET.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    return Counter(e.attrib["class"] for e in root.iter() if "class" in e.attrib)


def _total(found: Counter[str], first_word: str) -> int:
    return sum(n for name, n in found.items() if name.split()[0] == first_word)


# ---- every position ------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", TZOLKIN + TIKAL + YUCATAN, ids=str)
def test_every_position_has_a_well_formed_drawing(setting: Setting) -> None:
    for state in _walk(setting, 3, 29):
        drawn = _picture(state)
        root = ET.fromstring(drawn)
        assert root.find(f"{SVG}title") is not None
        assert "Hidden(" not in drawn and "None" not in drawn
        # What does not fit on the sheet is not seen.
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for item in root.iter(f"{SVG}circle"):
            if abs(float(item.attrib["cx"])) > 200:
                assert 0 <= float(item.attrib["cx"]) <= width
                assert float(item.attrib["cy"]) <= height


@pytest.mark.parametrize("setting", [TZOLKIN[1], TIKAL[5]], ids=str)
def test_the_same_position_gives_the_same_drawing(setting: Setting) -> None:
    for first, second in zip(_walk(setting, 8, 40), _walk(setting, 8, 40), strict=True):
        assert _picture(first) == _picture(second)


@pytest.mark.parametrize("name", ["tzolkin", "tikal", "yucatan"])
def test_letters_can_be_read(name: str) -> None:
    """No text is smaller than 10 pixels when the drawing is 1200 pixels wide."""
    drawn = _picture(rd.load(name, players=4).start(seed=1))
    width = float(ET.fromstring(drawn).attrib["width"])
    sizes = [float(n) for n in re.findall(r'font-size="([\d.]+)"', drawn)]
    # Letters on pieces and signs repeat what colour and shape say, and may be smaller.
    words = [
        float(size)
        for size, text in re.findall(r'font-size="([\d.]+)"[^>]*>([^<]*)<', drawn)
        if len(text) > 2
    ]
    assert min(words) * 1200 / width >= 10
    assert min(sizes) * 1200 / width >= 7


# ---- every piece ---------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", TZOLKIN, ids=str)
def test_all_workers_cards_and_tiles_of_tzolkin_are_drawn(setting: Setting) -> None:
    for state in _walk(setting, 12, 31):
        found = _classes(_picture(state))
        for p, name in enumerate(state.game.player_names):
            away = state["on_gears"][p] + (state["first_space"] == p)
            assert found[f"worker {name}"] == away
            assert found[f"in-hand {name}"] == state["in_hand"][p]
            assert found[f"board {name}"] == 1
        assert found["worker neutral"] == state["neutral_placed"]
        assert found["reserve"] == sum(state["in_reserve"].values())
        assert found["card building"] == len(state["display"])
        assert found["card monument"] == len(state["monuments"])
        assert found["owned building"] == sum(map(len, state["built"].values()))
        assert found["owned monument"] == sum(map(len, state["raised"].values()))
        assert found["owned wealth"] == sum(map(len, state["kept"].values()))
        assert found["laid-skull"] == sum(a["skull"] for a in state["altar"].values())
        assert found["today"] == (state["day"] <= 27)
        # The key, and the harvest tiles on the players' boards, show one tile each.
        signs = 1 + state.game.players
        jungle = list(state["jungle"].values())
        assert found["forest"] - signs == sum(j["wood_tile"] for j in jungle)
        assert found["field"] - signs == sum(j["maize_tile"] - j["wood_tile"] for j in jungle)
        # Markers: three temples, four technologies, the first player.
        assert _total(found, "marker") == 7 * state.game.players + 1


@pytest.mark.parametrize("setting", TIKAL, ids=str)
def test_all_spaces_members_and_tiles_of_tikal_are_drawn(setting: Setting) -> None:
    for state in _walk(setting, 6, 31):
        found = _classes(_picture(state))
        spaces = list(state["terrain"])
        for terrain in ("unexplored", "base_camp", "temple", "clearing", "ruin", "volcano"):
            count = sum(state["terrain"][h] == terrain for h in spaces)
            assert found[f"hex {terrain.replace('_', '-')}"] == count
        for p, name in enumerate(state.game.player_names):
            teams = [state["team"][p][h] for h in spaces]
            drawn = [
                (int(m[1]), int(m[2]), n)
                for text, n in found.items()
                if (m := re.fullmatch(rf"members {name} w(\d+) l(\d)", text))
            ]
            assert sum(w * n for w, _, n in drawn) == sum(t["worker"] for t in teams)
            assert sum(boss * n for _, boss, n in drawn) == sum(t["leader"] for t in teams)
            assert found[f"camp {name}"] == sum(state["camp"][h] == p for h in spaces)
            assert found[f"guard {name}"] == sum(state["guard"][h] == p for h in spaces)
        treasures = [state["treasures"][p] for p in range(state.game.players)]
        kinds = 8  # one of each kind in the key
        assert found["treasure"] - kinds == sum(sum(t.values()) for t in treasures)
        shown = [*state["hand"], *state["display"]]
        assert _total(found, "tile") == len(shown)
        assert found["stone"] >= sum(sum(state["edge"][h].values()) for h in spaces)


def test_provisional_values_of_yucatan_are_counted_until_they_are_printed(tmp_path: Path) -> None:
    counts = "128 provisional rows, 4 provisional constants"
    before = _picture(rd.load("yucatan", players=2).start(seed=1), 0)
    assert f"* What is printed there is not public: {counts}." in before
    shown = ("round 1: 3 corn*", ">CR11*<", "in hand: 5<", ">ST1*<", ">ST5*<")
    assert all(words in before for words in shown)
    path = tmp_path / "my_box.rules"
    text = data("my_box", "yucatan", assemble(gather("yucatan")))
    path.write_text(text.replace("provisional ", "printed "), encoding="utf-8")
    after = _picture(rd.load(path, players=2).start(seed=1), 0)
    assert "provisional" not in after
    assert all(words.replace("*", "") in after for words in shown)
    assert "*" not in after


def test_numbers_come_from_the_rules() -> None:
    """A variant with other food days is drawn with these."""
    game = rd.load("tzolkin", players=2, variants=["short_year"])
    days = _classes(_picture(game.start(seed=1)))
    assert days["day"] + days["today"] == 20
    short = rd.load("tikal", players=2, variants=["short_days"])
    assert "short days" in _picture(short.start(seed=1))


VARIANTS = Path(__file__).parent / "variants"


def _words_of(variant: str, **position: Any) -> dict[str, str]:
    """The titles of places and cards under a variant, by their keys."""
    game = rd.load("tzolkin", players=3, variants=[str(VARIANTS / f"{variant}.rules")])
    state = game.position(at=game.start(seed=11), lawful=False, **position)
    found = {}
    for item in ET.fromstring(_picture(state)).iter():
        for key in item.attrib.get("data-place", "").split(","):
            title = item.findtext(f"{SVG}title") or ""
            texts = [e.text or "" for e in item.iter(f"{SVG}text")]
            found[key] = " | ".join([title, *texts])
    return found


def test_words_on_cards_come_from_the_rules_of_a_variant() -> None:
    """Five house rules that change cards, spaces and numbers: no old word is left."""
    golden = _words_of("golden_fields", display=("a1_10",))["a1_10"]
    assert "3 gold" in golden and "agriculture" not in golden and "stone" not in golden
    tombs = _words_of("great_tombs", monuments=("m_01", "m_06"))
    assert "6 for each" in tombs["m_01"] and "4 points" not in tombs["m_01"]
    assert "4 for each civil building" in " ".join(tombs["m_06"].split())
    pilgrims = _words_of("pilgrims")
    assert "any temple +1, 2 wood" in pilgrims["uxmal_2"] and "exchange" not in pilgrims["uxmal_2"]
    assert "3 maize" in pilgrims["palenque_1"]
    river = _words_of("rich_river")
    assert "4 maize" in river["palenque_1"]
    assert "12" in river["palenque_5"].split(" | ")[1:]
    assert "15" in river["chichen_9"].split(" | ")[1:]
    farmers = rd.load("tzolkin", players=3, variants=[str(VARIANTS / "wise_farmers.rules")])
    drawn = _picture(farmers.start(seed=11))
    assert "fishing +1" not in drawn and "see the rules" in drawn
    assert "fishing +1" in _picture(rd.load("tzolkin", players=3).start(seed=11))


def test_cards_and_numbers_of_zimbabwe_come_from_the_rules_of_a_variant(tmp_path: Path) -> None:
    """Two house rules that change cards and what players start with: no old number is left."""
    text = """variant dear_shaman of zimbabwe
    replace row God.gu "Gu the smith": 6, rebate = 1
    replace row Specialist.shaman "old shaman": 5, 2
        work
            choose p as put "put {r} on {letter[x]}{number[x]}": r in Resource,
                x in 0..last_cell where tiles_left[r] > 0 and kind[x] = land
            tiles_left[r] -= 1
            kind[x] = ground_of[r]
"""
    path = tmp_path / "dear_shaman.rules"
    path.write_text(text, encoding="utf-8")
    plain, dear = (
        rd.load("zimbabwe", players=2, variants=variants)
        for variants in ([], [str(path), "all_gods"])
    )
    before, after = (_titles(_picture(game.start(seed=3))) for game in (plain, dear))
    assert before["shaman"] == "shaman +3" and after["shaman"] == "old shaman +5"
    assert after["gu"] == "Gu the smith +6"
    # Herds of 6 instead of 3: one number for each player beside the boxes of the track.
    for variants, herd in (([], "3"), (["rich_tribes"], "6")):
        state = _first_auction(rd.load("zimbabwe", players=2, variants=variants))
        texts = list(ET.fromstring(_picture(state)).iter(f"{SVG}text"))
        assert [e.text for e in texts if e.get("font-size") == "16"].count(herd) >= 2


def _first_auction(game: rd.Game) -> rd.State:
    """The first bid of a game of Zimbabwe."""
    state = game.start(seed=3)
    while state.player is None or "bid" not in {move.name for move in state.moves()}:
        state = state.play(state.moves()[0])
    return state


def _titles(drawn: str) -> dict[str, str]:
    """The titles of places and cards by their keys."""
    return {
        item.attrib["data-place"]: item.findtext(f"{SVG}title") or ""
        for item in ET.fromstring(drawn).iter()
        if "data-place" in item.attrib
    }


def test_plaques_of_zimbabwe_have_no_owner_before_the_first_auction() -> None:
    state = rd.load("zimbabwe", players=2).start(seed=3)
    assert "not laid out yet" in _picture(state)
    state = _first_auction(state.game)
    drawn = _picture(state)
    assert "not laid out yet" not in drawn
    assert all(f"{name} 0" in drawn for name in state.game.player_names)


def test_what_lay_on_plaques_in_zimbabwe_is_told_only_while_the_auction_lasts() -> None:
    state = _first_auction(rd.load("zimbabwe", players=2))
    assert "highest bid" in _picture(state)
    assert "high_bid" not in told(state)
    state = state.play("pass")
    assert "taken back until the next auction" in _picture(state)
    assert "high_bid" in told(state)


def test_an_open_draft_of_wealth_is_drawn() -> None:
    state = rd.load("tzolkin", players=3, variants=["open_draft"]).start(seed=4)
    assert _classes(_picture(state))["open wealth"] == len(state["row_of_tiles"]) == 8


# ---- places and seats ----------------------------------------------------------------------------

GAMES: list[Setting] = [
    ("tzolkin", 2, {}),
    ("tikal", 2, {}),
    ("zimbabwe", 3, {}),
    ("yucatan", 2, {}),
]


def _keys(drawn: str) -> set[str]:
    """The places that a page can make clickable."""
    found = [
        e.attrib["data-place"] for e in ET.fromstring(drawn).iter() if "data-place" in e.attrib
    ]
    return {key for keys in found for key in keys.split(",")}


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (GAMES[0], {"palenque", "palenque 3", "palenque_3", "chaac", "agriculture", "wood"}),
        (GAMES[1], {"a1", "h5"}),
        (GAMES[2], {"i7", "l7", "potter", "shaman", "nomads"}),
        (
            GAMES[3],
            {
                "jungle",
                "red",
                "first_warlord",
                "temple",
                "granary",
                "summoning",
                "cr11",
                "blue_1c",
                "first_warlord 2",
            },
        ),
    ],
    ids=[name for name, _, _ in GAMES],
)
def test_places_carry_keys_and_titles(setting: Setting, expected: set[str]) -> None:
    name, players, options = setting
    state = rd.load(name, players=players, options=options).start(seed=3)
    drawn = _picture(state)
    assert expected <= _keys(drawn)
    zones = {"tzolkin": ("display", "monuments"), "zimbabwe": ("gods", "specialists")}
    cards = zones.get(name, ())
    assert {card for zone in cards for card in state[zone]} <= _keys(drawn)
    for item in ET.fromstring(drawn).iter():
        if "data-place" in item.attrib:
            assert item.findtext(f"{SVG}title"), item.attrib


@pytest.mark.parametrize("setting", GAMES, ids=str)
def test_every_seat_has_a_drawing_of_its_own(setting: Setting) -> None:
    name, players, options = setting
    state = rd.load(name, players=players, options=options).start(seed=3)
    for p in range(players):
        drawn = state.seat(p).drawing
        assert drawn is not None
        assert ET.fromstring(drawn).tag == f"{SVG}svg"


def test_owners_see_their_own_tiles_and_no_others() -> None:
    tzolkin = rd.load("tzolkin", players=3).start(seed=4)
    yucatan = rd.load("yucatan", players=2).start(seed=3)
    for p in range(3):
        keys = _keys(tzolkin.seat(p).drawing or "")
        for q in range(3):
            assert keys.isdisjoint(tzolkin["dealt"][q]) == (p != q)
    for p in range(2):
        root = ET.fromstring(yucatan.seat(p).drawing or "")
        for q, name in enumerate(yucatan.game.player_names):
            (settlement,) = root.iterfind(f".//{SVG}g[@class='board {name}']")
            words = " ".join(" ".join(settlement.itertext()).split())
            shown = all(f"ST{k}" in words for k in range(1, 6))
            assert shown == (p == q)
            assert ("ST" in words) == shown


# ---- nothing hidden ------------------------------------------------------------------------------


def _swap(state: State, one: str, other: str, table: str) -> State:
    """The same position with two cards in each other's place."""
    meta = state.game.machine.meta
    slot = meta["arrays"][f"{table}.place"]["slot"]
    rows = state.game.reader.names.enums[table][0]
    a, b = rows.index(one), rows.index(other)
    cells = bytearray(state.cells)
    width = slot[1]
    at = [slot[0] + k * width for k in (a, b)]
    first, second = (bytes(cells[k : k + width]) for k in at)
    cells[at[0] : at[0] + width], cells[at[1] : at[1] + width] = second, first
    return State(state.game, bytes(cells), state.seed, state.draws, None)


def test_dealt_tiles_and_stacks_of_tzolkin_stay_hidden() -> None:
    state = rd.load("tzolkin", players=3).start(seed=4)
    plain = _picture(state)
    other_hand = _swap(state, state["dealt"][0][0], state["dealt"][1][0], "Wealth")
    assert other_hand["dealt"][0] != state["dealt"][0]
    assert _picture(other_hand) == plain
    away = _swap(state, state["dealt"][2][1], state["put_away"][0], "Wealth")
    assert _picture(away) == plain
    shown = _swap(state, state["monuments"][0], state["monument_box"][0], "Monument")
    assert _picture(shown) != plain


def test_a_secret_choice_of_wealth_is_not_drawn() -> None:
    state = rd.load("tzolkin", players=2).start(seed=9)
    assert len({_picture(state.play(move)) for move in state.moves()}) == 1


@pytest.mark.parametrize(
    ("setting", "hidden"),
    [
        (TZOLKIN[0], (("Building", "first_stack"), ("Building", "second_stack"))),
        (TZOLKIN[2], (("Monument", "monument_box"), ("Wealth", "bag"), ("Wealth", "put_away"))),
        (TIKAL[0], (("Tile", "stack"),)),
        (TIKAL[11], (("Tile", "stack"),)),
    ],
    ids=str,
)
def test_hidden_cards_are_not_named(setting: Setting, hidden: tuple[tuple[str, str], ...]) -> None:
    for state in _walk(setting, 7, 31):
        words = {e.text for e in ET.fromstring(_picture(state)).iter(f"{SVG}text")}
        for table, zone in hidden:
            values, labels, _ = state.game.reader.names.enums[table]
            assert not words & {labels[values.index(card)] for card in state[zone]}


def test_buried_treasures_of_tikal_stay_hidden() -> None:
    state = rd.load("tikal", players=2).start(seed=2)
    slot = state.game.machine.meta["arrays"]["earth"]["slot"]
    cells = bytearray(state.cells)
    write_slot(slot, cells, 0, 0)
    other = State(state.game, bytes(cells), state.seed, state.draws, None)
    assert other["earth"] != state["earth"]
    assert _picture(other) == _picture(state)


# ---- other games ---------------------------------------------------------------------------------


def test_a_game_without_a_drawing_has_none() -> None:
    assert draw(rd.load("tic_tac_toe").start()) is None


def test_notebooks_show_the_drawing() -> None:
    show: Callable[[], str] = rd.load("tikal", players=2).start(seed=1)._repr_svg_
    assert show().startswith("<svg")


def test_a_drawing_belongs_to_its_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's game of the same name, or one that cannot be drawn, gets the default picture."""
    path = tmp_path / "tikal.rules"
    path.write_text("game tikal\n    players 2\n\nplay\n    end\n\nscoring\n    score p = 1\n")
    state = rd.load(path).start()
    assert draw(state) is None
    assert state._repr_svg_().startswith("<svg")
    ours = rd.load("tikal").start(seed=1)
    own = ours._repr_svg_()

    def fail(*_: object) -> str:
        raise KeyError("tile")

    monkeypatch.setattr("games.tikal.drawing.draw", fail)
    assert ours._repr_svg_() != own
    assert "clearing" in ours._repr_svg_().lower()


@pytest.mark.parametrize("answer", [KeyError("tile"), RecursionError(), None, "not a picture"])
@pytest.mark.parametrize("setting", GAMES, ids=str)
def test_a_drawing_that_fails_at_one_seat_is_plain_at_that_seat(
    setting: Setting, answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others keep theirs; the plain one shows what this seat may see and nothing else."""
    name, players, options = setting
    state = rd.load(name, players=players, options=options).start(seed=3)
    module = importlib.import_module(f"games.{name}.drawing")
    real, before = module.draw, [state.seat(p).drawing for p in range(players)]

    def fail(state: State, viewer: int | None) -> object:
        if viewer != 1:
            return real(state, viewer)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(module, "draw", fail)
    drawn = [state.seat(p).drawing for p in range(players)]
    assert [p for p in range(players) if drawn[p] != before[p]] == [1]
    assert drawn[1] == default_drawing.draw(state, 1)
    page = drawing(state, 1)
    assert ET.fromstring(page).tag == f"{SVG}svg" and "data-place" in page
