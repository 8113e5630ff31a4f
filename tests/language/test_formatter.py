"""The canonical layout: stable, complete, within 100 columns."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.formatter import format_text
from rules_dsl.language.printer import declaration_text, expression_text, statement_text, type_text
from rules_dsl.language.spans import NOWHERE
from rules_dsl.language.syntax import (
    Binary,
    Const,
    Function,
    IfExpr,
    IntLit,
    Name,
    Procedure,
    StateVar,
)
from rules_dsl.language.syntax import State as StateDeclaration
from tests.language.every_construct import EVERYTHING, VARIANT
from tests.language.trees import one, parse, shape

GAMES = Path(__file__).resolve().parents[2] / "games"
SHIPPED = sorted(GAMES.rglob("*.rules"))


def comments(text: str) -> list[str]:
    """Everything behind a `#`; the shipped files have none inside a string."""
    return sorted(line.split("#", 1)[1].strip() for line in text.split("\n") if "#" in line)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: str(p.relative_to(GAMES)))
def test_shipped_files_are_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text, str(path)) == text


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: str(p.relative_to(GAMES)))
def test_any_layout_comes_out_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = format_text(text)
    assert shape(parse(once)) == shape(parse(text))
    assert comments(once) == comments(text)
    # Wider gaps, deeper indentation and more blank lines change nothing.
    loose = "\n".join(
        "  " * (len(line) - len(line.lstrip())) + line.lstrip() + "  "
        for line in once.replace("\n\n", "\n\n\n").split("\n")
    )
    assert format_text(loose) == once


def check(before: str, after: str) -> None:
    """A text is formatted as expected, and again gives itself."""
    expected = dedent(after).lstrip("\n")
    assert format_text(dedent(before).lstrip("\n")) == expected
    assert format_text(expected) == expected


def test_spacing() -> None:
    check(
        "const  a=1+2*( 3-x )\nstate\n  b [ Player,0 .. 3 ]:0..5=0\n",
        """
        const a = 1 + 2 * (3 - x)

        state
            b[Player, 0..3]: 0..5 = 0
        """,
    )


def test_the_older_word_of_a_contract_is_replaced() -> None:
    text = "procedure rest(p: Player)\n    requires day > 0\n    day -= 1\n"
    assert format_text(text) == text.replace("requires", "assumes")


def test_comments_stay_where_they_are() -> None:
    check(
        """
        # The file.

        # The constant.
        const a = 1#behind
        procedure p()   # the procedure
          # First.
          x = 1


          # Second.
          if y
              z()
              # Inside, at the end.
          # After the block.
          x = 2
          # At the end of the procedure.
        # Of what follows.
        procedure q()
            x = 3
        # The last word.
        """,
        """
        # The file.

        # The constant.
        const a = 1  #behind

        procedure p()  # the procedure
            # First.
            x = 1

            # Second.
            if y
                z()
                # Inside, at the end.
            # After the block.
            x = 2
            # At the end of the procedure.

        # Of what follows.
        procedure q()
            x = 3
        # The last word.
        """,
    )


def test_comments_inside_brackets_keep_the_lines() -> None:
    check(
        """
        state
          a: 0..1
        const c[0..1] = [
            1,   # one
               # two follows
            2]  # end
        """,
        """
        state
            a: 0..1

        const c[0..1] = [
            1,   # one
               # two follows
            2]  # end
        """,
    )


def test_one_line_declarations_stay_together() -> None:
    check(
        "const a = 1\nconst b = 2\n\n\nconst c = 3\nplay\n    end\nconst d = 4\n",
        """
        const a = 1
        const b = 2

        const c = 3

        play
            end

        const d = 4
        """,
    )


def test_lists_keep_their_rows() -> None:
    check(
        "const m[0..1, 0..1] = [[1, 2],\n  [3, 4]]\nconst n[0..3] = [1, 2,\n 3, 4]\n",
        """
        const m[0..1, 0..1] = [
            [1, 2],
            [3, 4]]
        const n[0..3] = [
            1, 2,
            3, 4]
        """,
    )


def test_long_lines_are_broken() -> None:
    check(
        """
        function abundance(p: Player, q: Player): bool = stock[p].maize > stock[q].maize and stock[p].wood > stock[q].wood
        action give(q: Player, n: 1..9) by p "give {n} maize to {q}" [R 12 "Gifts among players"; R 13 "Favours of the gods"; R 14]
            require stock[p].maize >= n "you have {stock[p].maize} maize, which is fewer than the {n} you promised"
            choose p as thanks: accept_the_gift(n = n), decline_the_gift(n = n), return_half(n = n), leave_it
        """,  # noqa: E501
        """
        function abundance(p: Player, q: Player): bool = (
            stock[p].maize > stock[q].maize and stock[p].wood > stock[q].wood)

        action give(q: Player, n: 1..9) by p "give {n} maize to {q}"
                [R 12 "Gifts among players"; R 13 "Favours of the gods"; R 14]
            require stock[p].maize >= n
                "you have {stock[p].maize} maize, which is fewer than the {n} you promised"
            choose p as thanks: accept_the_gift(n = n), decline_the_gift(n = n), return_half(n = n),
                leave_it
        """,
    )


def test_needless_parentheses_go() -> None:
    check("const a = (1 + 2)\n", "const a = 1 + 2\n")
    check("const a = (if b then 1 else 2)\n", "const a = (if b then 1 else 2)\n")


def test_an_empty_file() -> None:
    assert format_text("") == ""
    assert format_text("\n\n  \n") == ""
    assert format_text("#  only this \n\n") == "#  only this\n"


def test_line_ends_and_byte_order_mark() -> None:
    assert format_text("\ufeffconst a = 1\r\nconst b = 2\r\n") == "const a = 1\nconst b = 2\n"


def test_errors_are_reported() -> None:
    with pytest.raises(RuleError) as caught:
        format_text("const a =\nconst b = 2 2\n", "bad.rules")
    assert [d.span.line for d in caught.value.diagnostics] == [1, 2]
    assert "bad.rules:1" in str(caught.value)


@pytest.mark.parametrize("text", [EVERYTHING, VARIANT], ids=["game", "variant"])
def test_every_construct(text: str) -> None:
    assert format_text(text) == text


def test_contracts() -> None:
    check(
        """
        table T
            procedure go( p :Player )  # behind
                assumes row . age>1   # the row
                # What was.
                ensures  v<before( v+row.age )
                decreases v
                for  e in E
                    # Kept.
                    keeps v<9
                    keeps   e in u
                    v=1
            row t1
        action act by p
            ensures v>before(v)#more
            require v<9
            v+=1
        """,
        """
        table T
            procedure go(p: Player)  # behind
                assumes row.age > 1  # the row
                # What was.
                ensures v < before(v + row.age)
                decreases v
                for e in E
                    # Kept.
                    keeps v < 9
                    keeps e in u
                    v = 1
            row t1

        action act by p
            ensures v > before(v)  #more
            require v < 9
            v += 1
        """,
    )


def test_printing_without_a_source() -> None:
    def name(text: str) -> Name:
        return Name(text, span=NOWHERE)

    def binary(op: str, left: object, right: object) -> Binary:
        return Binary(op, left, right, span=NOWHERE)  # type: ignore[arg-type]

    a, b, c = name("a"), name("b"), name("c")
    assert expression_text(binary("*", binary("+", a, b), c)) == "(a + b) * c"
    assert expression_text(binary("-", a, binary("-", b, c))) == "a - (b - c)"
    assert expression_text(binary("and", binary("or", a, b), c)) == "(a or b) and c"
    choice = IfExpr(a, b, c, span=NOWHERE)
    assert expression_text(binary("and", choice, a)) == "(if a then b else c) and a"
    assert expression_text(binary("and", a, choice)) == "a and if a then b else c"
    assert expression_text(binary("*", a, IntLit(-1, span=NOWHERE))) == "a * -1"


def test_printing_parts() -> None:
    procedure = one("procedure p()\n    if a\n        b()\n")
    assert isinstance(procedure, Procedure)
    assert statement_text(procedure.body[0]) == "if a\n    b()"
    assert declaration_text(procedure) == "procedure p()\n    if a\n        b()"
    state = one("state\n    a: set of Player\n")
    assert isinstance(state, StateDeclaration)
    assert isinstance(state.items[0], StateVar)
    assert type_text(state.items[0].type) == "set of Player"


def test_a_line_goes_on_behind_a_comma_or_before_a_text() -> None:
    const = one('const a = 1\n    "note"\n    [R 1;\n    R 2]\n')
    assert isinstance(const, Const)
    assert const.note is not None
    assert len(const.cites) == 2
    function = one("function f(p: Player): bool = (\n    p = a)\n    [R 1]\n")
    assert isinstance(function, Function)
    assert len(function.cites) == 1
    assert shape(parse("enum E: a,\n    b,\n  c\n")) == shape(parse("enum E: a, b, c\n"))


# ---- nothing is lost -----------------------------------------------------------------------------

FRAME = "game g\n    players 2\n\nstate\n    x: 0..9\n\nplay\n{}\nscoring\n    score p = x\n"
LONG = " + ".join(["x"] * 40)


def nested(depth: int, step: int = 4) -> str:
    """Blocks in blocks, and a long line in the innermost one."""
    lines = [" " * (step * d) + f"if x = {d % 9}" for d in range(1, depth)]
    return "\n".join([*lines, " " * (step * depth) + f"x = min(9, {LONG})"]) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        *(FRAME.format(nested(depth)) for depth in (10, 30, 38, 39, 40)),
        FRAME.format("    end\n") + f'\nexample "a"\n    expect scores p1 {LONG}, p2 {LONG}\n',
        FRAME.format("    end\n") + f'\nexample "a"\n    expect scores p1 1, p2 {LONG}\n',
    ],
)
def test_long_and_deep_lines_stay_what_they_are(text: str) -> None:
    once = format_text(text)
    assert shape(parse(once)) == shape(parse(text))
    assert format_text(once) == once


def test_a_file_that_cannot_be_laid_out_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A printer that makes a mistake changes no file."""
    from click.testing import CliRunner

    from rules_dsl.cli import rules
    from rules_dsl.language import formatter

    path = tmp_path / "g.rules"
    text = FRAME.format("  end\n")
    path.write_text(text, encoding="utf-8")
    real = formatter._printed
    for wrong in ("1..9", "0..9 ="):
        monkeypatch.setattr(formatter, "_printed", lambda *a, w=wrong: real(*a).replace("0..9", w))
        result = CliRunner().invoke(rules, ["fmt", str(path)])
        assert result.exit_code == 2
        assert "it was left as it is" in result.output
        assert path.read_text(encoding="utf-8") == text
