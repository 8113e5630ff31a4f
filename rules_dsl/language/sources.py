"""Finding and reading rule files, without parsing them.

A warm load needs only this: the texts that make up a game, and their digest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from attrs import define, field

from rules_dsl.language.diagnostics import Diagnostic, RuleError, did_you_mean
from rules_dsl.language.files import read_at_most
from rules_dsl.language.spans import Span

GAMES = Path(__file__).resolve().parents[2] / "games"

MAX_READ = 20_000_000
# Control characters, and those that turn the direction of writing: a label could steer the terminal
# that shows it, and a line could read other than it is. XML, and so SVG, cannot hold most of them.
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")

_INCLUDE = re.compile(r'^include[ ]+"([^"\n]*)"', re.MULTILINE)
_VARIANT = re.compile(r"^variant[ ]+(\w+)[ ]+of[ ]+(\w+)", re.MULTILINE)
_GAME = re.compile(r"^game[ ]+(\w+)", re.MULTILINE)


def shipped_games() -> dict[str, Path]:
    """The games that come with the library: name and main file.

    >>> "tic_tac_toe" in shipped_games()
    True
    """
    found = {p.stem: p for p in sorted((GAMES / "classics").glob("*.rules"))}
    for folder in sorted(GAMES.iterdir()) if GAMES.is_dir() else []:
        main = folder / f"{folder.name}.rules"
        if main.is_file():
            found[folder.name] = main
    return found


def shipped_variants(game: str) -> dict[str, Path]:
    """The variants that come with a game: name and file."""
    main = shipped_games().get(game)
    if main is None:
        return {}
    return {p.stem: p for p in sorted((main.parent / "variants").glob("*.rules"))}


def all_shipped_variants() -> dict[str, Path]:
    """Every shipped variant by name."""
    return {name: path for game in shipped_games() for name, path in shipped_variants(game).items()}


def kind_of_file(text: str) -> str:
    """The kind of a rule file: a game, a variant, or a module that a game includes.

    >>> kind_of_file("game pig\\n    players 2\\n"), kind_of_file("good maize\\n")
    ('game', 'module')
    """
    if _GAME.search(text):
        return "game"
    return "variant" if _VARIANT.search(text) else "module"


@define
class SourceSet:
    """The files of a game: its main file, what it includes, and variants in their order."""

    main: str = ""
    includes: dict[str, list[str]] = field(factory=dict)
    variants: list[str] = field(factory=list)
    texts: dict[str, str] = field(factory=dict)

    def digest(self) -> str:
        """A digest of the rules: contents and roles, not places on the disk."""
        sha = hashlib.sha256()
        for role, path in [("main", self.main), *(("variant", v) for v in self.variants)]:
            sha.update(f"{role}\0".encode())
            for part in self.closure(path):
                name = Path(part).name.encode(errors="surrogateescape")
                sha.update(name + b"\0" + self.texts[part].encode() + b"\0")
        return sha.hexdigest()

    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of the game and its variants, as declared.

        >>> gather("no_mercy").names()
        ('tzolkin', ('no_mercy',))
        """
        game = _GAME.search(self.texts[self.main])
        found = [_VARIANT.search(self.texts[path]) for path in self.variants]
        return game[1] if game else Path(self.main).stem, tuple(
            match[1] for match in found if match
        )

    def closure(self, path: str) -> list[str]:
        """A file and all that it includes, each once."""
        seen: list[str] = []
        todo = [path]
        while todo:
            current = todo.pop(0)
            if current not in seen and current in self.texts:
                seen.append(current)
                todo += self.includes.get(current, [])
        return seen


