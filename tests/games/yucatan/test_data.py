"""Component data can be replaced: the file for it states all of it, and other values play."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.examples import Examples
from rules_dsl.cli.new import data
from rules_dsl.language.formatter import format_text
from rules_dsl.language.program import assemble
from rules_dsl.language.provenance import summary
from rules_dsl.language.sources import gather
from rules_dsl.language.syntax import Const, Example, Table


def test_the_file_for_printed_values(tmp_path: Path) -> None:
    path = tmp_path / "my_box.rules"
    text = data("my_box", "yucatan", assemble(gather("yucatan")))
    assert text.count("replace provisional row Face.") == 55
    assert format_text(text, str(path)) == text
    # Values have the names of their columns, which a comment lists with what can be written there.
    assert '    replace provisional row Face.st5 "ST5": capture_3 = 2\n' in text
    assert '"CR12": strength = 1, when = attacking, gives = strength,\n        amount = 1\n' in text
    assert "    # Reinforcement (reinforcements): level 1..3, face\n" in text
    assert "moving (the army moves)" in text
    path.write_text(text, encoding="utf-8")
    shipped = assemble(gather("yucatan")).of(Example)
    kept = assemble(gather(str(path))).of(Example)
    assert [e.title.value for e in kept] == [e.title.value for e in shipped]
    same = rd.load("yucatan", players=2).playout(seed=4)
    filled = rd.load(path, players=2).playout(seed=4)
    assert same.scores() == filled.scores()

    path.write_text(text.replace("provisional ", "printed "), encoding="utf-8")
    known = assemble(gather(str(path)))
    assert summary(known.of(Table), known.of(Const)) == ""


def test_other_values_play(tmp_path: Path) -> None:
    path = tmp_path / "other_box.rules"
    path.write_text(
        'variant other_box of yucatan "Another box"\n'
        '    replace printed row Face.st1 "ST1": 0, recruits = 1\n'
        '    replace row Face.cr11 "CR11": 1, when = for_corn, cost = 1,\n'
        "        gives = strength, amount = 4\n"
        '    replace row Card.sp12 "SP12" copies 3: special, sp12\n',
        encoding="utf-8",
    )
    game = rd.load(path, players=3)
    rng = random.Random(2)
    seen: set[str] = set()
    for seed in range(25):
        state = game.start(seed=seed)
        assert len(state["deck"]) == 25
        while not state.over:
            move = rng.choice(state.moves())
            seen.add(str(move))
            state = state.play(move)
    # The options of creatures that no row of the shipped data has.
    assert "pay for option 1 of CR11" in seen


LATE = """\
variant late_box of yucatan "What is bought in step 3"
    replace printed row Face.sp06 "SP06": 4, when = for_corn, cost = 2, gives = capture_3,
        amount = 2
    replace printed row Face.cr13 "CR13": 1, when = for_jade, cost = 1, gives = gain_points,
        amount = 4
    printed const clan_card_corn = 2

    example "Options for step 3 are bought after the clash, by the attacker first"
        players 2
        given stock[white].corn = 3
        given stock[green].jade = 1
        given every p in Player: army[p, first_warlord].warrior = 3
        given at[green, first_warlord] = red
        given cr13 in attached[green, first_warlord]
        given expiry[green, first_warlord] = 2
        given sp06_1 in hand[white]
        start lead(white, first_warlord)
        do "move to the red city", "play SP06 (1)", "play ST1 (green)"
        # 4 against 4 and 1: the attack is lost, and a warrior with it.
        expect prison[green].warrior = 1
        do "pay for option 1 of the card"
        expect prison[white].warrior = 0
        do "pay for option 1 of CR13"
        expect prison[white].warrior = 2
        expect points[green] = 4 and stock[green].jade = 0

    example "A card of the clan leader costs what is printed"
        players 2
        given stock[white].corn = 2
        start turn(white)
        do "activate the clan leader", "take a card", "draw SP12"
        expect stock[white].corn = 0

    example "Who cannot pay for a card is not offered one"
        players 2
        given stock[white].corn = 1
        start turn(white)
        do "activate the clan leader"
        refuse "take a card" because "costs 2 corn"
"""
ACTIONS = """\
variant action_box of yucatan "Abilities with actions"
    replace printed row Face.cl1 "CL1": deal = construct_deal, unit = 2, less = 1
    replace printed row Face.cl2 "CL2": when = for_corn, cost = 1, deal = city_deal
    replace printed row Face.cl3 "CL3": when = for_jade, cost = 1, deal = train_deal, unit = 3

    example "An ability builds at its own price, behind the gates of development"
        players 2
        given ability[white] = cl1
        given stock[white].jade = 1
        start turn(white)
        do "activate the clan leader", "take corn", "use the ability of the clan leader"
        refuse "raise the barracks to level 2" because "development marker"
        do "raise the barracks to level 1"
        expect level[white, barracks] = 1 and stock[white].jade = 0

    example "An ability trains for what it costs itself and for the price of the token"
        players 2
        given ability[white] = cl3
        given stock[white].jade = 1
        given stock[white].corn = 1
        start turn(white)
        do "activate the clan leader", "take corn", "use the ability of the clan leader"
        do "place RF11 in sector 1 of the second warlord"
        expect stock[white].jade = 0 and stock[white].corn = 0

    example "An ability activates a city where an army stands, without the jade of the entrance"
        players 2
        given ability[white] = cl2
        given at[white, first_warlord] = red
        given at[white, second_warlord] = blue
        given at[green, first_warlord] = yellow
        start turn(white)
        do "activate the clan leader", "take corn", "use the ability of the clan leader"
        refuse "activate the yellow city"
        do "activate the blue city", "take 1 jade of blue"
        expect stock[white].jade = 1 and stock[white].corn = 1

    example "Without an army in a city there is nothing to activate"
        players 2
        given ability[white] = cl2
        start turn(white)
        do "activate the clan leader", "take corn", "use the ability of the clan leader"
        do "activate the granary"
        expect stock[white].corn = 4
"""


@pytest.mark.parametrize("text", [LATE, ACTIONS], ids=["late", "actions"])
def test_what_other_boxes_do(text: str, tmp_path: Path) -> None:
    path = tmp_path / f"{text.split()[1]}.rules"
    path.write_text(text, encoding="utf-8")
    program = assemble(gather(str(path)))
    runner = Examples(program)
    own = [example for example in program.of(Example) if example.span.file == str(path)]
    assert len(own) == text.count("    example ")
    for example in own:
        result = runner.run_one(example)
        assert result.ok, f"{result.span}: {result.message}"
