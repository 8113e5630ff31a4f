"""Rules that are small to write and large to work out: they become a game, or errors, in time."""

from __future__ import annotations

import pytest

from compiler.pipeline import to_code, to_ir
from rules_dsl.language import program as programs
from rules_dsl.language.diagnostics import RuleError
from tests.language.edits import in_memory, survives

HEAD = "game g\n    players 2\n\nstate\n    x: 0..9\n\n"
SCORING = "\nscoring\n    score p = x\n"


def game(declarations: str, play: str) -> str:
    """A whole game around some declarations and a `play` section."""
    return f"{HEAD}{declarations}\nplay\n{play}    end\n{SCORING}"


def errors(text: str) -> set[str]:
    """The codes of the errors of a text, up to generated code."""
    try:
        program = programs.assemble(in_memory(text))
        to_code(to_ir(program, 2, {}))
    except RuleError as error:
        return {d.code for d in error.diagnostics}
    return set()


def relation(nodes: int, condition: str, name: str = "near") -> str:
    """A relation between numbers."""
    return f"function {name}(a: 0..{nodes - 1}, b: 0..{nodes - 1}): bool = {condition}\n"


WALK = "    if reaches(0, 5 by near)\n        x = 1\n"
CARDS = "".join(f"    row r{k}: {k % 10}\n" for k in range(1_500))
DOUBLING = (
    "".join(f"function f{k}(n: 0..9): bool = f{k + 1}(n) and f{k + 1}(9 - n)\n" for k in range(200))
    + "function f200(n: 0..9): bool = x = n\n"
)
PATHS = (
    "function f(n: 0..9): 0..9\n"
    + "".join(
        f"    if x = {k % 10}\n        if n = {k % 7}\n            return 2\n"
        f"    else\n        if n = {k % 5}\n            return 3\n"
        for k in range(40)
    )
    + "    return 1\n"
)
FAN = "".join(f"procedure q{k}()\n" + f"    q{k + 1}()\n" * 4 for k in range(400))


def acting_rows(count: int) -> str:
    """A table whose rows each have a procedure of their own."""
    rows = "".join(f"    row r{k}: 1\n        go\n            x = 2\n" for k in range(count))
    return "table T\n    columns a: 0..9\n    procedure go()\n        x = 1\n" + rows


LETS = "".join(f"    let v{k + 1} = if v{k} > 5 then v{k} else 9 - v{k}\n" for k in range(95))

