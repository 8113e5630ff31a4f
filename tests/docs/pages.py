"""Carrying out a page of the documentation: files are written, commands and Python are run.

A fenced block is carried out according to its language and the comment above it:

    <!-- write NAME -->    a rule file
    <!-- append NAME -->   more of a rule file
    <!-- edit NAME -->     declarations that replace those of the same name
    console                commands behind `$`, each with its output; `...` stands for anything
    python with >>>        a doctest; one namespace for the page
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

_BLOCK = re.compile(
    r"(?:^<!-- (?P<verb>write|append|edit) (?P<name>\S+) -->\n)?"
    r"^```(?P<language>\w+)[^\n]*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_DECLARATION = re.compile(r"^(?=\S)", re.MULTILINE)
# What tells declarations apart: `action take`, `example "The end"`, `state`.
_NAME = re.compile(r'^(state|scoring|setup|play|\w+ +"[^"]*"|\w+ +\w+)')


@frozen
class Block:
    language: str
    text: str
    verb: str
    name: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        line = text[: match.start("text")].count("\n") + 1
        yield Block(
            match["language"], match["text"], match["verb"] or "", match["name"] or "", line
        )


def carry_out(page: Path, folder: Path) -> int:
    """Carry out a page in a folder; gives the number of blocks that were."""
    namespace: dict[str, object] = {}
    done = 0
    for block in blocks(page):
        if block.verb:
            _write(block, folder / block.name)
        elif block.language == "console":
            _run_commands(block, folder, page)
        elif block.language == "python" and ">>>" in block.text:
            _run_python(block, namespace, page)
        else:
            continue
        done += 1
    return done


def _write(block: Block, path: Path) -> None:
    if block.verb == "write":
        path.write_text(block.text, encoding="utf-8")
    elif block.verb == "append":
        path.write_text(f"{path.read_text(encoding='utf-8')}\n{block.text}", encoding="utf-8")
    else:
        old = _declarations(path.read_text(encoding="utf-8"))
        new = _declarations(block.text)
        assert set(new) <= set(old), f"nothing to edit: {set(new) - set(old)}"
        path.write_text("\n\n".join((old | new).values()) + "\n", encoding="utf-8")


def _declarations(text: str) -> dict[str, str]:
    found = {}
    for part in _DECLARATION.split(text):
        name = _NAME.match(part)
        if name:
            found[name[0]] = part.rstrip()
    return found


def _run_commands(block: Block, folder: Path, page: Path) -> None:
    shim = folder / "bin" / "rules"
    if not shim.exists():
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rules_dsl "$@"\n')
        shim.chmod(0o755)
    parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)[1:]
    for command, expected in zip(parts[::2], parts[1::2], strict=True):
        done = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}"},
        )
        assert _agree(expected, done.stdout), (
            f"{page.name}:{block.line}: {command}\n--- expected\n{expected}\n--- got\n{done.stdout}"
        )


def _agree(expected: str, got: str) -> bool:
    def trimmed(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    pattern = re.escape(trimmed(expected)).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, trimmed(got), re.DOTALL) is not None


def _run_python(block: Block, namespace: dict[str, object], page: Path) -> None:
    test = doctest.DocTestParser().get_doctest(
        block.text, namespace, page.name, str(page), block.line
    )
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert not report, "".join(report)
