"""Variants: every kind of change, and changes that get in each other's way."""

from __future__ import annotations

import pytest

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program
from rules_dsl.language.checking import diagnose
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.printer import declaration_text
from rules_dsl.language.program import Program
from tests.language.programs import codes, game, program, sources

BASE = game(
    """
const price = 3 "coins" [R 4]
const scale[Fruit] = [1, 2, 3]

option open: bool = false
ruling rest: kept, lost = kept "What becomes of the rest?" [R 5]

table Card "cards"
    columns cost: 0..9
    procedure used(p: Player)
    row one "One": 1 [R 6]
        used
            points[p] += 1
    row two: 2

function worth(f: Fruit): 0..9 = scale[f]

invariant few "Few points" [R 7]
    every p in Player: points[p] < 50

example "Start"
    expect points[ann] = 0

waive progress turn "on purpose"
"""
)


def varied(*changes: str) -> Program:
    """The base game with one variant for each text of changes."""
    return program(BASE, *(variant(c, n) for n, c in enumerate(changes)))


def variant(changes: str, number: int = 0) -> str:
    body = "".join(f"    {line}\n" if line else "\n" for line in changes.strip("\n").split("\n"))
    return f"variant v{number} of small\n{body}"


def named(found: Program, name: str) -> s.Declaration:
    """The declaration of that name."""
    for declaration in found.declarations:
        if getattr(getattr(declaration, "name", None), "name", "") == name:
            return declaration
    raise AssertionError(name)


def text(found: Program, name: str) -> str:
    return declaration_text(named(found, name))


def test_constants() -> None:
    found = varied("const price = 5\nconst scale = [4, 5, 6]")
    assert text(found, "price") == 'own const price = 5 "coins" [R 4]'
    assert text(found, "scale") == "own const scale[Fruit] = [4, 5, 6]"
    assert found.touched["price"] == "constant changed"


def test_options_and_rulings() -> None:
    found = varied("option open = true\nruling rest = lost")
    option, ruling = named(found, "open"), named(found, "rest")
    assert isinstance(option, s.Option)
    assert isinstance(ruling, s.Option)
    assert (option.default.value, ruling.default.value) == ("true", "lost")


def test_starting_values_and_single_cells() -> None:
    found = varied("state points[q in Player] = ord(q)\nprinted row Card.two.cost = 7")
    assert text(found, "Card").split("\n")[-1] == "    row two: printed 7"
    (state,) = found.of(s.State)
    assert (
        declaration_text(state).split("\n")[1].startswith("    points[q in Player]: 0..50 = ord(q)")
    )
    assert found.touched["points"] == "start changed"
    checked, _ = check_program(found, 3, {"open": False, "rest": "kept"})
    assert checked.variables["points"].initial == (0, 1, 2)
    assert checked.tables["Card"].columns["cost"].values == (1, 7)


def test_amending_the_course_of_the_game() -> None:
    found = varied("amend play\n    before\n        best = ann\n    after\n        best = none")
    (play,) = (x for x in found.of(s.Section) if x.kind == "play")
    lines = declaration_text(play).split("\n")
    assert (lines[1], lines[-1]) == ("    best = ann", "    best = none")
    check_program(found, 3, {"open": False, "rest": "kept"})


def test_contents_of_pools_and_zones() -> None:
    base = (
        BASE
        + """
state
    zone deck of Card holds all
    zone hand of Card
"""
    )
    changes = (
        "pool purse holds 2 coin\nzone deck holds c where c != one\nzone hand holds c where c = one"
    )
    found = program(base, variant(changes))
    checked, _ = check_program(found, 3, {"open": False, "rest": "kept"})
    assert checked.pools["purse"].holds == {"coin": 2}
    assert codes(base, variant("zone purse holds all")) == ["E0511"]


def test_amending_requirements() -> None:
    found = varied('amend action lose\n    drop require "too much"\n    require open "closed"')
    assert text(found, "lose").split("\n")[1:3] == [
        '    require points[p] > 0 "you have nothing to lose"',
        '    require open "closed"',
    ]


