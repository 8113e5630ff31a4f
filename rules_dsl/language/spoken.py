"""Conditions and formulas of the rules as words, for those who read no rule language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rules_dsl.language import syntax as s

if TYPE_CHECKING:
    from rules_dsl.language.prose import ProseReader

# The meanings of names; `NOBODY_ELSE` is the reader, and left out of places.
Meaning = Mapping[str, str]
NOBODY_ELSE = "you"
# Conditions, then operations; both stand between what they compare or join.
_BETWEEN = {
    "en": {
        "=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than",
        ">=": "is at least", "in": "is in", "not in": "is not in", "and": "and", "or": "or",
        "+": "+", "-": "−", "*": "×",
    },
    "ru": {
        "=": "—", "!=": "— не", "<": "меньше", "<=": "не больше", ">": "больше",
        ">=": "не меньше", "in": "в", "not in": "не в", "and": "и", "or": "или",
        "+": "+", "-": "−", "*": "×",
    },
}  # fmt: skip
_PHRASES = {
    "en": {
        "every": "for every {}: {}", "some": "for some {}: {}", "count": "number of {} where {}",
        "sum": "the sum, for every {}, of {}", "you": "you",
        "max": "the largest, for every {}, of {}", "min": "the smallest, for every {}, of {}",
        "range": "{} from {} to {}", "for": "{} for {}", "without": "not {}", "yes": "yes",
        "no": "no", "implies": "if {}, then {}",
        "not": "not: {}", "number": "number of {}",
        "nothing": "nothing", "smaller": "the smaller of {} and {}",
        "larger": "the larger of {} and {}",
        "if": "{} if {}, otherwise {}", "only if": "{} if {}", "of": "{} of {}",
        "empty": "{} is empty", "not empty": "{} is not empty",
    },
    "ru": {
        "every": "для каждого из {}: {}", "some": "для кого-то из {}: {}",
        "count": "число {}, где {}", "sum": "сумма по всем {}: {}", "you": "вы",
        "max": "наибольшее по всем {}: {}", "min": "наименьшее по всем {}: {}",
        "range": "{} от {} до {}", "for": "{}: {}", "without": "не {}", "yes": "да",
        "no": "нет", "implies": "если {}, то {}",
        "not": "не: {}", "number": "число: {}",
        "nothing": "ничего", "smaller": "меньшее из {} и {}",
        "larger": "большее из {} и {}", "if": "{}, если {}, иначе {}", "only if": "{}, если {}",
        "of": "{} ({})", "empty": "{}: пусто", "not empty": "{}: не пусто",
    },
}  # fmt: skip


def in_words(reader: ProseReader, expr: s.Expr, meaning: Meaning) -> str | None:
    """A condition or formula as words; None where a part of it can only be written.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.prose import ProseReader
    >>> from rules_dsl.language.sources import gather
    >>> program = assemble(gather("tzolkin"))
    >>> beg = next(a for a in program.of(s.Action) if a.name.name == "beg")
    >>> in_words(ProseReader(program), beg.body[0].condition, {"p": "you"})
    'maize is at most 2'
    """
    try:
        return _Speaker(reader).holds(expr, meaning)
    except _Unspeakable:
        return None


class _Unspeakable(Exception):
    """A part of a formula without words."""


class _Speaker:
    def __init__(self, reader: ProseReader) -> None:
        self.reader = reader
        self.between = _BETWEEN[reader.language]
        self.phrases = _PHRASES[reader.language]

    def holds(self, expr: s.Expr, meaning: Meaning) -> str:
        """A condition: of a function, that it holds for its arguments."""
        match expr:
            case s.Call(s.Name(name), args, None, None) if self.reader.is_condition(name):
                return self.asked(name, name, args, meaning)
            case s.Call(s.Attribute(base, member), args, None, None):
                return self.asked(member.name, "", (base, *args), meaning)
            case s.Unary("not", inner):
                return self.phrases["not"].format(self.holds(inner, meaning))
            case s.Binary("and" | "or" as op, left, right):
                words = self.holds(left, meaning), self.between[op], self.holds(right, meaning)
                return " ".join(words)
            case s.Binary("implies", left, right):
                told = self.holds(left, meaning), self.holds(right, meaning)
                return self.phrases["implies"].format(*told)
            case s.Group(inner):
                inside = self.holds(inner, meaning)
                return f"({inside})" if isinstance(inner, s.Binary) else inside
        return self.said(expr, meaning)

    def asked(self, name: str, function: str, args: tuple[s.Expr, ...], meaning: Meaning) -> str:
        """A question about some things; one of yes or no is told by the name of its parameter."""
        names = self.reader.parameters(function) if function else ()
        told = []
        for number, arg in enumerate(args):
            if isinstance(arg, s.BoolLit) and number < len(names):
                named = names[number].replace("_", " ")
                told.append(named if arg.value else self.phrases["without"].format(named))
            else:
                told.append(self.said(arg, meaning))
        places = [place for place in told if place != self.phrases["you"]]
        what = name.replace("_", " ")
        return self.phrases["for"].format(what, ", ".join(places)) if places else what

    def said(self, expr: s.Expr, meaning: Meaning) -> str:
        match expr:
            case s.IntLit(value):
                return str(value)
            case s.BoolLit(value):
                return self.phrases["yes" if value else "no"]
            case s.NoneLit():
                return self.phrases["nothing"]
            case s.Name():
                found = self.reader.value(expr, meaning)
                return self.phrases["you"] if found == NOBODY_ELSE else found
            case s.Group(inner):
                inside = self.said(inner, meaning)
                return f"({inside})" if isinstance(inner, s.Binary) else inside
            case s.Attribute(base, name):
                whose = (base,) if isinstance(base, s.Name) and base.name in meaning else ()
                return self.at(self.lower(name.name), whose, meaning)
            case s.Index(base, (good,)) if self.reader.is_pool(base):
                return self.said(good, meaning)
            case s.Index(s.Attribute(base, name), args):
                whose = (base,) if isinstance(base, s.Name) and base.name in meaning else ()
                return self.at(self.lower(name.name), (*whose, *args), meaning)
            case s.Index(s.Name(name), args):
                return self.at(self.lower(name), args, meaning)
            case s.Call(s.Name(name), args, None, None):
                return self.at(name.replace("_", " "), args, meaning)
            case s.Emptiness(place, negated):
                phrase = self.phrases["not empty" if negated else "empty"]
                return phrase.format(self.said(place, meaning))
            case s.Binary("min" | "max" as op, left, right):
                phrase = self.phrases["smaller" if op == "min" else "larger"]
                return phrase.format(self.said(left, meaning), self.said(right, meaning))
            case s.Binary(op, left, right) if op in self.between:
                words = self.said(left, meaning), self.between[op], self.said(right, meaning)
                return " ".join(words)
            case s.IfExpr(condition, then, otherwise):
                told = self.said(then, meaning), self.holds(condition, meaning)
                if isinstance(otherwise, s.IntLit) and otherwise.value == 0:
                    return self.phrases["only if"].format(*told)
                return self.phrases["if"].format(*told, self.said(otherwise, meaning))
            case s.Quantifier("every" | "some" as kind, s.Binders((one,), None), s.Expr() as body):
                return self.of_all(kind, one, body, meaning)
            case s.Unary("not", inner):
                return self.phrases["not"].format(self.holds(inner, meaning))
            case s.Quantifier("count", s.Binders((one,), None), None):
                return self.phrases["number"].format(self.said(one.domain.low, meaning))
            case s.Quantifier(
                "sum" | "max" | "min" as kind, s.Binders((one,), None), s.Expr() as body
            ):
                return self.of_all(kind, one, body, meaning)
            case s.Quantifier("count" as kind, s.Binders((one,), s.Expr() as where), _):
                return self.of_all(kind, one, where, meaning)
        raise _Unspeakable

    def lower(self, name: str) -> str:
        """The label of something inside a sentence."""
        label = self.reader.label(name)
        return label[:1].lower() + label[1:] if label[1:2].islower() else label

    def of_all(self, kind: str, one: s.Binder, condition: s.Expr, meaning: Meaning) -> str:
        """A condition or sum about everything of a kind, or how many meet a condition."""
        name = one.name.name
        if one.domain.high is not None:
            ends = self.said(one.domain.low, meaning), self.said(one.domain.high, meaning)
            of, inside = self.phrases["range"].format(name, *ends), {**meaning, name: name}
        else:
            of = self.reader.value(one.domain.low, meaning).lower()
            inside = {**meaning, name: of}
        told = self.said if kind in ("sum", "max", "min") else self.holds
        return self.phrases[kind].format(of, told(condition, inside))

    def at(self, what: str, args: tuple[s.Expr, ...], meaning: Meaning) -> str:
        """Something at its place; that it is the reader's, or a player's, goes without saying."""
        places = [self.said(arg, meaning) for arg in args]
        unsaid = {self.phrases["you"], "player"} if "player" in what else {self.phrases["you"]}
        places = [place for place in places if place not in unsaid]
        return self.phrases["of"].format(what, ", ".join(places)) if places else what
