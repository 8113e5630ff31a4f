"""Colours for rule text: a Pygments lexer, registered as `rules`.

Its keywords are the quoted words of the grammar, so that a new construct is coloured from the day
it can be parsed.
"""

from __future__ import annotations

import re
from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from rules_dsl.language.grammar import GRAMMAR

# Quoted words of the grammar; and the words in its terminals that are words, without look-ahead.
_QUOTED = re.compile(r'"([a-z]+)"')
_TERMINALS = re.compile(r"^_?[A-Z]+\.2: /(.*)/$", re.MULTILINE)
_AHEAD = re.compile(r"\(\?[=!].*\)|\\\w")
_VALUES = ("true", "false", "none")
# Words that declare the name after them.
_DECLARES = (
    "game", "variant", "option", "ruling", "enum", "const", "table", "row", "good", "goods",
    "function", "action", "procedure", "invariant", "pool", "zone",
)  # fmt: skip


def keywords() -> list[str]:
    """The words of the language, in alphabetical order.

    >>> [word for word in keywords() if word.startswith("op")]
    ['option', 'optionally']
    """
    grammar = GRAMMAR.read_text(encoding="utf-8")
    terminals = (_AHEAD.sub("", terminal) for terminal in _TERMINALS.findall(grammar))
    found = {word for terminal in terminals for word in re.findall("[a-z]+", terminal)}
    return sorted((found | set(_QUOTED.findall(grammar))) - set(_VALUES))


class RulesLexer(RegexLexer):  # type: ignore[misc]
    """Rule files.

    >>> [str(kind) for kind, text in RulesLexer().get_tokens("good skull limit 13") if text.strip()]
    ['Token.Keyword', 'Token.Name.Class', 'Token.Keyword', 'Token.Literal.Number.Integer']
    """

    name = "Rules"
    aliases: ClassVar = ["rules"]
    filenames: ClassVar = ["*.rules"]
    url = ""
    tokens: ClassVar = {
        "root": [
            (r"#[^\n]*", Comment.Single),
            (r"\[(?=[A-Z]\w*[ \]])", Name.Decorator, "cite"),
            (r'"', String, "text"),
            (
                rf"^([ ]*)({'|'.join(_DECLARES)})([ ]+)([\w.]+)",
                bygroups(Text, Keyword, Text, Name.Class),
            ),
            (words(_VALUES, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(keywords(), prefix=r"\b", suffix=r"\b"), Keyword),
            (r"\b[A-Z]\w*", Keyword.Type),
            (r"\b\d+\b", Number.Integer),
            (r"\b[a-z_]\w*(?=\()", Name.Function),
            (r"\w+", Name),
            (r"[-+*/=<>!?|.]+", Operator),
            (r"[\[\]():,{}]", Punctuation),
            (r"\s+", Text),
            (r".", Text),
        ],
        "cite": [(r'[^"\]]+|"[^"]*"', Name.Decorator), (r"\]", Name.Decorator, "#pop")],
        "text": [
            (r"\{[^}\n]*\}", String.Interpol),
            (r'[^"{\n]+|\{', String),
            (r'"|\n', String, "#pop"),
        ],
    }
