"""Work in parts, shared among processes or the workers of an executor.

Each worker has at most two parts queued, its current one and the next: memory does not grow
with the work, and an interrupted run leaves nothing in a queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import Any, Generic, TypeVar

from compiler.runtime.workers import worker_pool

Result = TypeVar("Result")
Arguments = tuple[Any, ...]

# Number of parts queued on an executor, which does not say how many workers it has.
UNDER_WAY = 64
# Number of times that a pool is restarted after one of its processes died.
RESTARTS = 3


def on_executor(
    task: Callable[..., Result],
    parts: Iterable[Arguments],
    executor: Executor,
    under_way: int = UNDER_WAY,
) -> Iterator[Result]:
    """The results of all parts, each as soon as it is there.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     sorted(on_executor(pow, [(2, 3), (3, 2)], pool))
    [8, 9]
    """
    yield from _Queue(task, parts).results(executor, under_way)


def on_processes(
    task: Callable[..., Result], parts: Iterable[Arguments], jobs: int
) -> Iterator[Result]:
    """The results of all parts from processes of this machine; one that dies loses nothing."""
    queue = _Queue(task, parts)
    for restart in range(RESTARTS + 1):
        try:
            with worker_pool(jobs) as pool:
                yield from queue.results(pool, 2 * jobs)
            return
        except BrokenExecutor:
            if restart == RESTARTS:
                raise


class _Queue(Generic[Result]):
    """Parts that are still to be done: those of a worker that died are handed out again."""

    def __init__(self, task: Callable[..., Result], parts: Iterable[Arguments]) -> None:
        self.task = task
        self.parts = iter(parts)
        self.again: list[Arguments] = []

    def results(self, executor: Executor, most: int) -> Iterator[Result]:
        """Distribute parts and yield their results as they arrive."""
        under_way: dict[Future[Result], Arguments] = {}
        try:
            while True:
                while len(under_way) < most:
                    part = self.again.pop() if self.again else next(self.parts, None)
                    if part is None:
                        break
                    self.again.append(part)  # submitting may fail, too
                    under_way[executor.submit(self.task, *part)] = self.again.pop()
                if not under_way:
                    return
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    found = future.result()
                    del under_way[future]
                    yield found
        finally:
            self.again += under_way.values()
            for future in under_way:
                future.cancel()
