"""The distance of a condition from being true: a number that is 0 exactly where it holds.

It is an expression of the rules, so that it can be evaluated wherever the condition is, and
never faults where the condition does not.
"""

from __future__ import annotations

from math import prod

from attrs import define, evolve, field

from compiler import build as b
from compiler import ir
from compiler.traverse import children

# Maximum distance of one comparison, so that it does not drown the others.
FARTHEST = 50
# Maximum number of choices of an option that is measured.
MOST_CHOICES = 100


@define(eq=False)
class Distances:
    """Distances of the conditions of one game.

    >>> import rules_dsl as rd
    >>> x = b.local("x", 0, 9)
    >>> distances = Distances(rd.load("pig").ir)
    >>> distances.far(b.lt(b.int_(6), x)) == b.max_(b.int_(0), b.add(b.sub(b.int_(6), x), b.TRUE))
    True
    """

    module: ir.Module
    # For each function whether it may fault; one still being analysed may.
    _fails: dict[str, bool] = field(factory=dict)

    def far(self, condition: ir.Expr) -> ir.Expr:
        """The distance of a condition."""
        match condition:
            case ir.Op("and", args):
                return self.until_all(args)
            case ir.Op("or", args):
                return self.until_any(args)
            case ir.Op("not", (inner,)) if (other := negation(inner)) != condition:
                return self.far(other)
            case ir.Op("eq", (left, right)):
                return _capped(b.abs_(b.sub(left, right)))
            case ir.Op("lt", (left, right)):
                return _capped(b.max_(b.int_(0), b.add(b.sub(left, right), b.int_(1))))
            case ir.Op("le", (left, right)):
                return _capped(b.max_(b.int_(0), b.sub(left, right)))
            case ir.Let(_, _, body):
                inside = self.far(body)
                return evolve(condition, body=inside, lo=inside.lo, hi=inside.hi)
            case ir.Aggregate("every" | "some") if not self.may_fail(condition):
                return self.gathered(condition)
        return b.sub(b.int_(1), condition)

    def until_all(self, parts: tuple[ir.Expr, ...]) -> ir.Expr:
        """The distance until all conditions hold; a later one may rely on those before it."""
        first, *others = parts
        far = self.far(first)
        if not others:
            return far
        rest = self.until_all(tuple(others))
        if any(self.may_fail(other) for other in others):
            return b.if_(first, rest, b.add(far, b.int_(rest.hi)))
        return b.add(far, rest)

    def until_any(self, parts: tuple[ir.Expr, ...]) -> ir.Expr:
        """The distance until one of several conditions holds."""
        first, *others = parts
        far = self.far(first)
        if not others:
            return far
        rest = self.until_any(tuple(others))
        if any(self.may_fail(other) for other in others):
            return b.if_(first, b.int_(0), b.min_(far, rest))
        return b.min_(far, rest)

    def gathered(self, condition: ir.Aggregate) -> ir.Expr:
        """The sum of all distances, or the least of them."""
        parts = (condition.where or b.TRUE, condition.body or b.TRUE)
        if condition.kind == "some":
            far = self.until_all(parts)
            most = max(far.hi, FARTHEST)
            return ir.Aggregate("min", condition.ranges, None, far, most, lo=0, hi=most)
        far = self.far(parts[1])
        most = far.hi * prod(r.high.hi - r.low.lo + 1 for r in condition.ranges)
        return ir.Aggregate("sum", condition.ranges, condition.where, far, lo=0, hi=most)

    def option(self, option: ir.Option) -> ir.Expr | None:
        """The distance until an option can be chosen; nothing where that is too much work."""
        ranges = tuple(param.range for param in option.params)
        if prod(param.hi - param.lo + 1 for param in option.params) > MOST_CHOICES:
            return None
        condition: ir.Expr = b.TRUE
        for part in reversed(option.head):
            if isinstance(part, ir.Define):
                condition = ir.Let(part.name, part.value, condition, lo=0, hi=1)
            else:
                condition = b.and_(part.condition, condition)
        if not ranges:
            return self.far(condition)
        far = self.until_all((condition,))
        most = max(far.hi, FARTHEST)
        return ir.Aggregate("min", ranges, None, far, most, lo=0, hi=most)

    def may_fail(self, expr: ir.Expr) -> bool:
        """Whether evaluating an expression may fault."""
        match expr:
            case ir.Narrow() | ir.Graph() | ir.Field() | ir.Op("div") | ir.Op("mod"):
                return True
            case ir.Call(function):
                if function not in self._fails:
                    self._fails[function] = True
                    body = self.module.functions[function].body
                    self._fails[function] = self.may_fail(body)
                if self._fails[function]:
                    return True
        return any(self.may_fail(child) for child in children(expr))


def negation(condition: ir.Expr) -> ir.Expr:
    """The negation of a condition, in terms of its parts."""
    match condition:
        case ir.Op("and", args):
            return b.or_(*(negation(arg) for arg in args))
        case ir.Op("or", args):
            return b.and_(*(negation(arg) for arg in args))
        case ir.Let(_, _, body):
            return evolve(condition, body=negation(body))
        case ir.Aggregate("every", _, _, body) if body is not None:
            return evolve(condition, kind="some", body=negation(body))
        case ir.Aggregate("some", _, _, body) if body is not None:
            return evolve(condition, kind="every", body=negation(body))
    return b.not_(condition)


def _capped(expr: ir.Expr) -> ir.Expr:
    return b.min_(expr, b.int_(FARTHEST))
