"""Standard input and output that never fail because they are closed or have a narrow encoding."""

from __future__ import annotations

import io
import os
import sys


def make_streams_safe() -> None:
    """Replace closed streams, and what a stream cannot encode or decode by question marks."""
    # A stream that the parent process has closed is None, contrary to its type.
    streams: dict[str, io.TextIOBase | None] = {
        name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")
    }
    for name, stream in streams.items():
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
