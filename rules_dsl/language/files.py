"""Reading no more of a file than is sensible, and writing files in one step.

After a crash a file is the old one or the new one, never half of it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def read_at_most(path: Path, most: int) -> bytes:
    """What is in a file, but `most` bytes and one more at the most; raises `OSError`.

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
    data = text.encode("utf-8")
    target = Path(os.path.realpath(path))
    if target.is_file():
        replace_file(target, data, target.stat().st_mode & 0o777, exactly=True)
    elif target.exists():
        # A device or a pipe, such as /dev/stdout, cannot be replaced; a folder is an error.
        with target.open("wb") as file:
            file.write(data)
    else:
        replace_file(target, data, 0o666)


def replace_file(path: Path, data: bytes, mode: int, exactly: bool = False) -> None:
    """Put a file in a place in one step, whatever was there before; raises `OSError`.

    The system takes away from its permissions what it takes from every new file, unless they are
    to be `exactly` these.
    """
    part = path.with_name(f".{path.name[:80]}.{secrets.token_hex(8)}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(part, flags, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if exactly:
            os.chmod(part, mode)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
