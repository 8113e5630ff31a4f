"""The first line of a drawing: the title of the game, what changes it, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games import svg
from games.facts import counted_points

if TYPE_CHECKING:
    from games.facts import Facts

SIDE = 2


def heading(
    facts: Facts,
    status: str,
    width: float,
    margin: float,
    options: Sequence[str] = (),
    baseline: float = 44,
    colour: str = "#b08b3e",
) -> str:
    """The title with options and variants on the left, the status on the right, a rule below."""
    changes = [*options, *(v.replace("_", " ") for v in facts.game.variants)]
    words = facts.game.title + (" · " + ", ".join(changes) if changes else "")
    rule = baseline + 14
    return (
        svg.text(margin + SIDE, baseline, words, 30, bold=True)
        + svg.text(width - margin - SIDE, baseline, status, 19, svg.MUTED, "end")
        + svg.line((margin, rule), (width - margin, rule), colour, 2)
    )


def winners(facts: Facts) -> str:
    """The winners of a finished game.

    >>> import rules_dsl as rd
    >>> from games.facts import Facts
    >>> state = rd.load("tic_tac_toe").start()
    >>> while not state.over:
    ...     state = state.play(state.moves()[0])
    >>> winners(Facts(state))
    'The game is over: cross won'
    """
    return f"The game is over: {' and '.join(facts.names[p] for p in facts.winners)} won"


def winners_with_points(facts: Facts) -> str:
    """The winners of a finished game, and their points."""
    return f"{winners(facts)} with {counted_points(max(facts.scores))}"


def to_move(facts: Facts) -> str:
    """The player who decides, or chance."""
    return "chance decides" if facts.player is None else f"{facts.names[facts.player]} to move"
