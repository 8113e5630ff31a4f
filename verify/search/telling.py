"""A result in words for players: a sentence, its numbers, the author's line, and the game.

Everything here is read off a game that was replayed, or off the rules as they are written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from compiler import ir
from compiler.contracts import with_contracts
from compiler.rebuild import assemble
from compiler.runtime.fault import Fault
from compiler.runtime.moves import Move
from compiler.runtime.nouns import counts_things
from compiler.runtime.numbers_told import Numbers
from compiler.runtime.saving import DataError, ReplayError
from compiler.runtime.state import State
from rules_dsl.language import syntax as s
from rules_dsl.language.option_values import setting
from rules_dsl.language.options import OptionInfo, option_infos
from rules_dsl.language.printer import expression_text
from rules_dsl.language.prose import mentioned
from verify.analysis.branches import CONDITION
from verify.proof.results import Result
from verify.search.culprits import culprits, line_at, quoted_rule

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from rules_dsl.language.program import Program

# Maximum number of reasons shown why a player is stuck.
MOST_REASONS = 6
# Maximum number of moves tried to find out why.
MOST_TRIED = 2000
# Maximum number of moves replayed to find out which draws matter.
MOST_REPLAYED = 20_000
_CONTRACT = re.compile(r"what (?P<rule>\S+) (?P<kind>assumes|ensures)")
_RANGE = re.compile(r"(?P<what>.+) is (?P<value>-?\d+), outside (?P<low>-?\d+)\.\.(?P<high>-?\d+)")
_MAY_LEAVE = re.compile(r"(?P<what>\w+)(\[.*?\])? in (?P<low>-?\d+)\.\.(?P<high>-?\d+)")
_ENOUGH = re.compile(r"enough (?P<good>\w+) to move")
_CONDITION = re.compile(rf"{CONDITION} (?P<what>never true|always true)")
_SHORT = re.compile(r"there is not enough (?P<good>\S+) in (?P<pool>\S+)")


def tell_sentence(game: Game, result: Result) -> None:
    """Give a result that needs attention its sentence."""
    result.sentence = sentence(game, result)
    result.quoted = quoted_rule(game.origin.program(), result)
    result.asked = _asked(game)
    if _CONDITION.match(result.detail) and result.obligation == "liveness":
        result.causes = [line_at(game.origin.program(), result.span)]


def tell_game(game: Game, result: Result, state: State, last: Move | None, place: str) -> None:
    """Tell the game that breaks something; `last` is a move that cannot be carried out.

    The game evaluates its contracts, as the search for what breaks them does.
    """
    tell_sentence(game, result)
    result.numbers = (
        numbers(game, result, state)
        or _shortage(game, result, state, last)
        or _beside_its_range(game, result, state)
    )
    moves = [*state.played(), *([last] if last is not None else [])]
    result.told = _moves(game, moves, _idle_draws(game, result, state, last is not None))
    program = game.origin.program()
    names = _names(program, result)
    acted = [move for move in moves if move.by is not None]
    final = acted[-1].name if acted else ""

    def still_breaks(other: Game) -> bool | None:
        return _still_breaks(other, result, last is not None)

    if _CONTRACT.match(result.detail):
        place = ":".join(result.span.split(":")[:2])  # the call that owes the contract
    found = culprits(game, names, final, place, still_breaks)
    result.causes = [str(line) for line in found]
    result.changed = any(line.change for line in found)


def _asked(game: Game) -> str:
    """Arguments of `rules verify` that repeat this configuration."""
    origin = game.origin
    variants = "".join(f" --variant {variant}" for variant in origin.variants)
    infos = option_infos(origin.program())
    said = {o.name: game.options[o.name] for o in infos if _is_said(game, o)}
    options = "".join(f" --option {setting(name, value)}" for name, value in said.items())
    return f"{origin.name}{variants} --players {game.players}{options}"


def _is_said(game: Game, option: OptionInfo) -> bool:
    """Whether a configuration is another one without its choice: all options are tried."""
    return option.kind == "option" or game.options[option.name] != option.default


# ---- the sentence -------------------------------------------------------------------------------


def sentence(game: Game, result: Result) -> str:
    """The failure in words that a player knows."""
    program = game.origin.program()
    match result.obligation:
        case "init" | "invariant":
            return _invariant(game.ir, result.subject)
        case "progress":
            return "A player who must choose has no legal move"
        case "termination":
            return "A game may never end"
        case "conservation":
            return f"{_called(game, result.subject)} must neither appear nor vanish"
        case "views":
            return "A player can learn hidden information"
        case "liveness":
            subject = _called(game, result.subject)
            if found := _CONDITION.match(result.detail):
                if result.status == "UNKNOWN":
                    value = "true" if found["what"] == "never true" else "false"
                    return f"No game was found in which this condition in {subject} is {value}"
                return f"A condition in {subject} is {found['what']}"
            if result.status == "UNKNOWN":
                return f"No game was found in which {subject} happens"
            return f"The rules have {subject}, which can never happen"
        case "examples":
            return f"The example “{result.subject}” has another result"
        case "scoring":
            return "The score of a finished game is not defined"
        case "agreement":
            return "The compiled rules and the formulas differ"
        case _:
            return _fault(game, program, result.detail)


def _invariant(module: ir.Module, name: str) -> str:
    invariant = next((i for i in module.invariants if i.name == name), None)
    text = invariant.text if invariant is not None and invariant.text else name.replace("_", " ")
    return _capital(text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _called(game: Game, name: str) -> str:
    return game.label(name).replace("_", " ")


def _fault(game: Game, program: Program, detail: str) -> str:
    """A step that cannot be carried out."""
    if found := _CONTRACT.match(detail):
        return _contract(program, found["rule"], found["kind"])
    if found := _RANGE.match(detail):
        what = _capital(_called(game, found["what"].partition("[")[0]))
        becomes = "become" if counts_things(what) else "becomes"
        limits = f"{found['low']} to {found['high']}"
        return f"{what} {becomes} {found['value']}, but must be {limits}"
    if found := _MAY_LEAVE.match(detail):
        what = _capital(_called(game, found["what"]))
        return f"{what} may leave its range, {found['low']} to {found['high']}"
    if found := _ENOUGH.match(detail):
        return f"More may be taken than there is ({_called(game, found['good'])})"
    if found := _SHORT.match(detail):
        good, pool = _called(game, found["good"]), _called(game, found["pool"])
        return f"More is taken than there is ({good} in {pool})"
    if detail.startswith("there is nothing to draw from"):
        return "Something is to be drawn, but nothing is left to draw from"
    if detail.startswith("what the loop keeps"):
        return "The `keeps` line of a loop does not hold when the loop comes round"
    if found := re.fullmatch(r"\s*\((.+)\)", detail):  # no goal, only why nothing is known
        return _capital(found[1])
    return _capital(detail.partition(" after ")[0])


def _contract(program: Program, rule: str, kind: str) -> str:
    """A contract, quoted."""
    quoted = [
        expression_text(condition)
        for declaration in program.of(s.Procedure)
        if declaration.name.name == rule
        for condition in (declaration.requires if kind == "assumes" else declaration.ensures)
    ]
    said = f"`{rule}` {kind} {' and '.join(quoted)}" if quoted else f"`{rule}` {kind} something"
    when = "where it is called" if kind == "assumes" else "when it is done"
    return f"{said}, which does not hold {when}"


# ---- the numbers --------------------------------------------------------------------------------


def numbers(game: Game, result: Result, state: State) -> str:
    """The numbers that break it, in a position."""
    if result.obligation in ("init", "invariant"):
        invariant = next((i for i in game.ir.invariants if i.name == result.subject), None)
        return (
            ""
            if invariant is None
            else Numbers(game, state.cells).broken(invariant.condition) or ""
        )
    if result.obligation == "progress":
        return "; ".join(_stuck(game, state))
    return ""


def _shortage(game: Game, result: Result, state: State, last: Move | None) -> str:
    """Number of goods that a move takes, and number there before it."""
    found = _SHORT.match(result.detail)
    if found is None or last is None:
        return ""
    # Of goods that a move chooses among, the rules say the kind.
    chosen = {part.kind: str(part.value) for part in last.parts}
    good = chosen.get(found["good"]) or str(found["good"])
    if good not in game.machine.meta["arrays"][found["pool"]]["goods"]:
        return ""
    try:
        state.play(last)
    except Fault as fault:
        there = Numbers(game, state.cells).goods(found["pool"], good)
        return f"{fault.value} needed; before this move: {', '.join(there)}"
    return ""


def _beside_its_range(game: Game, result: Result, state: State) -> str:
    """The value of a variable before a step that takes it out of its range."""
    found = _RANGE.match(result.detail)
    name = found["what"].partition("[")[0] if found is not None else ""
    array = game.machine.meta["arrays"].get(name)
    kinds = [kind for _, _, kind in array["dimensions"]] if array is not None else []
    if array is None or array["kind"] != "variable" or kinds not in ([], ["Player"]):
        return ""
    if not kinds:
        return f"before this move it is {state[name]}"
    told = [f"{state[name][p]} for {who}" for p, who in enumerate(game.player_names)]
    return f"before this move: {', '.join(told)}"


def _stuck(game: Game, state: State) -> Iterator[str]:
    """Who cannot choose, and why none of the options is legal."""
    decision = state.decision
    if decision is None or decision.player is None:
        return
    yield f"{game.player_names[decision.player]} is to choose"
    refusals: dict[str, Counter[str]] = {}
    for code in islice(game.notation.possible(state.cells), MOST_TRIED):
        move = game.notation.move(state.cells, code)
        failed = [r.text for r in game.notation.reasons(state.cells, move) if not r.holds]
        if failed:
            refusals.setdefault(move.name, Counter())[failed[0]] += 1
    for name, texts in islice(refusals.items(), MOST_REASONS):
        (most, _), *others = texts.most_common()
        number = "another reason" if len(others) == 1 else f"{len(others)} other reasons"
        more = f" (and {number})" if others else ""
        yield f"{name.replace('_', ' ')}: {most}{more}"


# ---- the game -----------------------------------------------------------------------------------


def _moves(game: Game, moves: list[Move], idle: set[int]) -> list[str]:
    """The moves with the names of the players; draws that do not matter are only counted."""
    told = [
        f"{'chance' if move.by is None else game.player_names[move.by]}: {move}"
        for k, move in enumerate(moves)
        if k not in idle
    ]
    if idle:
        draws = "1 draw" if len(idle) == 1 else f"{len(idle)} draws"
        told.append(f"({draws} left out: what was drawn does not matter)")
    return told


def _idle_draws(game: Game, result: Result, state: State, unfinished: bool) -> set[int]:
    """The draws whose result does not matter: with any other, the same moves break the same.

    Another outcome changes places with the one that was drawn. The game evaluates its
    contracts.
    """
    texts = list(result.moves)
    left = MOST_REPLAYED
    idle: set[int] = set()
    for k, (before, move) in enumerate(zip(state.history(), state.played(), strict=False)):
        if move.by is not None or texts[k] != str(move):
            continue
        others = [
            str(other)
            for other in before.game.notation.moves(before.cells, before.codes())
            if str(other) != texts[k]
        ]
        left -= len(others) * len(texts)
        if left >= 0 and all(
            _breaks(game, result, _exchanged(texts, k, other), unfinished) for other in others
        ):
            idle.add(k)
    return idle


def _exchanged(moves: list[str], at: int, other: str) -> list[str]:
    """Moves with another result of a draw; a later draw of that result gets the first one."""
    later = [moves[at] if move == other else move for move in moves[at + 1 :]]
    return [*moves[:at], other, *later]


def _names(program: Program, result: Result) -> set[str]:
    """The variables of the broken condition."""
    for invariant in program.of(s.Invariant):
        if invariant.name.name == result.subject and result.obligation in ("init", "invariant"):
            return mentioned(program, invariant.condition) & _variables(program)
    return set(re.findall(r"[A-Za-z_]\w*", result.detail))


def _variables(program: Program) -> set[str]:
    """The names of the state."""
    return {item.name.name for state in program.of(s.State) for item in state.items}


def _still_breaks(game: Game, result: Result, unfinished: bool) -> bool | None:
    """Whether the same moves break the same thing under other rules."""
    if unfinished:
        game = assemble(game, game.origin.program(), with_contracts(game.ir))
    return _breaks(game, result, result.moves, unfinished)


def _breaks(game: Game, result: Result, moves: Sequence[str], unfinished: bool) -> bool | None:
    """Whether moves break what a result is about; nothing if something else fails before."""
    try:
        state = game.start()  # other rules may fail in set-up
        for number, text in enumerate(moves, 1):
            if unfinished and number == len(moves):
                break
            state = state.play(text)
    except Fault:
        return None
    except (ValueError, DataError, ReplayError):
        return False  # a move is not legal
    if unfinished:
        try:
            state.play(moves[-1])
        except Fault:
            return True
        except ValueError:
            return False
        return False
    if result.obligation in ("init", "invariant"):
        invariant = next((i for i in game.ir.invariants if i.name == result.subject), None)
        return (
            invariant is not None
            and Numbers(game, state.cells).broken(invariant.condition) is not None
        )
    if result.obligation == "progress":
        try:
            return not state.over and not state.moves()
        except Fault:
            return None
    return None
