"""Questions over relations: sets of places as bits agree with the plain algorithms."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import rules_dsl as rd
from compiler import fields as plain
from compiler.examples import run_examples
from compiler.runtime import fields as masks
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather
from tests.compiler.agreement import play_side_by_side

LAKES = str(Path(__file__).with_name("lakes.rules"))
# Enough for steps that lead equally far to be told apart from lists of neighbours.
PLACES = 40

steps = st.lists(
    st.tuples(st.integers(0, PLACES - 1), st.integers(0, PLACES - 1), st.integers(0, 3)),
    max_size=120,
)
joins = st.lists(st.tuples(st.integers(0, PLACES - 1), st.integers(0, PLACES - 1)), max_size=30)
places = st.sets(st.integers(0, PLACES - 1), max_size=6)


def both(found: list[tuple[int, int, int]]) -> tuple[plain.Steps, masks.Steps]:
    """The same steps for both."""
    listed: dict[int, list[tuple[int, int]]] = {place: [] for place in range(PLACES)}
    shifted = masks.Steps(PLACES)
    for place, there, price in found:
        listed[place].append((there, price))
        shifted.add(place, there, price)
    return listed, shifted


def mask(chosen: set[int]) -> int:
    return sum(1 << place for place in chosen)


@settings(max_examples=200, deadline=None)
@given(steps, st.booleans(), joins, places, places, st.integers(0, 7))
def test_sets_and_lists_agree(
    found: list[tuple[int, int, int]],
    one_way: bool,
    joined: list[tuple[int, int]],
    sources: set[int],
    stops: set[int],
    within: int,
) -> None:
    # Places that are joined are areas, unless a step for nothing leads one way only.
    found = [step for step in found if step[2] or one_way]
    both_ways = [(a, b, 0) for one, two in joined for a, b in ((one, two), (two, one))]
    listed, shifted = both([*found, *both_ways])
    far = plain.distances(listed, sources)
    near = {place for place, price in far.items() if price <= within}
    assert masks.spread(shifted, mask(sources), within) == mask(near)
    assert masks.spread(shifted, mask(sources), None) == mask(set(far))
    assert masks.distances(shifted, mask(sources), within) == [
        min(far.get(place, within + 1), within + 1) for place in range(PLACES)
    ]
    hops = plain.legs(listed, sources, within, stops)
    assert masks.legs(shifted, mask(sources), within, mask(stops), 3) == [
        min(hops.get(place, 4), 4) for place in range(PLACES)
    ]
    assert shifted.components == tuple(plain.component(listed, p) for p in range(PLACES))


@settings(max_examples=50, deadline=None)
@given(steps, places, places)
def test_what_is_within_a_distance_is_within_a_larger_one(
    found: list[tuple[int, int, int]], sources: set[int], more: set[int]
) -> None:
    """The contract that proofs rely on."""
    _, shifted = both(found)
    rings = [masks.spread(shifted, mask(sources), within) for within in range(6)]
    assert all(inner & ~outer == 0 for inner, outer in pairwise(rings))
    assert rings[0] & mask(sources) == mask(sources)
    assert masks.spread(shifted, 0, None) == 0
    wider = masks.spread(shifted, mask(sources | more), 3)
    assert rings[3] & ~wider == 0


def test_a_game_over_relations_agrees_with_the_reference() -> None:
    assert play_side_by_side(rd.load(LAKES), seed=1) == 10


def test_examples() -> None:
    results = run_examples(assemble(gather(LAKES)))
    assert len(results) == 3
    assert [r.message for r in results if not r.ok] == []


def test_numbered_cells_have_names_made_by_a_formula() -> None:
    start = rd.load(LAKES).start(seed=1)
    assert "build on c2" in [str(move) for move in start.moves()]
    assert start.play("build on c2")["hut"][8] == 0
    assert not all(reason.holds for reason in start.play("build on c2").explain("build on c2"))


def test_answers_are_no_part_of_a_position() -> None:
    game = rd.load(LAKES)
    one = game.start(seed=3)
    two = game.start(seed=3)
    one.moves()
    assert one == two and hash(one) == hash(two) and one.to_json() == two.to_json()


def test_the_memory_of_answers_is_bounded() -> None:
    memory: masks.Memory[int] = masks.Memory()
    here = memory.at(b"here")
    for number in range(3 * masks.MAX_KEPT):
        assert memory.keep(here, number, number) == number == here[number]
        assert len(here) <= masks.MAX_KEPT
    places = [memory.at(bytes([number])) for number in range(3 * masks.MAX_POSITIONS)]
    assert len({id(place) for place in places}) == len(places)
    assert memory.last == (bytes([len(places) - 1]), places[-1])
    assert memory.at(bytes([len(places) - 1])) is places[-1]
    assert memory.at(b"here") is not here


@given(st.sets(st.integers(0, 9 * masks.MOST_TABLES)), st.integers(-20, 400))
def test_members_are_listed_in_order(numbers: set[int], first: int) -> None:
    mask = sum(1 << n for n in numbers)
    assert masks.listed(mask, first) == [first + n for n in sorted(numbers)]
    assert masks.listed(mask, first) == list(masks.members(mask, first))


def test_more_sets_than_tables_are_listed_without_making_tables_anew() -> None:
    """On 576 cells two sets took turns to drive out each other's tables: 200 times as slow."""
    numbers = list(range(0, 8 * masks.MOST_TABLES, 3))
    mask = sum(1 << n for n in numbers)
    firsts = [2_000 * k for k in range(2 * masks.KEPT_TABLES // masks.MOST_TABLES)]
    kept = len(masks._OF_BYTE)
    for _ in range(2):
        for first in firsts:
            assert masks.listed(mask, first) == [first + n for n in numbers]
            assert kept <= len(masks._OF_BYTE) <= masks.KEPT_TABLES
            kept = len(masks._OF_BYTE)
