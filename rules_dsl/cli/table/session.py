"""A game at the terminal: people at some seats, bots at the others."""

from __future__ import annotations

from collections.abc import Callable
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
from rules_dsl.cli.table.labels import Labels, number_text
from rules_dsl.cli.table.move_list import MoveList
from rules_dsl.cli.table.position import print_position
from rules_dsl.cli.table.prompt import Prompt
from rules_dsl.cli.table.record_file import read_record, write_record

if TYPE_CHECKING:
    from compiler.runtime.moves import Move, Reason
    from compiler.runtime.state import State

SHORTEST_BEGINNING = 3
LUCK = SystemRandom()
# Moves examined for one that may be left out.
MOST_BETWEEN = 200
HELP = """\
A move: its number, its notation or the beginning of it (upper and lower case are the same; Tab
completes). Several stand on one line with `:` between them, as in `pick up Tikal 2: build A1-09`;
what can only come in between may be left out.
  moves [TEXT]   all legal moves, or those that contain a text
  why MOVE       the requirements of a move, and whether they hold
  view           the whole position
  card NAME      what is printed on a card or tile
  log            the moves so far
  chance [all]   in a game without a seed: draw or roll once, or until a player must decide
  undo           take back your last decision
  save FILE      write the game to a file
  share FILE     the same without the seed, which tells what is hidden and to come
  seed           show the seed
  load FILE      go on with the game in a file
  help           this
  quit           leave"""


