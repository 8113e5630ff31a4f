"""Transitions in Python, in native code and by formulas: all three come to the same positions.

    python -m tests.compiler.transitions --transitions 1000000 --changed 60 --programs 200

plays every configuration of the named games, or of all that ship (every number of players, option
and variant), copies of them with a small random change, and random programs, each with the same
share of the transitions. Python and native code are compared after each transition: legal moves,
weights of chance, bytes and faults. The first `--formulas` moves of each are compared with the
formulas that proofs are about as well. Whatever differs stops the run and is printed. After
`--minutes` of CPU time no other game is started, and the totals so far are printed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from random import Random

from attrs import define
from hypothesis import HealthCheck, Phase, given, seed, settings

import rules_dsl as rd
from compiler.ghosts import without_ghosts
from compiler.native.errors import UnsupportedError
from compiler.pipeline import to_ir
from compiler.rebuild import build, new_game
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import SourceSet, shipped_games
from tests.compiler.program_strategy import programs
from tests.compiler.seeded_games import configurations
from tests.compiler.test_native import native, same_game
from verify.agreement.sampled_games import Agreement
from verify.authoring.mutants import mutants

# Short games end early; for the others, as many moves as a whole game has.
MOST_MOVES = 2_000
# Games of a configuration that may end at once, as random programs with a fault in set-up do.
MOST_EMPTY = 5

Games = Iterator[tuple[str, Callable[[], rd.Game]]]


@define
class Compared:
    """How much was compared in one kind of games."""

    games: int = 0
    transitions: int = 0
    by_formulas: int = 0
    # Games that native code does not support, or whose rules are refused.
    refused: int = 0

    def __str__(self) -> str:
        return (
            f"{self.games:,} games, {self.transitions:,} transitions in Python and native code,"
            f" {self.by_formulas:,} by formulas, {self.refused:,} refused"
        )


def shipped(names: list[str]) -> Games:
    """Every configuration of some games."""
    for name in names:
        for text, recipe in configurations(name):
            yield text, recipe.load


def changed(names: list[str], many: int, first: int) -> Games:
    """Forms of games with one random change in their rules."""
    random = Random(first)
    for _ in range(many):
        text, recipe = random.choice(list(configurations(random.choice(names))))
        game = recipe.load()
        program = game.origin.program()
        mutant = random.choice(list(mutants(program)))
        other = mutant.program(program)
        yield f"{text}, {mutant}", lambda game=game, other=other: build(game, other)  # type: ignore[misc]


def written(many: int, first: int) -> Games:
    """Random programs."""
    texts: list[str] = []

    def take(text: str) -> None:
        texts.append(text)

    if many:
        made = settings(
            max_examples=many,
            phases=(Phase.generate,),
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )(given(programs())(take))
        seed(first)(made)()
    for number, text in enumerate(texts):
        yield text, lambda text=text, players=2 + number % 2: from_text(text, players)  # type: ignore[misc]


def from_text(text: str, players: int) -> rd.Game:
    """A game of rules in memory."""
    sources = SourceSet(main="made.rules", texts={"made.rules": text}, includes={"made.rules": []})
    program = assemble(sources)
    return new_game(program, without_ghosts(to_ir(program, players, {})), {})


def within(games: Games, until: float) -> Games:
    """Games until so much CPU time is used up."""
    for game in games:
        if time.process_time() > until:
            return
        yield game


def compare(game: rd.Game, share: int, formulas: int, first: int, found: Compared) -> None:
    """Compare up to a number of transitions of one game, and count them."""
    machine, made, empty = native(game), 0, 0
    while made < share and empty < MOST_EMPTY:
        moves = same_game(game.machine, machine, first, min(MOST_MOVES, share - made))
        made, empty, first = made + moves, empty + (not moves), first + 1
    agreement = Agreement(game, formulas)
    agreement.run()
    assert not agreement.differs, agreement.differs
    found.games += 1
    found.transitions += made
    found.by_formulas += agreement.compared


def compare_all(games: Games, share: int, formulas: int, first: int) -> Compared:
    """Compare all games of one kind; raises an error that names the first that differs."""
    found = Compared()
    for text, make in games:
        try:
            compare(make(), share, formulas, first, found)
        except (UnsupportedError, rd.RuleError):
            found.refused += 1
        except Exception as error:
            raise AssertionError(f"{text}\ndiffers: {error}") from error
    return found


def main() -> None:
    """Compare the games of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--transitions", type=int, default=1_000_000)
    parser.add_argument("--changed", type=int, default=60)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--formulas", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    names = told.names or list(shipped_games())
    many = sum(1 for _ in shipped(names)) + told.changed + told.programs
    share, began, total = -(-told.transitions // many), time.process_time(), 0
    kinds = {
        "random programs": written(told.programs, told.seed),
        "changed": changed(names, told.changed, told.seed),
        "shipped": shipped(names),
    }
    for kind, games in kinds.items():
        limited = within(games, began + 60 * told.minutes)
        found = compare_all(limited, share, told.formulas, told.seed)
        total += found.transitions
        print(f"{kind}: {found}", flush=True)
    seconds = time.process_time() - began
    print(f"{total:,} transitions, all equal; {seconds:.0f} CPU seconds")


if __name__ == "__main__":
    main()
