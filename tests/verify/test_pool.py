"""Workers: what takes too long is given up, by processor time and not by the clock."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

import rules_dsl as rd
import verify
from verify.running.worker_pool import OnTheSpot, Pool, Work, workers


def _work(task: Any) -> Any:
    kind, amount = task
    if kind == "die":
        os._exit(3)
    if kind == "hoard":
        hoard: list[bytes] = []
        try:
            while True:
                hoard.append(b"." * 2**24)
        except MemoryError:
            # As the solver's library tells it, if it does not say "out of memory".
            raise SystemError("error return without exception set") from None
    if kind == "fail":
        raise LookupError(f"no {amount}")
    if kind == "sleep":
        time.sleep(amount)
    until = time.process_time() + (amount if kind == "think" else 0)
    while time.process_time() < until:
        pass
    return f"{kind} done"


def _prepare() -> Work:
    return _work


def _who() -> Work:
    def work(task: Any) -> int:
        time.sleep(0.05)
        return os.getpid()

    return work


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


def test_running_out_of_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that runs out of memory has no answer, and the next one has the full limit."""
    monkeypatch.setattr("verify.running.worker_pool.MEMORY", _in_use() + 2**28)
    found = answers(("hoard", 1), ("hoard", 2), ("think", 0), ("think", 0.1))
    assert found == {
        ("hoard", 1): None, ("hoard", 2): None,
        ("think", 0): "think done", ("think", 0.1): "think done",
    }  # fmt: skip


def _in_use() -> int:
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("how much memory a process has is told elsewhere")
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmPeak"))
    return int(peak.split()[1]) * 1024


def test_what_goes_wrong_is_heard_of() -> None:
    with pytest.raises(LookupError, match="no 7") as caught:
        answers(("fail", 7))
    assert "in _work" in "".join(caught.value.__notes__)


def test_workers_stay_with_their_subject() -> None:
    """Each of two workers does what it began; only who has nothing left helps the other."""
    tasks = [(subject, number) for number in range(6) for subject in "ab"]
    with Pool(_who, 2, 5, lambda task: task[0]) as pool:
        for task in tasks:
            pool.add(task)
        done = dict(pool.results())
    assert len({done["a", number] for number in range(4)}) == 1
    assert len({done["b", number] for number in range(4)}) == 1
    assert len(set(done.values())) == 2


def test_one_worker_has_its_limits_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.running.worker_pool.MEMORY", _in_use() + 2**28)
    with workers(_prepare, 1, 5, lambda task: None) as pool:
        pool.add(("hoard", 1))
        assert list(pool.results()) == [(("hoard", 1), None)]


def test_what_needs_too_much_memory_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def hoards(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("verify.running.tasks.Pieces.steps", hoards)
    report = verify.run(rd.load("pig"), ["safety"], jobs=1, fresh=True)
    (result,) = (r for r in report.results if r.obligation == "safety")
    assert result.status == "UNKNOWN"
    assert "needed more than 6 GB" in result.detail


def test_on_the_spot() -> None:
    with OnTheSpot(_prepare) as alone:
        alone.add(("think", 0))
        found = []
        for task, answer in alone.results():
            found.append(answer)
            if len(found) < 3:
                alone.add(task)
    assert found == ["think done"] * 3