def test_exceptions() -> None:
    found = varied(
        'amend action lose\n    except "in the open" when open\n'
        '    except "cem" to "too much" when p = cem'
    )
    action = named(found, "lose")
    assert isinstance(action, s.Action)
    first, second = action.body[:2]
    assert isinstance(first, s.Require)
    assert isinstance(second, s.Require)
    assert [label for label, _ in first.exceptions] == ["in the open"]
    assert [label for label, _ in second.exceptions] == ["in the open", "cem"]
    check_program(found, 3, {"open": False, "rest": "kept"})


def test_wrapping() -> None:
    found = varied(
        "amend action lose\n    before\n        best = p\n    after\n        best = none"
    )
    assert text(found, "lose").split("\n")[3:] == [
        "    best = p",
        "    points[p] -= 1",
        "    best = none",
    ]
    found = varied("amend procedure turn\n    after\n        best = p")
    assert text(found, "turn").split("\n")[-1] == "    best = p"


def test_replacing() -> None:
    found = varied(
        "replace function worth(f: Fruit): 0..9 = 1\n"
        "replace action gain by p\n    points[p] += 2\n"
        "replace scoring\n    score p = 1\n"
        "replace play\n    turn(bob)\n"
        "replace invariant few\n    true"
    )
    assert text(found, "worth") == "function worth(f: Fruit): 0..9 = 1"
    assert "+= 2" in text(found, "gain")
    assert [declaration_text(d) for d in found.of(s.Scoring)] == ["scoring\n    score p = 1"]
    assert [declaration_text(d) for d in found.of(s.Section)] == ["play\n    turn(bob)"]
    assert text(found, "few") == "invariant few\n    true"


def test_rows() -> None:
    found = varied("replace row Card.one: 7\nadd row Card.three: 3\ndrop row Card.two")
    assert text(found, "Card").split("\n")[3:] == [
        '    own row one "One": 7 [R 6]',
        "        used",
        "            points[p] += 1",
        "    own row three: 3",
    ]


def test_adding() -> None:
    found = varied(
        "add const extra = 1\nadd enum Colour: red, blue\nadd state\n    turns: 0..9\n"
        "add option fast: bool = false\nadd action third by p\n    turns = 1\n"
        "add option third when open to turn.main\n"
        'label apple "Apple"\nexample "New"\n    expect turns = 0'
    )
    assert "choose p as main: gain, lose, third when open" in text(found, "turn")
    assert found.labels["apple"].value == "Apple"
    assert [e.title.value for e in found.of(s.Example)] == ["Start", "New"]
    check_program(found, 3, {"open": False, "rest": "kept", "fast": False})


def test_dropping() -> None:
    found = varied(
        'drop invariant few\ndrop example "Start"\ndrop waive turn\n'
        "drop option lose from turn.main\ndrop action lose\ndrop function worth"
    )
    for kind in (s.Invariant, s.Example, s.Waive, s.Function):
        assert not list(found.of(kind))
    assert "choose p as main: gain" in text(found, "turn")


def test_an_example_that_no_longer_makes_sense() -> None:
    """Whoever changes a number is told which example to leave out."""
    base = BASE + '\nstate\n    coins: 0..price = 0\n\nexample "Rich"\n    given coins = 3\n'
    with pytest.raises(RuleError) as caught:
        check_program(program(base, variant("const price = 2")), 3, {"open": False, "rest": "kept"})
    (found,) = caught.value.diagnostics
    assert found.code == "E0309"
    assert 'drop example "Rich"' in found.hint
    sound = program(base, variant('const price = 2\ndrop example "Rich"'))
    check_program(sound, 3, {"open": False, "rest": "kept"})


def test_an_example_about_a_row_that_is_dropped() -> None:
    """That another row is called nearly the same is no help."""
    base = BASE + '\nexample "Say \\"one\\""\n    expect one.cost = 1\n'
    (found,) = diagnose(sources(base, variant("drop row Card.one\nadd row Card.once: 3")))
    assert found.code == "E0201"
    assert r'`drop example "Say \"one\""`' in found.hint
    assert "did you mean" not in found.hint


