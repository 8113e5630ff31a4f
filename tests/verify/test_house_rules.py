"""What house rules that break something are told: golden texts, as a new user meets them.

The first line of a file in `house_rules` is the command; the text beside it is what it prints of
that which needs attention. `python -m tests.verify.test_house_rules` writes the texts anew.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rules_dsl.cli import rules

FOLDER = Path(__file__).parent / "house_rules"
# What no player should meet.
INTERNAL = re.compile(r"Cell\(|Op\(|\bIR\b|0x|Traceback|block \d|\bc_\d|/tmp/|/home/")


def _files(long: bool) -> list[str]:
    return [
        file.stem
        for file in sorted(FOLDER.glob("*.rules"))
        if ("\n# long\n" in file.read_text()) == long
    ]


def told(name: str) -> str:
    """What the command in a file prints, from the first result that needs attention on."""
    command = (FOLDER / f"{name}.rules").read_text().split("\n")[0].removeprefix("# rules ")
    words = [str(FOLDER / w) if w.endswith(".rules") else w for w in command.split()]
    output = CliRunner().invoke(rules, [*words, *(["--jobs", "1"] if words[0] == "verify" else [])])
    assert output.exception is None or isinstance(output.exception, SystemExit), output.output
    text = output.stdout
    if words[0] == "verify":
        text = text[text.index("REFUTED  ") :]
        text = re.sub(r"\([\d.]+ s of CPU time[^)]*\)", "(… s of CPU time)", text)
    return text.replace(str(FOLDER) + "/", "")


def _compare(name: str) -> None:
    text = told(name)
    assert text == (FOLDER / f"{name}.expected").read_text()
    assert not INTERNAL.search(text), INTERNAL.search(text)


@pytest.mark.parametrize("name", _files(long=False))
def test_what_a_house_rule_is_told(name: str) -> None:
    _compare(name)


@pytest.mark.long
@pytest.mark.parametrize("name", _files(long=True))
def test_what_a_house_rule_of_a_large_game_is_told(name: str) -> None:
    _compare(name)


@pytest.mark.parametrize("name", _files(long=False) + _files(long=True))
def test_a_refutation_begins_with_the_sentence_and_names_the_line(name: str) -> None:
    """First what is wrong, then within two lines whose line it is."""
    text = (FOLDER / f"{name}.expected").read_text()
    if not text.startswith("REFUTED"):
        return
    lines = text.split("\n")
    assert any(line.startswith("  your change: ") for line in lines[1:4]), text
    assert f"{name}.rules:" in text


@pytest.mark.parametrize("name", _files(long=False) + _files(long=True))
def test_a_diff_names_the_line_and_which_game_allows_what(name: str) -> None:
    text = (FOLDER / f"{name}.expected").read_text()
    if text.startswith("REFUTED"):
        return
    first, *lines = text.split("\n")
    assert " → " in first and name in first
    assert any(line.startswith(f"      {name}.rules:") for line in lines), text
    assert " in one" not in text and " in two" not in text and "the other" not in text


if __name__ == "__main__":
    for one in sys.argv[1:] or _files(long=False):
        (FOLDER / f"{one}.expected").write_text(told(one))
