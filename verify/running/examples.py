"""The examples of a rule file, run as tests."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from verify.proof.results import Part

if TYPE_CHECKING:
    from compiler.runtime.game import Game


def run_examples(game: Game) -> list[Part]:
    """Every example about this configuration, with the players and rulings it names."""
    from compiler.examples import Examples

    parts: list[Part] = []
    origin = game.origin
    compiled = origin.other_configuration if origin.as_written else None
    runs = Examples(origin.program(), dict(game.options), compiled, told_breaks=False).run()
    began = process_time()
    for example in runs:
        now = process_time()
        parts.append(
            Part(
                "examples", example.title, "", "", example.message,
                "PROVED" if example.ok else "REFUTED", "played", now - began,
                str(example.span), example.cites,
            )
        )  # fmt: skip
        began = now
    return parts
