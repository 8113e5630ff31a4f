"""A turn of a large game fits a terminal of 80 columns and 40 lines, and shows the position."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import pytest
from rich.console import Console

import rules_dsl as rd
from compiler.runtime.game import Game
from compiler.runtime.state import State
from compiler.runtime.terminal import bookkeeping
from rules_dsl.cli.table.screens import OwnScreen
from rules_dsl.cli.table.session import Session

COLUMNS, LINES = 80, 40
GAMES = [
    ("tzolkin", 2, {}),
    ("tzolkin", 4, {}),
    ("tikal", 2, {}),
    ("tikal", 4, {"auction": True}),
    ("yucatan", 2, {}),
    ("yucatan", 4, {}),
]


def positions(game: Game, seed: int, every: int) -> Iterator[State]:
    """Positions of a random game, now and then, from the opening to the end."""
    luck = random.Random(seed)
    state = game.start(seed=seed)
    for number in range(3000):
        if state.over:
            return
        if number % every == 0:
            yield state
        state = state.play(luck.choice(state.moves()))


def screenful(state: State, language: str) -> list[str]:
    """The screen of the player to move: the position, the question and the moves."""
    assert state.player is not None
    out = io.StringIO()
    console = Console(file=out, width=COLUMNS, highlight=False, color_system=None)
    session = Session(console, state, {}, language=language)
    session.show()
    return out.getvalue().splitlines()


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_a_turn_fits_a_screen(
    name: str, players: int, options: dict[str, bool], language: str
) -> None:
    game = rd.load(name, players=players, options=options)
    for state in positions(game, seed=players, every=37):
        lines = screenful(state, language)
        assert len(lines) <= LINES, "\n".join(lines)
        assert max(map(len, lines)) <= COLUMNS, "\n".join(lines)


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_what_is_bookkeeping_is_a_part_of_the_game(
    name: str, players: int, options: dict[str, bool]
) -> None:
    game = rd.load(name, players=players, options=options)
    assert bookkeeping(game) <= set(game.reader.known())


def test_workers_stand_where_they_are() -> None:
    game = rd.load("tzolkin", players=3)
    for state in positions(game, seed=5, every=19):
        rows = OwnScreen(game, "en").lines(state, None)
        first = next(k for k, row in enumerate(rows) if row.startswith("  Palenque"))
        rows = rows[first : first + 5]
        for p, sign in enumerate("BRY"):
            marks = sum(f"{row} "[15:54].count(f" {sign} ") for row in rows)
            assert marks == state["on_gears"][p], "\n".join(rows)


def test_members_stand_where_they_are() -> None:
    """The map of Tikal: the first line of a space names it, the second tells who is there."""
    game = rd.load("tikal", players=2)
    for state in positions(game, seed=6, every=23):
        board = OwnScreen(game, "en").lines(state, None)
        lines = [line for line in board if not line.startswith("  members")]
        for place, team in state["team"][0].items():
            y = next(y for y, line in enumerate(lines) if f" {place} " in f"{line} ")
            x = f"{lines[y]} ".index(f" {place} ") + 1
            here = lines[y + 1][x : x + 8]
            told = f"R{team['worker'] or ''}{'*' * team['leader']}"
            assert (told in here.split()) == any(team.values()), "\n".join(board)


def test_armies_stand_where_they_are() -> None:
    """The places of Yucatan: each names its armies with their warriors, and no other."""
    game = rd.load("yucatan", players=3)
    for state in positions(game, seed=7, every=23):
        text = " ".join(" ".join(OwnScreen(game, "en").lines(state, None)).split())
        text = text.split(" to be summoned")[0]
        names = {place: game.label(place) for place in ("jungle", "yellow", "red", "blue")}
        starts = {place: text.index(f" {label}: ") for place, label in names.items()}
        ends = [*list(starts.values())[1:], len(text)]
        for (place, start), end in zip(starts.items(), ends, strict=True):
            for p, sign in enumerate("WGO"):
                for k, (warlord, at) in enumerate(state["at"][p].items(), 1):
                    told = f" {sign}{k}: {state['army'][p][warlord]['warrior']}"
                    assert (told in text[start:end]) == (at == place), (told, text[start:end])


def test_a_variant_without_what_the_screen_shows_is_told_plainly() -> None:
    """A screen that fails is no screen: the position is listed instead."""
    game = rd.load("tzolkin", players=2)
    screen = OwnScreen(game, "en")
    assert screen.lines(game.start(seed=1), 0)
    assert OwnScreen(rd.load("pig"), "en").lines(rd.load("pig").start(seed=1), 0) == []


def test_a_spectator_sees_no_dealt_tiles() -> None:
    game = rd.load("tzolkin", players=2)
    start = game.start(seed=1)
    mine = "\n".join(OwnScreen(game, "en").lines(start, 0))
    everybody = "\n".join(OwnScreen(game, "en").lines(start, None))
    tile = next(iter(start.view(0)["dealt"][0]))
    label = game.label(tile)
    assert label in mine
    assert label not in everybody