GAMES = {
    "a relation that is dense": game(relation(1_000, "a != b + 1"), WALK),
    "a relation that is costly": game(relation(300, "count(k in 0..60000 where k < a) > b"), WALK),
    "a relation that reads the state": game(relation(1_000, "x = a"), WALK),
    "a relation through functions that double": game(
        DOUBLING.replace("x = n", "n = 3") + relation(10, "f0(a) and a != b"), WALK
    ),
    "many relations": game(
        "".join(relation(200, f"a != b + {k}", f"near{k}") for k in range(60)),
        "".join(f"    if reaches(0, 5 by near{k})\n        x = 1\n" for k in range(60)),
    ),
    "functions that double": game(DOUBLING, "    if f0(1)\n        x = 1\n"),
    "many calls of an unrolled loop": game(
        "function f(n: 0..9): 0..99999 = sum(i in 0..9: i * n + i * x)\n",
        ("    x = min(9, " + " + ".join(["f(1)"] * 60) + ")\n") * 100,
    ),
    "functions with many steps": game(
        "".join(f"function f{j}(v0: 0..9): 0..9\n{LETS}    return v95\n" for j in range(10)),
        "".join(f"    x = f{j}(1)\n" for j in range(10)),
    ),
    "a long sum in scoring": HEAD
    + "play\n    end\n\nscoring\n    score p = "
    + " + ".join(["x"] * 90)
    + "\n",
    "columns behind columns": game(f"function f(): bool = x{'.y[0]' * 60} = 1\n", ""),
    "components of components": game(
        relation(10, "a = b + 1")
        + f"function f(): 0..9 = {'component(' * 50}x{' by near)' * 50}\n",
        "    x = f()\n",
    ),
    "procedures that call four times": game(
        FAN + "procedure q400()\n    choose p1: v in 0..3\n    x = v\n", "    q0()\n"
    ),
    "routines that call four times": game(FAN + "procedure q400()\n    x = 1\n", "    q0()\n"),
    "many calls of what may end the game": game(
        "procedure q()\n    if x = 3\n        end\n", "    q()\n" * 4_000
    ),
    "many ends": game("", "    if x = 3\n        end\n" * 2_200),
    "a long chain of procedures": game(
        "".join(f"procedure q{k}()\n    q{k + 1}()\n" for k in range(1_200))
        + "procedure q1200()\n    choose p1: v in 0..3\n    x = v\n",
        "    q0()\n",
    ),
    "rows that compute": game(
        "table T\n    columns a: 0..9\n    function v(): 0..9 = 1\n"
        + "".join(f"    row r{k}: 1\n        v = min(9, x + {k % 10})\n" for k in range(900)),
        "    for t in T where t.v() > 3\n        x = t.v()\n" * 200,
    ),
    "rows that act": game(acting_rows(900), "    for t in T\n        t.go()\n"),
    "parameters with two values": game(
        f"action a({', '.join(f'i{k}: 0..1' for k in range(17))}) by p\n    x = 1\n",
        "    choose p1: a\n",
    ),
    "one statement after another": game("", "    if x = 3\n        x = 2\n" * 2_200),
    "names that nobody declared": game(
        "enum E: " + ",\n    ".join(f"aaaaaa{k}" for k in range(2_000)) + "\n",
        "".join(f"    x = aaaaab{k}z\n" for k in range(1_200)),
    ),
    "waivers": game("".join(f'waive progress x "r{k}"\n' for k in range(2_000)), ""),
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_in_time(text: str) -> None:
    survives(in_memory(text))


REFUSED = {
    "nodes": ("E0435", game(relation(60_000, "a = b + 1"), WALK)),
    "steps": (
        "E0317",
        game(
            relation(100, "a = b + 1"),
            "    if distance(0, 5 by near within 1000000000) > 5\n        x = 1\n",
        ),
    ),
    "paths": ("E0436", game(PATHS, "    x = f(1)\n")),
    "decisions": ("E0437", game("action a by p\n    x = 1\n", "    choose p1: a\n" * 600)),
    "requirements": (
        "E0437",
        game(
            "action a(i: 0..9) by p\n"
            + "".join(f'    require i < {k} "no {{i}}"\n' for k in range(60)) + "    x = i\n",
            ("    choose p1: " + ", ".join(["a when x > 3"] * 20) + "\n") * 24,
        ),
    ),
    "goods": (
        "E0437",
        game(
            "goods G: " + ",\n    ".join(f"g{k}" for k in range(700))
            + "\n\nstate\n    pool b bank\n    pool q[Player]\n",
            "    move all from q[p1] to b\n" * 300,
        ),
    ),
    # Almost as many rows as a file may have.
    "code": ("E0437", game(acting_rows(1_300), "    for t in T\n        t.go()\n")),
    "cells of sets": (
        "E0317", game("state\n    y[0..60000]: set of 0..60000\n", "    add 3 to y[4]\n")
    ),
    "cells of columns": (
        "E0317", game("table T\n    columns a: 0..9, b[0..60000]: 0..9 = 3\n" + CARDS, "")
    ),
    "first values": (
        "E0319",
        game(
            "state\n"
            + "".join(f"    y{k}[h in 0..60000]: 0..9 = h mod 3\n" for k in range(30)), "",
        ),
    ),
    "cards of zones": (
        "E0319",
        game(
            f"table T\n    columns a: 0..9\n{CARDS}\nstate\n"
            + "".join(f"    zone z{k} of T holds c where ord(c) mod 200 = {k}\n"
                      for k in range(200)), "",
        ),
    ),
    "nested loops": (
        "E0108",
        game("", "".join("    " * k + f"for i{k} in 0..1 where i{k} > x\n" for k in range(1, 25))
             + "    " * 25 + "x = 1\n"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "text"), REFUSED.values(), ids=REFUSED)
def test_refused_in_time(code: str, text: str) -> None:
    assert survives(in_memory(text)) == "errors"
    assert code in errors(text)


def test_the_limit_of_generated_code() -> None:
    """The refusal is for size, and not for an earlier reason."""
    with pytest.raises(RuleError, match=r"the code of `g` would have \d{3},\d{3} characters"):
        to_code(to_ir(programs.assemble(in_memory(REFUSED["code"][1])), 2, {}))
