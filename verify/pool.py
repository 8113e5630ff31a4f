"""Workers that can be killed: solvers do not always stop when they are told to."""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from attrs import define, field

Work = Callable[[Any], Any]
# Makes the function that does the work; it runs in the worker, once.
Prepare = Callable[[], Work]


@define(eq=False)
class _Worker:
    process: Any
    pipe: Connection
    task: Any = None
    since: float = 0.0


@define(eq=False)
class Pool:
    """Runs tasks in other processes; one that takes too long is killed and gives `None`."""

    prepare: Prepare
    jobs: int
    seconds: float
    workers: list[_Worker] = field(factory=list)
    waiting: list[Any] = field(factory=list)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()

    def add(self, task: Any) -> None:
        """A task to be done."""
        self.waiting.append(task)

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Tasks with their results, as they come in; tasks may be added meanwhile."""
        while self.waiting or any(w.task is not None for w in self.workers):
            self.hand_out()
            busy = [w for w in self.workers if w.task is not None]
            ready = wait([w.pipe for w in busy], timeout=1.0)
            for worker in busy:
                if worker.pipe in ready:
                    task = worker.task
                    worker.task = None
                    try:
                        answer = worker.pipe.recv()
                    except EOFError:  # the worker died
                        self.dismiss(worker)
                        answer = None
                    yield task, answer
                elif monotonic() - worker.since > self.seconds:
                    self.dismiss(worker)
                    yield worker.task, None

    def hand_out(self) -> None:
        """Give every idle worker a task."""
        while self.waiting:
            idle = next((w for w in self.workers if w.task is None), None)
            if idle is None:
                if len(self.workers) >= self.jobs:
                    return
                idle = self.hire()
            idle.task = self.waiting.pop(0)
            idle.since = monotonic()
            idle.pipe.send(idle.task)

    def hire(self) -> _Worker:
        """A new worker."""
        ours, theirs = mp.Pipe()
        process = mp.Process(target=_serve, args=(self.prepare, theirs), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.workers.append(worker)
        return worker

    def dismiss(self, worker: _Worker) -> None:
        """Stop a worker that does not answer."""
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self.workers.remove(worker)


def _serve(prepare: Prepare, pipe: Connection) -> None:
    """The life of a worker."""
    try:
        work = prepare()
        while True:
            pipe.send(work(pipe.recv()))
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        return
