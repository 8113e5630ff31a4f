"""Processes for rules of users: limited in time and memory, and killed when needed.

A worker is a separate process group. It takes one request at a time as a line of JSON, answers
with lines of JSON, and ends with the server: when its standard input closes it kills its group.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from attrs import frozen

from rules_dsl.web.desk import Refused

LONGEST_LINE = 64 * 1024 * 1024


@frozen
class Limits:
    """The limits of a worker: seconds of processor time and bytes of memory, for each process."""

    cpu_seconds: int = 30
    memory: int = 2 << 30
    # Wall-clock limit of one answer, in seconds.
    patience: float = 60.0


class WorkerDied(Exception):
    """A worker that was killed, by a limit or on request."""


class Worker:
    """A process that answers requests; it is started when it is first asked something."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.process: asyncio.subprocess.Process | None = None
        self.lock = asyncio.Lock()

    async def call(self, do: str, *args: Any) -> Any:
        """The answer to a request; raises `Refused`, `WorkerDied` or `TimeoutError`."""
        async with self.lock:
            async for kind, value in self._ask(do, args):
                if kind == "result":
                    return value
        raise WorkerDied(do)

    async def events(self, do: str, *args: Any) -> AsyncIterator[tuple[str, Any]]:
        """The messages of a request in progress: `event`s, then a `result`."""
        async with self.lock:
            async for kind, value in self._ask(do, args):
                yield kind, value

    async def _ask(self, do: str, args: tuple[Any, ...]) -> AsyncIterator[tuple[str, Any]]:
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        line = json.dumps({"do": do, "args": args})
        try:
            process.stdin.write(line.encode() + b"\n")
            await process.stdin.drain()
            while True:
                raw = await asyncio.wait_for(process.stdout.readline(), self.limits.patience)
                if not raw:
                    raise WorkerDied(
                        f"the limits of {self.limits.cpu_seconds} seconds and "
                        f"{self.limits.memory >> 20} MiB were reached"
                    )
                answer = json.loads(raw)
                if "refused" in answer:
                    raise Refused(answer["refused"], tuple(answer.get("reasons", ())))
                kind = "event" if "event" in answer else "result"
                yield kind, answer[kind]
                if kind == "result":
                    return
        except (
            TimeoutError, ConnectionError, ValueError, asyncio.CancelledError, WorkerDied
        ) as error:  # fmt: skip
            # Also after an answer that is too long to read: the rest of it would be the next one.
            await self.kill()
            if isinstance(error, ValueError):
                raise WorkerDied(f"its answer has more than {LONGEST_LINE >> 20} MiB") from None
            if isinstance(error, TimeoutError | ConnectionError):
                seconds = self.limits.patience
                raise WorkerDied(f"no answer within {seconds:g} seconds") from None
            raise

    @property
    def running(self) -> bool:
        """Whether the process that answered last is still alive, with its state."""
        return self.process is not None and self.process.returncode is None

    async def _started(self) -> asyncio.subprocess.Process:
        if self.process is None or not self.running:
            limits = json.dumps([self.limits.cpu_seconds, self.limits.memory])
            self.process = await asyncio.create_subprocess_exec(
                # -P: modules in the working folder are not imported.
                sys.executable, "-P", "-m", "rules_dsl.web.worker", limits,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL, start_new_session=True, limit=LONGEST_LINE,
            )  # fmt: skip
        return self.process

    async def kill(self) -> None:
        """End the worker and everything that it started."""
        process, self.process = self.process, None
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
