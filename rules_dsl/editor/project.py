"""The game that a file in the editor belongs to, read and checked as it is being written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field

from rules_dsl.editor.names import GameNames, names_of
from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checking import Setting, check_setting, settings
from rules_dsl.language.diagnostics import Diagnostic, Reporter, RuleError
from rules_dsl.language.incremental import KeptFiles
from rules_dsl.language.program import Program, assemble_partly
from rules_dsl.language.sources import (
    SourceSet,
    display_path,
    games_with,
    gather,
    kind_of_file,
    read,
)
from rules_dsl.language.unused_values import narrowing

_VARIANT_OF = re.compile(r"^variant[ ]+\w+[ ]+of[ ]+(\w+)", re.MULTILINE)


@define
class Analysis:
    """The analysis of a game: its files, errors, names and their meanings."""

    sources: SourceSet
    # All texts: those of the game, and those of variants of it that are next to it.
    texts: dict[str, str]
    names: GameNames
    reporter: Reporter
    program: Program | None = None
    # The result of the checker, with one setting.
    context: Context | None = None
    # Settings that were not checked yet.
    left: list[Setting] = field(factory=list)
    # Warnings; known once every configuration was checked.
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors found so far."""
        return self.reporter.diagnostics


@define
class Project:
    """The files that are open in an editor, and what was read for them.

    >>> project = Project()
    >>> path = str(gather("pig").main)
    >>> project.opened[Path(path).resolve()] = "game pig\\n"
    >>> [d.code for d in project.analyse(Path(path)).errors]
    ['E0119']
    """

    # Texts that differ from the disk, by resolved path.
    opened: dict[Path, str] = field(factory=dict)
    kept: KeptFiles = field(factory=KeptFiles)
    _latest: dict[Path, Analysis] = field(factory=dict)

    def read(self, path: Path) -> str:
        """The text of a file: as in the editor, or from the disk; raises `RuleError`."""
        text = self.opened.get(path.resolve())
        return read(path) if text is None else text.removeprefix("\ufeff").replace("\r\n", "\n")

    def latest(self, path: Path) -> Analysis:
        """The analysis of the game of a file, as it is now."""
        known = self._latest.get(path.resolve())
        if known is not None and all(
            self.read(Path(file)) == text for file, text in known.texts.items()
        ):
            return known
        return self.analyse(path)

    def analyse(self, path: Path) -> Analysis:
        """Read the game of a file and check it with one number of players."""
        analysis = self._analysed(path)
        self._latest[path.resolve()] = analysis
        return analysis

    def finish(self, analysis: Analysis) -> None:
        """Check the settings that are left, and the variants next to the game."""
        if analysis.program is None:
            return
        for setting in analysis.left:
            check_setting(analysis.program, setting, analysis.reporter)
        analysis.left = []
        for file in analysis.texts.keys() - analysis.sources.texts.keys():
            self._check_variant(Path(file), analysis)

    def warn(self, analysis: Analysis) -> Iterator[None]:
        """Find the warnings of a game without errors, one configuration at a time."""
        if analysis.program is None or analysis.errors:
            return
        found: tuple[Diagnostic, ...] = ()
        for left in narrowing(analysis.program):
            found = left
            yield
        analysis.warnings = found

    def _check_variant(self, path: Path, analysis: Analysis) -> None:
        own = Reporter()
        try:
            sources = gather(str(path), read=self.read)
        except RuleError as error:
            own.found.update({(d.code, d.span, d.message): d for d in error.diagnostics})
        else:
            program = assemble_partly(sources, own, self.kept.parse)
            if program is not None:
                for setting in list(settings(program))[:1]:
                    check_setting(program, setting, own)
        for found in own.diagnostics:
            if found.span.file not in analysis.sources.texts:
                analysis.reporter.add(found)

    def _analysed(self, path: Path) -> Analysis:
        reporter = Reporter()
        sources = self._sources(path, reporter)
        read_files: dict[str, s.File] = {}

        def parse(file: str, text: str, errors: Reporter) -> s.File:
            read_files[file] = self.kept.parse(file, text, errors)
            return read_files[file]

        program = None
        if kind_of_file(sources.texts[sources.main]) == "game":
            program = assemble_partly(sources, reporter, parse)
        texts = {**sources.texts, **self._variants_of(sources)}
        for file, text in texts.items():
            if file not in read_files:
                # The errors of variants next to the game are found when there is time.
                parse(file, text, reporter if file in sources.texts else Reporter())
        names = names_of(read_files.values(), texts)
        left = list(settings(program)) if program is not None else []
        if program is None or not left:
            return Analysis(sources, texts, names, reporter, program)
        context = check_setting(program, left[0], reporter)
        return Analysis(sources, texts, names, reporter, program, context, left[1:])

    def _variants_of(self, sources: SourceSet) -> dict[str, str]:
        """The texts of variants of the game that are next to it or in its folder `variants`."""
        main = Path(sources.main)
        game = sources.names()[0]
        found = {}
        for path in (*main.parent.glob("*.rules"), *main.parent.glob("variants/*.rules")):
            if not path.is_file():
                continue  # opening a pipe would wait for a writer
            shown = display_path(path)
            try:
                text = self.read(path)
            except RuleError:
                continue
            of = _VARIANT_OF.search(text)
            if shown not in sources.texts and of is not None and of[1] == game:
                found[shown] = text
        return found

    def _sources(self, path: Path, reporter: Reporter) -> SourceSet:
        """The files of the game that a file belongs to; only the file if there is none."""
        try:
            if kind_of_file(self.read(path)) == "module":
                games = games_with(path, self.read)
                if games:
                    return gather(str(games[0]), read=self.read)
            else:
                return gather(str(path), read=self.read)
        except RuleError as error:
            for diagnostic in error.diagnostics:
                reporter.add(diagnostic)
        shown = display_path(path)
        try:
            text = self.read(path)
        except RuleError:
            text = ""
        return SourceSet(shown, {}, [], {shown: text})
