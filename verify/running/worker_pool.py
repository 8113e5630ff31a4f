"""Workers that can be killed: solvers do not always stop when asked to.

Tasks are limited in CPU time where the system supports that, so that other load on the machine
has no influence on which tasks are abandoned.

Workers are forked, so that they share everything loaded when the first of them starts. Where that
is impossible, and in a process that is itself a worker, the work is done in this one.
"""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
from collections.abc import Callable, Hashable, Iterator
from concurrent import futures
from concurrent.futures import Future
from math import ceil
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, process_time
from traceback import format_exception
from typing import Any

from attrs import define, field, frozen

from compiler.runtime.workers import end_with_parent

Work = Callable[[Any], Any]
# Makes the function that does the work; it runs in the worker, once.
Prepare = Callable[[], Work]
# The subject of a task: a worker stays with one subject while there are tasks for it.
Subject = Callable[[Any], Hashable]
# Wall-clock limit, as a multiple of the CPU limit.
WALL_CLOCK_FACTOR = 20

# Bytes of memory for each worker.
MEMORY = 6 * 2**30
# Number of workers that may die of a task before it is abandoned.
MOST_WORKERS_LOST = 2
# Signal that ends a process at its limit of processor time, where there is such a limit.
_TOO_LONG = getattr(signal, "SIGXCPU", 0)
# Exit code of a process that has used up its memory, and the share of it that counts as such.
_TOO_MUCH = 117
NEARLY_ALL = 0.9

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
class OnExecutor:
    """Has tasks done by an executor of `concurrent.futures`.

    An executor that has lost workers either does their tasks again, as Dask does, or fails.
    """

    submit: Callable[[Any], Future[Any]]
    under_way: dict[Future[Any], Any] = field(factory=dict)

    def __enter__(self) -> OnExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        for future in self.under_way:
            future.cancel()

    def add(self, task: Any) -> None:
        """A task to be done."""
        self.under_way[self.submit(task)] = task

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Tasks with their results, as they come in; tasks may be added meanwhile."""
        while self.under_way:
            done, _ = futures.wait(self.under_way, return_when=futures.FIRST_COMPLETED)
            for future in done:
                yield self.under_way.pop(future), future.result()


@define(eq=False)
class Pool:
    """Runs tasks in other processes; one that takes too long or too much memory gives `None`."""

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

        It is not if it took too long or needed too much memory, or if it has cost several workers
        their lives.
        """
        self.dismiss(worker)
        lost = [one for one in self.lost if one is task]
        if worker.process.exitcode in (-_TOO_LONG, _TOO_MUCH) or len(lost) >= MOST_WORKERS_LOST:
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
        """Give a worker a task: of a subject that it knows, else of one that no worker knows."""
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
            except Exception as error:
                if isinstance(error, MemoryError) or _short_of_memory():
                    # The solver and others report it in many ways, and never give memory back.
                    os._exit(_TOO_MUCH)
                error.add_note("".join(format_exception(error)))
                answer = _Raised(error)
            pipe.send(answer)
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        return


def _limit_memory() -> None:
    """Limit the memory of this process; a task that needs more has no result."""
    try:
        import resource
    except ImportError:  # only where processes have such limits
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    if most == resource.RLIM_INFINITY or most > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


def _short_of_memory() -> bool:
    """True if this process has used nearly all its permitted memory."""
    import resource  # there is a limit, or nothing can be short of it

    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    status = Path("/proc/self/status")
    if most == resource.RLIM_INFINITY or not status.exists():
        return False
    try:
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmPeak"))
    except MemoryError:
        return True
    return int(peak.split()[1]) * 1024 > most * NEARLY_ALL


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
    """Worker processes; also with one job, since only a separate process can be limited."""
    # A worker process has its own limits, and may not start processes.
    if _CAN_FORK and not mp.current_process().daemon:
        return Pool(prepare, jobs, seconds, subject)
    return OnTheSpot(prepare)
