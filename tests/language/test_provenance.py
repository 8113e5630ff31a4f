"""Where values come from: printed, public, provisional, own."""

from __future__ import annotations

from rules_dsl.language.doubt import Doubt
from rules_dsl.language.program import Program, assemble
from rules_dsl.language.provenance import least_sure, of_cell, of_const, summary
from rules_dsl.language.sources import SourceSet
from rules_dsl.language.syntax import Const, Example, Table

GAME = """\
game guess "A guess"
    players 2

public const income = 4 "read in a forum"
const printed_price = 2

provisional table Card
    columns strength: 0..9, price: 0..9 = 1
    row spear: 4
    printed row shield: 2, provisional price = printed_price
    printed row bow: 3
    public row sling: 1

play
    end

scoring
    score p = income
"""
DECK = """\
game deck "A deck"
    players 2

table Effect
    columns strength: 0..9
    provisional row strong: 4
    row weak: 1
    row guess: provisional 2

table Card
    columns effect: Effect
    row ogre: strong
    row imp copies 2: guess
    row imp_lord copies 2: weak
    row mimic for each p in Player: guess

play
    end

scoring
    score p = 0
"""
VARIANT = """\
variant owners of guess "What my box says"
    printed const income = 5
    replace printed row Card.spear: 6
    replace row Card.sling: 2
"""


def program(variant: bool = False) -> Program:
    texts = {"guess.rules": GAME, "owners.rules": VARIANT}
    names = ["owners.rules"] if variant else []
    return assemble(SourceSet("guess.rules", {"guess.rules": []}, names, texts))


def rows(variant: bool = False) -> dict[str, str]:
    (table,) = program(variant).of(Table)
    return {row.name.name: least_sure(table, row) for row in table.rows}


def test_a_row_says_more_than_its_table_and_a_cell_more_than_its_row() -> None:
    assert rows() == {
        "spear": "provisional",
        "shield": "provisional",
        "bow": "printed",
        "sling": "public",
    }
    (table,) = program().of(Table)
    shield = table.rows[1]
    assert [of_cell(table, shield, cell) for cell in shield.cells] == ["printed", "provisional"]


def test_the_words_are_names_elsewhere() -> None:
    consts = {const.name.name: of_const(const) for const in program().of(Const)}
    assert consts == {"income": "public", "printed_price": "printed"}


def test_what_a_variant_writes_is_its_own_unless_it_says_more() -> None:
    assert rows(variant=True)["spear"] == "printed"
    assert rows(variant=True)["sling"] == "own"
    (income,) = (c for c in program(variant=True).of(Const) if c.name.name == "income")
    assert of_const(income) == "printed"


def test_a_summary_counts_what_is_not_printed() -> None:
    game = program()
    assert summary(game.of(Table), game.of(Const)) == (
        "2 provisional rows, 1 public row, 1 public constant"
    )
    changed = program(variant=True)
    assert summary(changed.of(Table), changed.of(Const)) == "1 provisional row, 1 own row"


EXAMPLES = """
provisional example "A spear"
    expect true

public example "A sling"
    expect true

example "Anything"
    expect true
"""


def titles(changes: str) -> list[str]:
    head = 'variant owners of guess "What my box says"\n'
    texts = {"guess.rules": GAME + EXAMPLES, "owners.rules": head + changes}
    game = assemble(SourceSet("guess.rules", {"guess.rules": []}, ["owners.rules"], texts))
    return [example.title.value for example in game.of(Example)]


def test_an_example_gives_way_to_other_values_of_what_it_relies_on() -> None:
    assert titles("    replace printed row Card.spear: 6\n") == ["A sling", "Anything"]
    assert titles("    row Card.shield.price = 7\n") == ["A sling", "Anything"]
    assert titles("    drop row Card.spear\n") == ["A sling", "Anything"]
    assert titles("    const income = 5\n") == ["A spear", "Anything"]
    both = "    replace printed row Card.spear: 6\n    replace printed row Card.sling: 2\n"
    assert titles(both) == ["Anything"]


def test_an_example_stays_where_its_values_stay() -> None:
    everything = ["A spear", "A sling", "Anything"]
    # The same values, known for certain; and a printed value, changed.
    assert titles("    replace printed row Card.spear: 4\n") == everything
    assert titles("    replace row Card.bow: 9\n") == everything
    assert titles("    const printed_price = 3\n") == everything


def test_the_examples_of_a_variant_are_about_its_own_values() -> None:
    own = '    replace row Card.spear: 6\n\n    provisional example "Own"\n        expect true\n'
    assert titles(own) == ["A sling", "Anything", "Own"]


def test_a_row_is_in_doubt_by_what_it_names() -> None:
    sources = SourceSet("deck.rules", {"deck.rules": []}, [], {"deck.rules": DECK})
    doubt = Doubt.of(assemble(sources))
    cards = ("ogre", "imp_1", "imp_2", "imp_lord_1", "mimic_p1")
    assert [doubt.about("Card", card) for card in cards] == [True, True, True, False, True]
    assert not doubt.about("Effect", "weak")
    assert doubt.about("Effect", "guess")
