"""From a possible leak to two games that show it, both replayed from the opening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.fault import Fault
from compiler.runtime.numbers_told import Numbers
from verify.proof.results import FAILING, Report, Result
from verify.search.culprits import culprits
from verify.search.look_alikes import Line, LookAlikes, Told, TooManyGamesError
from verify.search.player import Player

if TYPE_CHECKING:
    from collections.abc import Hashable

    from compiler import ir
    from compiler.runtime.game import Game
    from compiler.runtime.moves import Move
    from compiler.runtime.state import State

# Number of positions visited in games at random, by effort.
POINTS: dict[str, int] = {"low": 1_000, "normal": 4_000, "high": 40_000}


def show_leaks(game: Game, report: Report, effort: str) -> None:
    """Look for two games that show a leak; results that they are found for are changed."""
    failing = [r for r in report.results if r.obligation == "views" and r.status in FAILING]
    told = find(game.ir, effort) if failing else None
    if told is None:
        return
    player = Player(game, game.ir)
    one, two = replayed(player, told.one), replayed(player, told.two)
    if not one or not two or not tells_apart(one, two, told.player):
        return
    for result in failing:
        if result.subject in told.rules:
            show(player, result, told, one[-1], two[-1])


def find(module: ir.Module, effort: str) -> Told | None:
    """Two games that look alike to a player until the last move: in all games, or at random."""
    try:
        return LookAlikes(module, after_draws=False).explore()
    except TooManyGamesError:
        return LookAlikes(module, after_draws=False).sample(POINTS[effort])


def replayed(player: Player, line: Line) -> list[State]:
    """The positions of a game on the compiled rules; none if it cannot be played there."""
    state = player.game.start()
    states = [state]
    try:
        for choice in line:
            codes = player.game.machine.moves(state.cells)
            code = next((c for c in codes if player.meaning(state.cells, c) == choice), None)
            if code is None:
                return []
            state = state.play(player.game.notation.move(state.cells, code))
            states.append(state)
    except Fault:
        return []
    return states


def tells_apart(one: list[State], two: list[State], player: int) -> bool:
    """Whether two games look alike to a player until their last position, and differ there."""
    first, second = ([seen(s, player) for s in states if not s.is_chance] for states in (one, two))
    return len(first) == len(second) and first[:-1] == second[:-1] and first[-1] != second[-1]


def seen(state: State, player: int) -> Hashable:
    """What a player sees of a position: the view, what was revealed, who decides, the offer."""
    offer = tuple(map(str, state.moves())) if state.player == player else ()
    point = state.game.machine.point(state.cells)
    return repr(state.view(player)), state.revealed(player), state.player, point, offer


def show(player: Player, result: Result, told: Told, one: State, two: State) -> None:
    """Change a result to REFUTED, with both games."""
    game = player.game
    name = game.player_names[told.player]
    result.status = "REFUTED"
    result.detail = f"{name} can tell two games apart: {told.what}"
    result.moves = [str(move) for move in one.played()]
    result.other_moves = [str(move) for move in two.played()]
    result.told, result.other_told = ([told_move(s, m) for m in s.played()] for s in (one, two))
    result.record, result.other_record = (game.record(s).to_json() for s in (one, two))
    cells, twin = (dict(Numbers(game, state.cells).all()) for state in (one, two))
    last = next((move.name for move in reversed(one.played()) if move.by is not None), "")
    place = ":".join(result.span.split(":")[:2])

    def still_leaks(other: Game) -> bool | None:
        return _still_tells(other, result, told.player)

    shown = _shown_otherwise(game, one, two, told.player)
    found = culprits(game, shown, last, "", still_leaks) if shown else []
    found = found or culprits(game, set(), last, place, still_leaks)
    result.causes = [str(line) for line in found]
    result.changed = any(line.change for line in found)
    names = [n for n in cells if cells[n] != twin[n]]
    result.cells = {n: cells[n] for n in names}
    result.twin = {n: twin[n] for n in names}


def _shown_otherwise(game: Game, one: State, two: State, player: int) -> set[str]:
    """The variables, pools and zones that a player sees to differ."""
    return {
        name
        for name in game.reader.known()
        if repr(game.reader.read(one.cells, name, player, masked=True))
        != repr(game.reader.read(two.cells, name, player, masked=True))
    }


def _still_tells(game: Game, result: Result, player: int) -> bool | None:
    """Whether the same two games can be told apart under other rules; None if they fail."""
    try:
        ends = [game.start(), game.start()]
        for k, moves in enumerate((result.moves, result.other_moves)):
            for text in moves:
                ends[k] = ends[k].play(text)
    except Fault:
        return None
    except ValueError:
        return False  # a move is not legal
    one, two = (list(end.history()) for end in ends)
    return tells_apart(one, two, player)


def told_move(state: State, move: Move) -> str:
    """A move with the name of its player."""
    return f"{'chance' if move.by is None else state.game.player_names[move.by]}: {move}"
