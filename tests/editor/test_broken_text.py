"""Text that is being written is seldom whole: everything still answers."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rules_dsl.editor.changes import fixes
from rules_dsl.editor.colours import colours
from rules_dsl.editor.completion import proposals, signature
from rules_dsl.editor.hover import hover
from rules_dsl.editor.names import names_of
from rules_dsl.editor.project import Project
from rules_dsl.editor.words import words
from rules_dsl.highlighting import keywords
from rules_dsl.language.checker import OBLIGATIONS
from rules_dsl.language.diagnostics import Reporter
from rules_dsl.language.parser import parse_file
from rules_dsl.language.sources import gather, shipped_games
from rules_dsl.language.symbols import BUILTINS
from tests.language.edits import KINDS, Edit, edited

RULES = ("action", "procedure", "function", "invariant", "const", "enum", "table")
MOST_EDITS = 8


def damaged(text: str, random: Random) -> str:
    edits: list[Edit] = [
        (random.choice(KINDS), random.randrange(10**6), random.randrange(10**6))
        for _ in range(random.choice((1, 2, MOST_EDITS)))
    ]
    return edited(text, edits)


@pytest.mark.parametrize("name", ["tikal", "mancala"])
def test_damages(name: str) -> None:
    main = shipped_games()[name]
    project = Project()
    whole = project.analyse(main)
    random = Random(7)
    for number in range(12):
        file = random.choice(sorted(whole.sources.texts))
        path = Path(file).resolve()
        project.opened = {path: damaged(whole.sources.texts[file], random)}
        analysis = project.analyse(path)
        if file not in analysis.names.files:  # its `include` was damaged
            continue
        found = analysis.names.files[file]
        # An edit may spoil the first line of a declaration, and nothing else hides it.
        rules = {d.name for d in whole.names.files[file].declared if d.kind in RULES}
        lost = rules - {d.name for d in found.declared}
        assert len(lost) <= MOST_EDITS, (number, lost)
        assert list(colours(analysis.names, file)) or not found.text.strip()
        for error in analysis.errors:
            fixes(analysis, error)
        for _ in range(5):
            line = random.randrange(found.text.count("\n") + 1) + 1
            column = random.randrange(60) + 1
            list(proposals(analysis, file, line, column))
            signature(analysis.names, file, line, column)
            at = analysis.names.at(file, line, column)
            if at is not None:
                hover(analysis, at[1], {})


@pytest.mark.parametrize("name", ["tzolkin", "tikal", "zimbabwe", "yucatan"])
def test_names_have_declarations(name: str) -> None:
    """Ninety-nine of a hundred, apart from words of the language and names of arguments."""
    sources = gather(name)
    files = [parse_file(path, text, Reporter()) for path, text in sources.texts.items()]
    names = names_of(files, sources.texts)
    language = {
        *keywords(),
        *BUILTINS,
        *OBLIGATIONS,
        "true",
        "false",
        "none",
        "Player",
        "bool",
        "ru",
    }
    parameters = {
        local for file in names.files.values() for scope in file.locals for local in scope
    }
    unknown = {
        word.text
        for path, text in sources.texts.items()
        for word in words(text)
        if not names.declarations(names.key(path, word))
    }
    left = unknown - language - parameters
    assert len(left) <= len(names.known) / 100, left
