"""What a decision is about is named to everybody: it must not tell what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.plan.known_locals import PublicLocals
from tests.verify.leak_table import with_secrets
from verify.proof.views import Views

# Whether the loop is gone through at all depends on something that only Bob sees.
RULES = with_secrets(
    """
var x: Card = ten
if secret[bob] > 1
    for j in 0..1
        keeps rounds = 0
        x = king
choose bob: n in 0..x.worth
""",
    "",
    "marker",
)


def test_a_local_that_a_secret_decides_is_not_named(tmp_path: Path) -> None:
    path = tmp_path / "about.rules"
    path.write_text(RULES, encoding="utf-8")
    game = rd.load(str(path))
    for seed in range(8):
        state = game.start(seed=seed)
        decision = state.play(state.moves()[0]).decision
        assert decision is not None
        assert decision.about == {}


def test_if_it_were_named_views_would_not_be_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "about.rules"
    path.write_text(RULES, encoding="utf-8")
    module = rd.load(str(path)).ir
    assert {part.status for part in Views(module).parts()} == {"PROVED"}
    monkeypatch.setattr(PublicLocals, "_set_behind", lambda *_: iter(()))
    found = [part.what for part in Views(module).parts() if part.status != "PROVED"]
    assert found == ["ann can tell: x, which the decision is about"]
