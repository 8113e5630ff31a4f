"""Telling browsers that something is new: server-sent events that carry only a version number."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

# Seconds between empty comments, which keep connections open through proxies.
HEARTBEAT = 20.0


class Bell:
    """Wakes all tasks that wait for a change."""

    def __init__(self) -> None:
        self.version = 0
        self._waiting: set[asyncio.Event] = set()

    @property
    def listeners(self) -> int:
        """Number of waiting listeners."""
        return len(self._waiting)

    def ring(self) -> None:
        """Announce a change."""
        self.version += 1
        for waiting in self._waiting:
            waiting.set()

    async def versions(self) -> AsyncIterator[int | None]:
        """The version now and after every change; None now and then, when nothing happens."""
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            yield self.version
            while True:
                try:
                    await asyncio.wait_for(event.wait(), HEARTBEAT)
                except TimeoutError:
                    yield None
                    continue
                event.clear()
                yield self.version
        finally:
            self._waiting.discard(event)


def message(data: Any) -> bytes:
    """A server-sent event.

    >>> message({"version": 3})
    b'data: {"version": 3}\\n\\n'
    """
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
