"""Loading and playing in many threads at once gives what one thread gives.

For free-threaded Python, in an environment of its own (the lock file has a version of Hypothesis
that is not packaged for it): `pip install --only-binary :all: pytest lark attrs click rich
z3-solver hypothesis`, then `python3.13t -m pytest tests/runtime/test_threads.py`. CPython 3.13.15
passes.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

import rules_dsl as rd
from compiler import loading
from rules_dsl.language import grammar, recursion
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.sources import GAMES

CLASSICS = sorted(path.stem for path in (GAMES / "classics").glob("*.rules"))
THREADS = 8

Result = tuple[str, tuple[object, ...], str]


def played(name: str) -> Result:
    """What a game gives when it is loaded, played and written down."""
    game = rd.load(name)
    end = game.playout(seed=7)
    state = game.start(seed=3)
    for _ in range(5):
        if not state.over:
            state = state.play(state.moves()[-1])
    return name, end.scores(), game.record(game.replay(game.record(state))).to_json()


def together(work: Callable[[str], Result], names: list[str]) -> list[Result]:
    """Do the same for each name, all of them at the same moment."""
    gate = Barrier(len(names))

    def one(name: str) -> Result:
        gate.wait()
        return work(name)

    with ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(one, names))


@pytest.fixture(scope="module")
def expected() -> dict[str, Result]:
    return {name: played(name) for name in CLASSICS}


@pytest.fixture(autouse=True)
def often() -> object:
    """Let threads take turns as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    forget()


def forget() -> None:
    """Forget what this process has read."""
    grammar.forget()
    loading._latest.clear()


@pytest.mark.parametrize("first", [0, 8])
def test_different_games(first: int, expected: dict[str, Result], cold: None) -> None:
    """Cold: all of them are parsed and compiled. Warm: all of them are read."""
    names = [CLASSICS[(first + k) % len(CLASSICS)] for k in range(THREADS)]
    assert together(played, names) == [expected[name] for name in names]
    forget()
    assert together(played, names) == [expected[name] for name in names]


def test_the_same_game(expected: dict[str, Result], cold: None) -> None:
    assert together(played, ["mancala"] * THREADS) == [expected["mancala"]] * THREADS


def test_errors_stay_with_their_threads(tmp_path: Path, cold: None) -> None:
    """Wrong files among right ones: every thread hears of its own errors and of no others."""
    good = (GAMES / "classics" / "pig.rules").read_text(encoding="utf-8")
    for number in range(THREADS):
        text = good if number % 2 else good.replace("scoring", f"scoring{number}", 1)
        (tmp_path / f"g{number}.rules").write_text(text, encoding="utf-8")

    def errors(name: str) -> Result:
        try:
            return name, rd.load(name).playout(seed=1).scores(), ""
        except RuleError as error:
            return name, (), str(error.diagnostics)

    names = [str(tmp_path / f"g{number}.rules") for number in range(THREADS)]
    alone = [errors(name) for name in names]
    assert [bool(found) for _, _, found in alone] == [n % 2 == 0 for n in range(THREADS)]
    shutil.rmtree(tmp_path / "cache")
    forget()
    assert together(errors, names) == alone


def test_room_for_recursion_is_given_back() -> None:
    before = sys.getrecursionlimit()
    gate = Barrier(THREADS)

    def deep(depth: int) -> int:
        return 0 if depth == 0 else 1 + deep(depth - 1)

    def work(number: int) -> int:
        gate.wait()
        total = 0
        for _ in range(200):
            with recursion.deep_recursion():
                total += deep(before + 100 * number)
        return total

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(work, range(THREADS))) == [
            200 * (before + 100 * number) for number in range(THREADS)
        ]
    assert sys.getrecursionlimit() == before
