"""Statements of rules in words, for a rulebook: moves of goods, changes and calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define

from rules_dsl.book.words import WORDS
from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text, statement_text
from rules_dsl.language.prose import ProseReader
from rules_dsl.language.spoken import in_words

# A value in words that is longer than this is called by its name.
LONGEST_VALUE = 60


@define
class EffectWriter:
    """Writes statements in words; what has none is shown as it is written, as code."""

    reader: ProseReader

    def lines(self, statement: s.Statement, meaning: Mapping[str, str]) -> Iterator[str]:
        """A statement that has no other statements inside."""
        match statement:
            case s.MoveCard(card, None, target, None):
                yield f"{self.value(card, meaning)} → {self.place(target, meaning)}"
            case s.MoveCard(card, s.Expr() as source, target, None):
                moved = self.place(source, meaning), self.place(target, meaning)
                yield f"{self.value(card, meaning)}: {' → '.join(moved)}"
            case s.Assign(target, "=", value) if not _is_true(value):
                yield f"{self.value(target, meaning)}: {self.value(value, meaning)}"
            case s.Var(name, _, value):
                yield f"{name.name.replace('_', ' ')}: {self.value(value, meaning)}"
            case s.SetChange(adding, element, target):
                sign = "+" if adding else "−"
                yield f"{self.value(target, meaning)}: {sign}{self.value(element, meaning)}"
            case s.CallStatement(s.Call(s.Attribute(base, name))):
                what = name.name.replace("_", " ")
                yield self.word("of").format(what, self.value(base, meaning))
            case (
                s.MoveGoods()
                | s.Assign()
                | s.CallStatement()
                | s.ChooseValue()
                | s.ChooseSubset()
                | s.Assert()
                | s.Reveal()
                | s.Let()
            ):
                yield from self.reader.effects((statement,), meaning)
            case _:
                yield f"`{statement_text(statement, 0).partition(chr(10))[0]}`"

    def value(self, expr: s.Expr, meaning: Mapping[str, str]) -> str:
        """A value in words, or as code."""
        if isinstance(expr, s.BoolLit):
            return self.word("yes" if expr.value else "no")
        found = in_words(self.reader, expr, meaning)
        return f"`{expression_text(expr)}`" if found is None else found

    def place(self, expr: s.Expr, meaning: Mapping[str, str]) -> str:
        """A place where cards or pieces lie."""
        found = self.value(expr, meaning)
        return found[:1].lower() + found[1:]

    def word(self, key: str) -> str:
        """A word of the book."""
        return WORDS[self.reader.language][key]

    def named(self, body: s.Block, meaning: Mapping[str, str]) -> dict[str, str]:
        """Meanings with the values that a rule gives names to, where these are short."""
        known = dict(meaning)
        for line in body:
            if isinstance(line, s.Let):
                found = in_words(self.reader, line.value, known)
                if found is not None and len(found) <= LONGEST_VALUE:
                    known[line.name.name] = found
        return known


def _is_true(value: s.Expr) -> bool:
    return isinstance(value, s.BoolLit) and value.value
