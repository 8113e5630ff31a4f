"""What was proved is proved again only where something that the proof used has changed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler import ir
from verify.analysis import dependencies
from verify.proof.proof_keys import CheckedStep
from verify.proof.settings import STEPWISE
from verify.proof.step_checker import Checker
from verify.proof.step_parts import Start

RULES = """game mill
    players 2

const small = 1

enum Size
    little
    large

const price[Size] = [2, 3]

state
    flour[Player]: 0..30 = 0
    coins[Player]: 0..30 = 9
    turns: 0..8 = 0
    hands: 0..9 = 0

function cost(s: Size): 0..9 = price[s]

action grind by p
    require flour[p] <= 20 "the sacks are full"
    flour[p] += small
    choose p: again

action again by p
    hands = 0

action rest by p
    hands = 1

action buy(s: Size) by p
    require coins[p] >= 9 "too dear"
    coins[p] -= cost(s)
    choose p: again

play
    while turns < 8 decreases 8 - turns
        turns += 1
        choose next(p1, turns): grind, buy, again, rest

scoring
    score p = flour[p]

invariant few_turns
    turns <= 8
"""


# Beads are counted, pearls as well; only some rules depend on how many there are.
SHOP = """game shop
    players 2

const pearls = 9

good bead limit 9
good pearl limit pearls

state
    pool supply bank
    pool purse[Player]
    turns: 0..8 = 0
    shown: 0..9 = 0

action string by p
    require supply.bead > 0 "no beads left"
    move 1 bead from supply to purse[p]
    choose p: rest

action dive by p
    require supply.pearl > 0 "no pearls left"
    move 1 pearl from supply to purse[p]
    choose p: rest

action boast by p
    shown = purse[p].pearl
    choose p: rest

action rest by p
    shown = 0

action look by p
    shown = 1

play
    while turns < 8 decreases 8 - turns
        turns += 1
        choose next(p1, turns): string, dive, boast, rest, look

scoring
    score p = purse[p].pearl

invariant few_turns
    turns <= 8
"""


# What can be shown depends on an invariant about the coins; a nap does not.
BANK = """game bank
    players 2

const least = 3

state
    coins[Player]: 0..30 = 9
    turns: 0..8 = 0
    shown: 0..30 = 0

action show by p
    shown = coins[p] - 3
    choose p: rest

action nap by p
    shown = 0
    choose p: rest

action rest by p
    shown = 0

action wait by p
    shown = 1

action lose by p
    coins[p] = 5

play
    while turns < 8 decreases 8 - turns
        turns += 1
        choose next(p1, turns): show, nap, rest, wait, lose

scoring
    score p = coins[p]

invariant few_turns
    turns <= 8

invariant solvent
    every p in Player: coins[p] >= least

invariant sound
    least > 1
"""


class Mill:
    """A game in a file, with a note of the steps that had to be proved."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch, text: str = RULES) -> None:
        self.path = path
        self.text = text
        self.proved: list[tuple[str, ...]] = []
        original = Checker.check

        def noting(checker: Checker, start: Start) -> CheckedStep:
            checked = original(checker, start)
            self.proved.append(tuple(checked.followed))
            return checked

        monkeypatch.setenv("RULES_CACHE_DIR", str(path.parent / "cache"))
        monkeypatch.setattr(Checker, "check", noting)

    @property
    def rules(self) -> set[str]:
        """The rules that steps led through that had to be proved."""
        return {name for followed in self.proved for name in followed}

    def check(self, *changes: tuple[str, str]) -> verify.Report:
        text = self.text
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        self.path.write_text(text, encoding="utf-8")
        self.proved.clear()
        with ThreadPoolExecutor(1) as here:  # in this process, where it is noted
            return verify.run(rd.load(self.path), STEPWISE, executor=here)


@pytest.fixture
def mill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mill:
    return Mill(tmp_path / "mill.rules", monkeypatch)


