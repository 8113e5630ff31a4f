"""The command line as a process: exit codes, pipes, signals, and the same game everywhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

RULES = [sys.executable, "-m", "rules_dsl"]


def rules(
    *args: str, stdin: str = "", seed: str = "random", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RULES, *args],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )


def test_exit_codes(tmp_path: Path) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_text("game bad\n")
    assert rules("list").returncode == 0
    assert rules("check", str(bad)).returncode == 1
    refused = rules("play", str(bad))
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr


def test_a_game_through_a_pipe() -> None:
    done = rules("play", "tic_tac_toe", "--bots", "none", stdin="a1\nb2\na2\nc3\na3\n")
    assert done.returncode == 0, done.stderr
    assert "cross wins" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_the_reader_may_go_away() -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m rules_dsl show tzolkin | head -1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("Tzolk'in")
    assert done.stderr == ""


def test_closed_streams_and_poor_encodings() -> None:
    for redirection in ("<&-", ">&-", "2>&-"):
        command = f"{sys.executable} -m rules_dsl play pig --seed 1 {redirection} </dev/null"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        assert done.returncode == 0
    shown = subprocess.run(
        [*RULES, "show", "tzolkin"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert shown.returncode == 0
    assert b"ru: ???" in shown.stdout


def test_bytes_that_are_no_text() -> None:
    command = [*RULES, "play", "pig", "--seed", "1"]
    done = subprocess.run(command, input=b"\xff\xfe\n", capture_output=True, check=False)
    assert done.returncode == 0
    assert b"there is no move" in done.stdout


@pytest.mark.parametrize(("jobs", "seconds"), [("1", 5), ("2", 2), ("2", 5)])
def test_ctrl_c(jobs: str, seconds: int) -> None:
    command = [*RULES, "simulate", "tzolkin", "--games", "1000000", "--jobs", jobs]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(seconds)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stdout == ""
    assert stderr.strip() == "interrupted"


def test_ctrl_c_at_the_prompt() -> None:
    process = subprocess.Popen(
        [*RULES, "play", "pig"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    while "to decide" not in process.stdout.readline():
        pass
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr.strip() == "interrupted"


_RECORD = """
import sys
import rules_dsl as rd
game = rd.load(sys.argv[1], players=int(sys.argv[2]))
s = game.start(seed=11)
n = 0
while not s.over and n < 150:
    moves = s.moves()
    s = s.play(moves[n * 7 % len(moves)])
    n += 1
sys.stdout.write(game.record(s).to_json())
"""


@pytest.mark.parametrize(
    ("game", "players"), [("tzolkin", 3), ("tikal", 2), ("kuhn_poker", 2), ("goofspiel", 2)]
)
def test_the_same_record_in_every_process(game: str, players: int, tmp_path: Path) -> None:
    """Neither the hash seed nor the cache (none, then warm) changes a byte."""
    records = set()
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", _RECORD, game, str(players)],
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "RULES_CACHE_DIR": str(tmp_path / ("a" if seed == "4242" else "b")),
            },
        )
        records.add(done.stdout)
    assert len(records) == 1
    assert json.loads(records.pop())["moves"]


def test_the_same_simulation_in_every_process() -> None:
    args = ("simulate", "tzolkin", "--games", "5", "--json")
    assert rules(*args, seed="1").stdout == rules(*args, seed="2").stdout


def test_the_same_generated_code_in_every_process() -> None:
    for configuration in ("python", "ir"):
        args = ("compile", "tzolkin", "--emit", configuration)
        assert rules(*args, seed="1").stdout == rules(*args, seed="2").stdout
