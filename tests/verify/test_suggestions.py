"""Invariants that are guessed from play, proved and printed as lines of a rule file."""

from __future__ import annotations

from pathlib import Path

import rules_dsl as rd
from verify.authoring.suggestions import suggest

RULES = """\
game carts
    players 2

good corn limit 10

state
    turns: 0..8 = 0
    at[Player]: 0..5
    left: 0..9 = 4
    flag[0..5]: bool = false
    flags: 0..9 = 0
    pool field holds 6 corn
    pool barn[Player] holds 2 corn

action go(to: 0..5) by p
    require every q in Player: at[q] != to "somebody is there"
    at[p] = to

action plant(n: 0..5) by p
    require not flag[n] "there is one"
    flag[n] = true
    flags += 1

action trade by p
    require barn[next(p)].corn > 0 "nothing to trade"
    move 1 corn from barn[next(p)] to barn[p]

setup
    for p in Player
        at[p] = ord(p)

play
    while turns < 8 decreases 8 - turns
        choose next(p1, turns): go, plant, trade
        turns += 1

scoring
    score p = barn[p].corn
"""


def test_invariants_are_guessed_and_proved(tmp_path: Path) -> None:
    path = tmp_path / "carts.rules"
    path.write_text(RULES)
    found = suggest(rd.load(path), games=30)
    by_name = {invariant.name: invariant for invariant in found.invariants}
    assert by_name["at_differ"].kind == "uniqueness"
    assert by_name["flags_counts_flag"].condition == "flags = count(i in 0..5 where flag[i])"
    assert by_name["corn_in_barn"].condition == "sum(i in Player: barn[i].corn) = 4"
    for name in ("at_differ", "flags_counts_flag", "corn_in_barn"):
        assert by_name[name].status == "PROVED"
    assert "# proved (uniqueness)\ninvariant at_differ" in found.text()
    # The lines can be pasted as they are.
    path.write_text(RULES + "\n" + found.text())
    pasted = rd.load(path)
    assert len(pasted.ir.invariants) == len(found.invariants)
    again = suggest(pasted, games=5, prove=False)
    assert not {invariant.name for invariant in again.invariants} & {"at_differ", "corn_in_barn"}


def test_what_is_not_proved_says_so() -> None:
    found = suggest(rd.load("pig", players=2), games=2, prove=False)
    invariants = found.text().split("\n\n")
    assert invariants
    for invariant in invariants:
        assert invariant.startswith(f"# not proved; held in {found.states} states of play (")


def test_what_is_stated_is_not_suggested() -> None:
    found = suggest(rd.load("mancala"), games=5, prove=False)
    stated = {i.name for i in rd.load("mancala").ir.invariants}
    assert not stated & {invariant.name for invariant in found.invariants}
    assert found.states > 50


def test_requirements_that_nothing_protects(tmp_path: Path) -> None:
    path = tmp_path / "carts.rules"
    path.write_text(RULES)
    found = suggest(rd.load(path), games=3, prove=False, requirements=True)
    assert "go" in {mutant.rule for mutant in found.unprotected}
    assert "# nothing protects: " in found.text()
