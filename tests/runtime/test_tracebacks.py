"""Where rules fail, the rule file is shown."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

import rules_dsl as rd
from compiler.pipeline import to_python
from compiler.python.link import link

FAULTY = """\
game faulty "Faulty"
    players 2

state
    x: 0..3 = 3
    pick: Player? = none
    seen[Player]: 0..3

action leap by p
    x += 2

action ask by p
    assert x < 3 "x is small"

action follow by p
    seen[pick] = 1

play
    choose p1: leap, ask, follow

scoring
    score p = x
"""


@pytest.fixture
def game(tmp_path: Path) -> rd.Game:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY)
    return rd.load(path)


@pytest.mark.parametrize(
    ("move", "line", "message"),
    [("leap", 10, "x is 5, outside 0..3"), ("ask", 13, "x is small"), ("follow", 16, "")],
)
def test_a_fault_names_its_line(game: rd.Game, move: str, line: int, message: str) -> None:
    with pytest.raises(rd.Fault) as caught:
        game.start(seed=1).play(move)
    assert f"faulty.rules:{line}: " in str(caught.value)
    assert message in str(caught.value)


def test_a_traceback_shows_the_rule(game: rd.Game) -> None:
    with pytest.raises(rd.Fault) as caught:
        game.start(seed=1).play("leap")
    shown = "".join(traceback.format_exception(caught.value))
    assert "faulty.rules" in shown
    assert "x += 2" in shown


def test_a_warm_traceback_shows_it_too(game: rd.Game) -> None:
    again = rd.load(game.origin.name)
    with pytest.raises(rd.Fault) as caught:
        again.start(seed=1).play("leap")
    assert "x += 2" in "".join(traceback.format_exception(caught.value))


def test_generated_functions_belong_to_rule_files() -> None:
    code = rd.load("tic_tac_toe").machine.code
    names = {f.__code__.co_filename for f in code.values() if hasattr(f, "__code__")}
    assert any(name.endswith("tic_tac_toe.rules") for name in names)


def functions(code: CodeType) -> Iterator[CodeType]:
    """All code that is defined in some code."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from functions(part)


def lines(code: CodeType) -> list[int | None]:
    """The line of every instruction."""
    return [line for start, end, line in code.co_lines() for _ in range(start, end, 2)]


@pytest.mark.parametrize("name", ["kuhn_poker", "tikal", "tzolkin"])
def test_every_instruction_has_the_line_of_its_rule(name: str) -> None:
    source = to_python(rd.load(name).ir)
    plain = compile(source.text, "<generated>", "exec")
    linked = link(source, name)
    texts = rd.load(name).origin.sources.texts

    def in_the_rules(line: int | None) -> int | None:
        return line and max(source.spans[line - 1].line, 1)

    seen: set[int | None] = set()
    for before, after in zip(functions(plain), functions(linked), strict=True):
        assert lines(after) == [in_the_rules(line) for line in lines(before)]
        assert (before.co_name, before.co_code) == (after.co_name, after.co_code)
        assert after.co_filename in texts or after.co_filename == f"<{name}>"
        seen.update(lines(after))
    assert len(seen) > 20
