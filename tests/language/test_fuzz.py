"""Whatever is in a rule file, it is a game or gets a diagnostic, and soon.

The environment variable RULES_FUZZ_CASES says how many cases are tried (300 by default); before a
release: `RULES_FUZZ_CASES=5000 pytest tests/language/test_fuzz.py`.
"""

from __future__ import annotations

import os
import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rules_dsl.language.checking import diagnose
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.formatter import format_text
from rules_dsl.language.sources import SourceSet
from tests.language.edits import (
    CLASSICS,
    KINDS,
    LARGE,
    Edit,
    check_time,
    edited,
    file_of,
    in_memory,
    sources_of,
    survives,
    with_text,
)
from tests.language.trees import parse, shape

CASES = int(os.environ.get("RULES_FUZZ_CASES", "300"))


def profile(share: float) -> settings:
    """Settings for a test that gets a share of the cases."""
    return settings(
        max_examples=max(10, int(CASES * share)),
        deadline=None,
        derandomize=CASES <= 300,
        suppress_health_check=list(HealthCheck),
    )


numbers = st.integers(0, 1_000_000)
edits: st.SearchStrategy[list[Edit]] = st.lists(
    st.tuples(st.sampled_from(KINDS), numbers, numbers), min_size=1, max_size=4
)
PIECES = (
    "game g\n    players 2\n", "play\n", "    end\n", "scoring\n    score p = 0\n", "state\n",
    "    x: 0..9\n", "variant v of g\n", "enum E: a, b\n", "const c = ", "(", ")", "[", "]", '"',
    "const c[E] = [1, 2]\n", "#", "\n", "    ", "\t", "x", "1", "..", "=", "if ", "every ", ": ",
    "in ", "procedure f()\n", "action a by p\n", "choose p: ", "table T\n", "    row r: 1\n",
    "[R 1]", "\\", "{", "\x00", "\u0430", "good m\n", "    pool q bank\n", "a.b.c", "-", "not ",
    'include "x"\n', 'example "e"\n', '    do "x"\n', ",", ";", "'", "\r", "\ufeff",
)  # fmt: skip
pieces = st.sampled_from(PIECES)


@profile(0.2)
@given(st.text(max_size=400))
@example("\ufeff")
@example("\r")
@example('game g\n    players 2\nconst a = "\\')
def test_random_text(text: str) -> None:
    assert survives(in_memory(text)) == "errors"


@profile(0.2)
@given(st.lists(pieces, max_size=40).map("".join))
def test_random_pieces_of_rules(text: str) -> None:
    survives(in_memory(text))


@profile(0.4)
@given(st.sampled_from(CLASSICS), edits)
def test_edited_classics(game: str, changes: list[Edit]) -> None:
    sources = sources_of(game)
    text = edited(sources.texts[sources.main], changes)
    survives(with_text(sources, sources.main, text), sources)


@profile(0.1)
@given(st.sampled_from(LARGE), numbers, edits)
def test_edited_large_games(game: str, number: int, changes: list[Edit]) -> None:
    sources = sources_of(game)
    path = file_of(sources, number)
    text = edited(sources.texts[path], changes)
    survives(with_text(sources, path, text), sources)


@profile(0.05)
@given(st.sampled_from(CLASSICS), edits)
def test_all_errors_at_once(game: str, changes: list[Edit]) -> None:
    """A game is sound if and only if nothing is diagnosed."""
    sources = sources_of(game)
    changed = with_text(sources, sources.main, edited(sources.texts[sources.main], changes))
    if survives(changed) == "errors":
        assert diagnose(changed)


@profile(0.2)
@given(st.sampled_from((*CLASSICS, *LARGE)), numbers, edits)
def test_formatting_edited_files(game: str, number: int, changes: list[Edit]) -> None:
    sources = sources_of(game)
    text = edited(sources.texts[file_of(sources, number)], changes)
    start = time.process_time()
    try:
        once = format_text(text)
    except RuleError:
        return
    check_time(time.process_time() - start)
    assert format_text(once) == once
    assert shape(parse(once)) == shape(parse(text))


comment_places = st.lists(st.tuples(numbers, st.integers(0, 9)), min_size=1, max_size=8)


@profile(0.2)
@given(st.sampled_from((*CLASSICS, *LARGE)), numbers, comment_places)
def test_comments_survive_formatting(game: str, number: int, places: list[tuple[int, int]]) -> None:
    """Comments put anywhere: at the end of lines, or on lines of their own at any depth."""
    sources = sources_of(game)
    lines = sources.texts[file_of(sources, number)].split("\n")
    for name, (place, depth) in enumerate(places):
        at = place % len(lines)
        if depth == 0:
            lines[at] += f"  # comment {name}"
        else:
            lines.insert(at, " " * (2 * depth) + f"# comment {name}")
    text = "\n".join(lines)
    try:
        once = format_text(text)
    except RuleError:  # a line that is broken inside a cite has no room for a comment
        return
    assert all(once.count(f"# comment {name}") == 1 for name in range(len(places)))
    assert format_text(once) == once
    assert shape(parse(once)) == shape(parse(text))


# ---- too much of something -----------------------------------------------------------------------

