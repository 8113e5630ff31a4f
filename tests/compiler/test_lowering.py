"""Lowering alone: the IR of small pieces of rules, as text.

The expected text is written by hand from the meaning of the rules, so that a failure points to
lowering and not to a back end or a proof.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from compiler.ir_text import module_text
from compiler.pipeline import to_ir
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather

MILL = """\
game mill
    players 2

good coin limit 5

state
    flour: 0..9 = 1
    sack[1..3]: 0..9
    pool chest bank
    pool purse[Player]

function heaviest(): 0..9 = max(i in 1..3: sack[i])

procedure fill(i: 1..3)
    sack[i] = min(9, sack[i] + 1)

procedure work(q: Player)
    let kept = flour
    choose q: n in 1..3 where sack[n] < 9
    fill(n)
    flour = kept
    choose q: grind, rest

action grind by p
    require flour > 0
    flour -= 1
    move 2 coin from chest to purse[p]

action rest by p
    flour = heaviest()

play
    for q in Player
        work(q)
    if flour > 3
        flour = 0
    else
        flour = 1

scoring
    score p = flour
"""

PARTS = {
    "indices count from zero, and a result is narrowed to its range": """\
        function heaviest(): 0..9
            = narrow(max(i in 1..3: sack[i - 1]), 0..9)
        """,
    "a value that cannot leave its range is not narrowed": """\
        routine fill(i: 1..3)
            sack[i - 1] := min(9, sack[i - 1] + 1)
        """,
    "a requirement is not part of what an action does, a move of goods is one transfer": """\
        routine action grind(p: 0..1)
            flour := narrow(flour - 1, 0..9)
            transfer 2 coin from chest[0] to purse[p, 0]
        """,
    "a procedure is cut at each decision; a local that outlives one lives in the state": """\
        procedure work(q: 0..1)
            locals kept: 0..9
          block 0:
            kept := flour
            decide by q
              n(n in 1..3): goto 1
                require sack[n - 1] < 9 "needs sack[n] < 9"
          block 1:
            do fill(n)
            flour := kept
            decide by q
              grind(): goto 3
                require 0 < flour "needs flour > 0"
              rest(): goto 4
          block 2:
            return
          block 3:
            do action grind(q)
            goto 2
          block 4:
            do action rest(q)
            goto 2
        """,
    "a loop around decisions counts its rounds; a branch without one stays a statement": """\
        procedure play()
            locals q_at: 0..2
          block 0:
            q_at := 0
            goto 1
          block 1:
            measure 2 - q_at
            if q_at <= 1 goto 2 else 4
          block 2:
            q := q_at
            call work(q), then goto 3
          block 3:
            q_at := q_at + 1
            goto 1 (round done)
          block 4:
            if 3 < flour
                flour := 0
            else
                flour := 1
            end
        """,
}


def lowered(folder: Path, text: str) -> str:
    """The IR without the places in the file."""
    path = folder / "mill.rules"
    path.write_text(text, encoding="utf-8")
    printed = module_text(to_ir(assemble(gather(str(path))), 2, {}))
    return "\n".join(line.partition("  # ")[0].rstrip() for line in printed.split("\n"))


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS.keys())
def test_what_a_piece_becomes(tmp_path: Path, part: str) -> None:
    assert dedent(part).strip() in lowered(tmp_path, MILL)


def test_a_local_that_is_not_read_again_is_not_kept(tmp_path: Path) -> None:
    forgotten = MILL.replace("    flour = kept\n", "    flour = 2\n")
    assert forgotten != MILL
    assert "locals kept" in lowered(tmp_path, MILL)
    assert "locals kept" not in lowered(tmp_path, forgotten)


def test_a_local_that_is_set_again_is_not_kept(tmp_path: Path) -> None:
    kept = MILL.replace("let kept = flour", "var kept: 0..9 = flour")
    again = kept.replace("    fill(n)\n", "    fill(n)\n    kept = 3\n")
    assert again != kept
    assert "locals kept" not in lowered(tmp_path, again)


def test_a_parameter_of_a_decision_is_kept_behind_the_next_one(tmp_path: Path) -> None:
    late = MILL.replace("    choose q: grind, rest\n", "    choose q: grind, rest\n    fill(n)\n")
    assert late != MILL
    printed = lowered(tmp_path, late)
    assert "locals kept: 0..9, n: 1..3" in printed


def test_a_loop_without_decisions_stays_a_loop(tmp_path: Path) -> None:
    plain = MILL.replace("        work(q)\n", "        fill(2)\n")
    assert plain != MILL
    printed = lowered(tmp_path, plain)
    assert "q_at" not in printed.partition("procedure play()")[2]
    assert "measure" not in printed.partition("procedure play()")[2]
