"""The wheel holds everything: away from the checkout it lists and plays every game."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

_PLAY_ALL = """
import json
import rules_dsl as rd
names = [game.name for game in rd.games()]
for name in names:
    assert rd.load(name).playout(seed=1).over
print(json.dumps({"file": rd.__file__, "names": names}))
"""


@pytest.mark.slow
def test_installed_wheel_plays_every_game(tmp_path: Path) -> None:
    source = tmp_path / "source"
    ignore = shutil.ignore_patterns("__pycache__")
    for package in ("rules_dsl", "compiler", "verify", "games"):
        shutil.copytree(ROOT / package, source / package, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheels = tmp_path / "wheels"
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, source], check=True
    )
    (wheel,) = wheels.glob("rules_dsl-*.whl")
    site = tmp_path / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", site, wheel], check=True)

    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", _PLAY_ALL],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert Path(result["file"]).is_relative_to(site)
    rules = {path.stem for path in (ROOT / "games" / "classics").glob("*.rules")}
    assert rules <= set(result["names"])
    listed = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "list"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    assert all(name in listed.stdout for name in result["names"])
