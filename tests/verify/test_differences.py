"""Differences between games: exactly what changed, with positions that show it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rules_dsl as rd
from rules_dsl.cli.game_argument import GameChoice
from rules_dsl.cli.shared_configurations import shared_configurations
from tests.verify.fault_table import FAULTS
from verify.compare.bisimulation import compare
from verify.compare.changes import Diff
from verify.compare.differences import diff

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
    found = diff(original, rd.load(FAULTS / "variant_breaks_an_invariant.bad.rules"))
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
        ("good", "gem"),
        ("action", "beg"),
        ("tie", "most ord(p)"),
        ("invariant", "early"),
    }
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


TIES = "score p = purse[p].coin\n    tie most ord(p)\n    tie fewest purse[p].coin\n"


@pytest.mark.parametrize("added", [True, False])
def test_a_tie_break_that_decides(original: rd.Game, tmp_path: Path, added: bool) -> None:
    other = market(tmp_path, ("score p = purse[p].coin\n", TIES))
    one, two = (original, other) if added else (other, original)
    found = diff(one, two)
    how = "added" if added else "removed"
    assert changes(found) == [(how, "tie", "most ord(p)"), (how, "tie", "fewest purse[p].coin")]
    witness = found.changes[0].witness
    assert witness is not None
    assert witness.kind == "score"
    assert one.replay(witness.records[0]).scores() == two.replay(witness.records[1]).scores()
    assert one.replay(witness.records[0]).winners() != two.replay(witness.records[1]).winners()
    # Whoever is level in coins is level in coins: the second tie-break can never decide.
    assert found.changes[1].witness is None
    assert "neither a position that shows it nor a proof was found" in found.text()


def test_a_difference_is_put_down_to_the_rule_that_makes_it(tmp_path: Path) -> None:
    """Both functions show in the same move; each gets a position of its own."""
    rules = tmp_path / "two.rules"
    rules.write_text(TWO_FUNCTIONS)
    old, new = (rd.load(rules, options={"late": late}) for late in (False, True))
    found = diff(old, new)
    witnesses = {c.name: c.witness for c in found.of("function")}
    assert set(witnesses) == {"bonus", "begins"}
    assert witnesses["bonus"] is not None and witnesses["begins"] is not None
    assert witnesses["bonus"].kind == "outcome"
    assert witnesses["begins"].kind == "turn"


TWO_FUNCTIONS = """game two_functions "Two functions"
    players 2

option late: bool = false

state
    got: 0..40 = 0
    rounds: 0..6 = 0

function bonus(): 0..2 = if late and rounds = 2 then 2 else 1
function begins(): Player = if late and rounds = 4 then next(first_player()) else first_player()
function first_player(): Player = first(p in Player)

action take by p
    got += bonus()

action rest by p

play
    while rounds < 5 decreases 5 - rounds
        rounds += 1
        choose begins(): take, rest

scoring
    score p = got
"""


def test_forms_that_nobody_asked_for(tmp_path: Path) -> None:
    rules = tmp_path / "forms.rules"
    rules.write_text(FORMS)
    asked = [GameChoice(f"{rules}@edition={e}") for e in ("old", "new")]
    assert [configuration.name for configuration in shared_configurations(*asked)] == [
        "",
        "long=true",
        "3 players",
        "3 players, long=true",
    ]
    named = [GameChoice(f"{rules}@edition={e},long=false", 3) for e in ("old", "new")]
    assert [configuration.name for configuration in shared_configurations(*named)] == [""]

    done = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "diff", f"{rules}@old", f"{rules}@new"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "with long=true: changed function gain (through edition): 9 → 8" in done.stdout
    assert "with 3 players" not in done.stdout


FORMS = """game forms "Forms"
    players 2..3

option edition: old, new = old
option long: bool = false
ruling silent: one, two = one "?"

state
    got: 0..90 = 0

function gain(): 0..9 = if long then (if edition = old then 9 else 8) else 5

action take by p
    got += gain()

play
    for p in Player
        choose p: take

scoring
    score p = got
"""


TOLD = """game told
    players 2

state
    a[0..3]: 0..9 = 0
    rounds: 0..5 = 0
    own[Player]: 0..3 = 1 visible to owner

function far(n: 0..3): 0..9 = a[min(3, n + 1)]

action step(n: 0..3) by p
    require a[min(3, n + 1)] = 0 "no"
    rounds += 0
    reveal own[p]

action rest by p
    rounds += 0

play
    while rounds < 3 decreases 3 - rounds
        rounds += 1
        choose p1: step, rest
        choose p1 as late: n in 0..2
        a[n] = far(n)

