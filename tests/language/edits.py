"""Random edits of rule files, and the way from a text to a game that must survive them."""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from unittest.mock import patch

from compiler.pipeline import to_code, to_ir
from rules_dsl.language import program as programs
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import default_choice
from rules_dsl.language.diagnostics import Reporter, RuleError
from rules_dsl.language.parser import parse_file
from rules_dsl.language.sources import SourceSet, gather, shipped_games
from tests.benchmarks.large_games import reference_loop

# Of processor time, for one file, whatever is in it.
MAX_SECONDS = 2.0
# Steps of the reference loop, and the seconds they take on a machine of the expected speed.
REFERENCE_STEPS = 30_000
REFERENCE_SECONDS = 0.1
CLASSICS = tuple(
    sorted(name for name, path in shipped_games().items() if path.parent.name == "classics")
)
LARGE = tuple(sorted(set(shipped_games()) - set(CLASSICS)))

_TOKEN = re.compile(r'\w+|"(?:\\.|[^"\\\n])*"|\n[ ]*|[ ]+|.')
_WORDS = (
    "if", "then", "else", "every", "some", "in", "not", "none", "where", "move", "all", "from",
    "to", "choose", "for", "while", "return", "end", "let", "count(x in 0..3)", "sum", "players",
    "Player", "bool", "0", "1", "99999", "-1", "(", ")", "[", "]", "..", "=", "?", ":", ",", '"',
    "{", "}", "\\", "#", "\t", "\r", "\u0430", "\u2212", "\u201c", "\u00e9", "\u2028", "\x00",
    "__import__",
    "class", "lambda", "{p}", "5 div 0", "[R 1]", "secretly", "repeatedly", "decreases", "add",
    "state", "procedure", "amend", "replace", "a.b", "x[0]", "f(x)", "set of", "hidden", "first(",
)  # fmt: skip
KINDS = (
    "delete line", "repeat line", "swap lines", "join lines", "indent", "delete token",
    "repeat token", "swap tokens", "copy token", "word", "number", "cut",
)  # fmt: skip

Edit = tuple[str, int, int]


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text after some edits; the numbers say where, counted round."""
    for kind, one, two in edits:
        text = _edit(text, kind, one, two)
    return text


def _edit(text: str, kind: str, one: int, two: int) -> str:
    lines = text.split("\n")
    a, b = one % len(lines), two % len(lines)
    match kind:
        case "delete line":
            del lines[a]
        case "repeat line":
            lines.insert(b, lines[a])
        case "swap lines":
            lines[a], lines[b] = lines[b], lines[a]
        case "join lines":
            lines[a : a + 2] = ["".join(lines[a : a + 2])]
        case "indent":
            lines[a] = " " * (two % 13) + lines[a].lstrip(" ")
        case "cut":
            start = one % (len(text) + 1)
            return text[:start] + text[start + two % 40 :]
        case _:
            return _edit_token(text, kind, one, two)
    return "\n".join(lines)


def _edit_token(text: str, kind: str, one: int, two: int) -> str:
    tokens = _TOKEN.findall(text) or [""]
    visible = [n for n, token in enumerate(tokens) if token.strip()] or [0]
    a, b = visible[one % len(visible)], visible[two % len(visible)]
    match kind:
        case "delete token":
            tokens[a] = ""
        case "repeat token":
            tokens[a] = f"{tokens[a]} {tokens[a]}"
        case "swap tokens":
            tokens[a], tokens[b] = tokens[b], tokens[a]
        case "copy token":
            tokens[a] = tokens[b]
        case "word":
            tokens[a] = _WORDS[two % len(_WORDS)]
        case "number":
            numbers = [n for n in visible if tokens[n].isdigit()]
            if numbers:
                tokens[numbers[one % len(numbers)]] = str(two % 100_000 if two % 3 else two % 4)
    return "".join(tokens)


@cache
def sources_of(game: str) -> SourceSet:
    """The files of a shipped game."""
    return gather(game)


@cache
def _sound(path: str, text: str) -> s.File:
    return parse_file(path, text, Reporter())


def survives(sources: SourceSet, unchanged: SourceSet | None = None) -> str:
    """Go from text to code, in time: "game" or "errors"; anything but `RuleError` is a fault.

    Files that are as in `unchanged` are parsed once and for all.
    """
    known = unchanged.texts if unchanged is not None else {}

    def parse(path: str, text: str, reporter: Reporter) -> s.File:
        if known.get(path) == text:
            return _sound(path, text)
        return parse_file(path, text, reporter)

    gc.freeze()  # what other tests left behind does not slow down this file
    start = time.process_time()
    try:
        with patch.object(programs, "parse_file", parse):
            program = programs.assemble(sources)
        options = {o.name.name: default_choice(o) for o in program.of(s.Option)}
        to_code(to_ir(program, program.player_range[1], options))
        result = "game"
    except RuleError as error:
        result = "errors" if error.diagnostics and error.render() else "errors without a word"
    finally:
        seconds = time.process_time() - start
        gc.unfreeze()
    check_time(seconds)
    assert result in ("game", "errors")
    return result


def check_time(seconds: float, what: object = "") -> None:
    """Nothing takes longer than two seconds of a machine that is as fast as it should be.

    How fast this one is at the moment, a fixed loop tells.
    """
    if seconds < MAX_SECONDS:
        return
    start = time.process_time()
    reference_loop(REFERENCE_STEPS)
    slower = max(1.0, (time.process_time() - start) / REFERENCE_SECONDS)
    assert seconds < MAX_SECONDS * slower, f"{seconds:.1f} s, {slower:.1f} times slow {what}"


def in_memory(text: str) -> SourceSet:
    """A game that consists of one text."""
    return SourceSet("fuzz.rules", {"fuzz.rules": []}, [], {"fuzz.rules": text})


def with_text(sources: SourceSet, path: str, text: str) -> SourceSet:
    """The files of a game with one of them changed."""
    return SourceSet(
        sources.main, sources.includes, sources.variants, {**sources.texts, path: text}
    )


def file_of(sources: SourceSet, number: int) -> str:
    """One of the files of a game."""
    paths = sorted(sources.texts, key=lambda p: Path(p).name)
    return paths[number % len(paths)]
