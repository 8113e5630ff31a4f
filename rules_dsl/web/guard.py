"""Access control: this machine's browser, from the server's own pages, in JSON.

A page of another site can make a browser send requests here, and a name server can make the name of
another site mean this machine. So the Host of a request must be one that the server knows, a
request that changes something must come from the server's own pages or from no page at all, and its
body must be JSON, which a foreign page cannot send without asking.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable

from attrs import frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
SAFE = ("GET", "HEAD")
LONGEST_BODY = 2_000_000


@frozen
class Rate:
    """Rate limit of changing requests: number by address, and seconds."""

    requests: int = 120
    seconds: float = 10.0


class RequestGuard:
    """Middleware that refuses forbidden requests, and adds headers to responses."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], rate: Rate) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.rate = rate
        self.seen: dict[str, deque[float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with the reason of its refusal."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        answer: ASGIApp = self.app
        if problem is not None:
            status, words = problem
            answer = JSONResponse({"error": words}, status_code=status)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await answer(scope, _limited(receive), with_headers)

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _without_port(host) not in self.hosts:
            return 421, "this server does not go by that name"
        if scope["method"] in SAFE:
            return None
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "this request comes from a page of another site"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "this request comes from a page of another site"
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "requests are JSON: content-type must be application/json"
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return 400, "content-length must be a number"
        if len(length) > 18 or int(length) > LONGEST_BODY:
            return 413, f"a request has at most {LONGEST_BODY:,} bytes"
        return self._too_fast((scope.get("client") or ("", 0))[0])

    def _too_fast(self, client: str) -> tuple[int, str] | None:
        now = time.monotonic()
        seen = self.seen.setdefault(client, deque())
        while seen and seen[0] < now - self.rate.seconds:
            seen.popleft()
        if len(seen) >= self.rate.requests:
            return 429, f"at most {self.rate.requests} requests in {self.rate.seconds:g} seconds"
        seen.append(now)
        return None


def _without_port(host: str) -> str:
    """The name in a Host header.

    >>> _without_port("localhost:8000"), _without_port("[::1]:8000")
    ('localhost', '[::1]')
    """
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _limited(receive: Receive) -> Receive:
    """A request body that is cut off when it becomes too long, regardless of its header."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > LONGEST_BODY:
                return {"type": "http.disconnect"}
        return message

    return limited