scoring
    score p = a[0]
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= a[min(3, n + 1)]", "= a[n + 1]"),  # it has no value for 3, though nobody asks
        ("require a[min(3, n + 1)]", "require a[n + 1]"),
        ("reveal own[p]", "rounds += 0"),
        ("reveal own[p]", "reveal own[p] to p"),
        ("reveal own[p]", "reveal own[p] + 1"),
        ("reveal own[p]", "reveal 0 + own[p]"),  # the log then does not say whose it is
        ("p1 as late", "p1 secretly as late"),
        ("1 visible to owner", "1 hidden"),
    ],
)
def test_what_faults_or_shows_something_else_is_not_the_same(
    old: str, new: str, tmp_path: Path
) -> None:
    games = []
    for name, text in (("one", TOLD), ("two", TOLD.replace(old, new))):
        (tmp_path / f"{name}.rules").write_text(text)
        games.append(rd.load(tmp_path / f"{name}.rules"))
    # All positions are seen, or hardly any: then only a proof can tell.
    for positions in (2_000, 3):
        found = diff(games[0], games[1], positions=positions, games=2)
        nobody_asks = new == "= a[n + 1]" and positions == 2_000
        assert found.equivalent == nobody_asks


def test_what_is_shown_in_another_way_is_the_same(tmp_path: Path) -> None:
    games = []
    for name, new in (("one", "reveal own[p]"), ("two", "reveal own[next(next(p))]")):
        (tmp_path / f"{name}.rules").write_text(TOLD.replace("reveal own[p]", new))
        games.append(rd.load(tmp_path / f"{name}.rules"))
    assert diff(games[0], games[1], positions=3, games=2).equivalent


def test_rules_of_another_game_are_not_tried_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games with little in common are no versions of each other."""

    def tried(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("verify.compare.evidence.with_one_change", tried)
    found = diff(rd.load("pig"), rd.load("kuhn_poker"))
    assert not found.equivalent
    assert found.changes


def test_variables_are_told_by_their_types(tmp_path: Path) -> None:
    rules = tmp_path / "walk.rules"
    rules.write_text(WALK)
    variant = tmp_path / "far.rules"
    variant.write_text(
        "variant far of walk\n    state at = north\n    state seen = [south]\n    state k = 2\n"
    )
    found = diff(rd.load(rules), rd.load(variant))
    told = {c.name: (c.before, c.after) for c in found.changes if c.what == "state"}
    assert told == {
        "at": ("Bay, starts as south", "Bay, starts as north"),
        "seen": ("set of Bay, starts empty", "set of Bay, starts with some"),
        "k": ("0..3, starts at 0", "0..3, starts at 2"),
    }


WALK = """\
game walk
    players 2
    source R "rules"

enum Bay: north, south

state
    at: Bay = south
    seen: set of Bay
    k: 0..3

action go(b: Bay) by p
    at = b
    add b to seen

play
    for p in Player
        choose p: go

scoring
    score p = k + count(b in seen) + (if at = north then 1 else 0)
"""


TRAIL = """game trail "Trail"
    players 2

enum Camp: north, south, west

state
    at[Player]: Camp = north

relation path on a in Camp
    to b for b in Camp where ord(b) = ord(a) + 1

action walk(c: Camp) by p
    require c in (spread from at[p] by path within 1) "too far"
    at[p] = c

play
    for p in Player
        choose p: walk

scoring
    score p = ord(at[p])
"""


@pytest.mark.parametrize(
    ("line", "equivalent"),
    [
        ("to b for b in Camp where ord(b) - 1 = ord(a)", True),
        ("to b for b in Camp where ord(b) > ord(a)", False),
    ],
)
def test_a_relation_is_one_change(tmp_path: Path, line: str, equivalent: bool) -> None:
    trail = tmp_path / "trail.rules"
    trail.write_text(TRAIL)
    variant = tmp_path / "paths.rules"
    variant.write_text(
        f"variant paths of trail\n    replace relation path on a in Camp\n        {line}\n"
    )
    found = diff(rd.load(trail), rd.load(variant))
    assert changes(found)[0] == ("changed", "relation", "path")
    assert len(found.groups()) == 1
    assert found.changes[0].lines[-1] == f"+ {line}"
    assert found.changes[0].equivalent == equivalent
    assert (found.changes[0].witness is not None) != equivalent


def test_lines_of_a_requirement_are_its_own(tmp_path: Path) -> None:
    trail = tmp_path / "trail.rules"
    trail.write_text(TRAIL)
    variant = tmp_path / "paths.rules"
    variant.write_text(
        "variant paths of trail\n"
        "    replace relation path on a in Camp\n        to north\n"
        "    amend action walk\n        after\n            at[p] = at[next(p)]\n"
    )
    for change in diff(rd.load(trail), rd.load(variant)).of("requirement"):
        assert change.lines == ()
