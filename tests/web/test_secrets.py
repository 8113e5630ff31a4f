"""What reaches a browser: everything that it is sent is searched for what it must not have."""

from __future__ import annotations

import json
import re

from starlette.testclient import TestClient

import rules_dsl as rd
from rules_dsl.web.app import ServerSettings, make_app
from rules_dsl.web.desk import Desk, Setup
from tests.web.conftest import HOST, Browser, Seat, new_table, seated


def kept(settings: ServerSettings, table: str) -> dict[str, object]:
    """What the server keeps of a table."""
    path = settings.folder / "tables" / f"{table}.json"
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return found


def everything(seat: Seat, number: int | None) -> str:
    """Ask for all that the interface offers; everything that was ever sent."""
    last = seat.view(number)["last"]
    query = {} if number is None else {"seat": number}
    for at in range(last + 1):
        seat.view(number, at=at)
    for what in ("data", "record", "invitations"):
        seat.get(what, **query)
    if number is not None:
        for move in seat.view(number)["moves"]:
            seat.post("preview", seat=number, code=move["code"])
            seat.post("explain", seat=number, move=move["text"])
        seat.post("explain", seat=number, place="w_uxmal_1")
        seat.post("undo", seat=number)
    return "\n".join(seat.traffic)


def test_a_dealt_hand_stays_with_its_owner(settings: ServerSettings) -> None:
    with TestClient(make_app(settings), base_url=HOST) as client:
        owner, links = new_table(client, game="tzolkin", players=2, seats=["link", "link"])
        portal = client.portal
        seats = []
        for link in links:
            other = TestClient(client.app, base_url=HOST)
            other.portal = portal
            seats.append(seated(other, owner.table, link["token"]))
        stranger = Seat(TestClient(client.app, base_url=HOST), owner.table)
        stranger.client.portal = portal
        setup = kept(settings, owner.table)["setup"]
        assert isinstance(setup, dict)
        # The server's own knowledge of the hands, to search for.
        state = rd.load("tzolkin", 2).start(seed=setup["seed"])
        hands = [state["dealt"][p] for p in (0, 1)]
        labels = [[_label(state.game, card) for card in hand] for hand in hands]
        names = [set(hand) | set(words) for hand, words in zip(hands, labels, strict=True)]
        sent = [everything(seats[0], 0), everything(seats[1], 1), everything(stranger, None)]
        for me, text in ((0, sent[0]), (1, sent[1])):
            assert any(card in text for card in names[me])
            assert not [card for card in names[1 - me] if found(card, text)]
        assert not [card for cards in names for card in cards if found(card, sent[2])]
        for text in sent:
            assert str(setup["seed"]) not in text
        # The first one chooses in secret: the other learns that, and nothing else.
        first = seats[0].view(0)["moves"][0]
        assert seats[0].post("move", seat=0, code=first["code"]).status_code == 204
        assert first["text"] not in everything(seats[1], 1)
        assert [e["text"] for e in seats[1].view(1)["log"]] == ["blue has chosen"]


def _label(game: rd.Game, card: str) -> str:
    return game.tables["Wealth"][card].label


def found(word: str, text: str) -> bool:
    """Whether a card is named in a text, not only as part of another name."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def test_poker_hands_and_bids_stay_secret(browser: Browser) -> None:
    owner, links = new_table(browser(), game="kuhn_poker", seats=["me", "link"])
    friend = seated(browser(), owner.table, links[1]["token"])
    own = owner.get("data", seat=0)["state"]["hand"]["0"]
    assert own[0] not in json.dumps(friend.get("data", seat=1))
    assert own[0].title() not in friend.view(1)["drawing"]

    owner, links = new_table(browser(), game="goofspiel", seats=["me", "link"])
    friend = seated(browser(), owner.table, links[1]["token"])
    assert owner.post("move", seat=0, move="bidding 13").status_code == 204
    assert "bidding 13" not in "".join(e["text"] for e in friend.view(1)["log"])
    assert friend.view(1)["log"][-1]["text"] == "p1 has chosen"
    # The last bid shows all of them: neither a look ahead nor taking back may show them first.
    move = friend.view(1)["moves"][0]
    assert friend.post("preview", seat=1, code=move["code"]).json() == {"events": None}
    assert friend.post("move", seat=1, code=move["code"]).status_code == 204
    assert friend.post("undo", seat=1).status_code == 409


def test_a_fork_does_not_show_what_is_hidden_or_to_come() -> None:
    """Whatever the other hand is, a fork deals it anew, and rolls other dice."""
    desk = Desk(Setup("kuhn_poker", seed=3))
    own = desk.state["hand"][0]
    others = set()
    for _ in range(40):
        fork = Desk(Setup("kuhn_poker", base=desk.fork(0)))
        assert fork.state["hand"][0] == own
        others.add(fork.state["hand"][1])
    assert len(others) == 2
    pig = Desk(Setup("pig", seed=3))
    rolls = set()
    for _ in range(60):
        fork = Desk(Setup("pig", base=pig.fork(None)))
        fork.play_text(0, "roll")
        rolls.add(fork.view(0)["log"][-1]["text"])
    assert len(rolls) > 2


def test_bots_at_a_fork_do_not_know_the_hands() -> None:
    """A fork has its history: what a seat did not see is as open to a bot there as at the table."""
    desk = Desk(Setup("kuhn_poker", seed=3))
    desk.play(0, desk.view(0)["moves"][0]["code"])
    for _ in range(3):
        fork = Desk(Setup("kuhn_poker", base=desk.fork(0)))
        assert fork.view(0)["log"] == desk.view(0)["log"]
        hand = fork.state["hand"]
        drawn = {fork.state.sample(1, seed)["hand"][0] for seed in range(20)}
        assert drawn == {("jack",), ("queen",), ("king",)} - {hand[1]}
        assert fork.record(0) is None


def test_spectators_cannot_fork_hidden_hands(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="kuhn_poker", seats=["me", "me"])
    assert Seat(browser(), owner.table).post("fork").status_code == 409


def test_untrusted_rules_with_secrets_have_no_undo_and_no_preview() -> None:
    """Rules that are not known to be sound may show a hidden thing by any step."""
    desk = Desk(Setup("tzolkin", players=2, seed=5))
    for _ in range(4):
        player = desk.state.player
        desk.play(player, desk.view(player)["moves"][0]["code"])
    player = desk.state.player
    code = next(m["code"] for m in desk.view(player)["moves"])
    desk.trusted = False
    assert desk.preview(player, code) is None
    desk.play(player, code)
    assert not desk.view(player)["undo"]