def test_only_what_a_constant_touches(mill: Mill) -> None:
    assert mill.check().ok
    assert {"play", "action grind", "action buy"} <= mill.rules
    assert mill.check(("small = 1", "small = 2")).ok
    assert "action grind" in mill.rules
    assert "action buy" not in mill.rules
    # Both versions are kept next to each other.
    assert mill.check().ok
    assert mill.proved == []


def test_a_table_counts_where_a_function_reads_it(mill: Mill) -> None:
    assert mill.check().ok
    assert mill.check(("[2, 3]", "[2, 4]")).ok
    assert "action buy" in mill.rules
    assert "action grind" not in mill.rules


def test_where_rules_stand_does_not_matter(mill: Mill) -> None:
    assert mill.check().ok
    assert mill.check(("const small", "# smallest\n\n\nconst small")).ok
    assert mill.proved == []


def test_a_changed_invariant_is_proved_where_it_is_touched(mill: Mill) -> None:
    assert mill.check().ok
    first = sorted(mill.proved)  # every step leads to another turn
    report = mill.check(("    turns <= 8", "    turns <= 7"))
    assert sorted(mill.proved) == first
    assert {r.subject for r in report.results if r.fails_itself} == {"few_turns"}


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mill:
    return Mill(tmp_path / "bank.rules", monkeypatch, BANK)


def test_an_invariant_counts_where_it_is_used(bank: Mill) -> None:
    assert bank.check().ok
    assert {"action show", "action nap"} <= bank.rules
    assert bank.check(("least = 3", "least = 4")).ok
    assert "action show" in bank.rules
    assert "action nap" not in bank.rules


def test_an_invariant_that_says_too_little_is_noticed(bank: Mill) -> None:
    assert bank.check().ok
    report = bank.check(("least = 3", "least = 2"))
    assert {(r.obligation, r.rule) for r in report.results if r.fails_itself} == {
        ("safety", "show")
    }


def test_what_is_known_counts_where_it_is_used(bank: Mill) -> None:
    """Nobody loses coins here, so that how many there are is known without an invariant."""
    always = ("    coins[p] = 5", "    shown = 2")
    assert bank.check(always).ok
    assert bank.check(always, ("= 9", "= 8")).ok
    assert "action show" in bank.rules
    report = bank.check(always, ("= 9", "= 2"), ("least = 3", "least = 2"))
    assert {(r.obligation, r.rule) for r in report.results if r.fails_itself} == {
        ("safety", "show")
    }


def test_a_dropped_invariant_leaves_what_did_not_use_it(bank: Mill) -> None:
    assert bank.check().ok
    dropped = ("invariant solvent\n    every p in Player: coins[p] >= least\n", "")
    report = bank.check(dropped, ("coins[p] - 3", "max(0, coins[p] - 3)"))
    assert report.ok
    assert "solvent" not in {r.subject for r in report.results}
    assert "action show" in bank.rules
    assert "action nap" not in bank.rules
    # The invariant comes back, and with it everything that it says.
    report = bank.check(("    coins[p] = 5", "    coins[p] = 2"))
    assert {(r.obligation, r.subject) for r in report.results if r.fails_itself} == {
        ("invariant", "solvent")
    }


def test_an_invariant_that_now_reads_more_is_proved_everywhere(bank: Mill) -> None:
    assert bank.check().ok
    first = sorted(bank.proved)
    report = bank.check(("    turns <= 8", "    turns <= 8 and shown < 7"))
    assert sorted(bank.proved) == first
    assert {r.subject for r in report.results if r.fails_itself} == {"few_turns"}


def test_nothing_is_kept_that_a_false_invariant_proved(bank: Mill) -> None:
    without = ("invariant solvent\n    every p in Player: coins[p] >= least\n", "")
    report = bank.check(without, ("least > 1", "least > 7"))
    assert {r.subject for r in report.results if r.fails_itself} == {"sound"}
    report = bank.check(without)
    assert {(r.obligation, r.rule) for r in report.results if r.fails_itself} == {
        ("safety", "show")
    }


