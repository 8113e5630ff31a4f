"""Names, types and constants."""

from __future__ import annotations

import pytest

from rules_dsl.language.checker.typing_rules import int_add, int_div, int_mod, int_mul, int_sub
from rules_dsl.language.types import EnumType, IntType, OptionalType, SetType, bounds
from tests.language.programs import checked, codes, const, game


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 div 2", 3), ("-7 div 2", -4), ("7 mod 3", 1), ("-7 mod 3", 2), ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20), ("-(3)", -3), ("abs(-5)", 5), ("min(3, 4)", 3), ("max(3, 4)", 4),
        ("if 3 > 2 then 10 else 20", 10), ("players", 3), ("ord(plum)", 2), ("ord(cem)", 2),
        ("count(f in Fruit)", 3), ("count(f in Fruit where f > apple)", 2),
        ("sum(k in 1..4: k * k)", 30), ("max(k in 1..4: 10 - k)", 9), ("min(k in 1..4: 10 - k)", 6),
        ("sum(a1 in 1..3, b1 in 1..3 where a1 < b1: a1)", 4), ("max(k in 1..2 where k > 5: k)", 0),
        ("min(k in 1..2 where k > 5: k)", 3), ("ord(next(plum))", 0), ("ord(next(apple, -1))", 2),
        ("ord(next(ann, 5))", 2), ("if every k in 1..3: k > 0 then 1 else 0", 1),
        ("if some k in 1..3: k > 3 then 1 else 0", 0), ("if 3 > 2 implies 2 > 3 then 1 else 0", 0),
        ("count(f in Fruit from pear where f != pear)", 2),
    ],
)  # fmt: skip
def test_constants(expression: str, value: int) -> None:
    assert const(f"const a = {expression}") == (value,)


def test_constants_with_indices() -> None:
    assert const("const a[Fruit] = [3, 1, 2]") == (3, 1, 2)
    assert const("const a[k in 0..3] = k * k") == (0, 1, 4, 9)
    assert const("const a[0..1, Fruit] = [[1, 2, 3], [4, 5, 6]]") == (1, 2, 3, 4, 5, 6)
    assert const("const b[0..2] = [5, 6, 7]\nconst a = b[1] + b[2]") == (13,)
    assert const("const a[f in Fruit] = first(g in Fruit where g > f)") == (1, 2, -1)


def test_constants_use_tables_and_functions() -> None:
    table = """
table Card
    columns cost: 0..9, gems[Gem]: 0..3 = 1
    function worth(p: Player): 0..9 = ord(p)
    row one: 4
    row two: 5, [0, 2]
        worth = 7
"""
    assert const(table + "const a = two.cost + two.gems[opal] + one.gems[ruby]") == (8,)
    assert const(table + "const a = one.worth(cem) + two.worth(ann)") == (9,)
    assert const(table + "const a = sum(c in Card: c.cost)") == (9,)
    assert const("function f(n: 0..9): 0..9 = n + 1\nconst a = f(f(3))") == (5,)
    block = "function f(n: 0..9): 0..9\n    let m = n * 2\n    if m > 5\n        return 5\n"
    block += "    return m\n"
    assert const(block + "const a[k in 0..3] = f(k)") == (0, 2, 4, 5)


def test_options_are_constants() -> None:
    text = "option size: 3, 5 = 5\nruling who: first_one, last_one = last_one\n"
    text += "const a = size + ord(who)"
    assert const(text) == (6,)
    assert const(text, size=3, who="first_one") == (3,)
    text = "option open: bool = true\nconst a = if open then 1 else 2"
    assert const(text) == (1,)
    assert const(text, open=False) == (2,)


