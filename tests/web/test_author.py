"""The author's side without a browser: errors, layout, examples, proofs, limits."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from rules_dsl.web.workers import Limits, Worker, WorkerDied
from tests.web.conftest import Browser, Seat

BROKEN = 'variant wild of tic_tac_toe "Wild"\n    drop invarant line_wins\n'
# The second player may play anywhere: also upon a square that is taken.
UNSOUND = """\
variant overwrite of tic_tac_toe "Any square"
    amend action place
        drop require "{at} is already taken"
"""


def draft(client: TestClient, **request: Any) -> str:
    answer = client.post("/api/drafts", json=request)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found


def ended(client: TestClient, job: str) -> dict[str, Any]:
    """Follow a job to its end by its events, as a page does."""
    import json

    told: dict[str, Any] = {}
    with client.stream("GET", f"/api/jobs/{job}/events") as events:
        for line in events.iter_lines():
            if line.startswith("data: "):
                told = json.loads(line[6:])
    assert told["state"] == "done", told
    return told


def test_a_draft_starts_from_its_game_and_is_kept(browser: Browser) -> None:
    client = browser()
    key = draft(client, game="mancala")
    text = client.get(f"/api/drafts/{key}").json()["text"]
    assert "of mancala" in text
    found = client.post(f"/api/drafts/{key}/check", json={"text": text, "version": 3}).json()
    assert found["errors"] == []
    assert (found["version"], found["players"]) == (3, [2, 2])
    assert client.get("/api/drafts/not-a-draft-1234").status_code == 404


def test_errors_have_a_place_and_a_hint(browser: Browser) -> None:
    client = browser()
    key = draft(client, text=BROKEN)
    found = client.post(f"/api/drafts/{key}/check", json={"text": BROKEN}).json()
    assert found["errors"]
    assert found["errors"][0]["line"] == 2
    assert found["errors"][0]["code"].startswith("E")
    assert client.get(f"/api/drafts/{key}").json()["text"] == BROKEN


def test_layout_and_examples(browser: Browser) -> None:
    client = browser()
    key = draft(client, text="x")
    url = f"/api/drafts/{key}"
    messy = UNSOUND.replace("    amend", "  amend").replace("        drop", "       drop")
    tidy = client.post(f"{url}/format", json={"text": messy}).json()
    assert tidy["text"] == UNSOUND
    assert client.post(f"{url}/format", json={"text": "game ("}).status_code == 409
    client.post(f"{url}/check", json={"text": UNSOUND})
    examples = client.post(f"{url}/examples", json={}).json()["examples"]
    assert all({"title", "ok"} <= set(one) for one in examples)


def test_a_house_rule_is_refuted_shown_and_mended(browser: Browser) -> None:
    client = browser()
    key = draft(client, text=UNSOUND)
    job = client.post(f"/api/drafts/{key}/jobs", json={"do": "verify"}).json()["job"]
    told = ended(client, job)
    assert told["state"] == "done", told
    assert told["result"]["ok"] is False
    refuted = [r for r in told["result"]["results"] if r["status"] == "REFUTED" and r["record"]]
    assert refuted
    # The game that breaks it can be walked through and played on, in a process of its own.
    answer = client.post(f"/api/drafts/{key}/tables", json={"record": refuted[0]["record"]})
    assert answer.status_code == 201, answer.text
    table = Seat(client, answer.json()["id"])
    view = table.view(0)
    assert view["last"] == len(refuted[0]["moves"])
    assert table.view(0, at=0)["drawing"].startswith("<svg")

    mended = 'variant overwrite of tic_tac_toe "As it was"\n'
    client.post(f"/api/drafts/{key}/check", json={"text": mended})
    job = client.post(f"/api/drafts/{key}/jobs", json={"do": "verify"}).json()["job"]
    told = ended(client, job)
    assert told["result"]["ok"] is True
    assert told["progress"]["total"] > 0


def test_compare_and_simulate(browser: Browser) -> None:
    client = browser()
    key = draft(client, text=UNSOUND)
    job = client.post(f"/api/drafts/{key}/jobs", json={"do": "compare"}).json()["job"]
    changes = ended(client, job)["result"]["changes"]
    assert any(change["name"].startswith("place") and change["witness"] for change in changes)
    request = {"game": "pig", "games": 200, "seed": 1}
    job = client.post("/api/simulations", json=request).json()["job"]
    result = ended(client, job)["result"]
    assert sum(count for _, count in result["length_counts"]) == 200
    for share, (low, high) in zip(result["win_share"], result["share_intervals"], strict=True):
        assert low < share < high


def test_balance_of_a_variant_and_of_a_draft(browser: Browser) -> None:
    client = browser()
    request = {"game": "tzolkin", "variants": ["short_year"], "games": 4, "players": 2}
    job = client.post("/api/comparisons", json=request).json()["job"]
    found = ended(client, job)["result"]
    assert found["sections"][0]["title"] == "Wins by seat"
    length = next(r for r in found["sections"][1]["rows"] if r["name"] == "decisions a game")
    assert length["two"]["value"] < length["one"]["value"]
    for row in found["sections"][0]["rows"]:
        assert row["one"]["low"] <= row["one"]["value"] <= row["one"]["high"]
    key = draft(client, text=UNSOUND)
    url = f"/api/drafts/{key}/jobs"
    job = client.post(url, json={"do": "balance", "games": 20}).json()["job"]
    assert ended(client, job)["result"]["titles"] == ["Tic-tac-toe", "Tic-tac-toe + overwrite"]
    own = draft(client, text=GAME)
    job = client.post(f"/api/drafts/{own}/jobs", json={"do": "balance"}).json()["job"]
    told = client.get(f"/api/jobs/{job}/events").text
    assert "no other game to compare it with" in told


GAME = """\
game mine "Mine"
    players 2

