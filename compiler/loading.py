"""Loading games: by name or file, from the cache if it has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.options import (
    OptionError,
    check_players,
    choose_options,
    split_name,
)
from rules_dsl.language.sources import SourceSet, gather

if TYPE_CHECKING:
    from types import CodeType

    from compiler import ir
    from compiler.runtime.game import Game
    from rules_dsl.language.program import Program


@frozen
class Recipe:
    """The arguments that load a game: enough for another process that has the same files."""

    name: str
    players: int
    options: tuple[tuple[str, OptionValue], ...]
    variants: tuple[str, ...]
    backend: str = "python"

    def load(self) -> Game:
        """The game."""
        options, variants = dict(self.options), list(self.variants)
        return load(self.name, self.players, options, variants, self.backend)


@define
class Origin:
    """The origin of a game: enough to load it again and to read its rules."""

    name: str
    variants: tuple[str, ...]
    players: int
    options: dict[str, OptionValue]
    sources: SourceSet
    _program: Program | None = field(default=None, repr=False)
    _module: ir.Module | None = field(default=None, repr=False)
    # Whether the program passed by the caller is that of the sources.
    _assembled: bool = field(default=False, repr=False)
    # The back end that plays the states of the game.
    backend: str = "python"

    @property
    def as_written(self) -> bool:
        """Whether the rules are those of the sources, not changed ones passed by a caller."""
        return self._assembled or (self._program is None and self._module is None)

    def program(self) -> Program:
        """The declarations of the game."""
        if self._program is None:
            written = self.as_written
            self._program = assembled(self.sources)
            self._assembled = written
        return self._program

    def module(self) -> ir.Module:
        """The IR of the game, as it is played."""
        if self._module is None:
            from compiler.ghosts import without_ghosts
            from compiler.pipeline import to_ir

            self._module = without_ghosts(to_ir(self.program(), self.players, self.options))
        return self._module

    def recipe(self) -> Recipe:
        """The arguments that load the same game again."""
        options = tuple(self.options.items())
        return Recipe(self.name, self.players, options, self.variants, self.backend)

    def other_configuration(self, players: int, options: Mapping[str, OptionValue]) -> Game:
        """The same rules for other players or with other options."""
        chosen = tuple(options.items())
        return Recipe(self.name, players, chosen, self.variants, self.backend).load()


# Configurations of a game have the same declarations: those that were read last are kept.
_latest: list[tuple[SourceSet, Program]] = []


def assembled(sources: SourceSet) -> Program:
    """The declarations of some files, read once."""
    known = next((program for files, program in _latest if files == sources), None)
    if known is None:
        from rules_dsl.language.program import assemble

        known = assemble(sources)
        _latest[:] = [(sources, known)]
    return known


def load(
    name: str | PathLike[str],
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    variants: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    backend: str = "python",
) -> Game:
    """Load a game: a shipped one by name, or a rule file (a game, or a variant of one).

    `variants` is one variant or a sequence of them, each a shipped one by name or a rule file.
    `backend` says which code plays its states: "python", "native", or "auto", which is native if a
    C compiler is there.

    Raises `RuleError` if the rules are wrong, `OptionError` if the game has no such option or is
    not for that many players.

    >>> load("tic_tac_toe")
    <game tic_tac_toe for 2 players>
    """
    base, settings = split_name(str(name))
    if isinstance(variants, str | PathLike):
        variants = (variants,)
    # Callers without a type checker may pass anything.
    given: object = options
    if given is not None and not isinstance(given, Mapping):
        raise OptionError(f"options are a dictionary of names and values, not {given!r}")
    chosen_variants = tuple(str(v) for v in variants)
    sources = gather(base, chosen_variants)
    found = _from_cache(sources, players, options, settings)
    if found is None:
        found = _compile(sources, players, options, settings)
    code, count, chosen, module = found
    from compiler.runtime.game import Game
    from compiler.runtime.machine import Machine

    namespace: dict[str, Any] = {"__name__": f"rules.{sources.main}"}
    exec(code, namespace)
    origin = Origin(
        base,
        chosen_variants,
        count,
        chosen,
        sources,
        module=module,
        assembled=module is not None,
        backend=backend,
    )
    game = Game(Machine(namespace), origin)
    game.use(backend)
    return game


# Code, number of players, options, and the IR if the code was made from it just now.
_Compiled = tuple["CodeType", int, dict[str, OptionValue], "ir.Module | None"]


def _request(
    players: int | None, options: Mapping[str, OptionValue] | None, settings: Sequence[str]
) -> str:
    given = sorted((options or {}).items())
    return repr((players, [(k, type(v).__name__, v) for k, v in given], list(settings)))


def _key(sources: SourceSet, request: str) -> str:
    from compiler.cache import key_of

    return key_of(sources.digest(), sources.main, "|".join(sources.variants), request)


def _from_cache(
    sources: SourceSet,
    players: int | None,
    options: Mapping[str, OptionValue] | None,
    settings: Sequence[str],
) -> _Compiled | None:
    from compiler.cache import load as from_cache

    code = from_cache(_key(sources, _request(players, options, settings)))
    if code is None:
        return None
    constants = [c for c in code.co_consts if isinstance(c, tuple) and c[:1] == ("configuration",)]
    if not constants:
        return None
    _, count, chosen = constants[0]
    return code, count, dict(chosen), None


def _compile(
    sources: SourceSet,
    players: int | None,
    options: Mapping[str, OptionValue] | None,
    settings: Sequence[str],
) -> _Compiled:
    from compiler.cache import store
    from compiler.ghosts import without_ghosts
    from compiler.pipeline import to_code, to_ir

    program = assembled(sources)
    count = check_players(program, players)
    chosen = choose_options(program, options or {}, settings)
    # A partial request may have been compiled for a caller who asked for all.
    known = _from_cache(sources, count, chosen, ())
    module = None
    if known is None:
        module = without_ghosts(to_ir(program, count, chosen))
        code = to_code(module)
        # The configuration rides along in the code's constants: a warm load needs no parsing.
        configuration = ("configuration", count, tuple(chosen.items()))
        code = code.replace(co_consts=(*code.co_consts, configuration))
        store(_key(sources, _request(count, chosen, ())), code)
    else:
        code = known[0]
    store(_key(sources, _request(players, options, settings)), code)
    return code, count, chosen, module
