"""Expressions, and the domains that bound names run over."""

from __future__ import annotations

from typing import Any, cast

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder, Misplaced


class ExpressionBuilder(Builder):
    """Builds expressions."""

    def _binders(self, tree: Any, *parts: Any) -> s.Binders:
        return s.Binders(self.all(parts[:-1]), self.maybe(parts[-1]), span=self.span(tree))

    def _binder(self, tree: Any, name: Any, domain: Any) -> s.Binder:
        return s.Binder(self.ident(name), self.build(domain), span=self.span(tree))

    def _domain(self, tree: Any, low: Any, high: Any, start: Any) -> s.Domain:
        return s.Domain(self.build(low), self.maybe(high), self.maybe(start), span=self.span(tree))

    def _arguments(self, tree: Any, *args: Any) -> tuple[s.Expr, ...]:
        return self.all(args)

    def _or(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("or", self.build(left), self.build(right), span=self.span(tree))

    def _and(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("and", self.build(left), self.build(right), span=self.span(tree))

    def _implies(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("implies", self.build(left), self.build(right), span=self.span(tree))

    def _not(self, tree: Any, operand: Any) -> s.Unary:
        return s.Unary("not", self.build(operand), span=self.span(tree))

    def _if_expr(self, tree: Any, condition: Any, then: Any, otherwise: Any) -> s.IfExpr:
        return s.IfExpr(
            self.build(condition), self.build(then), self.build(otherwise), span=self.span(tree)
        )

    def _quantifier(self, tree: Any, binders: Any, body: Any = None) -> s.Quantifier:
        kind = cast(s.QuantifierKind, str(tree.data).removesuffix("_of"))
        return s.Quantifier(kind, self.build(binders), self.maybe(body), span=self.span(tree))

    _every = _some = _count = _first = _sum_of = _min_of = _max_of = _quantifier
    _most = _fewest = _quantifier

    def _possible(self, tree: Any, name: Any, *rest: Any) -> s.Possible:
        fixed = self.all(t for t in rest[:-1] if t is not None)
        return s.Possible(self.ident(name), fixed, self.maybe(rest[-1]), span=self.span(tree))

    def _min_two(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("min", self.build(left), self.build(right), span=self.span(tree))

    def _max_two(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("max", self.build(left), self.build(right), span=self.span(tree))

    def _compare(self, tree: Any, left: Any, op: Any, right: Any) -> s.Binary:
        return s.Binary(
            cast(s.BinaryOp, str(op)), self.build(left), self.build(right), span=self.span(tree)
        )

    _binary = _compare

    def _equal(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("=", self.build(left), self.build(right), span=self.span(tree))

    def _in(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("in", self.build(left), self.build(right), span=self.span(tree))

    def _not_in(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("not in", self.build(left), self.build(right), span=self.span(tree))

    def _emptiness(self, tree: Any, place: Any, word: Any) -> s.Emptiness:
        return s.Emptiness(self.build(place), "not" in word, span=self.span(tree))

    def _end_of_pile(self, tree: Any, end: Any, pile: Any) -> s.EndOfPile:
        return s.EndOfPile(cast(s.PileEnd, str(end)), self.build(pile), span=self.span(tree))

    def _negate(self, tree: Any, sign: Any, operand: Any) -> s.Expr:
        inner = cast(s.Expr, self.build(operand))
        if str(sign) == "+":
            raise Misplaced("E0101", "unexpected `+`", self.span(sign), hint="leave it out")
        return s.Unary("-", inner, span=self.span(tree))

    def _attribute(self, tree: Any, base: Any, name: Any) -> s.Attribute:
        return s.Attribute(self.build(base), self.ident(name), span=self.span(tree))

    def _indexed(self, tree: Any, base: Any, args: Any) -> s.Index:
        return s.Index(self.build(base), self.build(args), span=self.span(tree))

    def _call(self, tree: Any, function: Any, args: Any, by: Any, within: Any) -> s.Call:
        return s.Call(
            self.build(function),
            self.maybe(args) or (),
            None if by is None else self.ident(by),
            self.maybe(within),
            span=self.span(tree),
        )

    def _by_relation(self, tree: Any, name: Any, args: Any) -> s.RelationUse:
        return s.RelationUse(self.ident(name), self.maybe(args) or (), span=self.span(tree))

    def _each_source(self, tree: Any, binder: Any, where: Any) -> s.Binders:
        return s.Binders((self.build(binder),), self.maybe(where), span=self.span(tree))

    def _selection(self, tree: Any, binder: Any, where: Any) -> s.Selection:
        binders = self._each_source(tree, binder, where)
        return s.Selection(binders, span=self.span(tree))

    def _spread(self, tree: Any, source: Any, by: Any, within: Any) -> s.Field:
        return s.Field(
            "spread",
            self.build(source),
            None,
            self.build(by),
            self.maybe(within),
            span=self.span(tree),
        )

    def _steps(self, tree: Any, source: Any, place: Any, by: Any, within: Any) -> s.Field:
        return s.Field(
            "steps",
            self.build(source),
            self.build(place),
            self.build(by),
            self.build(within),
            span=self.span(tree),
        )

    def _legs(self, tree: Any, *parts: Any) -> s.Field:
        source, place, by, within, stops, most = self.all(parts)
        return s.Field("legs", source, place, by, within, stops, most, span=self.span(tree))

    def _component(self, tree: Any, place: Any, by: Any) -> s.Field:
        return s.Field("component", None, self.build(place), self.build(by), span=self.span(tree))

    def _name(self, tree: Any, token: Any) -> s.Name:
        return s.Name(str(token), span=self.span(token))

    def _int(self, tree: Any, token: Any) -> s.IntLit:
        return s.IntLit(self._number(token), span=self.span(token))

    def _true(self, tree: Any) -> s.BoolLit:
        return s.BoolLit(True, span=self.span(tree))

    def _false(self, tree: Any) -> s.BoolLit:
        return s.BoolLit(False, span=self.span(tree))

    def _none(self, tree: Any) -> s.NoneLit:
        return s.NoneLit(span=self.span(tree))

    def _group(self, tree: Any, inner: Any) -> s.Group:
        return s.Group(self.build(inner), span=self.span(tree))

    def _list(self, tree: Any, args: Any) -> s.ListLit:
        return s.ListLit(self.maybe(args) or (), span=self.span(tree))
