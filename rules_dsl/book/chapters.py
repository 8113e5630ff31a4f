"""A rulebook made from the rules: chapters of plain blocks, for any format.

Everything in it is read off the rules: labels, texts, comments above a rule, reasons of
requirements, tables, examples and cites. Rules that a variant has changed are marked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.runtime.nouns import counted, one_of
from rules_dsl.book.effects import EffectWriter
from rules_dsl.book.words import WORDS
from rules_dsl.language import syntax as s
from rules_dsl.language.braces import BRACES
from rules_dsl.language.outline import about_row, cites_text, comment_above
from rules_dsl.language.printer import expression_text
from rules_dsl.language.prose import ProseReader
from rules_dsl.language.sources import shipped_variants
from rules_dsl.language.spoken import NOBODY_ELSE, in_words

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from rules_dsl.language.program import Program


# Prefix of statements inside a loop or a branch, once for each level.
INSIDE = "· "
# The indent of a line that continues a statement of an example.
CONTINUED = " " * 8
# Declarations that give a type its name.
KINDS = (s.Enum, s.Table)
# A place in a text that a move fills in.
_FILLED_IN = re.compile(r"\{([^{}]+)\}")


@frozen
class Paragraph:
    """A paragraph; text between backquotes is written as in the rules."""

    text: str


@frozen
class Items:
    """A list."""

    items: tuple[str, ...]


@frozen
class Grid:
    """A table with a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Figure:
    """A picture."""

    svg: str
    caption: str


@frozen
class Heading:
    """A heading inside a chapter; `mark` names the change by a variant."""

    text: str
    mark: str = ""


Block = Paragraph | Items | Grid | Figure | Heading


@frozen
class Chapter:
    """A chapter of the book."""

    title: str
    blocks: tuple[Block, ...]


def chapters(game: Game, language: str = "en") -> list[Chapter]:
    """The chapters of the rulebook of a game.

    >>> import rules_dsl as rd
    >>> [chapter.title for chapter in chapters(rd.load("pig"))][:2]
    ['The game', 'Course of play']
    """
    return [chapter for chapter in _Book(game, language).chapters() if chapter.blocks]


