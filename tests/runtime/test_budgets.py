"""Rules that would go on for ever, or for long, are stopped with a place and a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler.runtime.fault import Endless, Fault
from rules_dsl.language.diagnostics import RuleError

HEAD = "game g\n    players 2\n\nstate\n    n: 0..3\n    x: 0..9 = 3\n\n"
ACTION = "action a by p\n    n += 1\n\n"
SCORING = "\nscoring\n    score p = x\n"

NEVER_ASKS = (
    HEAD
    + ACTION
    + """\
play
    while n < 3 decreases 3 - n
        if x > 5
            choose p1: a
    end
"""
    + SCORING
)
AFTER_A_MOVE = (
    HEAD
    + ACTION
    + """\
play
    choose p1: a
    while n < 3 decreases 3 - n
        if x > 5
            choose p1: a
    end
"""
    + SCORING
)
ONLY_DRAWS = (
    HEAD
    + ACTION
    + """\
play
    while n < 3 decreases 3 - n
        roll die in 1..6
        if die > 6
            choose p1: a
    end
"""
    + SCORING
)


def saved(folder: Path, text: str) -> Path:
    path = folder / "g.rules"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("backend", ["python", "native"])
@pytest.mark.parametrize("text", [NEVER_ASKS, AFTER_A_MOVE], ids=["at once", "after a move"])
def test_a_loop_that_never_asks(text: str, backend: str, tmp_path: Path) -> None:
    path = saved(tmp_path, text)
    game = rd.load(path)
    line = text.split("\n").index("    while n < 3 decreases 3 - n") + 1
    said = rf"g.rules:{line}: the rules go on for 100,000 rounds without a decision"
    with pytest.raises(Endless, match=said):
        game.playout(backend=backend)
    with pytest.raises(Endless, match=said):
        game.simulate(200, backend=backend)
    with pytest.raises(Endless, match=said):
        game.start(seed=1).play("a")


@pytest.mark.parametrize("backend", ["python", "native"])
def test_a_loop_that_only_draws(backend: str, tmp_path: Path) -> None:
    game = rd.load(saved(tmp_path, ONLY_DRAWS))
    with pytest.raises(Endless, match="100,000 rounds without a decision"):
        game.playout(backend=backend)
    with pytest.raises(Endless, match="100,000 rounds without a decision"):
        game.start(seed=1)
    assert game.start().is_chance


@pytest.mark.parametrize("text", [NEVER_ASKS, AFTER_A_MOVE], ids=["at once", "after a move"])
def test_verification_refutes_it(text: str, tmp_path: Path) -> None:
    report = verify.run(rd.load(saved(tmp_path, text)), ["termination"], jobs=1, effort="low")
    assert {r.status for r in report.results if r.obligation == "termination"} == {"REFUTED"}


LETS = "".join(f"    let v{k + 1} = v{k} * v{k}\n" for k in range(30))
TWICE = "".join(
    f"function f{k}(v: 0..9): 0..9 = (f{k + 1}(v) + f{k + 1}(9 - v)) mod 10\n" for k in range(60)
)
NESTED = """\
action a by p
    for i in 0..9999
        for j in 0..9999
            for k in 0..9999
                x = 1
"""
ROUTINES = """\
procedure q()
    for i in 0..9999
        x = 1

procedure r()
    for j in 0..9999
        for k in 0..9999
            q()

action a by p
    r()
"""
COUNTS = """\
function f(): bool = count(i in 0..9999 where count(j in 0..9999 where
    count(k in 0..999 where k = x) > i) > 3) > 3

action a by p
    require f()
    x = 1
"""
CALLS = f"{TWICE}function f60(v: 0..9): 0..9 = v\n\naction a by p\n    x = f0(x)\n"
PRODUCTS = f"action a by p\n    let v0 = x\n{LETS}    x = 1\n"
SUM = "action a by p\n    x = min(9, sum(i in 0..9999: i * i * x))\n"
LARGE = {
    "nested loops": ("E0437", "for i in 0..9999", NESTED),
    "loops in routines": ("E0437", "for j in 0..9999", ROUTINES),
    "a count of a count": ("E0437", "function f", COUNTS),
    "functions that call each other twice": ("E0437", "function f", CALLS),
    "products of products": ("E0112", "let v4", PRODUCTS),
    "a sum of products": ("E0112", "sum", SUM),
}


@pytest.mark.parametrize(("code", "place", "rules"), LARGE.values(), ids=LARGE)
def test_refused_with_a_line_and_a_limit(code: str, place: str, rules: str, tmp_path: Path) -> None:
    text = HEAD + rules + "\nplay\n    choose p1: a\n    end\n" + SCORING
    path = saved(tmp_path, text)
    with pytest.raises(RuleError) as caught:
        rd.load(path)
    (found,) = {d.code: d for d in caught.value.diagnostics}.values()
    assert found.code == code
    assert place in text.split("\n")[found.span.line - 1]
    assert "1,000,000,000" in found.message + found.hint


def test_just_small_enough(tmp_path: Path) -> None:
    """Functions are shared: that they are called a million times makes no more code of them."""
    few = TWICE.replace("f60", "g").split("\n")[-19:]
    text = "\n".join(few).replace("f60", "g") + "\nfunction g(v: 0..9): 0..9 = v\n\n"
    rules = HEAD + text + "action a by p\n    x = f42(x)\n\nplay\n    choose p1: a\n" + SCORING
    game = rd.load(saved(tmp_path, rules))
    assert len(game.machine.code["f_f50"].__code__.co_code) < 2_000


FALSE_MEASURE = (
    HEAD
    + ACTION
    + """\
play
    while n < 3 decreases x
        choose p1: a
    end
"""
    + SCORING
)


def test_a_measure_that_does_not_decrease(tmp_path: Path) -> None:
    """It is compared at every round by a game that checks itself; three rounds are no hang."""
    path = saved(tmp_path, FALSE_MEASURE)
    state = rd.load(path).start()
    assert state.play("a").play("a").play("a").over
    checked = rd.load(path).checked()
    line = FALSE_MEASURE.split("\n").index("    while n < 3 decreases x") + 1
    with pytest.raises(Fault, match=f"g.rules:{line}: the measure of the loop does not decrease"):
        checked.start().play("a")
    path.write_text(FALSE_MEASURE.replace("decreases x", "decreases 3 - n"), encoding="utf-8")
    assert rd.load(path).checked().start().play("a").play("a").play("a").over


def test_a_measure_of_two_parts(tmp_path: Path) -> None:
    """The first part that differs counts."""
    text = FALSE_MEASURE.replace("decreases x", "decreases x, 3 - n")
    checked = rd.load(saved(tmp_path, text)).checked()
    assert checked.playout(seed=1).over


@pytest.mark.parametrize("name", ["tikal", "tzolkin", "goofspiel", "mancala"])
def test_the_measures_of_shipped_games(name: str) -> None:
    game = rd.load(name)
    end = game.playout(seed=3, backend="python")
    assert game.checked().playout(seed=3, backend="python").scores() == end.scores()
