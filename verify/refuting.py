"""From "not proved" to "refuted": a game from the opening, replayed before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.fault import Fault
from verify.branches import arms_of, marked_for_play
from verify.liveness import effects_of, options_of
from verify.mutants import assemble
from verify.play import Broken, Player
from verify.results import FAILING, Report, Result
from verify.search import Found, Search

if TYPE_CHECKING:
    from compiler.runtime.game import Game


def refute(game: Game, report: Report, effort: str) -> Search:
    """Look for games that break what was not proved; results that one is found for are changed."""
    module = game.ir
    player = Player(game, module)
    wanted = {r.subject for r in report.results if r.status in FAILING}
    laws = [law for law in module.invariants if law.name in wanted]
    cycles = any(r.obligation == "termination" and r.status in FAILING for r in report.results)
    marked = marked_for_play(module)
    search = Search(
        Player(assemble(game, game.origin.program(), marked), marked), effort, laws, cycles
    )
    if not any(r.status in FAILING for r in report.results):
        search.aims, search.rules = options_of(module), effects_of(module) | arms_of(module).keys()
    search.run()
    for found in search.found.values():
        shown = found if found.broken.obligation == "termination" else search.shortened(found)
        for result in matching(report, shown.broken):
            show(player, result, shown)
    return search


def matching(report: Report, broken: Broken) -> list[Result]:
    """The results that a broken game speaks of."""
    kinds = {broken.obligation}
    if broken.obligation == "invariant":
        kinds.add("init")
    candidates = [r for r in report.results if r.obligation in kinds and r.status in FAILING]
    if broken.obligation == "termination":
        return candidates
    by_place = [r for r in candidates if broken.place and r.span.startswith(f"{broken.place}:")]
    if broken.obligation in ("invariant", "progress"):
        return [r for r in candidates if r.subject == broken.subject]
    return by_place


def show(player: Player, result: Result, found: Found) -> None:
    """Change a result to REFUTED, if the game can be replayed."""
    game = player.game
    played = list(found.moves)
    last = played.pop() if found.fails and played else None
    state = None
    texts: list[str] = []
    try:
        for state in player.replay(played):
            if state.played():
                texts = [str(m) for m in state.played()]
    except (Fault, ValueError):
        return
    if state is None:
        # The rules break before the first position.
        result.status, result.detail = "REFUTED", found.broken.message
        return
    record = game.record(state)
    if game.replay(record).cells != state.cells:
        return
    if last is not None:
        move = game.notation.move(state.cells, last)
        try:
            state.play(move)
        except Fault:
            texts.append(str(move))
        else:
            return
    elif found.broken.obligation == "invariant":
        law = next(i for i in player.module.invariants if i.name == found.broken.subject)
        if player.law_holds(law, state.cells):
            return
    result.status = "REFUTED"
    result.detail = found.broken.message
    result.moves = texts
    result.record = record.to_json()
    result.cells = differences(player, state.cells)
    result.chosen = {}


def differences(player: Player, position: bytes) -> dict[str, str]:
    """A position as what differs from the one before set-up."""
    from verify.positions import shown_value
    from verify.smt.world import cell_name

    module = player.module
    result: dict[str, str] = {}
    for array in module.arrays.values():
        for k, value in enumerate(player.cells(position, array.name)):
            if value != array.initial[k]:
                result[cell_name(module, array, k)] = shown_value(module, array, value)
    return result
