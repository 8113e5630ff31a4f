"""Random programs behave the same on the generated Python and on the reference interpreter."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import rules_dsl as rd
from compiler.pipeline import to_code, to_ir
from compiler.runtime.game import Game
from compiler.runtime.machine import Machine
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import SourceSet
from tests.compiler.agreement import play_side_by_side
from tests.compiler.program_strategy import programs


def build(text: str, players: int) -> Game:
    """A game from a text in memory."""
    sources = SourceSet(main="made.rules", texts={"made.rules": text}, includes={"made.rules": []})
    module = to_ir(assemble(sources), players, {})
    namespace: dict[str, object] = {"__name__": "rules.made"}
    exec(to_code(module), namespace)
    return Game(Machine(namespace), SimpleNamespace(module=lambda: module))  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(2, 3), st.integers(0, 9))
def test_random_programs_agree(text: str, players: int, seed: int) -> None:
    try:
        game = build(text, players)
    except rd.RuleError as error:
        # A number that can never fit, and a range that is too long, are errors, rightly.
        if all(d.code in ("E0309", "E0310", "E0317") for d in error.diagnostics):
            reject()
        raise
    play_side_by_side(game, seed, limit=25)
