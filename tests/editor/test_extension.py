"""The VS Code extension: its files belong together, and its colours know the language."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from rules_dsl.editor.lenses import SHOW_GAME
from rules_dsl.editor.textmate import FILE, grammar
from rules_dsl.language.parser import DECLARATIONS

FOLDER = FILE.parents[1]


def test_the_parts_fit() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    for part in (
        package["main"],
        package["contributes"]["languages"][0]["configuration"],
        package["contributes"]["grammars"][0]["path"],
    ):
        assert (FOLDER / part).is_file()
    assert package["contributes"]["grammars"][0]["scopeName"] == grammar()["scopeName"]
    script = (FOLDER / "extension.js").read_text(encoding="utf-8")
    assert f'"{SHOW_GAME}"' in script
    json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))


def test_the_grammar() -> None:
    """Every pattern is a regular expression, and every declaration begins with a word it knows."""
    written = json.loads(FILE.read_text(encoding="utf-8"))
    patterns = [p["match"] for p in written["patterns"] if "match" in p]
    assert all(re.compile(pattern) for pattern in patterns)
    heads = re.compile(next(p for p in patterns if "replace" in p and p.startswith("^")))
    for word in DECLARATIONS:
        found = heads.match(f"{word} name")
        assert found is not None and found[3] == word


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_script_is_javascript() -> None:
    done = subprocess.run(
        ["node", "--check", str(FOLDER / "extension.js")], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
