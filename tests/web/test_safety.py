"""Who may talk to the server, and in which way."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rules_dsl.web import app as web
from rules_dsl.web.app import ServerSettings, make_app
from rules_dsl.web.guard import LONGEST_BODY, Rate
from tests.web.conftest import HOST, Browser, Seat, new_table

NEW = {"game": "tic_tac_toe"}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8137", "", "127.0.0.1.evil.example"]
)
def test_other_hosts_are_turned_away(browser: Browser, host: str) -> None:
    assert browser().get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8137", "127.0.0.1", "[::1]:8137"])
def test_this_machine_is_known(browser: Browser, host: str) -> None:
    assert browser().get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_other_sites_change_nothing(browser: Browser, headers: dict[str, str]) -> None:
    assert browser().post("/api/tables", json=NEW, headers=headers).status_code == 403


def test_own_pages_and_programs_may(browser: Browser) -> None:
    for headers in ({"origin": HOST, "sec-fetch-site": "same-origin"}, {}):
        assert browser().post("/api/tables", json=NEW, headers=headers).status_code == 201


def test_only_json_is_read(browser: Browser) -> None:
    client = browser()
    form = client.post("/api/tables", data={"game": "tic_tac_toe"})
    assert form.status_code == 415
    text = client.post("/api/tables", content="{}", headers={"content-type": "text/plain"})
    assert text.status_code == 415
    head = {"content-type": "application/json"}
    assert client.post("/api/tables", content="{", headers=head).status_code == 400
    assert client.post("/api/tables", content="[" * 50_000, headers=head).status_code == 400
    long = client.post("/api/tables", content=b" " * (LONGEST_BODY + 1), headers=head)
    assert long.status_code == 413


def test_every_answer_has_a_strict_policy(browser: Browser) -> None:
    client = browser()
    for path in ("/", "/t/abc", "/static/table.js", "/api/games", "/nowhere"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy


def test_pages_hold_no_script_and_no_style_of_their_own() -> None:
    for path in web.STATIC.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "style=" not in text, path
        assert " on" not in text.replace(" one", ""), path
        assert text.count("<script") == text.count('<script type="module" src="/static/'), path
        assert "http" not in text, path


def test_requests_are_limited_in_rate(tmp_path: Path) -> None:
    settings = ServerSettings(tmp_path, rate=Rate(requests=3, seconds=60))
    with TestClient(make_app(settings), base_url=HOST) as client:
        codes = [client.post("/api/drafts", json={"text": "x"}).status_code for _ in range(5)]
    assert codes == [201, 201, 201, 429, 429]


def test_seats_are_secret_tokens(browser: Browser) -> None:
    owner, links = new_table(browser(), game="tic_tac_toe", seats=["me", "link"])
    cookie = owner.client.cookies.jar
    assert {(c.path, c.has_nonstandard_attr("HttpOnly")) for c in cookie} == {
        (f"/t/{owner.table}", True)
    }
    assert all(len(link["token"]) >= 22 for link in links)
    stranger = Seat(browser(), owner.table)
    assert stranger.post("move", seat=0, move="b2").status_code == 409
    assert stranger.post("undo", seat=0).status_code == 409
    assert stranger.client.get(f"/t/{owner.table}/view?seat=0").status_code == 409
    assert stranger.client.get(f"/t/{owner.table}/invitations").status_code == 409
    assert stranger.post("sit", token="x" * 22).status_code == 409
    assert stranger.view()["moves"] == []
    # Who came by a link has that seat and no other.
    friend = Seat(browser(), owner.table)
    assert friend.post("sit", token=links[1]["token"]).json() == {"seat": 1}
    assert friend.post("move", seat=0, move="b2").status_code == 409
    assert friend.client.get(f"/t/{owner.table}/invitations").status_code == 409


def test_only_the_desk_reaches_positions() -> None:
    """The rest of the server gets plain data from a desk; it cannot show what it does not have."""
    folder = Path(web.__file__).parent
    # Pictures and measurements are of games that nobody plays; drawings are made from what a
    # seat sees.
    may = {"desk.py", "drawings.py", "measuring.py", "pictures.py", "tasks.py"}
    secret = ("state", "seat", "game", "saving", "elementary", "moves", "view")
    for path in folder.glob("*.py"):
        if path.name in may:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("compiler"):
                assert node.module == "compiler.runtime.bots", path
                assert [alias.name for alias in node.names] == ["NAMES"], path
            if isinstance(node, ast.Import):
                assert not any(a.name.startswith(("compiler", "verify")) for a in node.names), path
            if isinstance(node, ast.Attribute) and path.name != "app.py":
                assert not (
                    node.attr in secret
                    and isinstance(node.value, ast.Name)
                    and node.value.id in ("desk", "_desk")
                ), path
