"""Modules and programs in the working folder are not run: it may hold files of strangers."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.native.errors import NativeError
from compiler.native.toolchain import find_toolchain
from rules_dsl.web.workers import Limits, Worker

# What a worker imports first, ours and Python's own.
NAMES = ("rules_dsl", "attrs", "json", "runpy", "multiprocessing", "concurrent", "lark")


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A folder with modules that leave a mark when they are imported."""
    folder = tmp_path / "planted"
    folder.mkdir()
    for name in NAMES:
        code = f"open({str(tmp_path / 'mark')!r}, 'w').close()\nraise SystemExit\n"
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return folder


@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_worker_processes(start: str, planted: Path) -> None:
    program = planted.parent / "start.py"
    program.write_text(
        "import multiprocessing, sys\n"
        "from rules_dsl.cli import main\n"
        "if __name__ == '__main__':\n"
        f"    multiprocessing.set_start_method({start!r})\n"
        "    line = 'rules simulate tic_tac_toe --games 1000 --backend python --jobs 2'\n"
        "    sys.argv = line.split()\n"
        "    main()\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(program)],
        cwd=planted,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert not (planted.parent / "mark").exists()
    assert done.returncode == 0 and "1000 games" in done.stdout, done.stderr


def test_workers_of_the_web_server(planted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(planted)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)

    async def ask() -> object:
        worker = Worker(Limits())
        try:
            return await worker.call("layout", "const  n=1\n")
        finally:
            await worker.kill()

    answer = asyncio.run(ask())
    assert not (planted.parent / "mark").exists()
    assert "const n = 1" in str(answer)


def test_a_compiler_in_the_working_folder(planted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = planted / "cc"
    program.touch()
    monkeypatch.chdir(planted)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", os.devnull)
    # As on Windows, where the working folder comes before all others.
    monkeypatch.setattr("shutil.which", lambda name: str(planted / name))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NativeError):
        find_toolchain()
    monkeypatch.setenv("PATH", str(planted))
    assert find_toolchain().command == (str(program),)
