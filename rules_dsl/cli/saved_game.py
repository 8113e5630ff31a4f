"""Continuing a saved game: it must be one of the game named on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from attrs import evolve

from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import GameChoice, choice
from rules_dsl.cli.table.record_file import read_record
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.option_values import setting
from rules_dsl.language.options import choose_options, option_infos, read_setting, split_name
from rules_dsl.language.sources import gather

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.saving import Record
    from compiler.runtime.state import State


def open_saved(source: str, asked: GameChoice, seed: int | None) -> State:
    """The position of a saved game; settings not given are those of the record."""
    from compiler.runtime.saving import DataError

    record = read_record(source)
    named = bool(asked.name or asked.variants)
    asked = evolve(asked, name=asked.name or record.game)
    _check_record(record, source, asked, named, seed)
    game = _game_of(record, asked, named)
    _check_options(game, source, asked)
    try:
        return game.replay(record)
    except DataError as error:
        raise BadInput(f"{source}: {error}") from None


def _check_record(
    record: Record, source: str, asked: GameChoice, named: bool, seed: int | None
) -> None:
    """A named game must have exactly the variants of the record."""
    if named:
        game, variants = gather(split_name(asked.name)[0], asked.variants).names()
        if (game, variants) != (record.game, record.variants):
            played = " + ".join((record.game, *record.variants))
            _refuse(source, f"of {played}", f"of {' + '.join((game, *variants))}")
    if asked.players not in (None, record.players):
        _refuse(source, f"of {record.players} players", f"of {asked.players}")
    if seed not in (None, record.seed):
        played = "without a seed" if record.seed is None else f"with seed {record.seed}"
        _refuse(source, played, f"with seed {seed}")


def _check_options(game: Game, source: str, asked: GameChoice) -> None:
    settings, given = split_name(asked.name)[1], asked.settings()
    if not settings and not given:
        return
    program = game.origin.program()
    known = {info.name: info for info in option_infos(program)}
    wanted = choose_options(program, given, settings)
    for name in [*(read_setting(known, text)[0] for text in settings), *given]:
        if wanted[name] != game.options[name]:
            played = setting(name, game.options[name])
            _refuse(source, f"with {played}", f"with {setting(name, wanted[name])}")


def _refuse(source: str, played: str, asked: str) -> NoReturn:
    raise BadInput(f"the saved game in {source} is one {played}, not {asked}")


def _game_of(record: Record, asked: GameChoice, named: bool) -> Game:
    """The game of a record, as it was played; a file must be named, shipped names are known."""
    options = [f"{name}={value}" for name, value in record.options.items()]
    variants = asked.variants if named else record.variants
    try:
        return choice(split_name(asked.name)[0], record.players, options, variants).load()
    except RuleError as error:
        unknown = any(d.code == "E0130" for d in error.diagnostics)
        if named or not unknown:
            raise
        played = " with ".join((record.game, *record.variants))
        raise BadInput(
            f"the saved game is one of {played}, which is not shipped: name its file, as in "
            "`rules play FILE.rules --from …`"
        ) from None
