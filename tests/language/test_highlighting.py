"""Colours for rule text: every character stays, and every word of the grammar is a keyword."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, String, Token

from rules_dsl.highlighting import RulesLexer, keywords

GAMES = Path(__file__).resolve().parents[2] / "games"
FILES = sorted(GAMES.rglob("*.rules"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_shipped_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tokens = list(RulesLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(part for _, part in tokens) == text
    assert Token.Error not in {kind for kind, _ in tokens}


def test_kinds() -> None:
    text = 'action beg(t: Temple) by p "beg {t}" [R 4 "Begging"]  # why\n    require x[t] > 0\n'
    tokens = [(kind, part) for kind, part in RulesLexer().get_tokens(text) if part.strip()]
    kinds = {part: kind for kind, part in tokens}
    assert kinds["action"] is Keyword and kinds["require"] is Keyword
    assert kinds["beg"] is Name.Class
    assert kinds["Temple"] is Keyword.Type
    assert kinds["{t}"] is String.Interpol
    assert kinds["R 4 "] is Name.Decorator
    assert kinds["# why"] is Comment.Single
    # An index is not a cite.
    assert kinds["t"] is Name


def test_words_of_the_grammar() -> None:
    assert {"choose", "optionally", "draw", "mod", "without", "reveal"} <= set(keywords())
    assert "true" not in keywords()


def test_it_is_registered() -> None:
    assert isinstance(get_lexer_by_name("rules"), RulesLexer)
