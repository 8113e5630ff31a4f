"""Processes that share some work and end with it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children
from typing import Any


@contextmanager
def worker_pool(
    jobs: int, prepare: Callable[..., None] | None = None, *args: Any
) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes, each of which runs `prepare(*args)` first.

    When the work is interrupted, what is waiting is dropped and what runs is ended.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, initializer=_start, initargs=(prepare, args))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.terminate()
        raise
    pool.shutdown()


def _start(prepare: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
    # Ctrl-C reaches every process of a terminal: it is the parent's business alone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if prepare is not None:
        prepare(*args)