state
    placed: 0..3 = 0

action put by p
    require placed < 3 "all are placed"
    placed += 1

play
    while placed < 3 decreases 3 - placed
        choose first(p in Player): put

scoring
    score p = placed
"""


def test_hover_outline_and_completion(browser: Browser) -> None:
    client = browser()
    key = draft(client, text=UNSOUND)
    url = f"/api/drafts/{key}"
    found = client.post(f"{url}/check", json={"text": UNSOUND}).json()
    assert found["symbols"][0] == {"name": "overwrite", "kind": "variant", "line": 1}
    # `place` is declared in the game that the text changes: its line, its cite.
    told = client.post(f"{url}/hover", json={"line": 2, "column": 18}).json()
    assert told["name"] == "place"
    assert "action place" in told["text"]
    assert "Taking turns" in told["text"]
    assert client.post(f"{url}/hover", json={"line": 2, "column": 1}).json() == {"text": ""}
    typed = UNSOUND + "        require mar"
    # A broken text still has an outline, and words that may follow.
    found = client.post(f"{url}/check", json={"text": typed}).json()
    assert found["errors"]
    assert found["symbols"]
    place = {"line": 4, "column": 20}
    proposals = client.post(f"{url}/complete", json=place).json()["proposals"]
    assert [one["text"] for one in proposals] == ["mark"]
    outside = client.post(f"{url}/complete", json={"line": 99, "column": 1}).json()
    assert outside["proposals"] == []


def test_the_rulebook_shows_what_is_proved(browser: Browser) -> None:
    client = browser()
    job = client.post("/api/games/tic_tac_toe/verify", json={}).json()["job"]
    ended(client, job)
    proofs = client.get("/api/games/tic_tac_toe/proofs").json()
    assert proofs["players"] == [2]
    assert proofs["rules"]["place"]["status"] == "PROVED"
    names = {
        e["name"]
        for s in client.get("/api/games/tic_tac_toe/rules").json()["sections"]
        for e in s["entries"]
    }
    assert "place" in names
    # A draft of the same rules tells the verdict where its name is pointed at.
    assert client.get("/api/games/no_such_game/proofs").status_code == 404


def test_a_stopped_job_leaves_no_process(browser: Browser) -> None:
    client = browser()
    key = draft(client, text='variant slow of tzolkin "Slow"\n')
    job = client.post(f"/api/drafts/{key}/jobs", json={"do": "verify", "effort": "high"}).json()
    url = f"/api/jobs/{job['job']}"
    while client.get(url).json()["state"] == "waiting":
        time.sleep(0.05)
    groups = worker_groups()
    assert groups
    assert client.post(f"{url}/stop", json={}).json()["state"] == "stopped"
    assert not groups & {group for _, _, group in processes()}


def worker_groups() -> set[int]:
    """The process groups that this process has started: those of its workers."""
    return {group for pid, parent, group in processes() if parent == os.getpid() and group == pid}


def processes() -> list[tuple[int, int, int]]:
    """Every process of this machine that has not ended: its number, its parent, its group."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{int(name)}/stat", encoding="utf-8") as file:
                state, parent, group, *_ = file.read().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if state != "Z":
            found.append((int(name), int(parent), int(group)))
    return found


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(cpu_seconds=1, patience=60.0), "1 seconds"),
        (Limits(cpu_seconds=60, patience=0.01), "no answer within"),
    ],
)
def test_rules_that_take_too_long_are_stopped(limits: Limits, words: str) -> None:
    import asyncio

    async def ask() -> None:
        worker = Worker(limits)
        args: tuple[Any, ...] = ("tzolkin", None, {}, [], 100_000, "mcts", 0)
        try:
            with pytest.raises(WorkerDied, match=words):
                await worker.call("simulate", *args)
            assert worker.process is None
        finally:
            await worker.kill()

    asyncio.run(ask())


def test_texts_are_limited(browser: Browser) -> None:
    client = browser()
    assert client.post("/api/drafts", json={"text": "#" * 300_000}).status_code == 409
    key = draft(client, text="x")
    long = client.post(f"/api/drafts/{key}/check", json={"text": "#" * 300_000})
    assert long.status_code == 409


def test_a_draft_reads_no_file_of_others(browser: Browser) -> None:
    client = browser()
    other = draft(client, text="enum Secret = hidden_word\n")
    key = draft(client, text="x")
    for name in (f"../{other}.draft/house.rules", "/etc/passwd", "../../x.rules"):
        text = f'game mine "Mine"\n    players 2\n\ninclude "{name}"\n'
        found = client.post(f"/api/drafts/{key}/check", json={"text": text}).json()
        assert found["errors"]
        assert "hidden_word" not in str(found)
        assert str(found).count("/root") == 0


def test_own_rules_are_played_in_a_process_of_their_own(browser: Browser) -> None:
    client = browser()
    key = draft(client, text=UNSOUND)
    answer = client.post(f"/api/drafts/{key}/tables", json={"seats": ["me", "me"]})
    assert answer.status_code == 201, answer.text
    table = Seat(client, answer.json()["id"])
    assert table.view(0)["variants"] == ["overwrite"]
    assert table.post("move", seat=0, move="b2").status_code == 204
    assert table.post("move", seat=1, move="b2").status_code == 204
    refused = table.post("move", seat=1, move="b2")
    assert refused.status_code == 409
