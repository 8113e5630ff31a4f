"""What a result says to players: a sentence, its numbers, whose line it is, and the game.

Everything here is read off a game that was replayed, or off the rules as they are written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from compiler import ir
from compiler.contracts import with_contracts
from compiler.rebuild import assemble
from compiler.runtime.fault import Fault
from compiler.runtime.moves import Move
from compiler.runtime.numbers_told import Numbers
from compiler.runtime.saving import DataError, ReplayError
from compiler.runtime.state import State
from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text
from rules_dsl.language.prose import mentioned
from verify.proof.results import Result
from verify.search.culprits import culprits

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from rules_dsl.language.program import Program

# Reasons why a player is stuck that are told.
MOST_REASONS = 6
# Moves that are tried to find out why.
MOST_TRIED = 2000
_CONTRACT = re.compile(r"what (?P<rule>\S+) (?P<kind>requires|ensures)")
_RANGE = re.compile(r"(?P<what>.+) is (?P<value>-?\d+), outside (?P<low>-?\d+)\.\.(?P<high>-?\d+)")
_MAY_LEAVE = re.compile(r"(?P<what>\w+)(\[.*?\])? in (?P<low>-?\d+)\.\.(?P<high>-?\d+)")
_ENOUGH = re.compile(r"enough (?P<good>\w+) to move")
_SHORT = re.compile(r"there are not so many (?P<good>\S+) in (?P<pool>\S+)")


def tell_sentence(game: Game, result: Result) -> None:
    """Give a result that needs attention its sentence."""
    result.sentence = sentence(game, result)
    result.asked = _asked(game)


def tell_game(game: Game, result: Result, state: State, last: Move | None, place: str) -> None:
    """Tell the game that breaks something; `last` is a move that cannot be carried out."""
    tell_sentence(game, result)
    result.numbers = numbers(game, result, state)
    moves = [*state.played(), *([last] if last is not None else [])]
    result.told = _moves(game, moves, f"{result.sentence} {result.numbers}")
    program = game.origin.program()
    names = _names(program, result)
    acted = [move for move in moves if move.by is not None]
    final = acted[-1].name if acted else ""

    def still_breaks(other: Game) -> bool | None:
        return _still_breaks(other, result, last is not None)

    if _CONTRACT.match(result.detail):
        place = ":".join(result.span.split(":")[:2])  # where the contract is called for
    found = culprits(game, names, final, place, still_breaks)
    result.causes = [str(line) for line in found]
    result.changed = any(line.change for line in found)


def _asked(game: Game) -> str:
    """What to type after `rules verify` to look at the same game again."""
    origin = game.origin
    variants = "".join(f" --variant {variant}" for variant in origin.variants)
    return f"{origin.name}{variants} --players {game.players}"


# ---- the sentence -------------------------------------------------------------------------------


def sentence(game: Game, result: Result) -> str:
    """What is wrong, in words that a player knows."""
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
            return "A player can learn what is hidden"
        case "liveness":
            return f"The rules have {_called(game, result.subject)}, which can never happen"
        case "examples":
            return f"The example “{result.subject}” has another result"
        case "scoring":
            return "The score of a finished game is not defined"
        case "agreement":
            return "The compiled rules and the formulas differ"
        case _:
            return _fault(game, program, result.detail)


def _invariant(module: ir.Module, name: str) -> str:
    law = next((i for i in module.invariants if i.name == name), None)
    text = law.text if law is not None and law.text else name.replace("_", " ")
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
        what = found["what"].partition("[")[0]
        limits = f"{found['low']} to {found['high']}"
        return f"{_capital(_called(game, what))} becomes {found['value']}, but must be {limits}"
    if found := _MAY_LEAVE.match(detail):
        what = _capital(_called(game, found["what"]))
        return f"{what} may leave its range, {found['low']} to {found['high']}"
    if found := _ENOUGH.match(detail):
        return f"There may not be enough {_called(game, found['good'])} to move"
    if found := _SHORT.match(detail):
        good, pool = _called(game, found["good"]), _called(game, found["pool"])
        return f"More {good} is taken than there is ({pool})"
    if detail.startswith("there is nothing to draw from"):
        return "Something is to be drawn, but nothing is left to draw from"
    if detail.startswith("what the loop keeps"):
        return "What a loop keeps (its `keeps` line) does not hold when the loop comes round"
    return _capital(detail.partition(" after ")[0])


def _contract(program: Program, rule: str, kind: str) -> str:
    """A contract, quoted."""
    quoted = [
        expression_text(condition)
        for declaration in program.of(s.Procedure)
        if declaration.name.name == rule
        for condition in (declaration.requires if kind == "requires" else declaration.ensures)
    ]
    said = f"`{rule}` {kind} {' and '.join(quoted)}" if quoted else f"`{rule}` {kind} something"
    when = "where it is called" if kind == "requires" else "when it is done"
    return f"{said}, which does not hold {when}"


# ---- the numbers --------------------------------------------------------------------------------


def numbers(game: Game, result: Result, state: State) -> str:
    """The numbers that break it, in a position."""
    if result.obligation in ("init", "invariant"):
        law = next((i for i in game.ir.invariants if i.name == result.subject), None)
        return "" if law is None else Numbers(game, state.cells).broken(law.condition) or ""
    if result.obligation == "progress":
        return "; ".join(_stuck(game, state))
    return ""


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
        more = f" (and {len(others)} other reasons)" if others else ""
        yield f"{name.replace('_', ' ')}: {most}{more}"


# ---- the game -----------------------------------------------------------------------------------


def _moves(game: Game, moves: list[Move], later: str) -> list[str]:
    """The moves with the names of the players; draws that do not matter are only counted.

    A draw matters if what was drawn is named afterwards.
    """
    texts = [str(move) for move in moves]
    told: list[str] = []
    left_out = 0
    for k, move in enumerate(moves):
        if move.by is None:
            drawn = texts[k].rpartition(" ")[2]
            after = " ".join([*texts[k + 1 :], later])
            if not re.search(rf"(?<!\w){re.escape(drawn)}(?!\w)", after):
                left_out += 1
                continue
            told.append(f"chance: {texts[k]}")
        else:
            told.append(f"{game.player_names[move.by]}: {texts[k]}")
    if left_out:
        draws = "1 draw" if left_out == 1 else f"{left_out} draws"
        told.append(f"({draws} left out: what was drawn does not matter)")
    return told


def _names(program: Program, result: Result) -> set[str]:
    """What the broken condition speaks of."""
    for law in program.of(s.Invariant):
        if law.name.name == result.subject and result.obligation in ("init", "invariant"):
            return mentioned(program, law.condition) & _variables(program)
    return set(re.findall(r"[A-Za-z_]\w*", result.detail))


def _variables(program: Program) -> set[str]:
    """The names of the state."""
    return {item.name.name for state in program.of(s.State) for item in state.items}


def _still_breaks(game: Game, result: Result, unfinished: bool) -> bool | None:
    """Whether the same moves break the same thing under other rules."""
    if unfinished:
        game = assemble(game, game.origin.program(), with_contracts(game.ir))
    state = game.start()
    moves = result.moves
    try:
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
        law = next((i for i in game.ir.invariants if i.name == result.subject), None)
        return law is not None and Numbers(game, state.cells).broken(law.condition) is not None
    if result.obligation == "progress":
        return not state.over and not state.moves()
    return None
