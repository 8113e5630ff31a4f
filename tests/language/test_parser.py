"""From text to tree: precedence, positions, and recovery from errors."""

from __future__ import annotations

import pytest

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import Reporter
from rules_dsl.language.parser import parse_expression, parse_file
from rules_dsl.language.printer import expression_text
from tests.language.trees import one, parse, shape


def structure(text: str) -> str:
    """An expression with all its parentheses."""

    def show(node: s.Expr) -> str:
        match node:
            case s.Binary(op, left, right):
                return f"({show(left)} {op} {show(right)})"
            case s.Unary(op, operand):
                return f"({op} {show(operand)})"
            case s.IfExpr(condition, then, otherwise):
                return f"(if {show(condition)} then {show(then)} else {show(otherwise)})"
            case s.Quantifier(kind, _, body) if body is not None:
                return f"({kind} … {show(body)})"
            case s.Group(inner):
                return show(inner)
        return expression_text(node)

    return show(parse_expression("", text, 1, 1))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a * b div c mod d", "(((a * b) div c) mod d)"),
        ("-a + b", "((- a) + b)"),
        ("-a.b[c]", "(- a.b[c])"),
        ("a and b or c and d", "((a and b) or (c and d))"),
        ("not a and b", "((not a) and b)"),
        ("not a = b", "(not (a = b))"),
        ("a implies b implies c", "(a implies (b implies c))"),
        ("a or b implies c and d", "((a or b) implies (c and d))"),
        ("a + 1 < b * 2", "((a + 1) < (b * 2))"),
        ("a not in b", "(a not in b)"),
        ("if a then b else c or d", "(if a then b else (c or d))"),
        ("a and if b then c else d", "(a and (if b then c else d))"),
        ("every x in D: a and b", "(every … (a and b))"),
        ("every x in D: a implies b", "(every … (a implies b))"),
        ("a and some x in D: b or c", "(a and (some … (b or c)))"),
        ("(a or b) and c", "((a or b) and c)"),
        ("min(a, b) + max(c, d)", "((a min b) + (c max d))"),
        ("max(x in D: a) - 1", "((max … a) - 1)"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert structure(text) == expected


def test_spans_point_at_the_text() -> None:
    text = "const a = 1\n\nprocedure f(p: Player)\n    # why\n    points[p] = a + bc\n"
    procedure = parse(text).declarations[1]
    assert isinstance(procedure, s.Procedure)
    assign = procedure.body[0]
    assert isinstance(assign, s.Assign)
    assert isinstance(assign.value, s.Binary)
    span = assign.value.right.span
    assert (span.line, span.column, span.end_line, span.end_column) == (5, 21, 5, 23)
    assert str(span) == "test.rules:5:21"


def test_spans_inside_a_variant() -> None:
    variant = one("variant v of g\n    const a = 1\n    const bc = 23\n")
    assert isinstance(variant, s.Variant)
    change = variant.items[1]
    assert isinstance(change, s.SetConst)
    assert (change.const.name.span.line, change.const.name.span.column) == (3, 11)
    assert change.const.value.span.end_column == 18


def test_cites() -> None:
    const = one('const a = 1 [R 4 "A; B"; 5-6; Q "Only this"; Q 7, 9]\n')
    assert isinstance(const, s.Const)
    assert [(c.source, c.pages, c.heading) for c in const.cites] == [
        ("R", "4", "A; B"),
        ("R", "5-6", ""),
        ("Q", "", "Only this"),
        ("Q", "7, 9", ""),
    ]
    assert [str(c) for c in const.cites] == ["R p. 4 A; B", "R p. 5-6", "Q Only this", "Q p. 7, 9"]


def test_an_index_is_not_a_cite() -> None:
    const = one("const a[Fruit] = [1, 2, 3]\n")
    assert isinstance(const, s.Const)
    assert const.cites == ()
    assert len(const.index) == 1


def test_texts() -> None:
    label = one('label a "say \\"hi\\" \\\\ \\{x\\}" ru "да" de "ja"\n')
    assert isinstance(label, s.Label)
    assert label.text.value == 'say "hi" \\ \\{x\\}'
    assert label.text.translations == (("ru", "да"), ("de", "ja"))


def test_comments_are_no_part_of_strings() -> None:
    first = one('label a "# not a comment"  # a comment\n')
    assert isinstance(first, s.Label)
    assert first.text.value == "# not a comment"


def test_words_of_statements_may_be_names() -> None:
    """A word is reserved only where it means something."""
    tree = parse("state\n    row: 0..3\n    weight: 0..3\n    owner: 0..3\n    source: 0..3\n")
    assert len(tree.declarations) == 1


@pytest.mark.parametrize(
    ("loose", "tight"),
    [
        ("enum E: a,\n  b,\n  c\n", "enum E: a, b, c\n"),
        ("const a = (1\n+ 2)\n", "const a = (1 + 2)\n"),
        ("const a = f(1,\n\n\n  2)  # two\n", "const a = f(1, 2)\n"),
        ('const a = 1\n  "note"\n  [R 1]\n', 'const a = 1 "note" [R 1]\n'),
        ("procedure f()\n  if a\n    b()\n", "procedure f()\n    if a\n        b()\n"),
        ("procedure f()\n\n    # c\n\n    b()\n\n", "procedure f()\n    b()\n"),
        ("procedure f()\n    b\n", "procedure f()\n    b()\n"),
    ],
)
def test_layout_does_not_matter(loose: str, tight: str) -> None:
    assert shape(parse(loose)) == shape(parse(tight))


def test_the_other_declarations_of_a_faulty_file_are_read() -> None:
    text = "const a = 1\nconst b = = 2\nconst c = 3\nenmu D: x\nconst e = 5 [R 4 x]\nconst f = 6\n"
    reporter = Reporter()
    tree = parse_file("a.rules", text, reporter)
    names = [d.name.name for d in tree.declarations if isinstance(d, s.Const)]
    assert names == ["a", "c", "f"]
    assert [d.span.line for d in reporter.diagnostics] == [2, 4, 5]
    assert {"b", "D", "e"} <= tree.unread
    assert "c" not in tree.unread


def test_no_more_than_a_hundred_errors() -> None:
    reporter = Reporter()
    parse_file("a.rules", "const a = = 1\n" * 500, reporter)
    assert len(reporter.diagnostics) == 100


def test_the_same_error_is_reported_once() -> None:
    reporter = Reporter()
    tree = parse("const a = 1\n")
    for _ in range(3):
        reporter.error("E0201", "m", tree.declarations[0].span)
    assert len(reporter.diagnostics) == 1
