"""Component data can be replaced: the file for it states all of it, and other values play."""

from __future__ import annotations

import random
from pathlib import Path

import rules_dsl as rd
from rules_dsl.cli.new import data
from rules_dsl.language.formatter import format_text
from rules_dsl.language.program import assemble
from rules_dsl.language.provenance import summary
from rules_dsl.language.sources import gather
from rules_dsl.language.syntax import Const, Table


def test_the_file_for_printed_values(tmp_path: Path) -> None:
    path = tmp_path / "my_box.rules"
    text = data("my_box", "yucatan", assemble(gather("yucatan")))
    assert text.count("replace provisional row Face.") == 55
    assert format_text(text, str(path)) == text
    path.write_text(text, encoding="utf-8")
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
    assert "pay for the option of CR11" in seen
