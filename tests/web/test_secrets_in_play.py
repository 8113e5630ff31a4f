"""Games in play: what two browsers and a spectator are sent while cards and choices are hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rules_dsl.web.app import ServerSettings
from rules_dsl.web.desk import Desk, Setup
from tests.web.conftest import Browser, Seat, new_table, seated
from tests.web.test_secrets import everything, found, kept

# Long enough not to occur by chance in what is sent.
SEED = 2_718_281_828_459_045_235
OPEN_ZONES = ("discard", "attached", "summoning_area", "out_of_play")


pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def known_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run plays the same game."""
    monkeypatch.setattr("rules_dsl.web.table_routes.new_seed", lambda: SEED)


class PlayedTable:
    """A table of two links and a spectator, and the server's own knowledge of it."""

    def __init__(self, browser: Browser, settings: ServerSettings, game: str, **options: bool):
        owner, links = new_table(
            browser(), game=game, players=2, options=options, seats=["link", "link"]
        )
        self.seats = [seated(browser(), owner.table, link["token"]) for link in links]
        self.spectator = Seat(browser(), owner.table)
        setup = kept(settings, owner.table)["setup"]
        assert isinstance(setup, dict)
        assert setup["seed"] == SEED
        self.desk = Desk(Setup.from_data(setup))

    def moves(self, count: int, seed: int) -> Iterator[tuple[int, bool]]:
        """Make random moves; who moved, and whether that is still hidden from the other."""
        choice = random.Random(seed)
        for _ in range(count):
            before = self.desk.state
            if before.over or before.player is None:
                return
            move = choice.choice(before.moves())
            player, asked = before.player, before.decision
            assert self.seats[player].post("move", seat=player, code=move.code).status_code == 204
            self.desk.play(player, move.code)
            now = self.desk.state.decision
            assert asked is not None
            hidden = asked.secret and now is not None and now.secret
            yield player, hidden


def test_cards_battles_and_offerings_of_yucatan(browser: Browser, settings: ServerSettings) -> None:
    table = PlayedTable(browser, settings, "yucatan")
    names = table.desk.game.player_names
    shown: set[str] = set()
    hidden_choices = 0
    for player, hidden in table.moves(60, seed=1):
        state = table.desk.state
        for zone in OPEN_ZONES:
            shown |= set(_cards(state[zone]))
        if hidden:
            hidden_choices += 1
            other = table.seats[1 - player].view(1 - player)
            for view in (other, table.spectator.view()):
                assert view["log"][-1]["text"] == f"{names[player]} has chosen"
                assert view["events"][0] == f"{names[player]} has chosen"
    assert hidden_choices >= 4
    state = table.desk.state
    sent = [everything(table.seats[0], 0), everything(table.seats[1], 1)]
    watched = everything(table.spectator, None)
    rows = table.desk.game.tables["Card"]
    secret_cards = 0
    for player in (0, 1):
        for card in set(state["hand"][player]) | set(state["drawn"][player]):
            # Starting cards are the same for all; those of the deck are drawn face down.
            if card.startswith("sp") and card not in shown:
                secret_cards += 1
                for word in (card, rows[card].label):
                    assert not found(word, sent[1 - player]), (player, word)
                    assert not found(word, watched), (player, word)
                assert found(rows[card].label, sent[player])
    assert secret_cards
    for text in (*sent, watched):
        assert str(SEED) not in text


def _cards(zone: object) -> Iterator[str]:
    if isinstance(zone, tuple):
        yield from zone
    elif hasattr(zone, "values"):
        for part in zone.values():
            yield from _cards(part)


@pytest.mark.parametrize("auction", [False, True])
def test_tiles_to_come_in_tikal(browser: Browser, settings: ServerSettings, auction: bool) -> None:
    """Neither a look ahead nor taking back shows the tile that is drawn next, nor is it sent."""
    table = PlayedTable(browser, settings, "tikal", auction=auction)
    draws = 0
    choice = random.Random(2)
    while draws < 3:
        state = table.desk.state
        player = state.player
        assert player is not None
        # Ending the turn early comes to the next draw sooner.
        move = next((m for m in state.moves() if m.name == "stop"), None)
        move = move or choice.choice(state.moves())
        seat = table.seats[player]
        told = seat.post("preview", seat=player, code=move.code).text
        assert seat.post("move", seat=player, code=move.code).status_code == 204
        table.desk.play(player, move.code)
        drawn = set(_cards(state["stack"])) - set(_cards(table.desk.state["stack"]))
        if drawn:
            draws += 1
            labels = [table.desk.game.tables["Tile"][tile].label for tile in drawn]
            assert not [word for word in (*drawn, *labels) if found(word, told)]
            assert seat.post("undo", seat=player).status_code == 409
    for seat, number in ((table.seats[0], 0), (table.seats[1], 1), (table.spectator, None)):
        assert str(SEED) not in everything(seat, number)
        assert seat.view(number)["last"] == len(table.desk.chain) - 1
