"""Workers that can be killed: solvers do not always stop when they are told to.

How long a task may take is counted in processor time, where the system can do that: how busy the
machine is with other things has no say in what is given up.

Workers are forked, so that they know all that is known when the first of them is needed. Where that
cannot be done, and where one job is asked for, the work is done on the spot.
"""

from __future__ import annotations

import multiprocessing as mp
import signal
from collections.abc import Callable, Hashable, Iterator
from math import ceil
from multiprocessing.connection import Connection, wait
from time import monotonic, process_time
from traceback import format_exception
from typing import Any

from attrs import define, field, frozen

from compiler.runtime.workers import end_with_parent

Work = Callable[[Any], Any]
# Makes the function that does the work; it runs in the worker, once.
Prepare = Callable[[], Work]
# What a task is about: a worker stays with that as long as there is something to do for it.
Subject = Callable[[Any], Hashable]
# Wall-clock limit, as a multiple of the CPU limit.
WALL_CLOCK_FACTOR = 20

# Bytes of memory for each worker.
MEMORY = 6 * 2**30
# Workers that may die of a task before it is given up.
MOST_WORKERS_LOST = 2
# What ends a process that has used up its processor time, where there is such a limit.
_TOO_LONG = getattr(signal, "SIGXCPU", 0)

_CAN_FORK = "fork" in mp.get_all_start_methods()
_FORK = mp.get_context("fork" if _CAN_FORK else None)


@define(eq=False)
class _Worker:
    process: Any
    pipe: Connection
    task: Any = None
    subject: Hashable = None
    since: float = 0.0


@frozen
class _Raised:
    """An error of a worker, passed on to the caller."""

    error: Exception


@define(eq=False)
class OnTheSpot:
    """Does tasks one after another, when their results are asked for."""

    prepare: Prepare
    waiting: list[Any] = field(factory=list)

    def __enter__(self) -> OnTheSpot:
        return self

    def __exit__(self, *_: object) -> None:
        self.waiting.clear()

    def add(self, task: Any) -> None:
        """A task to be done."""
        self.waiting.append(task)

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Tasks with their results, in order; tasks may be added meanwhile."""
        work = self.prepare()
        while self.waiting:
            task = self.waiting.pop(0)
            yield task, work(task)


@define(eq=False)
class Pool:
    """Runs tasks in other processes; one that takes too long is killed and gives `None`."""

    prepare: Prepare
    jobs: int
    # Processor time for each task.
    seconds: float
    subject: Subject = lambda task: None
    workers: list[_Worker] = field(factory=list)
    waiting: list[Any] = field(factory=list)
    # Tasks whose workers died, once for each of them.
    lost: list[Any] = field(factory=list)

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
                    except (EOFError, OSError):  # the worker died
                        if self.died(worker, task):
                            continue
                        answer = None
                    if isinstance(answer, _Raised):
                        raise answer.error
                    yield task, answer
                elif monotonic() - worker.since > self.seconds * WALL_CLOCK_FACTOR:
                    self.dismiss(worker)
                    yield worker.task, None

    def died(self, worker: _Worker, task: Any) -> bool:
        """Dismiss a worker that is gone; whether its task is done again.

        It is not if it took too long, or if it has cost several workers their lives.
        """
        self.dismiss(worker)
        lost = [one for one in self.lost if one is task]
        if worker.process.exitcode == -_TOO_LONG or len(lost) >= MOST_WORKERS_LOST:
            return False
        self.lost.append(task)
        self.waiting.insert(0, task)
        return True

    def hand_out(self) -> None:
        """Give every idle worker a task."""
        while self.waiting:
            idle = [worker for worker in self.workers if worker.task is None]
            if not idle:
                if len(self.workers) >= self.jobs:
                    return
                idle = [self.hire()]
            worker, task = self.match(idle)
            self.waiting.remove(task)
            worker.task, worker.subject = task, self.subject(task)
            worker.since = monotonic()
            try:
                worker.pipe.send(task)
            except OSError:  # killed while it had nothing to do
                self.waiting.insert(0, task)
                self.dismiss(worker)

    def match(self, idle: list[_Worker]) -> tuple[_Worker, Any]:
        """A worker with a task: one of a subject that it knows, else of one that nobody knows."""
        known = {worker.subject for worker in self.workers}
        for worker in idle:
            for task in self.waiting:
                if self.subject(task) == worker.subject:
                    return worker, task
        new = (task for task in self.waiting if self.subject(task) not in known)
        return idle[0], next(new, self.waiting[0])

    def hire(self) -> _Worker:
        """A new worker."""
        ours, theirs = _FORK.Pipe()
        process = _FORK.Process(
            target=_serve, args=(self.prepare, theirs, self.seconds), daemon=True
        )
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


def _serve(prepare: Prepare, pipe: Connection, seconds: float) -> None:
    """The life of a worker."""
    end_with_parent()
    _limit_memory()
    try:
        work = prepare()
        while True:
            task = pipe.recv()
            _allow(seconds)
            try:
                answer = work(task)
            except MemoryError:
                answer = None
            except Exception as error:
                error.add_note("".join(format_exception(error)))
                answer = _Raised(error)
            pipe.send(answer)
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        return


def _limit_memory() -> None:
    """Limit the memory of this process; what needs more gets no answer."""
    try:
        import resource
    except ImportError:  # only where processes have such limits
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    if most == resource.RLIM_INFINITY or most > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


def _allow(seconds: float) -> None:
    """Let the system end this process after this much more CPU time."""
    try:
        import resource
    except ImportError:  # only where processes have such limits
        return
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = ceil(process_time() + seconds)
    if most == resource.RLIM_INFINITY or until < most:
        resource.setrlimit(resource.RLIMIT_CPU, (until, most))


def workers(prepare: Prepare, jobs: int, seconds: float, subject: Subject) -> Pool | OnTheSpot:
    """A worker process."""
    if jobs > 1 and _CAN_FORK:
        return Pool(prepare, jobs, seconds, subject)
    return OnTheSpot(prepare)
