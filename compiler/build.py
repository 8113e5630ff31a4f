"""Making IR expressions: ranges are computed and constants folded on the way."""

from __future__ import annotations

from compiler.ir import Expr, If, Int, Local, Op, OpKind, Select

# Limit of the language on numbers; nothing here is cut off at it.
LIMIT = 10**12


def int_(value: int) -> Int:
    """A constant."""
    return Int(value, lo=value, hi=value)


TRUE = int_(1)
FALSE = int_(0)


def local(name: str, lo: int, hi: int) -> Local:
    """A local variable."""
    return Local(name, lo=lo, hi=hi)


def _op(kind: OpKind, *args: Expr, lo: int, hi: int) -> Expr:
    return Op(kind, args, lo=lo, hi=hi)


def add(a: Expr, b: Expr) -> Expr:
    """A sum.

    >>> add(int_(2), int_(3)).value
    5
    """
    if isinstance(a, Int) and isinstance(b, Int):
        return int_(a.value + b.value)
    if isinstance(b, Int) and b.value == 0:
        return a
    if isinstance(a, Int) and a.value == 0:
        return b
    if isinstance(b, Int) and isinstance(a, Op) and isinstance(a.args[-1], Int):
        if a.kind == "add":
            return add(a.args[0], int_(a.args[1].value + b.value))  # type: ignore[attr-defined]
        if a.kind == "sub":
            return add(a.args[0], int_(b.value - a.args[1].value))  # type: ignore[attr-defined]
    if isinstance(b, Int) and b.value < 0:
        return _op("sub", a, int_(-b.value), lo=a.lo + b.value, hi=a.hi + b.value)
    return _op("add", a, b, lo=a.lo + b.lo, hi=a.hi + b.hi)


def sub(a: Expr, b: Expr) -> Expr:
    """A difference."""
    if isinstance(b, Int):
        return add(a, int_(-b.value))
    if a == b:
        return int_(0)
    return _op("sub", a, b, lo=a.lo - b.hi, hi=a.hi - b.lo)


def mul(a: Expr, b: Expr) -> Expr:
    """A product."""
    if isinstance(a, Int) and isinstance(b, Int):
        return int_(a.value * b.value)
    for one, two in ((a, b), (b, a)):
        if isinstance(one, Int) and one.value == 0:
            return one
        if isinstance(one, Int) and one.value == 1:
            return two
    corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return _op("mul", a, b, lo=min(corners), hi=max(corners))


