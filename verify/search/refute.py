"""From "not proved" to "refuted": a game from the opening, replayed before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.contracts import with_contracts
from compiler.rebuild import assemble
from compiler.runtime.fault import Fault
from verify.analysis.branches import arms_of, marked_for_play, marked_for_proof
from verify.analysis.length_bound import decisions
from verify.proof.obligation import OF_INVARIANTS, Obligation
from verify.proof.results import FAILING, Report, Result
from verify.search.guided import approach
from verify.search.hunt import BUDGETS, Hunt, large
from verify.search.player import Broken, Player, fault_of
from verify.search.random_games import BrokenGame, Search
from verify.search.rule_coverage import effects_of, never_reached, options_of
from verify.search.telling import tell_game, tell_sentence
from verify.search.witnesses import witnesses

if TYPE_CHECKING:
    from compiler import ir
    from compiler.runtime.game import Game
    from compiler.runtime.moves import Move
    from compiler.runtime.state import State


def refute(game: Game, report: Report, effort: str) -> Search:
    """Look for games that break what was not proved; results that one is found for are changed."""
    module = game.ir
    # Contracts are not evaluated in play; here they are, to see them broken.
    checked = with_contracts(module)
    player = Player(assemble(game, game.origin.program(), checked), checked, module)
    cycles = any(r.obligation == "termination" and r.status in FAILING for r in report.results)
    search = search_for_all(game, effort)
    if any(r.status in FAILING for r in report.results):
        search.cycles, search.aims = cycles, None
    search.run()
    search.doubt()
    if not search.complete and effort in BUDGETS:
        if search.aims is not None and not search.content:
            approach(search, game)
        with search.watched():
            hunt_for_results(search, module, report, effort)
            # In a large game the solver sees few moves ahead, takes long and has found none.
            if search.aims is not None and not large(module):
                hunt_for_branches(search, module, effort)
    for found in search.found.values():
        shown = found if found.broken.obligation == "termination" else search.shortened(found)
        for result in matching(report, shown.broken):
            show(player, result, shown)
    return search


def search_for_all(game: Game, effort: str) -> Search:
    """A search, not begun yet, for everything that should happen in some game."""
    module, marked = game.ir, with_contracts(marked_for_play(game.ir))
    return Search(
        Player(assemble(game, game.origin.program(), marked), marked, module),
        effort,
        aims=options_of(module),
        rules=effects_of(module) | arms_of(module).keys(),
        witnesses=witnesses(game.origin.sources, game.players),
        invariants=list(module.invariants),
        most=decisions(module),
    )


def hunt_for_results(search: Search, module: ir.Module, report: Report, effort: str) -> None:
    """Look harder for games that break what was not proved and what play has not broken."""

    def wanted(obligation: Obligation) -> bool:
        invariant = obligation.kind in OF_INVARIANTS
        return any(
            (r.subject, r.rule) == (obligation.subject, obligation.step.rule)
            or (invariant and r.subject == obligation.subject)
            for r in failing
            if (r.obligation == obligation.kind or (invariant and r.obligation in OF_INVARIANTS))
            and not refuted(r)
        ) and not any(_about(found.broken, obligation) for found in search.found.values())

    def refuted(result: Result) -> bool:
        """Whether a game breaks this result already; its other steps may well be proved."""
        return any(
            result is other
            for found in search.found.values()
            for other in matching(report, found.broken)
        )

    failing = [
        r
        for r in report.results
        if r.status in FAILING
        and r.obligation in ("init", "invariant", "safety", "conservation", "progress")
    ]
    if failing:
        Hunt(module, search, wanted, effort).run()


def _about(broken: Broken, obligation: Obligation) -> bool:
    """Whether a broken game breaks an obligation."""
    if broken.obligation in ("invariant", "progress"):
        return broken.subject == obligation.subject
    return bool(broken.place) and str(obligation.span).startswith(f"{broken.place}:")


def hunt_for_branches(search: Search, module: ir.Module, effort: str) -> None:
    """Look harder for games that take the branches which play has not taken."""
    unseen = set(arms_of(module)) - search.carried_out
    unseen -= never_reached(module, unseen)

    def wanted(obligation: Obligation) -> bool:
        return obligation.what in unseen and obligation.what not in search.carried_out

    if unseen:
        Hunt(marked_for_proof(module, unseen), search, wanted, effort).run()


def matching(report: Report, broken: Broken) -> list[Result]:
    """The results that a broken game is about."""
    kinds = {broken.obligation}
    if broken.obligation == "invariant":
        kinds.add("init")
    candidates = [r for r in report.results if r.obligation in kinds and r.status in FAILING]
    if broken.obligation == "termination":
        return candidates
    if broken.obligation in ("invariant", "progress"):
        return [r for r in candidates if r.subject == broken.subject]
    if broken.message.endswith(" assumes"):
        # Broken where a rule is entered, owed by its caller; play does not show which of several.
        callers = [r for r in candidates if r.detail.startswith(broken.message)]
        return callers if len({r.subject for r in callers}) == 1 else []
    by_place = [r for r in candidates if broken.place and r.span.startswith(f"{broken.place}:")]
    # A result shows one of the places in its rule that fail; another may be the one in play.
    return by_place or [r for r in candidates if broken.subject and r.subject == broken.subject]


def show(player: Player, result: Result, found: BrokenGame) -> None:
    """Change a result to REFUTED, if the game can be replayed."""
    game = player.game
    played = list(found.moves)
    last = played.pop() if found.fails and played else None
    states: list[State] = []
    try:
        states += player.replay(played)
    except Fault as fault:
        if not found.moves and player.fault(fault) == found.broken:
            # The rules break before the first position.
            result.status, result.detail = "REFUTED", found.broken.message
            tell_sentence(game, result)
        return
    except ValueError:
        return
    state = states[-1]
    texts = [str(m) for m in state.played()]
    record = game.record(state)
    if game.replay(record).cells != state.cells:
        return
    move = None if last is None else game.notation.move(state.cells, last)
    if move is not None:
        if not _fails(state, move, found.broken):
            return
        texts.append(str(move))
    elif not _broken(player, states, found.broken):
        return
    result.status = "REFUTED"
    result.detail = found.broken.message
    result.moves = texts
    result.record = record.to_json()
    result.cells = differences(player, state.cells)
    result.chosen = {}
    tell_game(game, result, state, move, found.broken.place)


def _fails(state: State, move: Move, broken: Broken) -> bool:
    """Whether a move cannot be carried out, for the same reason."""
    try:
        state.play(move)
    except Fault as fault:
        return fault_of(fault).place == broken.place
    return False


def _broken(player: Player, states: list[State], broken: Broken) -> bool:
    """Whether the last position of a game breaks what it is said to break."""
    cells = states[-1].cells
    if broken.obligation == "termination":
        return any(state.cells == cells for state in states[:-1])
    if broken.obligation == "invariant":
        invariant = next(i for i in player.module.invariants if i.name == broken.subject)
        return not player.invariant_holds(invariant, cells)
    now = player.broken(cells, [])
    return now is not None and (now.obligation, now.place) == (broken.obligation, broken.place)


def differences(player: Player, position: bytes) -> dict[str, str]:
    """A position as its differences from the one before set-up."""
    from verify.encode.unknowns import cell_name
    from verify.proof.counterexample import shown_value

    module = player.module
    result: dict[str, str] = {}
    for array in module.arrays.values():
        for k, value in enumerate(player.cells(position, array.name)):
            if value != array.initial[k]:
                result[cell_name(module, array, k)] = shown_value(module, array, value)
    return result
