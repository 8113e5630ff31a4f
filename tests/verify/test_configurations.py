"""Which configurations of a game are checked, and that results say which one they speak of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rules_dsl.cli.verify import verify
from rules_dsl.language.options import OptionError, OptionInfo
from verify.running.configurations import Outline, configurations, outline

RULES = """game steps
    players 2..3

option far: bool = false "Whether the way is long"

state
    at: 0..9 = 0

action go by p
    at += 1

play
    while at < (if far then 6 else 3) decreases 9 - at
        choose p1: go

scoring
    score p = at

example "a short way"
    do "go", "go", "go"
    expect at = 3

example "a long way"
    with far = true
    do "go", "go", "go", "go"
    expect at = 4

invariant not_too_far
    at < 5
"""


def switch(number: int, kind: str = "option") -> OptionInfo:
    return OptionInfo(f"o{number}", kind, (False, True), False, "", ())


def test_all_combinations_of_few_options() -> None:
    found = configurations(Outline((2, 4), (switch(1), switch(2))))
    assert len(found) == 12
    assert found[0].options == {"o1": False, "o2": False}
    assert len({(f.players, *f.options.items()) for f in found}) == 12


def test_many_options_are_changed_one_by_one() -> None:
    found = [f.options for f in configurations(Outline((2, 2), tuple(switch(n) for n in range(5))))]
    assert len(found) == 6
    assert [sum(options.values()) for options in found] == [0, 1, 1, 1, 1, 1]  # type: ignore[arg-type]


def test_sixteen_combinations_are_few() -> None:
    assert len(configurations(Outline((2, 2), tuple(switch(n) for n in range(4))))) == 16


def test_rulings_are_not_multiplied_out() -> None:
    rulings = tuple(switch(n, "ruling") for n in range(9))
    assert [f.options for f in configurations(Outline((2, 2), rulings))] == [{}]


def test_what_is_set_is_not_varied() -> None:
    both = Outline((2, 3), (switch(1), switch(2)))
    assert [f.options for f in configurations(both, 3, ["o1=true"])] == [
        {"o2": False},
        {"o2": True},
    ]
    with pytest.raises(OptionError):
        configurations(both, settings=["o3=true"])


def test_tikal_has_twelve() -> None:
    assert len(configurations(outline("tikal"))) == 12


def test_outlines_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is parsed; a damaged entry is read again."""
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path))
    first = outline("pig")
    (entry,) = (tmp_path / "proofs").glob("*.bin")
    with monkeypatch.context() as patch:
        patch.setattr("rules_dsl.language.program.assemble", lambda _: pytest.fail("parsed again"))
        assert outline("pig") == first
    entry.write_bytes(entry.read_bytes().replace(b"10", b"11"))
    assert outline("pig") == first


def test_each_configuration_is_reported(tmp_path: Path) -> None:
    """Results carry their options; examples run in the configuration that they speak of."""
    path = tmp_path / "steps.rules"
    path.write_text(RULES, encoding="utf-8")
    records = tmp_path / "records"
    checks = [part for kind in ("init", "invariant", "examples") for part in ("--check", kind)]
    run = CliRunner().invoke(verify, [str(path), *checks, "--json", "--records", str(records)])
    results = json.loads(run.output)["results"]
    found = {(r["players"], r["options"]["far"]) for r in results}
    assert found == {(2, False), (2, True), (3, False), (3, True)}
    examples = {
        (r["options"]["far"], r["subject"]) for r in results if r["obligation"] == "examples"
    }
    assert examples == {(False, "a short way"), (True, "a long way")}
    broken = {(r["configuration"], r["status"]) for r in results if r["subject"] == "not_too_far"}
    assert ("steps 2 players far=true", "REFUTED") in broken
    assert ("steps 2 players far=false", "REFUTED") not in broken
    assert len(list(records.glob("*far_true*"))) == 2
    text = CliRunner().invoke(verify, [str(path), *checks]).output
    assert "steps 3 players far=true: " in text
