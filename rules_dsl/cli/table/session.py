"""A game at the terminal: people at some seats, bots at the others."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from compiler.runtime.bots import Bot
from compiler.runtime.fault import Fault
from compiler.runtime.moves import IllegalMove, normal
from compiler.runtime.saving import DataError
from rules_dsl.cli.console import plain_table
from rules_dsl.cli.table.cards import card_lines
from rules_dsl.cli.table.changes import changes
from rules_dsl.cli.table.effects import effects
from rules_dsl.cli.table.gist import Gist
from rules_dsl.cli.table.labels import Labels, number_text
from rules_dsl.cli.table.move_list import MoveList
from rules_dsl.cli.table.position import print_position
from rules_dsl.cli.table.prompt import Prompt
from rules_dsl.cli.table.record_file import read_record, write_record
from rules_dsl.cli.table.screens import OwnScreen
from rules_dsl.cli.table.words import Words
from rules_dsl.language.doubt import Doubt
from rules_dsl.language.sources import GAMES, all_shipped_variants

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.moves import Move, Reason
    from compiler.runtime.state import State

SHORTEST_BEGINNING = 3
LUCK = SystemRandom()
# Height of a screen that does not say it, and the minimum number of lines for moves.
HEIGHT, LEAST_ROOM = 40, 5
# Maximum number of moves examined for one that may be left out.
MOST_BETWEEN = 200


class Session:
    """The conversation: shows positions, takes moves and commands, lets bots play."""

    def __init__(
        self,
        out: Console,
        state: State,
        bots: dict[int, Bot],
        autosave: str = "",
        language: str = "en",
    ) -> None:
        self.out = out
        self.state = state
        self.game = state.game
        self.bots = bots
        self.words = Words(self.game, language)
        self.labels = Labels(self.game, self.words)
        self.screen = OwnScreen(self.game, language)
        self.doubt = Doubt.of(self.game.origin.program())
        # Without a proof, the effects of moves may reveal hidden values: see `Seat.preview`.
        self.trusted = _is_shipped(self.game)
        self.prompt = Prompt(out, self._completions)
        # The position last shown, and to whom, to show only what is new.
        self.shown: State | None = None
        self.shown_to: int | None = None
        self.asked = True
        # The file of the saved game, and its current contents.
        self.autosave = autosave
        self.kept: State | None = None
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves, "why": self._why, "view": self._view, "card": self._card,
            "log": self._log, "undo": self._undo, "save": self._save, "load": self._load,
            "share": self._share, "seed": self._seed, "chance": self._chance, "help": self._help,
            "?": self._help,
        }  # fmt: skip

    @property
    def people(self) -> list[int]:
        """The seats at which people sit."""
        return [p for p in range(self.game.players) if p not in self.bots]

    def run(self) -> None:
        """Play until the people leave, or, without people, until the game is over."""
        while True:
            self._let_bots_play()
            if self.state.is_chance and not self.people:
                self._chance("")
                continue
            if self.state.over:
                self._print_end()
                if not self.people:
                    return
            self._keep()
            if not self._ask():
                return

    def _keep(self) -> None:
        """Write the game to its file, if it has one, before a decision."""
        if self.autosave and self.kept is not self.state:
            write_record(self.state, self.autosave)
            self.kept = self.state

    # ---- moves -----------------------------------------------------------------------------------

    def _let_bots_play(self) -> None:
        while not self.state.over and self.state.player in self.bots:
            assert self.state.player is not None
            if not self.state.moves():
                who = self.labels.seat(self.state.player)
                raise IllegalMove(f"{who} has no legal move: the rules leave none here")
            self._make(self.bots[self.state.player].choose(self.state))

    def _make(self, move: Move) -> None:
        """Make a move and print it; a secret choice is shown only to its player."""
        before = self.state
        self.state = before.play(move)
        if before.player is None:
            self.out.print(Text(f"chance: {move}"))
            return
        secret = self.game.machine.meta["points"][move.point]["secret"]
        mine = before.player in self.people
        name = self.labels.seat(before.player)
        viewer = next(iter(self.people)) if len(self.people) == 1 else None
        done = effects(self.state, viewer)
        if not mine:
            told = f"{name} has chosen" if secret else f"{name}: {move}"
            if done.mover and not secret:
                told += f"  ({done.mover})"
            self._say(told)
        for shown in self.state.revealed(viewer):
            self._say(f"  {shown}")
        if not mine or self.state.player != before.player:
            untold = done.mover if mine or secret else ""
            lines = ([f"{name}: {untold}"] if untold else []) + done.lines
            for line in lines:
                self._say(line, indent=4, style="dim")

    def _say(self, text: str, indent: int = 0, style: str = "") -> None:
        """A line about the game, in the reader's language."""
        line = Text(self.words(text), style=style)
        self.out.print(Padding(line, (0, 0, 0, indent)) if indent else line)

    def _gist(self, player: int) -> Callable[[Move], str]:
        """The effects of a player's moves: place and price."""

        def told(move: Move) -> str:
            done = self.state.seat(player).preview(move, self.trusted)
            gist = Gist(self.game, player)
            return self.words(gist.of(done or (), str(move)))

        return told

    def _completions(self) -> list[str]:
        moves = [str(move) for move in _possible(self.state)]
        return [*map(self.words, moves), *moves, *self.commands, "quit"]

    # ---- talking ---------------------------------------------------------------------------------

    def _ask(self) -> bool:
        """Show what is new, read a line and execute it; returns False on leaving."""
        if self.asked:
            self.show()
        self.asked = False
        line = self.prompt.ask(self._speaker())
        if line is None or line.casefold() in ("quit", "exit", "q"):
            return False
        try:
            self._take(line)
        except (IllegalMove, DataError) as error:
            self.out.print(Text(self.words(str(error)), style="red"))
        return True

    def show(self) -> None:
        """Show what is new, and the question."""
        player = self.state.player
        if player is not None:
            self._print_question(player, self._print_news(player))
        elif self.state.is_chance:
            self._print_outcomes()

    def _speaker(self) -> Text:
        """The prompt, with the name of the player."""
        if self.state.player is not None:
            return self.labels.seat_text(self.state.player).append(">")
        return Text(self.words.own("chance" if self.state.is_chance else "game over") + ">")

    def _take(self, line: str) -> None:
        if not line:
            return
        word, _, rest = line.partition(" ")
        move = self._known(self.state, line)
        if move is None and word.casefold() in self.commands:
            self.commands[word.casefold()](rest.strip())
            return
        several = [part.strip() for part in line.split(":") if part.strip()]
        if move is None and len(several) > 1:
            self._make_all(several)
        else:
            self._make(move or self._found(self.state, line))
        self.asked = True

    def _known(self, state: State, text: str) -> Move | None:
        """The legal move that a text is, by its number or notation."""
        moves = _possible(state)
        return self._by_words(moves).get(normal(text)) or MoveList(moves).find(text)

    def _by_words(self, moves: tuple[Move, ...]) -> dict[str, Move]:
        """Moves by their notation, as the rules write it and in the reader's language."""
        translated = {normal(self.words(str(move))): move for move in moves}
        return translated | {normal(str(move)): move for move in moves}

    def _found(self, state: State, text: str) -> Move:
        """The legal move that a text means; raises `IllegalMove` with what is wrong with it."""
        if state.over:
            raise IllegalMove("the game is over; `undo`, `save FILE`, `load FILE` or `quit`")
        known = self._by_words(_possible(state))
        move = self._known(state, text) or _only_beginning(known, text)
        return move or self.game.notation.find(state.cells, text)

    def _make_all(self, texts: list[str]) -> None:
        """Several moves of one player, one after another: all of them or none."""
        player, position = self.state.player, self.state
        moves: list[Move] = []
        for text in texts:
            if position.player != player:
                raise IllegalMove(f"`{moves[-1]}` ends your turn; nothing of the line was done")
            try:
                move = self._found(position, text)
            except IllegalMove as error:
                between = self._between(position, text)
                if between is None:
                    raise IllegalMove(f"{error}; nothing of the line was done") from None
                moves.append(between)
                position = position.play(between)
                move = self._found(position, text)
            moves.append(move)
            position = position.play(move)
        for move in moves:
            self._make(move)

    def _between(self, state: State, text: str) -> Move | None:
        """The only move after which a text is a move, if there is just one."""
        found = []
        for move in state.moves()[:MOST_BETWEEN]:
            after = state.play(move)
            if after.player == state.player and self._known(after, text):
                found.append(move)
        return found[0] if len(found) == 1 else None

    def _print_news(self, viewer: int) -> int:
        """Show the whole position after others have moved; after an own move only the changes.

        Says how many lines that took.
        """
        if self.shown is not None and self.shown_to == viewer and self._only_own_moves(viewer):
            lines = changes(self.labels, self.shown, self.state, viewer)
            for line in lines:
                self.out.print(Padding(Text(line, style="dim"), (0, 0, 0, 2)))
            printed = len(lines)
        else:
            self.out.print()
            printed = 1 + self._print_position(viewer)
        self.shown, self.shown_to = self.state, viewer
        return printed

    @property
    def height(self) -> int:
        """The lines of the screen."""
        return self.out.height if self.out.is_terminal else HEIGHT

    def _print_position(self, viewer: int | None, everything: bool = False) -> int:
        """The position on the screen that the game brings, or every part of it.

        Returns the number of lines; a plain list may be longer than the screen.
        """
        lines = [] if everything else self.screen.lines(self.state, viewer)
        for line in lines:
            self.out.print(Text(line))
        if not lines:
            print_position(self.out, self.labels, self.state, viewer, everything)
        return len(lines)

    def _only_own_moves(self, viewer: int) -> bool:
        position: State | None = self.state
        while position is not None and position is not self.shown:
            position = position.previous
            if position is not None and position.player != viewer:
                return False
        return position is not None

    def _print_question(self, player: int, printed: int) -> None:
        """Show the question, and the moves in the rest of the screen."""
        moves = MoveList(self.state.moves(), self._gist(player), self.words, self.doubt.star)
        point = self.game.machine.meta["points"][self.game.machine.point(self.state.cells)]
        about = f" ({point['label'].replace('_', ' ')})" if point["label"] else ""
        line = self.labels.seat_text(player)
        asked = f" {self.words.own('to decide')}{self.words(about)}:"
        if point["prompt"]:
            asked = f": {self.words(point['prompt'])}"
        line.append(asked, style="default not bold")
        self.out.print(line)
        # A line for the question and one for the answer.
        for text in moves.lines(self.out.width, max(LEAST_ROOM, self.height - printed - 2)):
            self.out.print(Text(text))

    def _print_outcomes(self) -> None:
        """The outcomes of chance: without a seed the person chooses one."""
        outcomes = self.state.outcomes()
        question = "Chance decides; say what happens, or `chance` to leave it to luck:"
        self.out.print(Text(self.words.own(question)))
        chances = {text for _, text in outcomes}
        if len(chances) == 1:
            self.out.print(Text(f"  each with probability {chances.pop()}"))
        else:
            rows = [(Text(f"  {move}"), Text(str(chance))) for move, chance in outcomes]
            self.out.print(plain_table("", "", rows=rows, headed=False))
        for text in MoveList(_possible(self.state), star=self.doubt.star).lines(self.out.width):
            self.out.print(Text(text))

    def _print_end(self) -> None:
        if self.shown is self.state:
            return
        viewer = self.people[0] if len(self.people) == 1 else None
        self.out.print()
        self._print_position(viewer)
        winners = [self.labels.seat(p) for p in self.state.winners()]
        scores = ", ".join(
            f"{self.labels.seat(p)} {number_text(score)}"
            for p, score in enumerate(self.state.scores())
        )
        own = self.words.own
        verb = own("wins") if len(winners) == 1 else own("share the win")
        names = f" {own('and')} ".join(winners)
        told = f"{own('The game is over')}: {names} {verb} ({scores})."
        self.out.print(Text(told, style="bold"))
        self.shown, self.shown_to = self.state, viewer

    # ---- commands --------------------------------------------------------------------------------

    def _chance(self, text: str) -> None:
        """Draw the outcomes of chance: once, or until a player must decide."""
        if not self.state.is_chance:
            raise IllegalMove("chance does not decide anything here")
        if text not in ("", "all"):
            raise IllegalMove("`chance` lets it decide once, `chance all` until a player must")
        while self.state.is_chance:
            outcomes = self.state.outcomes()
            if not outcomes:
                raise Fault("there is nothing to draw from")
            ((move, _),) = LUCK.choices(outcomes, [float(chance) for _, chance in outcomes])
            # The outcome is not shown: it may be hidden from the players here.
            self.state = self.state.play(move)
            if not text:
                break
        self.asked = True

    def _moves(self, text: str) -> None:
        moves = MoveList(_possible(self.state), say=self.words, star=self.doubt.star)
        found = moves.all_lines(self.out.width, text)
        for line in found or [self.words.own("  no such move")]:
            self.out.print(Text(line))

    def _why(self, text: str) -> None:
        if not text:
            raise IllegalMove("which move? `why MOVE`")
        move = MoveList(self.state.moves()).find(text)
        reasons = self.state.explain(move or text)
        if not reasons:
            self.out.print(Text(self.words.own("nothing is required of it")))
            return
        rows = [(_mark(reason), Text(self.words(_reason(reason)))) for reason in reasons]
        self.out.print(plain_table("", "", rows=rows, headed=False))

    def _view(self, what: str) -> None:
        player = self.state.player
        viewer = player if player is not None else self.people[0] if len(self.people) == 1 else None
        self._print_position(viewer, everything=what.casefold() == "all")
        for line in self.screen.legend() if not what else ():
            self.out.print(Text(f"  {line}", style="dim"))
        self.shown, self.shown_to = self.state, viewer

    def _card(self, name: str) -> None:
        if not name:
            raise DataError("which one? `card NAME`")
        found = card_lines(self.game.origin.program(), name, self.words.language)
        more = [f"    {line}" for line in self.screen.about(self.state, normal(name))]
        told = [*found[:1], *more] if more else found
        for line in told or [self.words.own("  there is no such card")]:
            self.out.print(Text(line))

    def _log(self, _: str) -> None:
        """The moves so far, and their reveals, as the players here know them."""
        viewer = self.people[0] if len(self.people) == 1 else None
        shown = [
            state.revealed(viewer)
            for before, state in itertools.pairwise(self.state.history())
            if before.player is not None
        ]
        told = iter(shown)
        for number, entry in enumerate(self.state.seat(viewer).story, 1):
            self._say(f"{number:>5}  {entry.text}")
            if entry.player is not None:
                for line in next(told, ()):
                    self._say(line, indent=9, style="dim")

    def _undo(self, _: str) -> None:
        position = self.state.previous
        while position is not None and position.player not in self.people:
            position = position.previous
        if position is None:
            raise IllegalMove("there is nothing to take back")
        self._go_to(position)

    def _save(self, name: str) -> None:
        if not name:
            raise DataError("where to? `save FILE`")
        self.out.print(Text(f"saved to {write_record(self.state, name)}"))

    def _share(self, name: str) -> None:
        if not name:
            raise DataError("where to? `share FILE`")
        self.out.print(Text(f"saved to {write_record(self.state, name, seed=False)}"))

    def _seed(self, _: str) -> None:
        seed = self.state.seed
        self.out.print(Text("this game has no seed" if seed is None else f"seed {seed}"))

    def _load(self, name: str) -> None:
        if not name:
            raise DataError("from where? `load FILE`")
        self._go_to(self.game.replay(read_record(name)))

    def _go_to(self, position: State) -> None:
        self.state = position
        self.shown, self.asked = None, True

    def _help(self, _: str) -> None:
        self.out.print(Text(self.words.own(self.words.help)))


