"""A server without a network, with a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rules_dsl.web.app import ServerSettings, make_app
from rules_dsl.web.guard import Rate

HOST = "http://127.0.0.1:8137"
Browser = Callable[[], TestClient]


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    """How the server is set up."""
    return ServerSettings(tmp_path, rate=Rate(requests=10_000))


@pytest.fixture
def browser(settings: ServerSettings) -> Iterator[Browser]:
    """Makes browsers, each with cookies of its own, that talk to the same server."""
    app = make_app(settings)
    with TestClient(app, base_url=HOST) as first:
        portal = first.portal

        def more() -> TestClient:
            other = TestClient(app, base_url=HOST)
            other.portal = portal
            return other

        yield more


class Seat:
    """A browser at a table, with everything that it was ever sent."""

    def __init__(self, client: TestClient, table: str) -> None:
        self.client = client
        self.table = table
        self.traffic: list[str] = []

    def view(self, seat: int | None = None, **query: Any) -> dict[str, Any]:
        """What the server shows to a seat."""
        if seat is not None:
            query["seat"] = seat
        return self.get("view", **query)

    def get(self, what: str, **query: Any) -> dict[str, Any]:
        """Ask for something of the table."""
        answer = self.client.get(f"/t/{self.table}/{what}", params=query)
        self.traffic.append(f"{answer.headers} {answer.text}")
        found: dict[str, Any] = answer.json()
        return found

    def post(self, what: str, **data: Any) -> Any:
        """Tell the table something."""
        answer = self.client.post(f"/t/{self.table}/{what}", json=data)
        self.traffic.append(f"{answer.headers} {answer.text}")
        return answer


def new_table(client: TestClient, **request: Any) -> tuple[Seat, list[dict[str, Any]]]:
    """Set up a table; returns the host's client and the invitations."""
    answer = client.post("/api/tables", json=request)
    assert answer.status_code == 201, answer.text
    data = answer.json()
    return Seat(client, data["id"]), data["invitations"]


def seated(client: TestClient, table: str, token: str) -> Seat:
    """A browser that came by a link."""
    seat = Seat(client, table)
    assert seat.post("sit", token=token).status_code == 200
    return seat