def div(a: Expr, b: Expr) -> Expr:
    """A quotient, rounded down."""
    if isinstance(a, Int) and isinstance(b, Int) and b.value != 0:
        return int_(a.value // b.value)
    if isinstance(b, Int) and b.value == 1:
        return a
    divisors = [d for d in (b.lo, b.hi, -1, 1) if d != 0 and b.lo <= d <= b.hi] or [1]
    corners = [x // y for x in (a.lo, a.hi) for y in divisors]
    return _op("div", a, b, lo=min(corners), hi=max(corners))


def mod(a: Expr, b: Expr) -> Expr:
    """A remainder; it has the sign of the divisor."""
    if isinstance(a, Int) and isinstance(b, Int) and b.value != 0:
        return int_(a.value % b.value)
    if b.lo > 0:
        if a.lo >= 0 and a.hi < b.lo:
            return a
        return _op("mod", a, b, lo=0, hi=b.hi - 1)
    return _op("mod", a, b, lo=min(0, b.lo + 1), hi=max(0, b.hi - 1))


def neg(a: Expr) -> Expr:
    """The opposite number."""
    if isinstance(a, Int):
        return int_(-a.value)
    return _op("neg", a, lo=-a.hi, hi=-a.lo)


def abs_(a: Expr) -> Expr:
    """The distance from zero."""
    if a.lo >= 0:
        return a
    if a.hi <= 0:
        return neg(a)
    return _op("abs", a, lo=0, hi=max(-a.lo, a.hi))


def min_(a: Expr, b: Expr) -> Expr:
    """The smaller one."""
    if a.hi <= b.lo:
        return a
    if b.hi <= a.lo:
        return b
    return _op("min", a, b, lo=min(a.lo, b.lo), hi=min(a.hi, b.hi))


def max_(a: Expr, b: Expr) -> Expr:
    """The larger one."""
    if a.lo >= b.hi:
        return a
    if b.lo >= a.hi:
        return b
    return _op("max", a, b, lo=max(a.lo, b.lo), hi=max(a.hi, b.hi))


def eq(a: Expr, b: Expr) -> Expr:
    """Equality; ranges that do not meet decide it."""
    if isinstance(a, Int) and isinstance(b, Int):
        return int_(int(a.value == b.value))
    if a == b:
        return TRUE
    if a.hi < b.lo or b.hi < a.lo:
        return FALSE
    if isinstance(a, Int):
        a, b = b, a
    return _op("eq", a, b, lo=0, hi=1)


def ne(a: Expr, b: Expr) -> Expr:
    """Inequality."""
    same = eq(a, b)
    if isinstance(same, Int):
        return int_(1 - same.value)
    assert isinstance(same, Op)
    return _op("ne", *same.args, lo=0, hi=1)


def lt(a: Expr, b: Expr) -> Expr:
    """Less than."""
    if a.hi < b.lo:
        return TRUE
    if a.lo >= b.hi:
        return FALSE
    return _op("lt", a, b, lo=0, hi=1)


def le(a: Expr, b: Expr) -> Expr:
    """At most."""
    if a.hi <= b.lo:
        return TRUE
    if a.lo > b.hi:
        return FALSE
    return _op("le", a, b, lo=0, hi=1)


def not_(a: Expr) -> Expr:
    """Negation."""
    if isinstance(a, Int):
        return int_(1 - a.value)
    if isinstance(a, Op):
        match a.kind:
            case "not":
                return a.args[0]
            case "eq":
                return _op("ne", *a.args, lo=0, hi=1)
            case "ne":
                return _op("eq", *a.args, lo=0, hi=1)
            case "lt":
                return _op("le", a.args[1], a.args[0], lo=0, hi=1)
            case "le":
                return _op("lt", a.args[1], a.args[0], lo=0, hi=1)
    return _op("not", a, lo=0, hi=1)


def and_(*parts: Expr) -> Expr:
    """All of them; flattened, and false if one is."""
    return _junction("and", FALSE, TRUE, parts)


def or_(*parts: Expr) -> Expr:
    """One of them at least."""
    return _junction("or", TRUE, FALSE, parts)


def _junction(kind: OpKind, dominant: Int, neutral: Int, parts: tuple[Expr, ...]) -> Expr:
    flat: list[Expr] = []
    for part in parts:
        inner = part.args if isinstance(part, Op) and part.kind == kind else (part,)
        for item in inner:
            if item == dominant:
                return dominant
            if item != neutral and item not in flat:
                flat.append(item)
    if not flat:
        return neutral
    return flat[0] if len(flat) == 1 else _op(kind, *flat, lo=0, hi=1)


def if_(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """A choice between two values."""
    if isinstance(condition, Int):
        return then if condition.value else otherwise
    if then == otherwise:
        return then
    if then == TRUE and otherwise == FALSE:
        return condition
    if then == FALSE and otherwise == TRUE:
        return not_(condition)
    return If(
        condition, then, otherwise, lo=min(then.lo, otherwise.lo), hi=max(then.hi, otherwise.hi)
    )


def select(index: Expr, items: tuple[Expr, ...]) -> Expr:
    """One of several values.

    >>> select(int_(1), (int_(5), int_(7))).value
    7
    """
    if isinstance(index, Int):
        return items[index.value]
    return Select(index, items, lo=min(i.lo for i in items), hi=max(i.hi for i in items))


def cell_number(index: tuple[Expr, ...], sizes: tuple[int, ...]) -> Expr:
    """The number of a cell among those of an array or table; `flat_index` for expressions.

    >>> cell_number((int_(1), int_(2)), (3, 4)) == int_(6)
    True
    """
    flat: Expr = int_(0)
    for at, size in zip(index, sizes, strict=True):
        flat = add(mul(flat, int_(size)), at)
    return flat
