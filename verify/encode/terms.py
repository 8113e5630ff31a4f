"""Values that are either known numbers or Z3 terms; known numbers are folded at once.

Building terms, not solving, takes most of the time, so nothing is built that need not be: an
operation on known numbers gives a known number, a conjunction with a false part is false.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import z3
from z3 import z3core as core

# Z3 has no Python types to check against: a number is an int or a z3.ArithRef, a truth value a
# bool or a z3.BoolRef, a value either.
Number: TypeAlias = Any
Truth: TypeAlias = Any
Value: TypeAlias = Any

_CONTEXT = z3.main_ctx()
_REF = _CONTEXT.ref()
_NUMBERS: dict[int, z3.ArithRef] = {}


def known(value: Value) -> bool:
    """Whether the value is a number or truth value, not a term."""
    return isinstance(value, int)


def term(value: Value) -> z3.ExprRef:
    """The value as a Z3 term."""
    if isinstance(value, bool):
        return z3.BoolVal(value)
    if isinstance(value, int):
        found = _NUMBERS.get(value)
        if found is None:
            found = _NUMBERS[value] = z3.IntVal(value)
        return found
    return value


def key(value: Value) -> tuple[str, int]:
    """The identity of a value during the lifetime of its term."""
    if isinstance(value, int):
        return ("k", int(value))
    return ("t", value.get_id())


def same(one: Value, two: Value) -> bool:
    """Whether two values are the same without a proof."""
    if isinstance(one, int) or isinstance(two, int):
        return isinstance(one, int) and isinstance(two, int) and int(one) == int(two)
    return bool(one.get_id() == two.get_id())


def number(value: Value) -> Number:
    """The value as a whole number: false is 0, true is 1."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, z3.BoolRef):
        return ite(value, 1, 0)
    return value


def truth(value: Value) -> Truth:
    """The value as a truth value."""
    if isinstance(value, bool | z3.BoolRef):
        return value
    if isinstance(value, int):
        return value != 0
    inner = _as_indicator(value)
    return inner if inner is not None else not_(eq(value, 0))


def _as_indicator(value: z3.ArithRef) -> z3.BoolRef | None:
    """The condition of `if c then 1 else 0`, so that round trips leave no trace."""
    if value.decl().kind() != z3.Z3_OP_ITE:
        return None
    condition, then, otherwise = value.children()
    if z3.is_int_value(then) and z3.is_int_value(otherwise):
        if then.as_long() == 1 and otherwise.as_long() == 0:
            return condition
        if then.as_long() == 0 and otherwise.as_long() == 1:
            return z3.Not(condition)
    return None


def _many(make: object, items: list[z3.ExprRef]) -> z3.Ast:
    array = (z3.Ast * len(items))(*(i.as_ast() for i in items))
    return make(_REF, len(items), array)  # type: ignore[operator]


def add(*parts: Value) -> Number:
    """A sum."""
    constant = 0
    terms: list[z3.ExprRef] = []
    for part in parts:
        value = number(part)
        if isinstance(value, int):
            constant += value
        elif value.decl().kind() == z3.Z3_OP_ADD:
            # x + 1 - 1 is x again, so that the same index is the same term.
            for inner in value.children():
                if z3.is_int_value(inner):
                    constant += inner.as_long()
                else:
                    terms.append(inner)
        else:
            terms.append(value)
    if not terms:
        return constant
    if constant:
        terms.append(term(constant))
    if len(terms) == 1:
        return terms[0]
    return z3.ArithRef(_many(core.Z3_mk_add, terms), _CONTEXT)


def mul(one: Value, two: Value) -> Number:
    """A product; terms times terms only where the caller has found no better way."""
    a, b = number(one), number(two)
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if isinstance(b, int):
        a, b = b, a
    if isinstance(a, int):
        if a == 0:
            return 0
        if a == 1:
            return b
    return z3.ArithRef(_many(core.Z3_mk_mul, [term(a), term(b)]), _CONTEXT)


def neg(one: Value) -> Number:
    """The opposite number."""
    return mul(-1, one)


def sub(one: Value, two: Value) -> Number:
    """A difference."""
    whole, part = number(one), number(two)
    if same(whole, part):
        return 0
    if isinstance(whole, z3.ExprRef) and isinstance(part, z3.ExprRef) and z3.is_add(whole):
        # x + 1 - x is 1, however large x is.
        rest = [c for c in whole.children() if c.get_id() != part.get_id()]
        if len(rest) == whole.num_args() - 1:
            return add(*rest)
    return add(whole, neg(part))


