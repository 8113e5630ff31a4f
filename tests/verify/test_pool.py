"""Workers: what takes too long is given up, by processor time and not by the clock."""

from __future__ import annotations

import os
import time
from typing import Any

from verify.pool import Pool, Work


def _work(task: Any) -> Any:
    kind, amount = task
    if kind == "die":
        os._exit(3)
    if kind == "sleep":
        time.sleep(amount)
    until = time.process_time() + (amount if kind == "think" else 0)
    while time.process_time() < until:
        pass
    return f"{kind} done"


def _prepare() -> Work:
    return _work


def answers(*tasks: tuple[str, float], seconds: float = 1) -> dict[Any, Any]:
    with Pool(_prepare, 2, seconds) as pool:
        for task in tasks:
            pool.add(task)
        return dict(pool.results())


def test_thinking_too_long_is_given_up() -> None:
    found = answers(("think", 60), ("think", 0.1))
    assert found == {("think", 60): None, ("think", 0.1): "think done"}


def test_waiting_costs_nothing() -> None:
    assert answers(("sleep", 2.5)) == {("sleep", 2.5): "sleep done"}


def test_each_task_has_its_own_time() -> None:
    tasks = [("think", 0.6 + n / 100) for n in range(5)]
    assert answers(*tasks, seconds=2) == dict.fromkeys(tasks, "think done")


def test_a_worker_that_dies_is_replaced() -> None:
    tasks: list[tuple[str, float]] = [("die", 0), ("die", 1), ("think", 0)]
    found = answers(*tasks)
    assert found == {("die", 0): None, ("die", 1): None, ("think", 0): "think done"}
