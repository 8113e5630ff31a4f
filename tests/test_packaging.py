"""The wheel holds everything: away from the checkout it lists and plays every game."""

from __future__ import annotations

import json
import os
import re
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


# ---- dependencies --------------------------------------------------------------------------------


def test_the_lock_has_hashes_and_names_no_host() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:|--index|--find-links|--trusted", text)
    pinned = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert len(pinned) > 50
    for entry in pinned:
        assert re.match(r"[a-z0-9.-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry
    assert "--require-hashes" in (ROOT / ".ci" / "setup").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["compiler", "verify", "games"])
@pytest.mark.parametrize("kind", ["file", "package"])
def test_a_name_that_somebody_else_uses(name: str, kind: str, tmp_path: Path) -> None:
    """A clear message instead of "'compiler' is not a package"."""
    if kind == "file":
        (tmp_path / f"{name}.py").write_text("")
    else:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-c", "import rules_dsl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: rules_dsl needs its own package `{name}`")
    assert str(tmp_path / name) in last
