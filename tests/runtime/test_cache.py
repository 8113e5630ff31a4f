"""Compiled games on disk: never trusted blindly, never needed."""

from __future__ import annotations

import marshal
import os
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler import cache, pipeline
from rules_dsl.language import program
from rules_dsl.language.sources import shipped_games
from rules_dsl.shipped import describe


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RULES_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were compiled, not read."""
    seen: list[str] = []
    real = pipeline.to_ir

    def noting(*args: object, **kwargs: object) -> object:
        seen.append("compiled")
        return real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "to_ir", noting)
    return seen


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "code").glob("*.bin"))


def test_a_second_load_compiles_nothing(folder: Path, compiled: list[str]) -> None:
    first = rd.load("tic_tac_toe")
    assert len(compiled) == 1
    # As it was asked for, and with everything decided that was left open.
    assert len(entries(folder)) == 2
    second = rd.load("tic_tac_toe")
    assert len(compiled) == 1
    assert first.playout(seed=1) == second.playout(seed=1)


def test_what_a_game_says_about_itself_is_read_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pig.rules"
    text = shipped_games()["pig"].read_text(encoding="utf-8")
    text += '\nruling first: low, high = low "Who begins?" [S "A turn"]\n'
    path.write_text(text, encoding="utf-8")
    read = describe(str(path))
    (option,) = read.options
    assert (option.choices, option.cites) == (("low", "high"), ("S A turn",))
    path.write_text(text.replace('"Pig"', '"Hog"'), encoding="utf-8")
    assert describe(str(path)).title == "Hog"

    def refused(*_: object) -> None:
        raise AssertionError("the rules were parsed again")

    monkeypatch.setattr(program, "assemble", refused)
    assert describe(str(path)).title == "Hog"
    path.write_text(text, encoding="utf-8")
    assert describe(str(path)) == read
    (entry, *_) = (folder / "about").glob("*.bin")
    entry.write_bytes(entry.read_bytes()[:-1])
    (another,) = set((folder / "about").glob("*.bin")) - {entry}
    another.unlink()
    with pytest.raises(AssertionError, match="parsed again"):
        describe(str(path))


def test_configurations_do_not_mix(folder: Path, compiled: list[str]) -> None:
    assert rd.load("pig", players=2).players == 2
    assert rd.load("pig", players=3).players == 3
    assert rd.load("pig", players=2).players == 2
    assert rd.load("pig").players == 2
    assert len(compiled) == 2


def test_changed_rules_are_compiled_again(
    folder: Path, compiled: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "tiny.rules"
    text = "game tiny\n    players 2\n\nplay\n    end\n\nscoring\n    score p = 1\n"
    path.write_text(text)
    assert rd.load(path).playout().scores() == (1, 1)
    path.write_text(text.replace("p = 1", "p = 2"))
    assert rd.load(path).playout().scores() == (2, 2)
    assert len(compiled) == 2


def test_a_changed_module_is_compiled_again(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "more.rules").write_text("const worth = 1\n")
    path = tmp_path / "tiny.rules"
    path.write_text(
        'game tiny\n    players 2\n\ninclude "more.rules"\n\n'
        "play\n    end\n\nscoring\n    score p = worth\n"
    )
    assert rd.load(path).playout().scores() == (1, 1)
    (tmp_path / "more.rules").write_text("const worth = 3\n")
    assert rd.load(path).playout().scores() == (3, 3)


def _truncated(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def _flipped(raw: bytes) -> bytes:
    middle = len(raw) // 2
    return raw[:middle] + bytes([raw[middle] ^ 1]) + raw[middle + 1 :]


def _foreign_python(raw: bytes) -> bytes:
    return raw.replace(b"cpython", b"another", 1)


def _other_key(raw: bytes) -> bytes:
    header, key, rest = raw.split(b"\n", 2)
    return b"\n".join([header, key[::-1], rest])


def _no_code(raw: bytes) -> bytes:
    import hashlib

    header, key, _ = raw.split(b"\n", 2)
    payload = marshal.dumps({"not": "code"})
    return header + b"\n" + key + b"\n" + hashlib.sha256(payload).digest() + payload


def _other_code(raw: bytes) -> bytes:
    """A sound entry, but not one of ours."""
    import hashlib

    header, key, _ = raw.split(b"\n", 2)
    payload = marshal.dumps(compile("x = 1", "<x>", "exec"))
    return header + b"\n" + key + b"\n" + hashlib.sha256(payload).digest() + payload


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: b"\0" * len(raw),
        lambda raw: b"garbage",
        _truncated,
        _flipped,
        _foreign_python,
        _other_key,
        _no_code,
        _other_code,
    ],
)
def test_a_damaged_entry_is_ignored_and_rebuilt(
    folder: Path, compiled: list[str], damage: object
) -> None:
    assert callable(damage)
    good = rd.load("tic_tac_toe").playout(seed=1)
    whole = {entry: entry.read_bytes() for entry in entries(folder)}
    for entry, raw in whole.items():
        entry.write_bytes(damage(raw))
    assert rd.load("tic_tac_toe").playout(seed=1) == good
    assert len(compiled) == 2
    assert {entry: entry.read_bytes() for entry in entries(folder)} == whole
    rd.load("tic_tac_toe")
    assert len(compiled) == 2


def test_an_entry_that_is_a_folder(folder: Path) -> None:
    rd.load("tic_tac_toe")
    for entry in entries(folder):
        entry.unlink()
        entry.mkdir()
    assert rd.load("tic_tac_toe").playout(seed=1).over
    left = {p.suffix for p in (folder / "code").iterdir()}
    assert left == {".bin"}, "nothing half-written is left"


def test_a_read_only_folder_is_no_error(
    folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:
        # The superuser may write anywhere: let the system refuse all the same.
        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("rules_dsl.language.user_cache.replace_file", refuse)
    else:
        folder.mkdir()
        folder.chmod(0o500)
    assert rd.load("tic_tac_toe").playout(seed=1).over
    assert rd.load("tic_tac_toe").playout(seed=1).over
    assert len(compiled) == 2


def test_a_cache_that_is_a_file_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("")
    monkeypatch.setenv("RULES_CACHE_DIR", str(path))
    assert rd.load("tic_tac_toe").playout(seed=1).over
    assert path.read_text() == ""


def test_another_compiler_has_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    key = cache.key_of("a", "b")
    assert key == cache.key_of("a", "b")
    assert key != cache.key_of("ab", "")
    monkeypatch.setattr(cache, "compiler_digest", lambda: "another")
    assert key != cache.key_of("a", "b")
