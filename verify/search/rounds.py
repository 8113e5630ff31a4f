"""Games that repeat for ever: for loops `without end`, which are not claimed to end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, cast

from attrs import define, evolve, field

from compiler import ir
from compiler.rebuild import assemble
from compiler.rule_id import rule_name
from compiler.runtime.fault import Fault
from verify.analysis.effects import Effects
from verify.analysis.length_bound import endless_loops
from verify.proof.results import Unclaimed
from verify.search.player import Player
from verify.search.policies import Balanced, Cells, SearchPolicy

if TYPE_CHECKING:
    from compiler.runtime.game import Game

MARK = "comes round"
# Number of games played, and of moves in each: counts, so that results do not depend on time.
GAMES = 12
MOVES = 400


def unclaimed(game: Game, configuration: str) -> list[Unclaimed]:
    """The loops without end of a game, each with a game that goes round if one is found."""
    return [
        _shown(
            game, Unclaimed(configuration, rule_name(procedure.name), head.endless), procedure, head
        )
        for procedure, head in endless_loops(game.ir)
    ]


@define(eq=False)
class _Last:
    """The last of the moves: usually passing, or stopping."""

    random: Random

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """Chooses the last move on offer."""
        return choices[-1]


@define(eq=False)
class _Watch:
    """Notes the cells that the condition of a loop reads, whenever the loop comes round."""

    player: Player
    arrays: list[str]
    visits: dict[tuple[tuple[int, ...], ...], int] = field(factory=dict)
    moves: list[int] = field(factory=list)
    # Number of moves after which they were the same before.
    again: int | None = None

    def noting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def arrived(cells: bytearray, *args: Any) -> Any:
            if self.player.game.machine.trying:
                return function(cells, *args)
            seen = tuple(self.player.cells(cells, name) for name in self.arrays)
            first = self.visits.setdefault(seen, len(self.moves))
            if first != len(self.moves) and self.again is None:
                self.again = first
            return function(cells, *args)

        return arrived


def _shown(game: Game, loop: Unclaimed, procedure: ir.Procedure, head: ir.Block) -> Unclaimed:
    assert isinstance(head.terminator, ir.Fork)
    names = sorted(Effects(game.ir).reads(head.terminator.condition).arrays)
    # A loop whose condition reads nothing has come round if no cell has changed.
    arrays = names or list(game.ir.arrays)
    player = Player(marked := _marked(game, procedure, head), marked.ir)
    for number in range(GAMES):
        random = Random(number)
        policy: SearchPolicy = Balanced(player, random) if number else _Last(random)
        found = _play(player, arrays, policy)
        if found is None:
            continue
        moves, first = found
        *_, state = Player(game, game.ir).replay(moves)
        record = game.record(state)
        if game.replay(record).cells == state.cells:
            same = f"{', '.join(names)} are as they were" if names else "nothing has changed"
            text = f"in the game kept here {same} when it comes round after moves {first}"
            texts = tuple(str(m) for m in state.played())
            return evolve(
                loop, shown=f"{text} and {len(moves)}", moves=texts, record=record.to_json()
            )
    return loop


def _play(player: Player, arrays: list[str], policy: SearchPolicy) -> tuple[list[int], int] | None:
    """A game that repeats its cells; returns its moves and the length before the repeat."""
    machine = player.game.machine
    code = cast(dict[str, Any], machine.code)
    name = machine.meta["routines"][MARK]
    function = code[name]
    watch = _Watch(player, arrays)
    code[name] = watch.noting(function)
    try:
        cells = machine.new()
        while watch.again is None and not machine.over(cells) and len(watch.moves) < MOVES:
            choices = machine.moves(cells)
            # A player who is stuck is shown elsewhere.
            move = policy.choose(cells, choices) if choices else None
            if move is None:
                break
            watch.moves.append(move)
            machine.play(cells, move)
    except Fault:
        return None  # a game that breaks down is shown elsewhere
    finally:
        code[name] = function
    return None if watch.again is None else (watch.moves, watch.again)


def _marked(game: Game, procedure: ir.Procedure, head: ir.Block) -> Game:
    """The same game with an empty rule called at the head of the loop."""
    mark = ir.Do(MARK, (), span=head.span)
    blocks = tuple(
        evolve(b, statements=(mark, *b.statements)) if b.id == head.id else b
        for b in procedure.blocks
    )
    procedures = {**game.ir.procedures, procedure.name: evolve(procedure, blocks=blocks)}
    routines = {**game.ir.routines, MARK: ir.Routine(MARK, (), (), head.span)}
    module = evolve(game.ir, procedures=procedures, routines=routines)
    return assemble(game, game.origin.program(), module)
