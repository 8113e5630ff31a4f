"""Processes that share some work and end with it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import InvalidStateError, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from typing import Any


@contextmanager
def worker_pool(
    jobs: int, prepare: Callable[..., None] | None = None, *args: Any
) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes, each of which runs `prepare(*args)` first.

    When the work is interrupted, waiting parts are dropped and running ones ended.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, initializer=_start, initargs=(prepare, args))
    try:
        yield pool
    except BaseException:
        with _cancelled_is_fine():
            for child in set(active_children()) - others:
                child.terminate()
            pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


@contextmanager
def _cancelled_is_fine() -> Iterator[None]:
    """The thread of a pool whose processes are gone may fall over work that was cancelled (mended
    in later versions of Python); nothing waits for that work, and its error should not be shown."""
    before = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if args.exc_type is not InvalidStateError:
            before(args)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


def end_with_parent() -> None:
    """Called in a worker process: it ends when its parent does, for any reason.

    A signal to the parent may leave no time to end the workers, and one that kills it never does.
    """
    # Ctrl-C reaches every process of a terminal: it is the parent's business alone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What the parent does about this signal is inherited, and not meant for workers.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_outlive, args=(parent,), daemon=True).start()


def _outlive(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _start(prepare: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
    end_with_parent()
    if prepare is not None:
        prepare(*args)