def _is_shipped(game: Game) -> bool:
    """Whether all of the rules are shipped ones."""
    main = Path(game.origin.sources.main).resolve()
    shipped = all_shipped_variants()
    return main.is_relative_to(GAMES) and all(variant in shipped for variant in game.variants)


def _possible(state: State) -> tuple[Move, ...]:
    """The legal moves of a player, or the outcomes of chance."""
    return tuple(move for move, _ in state.outcomes()) if state.is_chance else state.moves()


def _only_beginning(known: dict[str, Move], text: str) -> Move | None:
    """The one move that begins with a text, if the text is long enough to be meant; its words may
    be unfinished, as in `pl pal` for `place Palenque`."""
    wanted = normal(text)
    if len(wanted) < SHORTEST_BEGINNING:
        return None
    found = {move for words, move in known.items() if words.startswith(wanted)}
    if not found:
        found = {move for words, move in known.items() if _abbreviates(wanted, words)}
    return found.pop() if len(found) == 1 else None


def _abbreviates(text: str, words: str) -> bool:
    """Whether every word of a text is the beginning of the word at its place.

    >>> _abbreviates("pl pal", "place palenque"), _abbreviates("pl tik", "place palenque")
    (True, False)
    """
    short, long = text.split(), words.split()
    return len(short) <= len(long) and all(
        word.startswith(part) for part, word in zip(short, long, strict=False)
    )


def _mark(reason: Reason) -> Text:
    return Text("  ok", style="green") if reason.holds else Text("  no", style="red")


def _reason(reason: Reason) -> str:
    """A requirement and its cite."""
    return f"{reason.told}{f' [{reason.cite}]' if reason.cite else ''}"
