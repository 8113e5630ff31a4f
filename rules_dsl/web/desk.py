"""A game on a table: the one place of the web server that holds positions.

A desk answers with plain data, made from the seat of the caller and nothing else: no position, no
seed, no move of another player leaves it. It runs in the server for shipped rules, and in a process
of its own, which can be killed, for rules that a user wrote.
"""

from __future__ import annotations

import json
import re
import secrets
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, field, frozen

import rules_dsl as rd
from compiler.runtime.bots import bot_by_name
from compiler.runtime.discovery import has_secrets
from compiler.runtime.fault import Fault
from compiler.runtime.moves import IllegalMove
from compiler.runtime.sampling import retold
from compiler.runtime.saving import DataError, without_seed
from compiler.runtime.terminal import bookkeeping
from compiler.runtime.unplayed import SampleError
from rules_dsl.language.doubt import Doubt
from rules_dsl.language.sources import all_shipped_variants, shipped_games
from rules_dsl.translation import Translation
from rules_dsl.web.drawings import drawing

if TYPE_CHECKING:
    from compiler.runtime.events import Event
    from compiler.runtime.game import Game
    from compiler.runtime.moves import Move, Reason
    from compiler.runtime.seat import Seat
    from compiler.runtime.state import State

# Size of a seed in bits: it must not be guessed, as it determines all chance to come.
SEED_BITS = 62
MOST_MOVES_TOLD = 3000
SQUARE = re.compile(r"\b[a-z]{1,2}\d{1,2}\b")


