"""Simulations and proofs on executors: the same for all, and nothing lost with a worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import distributed
import pytest
from click.testing import CliRunner

import rules_dsl as rd
from compiler.runtime import simulation
from compiler.runtime.fleet import on_executor
from rules_dsl.cli import rules
from tests.runtime.killed_worker import SEED, local_cluster, simulate_and_kill
from verify.proof.results import Report
from verify.running.scheduler import run

GAMES = 430


@pytest.fixture(scope="module")
def game() -> rd.Game:
    return rd.load("kuhn_poker")


@pytest.fixture(scope="module")
def expected(game: rd.Game) -> simulation.Simulation:
    return game.simulate(GAMES, seed=SEED, backend="python")


def test_threads(game: rd.Game, expected: simulation.Simulation) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert game.simulate(GAMES, seed=SEED, backend="python", executor=pool) == expected
        assert game.simulate(GAMES, seed=SEED, backend="native", executor=pool) == expected


def test_processes(game: rd.Game, expected: simulation.Simulation) -> None:
    seen: list[int] = []
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = game.simulate(
            GAMES, seed=SEED, backend="python", executor=pool, progress=seen.append
        )
    assert found == expected
    assert seen == sorted(seen) and seen[-1] == GAMES


def test_few_parts_are_under_way_at_a_time() -> None:
    taken = 0

    def parts() -> Iterator[tuple[int, int]]:
        nonlocal taken
        for k in range(1000):
            taken += 1
            yield (2, k % 5)

    with ThreadPoolExecutor(1) as pool:
        results = on_executor(pow, parts(), pool, under_way=4)
        for done, _ in enumerate(results, 1):
            assert taken <= done + 4 + 4
    assert taken == 1000


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster() as made:
        yield made


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_worker_that_is_killed_loses_nothing(
    game: rd.Game, expected: simulation.Simulation, cluster: Any
) -> None:
    found = simulate_and_kill(game, GAMES, cluster, "python", lambda done, client: None)
    assert found == expected


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_many_large_games_with_a_killed_worker(cluster: Any) -> None:
    """`python -m tests.runtime.killed_worker` plays a million of them."""
    game = rd.load("tzolkin", players=4)
    found = simulate_and_kill(game, 50_000, cluster, "native", lambda done, client: None)
    assert found == game.simulate(50_000, seed=SEED, backend="native")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_from_the_command_line(cluster: Any) -> None:
    arguments = ["simulate", "kuhn_poker", "--games", "150", "--seed", "1", "--json"]
    alone = CliRunner().invoke(rules, arguments)
    there = CliRunner().invoke(rules, [*arguments, "--dask", cluster.scheduler_address])
    assert (there.exit_code, there.stdout) == (0, alone.stdout)


@pytest.mark.filterwarnings("ignore")
def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules_dsl.cli.cluster.SECONDS_TO_CONNECT", 0.5)
    arguments = ["simulate", "pig", "--games", "10", "--dask", "tcp://127.0.0.1:9"]
    result = CliRunner().invoke(rules, arguments)
    assert result.exit_code == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in result.stderr


# ---- proofs --------------------------------------------------------------------------------------


def verdicts(report: Report) -> list[tuple[str, str, str, str]]:
    return [(r.obligation, r.subject, r.status, r.record) for r in report.results]


@pytest.fixture(scope="module")
def proved(game: rd.Game) -> list[tuple[str, str, str, str]]:
    return verdicts(run(game, jobs=1, fresh=True))


def test_proofs_in_threads_and_processes(
    game: rd.Game, proved: list[tuple[str, str, str, str]]
) -> None:
    seen: list[int] = []
    with ThreadPoolExecutor(3) as threads:
        found = run(game, fresh=True, executor=threads, progress=lambda e: seen.append(e.done))
    assert proved and verdicts(found) == proved
    assert seen == sorted(seen) and seen
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert verdicts(run(game, fresh=True, executor=processes)) == proved


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_proofs_on_dask_with_a_killed_worker(
    game: rd.Game, proved: list[tuple[str, str, str, str]], cluster: Any
) -> None:
    killed: list[int] = []

    def kill_one(_: object) -> None:
        if not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with distributed.Client(cluster) as client:
        executor = client.get_executor(pure=False)
        found = run(game, fresh=True, executor=executor, progress=kill_one)
    assert killed and verdicts(found) == proved


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_proofs_on_dask_from_the_command_line(cluster: Any) -> None:
    arguments = ["verify", "pig", "--players", "2", "--check", "init", "--fresh"]
    result = CliRunner().invoke(rules, [*arguments, "--dask", cluster.scheduler_address])
    assert result.exit_code == 0, result.output
    assert "PROVED" in result.stdout or "proved" in result.stdout
