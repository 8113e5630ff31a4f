"""Requests that no page of ours sends, damaged files, processes that are killed."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rules_dsl.web import workers
from rules_dsl.web.app import ServerSettings, make_app
from rules_dsl.web.store import Store
from rules_dsl.web.workers import Limits, Worker, WorkerDied
from tests.web.conftest import HOST, Browser, Seat, new_table

JSON = {"content-type": "application/json"}
# Half of a character, as JSON can write it and UTF-8 cannot.
HALF = "\ud800"
SKELETON = 'variant mine of tic_tac_toe "Mine"\n'


def post(client: TestClient, path: str, data: dict[str, Any]) -> Any:
    """Send JSON with escapes, which keeps half characters."""
    return client.post(path, content=json.dumps(data).encode(), headers=JSON)


@pytest.mark.parametrize("junk", [HALF, float("nan"), [HALF], {HALF: 1}, {"a": [float("inf")]}])
def test_what_cannot_be_written_is_not_read(browser: Browser, junk: object) -> None:
    client = browser()
    owner, _ = new_table(client, game="tic_tac_toe")
    draft = client.post("/api/drafts", json={"text": SKELETON}).json()["id"]
    requests: dict[str, dict[str, Any]] = {
        "/api/tables": {"game": "tic_tac_toe", "name": junk},
        "/api/open": {"record": junk},
        "/api/drafts": {"text": junk},
        f"/api/drafts/{draft}/check": {"text": junk},
        "/api/simulations": {"game": junk},
        f"/t/{owner.table}/sit": {"token": junk},
        f"/t/{owner.table}/explain": {"seat": 0, "move": junk},
    }
    for path, request in requests.items():
        answer = post(client, path, request)
        assert answer.status_code == 400, path
        assert answer.json()["error"]
    assert client.get(f"/api/drafts/{draft}").json()["text"] == SKELETON


def test_a_message_about_half_a_character_can_be_sent(browser: Browser) -> None:
    client = browser()
    owner, _ = new_table(client, game="tic_tac_toe")
    record = client.get(f"/t/{owner.table}/record", params={"seat": 0}).json()
    text = json.dumps({**record, "game": HALF})
    answer = client.post("/api/open", json={"record": text})
    assert answer.status_code == 409
    assert answer.json()["error"]


def test_a_length_that_is_not_a_number(browser: Browser) -> None:
    for length, status in (("abc", 400), ("-1", 400), ("9" * 5000, 413)):
        answer = browser().post(
            "/api/drafts", content=b"{}", headers={**JSON, "content-length": length}
        )
        assert answer.status_code == status


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started and not yet ended."""
    alive: list[int] = []
    start, kill = Worker._started, Worker.kill

    async def noting_start(self: Worker) -> Any:
        process = await start(self)
        if process.pid not in alive:
            alive.append(process.pid)
        return process

    async def noting_kill(self: Worker) -> None:
        pid = self.process.pid if self.process else None
        await kill(self)
        if pid is not None:
            alive.remove(pid)

    monkeypatch.setattr(Worker, "_started", noting_start)
    monkeypatch.setattr(Worker, "kill", noting_kill)
    return alive


def test_a_table_that_is_refused_leaves_no_process(browser: Browser, started: list[int]) -> None:
    client = browser()
    broken = client.post("/api/drafts", json={"text": "game x\n  broken"}).json()["id"]
    answer = client.post(f"/api/drafts/{broken}/tables", json={})
    assert answer.status_code == 409
    assert answer.json()["error"] == "the rules have errors: unexpected `broken`"
    assert started == []
    draft = client.post("/api/drafts", json={"text": SKELETON}).json()["id"]
    assert client.post(f"/api/drafts/{draft}/tables", json={"seats": ["me"] * 9}).status_code == 409
    assert started == []


def test_a_table_of_own_rules_outlives_its_process_but_not_its_rules(
    browser: Browser, started: list[int]
) -> None:
    client = browser()
    draft = client.post("/api/drafts", json={"text": SKELETON}).json()["id"]
    table = Seat(client, client.post(f"/api/drafts/{draft}/tables", json={}).json()["id"])
    assert table.post("move", seat=0, move="b2").status_code == 204
    [process] = started
    _kill(process)
    assert _until(lambda: "log" in table.view(0))
    assert [entry["text"] for entry in table.view(0)["log"]] == ["cross: b2"]
    process = started[-1]
    client.post(f"/api/drafts/{draft}/check", json={"text": SKELETON + "# changed\n"})
    _kill(process)
    words = "the rules have changed since this table was set up"
    assert _until(lambda: table.view(0).get("error") == words)
    assert table.view(0)["error"] == words