class Session:
    """The conversation: shows positions, takes moves and commands, lets bots play."""

    def __init__(
        self, out: Console, state: State, bots: dict[int, Bot], autosave: str = ""
    ) -> None:
        self.out = out
        self.state = state
        self.game = state.game
        self.bots = bots
        self.labels = Labels(self.game)
        self.prompt = Prompt(out, self._words)
        # What was last shown to whom, to show only what is new.
        self.shown: State | None = None
        self.shown_to: int | None = None
        self.asked = True
        # Where the game is kept, and what is kept there.
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
        """Make a move and say so; what is chosen in secret stays with who chose it."""
        before = self.state
        self.state = before.play(move)
        if before.player is None:
            self.out.print(Text(f"chance: {move}"))
            return
        secret = self.game.machine.meta["points"][move.point]["secret"]
        mine = before.player in self.people
        line = self.labels.seat_text(before.player)
        line.append(" has chosen" if secret and not mine else f": {move}", style="default not bold")
        if not mine:
            self.out.print(line)
        viewer = next(iter(self.people)) if len(self.people) == 1 else None
        for shown in self.state.revealed(viewer):
            self.out.print(Text(f"  {shown}"))
        if not mine or self.state.player != before.player:
            self._print_effects(viewer)

    def _print_effects(self, viewer: int | None) -> None:
        """What the last move brought about, and what happened after it without a decision."""
        for line in effects(self.state, viewer):
            self.out.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))

    def _words(self) -> list[str]:
        return [*(str(move) for move in _possible(self.state)), *self.commands, "quit"]

    # ---- talking ---------------------------------------------------------------------------------

    def _ask(self) -> bool:
        """Show what is new, take one line and do what it says; False when it is time to leave."""
        player = self.state.player
        if player is not None and self.asked:
            self._print_news(player)
            self._print_question(player)
        elif self.state.is_chance and self.asked:
            self._print_outcomes()
        self.asked = False
        line = self.prompt.ask(self._speaker())
        if line is None or line.casefold() in ("quit", "exit", "q"):
            return False
        try:
            self._take(line)
        except (IllegalMove, DataError) as error:
            self.out.print(Text(str(error), style="red"))
        return True

    def _speaker(self) -> Text:
        """Whose line it is."""
        if self.state.player is not None:
            return self.labels.seat_text(self.state.player).append(">")
        return Text("chance>" if self.state.is_chance else "game over>")

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
        known = {normal(str(move)): move for move in moves}
        return known.get(normal(text)) or MoveList(moves).find(text)

    def _found(self, state: State, text: str) -> Move:
        """The legal move that a text means; raises `IllegalMove` with what is wrong with it."""
        if state.over:
            raise IllegalMove("the game is over; `undo`, `save FILE`, `load FILE` or `quit`")
        known = {normal(str(move)): move for move in _possible(state)}
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

    def _print_news(self, viewer: int) -> None:
        """The whole position after others have moved; one's own move shows what it changed."""
        if self.shown is not None and self.shown_to == viewer and self._only_own_moves(viewer):
            for line in changes(self.labels, self.shown, self.state, viewer):
                self.out.print(Padding(Text(line, style="dim"), (0, 0, 0, 2)))
        else:
            self.out.print()
            print_position(self.out, self.labels, self.state, viewer)
        self.shown, self.shown_to = self.state, viewer

    def _only_own_moves(self, viewer: int) -> bool:
        position: State | None = self.state
        while position is not None and position is not self.shown:
            position = position.previous
            if position is not None and position.player != viewer:
                return False
        return position is not None

    def _print_question(self, player: int) -> None:
        moves = MoveList(self.state.moves())
        point = self.game.machine.meta["points"][self.game.machine.point(self.state.cells)]
        about = f" ({point['label'].replace('_', ' ')})" if point["label"] else ""
        line = self.labels.seat_text(player)
        line.append(f" to decide{about}:", style="default not bold")
        self.out.print(line)
        for text in moves.lines(self.out.width):
            self.out.print(Text(text))

    def _print_outcomes(self) -> None:
        """The outcomes of chance: without a seed the person chooses one."""
        outcomes = self.state.outcomes()
        self.out.print(Text("Chance decides; say what happens, or `chance` to leave it to luck:"))
        chances = {text for _, text in outcomes}
        if len(chances) == 1:
            self.out.print(Text(f"  each with probability {chances.pop()}"))
        else:
            rows = [(Text(f"  {move}"), Text(str(chance))) for move, chance in outcomes]
            self.out.print(plain_table("", "", rows=rows, headed=False))
        for text in MoveList(_possible(self.state)).lines(self.out.width):
            self.out.print(Text(text))

    def _print_end(self) -> None:
        if self.shown is self.state:
            return
        viewer = self.people[0] if len(self.people) == 1 else None
        self.out.print()
        print_position(self.out, self.labels, self.state, viewer)
        winners = [self.labels.seat(p) for p in self.state.winners()]
        scores = ", ".join(
            f"{self.labels.seat(p)} {number_text(score)}"
            for p, score in enumerate(self.state.scores())
        )
        verb = "wins" if len(winners) == 1 else "share the win"
        self.out.print(
            Text(f"The game is over: {' and '.join(winners)} {verb} ({scores}).", style="bold")
        )
        self.shown, self.shown_to = self.state, viewer

    # ---- commands --------------------------------------------------------------------------------

    def _chance(self, text: str) -> None:
        """Leave to luck what chance does: this once, or until a player must decide."""
        if not self.state.is_chance:
            raise IllegalMove("chance does not decide anything here")
        if text not in ("", "all"):
            raise IllegalMove("`chance` lets it decide once, `chance all` until a player must")
        while self.state.is_chance:
            outcomes = self.state.outcomes()
            if not outcomes:
                raise Fault("there is nothing to draw from")
            ((move, _),) = LUCK.choices(outcomes, [float(chance) for _, chance in outcomes])
            # What was drawn is not said: it may be hidden from who sits here.
            self.state = self.state.play(move)
            if not text:
                break
        self.asked = True

    def _moves(self, text: str) -> None:
        found = MoveList(_possible(self.state)).all_lines(self.out.width, text)
        for line in found or ["  no such move"]:
            self.out.print(Text(line))

    def _why(self, text: str) -> None:
        if not text:
            raise IllegalMove("which move? `why MOVE`")
        move = MoveList(self.state.moves()).find(text)
        reasons = self.state.explain(move or text)
        if not reasons:
            self.out.print(Text("nothing is required of it"))
            return
        rows = [(_mark(reason), Text(_reason(reason))) for reason in reasons]
        self.out.print(plain_table("", "", rows=rows, headed=False))

    def _view(self, _: str) -> None:
        player = self.state.player
        viewer = player if player is not None else self.people[0] if len(self.people) == 1 else None
        print_position(self.out, self.labels, self.state, viewer)
        self.shown, self.shown_to = self.state, viewer

    def _card(self, name: str) -> None:
        if not name:
            raise DataError("which one? `card NAME`")
        for line in card_lines(self.game.origin.program(), name) or ["  there is no such card"]:
            self.out.print(Text(line))

    def _log(self, _: str) -> None:
        points = self.game.machine.meta["points"]
        for number, move in enumerate(self.state.played(), 1):
            hidden = points[move.point].get("secret") and move.by in self.bots
            who = "chance" if move.by is None else self.labels.seat(move.by)
            self.out.print(Text(f"{number:>5}  {who}: {'(secret)' if hidden else move}"))

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
        self.out.print(Text(HELP))


def _possible(state: State) -> tuple[Move, ...]:
    """What can happen next: the moves of a player, or the outcomes of chance."""
    return tuple(move for move, _ in state.outcomes()) if state.is_chance else state.moves()


def _only_beginning(known: dict[str, Move], text: str) -> Move | None:
    """The one move that begins with a text, if the text is long enough to be meant; its words may
    be unfinished, as in `pl pal` for `place Palenque`."""
    wanted = normal(text)
    if len(wanted) < SHORTEST_BEGINNING:
        return None
    found = [move for words, move in known.items() if words.startswith(wanted)]
    if not found:
        found = [move for words, move in known.items() if _abbreviates(wanted, words)]
    return found[0] if len(found) == 1 else None


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
    """A requirement: what is wrong if it fails, and what would be said if it did."""
    text = f"otherwise: {reason.text}" if reason.holds else reason.text
    values = ", ".join(f"{name} = {value}" for name, value in reason.values)
    cite = f" [{reason.cite}]" if reason.cite else ""
    return f"{text}{f' ({values})' if values else ''}{cite}"