class _Book:
    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.language = language
        self.program: Program = game.origin.program()
        self.reader = ProseReader(self.program, language)
        self.words = WORDS[language]
        self.writer = EffectWriter(self.reader)

    def chapters(self) -> Iterator[Chapter]:
        yield Chapter(self.words["the game"], tuple(self.opening()))
        yield Chapter(self.words["components"], tuple(self.components()))
        yield Chapter(self.words["set-up"], tuple(self.sections("setup")))
        yield Chapter(self.words["course of play"], tuple(self.sections("play")))
        yield Chapter(self.words["actions"], tuple(self.actions()))
        yield Chapter(self.words["other rules"], tuple(self.procedures()))
        yield Chapter(self.words["the end"], tuple(self.scoring()))
        yield Chapter(self.words["what always holds"], tuple(self.invariants()))
        yield Chapter(self.words["rulings"], tuple(self.rulings()))
        yield Chapter(self.words["examples"], tuple(self.examples()))
        yield Chapter(self.words["variants"], tuple(self.variants()))

    @cached_property
    def tables(self) -> dict[str, str]:
        """The tables whose cards lie in each zone."""
        items = (item for state in self.program.of(s.State) for item in state.items)
        return {i.name.name: i.table.name for i in items if isinstance(i, s.Zone)}

    # ---- chapters ------------------------------------------------------------------------------

    def opening(self) -> Iterator[Block]:
        low, high = self.program.player_range
        count = str(low) if low == high else f"{low}–{high}"
        yield Paragraph(f"{self.words['players']}: {count}.")
        sources = [line.title.value for line in self.program.game.sources]
        if sources:
            yield Paragraph(f"{self.words['after']}: {'; '.join(sources)}.")
        applied = [self.text(v.text, v.name.name) for v in self.program.variants]
        if applied:
            yield Paragraph(f"{self.words['with house rules']}: {'; '.join(applied)}.")
        drawn = self.game.start(seed=1)._repr_svg_()
        if drawn:
            players = f"{self.game.players} {self.words['players'].lower()}"
            yield Figure(drawn, f"{self.words['set-up']}, {players}")

    def components(self) -> Iterator[Block]:
        goods = [
            (self.reader.label(value.name.name), self.limit(value))
            for good in self.program.of(s.Good)
            for value in good.values
        ]
        if goods:
            yield Heading(self.words["goods"])
            yield Grid((self.words["good"], self.words["how many"]), tuple(goods))
        for table in self.program.of(s.Table):
            yield Heading(
                self.capital(self.text(table.text, table.name.name)), self.mark(table.name.name)
            )
            yield from self.comment(table)
            yield self.rows(table)

    def rows(self, table: s.Table) -> Grid:
        """The rows of a table: printed values, and what each row does in words."""
        components = self.game.tables.get(table.name.name, {})
        columns = [column.name.name for column in table.columns]
        comments = {row.name.name: about_row(self.program, row) for row in table.rows}
        found = []
        for name, row in components.items():
            does = self.reader.row(table.name.name, name)
            parts = [", ".join(words) for what, words in does.items() if what != "possible"]
            told = "; ".join([*parts, *filter(None, [comments.get(name, "")])])
            cells = [self.shown(row.columns[c]) for c in columns if c in row.columns]
            mark = self.mark(f"{table.name.name}.{name}")
            label = self.reader.label(name) + (f" ({mark})" if mark else "")
            found.append((label, *cells, told))
        used = any(row[-1] for row in found)
        head = (self.words["name"], *(c.replace("_", " ") for c in columns), self.words["effect"])
        rows = tuple(found if used else (row[:-1] for row in found))
        return Grid(head if used else head[:-1], rows)

    def sections(self, kind: str) -> Iterator[Block]:
        for section in self.program.of(s.Section):
            if section.kind == kind:
                yield from self.cited(section.cites)
                yield Items(tuple(self.course(section.body, {})))

    def actions(self) -> Iterator[Block]:
        for action in self.program.of(s.Action):
            title = self.spoken(self.text(action.text, action.name.name.replace("_", " ")), action)
            yield Heading(self.capital(title), self.mark(action.name.name))
            yield from self.comment(action)
            meaning = self.writer.named(action.body, self.meaning(action))
            needs = [line for line in action.body if isinstance(line, s.Require)]
            if needs:
                yield Paragraph(f"{self.words['only if']}:")
                yield Items(tuple(self.requirement(line, action, meaning) for line in needs))
            effects = self.course(
                tuple(x for x in action.body if not isinstance(x, s.Require)), meaning
            )
            if effects:
                yield Paragraph(f"{self.words['then']}:")
                yield Items(tuple(effects))
            yield from self.cited(action.cites)

    def procedures(self) -> Iterator[Block]:
        for procedure in self.program.of(s.Procedure):
            name = self.capital(procedure.name.name.replace("_", " "))
            yield Heading(name, self.mark(procedure.name.name))
            yield from self.comment(procedure)
            yield Items(tuple(self.course(procedure.body, self.meaning(procedure))))
            yield from self.cited(procedure.cites)

    def scoring(self) -> Iterator[Block]:
        for scoring in self.program.of(s.Scoring):
            for line in scoring.scores:
                yield Paragraph(f"{self.words['score']}:")
                meaning = {line.player.name: NOBODY_ELSE}
                yield Items(tuple(self.writer.value(p, meaning) for p in _summands(line.value)))
            ties = [
                f"{self.words[tie.order]} {self.reader.value(tie.value, {})}"
                for tie in scoring.ties
            ]
            if ties:
                yield Paragraph(f"{self.words['ties']}:")
                yield Items(tuple(ties))
            yield from self.cited(scoring.cites)

    def invariants(self) -> Iterator[Block]:
        told = [
            self.text(invariant.text, invariant.name.name.replace("_", " "))
            + self.marked(invariant.name.name)
            for invariant in self.program.of(s.Invariant)
        ]
        if told:
            yield Items(tuple(map(self.capital, told)))

    def rulings(self) -> Iterator[Block]:
        rows = []
        for option in self.program.of(s.Option):
            choices = ", ".join(str(c.value) for c in option.choices)
            chosen = str(self.game.options[option.name.name])
            told = self.text(option.text, option.name.name.replace("_", " "))
            rows.append((self.capital(told), chosen, choices, cites_text(option.cites)))
        if rows:
            head = ("question", "here", "choices", "source")
            yield Grid(tuple(self.words[word] for word in head), tuple(rows))

    def examples(self) -> Iterator[Block]:
        for example in self.program.of(s.Example):
            yield Heading(example.title.value)
            yield from self.cited(example.cites)
            yield Items(tuple(self.example(example)))

    def variants(self) -> Iterator[Block]:
        found = []
        for name, path in shipped_variants(self.program.game.name.name).items():
            first = path.read_text(encoding="utf-8").partition("variant ")[2].split('"')
            found.append(f"{first[1] if len(first) > 1 else name} ({name})")
        if found:
            yield Items(tuple(found))

    # ---- parts ---------------------------------------------------------------------------------

    def text(self, text: s.Text | None, default: str) -> str:
        if text is None:
            return default
        return dict(text.translations).get(self.language, text.value)

    @staticmethod
    def capital(text: str) -> str:
        return text[:1].upper() + text[1:]

    def mark(self, name: str) -> str:
        """The change of a rule by a variant, in a word."""
        return self.words["house rule"] if name in self.program.touched else ""

    def marked(self, name: str) -> str:
        mark = self.mark(name)
        return f" ({mark})" if mark else ""

    def cited(self, cites: s.Cites) -> Iterator[Block]:
        told = cites_text(cites)
        if told:
            yield Paragraph(told)

    def comment(self, declaration: s.Declaration) -> Iterator[Block]:
        """The comment above a declaration, as its author explains it."""
        found = comment_above(self.program, declaration.span)
        if found:
            yield Paragraph(found)

    def requirement(self, line: s.Require, action: s.Action, meaning: Mapping[str, str]) -> str:
        """A requirement: its condition, and the refusal where it is in the language of the book."""
        needs = self.condition(line.condition, meaning)
        reason = line.reason
        if reason is None or (self.language != "en" and not needs.startswith("`")):
            return needs
        return f"{needs} — “{self.spoken(reason.value, action)}”"

    def spoken(self, text: str, action: s.Action) -> str:
        """A text of an action with words where a move fills something in.

        A parameter is called after its type, a constant by its number; anything that has to be
        computed is left open.
        """
        kinds = self.kinds(action)

        def word(part: re.Match[str]) -> str:
            name = part[1]
            return kinds.get(name) or self.reader.constant(name) or "…"

        return _FILLED_IN.sub(word, text)

    def kind(self, param: s.Param) -> str:
        """The type of a parameter, in angle quotes; its name, if it is a number."""
        match param:
            case s.Param(_, s.NamedType(name), _) | s.Param(_, _, s.Domain(s.Name(name), None)):
                kinds = {d.name.name for d in self.program.declarations if isinstance(d, KINDS)}
                name = self.tables.get(name, name)
                if name != "bool":
                    said = name if name in kinds else self.reader.label(name)
                    return f"‹{said.lower()}›"
        return f"‹{param.name.name}›"

    def kinds(self, rule: s.Action | s.Procedure) -> dict[str, str]:
        """The parameters of a rule, by type; a second one of a type is called by its name."""
        found: dict[str, str] = {}
        for param in rule.params:
            kind, name = self.kind(param), param.name.name
            found[name] = f"‹{name.replace('_', ' ')}›" if kind in found.values() else kind
        return found

    def meaning(self, rule: s.Action | s.Procedure) -> dict[str, str]:
        """The meanings of the parameters of a rule; the player who acts is the reader."""
        kinds = self.kinds(rule)
        if isinstance(rule, s.Action):
            return {**kinds, rule.actor.name: NOBODY_ELSE}
        first = rule.params[0] if rule.params else None
        if first is not None and self.kind(first) == "‹player›":
            return {first.name.name: NOBODY_ELSE}
        return {}

    def condition(self, condition: s.Expr, meaning: Mapping[str, str]) -> str:
        """A condition in words, or as it is written where it has none."""
        return in_words(self.reader, condition, meaning) or f"`{expression_text(condition)}`"

    def course(self, body: s.Block, meaning: Mapping[str, str]) -> list[str]:
        """The effects, statement by statement; those inside a loop or branch are indented."""
        return list(self._course(body, "", self.writer.named(body, meaning)))

    def _course(self, body: s.Block, margin: str, meaning: Mapping[str, str]) -> Iterator[str]:
        for line in body:
            match line:
                case s.If(branches, otherwise):
                    for condition, inner in branches:
                        yield f"{margin}{self.words['if']} {self.condition(condition, meaning)}:"
                        yield from self._course(inner, margin + INSIDE, meaning)
                    if otherwise:
                        yield f"{margin}{self.words['otherwise']}:"
                        yield from self._course(otherwise, margin + INSIDE, meaning)
                case s.For():
                    head, inside = self.each(line, meaning)
                    yield f"{margin}{head}:"
                    yield from self._course(line.body, margin + INSIDE, inside)
                case s.While(condition, _, _, _, inner):
                    told = self.condition(condition, meaning)
                    yield f"{margin}{self.words['as long as']} {told}:"
                    yield from self._course(inner, margin + INSIDE, meaning)
                case s.Choose():
                    yield margin + self.choice(line)
                case s.ChooseValue() | s.ChooseSubset() | s.ChooseSecretly():
                    yield margin + self.values(line)
                case s.DrawIn(verb, binder):
                    yield f"{margin}{self.words[verb]}: {binder.name}"
                case s.DrawFrom(verb, name, _, source, end=None):
                    place = self.reader.value(source, {}).lower()
                    yield f"{margin}{self.words[verb]}: {place}"
                    card = self.drawn(source)
                    meaning = {**meaning, name.name: f"‹{card}›"} if card else meaning
                case s.End():
                    yield f"{margin}{self.words['the game is over']}"
                case _:
                    yield from (f"{margin}{told}" for told in self.writer.lines(line, meaning))

    def each(self, line: s.For, meaning: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
        """The head of a loop, and what is known inside it."""
        domain, name = line.binder.domain, line.binder.name.name
        if domain.high is None:
            of = self.drawn(domain.low) or self.reader.value(domain.low, meaning).lower()
            head, meaning = f"{self.words['for each']} {of}", {**meaning, name: of}
        else:
            ends = (self.writer.value(end, meaning) for end in (domain.low, domain.high))
            head = self.words["from to"].format(name, *ends)
        if line.where is not None:
            head += f" {self.words['where']} {self.condition(line.where, meaning)}"
        return head, self.writer.named(line.body, meaning)

    def drawn(self, source: s.Expr) -> str:
        """The name for one card of a zone; nothing if it is no zone."""
        zone = source.base if isinstance(source, s.Index) else source
        table = self.tables.get(zone.name) if isinstance(zone, s.Name) else None
        return "" if table is None else one_of(self.reader.label(table).lower())

    def choice(self, line: s.Choose) -> str:
        names = {a.name.name: a for a in self.program.of(s.Action)}
        options = [
            self.spoken(self.text(names[name].text, name), names[name]) if name in names else name
            for name in (o.name.name for o in line.options)
        ]
        how = self.words["choose " + line.mode]
        return f"{how}: {'; '.join(option.replace('_', ' ') for option in options)}"

    def values(self, line: s.ChooseValue | s.ChooseSubset | s.ChooseSecretly) -> str:
        told = str(line.label or "")
        if line.notation is not None:
            language = dict(line.notation.translations)
            told = language.get(self.reader.language, line.notation.value)
            told = BRACES.sub(lambda found: f"‹{found[1]}›", told)
        secretly = isinstance(line, s.ChooseSecretly)
        how = self.words["choose secretly" if secretly else "choose one"]
        return f"{how}: {told.replace('_', ' ')}"

    def limit(self, value: s.GoodValue) -> str:
        limit = value.limit
        return self.words["as needed"] if limit is None else self.reader.value(limit, {})

    def shown(self, value: object) -> str:
        """A value of a table as people read it."""
        if isinstance(value, dict) and all(isinstance(k, int) for k in value):
            # A list: how often each value stands there, for a map has more than anybody reads.
            return ", ".join(f"{n} × {self.shown(v)}" for v, n in Counter(value.values()).items())
        if isinstance(value, dict):
            told = [counted(v, self.reader.label(str(k))) for k, v in value.items() if v]
            return ", ".join(told) or "–"
        if value is None or value is False:
            return "–"
        return self.words["yes"] if value is True else self.reader.label(str(value))

    def example(self, example: s.Example) -> Iterator[str]:
        from rules_dsl.language.printer import declaration_text

        lines: list[str] = []
        for line in declaration_text(example).split("\n")[1:]:
            if not line.startswith(CONTINUED):
                lines.append(line.strip())
            elif lines:  # the head of an example goes on with its cites, which are shown above
                lines[-1] += f" {line.strip()}"
        for line in lines:
            word, _, rest = line.partition(" ")
            yield f"{self.words.get(word, word)}: `{rest}`"


def _summands(value: s.Expr) -> Iterator[s.Expr]:
    """The parts of a sum."""
    match value:
        case s.Group(inner):
            yield from _summands(inner)
        case s.Binary("+", left, right):
            yield from _summands(left)
            yield from _summands(right)
        case _:
            yield value
