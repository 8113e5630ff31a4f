"""Any plausible values may be printed: the game keeps its invariants, or names the one they break.

Boxes are drawn by Hypothesis within the legend, the ranges of the columns and the counts of
components. The quick test plays them with every invariant and contract checked; the long one proves
them.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rules_dsl as rd
import verify
from compiler.examples import Examples
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather
from rules_dsl.language.syntax import Example

from .components import ABILITIES, ADVISORS, CREATURES, REINFORCEMENTS, SPECIAL, STARTING
from .other_box import LINES

# The symbols that always hold.
ALWAYS = {
    "strength": 9, "capture_1": 2, "capture_3": 3, "corn": 4, "jade": 3, "points": 3, "cards": 2,
    "threes": 1, "recruits": 1, "returns": 1, "takes": 1, "ignores": 1, "evicts": 1,
}  # fmt: skip
GAINS = ("gain_corn", "gain_jade", "gain_points")
LATE = (*GAINS, "capture_3", "draw_1", "recruit", "return_card", "capture_card")
BOUGHT = (*LATE, "strength", "capture_1", "ignore_creature", "evict")
# What a line may give on an occasion.
GIVES = {
    "attacking": BOUGHT,
    "victory": LATE,
    "moving": (*GAINS, "discount_corn", "recruit"),
    "constructing": (*GAINS, "discount_jade"),
    "training_time": (*GAINS, "discount_corn"),
    "summoning_time": (*GAINS, "discount_corn"),
    "city_corn": GAINS,
    "city_jade": GAINS,
    "clan_corn": GAINS,
    "clan_jade": GAINS,
    "for_corn": BOUGHT,
    "for_jade": BOUGHT,
    "for_prisoners": BOUGHT,
}
# What a cell of the development board may bring.
CELLS = (
    "corn = 2",
    "jade = 1, points = 1",
    "cards = 1",
    "threes = 1",
    "recruits = 1",
    "deal = construct_deal, unit = 2, less = 1",
    "deal = train_deal, unit = 3",
    "deal = summon_deal, unit = 2",
    "deal = city_deal",
)
SALES = ("for_corn", "for_jade", "for_prisoners")
FIGHTS = ("attacking", "victory")
QUIET = tuple(occasion for occasion in GIVES if occasion not in (*SALES, *FIGHTS))


@st.composite
def lines(draw: st.DrawFn, always: bool, occasions: tuple[str, ...]) -> str:
    """What always holds, and up to two lines."""
    cells = []
    if always:
        chosen = draw(st.lists(st.sampled_from(sorted(ALWAYS)), max_size=3, unique=True))
        cells = [f"{name} = {draw(st.integers(1, ALWAYS[name]))}" for name in chosen]
    for when, cost, gives, amount in LINES[: draw(st.integers(0 if cells else 1, 2))]:
        occasion = draw(st.sampled_from(occasions))
        cells += [
            f"{when} = {occasion}",
            f"{cost} = {draw(st.integers(0, 3)) if occasion in SALES else 0}",
            f"{gives} = {draw(st.sampled_from(GIVES[occasion]))}",
            f"{amount} = {draw(st.integers(1, 3))}",
        ]
    return ", ".join(cells)


@st.composite
def boxes(draw: st.DrawFn) -> str:
    """A variant in which other values are printed on every component.

    What the game's own examples say of other components holds for it as well.
    """
    sorts = [
        ([*STARTING, *SPECIAL], "{}", lines(True, (*FIGHTS, *SALES))),
        (CREATURES, "CC{}", lines(True, (*FIGHTS, *SALES))),
        (CREATURES, "{}", lines(True, (*FIGHTS, *SALES, "moving"))),
        (REINFORCEMENTS, "{}", lines(True, (*FIGHTS, "moving"))),
        (ADVISORS, "{}", lines(False, QUIET)),
        (("mo1_corn", "mo1_jade", "mo2", "mo3"), "{}", lines(True, (*FIGHTS, *QUIET))),
    ]
    rows = ['variant other_box of yucatan "Another box"']
    for names, pattern, strategy in sorts:
        for name in names:
            number = name.removeprefix("CR") if pattern == "CC{}" else name
            row = pattern.format(number).lower()
            rows.append(f'    replace printed row Face.{row} "{row}": {draw(strategy)}')
    for name in ABILITIES:
        when, gives = draw(st.sampled_from(SALES)), draw(st.sampled_from((*GAINS, "recruit")))
        rows.append(
            f'    replace printed row Face.{name.lower()} "{name}": when = {when}, cost = 1, '
            f"gives = {gives}, amount = {draw(st.integers(1, 3))}"
        )
    rows += [
        f"    replace printed row Stage.{building}_{level}: {building}, {level}, "
        f"{draw(st.integers(1, 4))}, {draw(st.integers(0, 2))}"
        for building in ("construction", "camp", "temple")
        for level in (1, 2, 3)
    ]
    rows += [
        f"    replace printed row Stage.barracks_{level}: barracks, {level}, "
        f"warriors = {draw(st.integers(3, 9))}"
        for level in (1, 2, 3)
    ]
    rows += [
        f"    replace printed row Cell.{column}_{number}: {column}, {number}, "
        f"{draw(st.sampled_from(CELLS))}"
        for column in ("building", "training", "summoning")
        for number in (2, 3, 4)
    ]
    rows.append(f"    printed const clan_corn_gift = {draw(st.integers(1, 5))}")
    return "\n".join(rows) + "\n"


@given(text=boxes(), players=st.integers(2, 4), seed=st.integers(0, 99))
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)
def test_other_values_keep_the_invariants(text: str, players: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "other_box.rules"
        path.write_text(text, encoding="utf-8")
        program = assemble(gather(str(path)))
        runner = Examples(program)
        for example in program.of(Example):
            result = runner.run_one(example)
            assert result.ok, f"{result.span}: {result.message}"
        state = rd.load(path, players=players).checked().start(seed=seed)
        rng = random.Random(seed)
        while not state.over:
            state = state.play(rng.choice(state.moves()))


@pytest.mark.long
@given(text=boxes())
@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)
def test_other_values_are_proved(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "other_box.rules"
        path.write_text(text, encoding="utf-8")
        checks = ("init", "invariant", "safety", "conservation", "progress", "termination")
        report = verify.run(rd.load(path, players=2), checks=checks)
        failing = {result.subject for result in report.results if result.fails}
        assert not failing


WRONG = {
    "effects_of_advisors": 'Face.ad1 "AD1": strength = 1',
    "effects_of_reinforcements": 'Face.rf11 "RF11": when = for_corn, gives = strength, amount = 1',
    "effects_of_abilities": 'Face.cl1 "CL1": when = for_corn, gives = evict, amount = 1',
    "effects_of_cards": 'Face.st1 "ST1": when = moving, gives = discount_corn, amount = 1',
    "effects_of_creatures": 'Face.cr11 "CR11": when = victory, gives = strength, amount = 1',
    "effects_of_modifications": 'Face.mo3 "MO3": when = moving, gives = draw_1, amount = 1',
    "effects_of_stands": 'Bonus.red_2 "city": red, 2, deal = city_deal',
    # A card that no example names.
    "special_cards": 'Card.sp11 "SP11" copies 3: special, sp11',
}


@pytest.mark.parametrize("invariant", sorted(WRONG))
def test_values_that_mean_nothing_are_named(invariant: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong_box.rules"
    path.write_text(
        f'variant wrong_box of yucatan "A wrong box"\n    replace row {WRONG[invariant]}\n',
        encoding="utf-8",
    )
    game = rd.load(path, players=2)
    state = game.start(seed=1)
    assert [one.invariant for one in game.check(state) if not one.holds] == [invariant]
