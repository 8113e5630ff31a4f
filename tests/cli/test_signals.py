"""Signals: exit codes, no process is left behind, and a worker that is killed loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.runtime.fleet import on_processes

RULES = [sys.executable, "-m", "rules_dsl"]
SIMULATE = ("simulate", "tzolkin", "--games", "1000000", "--jobs", "2", "--backend", "python")
VERIFY = ("verify", "tzolkin", "--players", "2", "--jobs", "2", "--fresh")
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def processes(session: int) -> list[int]:
    """The processes of a session that are not dead yet."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def started(*args: str, least: int = 3, **env: str) -> subprocess.Popen[str]:
    """A command in a separate session, once it has workers."""
    process = subprocess.Popen(
        [*RULES, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **env},
    )
    for _ in range(600):
        if len(processes(process.pid)) >= least or process.poll() is not None:
            break
        time.sleep(0.1)
    assert process.poll() is None, process.communicate()
    time.sleep(0.5)
    return process


def gone(session: int) -> bool:
    """Whether nothing of a session is left after a while."""
    for _ in range(150):
        if not processes(session):
            return True
        time.sleep(0.1)
    return False


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "cache")


@pytest.mark.parametrize("command", [SIMULATE, VERIFY], ids=["simulate", "verify"])
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_no_process_is_left_behind(
    command: tuple[str, ...], number: int, code: int, cache: str
) -> None:
    process = started(*command, RULES_CACHE_DIR=cache)
    workers = processes(process.pid)
    assert len(workers) >= 3
    os.kill(process.pid, number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in stderr + stdout
    assert gone(process.pid)


def test_ctrl_c_reaches_all_and_the_report_is_shown(cache: str) -> None:
    process = started(*VERIFY, RULES_CACHE_DIR=cache)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted: results so far" in stdout
    assert "Traceback" not in stderr
    assert gone(process.pid)


def test_a_killed_worker_loses_nothing_in_verify(cache: str) -> None:
    args = ("verify", "goofspiel", "--players", "2", "--jobs", "2", "--fresh")
    process = started(*args, RULES_CACHE_DIR=cache)
    for worker in processes(process.pid):
        if worker != process.pid:
            os.kill(worker, signal.SIGKILL)
            break
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stdout + stderr
    assert "Traceback" not in stderr
    assert gone(process.pid)


def _die_once(mark: str, number: int) -> int:
    if number == 3:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    parts = [(str(tmp_path / "mark"), number) for number in range(8)]
    assert sorted(on_processes(_die_once, parts, 2)) == [n * n for n in range(8)]


def _die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def test_workers_that_always_die_are_an_error_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from rules_dsl.cli import check, rules

    monkeypatch.setattr(check, "_check", _die_of)
    result = CliRunner().invoke(rules, ["check", "pig", "hex", "--jobs", "2"])
    assert result.exit_code == 2
    assert "worker processes are killed again and again" in result.output


def _die_of(*_: object) -> object:
    return _die(0)


def test_check_keeps_the_order(tmp_path: Path) -> None:
    names = ["tikal", "pig", "hex", "mancala"]
    done = subprocess.run(
        [*RULES, "check", *names, "--jobs", "2"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [name for line in lines for name in names if f"{name}.rules" in line] == names


def test_a_simulation_says_the_same_with_workers() -> None:
    game = rd.load("pig")
    one = game.simulate(600, seed=3, jobs=1, backend="python")
    assert game.simulate(600, seed=3, jobs=2, backend="python").to_json() == one.to_json()
