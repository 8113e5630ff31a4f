"""The grammar as a parser: made from `grammar.lark` once, then read from the user's cache."""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import ClassVar

import lark as lark_library
from lark import Lark, Token
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lark import PostLex
from lark.lexer import TerminalDef

from rules_dsl.language.user_cache import CacheSection

GRAMMAR = Path(__file__).with_name("grammar.lark")
STARTS = ["declaration", "variant_item", "expression"]

_TABLES = CacheSection("grammar", "grammar 1")


def forget() -> None:
    """Read the grammar again when it is needed next."""
    _parser.cache_clear()


class _Indentation(Indenter):
    """The indentation of one text: it counts as it goes."""

    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar[list[str]] = ["LPAR", "LSQB"]
    CLOSE_PAREN_types: ClassVar[list[str]] = ["RPAR", "RSQB"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        yield from super().process(self._joined(stream))  # type: ignore[no-untyped-call]

    def _joined(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Leave out the end of a line after a comma if the next line is indented further."""
        before = ""
        for token in stream:
            deeper = token.type == self.NL_type and (
                len(token.rsplit("\n", 1)[1]) > self.indent_level[-1]
            )
            if deeper and before == "COMMA":
                continue
            before = token.type
            yield token


class _Indentations(PostLex):
    """Indentation for a parser that several threads use at the same time: one for each text."""

    always_accept = (_Indentation.NL_type,)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return _Indentation().process(stream)


def lark() -> Lark:
    """The parser of the grammar; threads may share it.

    >>> str(lark().parse("1 + 2", start="expression").data)
    'expression'
    """
    with _one_maker:
        return _parser()


_one_maker = Lock()


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = GRAMMAR.read_text(encoding="utf-8")
    versions = f"{lark_library.__version__} {sys.implementation.cache_tag} {sys.hexversion:x}"
    key = hashlib.sha256(f"{versions}\0{grammar}".encode()).hexdigest()
    tables = _TABLES.load(key)
    if tables is not None:
        try:
            data, memo = marshal.loads(tables)
            known: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
                data, memo, postlex=_Indentations(), propagate_positions=True
            )
            return known
        except (ValueError, EOFError, TypeError, KeyError, AttributeError):
            pass  # an entry that another version of lark would read is made again
    made = Lark(
        grammar,
        parser="lalr",
        start=STARTS,
        maybe_placeholders=True,
        propagate_positions=True,
        postlex=_Indentations(),
    )
    data, memo = made.memo_serialize([TerminalDef, Rule])
    # The tables are plain data; options such as the handling of indentation are given on loading.
    options = {name: value for name, value in data["options"].items() if name != "postlex"}
    _TABLES.store(key, marshal.dumps(({**data, "options": options}, memo)))
    return made