def test_a_lost_requirement_is_noticed(mill: Mill) -> None:
    assert mill.check().ok
    report = mill.check(('    require coins[p] >= 9 "too dear"\n', ""))
    assert {(r.obligation, r.rule) for r in report.results if r.fails_itself} == {("safety", "buy")}


def test_a_damaged_entry_is_proved_again(mill: Mill) -> None:
    assert mill.check().ok
    first = sorted(mill.proved)
    for file in (mill.path.parent / "cache" / "proofs").glob("*.bin"):
        file.write_bytes(file.read_bytes()[:-9])
    assert mill.check().ok
    assert sorted(mill.proved) == first


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mill:
    return Mill(tmp_path / "shop.rules", monkeypatch, SHOP)


def test_how_many_there_are_counts_where_it_is_used(shop: Mill) -> None:
    assert shop.check().ok
    assert {"action string", "action dive", "action boast"} <= shop.rules
    assert shop.check(("pearls = 9", "pearls = 8")).ok
    assert "action boast" in shop.rules


def test_too_many_are_noticed(shop: Mill) -> None:
    """What was proved because there are few pearls does not hold if there are more."""
    assert shop.check().ok
    report = shop.check(("pearls = 9", "pearls = 10"))
    assert {(r.obligation, r.rule) for r in report.results if r.fails_itself} == {
        ("safety", "boast")
    }


INVARIANTS = [
    (name, invariant)
    for name in ("connect_four", "kuhn_poker", "mancala", "tic_tac_toe")
    for invariant in (invariant.name for invariant in rd.load(name).ir.invariants)
]


@pytest.mark.parametrize(("name", "invariant"), INVARIANTS)
def test_without_an_invariant_kept_proofs_are_as_good_as_new_ones(
    name: str, invariant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "changed.rules"
    path.write_text(
        f"variant lawless of {name}\n    drop invariant {invariant}\n", encoding="utf-8"
    )

    def verdicts(game: rd.Game, fresh: bool = False) -> dict[tuple[str, str, str], str]:
        report = verify.run(game, STEPWISE, jobs=1, effort="low", fresh=fresh)
        return {(r.obligation, r.subject, r.rule): r.status for r in report.results}

    verdicts(rd.load(name))
    game = rd.load(path)
    kept = verdicts(game)
    assert kept == verdicts(game, fresh=True)
    assert invariant not in {subject for _, subject, _ in kept}


WALK = """game walk
    players 2

const behind[0..2] = [1, 2, 0]

relation path on a in 0..2
    to behind[a] as b where a < 9 costs 1

state
    turns: 0..3 = 0
    walked: 0..9 = 0

play
    while turns < 3 decreases 3 - turns
        turns += 1
        choose p1: n in 0..2
        walked = steps from 0 to 2 by path within 5
        assert walked = 2

scoring
    score p = walked
"""


@pytest.mark.parametrize(
    "change", [("costs 1", "costs a + 1"), ("a < 9", "a != 1"), ("to behind[a]", "to a")]
)
def test_a_changed_relation_is_noticed(
    change: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk = Mill(tmp_path / "walk.rules", monkeypatch, WALK)
    assert walk.check().ok
    report = walk.check(change)
    assert {(r.obligation, r.status) for r in report.results if r.fails_itself} == {
        ("safety", "REFUTED")
    }
    assert report.contradictions == []
    assert walk.check().ok and walk.proved == []


def test_a_key_that_leaves_out_relations_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definitions = dependencies._definitions

    def without_relations(module: ir.Module) -> Iterator[tuple[str, object]]:
        return ((n, d) for n, d in definitions(module) if not isinstance(d, ir.Relation))

    monkeypatch.setattr(dependencies, "_definitions", without_relations)
    walk = Mill(tmp_path / "walk.rules", monkeypatch, WALK)
    assert walk.check().ok
    report = walk.check(("costs 1", "costs a + 1"))
    assert not any(r.fails_itself for r in report.results) or report.contradictions