def test_damaged_and_outdated_tables_say_so(settings: ServerSettings) -> None:
    with TestClient(make_app(settings), base_url=HOST) as client:
        owner, _ = new_table(client, game="tic_tac_toe")
    file = settings.folder / "tables" / f"{owner.table}.json"
    kept = json.loads(file.read_text())
    damage: list[tuple[Callable[[], dict[str, Any]], str]] = [
        (lambda: {**kept, "setup": {**kept["setup"], "rules": "0" * 64}}, "rules have changed"),
        (lambda: {**kept, "setup": 7}, "damaged"),
        (lambda: {**kept, "setup": {**kept["setup"], "game": 7}}, "damaged"),
        (lambda: {**kept, "setup": {**kept["setup"], "options": [1]}}, "damaged"),
        (lambda: {**kept, "chairs": [7]}, "damaged"),
        (lambda: {**kept, "chairs": []}, "damaged"),
        (lambda: {**kept, "chairs": [{"kind": "nobody"}] * 2}, "damaged"),
        (lambda: {**kept, "chairs": [{"kind": "person", "token": 1}] * 2}, "damaged"),
        (lambda: {**kept, "codes": 7}, "damaged"),
        (lambda: {**kept, "codes": ["x"]}, "damaged"),
        (lambda: {key: kept[key] for key in kept if key != "codes"}, "damaged"),
        (lambda: {**kept, "made": "x"}, "damaged"),
        (dict, "damaged"),
    ]
    for damaged, words in damage:
        file.write_text(json.dumps(damaged()))
        with TestClient(make_app(settings), base_url=HOST) as client:
            answer = client.get(f"/t/{owner.table}/view")
        assert answer.status_code == 409
        assert words in answer.json()["error"]


def test_a_full_disk_is_told(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Store, key: str, data: dict[str, Any]) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(Path("/secret/place")))

    client = browser()
    owner, _ = new_table(client, game="tic_tac_toe", seats=["me", "random"])
    monkeypatch.setattr(Store, "write", full)
    answer = owner.post("move", seat=0, move="b2")
    assert answer.status_code == 507
    assert "No space left on device" in answer.json()["error"]
    assert "secret" not in answer.text
    assert client.post("/api/drafts", json={"text": SKELETON}).status_code == 507


def test_a_mistake_of_the_server_is_one_line(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(self: Store, key: str, data: dict[str, Any]) -> None:
        raise AssertionError("a mistake")

    monkeypatch.setattr(Store, "write", broken)
    answer = browser().post("/api/drafts", json={"text": SKELETON})
    assert answer.status_code == 500
    assert "mistake" not in answer.json()["error"]
    assert len([line for line in capfd.readouterr().err.splitlines() if "mistake" in line]) == 1


def test_an_answer_that_is_too_long_is_not_taken_for_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "LONGEST_LINE", 1 << 12)
    text = SKELETON + "# long\n" * 2000

    async def asked() -> None:
        worker = Worker(Limits())
        try:
            with pytest.raises(WorkerDied, match="more than"):
                await worker.call("layout", text)
            assert await worker.call("layout", SKELETON) == {"text": SKELETON}
        finally:
            await worker.kill()

    asyncio.run(asked())


def test_a_file_that_is_offered_is_one_draft_however_often(tmp_path: Path) -> None:
    file = tmp_path / "mine.rules"
    file.write_text(SKELETON, encoding="utf-8")
    settings = ServerSettings(tmp_path / "data", texts=(file,))

    def key(change: str = "") -> Any:
        with TestClient(make_app(settings), base_url=HOST) as client:
            [text] = client.get("/api/texts").json()["texts"]
            if change:
                client.post(f"/api/drafts/{text['id']}/check", json={"text": change})
            return text["id"]

    first = key()
    assert key(change=SKELETON + "# mine\n") == first
    assert key() != first  # a text from the browser has a key of its own


def _kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


def _until(holds: Callable[[], bool], tries: int = 50) -> bool:
    """Whether something holds soon; the server may learn of a death only by the next request."""
    return any(holds() for _ in range(tries))
