"""The cache folder: nobody but its user can make the program run or believe something with it."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import rules_dsl as rd
from rules_dsl.language import grammar, user_cache
from rules_dsl.language.user_cache import CacheSection

ROOT = Path(__file__).resolve().parents[2]
SECTION = CacheSection("things", "thing 1")
UNIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no such owner here")


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# ---- what an attacker or a bad machine may leave there -------------------------------------------


class Planted:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (open, (str(self.mark), "w"))


def test_a_planted_pickle_is_not_run(tmp_path: Path) -> None:
    """Whatever has the names under which caches were kept in the shared temporary folder."""
    shared = tmp_path / "tmp"
    shared.mkdir()
    mark = tmp_path / "mark"
    text = grammar.GRAMMAR.read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    planted = b"0" * 64 + b"\n" + pickle.dumps(Planted(mark))
    names = [f"rules-grammar-{os.getuid()}-{digest}.lark-cache", f".lark_cache_{os.getuid()}.tmp"]
    for name in names:
        (shared / name).write_bytes(planted)
    before = sorted(shared.iterdir())
    done = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "check", "games/classics/pig.rules"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(shared), "RULES_CACHE_DIR": str(tmp_path / "cache")},
    )
    assert done.returncode == 0, done.stderr
    assert not mark.exists()
    assert sorted(shared.iterdir()) == before, "nothing is kept where others may write"


def test_a_pickle_as_an_entry_is_not_run(base: Path, tmp_path: Path) -> None:
    """Even one with a checksum that fits."""
    mark = tmp_path / "mark"
    grammar.forget()
    rd.load("pig")
    entries = [*base.rglob("*.bin")]
    assert {entry.parent.name for entry in entries} == {"code", "grammar"}
    for entry in entries:
        body = pickle.dumps(Planted(mark))
        first, key, _ = entry.read_bytes().split(b"\n", 2)
        opening = first + b"\n" + key + b"\n"
        entry.write_bytes(opening + hashlib.sha256(body).digest() + body)
    grammar.forget()
    assert rd.load("pig").playout(seed=1).over
    grammar.lark().parse("1", start="expression")
    assert not mark.exists()


def test_no_module_unpickles() -> None:
    """Data from a file is never unpickled: no module even imports pickle."""
    sources = [
        p
        for part in ("rules_dsl", "compiler", "verify", "games")
        for p in (ROOT / part).rglob("*.py")
    ]
    banned = re.compile(r"\b(?:import|from) (?:pickle|shelve|dill)\b|gettempdir")
    assert [str(p) for p in sources if banned.search(p.read_text("utf-8"))] == []


# ---- whose folder it is --------------------------------------------------------------------------


@UNIX
def test_folders_are_for_the_user_alone(base: Path) -> None:
    before = os.umask(0)
    try:
        SECTION.store("k", b"one")
    finally:
        os.umask(before)
    assert mode(base) == mode(base / "things") == 0o700
    assert mode(base / "things" / "k.bin") == 0o600
    assert SECTION.load("k") == b"one"


@UNIX
@pytest.mark.parametrize("place", ["", "things", "things/k.bin"])
def test_what_others_may_write_is_not_used(base: Path, place: str) -> None:
    SECTION.store("k", b"one")
    path = base / place
    path.chmod(mode(path) | 0o020)
    assert SECTION.load("k") is None
    path.chmod(mode(path) & ~0o020)
    assert SECTION.load("k") == b"one"


@UNIX
@pytest.mark.parametrize("place", ["", "things", "things/k.bin"])
def test_what_belongs_to_others_is_not_used(
    base: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    SECTION.store("k", b"one")
    foreign = os.lstat(base / place).st_ino
    real = user_cache._is_ours

    def judged(status: os.stat_result) -> bool:
        if status.st_ino == foreign:
            fields = list(status)
            fields[stat.ST_UID] += 1
            status = os.stat_result(fields)
        return real(status)

    monkeypatch.setattr(user_cache, "_is_ours", judged)
    assert SECTION.load("k") is None
    SECTION.store("k", b"two")
    monkeypatch.undo()


@pytest.mark.parametrize("place", ["", "things", "things/k.bin"])
def test_symlinks_are_refused(base: Path, tmp_path: Path, place: str) -> None:
    SECTION.store("k", b"one")
    path = base / place
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere, target_is_directory=elsewhere.is_dir())
    assert SECTION.load("k") is None
    kept = {p: p.read_bytes() for p in elsewhere.rglob("*") if p.is_file()}
    SECTION.store("k", b"two")
    assert {p: p.read_bytes() for p in elsewhere.rglob("*") if p.is_file()} == kept


@UNIX
def test_a_pipe_is_not_waited_for(base: Path) -> None:
    SECTION.store("k", b"one")
    (base / "things" / "k.bin").unlink()
    os.mkfifo(base / "things" / "k.bin", 0o600)
    assert SECTION.load("k") is None


@pytest.mark.parametrize("key", ["", "..", "a/b", "a\\b", "a.b", "a\0b", "x" * 101])
def test_a_key_is_no_path(key: str, base: Path) -> None:
    with pytest.raises(ValueError, match="not a key"):
        SECTION.store(key, b"")


# ---- entries -------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [0, 14, 20, 30, 60, -1])
def test_a_damaged_entry_is_ignored(base: Path, at: int) -> None:
    SECTION.store("k", b"contents")
    entry = base / "things" / "k.bin"
    raw = bytearray(entry.read_bytes())
    raw[at] ^= 1
    entry.write_bytes(raw)
    assert SECTION.load("k") is None
    assert CacheSection("things", "thing 2").load("k") is None
    SECTION.store("k", b"contents")
    assert SECTION.load("k") == b"contents"


def test_an_entry_of_another_key_is_ignored(base: Path) -> None:
    SECTION.store("k", b"contents")
    (base / "things" / "k.bin").rename(base / "things" / "other.bin")
    assert SECTION.load("other") is None


def test_files_that_other_programs_read(base: Path) -> None:
    path = SECTION.store_file("k", "so", b"machine code")
    assert path is not None
    assert path.read_bytes() == b"machine code"
    assert SECTION.load_file("k", "so") == path
    assert SECTION.load_file("k", "dll") is None
    path.write_bytes(b"machine c0de")
    assert SECTION.load_file("k", "so") is None


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert SECTION.folder() is None
    SECTION.store("k", b"one")
    assert SECTION.load("k") is None
    assert SECTION.store_file("k", "so", b"one") is None


# ---- systems -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "given", "expected"),
    [
        ("linux", {}, "home/.cache/rules-dsl"),
        ("linux", {"XDG_CACHE_HOME": "xdg"}, "xdg/rules-dsl"),
        ("darwin", {}, "home/Library/Caches/rules-dsl"),
        ("win32", {}, "home/AppData/Local/rules-dsl"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/rules-dsl"),
        ("win32", {"LOCALAPPDATA": "local", "RULES_CACHE_DIR": "chosen"}, "chosen"),
    ],
)
def test_where_the_cache_is(
    platform: str, given: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RULES_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os.path, "expanduser", lambda _: "home")
    assert user_cache.folder() == Path(expected)


WINDOWS = """
import os, sys
for name in ("getuid", "geteuid", "getgid", "O_NOFOLLOW", "O_NONBLOCK"):
    delattr(os, name)
import rules_dsl as rd
from rules_dsl.language import grammar
for _ in range(2):
    assert rd.load("pig").playout(seed=1).over
    grammar.forget()
    assert rd.games()
from rules_dsl.language.user_cache import CacheSection
section = CacheSection("grammar", "grammar 1")
assert len(list(section.folder().iterdir())) == 1
"""


def test_without_users_and_flags(tmp_path: Path) -> None:
    """Windows has no users with numbers: everything is parsed and kept all the same."""
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "RULES_CACHE_DIR": str(tmp_path / "cache")},
    )
    assert done.returncode == 0, done.stderr
