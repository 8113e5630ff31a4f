"""Differences between games: exactly what changed, with positions that show it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from tests.verify.fault_table import FAULTS
from verify.bisimulation import compare
from verify.differences import Diff, diff

MARKET = (FAULTS / "market.rules").read_text()


def market(tmp_path: Path, *replaced: tuple[str, str]) -> rd.Game:
    text = MARKET
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "market.rules"
    path.write_text(text)
    return rd.load(path)


def changes(found: Diff) -> list[tuple[str, str, str]]:
    return [(c.how, c.what, c.name) for c in found.changes]


@pytest.fixture
def original() -> rd.Game:
    return rd.load(FAULTS / "market.rules")


def test_a_game_does_not_differ_from_itself(original: rd.Game) -> None:
    found = diff(original, original)
    assert found.same
    assert found.equivalent


def test_a_constant_and_what_follows_from_it(original: rd.Game) -> None:
    found = diff(original, rd.load(FAULTS / "variant_breaks_a_law.bad.rules"))
    assert changes(found) == [("changed", "constant", "wage"), ("changed", "effect", "work")]
    assert (found.changes[0].before, found.changes[0].after) == ("2", "4")
    assert found.changes[1].via == ("wage",)
    witness = found.changes[0].witness
    assert witness is not None
    assert witness.moves == ("work",)
    assert original.replay(witness.records[0])["purse"][0]["coin"] == 2


def test_a_dropped_requirement(original: rd.Game) -> None:
    found = diff(original, rd.load(FAULTS / "variant_drops_a_requirement.bad.rules"))
    assert changes(found) == [("removed", "requirement", 'work "you are rich"')]
    witness = found.changes[0].witness
    assert witness is not None
    assert witness.kind == "legality"
    assert original.replay(witness.records[0])["purse"][0]["coin"] == 10


def test_everything_that_can_be_added(original: rd.Game, tmp_path: Path) -> None:
    other = market(
        tmp_path,
        ("action rest by p\n", "action rest by p\n\naction beg by p\n    rounds += 0\n"),
        ("work, rest", "work, rest, beg"),
        ("score p = purse[p].coin\n", "score p = purse[p].coin\n    tie most ord(p)\n"),
        ("invariant nobody", "invariant early\n    rounds <= 6\n\ninvariant nobody"),
        ("good coin", "good coin, gem"),
    )
    found = diff(original, other)
    assert {c[1:] for c in changes(found) if c[0] == "added"} == {
        ("good", "gem"), ("action", "beg"), ("tie", "most p"), ("invariant", "early"),
    }  # fmt: skip
    assert ("changed", "procedure", "turn") in changes(found)


def test_another_text_with_the_same_meaning_is_proved_equivalent(
    original: rd.Game, tmp_path: Path
) -> None:
    other = market(tmp_path, ("purse[p].coin <= 8", "not (purse[p].coin >= 9)"))
    found = diff(original, other, positions=3, games=0)
    assert changes(found) == [("changed", "requirement", 'work "you are rich"')]
    assert found.changes[0].equivalent
    assert found.equivalent


def test_small_games_are_compared_completely() -> None:
    game = rd.load("kuhn_poker")
    result = compare(game, game)
    assert result.equivalent
    assert result.positions == 58


def test_the_editions_of_tikal() -> None:
    one, two = rd.load("tikal@1999", players=3), rd.load("tikal@2018", players=3)
    found = diff(one, two, positions=40, games=1)
    assert changes(found) == [
        ("changed", "option", "edition"),
        ("changed", "function", "needs_member"),
        ("changed", "procedure", "setup"),
        ("added", "tie", "most highest_temple(p)"),
        ("added", "tie", "most treasures_of(p)"),
    ]
    by_name = {c.name: c for c in found.changes}
    witness = by_name["needs_member"].witness
    assert witness is not None
    assert witness.rule == "found_camp"
    # Who begins is drawn in both editions; only the reason differs.
    assert by_name["setup"].equivalent