def display_path(path: Path) -> str:
    """A path as people write it: relative to the working folder, if it is below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def read(path: Path) -> str:
    """The text of a rule file; a clear error if it cannot be read."""
    shown = display_path(path)
    where = Span(shown, 0, 0, 0, 0)
    try:
        raw = read_at_most(path, MAX_READ)
    except IsADirectoryError:
        raise RuleError([Diagnostic("E0115", f"`{shown}` is a folder", where)]) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise RuleError([Diagnostic("E0115", f"cannot read `{shown}`: {reason}", where)]) from None
    except ValueError:
        raise RuleError([Diagnostic("E0115", f"`{shown!r}` is not a path", where)]) from None
    return decoded(raw, shown)


def decoded(raw: bytes, shown: str) -> str:
    """The text of a rule file from its bytes; a clear error if it is too long or not plain text.

    >>> decoded(b"game a\\r\\n", "a.rules")
    'game a\\n'
    """
    where = Span(shown, 0, 0, 0, 0)
    if len(raw) > MAX_READ:
        message = f"`{shown}` has more than {MAX_READ:,} bytes: that is not a rule file"
        raise RuleError([Diagnostic("E0109", message, where)])
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise RuleError(
            [Diagnostic("E0113", f"`{shown}` is not UTF-8 text (byte {error.start})", where)]
        ) from None
    unseen = UNSEEN.search(text)
    if unseen is not None:
        line = text.count("\n", 0, unseen.start()) + 1
        message = (
            f"`{shown}` has a character that cannot be seen, U+{ord(unseen[0]):04X}, in line {line}"
        )
        raise RuleError([Diagnostic("E0113", message, where)])
    return text


def find(name: str) -> Path:
    """The file that a name means: a shipped game, a shipped variant, or a path.

    >>> find("tic_tac_toe").name
    'tic_tac_toe.rules'
    """
    games = shipped_games()
    if name in games:
        return games[name]
    path = Path(name)
    if path.suffix == ".rules" or "/" in name or "\\" in name or path.is_file():
        return path
    variants = all_shipped_variants()
    if name in variants:
        return variants[name]
    hint = did_you_mean(name, [*games, *variants]) or "`rules list` shows what there is"
    raise RuleError(
        [
            Diagnostic(
                "E0130",
                f"there is no game or file `{name}`",
                Span(name, 0, 0, 0, 0),
                hint=hint,
            )
        ]
    )


# The source of a file's text: the disk, or an editor.
Read = Callable[[Path], str]


def gather(name: str, variants: tuple[str, ...] = (), read: Read = read) -> SourceSet:
    """Read all files of a game or variant.

    >>> gather("tic_tac_toe").variants
    []
    """
    result = SourceSet()
    chain = _base_chain(find(name), read)
    for variant in variants:
        base, *rest = _base_chain(find(variant), read)
        if not rest:  # no variant at all: said when it is parsed
            chain.append(base)
            continue
        if base.resolve() != chain[0].resolve():
            raise RuleError(
                [
                    Diagnostic(
                        "E0507",
                        f"`{variant}` is a variant of {base.stem}, not of {chain[0].stem}",
                        Span(display_path(rest[-1]), 1, 1, 1, 2),
                    )
                ]
            )
        known = {path.resolve() for path in chain}
        chain += [path for path in rest if path.resolve() not in known]
    main = _add(result, chain[0], read)
    result.main = main
    result.variants = [_add(result, path, read) for path in chain[1:]]
    return result


def games_with(module: Path, read: Read = read) -> list[Path]:
    """The games in the folder of a module that include it."""
    found = []
    for candidate in sorted(module.parent.glob("*.rules")):
        if not candidate.is_file():
            continue  # opening a pipe would wait for a writer
        try:
            if kind_of_file(read(candidate)) != "game":
                continue
            sources = gather(str(candidate), read=read)
        except RuleError:
            continue
        if display_path(module) in sources.closure(sources.main):
            found.append(candidate)
    return found


def may_include(name: str) -> bool:
    """Whether an include may name this file: rules next to the file or below, nothing else.

    Foreign rules must not be able to read other files of the person who runs them.
    """
    path = Path(name)
    return path.suffix == ".rules" and not path.is_absolute() and ".." not in path.parts


def stays_below(file: Path, folder: Path) -> bool:
    """Whether a file is in a folder or below, wherever symlinks lead.

    >>> stays_below(Path("a/b.rules"), Path("a")), stays_below(Path("b.rules"), Path("a"))
    (True, False)
    """
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # symlinks in a circle
        return False


def _add(result: SourceSet, path: Path, read: Read) -> str:
    """Read a file and its includes; missing includes are reported when the file is parsed."""
    todo = [path]
    while todo:
        current = todo.pop()
        shown = display_path(current)
        if shown in result.texts:
            continue
        result.texts[shown] = read(current)
        names = [m.group(1) for m in _INCLUDE.finditer(result.texts[shown])]
        targets = [current.parent / name for name in names if may_include(name)]
        found = [
            target for target in targets if target.is_file() and stays_below(target, current.parent)
        ]
        result.includes[shown] = [display_path(target) for target in found]
        todo += found[::-1]
    return display_path(path)


def _base_chain(path: Path, read: Read) -> list[Path]:
    """A file, preceded by what it is a variant of."""
    chain = [path]
    seen = {path.resolve()}
    while True:
        text = read(chain[0])
        match = _VARIANT.search(text)
        if match is None or _GAME.search(text):
            return chain
        base = _find_base(chain[0], match.group(2))
        line = text[: match.start(2)].count("\n") + 1
        column = match.start(2) - (text.rfind("\n", 0, match.start(2)) + 1) + 1
        place = Span(display_path(chain[0]), line, column, line, column + len(match.group(2)))
        sources = {display_path(chain[0]): text}
        if base is None:
            siblings = [p.stem for p in chain[0].parent.glob("*.rules")]
            known = [*shipped_games(), *all_shipped_variants(), *siblings]
            raise RuleError(
                [
                    Diagnostic(
                        "E0502",
                        f"there is no game `{match.group(2)}` to vary",
                        place,
                        hint=did_you_mean(match.group(2), known),
                    )
                ],
                sources,
            )
        if base.resolve() in seen:
            raise RuleError(
                [Diagnostic("E0503", "these variants build on each other in a circle", place)],
                sources,
            )
        seen.add(base.resolve())
        chain.insert(0, base)


def _find_base(path: Path, name: str) -> Path | None:
    for candidate in (path.parent / f"{name}.rules", path.parent.parent / f"{name}.rules"):
        if not candidate.is_file() or candidate.resolve() == path.resolve():
            continue
        if stays_below(candidate, candidate.parent):
            return candidate
    games = shipped_games()
    if name in games:
        return games[name]
    return all_shipped_variants().get(name)
