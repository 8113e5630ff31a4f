"""Long work in the background: its progress, and how it is stopped."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from rules_dsl.web.desk import Refused
from rules_dsl.web.streams import Bell
from rules_dsl.web.workers import Limits, Worker, WorkerDied

# Maximum number of running jobs, and of waiting ones.
AT_ONCE, MOST_WAITING = 2, 8
# Number of jobs whose results are remembered.
REMEMBERED = 50
JOB_LIMITS = Limits(cpu_seconds=900, memory=6 << 30, patience=300.0)


class Job:
    """One job in its own process."""

    def __init__(self, do: str, args: tuple[Any, ...]) -> None:
        self.key = secrets.token_urlsafe(16)
        self.do = do
        self.args = args
        self.bell = Bell()
        # "waiting", "running", "done", "failed" or "stopped".
        self.state = "waiting"
        self.progress: dict[str, Any] = {}
        self.result: Any = None
        self.message = ""
        self._worker = Worker(JOB_LIMITS)
        self._task: asyncio.Task[None] | None = None

    @property
    def ended(self) -> bool:
        """True if the job has ended."""
        return self.state in ("done", "failed", "stopped")

    def told(self) -> dict[str, Any]:
        """The current state of the job."""
        return {
            "state": self.state,
            "progress": self.progress,
            "result": self.result,
            "message": self.message,
        }

    def start(self, room: asyncio.Semaphore) -> None:
        """Run the job as soon as a slot is free."""
        self._task = asyncio.get_running_loop().create_task(self._run(room))

    async def _run(self, room: asyncio.Semaphore) -> None:
        try:
            async with room:
                self._turn("running")
                async for kind, value in self._worker.events(self.do, *self.args):
                    if kind == "event":
                        self.progress = value
                        self.bell.ring()
                    else:
                        self.result = value
                self._turn("done")
        except (Refused, WorkerDied) as error:
            self.message = str(error)
            self._turn("failed")
        except asyncio.CancelledError:
            self._turn("stopped")
        finally:
            await self._worker.kill()

    def _turn(self, state: str) -> None:
        self.state = state
        self.bell.ring()

    async def stop(self) -> None:
        """End the work and every process that does it."""
        if self._task is not None:
            if not self.ended:
                self._task.cancel()
            # Ended tasks may still be cleaning up.
            await asyncio.gather(self._task, return_exceptions=True)
        if not self.ended:
            self._turn("stopped")


class Jobs:
    """All jobs that are remembered."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._room = asyncio.Semaphore(AT_ONCE)

    def start(self, do: str, *args: Any) -> Job:
        """Begin a job; raises `Refused` if too many are waiting."""
        if sum(not job.ended for job in self._jobs.values()) >= AT_ONCE + MOST_WAITING:
            raise Refused("the server is busy; try again when other work has ended")
        ended = [key for key, job in self._jobs.items() if job.ended]
        for key in ended[: max(0, len(self._jobs) - REMEMBERED)]:
            del self._jobs[key]
        job = Job(do, args)
        self._jobs[job.key] = job
        job.start(self._room)
        return job

    def find(self, key: str) -> Job | None:
        """A job by its key."""
        return self._jobs.get(key)

    async def close(self) -> None:
        """Stop everything."""
        await asyncio.gather(*(job.stop() for job in self._jobs.values()))
