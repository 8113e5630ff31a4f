"""What is not claimed of choices: that a try succeeds, that a set exists, that a secret is kept."""

from __future__ import annotations

from pathlib import Path

import rules_dsl as rd
import verify

HEAD = """\
game small
    players 2 named ann, bob

enum Stone: granite, marble

table Card
    columns power: 1..9
    row one: 1
    row two: 2
    row six: 6

state
    round: 0..2
    fame[Player]: 0..9 clamped
    secret[Player]: 0..9 visible to owner
    stones[Player, Stone]: 0..3 = 1
    zone deck of Card holds all hidden
    zone hand[Player] of Card visible to owner

"""
TAIL = """
scoring
    score p = fame[p]
"""


def statuses(tmp_path: Path, rules: str, obligation: str) -> dict[str, str]:
    """The results of one obligation, by subject."""
    file = tmp_path / "small.rules"
    file.write_text(HEAD + rules + TAIL, encoding="utf-8")
    report = verify.run(rd.load(str(file)), jobs=1)
    return {r.subject: r.status for r in report.results if r.obligation == obligation}


LAY = """\
action lay by p
    together
        choose p as base: s in Stone where stones[p, s] > 0
        stones[p, s] -= 1
        choose p as top: t in Stone where t != s and stones[p, t] > 0
        stones[p, t] -= 1

"""


def test_what_may_not_be_finished_is_not_counted_on(tmp_path: Path) -> None:
    play = "play\n    for p in Player\n        choose p as turn: lay\n"
    found = statuses(tmp_path, LAY + play, "progress")
    assert found["play.turn"] != "PROVED"
    # Inside, some way to finish exists by construction.
    assert found["lay.base"] == found["lay.top"] == "PROVED"


def test_a_player_who_cannot_finish_is_never_stuck(tmp_path: Path) -> None:
    rest = "action rest by p\n\n"
    play = (
        "play\n    while round < 2 decreases 2 - round\n        round += 1\n"
        "        for p in Player\n            choose p as turn: lay, rest\n"
    )
    assert set(statuses(tmp_path, LAY + rest + play, "progress").values()) == {"PROVED"}


def test_looking_ahead_at_what_is_hidden_is_not_called_safe(tmp_path: Path) -> None:
    play = (
        "play\n    for p in Player\n        together\n"
        "            choose p as guess: n in 1..3\n"
        "            choose p as check: m in 1..3 where m + n = secret[next(p)]\n"
    )
    assert "PROVED" not in {
        status for name, status in statuses(tmp_path, play, "views").items() if name == "play"
    }


def test_a_set_that_may_not_exist(tmp_path: Path) -> None:
    play = (
        "play\n    for p in Player\n        choose p as few: a among 2 of Stone\n"
        "        choose p as cards: b among 1..2 of hand[p]\n"
        "        choose p as any: c among hand[p] where count(x in c) <= 1\n"
    )
    found = statuses(tmp_path, play, "progress")
    assert (found["play.few"], found["play.any"]) == ("PROVED", "PROVED")
    assert found["play.cards"] == "REFUTED"


def test_an_action_chosen_in_secret_that_everybody_sees(tmp_path: Path) -> None:
    play = (
        "action boast by p\n    fame[p] += 1\n\naction hush by p\n    secret[p] = 1\n\n"
        "play\n    choose each p in Player secretly\n        choose p as order: boast, hush\n"
    )
    assert set(statuses(tmp_path, play, "views").values()) != {"PROVED"}


def test_a_value_chosen_in_secret_that_everybody_sees(tmp_path: Path) -> None:
    play = "play\n    for p in Player\n        choose p secretly as mark: n in 0..3\n"
    shown = play + "        fame[p] += n\n"
    assert set(statuses(tmp_path, shown, "views").values()) != {"PROVED"}
