"""Rules read aloud in a few words: the effects and values of a row of a table.

The words come from the rules themselves: labels of goods, variables and values, and the texts of
procedures (`procedure rise(p: Player, t: Temple) "{t} +1"`), which a variant replaces together with
what they describe. A procedure that a variant amends is called by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import define, evolve, field

from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text, statement_text
from rules_dsl.language.program import Program, assemble, walk
from rules_dsl.language.spoken import NOBODY_ELSE, in_words

_PART = re.compile(r"\{(\w+)\}")
# Parts that a move fills in, one after the other.
_FILLED_IN = re.compile(r"(?:\{[^{}]+\})+")
# The words between what the rules name: in English, in Russian.
_WORDS = {
    "en": {
        "each": "{} for each {}", "all of": "{} of all {}", "highest": "highest {} of all {}",
        "and": "and", "players": "players", "all": "all", "cards": "cards", "goods": "goods",
        "up to": "up to {}", "pay": "pay {}", "to": "{} to {}",
    },
    "ru": {
        "each": "{} × {}", "all of": "сумма: {} ({})", "highest": "наибольшее: {} ({})",
        "and": "и", "players": "игроки", "all": "все", "cards": "карты", "goods": "товары",
        "up to": "до {}", "pay": "заплатить {}", "to": "{} → {}",
    },
}  # fmt: skip
# The meanings of names where a rule is read: parameters by their arguments.
Meaning = Mapping[str, str]


@define
class ProseReader:
    """Reads the rules of a program aloud, in a language for which labels exist."""

    program: Program
    language: str = "en"
    _labels: dict[str, s.Text] = field(factory=dict)
    _procedures: dict[str, s.Procedure] = field(factory=dict)
    _functions: dict[str, s.Function] = field(factory=dict)
    _numbers: dict[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._procedures = {d.name.name: d for d in self.program.of(s.Procedure)}
        self._functions = {d.name.name: d for d in self.program.of(s.Function)}
        for const in self.program.of(s.Const):
            if isinstance(const.value, s.IntLit):
                self._numbers[const.name.name] = str(const.value.value)
        for name, text in _labels(self.program):
            self._labels.setdefault(name, text)
        self._labels |= self.program.labels

    # ---- words ---------------------------------------------------------------------------------

    def label(self, name: str) -> str:
        """The label of a name of the rules."""
        text = self._labels.get(name)
        if text is None:
            return name.replace("_", " ")
        return dict(text.translations).get(self.language, text.value)

    def value(self, expr: s.Expr, meaning: Meaning) -> str:
        """An expression in words: a label, a number, or as it is written."""
        match expr:
            case s.Name(name):
                return meaning.get(name) or self._numbers.get(name) or self.label(name)
            case s.Group(inner):
                return self.value(inner, meaning)
            case s.Attribute(_, name):
                return self.label(name.name)
            case s.Index(s.Name(name)) if name in self._labels:
                return self.label(name)
            case s.Binary("*", left, right):
                return self.say("each", self.value(left, meaning), self.value(right, meaning))
            case s.Binary("+", left, right):
                return f"{self.value(left, meaning)} + {self.value(right, meaning)}"
            case s.Quantifier("count", binders, None) if binders.where is None:
                return self.value(binders.binders[0].domain.low, meaning)
            case s.Quantifier("sum", binders, body) if body is not None:
                return self.say("all of", self.value(body, meaning), self.domain(binders, meaning))
            case s.Quantifier("max", binders, body) if body is not None:
                return self.say("highest", self.value(body, meaning), self.domain(binders, meaning))
            case s.Call(s.Name(name), args) if name in self._functions:
                return self.called(self._functions[name], args, meaning)
            case s.IfExpr() | s.Index():
                return in_words(self, expr, meaning) or expression_text(expr)
        return expression_text(expr)

    def parameters(self, function: str) -> tuple[str, ...]:
        """The names of a function's parameters; nothing if there is none of that name."""
        found = self._functions.get(function)
        return () if found is None else tuple(param.name.name for param in found.params)

    def is_condition(self, function: str) -> bool:
        """Whether a function says yes or no; one without a type may."""
        found = self._functions.get(function)
        return found is None or found.type is None or _is_type(found.type, "bool")

    def constant(self, name: str) -> str:
        """The number or value that a constant is written with; nothing if it is computed.

        >>> from rules_dsl.language.program import assemble
        >>> from rules_dsl.language.sources import gather
        >>> ProseReader(assemble(gather("tzolkin"))).constant("fishing_maize")
        '3'
        """
        for const in self.program.of(s.Const):
            if const.name.name == name and isinstance(const.value, s.IntLit | s.Name):
                return expression_text(const.value)
        return ""

    def changed(self, *names: str, numbers: bool = True) -> bool:
        """Whether a variant has changed one of these rules, or a rule or number that they use.

        >>> from rules_dsl.language.program import assemble
        >>> from rules_dsl.language.sources import gather
        >>> ProseReader(assemble(gather("tzolkin", ("rich_start",)))).changed("starting_maize")
        True
        """
        touched = {
            name
            for name, how in self.program.touched.items()
            if numbers or how != "constant changed"
        }
        return bool(touched) and any(
            touched & ({name} | mentioned(self.program, node))
            for name in names
            for node in self._declared(name)
        )

    def _declared(self, name: str) -> Iterator[s.Node]:
        """The declaration of a name; rows are named by table and row."""
        table, _, row = name.partition(".")
        for declaration in self.program.declarations:
            called = getattr(declaration, "name", None)
            if not isinstance(called, s.Ident) or called.name != table:
                continue
            if not row:
                yield declaration
            elif isinstance(declaration, s.Table):
                yield from (one for one in declaration.rows if one.name.name == row)

    def speaking_of(self, name: str) -> list[str]:
        """The functions, procedures and actions that mention a name, or did before a variant."""
        before = assemble(evolve(self.program.sources, variants=[]))
        return [
            rule.name.name
            for rule in [*before.declarations, *self.program.declarations]
            if isinstance(rule, s.Function | s.Procedure | s.Action)
            and any(isinstance(part, s.Name) and part.name == name for part in walk(rule))
        ]

    def domain(self, binders: s.Binders, meaning: Meaning) -> str:
        """The domains of bound names."""
        words = [self.value(b.domain.low, meaning).lower() for b in binders.binders]
        players = self.say("players")
        return f" {self.say('and')} ".join(players if w == "player" else w for w in words)

    def say(self, key: str, *parts: str) -> str:
        """A phrase in the reader's language."""
        return _WORDS[self.language][key].format(*parts)

    def called(
        self, rule: s.Procedure | s.Function, args: tuple[s.Expr, ...], meaning: Meaning
    ) -> str:
        """A rule with its arguments: its text filled in, or its name and arguments."""
        given = {
            param.name.name: self.value(arg, meaning)
            for param, arg in zip(rule.params, args, strict=False)
        }
        amended = "amended" in self.program.touched.get(rule.name.name, "")
        if rule.text is not None and not amended:
            text = dict(rule.text.translations).get(self.language, rule.text.value)
            return _PART.sub(
                lambda part: given.get(part[1]) or self._numbers.get(part[1], part[0]), text
            )
        actor = rule.params[0].name.name if rule.params else ""
        rest = [word for name, word in given.items() if name != actor]
        return " ".join([rule.name.name.replace("_", " "), *rest])

    # ---- what happens --------------------------------------------------------------------------

    def effects(self, body: s.Block, meaning: Meaning | None = None) -> list[str]:
        """The effects of statements on a player, each in a few words."""
        return list(self._effects(body, meaning or {}))

    def _effects(self, body: s.Block, meaning: Meaning) -> Iterator[str]:
        for statement in body:
            match statement:
                case s.MoveGoods(how, amount, good, source, target):
                    yield self.moved(how, amount, good, source, target, meaning)
                case s.Assign(target, "+=" | "-=" as op, value):
                    sign = "+" if op == "+=" else "−"
                    yield f"{sign}{self.value(value, meaning)} {self.value(target, meaning)}"
                case s.CallStatement(s.Call(s.Name(name), args)) if name in self._procedures:
                    yield self.called(self._procedures[name], args, meaning)
                case s.Assign(target, "=", s.BoolLit(True)):
                    yield self.value(target, meaning)
                case (
                    s.ChooseValue(notation=s.Text() as text)
                    | s.ChooseSubset(notation=s.Text() as text)
                ):
                    told = dict(text.translations).get(self.language, text.value)
                    yield _FILLED_IN.sub("…", told)
                case s.Assert() | s.Reveal() | s.Let():
                    continue
                case _:
                    yield statement_text(statement, 0).partition("\n")[0]

    def moved(
        self,
        how: str,
        amount: s.Expr | None,
        good: s.Expr | None,
        source: s.Expr,
        target: s.Expr,
        meaning: Meaning,
    ) -> str:
        """Goods that come or go."""
        many = self.say("all") if amount is None else self.value(amount, meaning)
        if good is not None:
            what = self.value(good, meaning)
        else:
            what = self.say("cards" if self.is_zone(source) else "goods")
        if any(isinstance(part, s.IfExpr) for part in walk(amount)):
            many, what = f"{what}:", many
        words = f"{self.say('up to', many) if how == 'up to' else many} {what}"
        if self.is_bank(source):
            return words
        if self.is_bank(target):
            return self.say("pay", words)
        return self.say("to", words, self.value(target, meaning).lower())

    def is_zone(self, place: s.Expr) -> bool:
        """Whether cards lie there."""
        return isinstance(self._place(place), s.Zone)

    def is_pool(self, place: s.Expr) -> bool:
        """Whether goods lie there."""
        return isinstance(self._place(place), s.Pool)

    def is_bank(self, place: s.Expr) -> bool:
        """Whether goods there have no owner."""
        item = self._place(place)
        return isinstance(item, s.Pool) and item.bank

    def _place(self, place: s.Expr) -> s.Node | None:
        """The declaration of a pool or a zone."""
        name = place.base if isinstance(place, s.Index) else place
        items = (item for state in self.program.of(s.State) for item in state.items)
        same = (item for item in items if isinstance(name, s.Name) and item.name.name == name.name)
        return next(same, None)

    # ---- rows ----------------------------------------------------------------------------------

    def row(self, table: str, name: str) -> dict[str, list[str]]:
        """The effects and values of a row, by the names of its procedures and functions.

        >>> from rules_dsl.language.program import assemble
        >>> from rules_dsl.language.sources import gather
        >>> ProseReader(assemble(gather("tzolkin"))).row("Building", "a1_10")
        {'gained': ['agriculture +1', '1 stone']}
        """
        for declaration in self.program.of(s.Table):
            for row in declaration.rows if declaration.name.name == table else ():
                if row.name.name == name:
                    conditions = {
                        function.name.name: _reader_asks(function)
                        for function in declaration.functions
                        if _is_type(function.type, "bool")
                    }
                    return {b.name.name: self._body(b, conditions) for b in row.bodies}
        return {}

    def _body(
        self, body: s.RowProcedure | s.RowFunction, conditions: dict[str, dict[str, str]]
    ) -> list[str]:
        if isinstance(body, s.RowFunction):
            known = conditions.get(body.name.name)
            said = None if known is None else in_words(self, body.value, known)
            return [self.value(body.value, {}) if said is None else said]
        return self.effects(body.body)


