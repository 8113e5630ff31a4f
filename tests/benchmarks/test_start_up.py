"""The time to import the library and to load a game that has been compiled before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CLASSICS = [
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "hex",
    "mancala",
    "goofspiel",
    "kuhn_poker",
    "pig",
    "first_sealed_auction",
]
# A load that finds compiled code, against one that compiles it, in the same run.
TIMES_AS_FAST = 20
# Modules that a program which only plays a compiled game must not import.
HEAVY = {"click", "hypothesis", "lark", "mkdocs", "rich", "z3"}

_LOADED = """
import json, sys
import rules_dsl
print(json.dumps(sorted(sys.modules)))
"""

_TIMED = """
import json, sys, time
import rules_dsl
start = time.process_time()
game = rules_dsl.load(sys.argv[1], players=2)
seconds = time.process_time() - start
assert not game.start(seed=1).over
print(json.dumps({"seconds": seconds, "modules": sorted(sys.modules)}))
"""


def _run(cache: Path, code: str, *args: str) -> object:
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent,
        env={**os.environ, "RULES_CACHE_DIR": str(cache)},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_import_is_light(tmp_path: Path) -> None:
    modules = _run(tmp_path, _LOADED)
    assert isinstance(modules, list)
    assert HEAVY.isdisjoint(modules)
    assert not any(name.split(".")[0] in {"compiler", "verify"} for name in modules)


@pytest.mark.benchmark
@pytest.mark.parametrize("name", CLASSICS)
def test_warm_load(name: str, tmp_path: Path) -> None:
    cold = _run(tmp_path, _TIMED, name)  # fills the cache
    assert isinstance(cold, dict)
    seconds = []
    for _ in range(5):
        result = _run(tmp_path, _TIMED, name)
        assert isinstance(result, dict)
        assert HEAVY.isdisjoint(result["modules"])
        seconds.append(result["seconds"])
    assert min(seconds) * TIMES_AS_FAST <= cold["seconds"], (cold["seconds"], seconds)
