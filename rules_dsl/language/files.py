"""Reading no more of a file than is sensible, and writing files in one step.

After a crash a file is the old one or the new one, never half of it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from io import BufferedWriter, TextIOWrapper
from pathlib import Path
from typing import TextIO


def read_at_most(path: Path, most: int) -> bytes:
    """The contents of a file, at most `most + 1` bytes; raises `OSError`.

    A device may have no end, and says that its size is zero.

    >>> len(read_at_most(Path("/dev/zero"), 10)) if os.path.exists("/dev/zero") else 11
    11
    """
    with path.open("rb") as file:
        return file.read(most + 1)


def write_text(path: Path, text: str) -> None:
    """Write or replace a text in one step, as UTF-8 with the line ends it has; raises `OSError`.

    A file that is replaced keeps its permissions; a symlink keeps pointing where it did.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "a.txt"
    >>> write_text(path, "one")
    >>> write_text(path, "two")
    >>> path.read_text(), os.listdir(folder.name)
    ('two', ['a.txt'])
    >>> folder.cleanup()
    """
    with text_file(path) as file:
        file.write(text)


@contextlib.contextmanager
def text_file(path: Path) -> Iterator[TextIO]:
    """A file to write a text to piece by piece; it is put in place when all of it is written.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with text_file(Path(folder.name) / "a.txt") as file:
    ...     _ = file.write("one")
    ...     (Path(folder.name) / "a.txt").exists()
    False
    >>> folder.cleanup()
    """
    if path.exists() and not path.is_file():
        # A device or a pipe, such as /dev/stdout, cannot be replaced; a folder is an error.
        with path.open("w", encoding="utf-8", newline="") as device:
            yield device
        return
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    with _part(target, 0o666 if mode is None else mode, exactly=mode is not None) as (part, file):
        with TextIOWrapper(file, encoding="utf-8", newline="") as text:
            yield text
        os.replace(part, target)


def create_text(path: Path, text: str) -> None:
    """Write a new text in one step; raises `FileExistsError` if something is there already.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> create_text(Path(folder.name) / "a.txt", "one")
    >>> try:
    ...     create_text(Path(folder.name) / "a.txt", "two")
    ... except FileExistsError:
    ...     (Path(folder.name) / "a.txt").read_text()
    'one'
    >>> folder.cleanup()
    """
    if os.path.lexists(path):
        raise FileExistsError(path)
    with _part(path, 0o666) as (part, file):
        with file:
            file.write(text.encode("utf-8"))
        try:
            os.link(part, path)  # unlike a replacement, it fails if another process was faster
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):  # a file system without links
            os.replace(part, path)
        else:
            os.unlink(part)


def replace_file(path: Path, data: bytes, mode: int) -> None:
    """Move a file to a place in one step, replacing any other; raises `OSError`.

    The system takes away from its permissions what it takes from every new file.
    """
    with _part(path, mode) as (part, file):
        with file:
            file.write(data)
        os.replace(part, path)


@contextlib.contextmanager
def _part(path: Path, mode: int, exactly: bool = False) -> Iterator[tuple[Path, BufferedWriter]]:
    """A new file beside another one, which goes away unless it was put in a place.

    The system takes away from its permissions what it takes from every new file, unless they are
    to be `exactly` these.
    """
    part = path.with_name(f".{path.name[:80]}.{secrets.token_hex(8)}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(part, flags, mode)
    except OSError as error:
        error.filename = str(path)
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            if exactly:
                os.chmod(part, mode)
            yield part, file
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