@pytest.mark.parametrize(
    ("a", "b"), [((-3, 4), (2, 5)), ((0, 9), (-2, 3)), ((-5, -1), (-4, -2)), ((7, 7), (1, 3))]
)
def test_ranges_of_arithmetic(a: tuple[int, int], b: tuple[int, int]) -> None:
    """The range of a result contains every result, and its ends are reached."""
    one, two = IntType(*a), IntType(*b)
    pairs = [(x, y) for x in range(a[0], a[1] + 1) for y in range(b[0], b[1] + 1)]
    for rule, results in (
        (int_add, [x + y for x, y in pairs]),
        (int_sub, [x - y for x, y in pairs]),
        (int_mul, [x * y for x, y in pairs]),
        (int_div, [x // y for x, y in pairs if y]),
    ):
        assert (rule(one, two).low, rule(one, two).high) == (min(results), max(results))
    remainder = int_mod(one, two)
    assert all(remainder.low <= x % y <= remainder.high for x, y in pairs if y)


def test_types_of_the_state() -> None:
    found, ctx = checked("state\n    lives[Player, 0..2]: -1..3 = 2\n    last: Fruit?")
    lives, last = found.variables["lives"], found.variables["last"]
    assert lives.initial == (2,) * 9
    assert isinstance(last.type, OptionalType)
    assert bounds(last.type) == (-1, 2)
    assert last.initial == (-1,)
    assert isinstance(found.variables["seen"].type, SetType)
    assert isinstance(ctx.player_type, EnumType)
    assert found.goods["coin"].limit == 20
    assert found.pools["store"].bank


def test_initial_values_by_formula() -> None:
    found, _ = checked("state\n    home[p in Player, f in Fruit]: 0..9 = ord(p) * 3 + ord(f)")
    assert found.variables["home"].initial == tuple(range(9))


@pytest.mark.parametrize(
    "declarations",
    [
        "function f(p: Player): bool = best = p and p != ann",
        "function f(p: Player): Player? = if p = ann then none else p",
        "function f(): Player = best",
        "function f(x: Fruit): bool = x in seen or x > apple",
        "function f(g: Gem): 0..5 = purse[ann][g] + store.ruby",
        "enum Tone: plum, pink\n\nfunction f(x: Tone): bool = x = plum",
        "enum Tone: plum, pink\n\nfunction f(x: Fruit): bool = plum = x",
        "state\n    here: Fruit = Fruit.pear",
        "procedure f()\n    var n: 0..9 = 3\n    n -= 1\n    points[ann] = n",
        "procedure f()\n    if best = ann\n        let a1 = 1\n    else\n        let a1 = 2",
        "action f(x: Fruit, n: 1..3) by p\n    require n > 1\n    let m = n + 1\n    points[p] = m",
        "invariant ok when players = 2\n    points[ann] >= 0",
    ],
)
def test_sound_declarations(declarations: str) -> None:
    assert codes(game(declarations)) == []


@pytest.mark.parametrize(
    ("declarations", "expected"),
    [
        ("function f(): bool = unknown", ["E0201"]),
        ("function f(): 0..9 = g()\n\nfunction g(): 0..9 = f()", ["E0403"]),
        ("procedure f()\n    let a1 = 1\n    let a1 = 2", ["E0214"]),
        ("function f(x: Fruit): bool = x + 1 = 2", ["E0307"]),
        ("invariant ok when points[ann] = 2\n    true", ["E0311"]),
        ("const a = b\nconst b = c\nconst c = a", ["E0402"]),
        ("procedure f()\n    move 1 ruby from best to store", ["E0323"]),
        ("procedure f()\n    draw g: Fruit from store", ["E0203"]),
        ("action f by p\n    choose p: f in Fruit\n    choose p: gain(n = 1)", ["E0214", "E0302"]),
    ],
)
def test_faulty_declarations(declarations: str, expected: list[str]) -> None:
    assert codes(game(declarations)) == expected


def test_errors_of_some_numbers_of_players_are_found() -> None:
    assert codes(game("procedure f()\n    points[cem] = 1")) == ["E0209"]


def test_an_example_is_checked_for_its_own_players() -> None:
    example = 'example "E"\n    players 2\n    given points[{}] = 3\n    expect points[ann] = 3'
    assert codes(game(example.format("ann"))) == []
    assert codes(game(example.format("cem"))) == ["E0209"]


def test_visibility_needs_an_owner() -> None:
    assert codes(game("state\n    mine[Player]: 0..3 visible to owner")) == []
    assert codes(game("state\n    mine[Fruit]: 0..3 visible to owner")) == ["E0415"]