def div(one: Value, two: int) -> Number:
    """A quotient by a known number, rounded down (Z3 keeps the rest positive instead)."""
    a = number(one)
    if isinstance(a, int):
        return a // two
    if two == 1:
        return a
    if two < 0:
        return div(neg(a), -two)
    return a / term(two)


def mod(one: Value, two: int) -> Number:
    """The rest of a division by a known number, with the sign of the divisor."""
    a = number(one)
    if isinstance(a, int):
        return a % two
    if two in (1, -1):
        return 0
    if two < 0:
        return neg(mod(neg(a), -two))
    return a % term(two)


def eq(one: Value, two: Value) -> Truth:
    """Equality."""
    if isinstance(one, z3.BoolRef) or isinstance(two, z3.BoolRef):
        return _eq_truth(one, two)
    if isinstance(one, int) and isinstance(two, int):
        return int(one) == int(two)
    if same(one, two):
        return True
    return z3.BoolRef(core.Z3_mk_eq(_REF, term(number(one)).as_ast(), term(number(two)).as_ast()))


def _eq_truth(one: Value, two: Value) -> Truth:
    if isinstance(one, int):
        one, two = two, one
    if isinstance(two, int):
        if int(two) == 1:
            return truth(one)
        return not_(truth(one)) if int(two) == 0 else False
    if isinstance(one, z3.BoolRef) and isinstance(two, z3.BoolRef):
        if same(one, two):
            return True
        return z3.BoolRef(core.Z3_mk_eq(_REF, one.as_ast(), two.as_ast()))
    return z3.BoolRef(core.Z3_mk_eq(_REF, term(number(one)).as_ast(), term(number(two)).as_ast()))


def le(one: Value, two: Value) -> Truth:
    """At most."""
    a, b = number(one), number(two)
    if isinstance(a, int) and isinstance(b, int):
        return a <= b
    if same(a, b):
        return True
    return z3.BoolRef(core.Z3_mk_le(_REF, term(a).as_ast(), term(b).as_ast()))


def lt(one: Value, two: Value) -> Truth:
    """Less than."""
    return not_(le(two, one))


def not_(one: Value) -> Truth:
    """Negation."""
    a = truth(one)
    if isinstance(a, bool):
        return not a
    if a.decl().kind() == z3.Z3_OP_NOT:
        return a.children()[0]
    return z3.BoolRef(core.Z3_mk_not(_REF, a.as_ast()))


def and_(parts: Iterable[Value]) -> Truth:
    """All of them."""
    return _junction(parts, False, core.Z3_mk_and)


def or_(parts: Iterable[Value]) -> Truth:
    """One of them at least."""
    return _junction(parts, True, core.Z3_mk_or)


def _junction(parts: Iterable[Value], dominant: bool, make: object) -> Truth:
    terms: list[z3.ExprRef] = []
    seen: set[int] = set()
    for part in parts:
        value = truth(part)
        if isinstance(value, bool):
            if value is dominant:
                return dominant
            continue
        identity = value.get_id()
        if identity not in seen:
            seen.add(identity)
            terms.append(value)
    if not terms:
        return not dominant
    if len(terms) == 1:
        return terms[0]
    return z3.BoolRef(_many(make, terms), _CONTEXT)


def implies(one: Value, two: Value) -> Truth:
    """If one, then two."""
    return or_((not_(one), two))


def ite(condition: Value, then: Value, otherwise: Value) -> Value:
    """A choice between two values."""
    test = truth(condition)
    if isinstance(test, bool):
        return then if test else otherwise
    if same(then, otherwise):
        return then
    if isinstance(then, bool | z3.BoolRef) and isinstance(otherwise, bool | z3.BoolRef):
        if isinstance(then, bool):
            return or_((test, otherwise)) if then else and_((not_(test), otherwise))
        if isinstance(otherwise, bool):
            return or_((not_(test), then)) if otherwise else and_((test, then))
        return z3.BoolRef(
            core.Z3_mk_ite(_REF, test.as_ast(), then.as_ast(), otherwise.as_ast()), _CONTEXT
        )
    a, b = term(number(then)), term(number(otherwise))
    return z3.ArithRef(core.Z3_mk_ite(_REF, test.as_ast(), a.as_ast(), b.as_ast()), _CONTEXT)


def minimum(one: Value, two: Value) -> Value:
    """The smaller one."""
    return ite(le(one, two), one, two)


def maximum(one: Value, two: Value) -> Value:
    """The larger one."""
    return ite(le(two, one), one, two)


def in_range(value: Value, low: int, high: int) -> Truth:
    """Whether a value lies in a range."""
    return and_((le(low, value), le(value, high)))
