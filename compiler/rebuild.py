"""Games of rules in memory: changed ones (mutants, hybrids, rules with marks), and new ones."""

from __future__ import annotations

from typing import Any

from compiler import ir
from compiler.contracts import with_contracts
from compiler.ghosts import ghosts, without_ghosts
from compiler.less_to_do import with_less_to_do
from compiler.loading import Origin
from compiler.measures import with_measures
from compiler.pipeline import to_code, to_ir
from compiler.runtime.game import Game
from compiler.runtime.machine import Machine
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.program import Program


def build(game: Game, program: Program) -> Game:
    """A game of other rules for the players and options of a game; raises `RuleError`.

    It has its ghosts if the game has them, see `with_ghosts`.
    """
    module = to_ir(program, game.players, dict(game.options))
    return assemble(game, program, module if ghosts(game.ir) else without_ghosts(module))


def assemble(game: Game, program: Program, module: ir.Module) -> Game:
    """A game made of a module, for the players and options of another."""
    origin = Origin(
        game.origin.name,
        game.origin.variants,
        game.players,
        dict(game.options),
        program.sources,
        program,
        module,
    )
    return _made(module, origin)


def new_game(program: Program, module: ir.Module, options: dict[str, OptionValue]) -> Game:
    """A game made of a module that was not loaded from files."""
    sources = program.sources
    return _made(module, Origin(sources.main, (), module.players, options, sources))


def _made(module: ir.Module, origin: Origin) -> Game:
    namespace: dict[str, Any] = {"__name__": f"rules.{module.name}"}
    exec(to_code(module), namespace)
    return Game(Machine(namespace), origin)


def with_ghosts(game: Game) -> Game:
    """The game with the cells that only proofs read, if it has some: what is proved of it holds in
    the game as it is played.

    >>> import rules_dsl as rd
    >>> game = rd.load("pig")
    >>> with_ghosts(game) is game
    True
    """
    if not game.machine.meta["left_out"]:
        return game
    program = game.origin.program()
    return assemble(game, program, to_ir(program, game.players, dict(game.options)))


def checked_game(game: Game) -> Game:
    """A game that checks its contracts, invariants and measures as it plays."""
    game = with_ghosts(game)
    module = with_measures(with_contracts(with_less_to_do(game.ir), invariants=True))
    return assemble(game, game.origin.program(), module)
