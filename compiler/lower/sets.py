"""Sets as values: what is in them, their local names, and assignments; in existing IR.

A local set is a local for each element, 0 or 1; a set of the state is a cell for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.lower.fields import lower_field
from compiler.lower.free import free
from compiler.lower.orders import is_whole
from compiler.lower.places import narrow
from compiler.traverse import children
from rules_dsl.language import syntax as s
from rules_dsl.language.checker.sets import element_type
from rules_dsl.language.symbols import LocalSymbol
from rules_dsl.language.types import SetType, bounds

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions
    from compiler.lower.statements import Statements

COMPARISONS = frozenset({"=", "!=", "<", "<=", ">", ">="})


# ---- what is in a set ----------------------------------------------------------------------------


def lower_member(low: Expressions, element: ir.Expr, place: s.Expr, type_: SetType) -> ir.Expr:
    """Whether an element is in a set; one that the set cannot hold is a fault."""
    while isinstance(place, s.Group):
        place = place.inner
    match place:
        case s.Binary(op, left, right):
            one = lower_within(low, element, left)
            two = lower_within(low, element, right)
            if op == "+":
                return b.or_(one, two)
            return b.and_(one, b.not_(two) if op == "-" else two)
        case s.IfExpr(condition, then, otherwise):
            ways = (lower_within(low, element, then), lower_within(low, element, otherwise))
            return b.if_(low.value(condition), *ways)
        case s.ListLit(items):
            return b.or_(*(b.eq(element, low.plain(item)) for item in items))
        case s.Selection(binders):
            return _selected(low, element, binders)
    least, greatest = bounds(type_.inner)
    if isinstance(place, s.Field):
        return lower_field(low, place, narrow(element, least, greatest, "the element", place.span))
    symbol, args = low.named(place)
    if isinstance(symbol, LocalSymbol):
        at = b.sub(narrow(element, least, greatest, "the element", place.span), b.int_(least))
        return b.select(at, low.elements(symbol, args))
    return low.set_cell(place, element)


def lower_within(low: Expressions, element: ir.Expr, place: s.Expr) -> ir.Expr:
    """Whether an element is in a set or a zone; one that it cannot hold is not."""
    inner = element_type(low.facts.types[place])
    assert inner is not None
    least, greatest = bounds(inner)
    inside = b.and_(b.le(b.int_(least), element), b.le(element, b.int_(greatest)))
    if inside == b.FALSE:
        return inside
    return b.and_(inside, low.membership(element, place))


def _selected(low: Expressions, element: ir.Expr, binders: s.Binders) -> ir.Expr:
    """Whether an element is in a domain and satisfies its condition."""
    binder = binders.binders[0]
    symbol = low.facts.locals[binder.name]
    kept = element
    if not isinstance(element, ir.Int | ir.Local):
        kept = low.names.scratch(symbol.name, element.lo, element.hi)
    low.names.known[symbol] = kept
    parts: list[ir.Expr] = []
    domain = binder.domain
    if domain.high is not None:
        first, last = low.number(domain.low), low.number(domain.high)
        parts += [b.le(first, kept), b.le(kept, last)]
    elif not is_whole(low, domain):
        parts.append(lower_within(low, kept, domain.low))
    if binders.where is not None:
        parts.append(low.value(binders.where))
    condition = b.and_(*parts)
    if kept is element:
        return condition
    assert isinstance(kept, ir.Local)
    return ir.Let(kept.name, element, condition, lo=0, hi=1)


def lower_comparison(low: Expressions, node: s.Binary) -> ir.Expr:
    """Whether two sets are equal, or one of them is in the other."""
    one, two = (element_type(low.facts.types[side]) for side in (node.left, node.right))
    assert one is not None and two is not None
    (a, z), (c, y) = bounds(one), bounds(two)
    least, greatest = min(a, c), max(z, y)
    element = low.names.scratch("each", least, greatest)
    left = lower_within(low, element, node.left)
    right = lower_within(low, element, node.right)

    def throughout(condition: ir.Expr) -> ir.Expr:
        everything = ir.Range(element.name, b.int_(least), b.int_(greatest))
        return ir.Aggregate("every", (everything,), None, condition, lo=0, hi=1)

    equal = throughout(b.eq(left, right))
    first_in_second = throughout(b.or_(b.not_(left), right))
    second_in_first = throughout(b.or_(b.not_(right), left))
    ways = {
        "=": equal,
        "!=": b.not_(equal),
        "<=": first_in_second,
        ">=": second_in_first,
        "<": b.and_(first_in_second, b.not_(second_in_first)),
        ">": b.and_(second_in_first, b.not_(first_in_second)),
    }
    return ways[node.op]


# ---- local sets ----------------------------------------------------------------------------------


def lower_local_set(low: Statements, name: s.Ident, value: s.Expr) -> list[ir.SetLocal]:
    """A local name for a set as it is now."""
    symbol = low.facts.locals[name]
    statements: list[ir.SetLocal] = []
    bits = []
    for there in _contents(low, symbol, value):
        bit = low.names.scratch(symbol.name, 0, 1)
        statements.append(ir.SetLocal(bit, there, span=name.span))
        bits.append(bit)
    low.names.sets[symbol] = tuple(bits)
    return statements


def lower_set_inside(
    low: Statements, name: s.Ident, value: s.Expr, following: Callable[[], ir.Expr]
) -> ir.Expr:
    """A local name for a set in a function, in front of what follows it."""
    symbol = low.facts.locals[name]
    contents = _contents(low, symbol, value)
    bits = tuple(low.names.scratch(symbol.name, 0, 1) for _ in contents)
    low.names.sets[symbol] = bits
    result = following()
    for bit, there in reversed(list(zip(bits, contents, strict=True))):
        result = ir.Let(bit.name, there, result, lo=result.lo, hi=result.hi)
    return result


def _contents(low: Statements, symbol: LocalSymbol, value: s.Expr) -> list[ir.Expr]:
    """For each element of a local set whether it is in a value."""
    assert isinstance(symbol.type, SetType)
    least, greatest = bounds(symbol.type.inner)
    return [lower_within(low, b.int_(k), value) for k in range(least, greatest + 1)]


def lower_local_change(low: Statements, node: s.SetChange | s.SetFill) -> list[ir.Statement]:
    """Elements come into a local set or leave it."""
    symbol = low.local_set(node.target)
    assert symbol is not None and isinstance(symbol.type, SetType)
    bits = low.names.sets[symbol]
    if isinstance(node, s.SetFill):
        full = b.int_(int(node.filling))
        return [ir.SetLocal(bit, full, span=node.span) for bit in bits]
    least, greatest = bounds(symbol.type.inner)
    changed = low.to(node.element, symbol.type.inner)
    becomes = b.int_(int(node.adding))
    if isinstance(changed, ir.Int):
        return [ir.SetLocal(bits[changed.value - least], becomes, span=node.span)]
    element = low.names.scratch("which", least, greatest)
    statements: list[ir.Statement] = [ir.SetLocal(element, changed, span=node.span)]
    for k, bit in enumerate(bits):
        new = b.if_(b.eq(element, b.int_(least + k)), becomes, bit)
        statements.append(ir.SetLocal(bit, new, span=node.span))
    return statements


# ---- assignments ---------------------------------------------------------------------------------


def lower_assigned_set(low: Statements, node: s.Assign) -> list[ir.Statement]:
    """A set becomes what another one is now."""
    symbol = low.local_set(node.target)
    type_ = low.facts.types[node.target]
    assert isinstance(type_, SetType)
    value = node.value
    if node.op != "=":
        value = s.Binary("+" if node.op == "+=" else "-", node.target, value, span=node.span)
        low.facts.types[value] = type_
    if symbol is not None:
        bits = low.names.sets[symbol]
        news = _contents(low, symbol, value)
        pairs = list(zip(bits, news, strict=True))
        own = {bit.name for bit in bits}
        if all(free(new) & own <= {bit.name} for bit, new in pairs):
            return [ir.SetLocal(bit, new, span=node.span) for bit, new in pairs]
        return _settled_first(low, news, lambda k, e: ir.SetLocal(bits[k], e, span=node.span))
    least, greatest = bounds(type_.inner)
    element = low.names.scratch("each", least, greatest)
    target = low.set_cell(node.target, element)
    new = lower_within(low, element, value)
    if _fixed(target.index[:-1]) and _apart(new, target):
        everything = ir.Range(element.name, b.int_(least), b.int_(greatest))
        change = ir.SetCell(target, new, span=node.span)
        return [ir.Loop(everything, (change,), span=node.span)]
    before: list[ir.Statement] = []
    index: list[ir.Expr] = []
    for at in target.index[:-1]:
        place = low.names.scratch("which", at.lo, at.hi)
        before.append(ir.SetLocal(place, at, span=node.span))
        index.append(place)

    def becomes(k: int, there: ir.Expr) -> ir.Statement:
        cell = ir.Cell(target.array, (*index, b.int_(k)), lo=0, hi=1)
        return ir.SetCell(cell, there, span=node.span)

    return [*before, *_settled_first(low, low.members(value, node.target), becomes)]


def _settled_first(
    low: Statements, values: list[ir.Expr], change: Callable[[int, ir.Expr], ir.Statement]
) -> list[ir.Statement]:
    """Everything is read before the first element changes."""
    kept = [low.names.scratch("there", 0, 1) for _ in values]
    changes = [change(k, local) for k, local in enumerate(kept)]
    settled = zip(kept, values, changes, strict=True)
    return [*(ir.SetLocal(x, e, span=c.span) for x, e, c in settled), *changes]


def _fixed(index: tuple[ir.Expr, ...]) -> bool:
    """Whether indices are numbers and locals, which do not change meanwhile."""
    return all(isinstance(at, ir.Int | ir.Local) for at in index)


def _apart(value: ir.Expr, target: ir.Cell) -> bool:
    """Whether what an element becomes depends on no other element of the set that changes."""
    match value:
        case ir.Cell(array) if array == target.array:
            return value == target
        case ir.Call() | ir.Graph() | ir.Field():
            return False
    return all(_apart(child, target) for child in children(value))