@pytest.mark.parametrize(
    ("place", "hint"),
    [
        ("procedure day()\n    choose ann as main: rest", "`drop option rest from day.main`"),
        (
            "action work by p\n    choose p as next_one: rest",
            "`drop option rest from work.next_one`",
        ),
        ("setup\n    choose ann as early: rest", "`drop option rest from setup.early`"),
        ("procedure day()\n    choose ann: rest", "replace `day` there too"),
    ],
)
def test_an_action_that_is_dropped_and_still_offered(place: str, hint: str) -> None:
    base = game(f"action rest by p\n    best = p\n\n{place}\n")
    (found,) = diagnose(sources(base, variant("drop action rest")))
    assert found.code == "E0210"
    assert found.hint.endswith(hint)


def test_a_variant_that_offers_what_it_drops() -> None:
    """Its own lines are not to be changed by a variant."""
    changes = "drop action lose\nreplace procedure turn(p: Player)\n    choose p as main: lose"
    (found,) = diagnose(sources(BASE, variant(changes)))
    assert found.code == "E0210"
    assert "drop option" not in found.hint


def test_a_variant_of_a_variant() -> None:
    found = varied("add const extra = 1", "replace function worth(f: Fruit): 0..9 = extra")
    assert [v.name.name for v in found.variants] == ["v0", "v1"]
    check_program(found, 2, {"open": False, "rest": "kept"})


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("const price = 4", "const price = 5"),
        ("option open = true", "option open = false"),
        ("ruling rest = lost", "ruling rest = lost"),
        ("replace function worth(f: Fruit): 0..9 = 1", "drop function worth"),
        ("replace row Card.one: 3", "drop row Card.one"),
        ("add row Card.three: 3", "add row Card.three: 4"),
        ("drop invariant few", "replace invariant few\n    true"),
        ("replace play\n    turn(bob)", "replace play\n    turn(cem)"),
        (
            'amend action lose\n    drop require "too much"',
            'amend action lose\n    drop require "too much"',
        ),
        ("add option gain to turn.main", "add option gain to turn.main"),
        (
            "replace action gain by p\n    points[p] = 1",
            "amend action gain\n    after\n        best = p",
        ),
    ],
)
def test_conflicts(one: str, two: str) -> None:
    """The same thing changed by two variants, or twice by one."""
    found = codes(BASE, variant(one), variant(two, 1))
    assert "E0510" in found or "E0514" in found
    found = codes(BASE, variant(one + "\n" + two))
    assert "E0510" in found or "E0514" in found


def test_changes_that_do_not_meet() -> None:
    assert codes(BASE, variant("const price = 4"), variant("const scale = [1, 1, 1]", 1)) == []
    amended = 'amend action lose\n    require open "closed"'
    again = "amend action lose\n    after\n        best = p"
    assert codes(BASE, variant(amended), variant(again, 1)) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ("const prize = 4", "E0511"),
        ("option shut = true", "E0511"),
        ("amend action win\n    before\n        best = p", "E0511"),
        ("amend procedure day\n    before\n        best = ann", "E0511"),
        ("replace row Card.ten: 3", "E0511"),
        ("replace row Cards.one: 3", "E0511"),
        ("add row Cards.one: 3", "E0511"),
        ("drop row Card.ten", "E0511"),
        ('drop example "End"', "E0511"),
        ("drop waive day", "E0511"),
        ("replace setup\n    points[ann] = 1", "E0511"),
        ("add option gain to day.main", "E0511"),
        ("add option gain to turn.night", "E0515"),
        ("drop option rest from turn.main", "E0515"),
        ("ruling rest = burnt", "E0512"),
        ("option rest = lost", "E0511"),
        ("add const price = 4", "E0202"),
        ("drop function worth\nconst price = worth(apple)", "E0201"),
        ("add row Card.one: 3", "E0202"),
    ],
)
def test_changes_of_nothing(changes: str, code: str) -> None:
    assert codes(BASE, variant(changes)) == [code]


def test_a_label_of_a_variant_counts() -> None:
    """Also where the value, the row or the good has a label in its own declaration."""
    found = varied('label apple "Pippin"\nlabel one "Uno"')
    _, ctx = check_program(found, 3, {"open": False, "rest": "kept"})
    labels = {
        name: label
        for kind in ctx.types.values()
        for name, label in zip(kind.values, kind.labels, strict=True)
    }
    assert (labels["apple"], labels["one"]) == ("Pippin", "Uno")
