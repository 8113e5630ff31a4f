"""The properties of the game are proved: each by invariants and other obligations."""

from __future__ import annotations

import pytest

import rules_dsl as rd
import verify
from verify.proof.obligation import KINDS
from verify.proof.settings import STEPWISE

# The obligations that prove each property, as kind and subject.
PROPERTIES: dict[str, tuple[tuple[str, str], ...]] = {
    "goods are conserved": tuple(
        ("conservation", good) for good in ("maize", "wood", "stone", "gold", "skull")
    ),
    "never more than 13 skulls": (("conservation", "skull"), ("safety", "gain_skulls")),
    "each worker in exactly one place, between 3 and 6": (
        ("invariant", "worker_of_in_one_place"), ("invariant", "on_gears_counted"),
        ("safety", "gain_worker"),
    ),
    "at most one worker on a tooth": (
        ("invariant", "one_worker_a_tooth"), ("invariant", "teeth_are_counted"),
    ),
    "at most one player on a top step": (("invariant", "one_at_the_top"),),
    "technologies and temples stay in range": (
        ("safety", "climb_or_bonus"), ("safety", "rise"), ("safety", "beg"),
        ("safety", "burn_forest"), ("invariant", "steps_exist"),
    ),
    "each building and monument in exactly one place": (
        ("conservation", "Building"), ("conservation", "Monument"),
    ),
    "harvest tiles never negative, wood above maize": (
        ("conservation", "maize_tile"), ("conservation", "wood_tile"),
        ("safety", "harvest_maize"), ("safety", "harvest_wood"),
        ("invariant", "wood_lies_above_maize"),
    ),
    "each space of Chichen Itza once": (("invariant", "one_skull_a_space"),),
    "never without a legal move": (("progress", "turn.main"), ("progress", "beg.after_begging")),
    "at most 27 rounds": (("invariant", "a_round_a_day"), ("termination", "calendar_year")),
}  # fmt: skip

LARGEST_SKULL_TOTAL = 13


# House rules under which everything is still proved.
SOUND = (
    "begging_costs_a_point", "dear_knowledge", "granary", "no_mercy_mended", "one_day_at_a_time",
    "open_draft", "rich_start", "shared_summits", "short_year", "ten_skulls",
)  # fmt: skip


def obligations() -> set[tuple[str, str]]:
    return {part for parts in PROPERTIES.values() for part in parts}


@pytest.mark.slow
def test_every_property_is_proved() -> None:
    game = rd.load("tzolkin", players=2)
    report = verify.run(game, STEPWISE, jobs=2)
    assert {r.status for r in report.results} == {"PROVED"}
    proved = {(r.obligation, r.subject) for r in report.results}
    assert obligations() <= proved
    assert 0 < next(iter(report.bounds.values())) < 10**9


def test_invariants_of_properties_are_stated() -> None:
    stated = {invariant.name for invariant in rd.load("tzolkin", players=4).ir.invariants}
    assert {name for kind, name in obligations() if kind == "invariant"} <= stated


def test_skulls_are_thirteen() -> None:
    assert rd.load("tzolkin", players=4).start(seed=1)["supply"]["skull"] == LARGEST_SKULL_TOTAL


@pytest.mark.slow
@pytest.mark.parametrize("name", SOUND)
def test_house_rules_keep_every_property(name: str) -> None:
    """Everything but views, which none of these rules touches, for every number of players."""
    games = [rd.load(name, players=n) for n in (2, 3, 4)]
    for report in verify.run_all(games, [kind for kind in KINDS if kind != "views"], jobs=2):
        assert [(r.configuration, r.obligation, r.subject) for r in report.results if r.fails] == []
        assert report.ok


@pytest.mark.long
@pytest.mark.parametrize("name", SOUND)
def test_house_rules_show_nothing_hidden(name: str) -> None:
    for report in verify.run_all([rd.load(name, players=n) for n in (2, 3, 4)], ["views"], jobs=2):
        assert [(r.configuration, r.obligation, r.subject) for r in report.results if r.fails] == []


def test_every_house_rule_has_a_result() -> None:
    tzolkin = next(game for game in rd.games() if game.name == "tzolkin")
    assert {*SOUND, "no_mercy"} == set(tzolkin.variants)


@pytest.mark.slow
def test_without_mercy_a_game_gets_stuck() -> None:
    game = rd.load("no_mercy", players=2)
    report = verify.run(game, ["progress"], jobs=2)
    refuted = [r for r in report.results if r.status != "PROVED"]
    assert [(r.subject, r.status) for r in refuted] == [("turn.main", "REFUTED")]
    stuck = game.replay(refuted[0].record)
    assert not stuck.over
    assert not stuck.moves()
