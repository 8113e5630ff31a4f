"""Test invariants by playing: Hypothesis chooses the moves and shrinks failures.

This is what `rules verify --tests N` runs. It proves nothing; what it finds is certain, because the
game that broke an invariant was played on the compiled rules.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from attrs import define
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from compiler.rebuild import with_ghosts
from compiler.runtime.game import Game
from compiler.runtime.state import State
from verify.authoring.strategies import LONGEST, BrokenRules, open_game, play_on, step
from verify.proof.results import Result, Status
from verify.search.invariant_check import PositionChecks

# Number of games in the first round; later rounds are as large as the first ones were short.
FIRST_ROUND = 10
MOST_IN_A_ROUND = 2_000
SHORTER_ROUNDS = 8
SHORTER_GAMES = 60

Progress = Callable[[int], None]


@define
class _Count:
    decisions: int = 0
    states: int = 0
    games: int = 0


def test_invariants(
    game: Game,
    decisions: int = 20_000,  # noqa: PT028
    seed: int = 0,  # noqa: PT028
    progress: Progress | None = None,  # noqa: PT028
) -> list[Result]:
    """Play `decisions` decisions; one result for each invariant.

    A broken invariant is REFUTED with the shortest game found; the others are TESTED.

    >>> import rules_dsl as rd
    >>> {r.status for r in test_invariants(rd.load("tic_tac_toe"), decisions=50)}
    {'TESTED'}
    """
    began = process_time()
    game = with_ghosts(game)
    checks = PositionChecks.of(game)
    count = _Count()
    broken: BrokenRules | None = None
    number = FIRST_ROUND
    while count.decisions < decisions and broken is None:
        before = count.decisions
        broken = _round(game, checks, seed, number, count)
        seed += 1
        if progress is not None:
            progress(min(count.decisions, decisions))
        if count.decisions == before:  # a game without decisions
            break
        mean = max(1, count.decisions // max(1, count.games))
        number = max(1, min(MOST_IN_A_ROUND, (decisions - count.decisions) // mean + 1))
    if broken is not None:
        broken = _shorter(game, checks, seed, broken)
    return _results(game, checks, count, broken, process_time() - began)


# Keeps pytest from collecting it by its name.
test_invariants.__test__ = False  # type: ignore[attr-defined]


def _shorter(game: Game, checks: PositionChecks, number: int, broken: BrokenRules) -> BrokenRules:
    """A shorter game that breaks something, if a few rounds of shorter games find one.

    Shrinking goes down from one game and may end far from the shortest.
    """
    for attempt in range(SHORTER_ROUNDS):
        limit = len(broken.moves) - 1
        if limit < 0:
            break
        found = _round(game, checks, number + attempt, SHORTER_GAMES, _Count(), limit)
        if found is None:
            break
        broken = found
    return broken


def _round(
    game: Game, checks: PositionChecks, number: int, games: int, count: _Count, limit: int = LONGEST
) -> BrokenRules | None:
    """A round of games with one seed; the shrunk failure, if there is one."""
    found: list[BrokenRules] = []

    def after(state: State, index: int) -> State:
        count.states += 1
        count.decisions += state.player is not None
        return step(checks, state, index)

    @seed(number)
    @settings(
        max_examples=games,
        deadline=None,
        database=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(st.data())
    def play(data: st.DataObject) -> None:
        if not found:
            count.games += 1
        try:
            play_on(open_game(game, checks), data.draw, limit, after)
        except BrokenRules as broken:
            found.append(broken)
            raise

    try:
        play()
    except BrokenRules as broken:
        return broken
    return None


def _results(
    game: Game, checks: PositionChecks, count: _Count, broken: BrokenRules | None, seconds: float
) -> list[Result]:
    subjects: dict[tuple[str, str], tuple[str, ...]] = {
        ("invariant", invariant.name): invariant.cites for invariant, _ in checks.invariants
    }
    for good in checks.module.goods.values():
        subjects["conservation", good.name] = good.cites
    subjects["safety", "play"] = ()
    subjects["progress", "play"] = ()
    detail = f"{count.states} states of {count.games} games"
    if broken is not None:
        breach = broken.breach
        subjects[breach.obligation, breach.subject] = breach.cites
    results = []
    for (obligation, subject), cites in subjects.items():
        status: Status = "TESTED"
        result = Result(
            game.name, game.players, dict(game.options), obligation, subject, status,
            round(seconds / len(subjects), 4), "; ".join(cites), detail=detail,
        )  # fmt: skip
        if broken is not None and (obligation, subject) == (
            broken.breach.obligation,
            broken.breach.subject,
        ):
            _refute(result, game, broken)
        results.append(result)
    return results


def _refute(result: Result, game: Game, broken: BrokenRules) -> None:
    """The game that broke an invariant, with its record; replayed, so that it certainly does."""
    result.status = "REFUTED"
    result.detail = broken.breach.text
    result.moves = list(broken.moves)
    if broken.state is not None:
        record = game.record(broken.state)
        game.replay(record)
        result.record = record.to_json()
