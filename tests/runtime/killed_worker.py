"""A simulation on a Dask cluster that loses a worker half-way: the table is that of one process.

    python -m tests.runtime.killed_worker tzolkin --players 4 --games 1000000

plays the games on a cluster of two processes of this machine, kills one of them at the half, plays
them once more in this process, and compares the tables. Memory is told at a tenth and at the end.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import distributed

import rules_dsl as rd
from compiler.runtime.simulation import Simulation

SEED = 2


def local_cluster() -> Any:
    """Two processes of this machine, with one thread each."""
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, scheduler_port=0
    )


def simulate_and_kill(
    game: rd.Game, games: int, cluster: Any, backend: str, seen: Callable[[int, Any], None]
) -> Simulation:
    """The table of games on a cluster that loses a worker at the half; `seen` hears of progress."""
    killed: list[int] = []
    with distributed.Client(cluster) as client:

        def progress(done: int) -> None:
            seen(done, client)
            if not killed and done >= games // 2:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        executor = client.get_executor(pure=False)
        found = game.simulate(
            games, seed=SEED, backend=backend, executor=executor, progress=progress
        )
    assert killed
    return found


def memory() -> int:
    """The most memory that this process has used, in MB (Linux counts it in KB)."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Play the games that the command line names, on the cluster and here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?", default="tzolkin")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=1_000_000)
    told = parser.parse_args()
    game = rd.load(told.name, players=told.players)
    at_a_tenth: list[str] = []

    def note(done: int, client: Any) -> None:
        if not at_a_tenth and done >= told.games // 10:
            at_a_tenth.append(f"{sorted(client.run(memory).values())} and {memory()}")
        if done == told.games:
            workers = sorted(client.run(memory).values())
            print(f"MB at a tenth: {at_a_tenth[0]}; at the end: {workers} and {memory()}")

    began = time.perf_counter()
    with local_cluster() as cluster:
        there = simulate_and_kill(game, told.games, cluster, "native", note)
    middle = time.perf_counter()
    here = game.simulate(told.games, seed=SEED, backend="native")
    print(f"{middle - began:.0f} s there, {time.perf_counter() - middle:.0f} s here")
    assert there == here
    print(f"{here}\nthe same table, with a worker killed at the half")


if __name__ == "__main__":
    main()