def _reader_asks(function: s.TableFunction) -> dict[str, str]:
    """The meanings of parameters: the player who is asked about reads it."""
    asked = [p.name.name for p in function.params[:1] if _is_type(p.type, "Player")]
    return dict.fromkeys(asked, NOBODY_ELSE)


def _is_type(node: object, name: str) -> bool:
    return isinstance(node, s.NamedType) and node.name == name


def mentioned(program: Program, node: object) -> set[str]:
    """All names that something mentions, also through functions and procedures.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> program = assemble(gather("pig"))
    >>> invariant = next(program.of(s.Invariant))
    >>> sorted(mentioned(program, invariant.condition) & {"points", "winner", "mover"})
    ['points', 'winner']
    """
    rules: dict[str, object] = {f.name.name: f for f in program.of(s.Function)}
    rules |= {p.name.name: p.body for p in program.of(s.Procedure)}
    found: set[str] = set()
    todo: list[object] = [node]
    while todo:
        for part in walk(todo.pop()):
            if isinstance(part, s.Name) and part.name not in found:
                found.add(part.name)
                if part.name in rules:
                    todo.append(rules[part.name])
    return found


def _labels(program: Program) -> Iterator[tuple[str, s.Text]]:
    """All names that have a label where they are declared."""
    for declaration in program.declarations:
        match declaration:
            case s.Enum() | s.Good():
                shared = declaration.text if isinstance(declaration, s.Good) else None
                for value in declaration.values:
                    text = value.text or shared
                    yield from [(value.name.name, text)] if text else []
            case s.State(items):
                yield from ((item.name.name, item.text) for item in items if item.text)
            case s.Piece(name=name, text=text):
                yield from [(name.name, text)] if text else []
            case s.Table(name, text):
                yield from [(name.name, text)] if text else []
                yield from ((row.name.name, row.text) for row in declaration.rows if row.text)
            case _:
                continue
