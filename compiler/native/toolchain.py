"""The C compiler of this machine, and building a shared library with it."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import frozen

from compiler.native.errors import NativeError

FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-strict-aliasing", "-w")
CHECKED = "-DRULES_CHECKED"
SECONDS = 300
INSTALL = (
    "the native back end needs a C compiler: install gcc, clang, or the extra with "
    "`pip install 'rules-dsl[native]'`"
)


@frozen
class Toolchain:
    """A C compiler: the command that starts it."""

    command: tuple[str, ...]

    def identity(self) -> str:
        """The identity of this compiler; it changes when the compiler is updated."""
        program = shutil.which(self.command[0]) or self.command[0]
        try:
            status = os.stat(program)
        except OSError:
            return repr(self.command)
        return repr((self.command, program, status.st_size, status.st_mtime_ns, sys.platform))

    def build(self, source: str, checked: bool = False) -> bytes:
        """The shared library of a C source; raises `NativeError` if the compiler refuses."""
        with tempfile.TemporaryDirectory(prefix="rules-native-") as place:
            code, library = Path(place) / "game.c", Path(place) / "game.lib"
            code.write_text(source, encoding="utf-8")
            flags = (*FLAGS, CHECKED) if checked else FLAGS
            command = [*self.command, *flags, "-o", str(library), str(code)]
            # Some compilers keep caches of their own beside the user's files.
            try:
                done = subprocess.run(
                    command,
                    capture_output=True,
                    text=True,
                    timeout=SECONDS,
                    cwd=place,
                    errors="replace",
                    check=False,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise NativeError(f"the C compiler `{self.command[0]}` failed: {error}") from None
            if done.returncode or not library.exists():
                first = next(iter(done.stderr.strip().splitlines()), f"exit code {done.returncode}")
                raise NativeError(f"the C compiler `{self.command[0]}` failed: {first}")
            return library.read_bytes()


def find_toolchain() -> Toolchain:
    """The compiler to use: $CC, cc, gcc, clang, or the one in the `ziglang` package.

    Raises `NativeError` that says what to install.
    """
    if sys.maxsize < 2**32:
        raise NativeError("the native back end needs a 64-bit Python")
    chosen = os.environ.get("CC", "").strip()
    if chosen:
        command = shlex.split(chosen)
        if shutil.which(command[0]) is None:
            raise NativeError(f"the C compiler that CC names, `{command[0]}`, does not exist")
        return Toolchain(tuple(command))
    for name in ("cc", "gcc", "clang"):
        program = _in_search_path(name)
        if program:
            return Toolchain((program,))
    if importlib.util.find_spec("ziglang") is not None:
        return Toolchain((sys.executable, "-m", "ziglang", "cc"))
    raise NativeError(INSTALL)


def _in_search_path(name: str) -> str | None:
    """The path of a program; one in the working folder is never run.

    Windows looks there first, and the folder may hold the files of strangers.
    """
    found = shutil.which(name)
    if found is None:
        return None
    place = os.path.dirname(os.path.abspath(found))
    listed = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return found if place in [os.path.abspath(part) for part in listed if part] else None