HEAD = "game g\n    players 2\n\nstate\n    x: 0..9\n\n"
TAIL = "\nplay\n    roll d in 1..6\n    x = d\n\nscoring\n    score p = x\n"


def codes(text: str) -> set[str]:
    """The codes of the errors of a text, found in time."""
    start = time.process_time()
    found = {d.code for d in diagnose(in_memory(text))}
    check_time(time.process_time() - start)
    return found


@pytest.mark.parametrize(
    "declaration",
    [
        "const a = " + "(" * 10_000 + "1" + ")" * 10_000,
        "const a = " + "(" * 10_000,
        "const a = " + "[" * 10_000 + "]" * 10_000,
        "const a = " + "-" * 10_000 + "1",
        "const a = " + "(\n" * 10_000 + "1" + ")\n" * 10_000,
        "const a = [" + "1 +\n" * 2_000 + "1]",
        "const a = " + "-" * 4_000 + "1",
        "const a = x" + ".y" * 2_000,
        "const a = " + "not " * 10_000 + "true",
        "const a = " + "1 + " * 10_000 + "1",
        "const a = " + "if true then " * 5_000 + "1" + " else 2" * 5_000,
        "const a = x" + "[0]" * 10_000,
        "const a = x" + ".y" * 10_000,
        "const a = " + "f(" * 10_000 + "x" + ")" * 10_000,
        "function f(): bool = " + "every k in 0..1: " * 10_000 + "true",
        "state\n    y: 0..1" + "?" * 10_000,
        "state\n    y: " + "set of " * 10_000 + "bool",
    ],
    ids=lambda d: d[:30],
)
def test_nesting(declaration: str) -> None:
    found = codes(HEAD + declaration + "\n" + TAIL)
    assert found & {"E0108", "E0109"}
    assert found <= {"E0108", "E0109", "E0105"}


def test_nested_blocks() -> None:
    body = "\n".join("    " * k + "if x > 0" for k in range(1, 100))
    assert codes(f"{HEAD}procedure f()\n{body}\n{TAIL}") == {"E0108"}
    chain = "    if x = 0\n        x = 1\n" + "    else if x = 0\n        x = 1\n" * 1_400
    assert codes(f"{HEAD}procedure f()\n{chain}{TAIL}") <= {"E0108"}


def test_a_file_of_ten_megabytes() -> None:
    assert codes("const a = 1\n" * 900_000) == {"E0109"}
    with pytest.raises(RuleError, match="E0109"):
        format_text("# x\n" * 2_500_000)


def test_nothing_but_trouble() -> None:
    """Files below the limit that are nothing but errors."""
    for piece in ("const a = (\n", "x\n", "(", '"', "\n\t", "const a = 1 1\n", "enum E: a\n"):
        start = time.process_time()
        found = diagnose(in_memory(piece * (59_000 // len(piece))))
        seconds = time.process_time() - start
        assert 1 <= len(found) <= 100
        check_time(seconds, piece)


@pytest.mark.parametrize(
    "declaration",
    [
        "const a = sum(a1 in 0..255, a2 in 0..255: sum(b1 in 0..255, b2 in 0..255: 1))",
        "const a[x1 in 0..200, x2 in 0..200] = sum(b in 0..9999: 1)",
        "const a = " + "sum(k in 0..60000: " * 3 + "1" + ")" * 3,
        "const a = count(a1 in 0..9, a2 in 0..9, a3 in 0..9, a4 in 0..9, a5 in 0..9, a6 in 0..9)",
        "state\n    y[0..65000]: 0..1\n    z[0..65000]: 0..1",
        "state\n    y[h in 0..60000]: 0..9 = sum(k in 0..1000: 0)",
        "function f(n: 0..9): 0..9 = sum(k in 0..9: n)\n\nconst a = " + "f(" * 40 + "1" + ")" * 40,
        "\n".join(f"const a{k} = sum(k in 0..2000: k)" for k in range(300)),
        "\n".join(f"const a{k} = a{k + 1} + a{k + 1}" for k in range(200)) + "\nconst a200 = 1",
        "\n".join(f"const a{k} = a{k + 1}" for k in range(2_500)) + "\nconst a2500 = 1",
    ],
    ids=lambda d: d[:40],
)
def test_costly_constants(declaration: str) -> None:
    codes(HEAD + declaration + "\n" + TAIL)


def test_more_players_than_there_are() -> None:
    for players in ("2..99999", "99999", "0", "9..2"):
        assert "E0410" in codes(HEAD.replace("players 2", f"players {players}") + TAIL)


def test_a_long_chain_of_includes() -> None:
    texts = {f"m{k}.rules": f'include "m{k + 1}.rules"\n' for k in range(500)}
    texts["m500.rules"] = "const a = 1\n"
    texts["main.rules"] = HEAD + 'include "m0.rules"\n' + TAIL
    sources = SourceSet("main.rules", {}, [], texts)
    assert {d.code for d in diagnose(sources)} <= {"E0115"}


def test_circular_includes() -> None:
    texts = {"main.rules": HEAD + 'include "b.rules"\n' + TAIL, "b.rules": 'include "main.rules"\n'}
    assert diagnose(SourceSet("main.rules", {}, [], texts)) == ()
