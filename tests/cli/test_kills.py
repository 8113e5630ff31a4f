"""kill -9 at random moments: files are the old ones or the new ones, and kept work is sound."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import rules_dsl as rd
from rules_dsl.language.formatter import format_text
from rules_dsl.language.sources import shipped_games
from tests.seeds import fresh_seed
from verify.search.witnesses import read_witnesses

RULES = [sys.executable, "-m", "rules_dsl"]
RANDOM = Random(fresh_seed())
PIG = shipped_games()["pig"].read_text(encoding="utf-8")

# Each writes again and again what the test then finds whole; the first line says that it began.
WRITERS = {
    "write_text": """
from rules_dsl.language.files import write_text
while True:
    for letter in "ab":
        write_text(path, letter * 300_000)
""",
    "text_file": """
from rules_dsl.language.files import text_file
while True:
    for letter in "ab":
        with text_file(path) as file:
            for _ in range(300):
                file.write(letter * 1000)
""",
    "create_text": """
from rules_dsl.language.files import create_text
while True:
    create_text(path, "a" * 300_000)
    path.unlink()
""",
}


def killed(
    command: list[str], least: float, most: float, started: bool = False, **options: object
) -> None:
    """Run a process and kill it some time after it began."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,  # type: ignore[call-overload]
    )
    assert process.stdout is not None
    if started:
        process.stdout.readline()
    time.sleep(RANDOM.uniform(least, most))
    os.killpg(process.pid, signal.SIGKILL)
    _, stderr = process.communicate(timeout=60)
    assert "Traceback" not in stderr


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_a_file_is_whole(writer: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    opening = f"from pathlib import Path\npath = Path({str(path)!r})\nprint('go', flush=True)\n"
    for _ in range(6):
        killed([sys.executable, "-c", opening + writer], 0.02, 0.2, started=True)
        if path.exists():
            text = path.read_text()
            assert text in ("a" * 300_000, "b" * 300_000)
            path.unlink()


def test_witnesses(tmp_path: Path) -> None:
    path = tmp_path / "witnesses.jsonl"
    code = f"""
from pathlib import Path
from verify.search.witnesses import Wish, Witness, write_witnesses
print("go", flush=True)
number = 0
while True:
    number = number % 50 + 1
    games = [Witness(2, (Wish("roll", 0),) * 40, str(number)) for _ in range(number * 20)]
    write_witnesses(Path({str(path)!r}), games)
"""
    for _ in range(4):
        killed([sys.executable, "-c", code], 0.05, 0.3, started=True)
        if path.exists():
            found = read_witnesses(path)
            assert len(found) == 20 * int(found[0].shows)


def test_fmt(tmp_path: Path) -> None:
    path = tmp_path / "pig.rules"
    untidy = PIG.replace(" = 0", "   =  0")
    assert format_text(untidy, "pig.rules") == PIG
    seen = set()
    for _ in range(5):
        path.write_text(untidy, encoding="utf-8")
        killed([*RULES, "fmt", str(path)], 0.1, 0.9)
        seen.add(path.read_text(encoding="utf-8"))
    assert seen <= {untidy, PIG}


def test_play(tmp_path: Path) -> None:
    """The save made before the last question can be continued."""
    path = tmp_path / "kept.json"
    command = [*RULES, "play", "tic_tac_toe", "--bots", "none", "--autosave", str(path)]
    moves = tmp_path / "moves"
    moves.write_text("a1\nb2\nundo\nc3\n" * 2000)
    before = 0
    for _ in range(4):
        with moves.open() as stdin:
            killed([*command, "--seed", "1"], 0.3, 1.2, stdin=stdin)
        if path.exists():
            state = rd.load("tic_tac_toe").replay(path.read_text(encoding="utf-8"))
            before = max(before, len(state.played()))
    done = subprocess.run(
        [*command[:-1], str(tmp_path / "other.json")],
        input="a1\nb2\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "to decide" in done.stdout
    kept = rd.load("tic_tac_toe").replay((tmp_path / "other.json").read_text(encoding="utf-8"))
    assert [str(m) for m in kept.played()] == ["a1", "b2"]


def test_verify_and_simulate(tmp_path: Path) -> None:
    """Cache entries left behind are used again, and change no verdict and no result."""

    def verdicts(cache: Path) -> list[tuple[str, ...]]:
        done = subprocess.run(
            [*RULES, "verify", "tic_tac_toe", "--json"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "RULES_CACHE_DIR": str(cache)},
        )
        results = json.loads(done.stdout)["results"]
        return [(r["obligation"], r["subject"], r["status"]) for r in results]

    cache = tmp_path / "killed"
    env = {**os.environ, "RULES_CACHE_DIR": str(cache)}
    for command in ("verify tic_tac_toe", "simulate tic_tac_toe --games 100000"):
        for _ in range(2):
            killed([*RULES, *command.split()], 0.3, 2.5, env=env)
    assert verdicts(cache) == verdicts(tmp_path / "fresh")