class Refused(Exception):
    """A refused request; `.reasons` has the reasons, with cites."""

    def __init__(self, message: str, reasons: tuple[dict[str, Any], ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons


@frozen
class Setup:
    """The set-up of a table: enough to start the same game again.

    `seed` resolves chance. `base` is a position to start from, as JSON, instead of the opening;
    `prefix` are moves and outcomes of chance from the opening, before the seed comes into play.
    `rules` is the digest of the rules, once they are known: under others the numbers of moves mean
    other moves.
    """

    game: str
    players: int | None = None
    options: dict[str, Any] = field(factory=dict)
    variants: tuple[str, ...] = ()
    seed: int = 0
    base: str = ""
    prefix: tuple[int, ...] = ()
    rules: str = ""

    @staticmethod
    def from_data(data: dict[str, Any]) -> Setup:
        """A set-up that was written as JSON."""
        lists = {name: tuple(data[name]) for name in ("variants", "prefix")}
        return Setup(**{**data, **lists})

    @property
    def trusted(self) -> bool:
        """True if all of the rules are shipped."""
        return self.game in shipped_games() and all(
            variant in all_shipped_variants() for variant in self.variants
        )


def new_seed() -> int:
    """A seed for a new game."""
    return secrets.randbits(SEED_BITS)


class Desk:
    """The positions of one table, from its first to the current one.

    >>> desk = Desk(Setup("tic_tac_toe"))
    >>> desk.play(0, desk.view(0)["moves"][4]["code"])
    >>> desk.view(None)["log"][0]["text"]
    'cross: b2'
    """

    def __init__(self, setup: Setup, codes: tuple[int, ...] = ()) -> None:
        self.setup = setup
        self.trusted = setup.trusted
        self.game: Game = rd.load(
            setup.game, setup.players, options=setup.options, variants=setup.variants
        )
        if setup.rules not in ("", self.game.digest):
            raise Refused("the rules have changed since this table was set up")
        self._translations: dict[str, Translation] = {}
        self.chain: list[State] = [self._first()]
        for code in setup.prefix:
            self.chain.append(self.state.play(self._move(code)))
        if setup.prefix:
            self.chain[-1] = self.state.reseed(setup.seed)
        self.fixed = len(self.chain)
        for code in codes:
            self.chain.append(self.state.play(self._move(code)))

    def _first(self) -> State:
        if self.setup.base:
            return self.game.state_from_json(self.setup.base)
        return self.game.start(seed=None if self.setup.prefix else self.setup.seed)

    @cached_property
    def doubt(self) -> Doubt:
        """The rows that are provisional; the rules are read again only for the first view."""
        return Doubt.of(self.game.origin.program())

    @property
    def state(self) -> State:
        """The current position."""
        return self.chain[-1]

    def codes(self) -> list[int]:
        """The numbers of the moves since the set-up, to be kept."""
        return [state.last_code for state in self.chain[self.fixed :]]

    def rules(self) -> str:
        """The digest of the rules that are played."""
        return self.game.digest

    def about(self) -> dict[str, Any]:
        """The public data of the table, apart from its positions."""
        game = self.game
        return {
            "game": game.name,
            "title": game.title,
            "variants": list(game.variants),
            "options": dict(game.options),
            "names": list(game.player_names),
            "secrets": has_secrets(game),
        }

    def turn(self) -> dict[str, Any]:
        """The player who decides, and the number of positions."""
        state = self.state
        return {"player": state.player, "over": state.over, "last": len(self.chain) - 1}

    # ---- looking ---------------------------------------------------------------------------------

    def view(self, viewer: int | None, at: int | None = None, lang: str = "en") -> dict[str, Any]:
        """Everything that a seat may have of a position; a spectator has no number."""
        number = len(self.chain) - 1 if at is None else max(0, min(at, len(self.chain) - 1))
        now = number == len(self.chain) - 1
        state = self.chain[number]
        seat = state.seat(viewer)
        decision = seat.decision
        moves = seat.moves if now else ()
        words = self._words(lang)
        return {
            "at": number,
            "last": len(self.chain) - 1,
            "viewer": viewer,
            "names": [words(name) for name in self.game.player_names],
            "player": state.player,
            "over": seat.over,
            "winners": list(seat.winners),
            "scores": [str(score) for score in seat.scores],
            "prompt": words(decision.prompt) if decision else "",
            "moves": [
                {**_told(move), "shown": words(move.text) + self.doubt.star(move)}
                for move in moves[:MOST_MOVES_TOLD]
            ],
            "more": max(0, len(moves) - MOST_MOVES_TOLD),
            "closed": self._closed(seat) if now else [],
            "drawing": drawing(state, viewer, lang),
            "events": [words(event.text) for event in self._worth_telling(seat.events)],
            "log": [{**asdict(entry), "text": words(entry.text)} for entry in seat.story],
            "undo": now and self._undo_to(viewer) is not None,
        }

    def _words(self, lang: str) -> Translation:
        if lang not in self._translations:
            self._translations[lang] = Translation(self.game.machine.meta["labels"], lang)
        return self._translations[lang]

    def data(self, viewer: int | None) -> dict[str, Any]:
        """The view of a seat as data, for programs."""
        found: dict[str, Any] = json.loads(self.state.seat(viewer).view.to_json())
        return found

    def _closed(self, seat: Seat) -> list[dict[str, Any]]:
        """The unavailable options of the seat's decision, with the requirements that fail."""
        decision = seat.decision
        if decision is None or not seat.my_turn:
            return []
        possible = {move.name for move in seat.moves}
        found = []
        for option in decision.options:
            if option.name not in possible:
                reasons = () if option.parameters else seat.explain(option.name)
                found.append(
                    {
                        "name": option.name,
                        "cites": list(option.cites),
                        "reasons": _reasons(reasons, failed=True),
                    }
                )
        return found

    def explain(self, viewer: int | None, text: str) -> list[dict[str, Any]]:
        """Why a move of one's own is possible or not, by its notation."""
        return _reasons(self.state.seat(viewer).explain(text))

    def refusals(self, viewer: int | None, key: str) -> list[dict[str, Any]]:
        """The reasons why a place or card cannot be used now, option by option."""
        seat = self.state.seat(viewer)
        decision = seat.decision
        if decision is None or not seat.my_turn:
            return _reasons(seat.explain(key))
        found = []
        for option in decision.options:
            if option.parameters:
                reasons = [r for r in seat.explain(f"{option.name} {key}") if r.cite]
                failed = _reasons(tuple(reasons), failed=True)
                found += [{**reason, "option": option.name} for reason in failed]
        return found

    def preview(self, viewer: int | None, code: int, lang: str = "en") -> list[str] | None:
        """The effects of a move of one's own; None where they would reveal something hidden."""
        events = self.state.seat(viewer).preview(self._own(viewer, code), self.trusted)
        words = self._words(lang)
        if events is None:
            return None
        return [words(event.text) for event in self._worth_telling(events[1:])]

    def _worth_telling(self, events: tuple[Event, ...]) -> list[Event]:
        """The events, without the bookkeeping of the rules."""
        quiet = bookkeeping(self.game)
        return [event for event in events if event.data.get("name") not in quiet]

    # ---- playing ---------------------------------------------------------------------------------

    def play(self, viewer: int | None, code: int) -> None:
        """Make a move of one's own; raises `Refused`."""
        move = self._own(viewer, code)
        try:
            self.chain.append(self.state.seat(viewer).play(move))
        except Fault as error:
            raise Refused(f"the rules do something impossible: {error}") from None

    def play_text(self, viewer: int | None, text: str) -> None:
        """Make a move of one's own, given in notation; raises `Refused`."""
        try:
            self.chain.append(self.state.seat(viewer).play(text))
        except IllegalMove as error:
            raise Refused(str(error), tuple(_reasons(error.reasons))) from None
        except Fault as error:
            raise Refused(f"the rules do something impossible: {error}") from None

    def bot_choice(self, bot: str, seed: int) -> int:
        """The move that a bot makes for the player whose turn it is; raises `Refused`."""
        state = self.state
        if state.player is None or not state.moves():
            raise Refused("the rules leave no legal move here")
        try:
            return bot_by_name(bot, seed).choose(state).code
        except Fault as error:
            raise Refused(f"the rules do something impossible: {error}") from None
        except SampleError as error:
            raise Refused(str(error)) from None

    def undo(self, viewer: int | None) -> None:
        """Take back one's own last decision; raises `Refused` where that would show something."""
        back = self._undo_to(viewer)
        if back is None:
            raise Refused(
                "only your own decisions since the last draw, reveal or decision of another player "
                "can be taken back"
            )
        del self.chain[back + 1 :]

    def _undo_to(self, viewer: int | None) -> int | None:
        last = len(self.chain) - 1
        if last < self.fixed or not self.state.seat(viewer).may_take_back(self.trusted):
            return None
        return last - 1

    # ---- keeping ---------------------------------------------------------------------------------

    def record(self, viewer: int | None) -> str | None:
        """The game so far as a record without a seed, if the seat knows all of it."""
        try:
            record = self.state.seat(viewer).record
        except DataError:
            return None  # it began at a position that was set up
        return None if record is None else record.to_json()

    def fork(self, viewer: int | None, at: int | None = None) -> str:
        """A position to play on from elsewhere, as JSON: one that the seat cannot tell from this.

        Later draws differ from those here, and so does everything hidden from the seat: a fork
        gives away nothing about this table.
        """
        state = self.chain[-1 if at is None else max(0, min(at, len(self.chain) - 1))]
        open_ = self.state.over or not has_secrets(self.game)
        if viewer is None and not open_:
            raise Refused("spectators can fork a game with hidden cards only when it is over")
        try:
            # With its history: bots at the fork know what their seats have seen, and no more.
            fork = (
                without_seed(state)
                if open_ or viewer is None
                else retold(state, viewer, new_seed())
            )
        except (DataError, SampleError) as error:
            raise Refused(f"this position cannot be forked: {error}") from None
        return fork.reseed(new_seed()).to_json()

    def _move(self, code: int) -> Move:
        state = self.state
        possible = [move for move, _ in state.outcomes()] if state.is_chance else state.moves()
        for move in possible:
            if move.code == code:
                return move
        raise Refused("there is no such move here")

    def _own(self, viewer: int | None, code: int) -> Move:
        seat = self.state.seat(viewer)
        if not seat.my_turn:
            raise Refused("it is not your turn")
        return self._move(code)


def opened(text: str, game: str = "") -> tuple[Setup, tuple[int, ...]]:
    """The set-up and the moves in a record; raises `Refused`.

    Without a `game`, a rule file of the server, only records of shipped rules are opened. A record
    without a seed gets one for chance to come.
    """
    try:
        record = rd.Record.from_json(text)
        variants = () if game else record.variants
        setup = Setup(game or record.game, record.players, record.options, variants)
        if not game and not setup.trusted:
            raise Refused("only games of shipped rules can be opened here")
        loaded = rd.load(setup.game, setup.players, setup.options, setup.variants)
        state = loaded.replay(record)
    except (DataError, rd.OptionError, rd.RuleError) as error:
        raise Refused(f"this game cannot be opened: {error}") from None
    codes = tuple(after.last_code for after in state.history()[1:])
    if record.seed is not None:
        return evolve(setup, seed=record.seed), codes
    return evolve(setup, seed=new_seed(), prefix=codes), ()


def _told(move: Move) -> dict[str, Any]:
    args = [str(arg) for arg in _flat(move.args)]
    return {
        "code": move.code,
        "text": move.text,
        "name": move.name,
        "args": args,
        # Squares that the rules know by number, as the notation and the drawing write them.
        "squares": [square for square in SQUARE.findall(move.text) if square not in args],
    }


def _flat(args: tuple[Any, ...]) -> list[Any]:
    found: list[Any] = []
    for arg in args:
        found += arg if isinstance(arg, tuple) else [arg]
    return [arg for arg in found if arg is not None]


def _reasons(reasons: tuple[Reason, ...], failed: bool = False) -> list[dict[str, Any]]:
    return [
        {
            "text": r.text,
            "told": r.told,
            "cite": r.cite,
            "holds": r.holds,
            "values": [list(v) for v in r.values],
        }
        for r in reasons
        if not (failed and r.holds)
    ]
