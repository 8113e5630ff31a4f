"""Tables without a browser: playing, asking, taking back, keeping."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

import rules_dsl as rd
from rules_dsl.web.app import ServerSettings, make_app
from tests.web.conftest import HOST, Browser, Seat, new_table, seated


def play(who: Seat, seat: int, text: str) -> Any:
    return who.post("move", seat=seat, move=text)


def test_two_browsers_play_a_whole_game(browser: Browser) -> None:
    owner, links = new_table(browser(), game="tic_tac_toe", seats=["me", "link"])
    friend = seated(browser(), owner.table, links[1]["token"])
    for k, square in enumerate(["a1", "a2", "b1", "b2", "c1"]):
        who = (owner, friend)[k % 2]
        assert play(who, k % 2, square).status_code == 204
    end = friend.view(1)
    assert end["over"]
    assert end["winners"] == [0]
    assert end["log"][0]["text"] == "cross: a1"
    assert end["log"][0]["cites"] == ["S Taking turns"]


def test_a_stale_click_plays_nothing(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="pig", seats=["me", "me"])
    view = owner.view(0)
    code = view["moves"][0]["code"]
    assert owner.post("move", seat=0, code=code, version=view["version"]).status_code == 204
    again = owner.post("move", seat=0, code=code, version=view["version"])
    assert again.status_code == 409
    assert "changed since" in again.json()["error"]
    assert owner.view(0)["last"] == 1


def test_refused_moves_say_why_with_cites(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="tic_tac_toe", seats=["me", "me"])
    play(owner, 0, "b2")
    refused = play(owner, 1, "b2")
    assert refused.status_code == 409
    reasons = [r for r in refused.json()["reasons"] if not r["holds"]]
    assert reasons
    assert reasons[0]["cite"]
    told = owner.post("explain", seat=1, move="b2").json()["reasons"]
    assert [r["text"] for r in told if not r["holds"]] == [r["text"] for r in reasons]
    # A requirement that holds does not read like a refusal.
    [holds] = owner.post("explain", seat=1, move="a1").json()["reasons"]
    assert (holds["holds"], holds["text"]) == (True, "a1 is already taken")
    assert holds["told"] == "mark[ord(at)] = none"
    place = owner.post("explain", seat=1, place="b2").json()["reasons"]
    assert place[0]["option"] == "place"


def test_a_move_is_shown_before_it_is_made(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="tic_tac_toe", seats=["me", "me"])
    move = next(m for m in owner.view(0)["moves"] if m["text"] == "b2")
    events = owner.post("preview", seat=0, code=move["code"]).json()["events"]
    assert "mark 4: none → cross" in events
    assert owner.view(0)["last"] == 0


def test_a_move_names_the_squares_of_the_drawing(browser: Browser) -> None:
    """The rules of Zimbabwe number the squares of the map; its drawing calls them by name."""
    owner, _ = new_table(browser(), game="zimbabwe", players=2, seats=["me", "me"])
    view = owner.view(owner.view(0)["player"])
    assert {move["name"] for move in view["moves"]} == {"settle"}
    for move in view["moves"]:
        assert move["squares"] == [move["text"].removeprefix("settle on ")]
        assert f'data-place="{move["squares"][0]}"' in view["drawing"]


def test_bots_play_on_by_themselves(browser: Browser) -> None:
    client = browser()
    watcher, _ = new_table(client, game="mancala", seats=["random", "greedy"])
    assert client.portal is not None
    for _ in range(400):
        view = watcher.view()
        if view["over"]:
            break
        client.portal.call(_a_moment)
    assert view["over"]
    assert not view["problem"]


def test_twenty_tables_with_bots_hold(browser: Browser) -> None:
    """Twenty tables of several games go on together, and a person at another is answered."""
    client = browser()
    owner, _ = new_table(client, game="tic_tac_toe", seats=["me", "me"])
    names = ["tzolkin", "mancala", "connect_four", "goofspiel", "breakthrough"]
    tables = [
        new_table(client, game=names[k % 5], players=2, seats=["random", "greedy"])[0]
        for k in range(20)
    ]
    assert client.portal is not None
    for square in ("b2", "a1", "c3"):
        who = owner.view(0)["player"]
        assert play(owner, who, square).status_code == 204
        client.portal.call(_a_moment)
    for _ in range(2000):
        views = [table.view() for table in tables]
        if all(view["over"] or view["last"] >= 12 for view in views):
            break
        client.portal.call(_a_moment)
    assert all(view["over"] or view["last"] >= 12 for view in views)
    assert not any(view["problem"] for view in views)
    assert owner.view(0)["last"] == 3


def test_moves_and_log_in_russian(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="tzolkin", players=2, seats=["me", "me"])
    for _ in range(2):
        who = owner.view(0)["player"]
        owner.post("move", seat=who, code=owner.view(who)["moves"][0]["code"])
    who = owner.view(0)["player"]
    russian = owner.view(who, lang="ru")
    move = next(m for m in russian["moves"] if m["args"] and m["args"][0] == "palenque")
    assert "Паленке" in move["shown"]
    # The notation itself is the same in every language.
    assert move["text"] in [m["text"] for m in owner.view(who)["moves"]]
    assert all(m["shown"] == m["text"] for m in owner.view(who)["moves"])
    effects = owner.post("preview", seat=who, code=move["code"], lang="ru").json()["events"]
    assert "Паленке" in " ".join(effects)
    owner.post("move", seat=who, code=move["code"])
    assert "Паленке" in owner.view(who, lang="ru")["log"][-1]["text"]
    assert "palenque" in owner.view(who)["log"][-1]["text"].lower()


def test_sentences_of_the_engine_in_russian(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="goofspiel", seats=["me", "me"])
    play(owner, 0, "bidding 13")
    assert owner.view(1, lang="ru")["log"][-1]["text"] == "p1: выбор сделан"
    assert owner.view(1)["log"][-1]["text"] == "p1 has chosen"
    owner, _ = new_table(browser(), game="pig", seats=["me", "me"])
    play(owner, 0, "roll")
    assert "случай: выпало" in owner.view(0, lang="ru")["log"][-1]["text"]
    owner, _ = new_table(browser(), game="tic_tac_toe", seats=["me", "me"])
    for k, square in enumerate(["a1", "a2", "b1", "b2", "c1"]):
        play(owner, k % 2, square)
    events = owner.view(0, lang="ru")["events"]
    assert events[-1] == "игра окончена, победа: cross"
    assert "winner: — → cross" in events


async def _a_moment() -> None:
    import asyncio

    await asyncio.sleep(0.05)


@pytest.fixture(autouse=True)
def bots_do_not_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules_dsl.web.tables.BOT_PAUSE", 0.0)


def test_undo_takes_back_a_decision_but_not_a_roll(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="pig", seats=["me", "me"])
    assert play(owner, 0, "stop").status_code == 204
    assert owner.view(0)["undo"]
    assert owner.post("undo", seat=0).status_code == 204
    assert owner.view(0)["last"] == 0
    assert play(owner, 0, "roll").status_code == 204
    assert not owner.view(0)["undo"]
    refused = owner.post("undo", seat=0)
    assert refused.status_code == 409
    assert "can be taken back" in refused.json()["error"]
    assert owner.view(0)["last"] == 1


def test_history_shows_earlier_positions(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="tic_tac_toe", seats=["me", "me"])
    for k, square in enumerate(["a1", "b2", "c3"]):
        play(owner, k % 2, square)
    early = owner.view(0, at=1)
    assert (early["at"], early["last"], len(early["log"])) == (1, 3, 1)
    assert early["moves"] == []


def test_nothing_is_lost_on_restart(settings: ServerSettings) -> None:
    with TestClient(make_app(settings), base_url=HOST) as client:
        owner, _ = new_table(client, game="tikal", players=2, seats=["me", "me"], name="Sunday")
        for _ in range(6):
            view = owner.view(0)
            who = view["player"]
            owner.post("move", seat=who, code=owner.view(who)["moves"][0]["code"])
        before = [owner.view(seat) for seat in (0, 1)]
        cookies = dict(client.cookies)
    with TestClient(make_app(settings), base_url=HOST, cookies=cookies) as client:
        again = Seat(client, owner.table)
        for seat in (0, 1):
            after = again.view(seat)
            assert after["drawing"] == before[seat]["drawing"]
            assert after["log"] == before[seat]["log"]
            assert after["moves"] == before[seat]["moves"]
            assert after["name"] == "Sunday"


def test_save_and_open(browser: Browser) -> None:
    client = browser()
    owner, _ = new_table(client, game="mancala", seats=["me", "me"])
    for _ in range(5):
        who = owner.view(0)["player"]
        owner.post("move", seat=who, code=owner.view(who)["moves"][0]["code"])
    record = owner.get("record", seat=0)
    assert record["seed"] is None
    assert len(record["moves"]) == 5
    text = json.dumps(record, indent=1, ensure_ascii=False)
    answer = client.post("/api/open", json={"record": text, "seats": ["me", "random"]})
    assert answer.status_code == 201, answer.text
    opened = Seat(client, answer.json()["id"])
    assert [e["text"] for e in opened.view(0)["log"]] == [e["text"] for e in owner.view(0)["log"]]
    assert client.post("/api/open", json={"record": "{}"}).status_code == 409


def test_an_opened_game_is_saved_again(browser: Browser) -> None:
    """A record that was opened, with rolls of before and after, and a fork of it."""
    client = browser()
    owner, _ = new_table(client, game="pig", seats=["me", "me"])
    assert play(owner, 0, "roll").status_code == 204
    for _ in range(2):
        record = json.dumps(owner.get("record", seat=0), ensure_ascii=False)
        opened = client.post("/api/open", json={"record": record, "seats": ["me", "me"]})
        owner = Seat(client, opened.json()["id"])
        who = owner.view(0)["player"]
        assert play(owner, who, "roll").status_code == 204
    fork = Seat(client, owner.post("fork", seat=0).json()["id"])
    assert fork.view(0)["log"] == owner.view(0)["log"]
    assert fork.get("record", seat=0)["moves"] == owner.get("record", seat=0)["moves"]
    assert len(fork.get("record", seat=0)["moves"]) == 6


def test_a_record_with_hidden_cards_waits_for_the_end(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="kuhn_poker", seats=["me", "link"])
    refused = owner.client.get(f"/t/{owner.table}/record", params={"seat": 0})
    assert refused.status_code == 409


def test_fork_goes_on_elsewhere(browser: Browser) -> None:
    owner, _ = new_table(browser(), game="tic_tac_toe", seats=["me", "me"])
    play(owner, 0, "b2")
    play(owner, 1, "a1")
    answer = owner.post("fork", seat=0, at=1)
    assert answer.status_code == 201
    fork = Seat(owner.client, answer.json()["id"])
    assert fork.view(1)["player"] == 1
    play(fork, 1, "c3")
    assert owner.view(0)["last"] == 2


@pytest.mark.parametrize("name", [game.name for game in rd.games()])
def test_every_game_can_be_set_up_and_drawn(browser: Browser, name: str) -> None:
    owner, _ = new_table(browser(), game=name)
    view = owner.view(0)
    assert view["drawing"].startswith("<svg")
    assert owner.view(view["player"])["moves"]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ({"game": "no_such_game"}, 404),
        ({"game": "../../etc/passwd"}, 404),
        ({"game": 7}, 400),
        ({"game": "pig", "seats": ["me", "me", "me", "me", "me", "me", "me"] * 3}, 409),
        ({"game": "pig", "seats": ["wizard"]}, 409),
        ({"game": "pig", "players": 99}, 409),
        ({"game": "tikal", "options": {"edition": "1066"}}, 409),
        ({"game": "tzolkin", "variants": ["/etc/passwd"]}, 409),
    ],
)
def test_bad_requests_are_refused_with_a_message(
    browser: Browser, request_: dict[str, Any], status: int
) -> None:
    answer = browser().post("/api/tables", json=request_)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]
