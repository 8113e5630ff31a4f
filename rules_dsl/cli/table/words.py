"""The texts of the terminal itself, in its languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules_dsl.translation import Translation

if TYPE_CHECKING:
    from compiler.runtime.game import Game

_HELP = """\
A move: its number, its notation or the beginning of it (upper and lower case are the same; Tab
completes). Several stand on one line with `:` between them, as in `pick up Tikal 2: build A1-09`;
what can only come in between may be left out.
  moves [TEXT]   all legal moves, or those that contain a text
  why MOVE       the requirements of a move, and whether they hold
  view [all]     the position; every part of it
  card NAME      what is printed on a card, tile or space, and what the rules say of a name
  log            the moves so far, and what was shown
  chance [all]   in a game without a seed: draw or roll once, or until a player must decide
  undo           take back your last decision
  save FILE      write the game to a file
  share FILE     the same without the seed, which tells what is hidden and to come
  seed           show the seed
  load FILE      go on with the game in a file
  help           this
  quit           leave"""
_HELP_RU = """\
Ход: его номер, его запись или её начало (прописные и строчные буквы не различаются, Tab дополняет).
Несколько ходов пишутся в одну строку через `:`, например `pick up Tikal 2: build A1-09`; то, что
только и может стоять между ними, можно опустить.
  moves [ТЕКСТ]  все возможные ходы или те, в которых есть этот текст
  why ХОД        что требуется для хода и выполнено ли это
  view [all]     позиция; вся позиция до мелочей
  card ИМЯ       что напечатано на карте, тайле или ячейке и что правила говорят об имени
  log            сделанные ходы и то, что было открыто
  chance [all]   в игре без начального числа: один бросок или все до решения игрока
  undo           взять назад своё последнее решение
  save ФАЙЛ      записать партию
  share ФАЙЛ     то же без начального числа, которое выдаёт скрытое и будущее
  seed           начальное число
  load ФАЙЛ      продолжить записанную партию
  help           эта справка
  quit           выйти"""

_RUSSIAN = {
    "Board": "Поле",
    "Players": "Игроки",
    "Score": "Счёт",
    "to decide": "решает",
    "nothing is required of it": "никаких требований нет",
    "  there is no such card": "  такой карты нет",
    "  no such move": "  такого хода нет",
    "chance": "случай",
    "game over": "конец",
    "you": "вы",
    "random": "случайный бот",
    "greedy": "жадный бот",
    "mcts": "бот MCTS",
    "seed": "начальное число",
    "`help` explains what you can type.": "`help` объясняет, что можно ввести.",
    "The game is over": "Игра окончена",
    "wins": "победа",
    "share the win": "победа на всех",
    "and": "и",
    "otherwise": "иначе",
    "Chance decides; say what happens, or `chance` to leave it to luck:":
        "Решает случай; введите, что выпало, или `chance`:",
    _HELP: _HELP_RU,
}  # fmt: skip


class Words:
    """Speaks of a game in a language: names as the rules label them, the rest from the list here.

    >>> import rules_dsl as rd
    >>> russian = Words(rd.load("tzolkin"), "ru")
    >>> russian.own("Players"), russian("place Tikal")
    ('Игроки', 'на Тикаль')
    """

    help = _HELP

    def __init__(self, game: Game, language: str) -> None:
        self.language = language
        self._names = Translation(game.machine.meta["labels"], language)

    def own(self, text: str) -> str:
        """A text of the terminal itself."""
        return _RUSSIAN.get(text, text) if self.language == "ru" else text

    def __call__(self, text: str) -> str:
        """A move, an event or a message, with the names that the rules translate."""
        return self._names(text) if self.language != "en" else text
