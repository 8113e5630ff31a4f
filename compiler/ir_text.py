"""The intermediate representation as text, for reading.

>>> from compiler.build import add, int_, local
>>> expression(add(local("n", 0, 5), int_(2)))
'n + 2'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler import ir
from rules_dsl.language.viewers import seen_by

_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "div", "mod": "mod", "eq": "=", "ne": "!=",
    "lt": "<", "le": "<=", "and": "and", "or": "or",
}  # fmt: skip
_TIGHTNESS = {
    "or": 1, "and": 2, "not": 3, "eq": 4, "ne": 4, "lt": 4, "le": 4, "add": 5, "sub": 5,
    "mul": 6, "div": 6, "mod": 6, "neg": 7,
}  # fmt: skip
_ATOM = 8


def module_text(module: ir.Module) -> str:
    """A whole module: state, tables, functions, routines, procedures as blocks, invariants."""
    return "\n".join(_module(module)) + "\n"


def _module(module: ir.Module) -> Iterator[str]:
    options = "".join(f", {name} = {value}" for name, value in module.options)
    variants = "".join(f" + {name}" for name in module.variants)
    yield f"module {module.name}{variants}: {module.players} players{options}"
    yield f"rules {module.digest}"
    yield ""
    for enum in module.enums.values():
        yield f"enum {enum.name}: {', '.join(enum.values)}"
    for table in module.tables.values():
        sizes = "".join(f"[{size}]" for size in table.sizes)
        yield f"table {table.name}{sizes} = {_numbers(table.values)}"
    for good in module.goods.values():
        limit = "unlimited" if good.limit is None else f"limit {good.limit}"
        yield f"good {good.name}: {limit}, {good.total} in play"
    yield ""
    for array in module.arrays.values():
        yield _array(array)
    for zone in module.zones.values():
        last = zone.first + zone.places - 1
        places = f"places {zone.first}..{last} of {zone.array}"
        yield f"zone {zone.name} = {places} ({seen_by(zone.viewers)})"
    for function in module.functions.values():
        yield ""
        yield f"function {function.name}({_params(function.params)}): {function.lo}..{function.hi}"
        yield f"    = {expression(function.body)}"
    for relation in module.relations.values():
        yield ""
        yield from _relation(relation)
    for routine in module.routines.values():
        yield ""
        yield f"routine {routine.name}({_params(routine.params)})"
        yield from _contracts(routine.requires, routine.ensures)
        yield from _statements(routine.body, 1)
    for procedure in module.procedures.values():
        yield ""
        yield from _procedure(procedure)
    yield ""
    yield from _scoring(module.scoring)
    for invariant in module.invariants:
        yield f"invariant {invariant.name}: {expression(invariant.condition)}"
    for waiver in module.waivers:
        yield f"waive {waiver.obligation} {waiver.subject}: {waiver.reason}"


def _numbers(values: tuple[int, ...]) -> str:
    shown = " ".join(str(v) for v in values[:40])
    return f"{shown} … ({len(values)} values)" if len(values) > 40 else shown


def array_text(array: ir.Array) -> str:
    """An array with its indices and its range."""
    dimensions = ", ".join(
        f"{d.lo}..{d.lo + d.size - 1}" if d.kind == "int" else d.kind for d in array.dimensions
    )
    index = f"[{dimensions}]" if dimensions else ""
    return f"{array.name}{index}: {array.lo}..{array.hi}"


def _array(array: ir.Array) -> str:
    clamped = " clamped" if array.clamped else ""
    kind = f"ghost {array.kind}" if array.ghost else array.kind
    same = set(array.initial)
    initial = str(array.initial[0]) if len(same) == 1 else _numbers(array.initial)
    return f"{kind} {array_text(array)}{clamped} = {initial} ({seen_by(array.viewers)})"


def _params(params: Iterable[ir.Variable]) -> str:
    return ", ".join(f"{p.name}: {p.lo}..{p.hi}" for p in params)


def _relation(relation: ir.Relation) -> Iterator[str]:
    params = f"({_params(relation.params)})" if relation.params else ""
    yield f"relation {relation.name}{params} on {relation.first}..{relation.last}"
    for way in relation.ways:
        ranges = "".join(f" for {low}..{high}" for low, high in way.ranges)
        where = f" where {way.where}" if way.where else ""
        price = f" costs {way.price}" if way.price else ""
        yield f"    {'joined with' if way.joined else 'to'} {way.target}{ranges}{where}{price}"


def _contracts(requires: tuple[ir.Expr, ...], ensures: tuple[ir.Expr, ...]) -> Iterator[str]:
    for condition in requires:
        yield f"    assumes {expression(condition)}"
    for condition in ensures:
        yield f"    ensures {expression(condition)}"


def _procedure(procedure: ir.Procedure) -> Iterator[str]:
    recursive = " recursive" if procedure.recursive else ""
    yield f"procedure {procedure.name}({_params(procedure.params)}){recursive}"
    if procedure.variables:
        sized = ", ".join(
            f"{v.name}{f'[{v.size}]' if v.size > 1 else ''}: {v.lo}..{v.hi}"
            for v in procedure.variables
        )
        yield f"    locals {sized}"
    yield from _contracts(procedure.requires, procedure.ensures)
    if procedure.decreases:
        yield f"    decreases {_list(procedure.decreases)}"
    for block in procedure.blocks:
        yield f"  block {block.id}:{_place(block)}"
        for fact in block.facts:
            yield f"    fact {expression(fact)}"
        if block.measure:
            yield f"    measure {_list(block.measure)}"
        if block.endless:
            yield f"    without end {block.endless!r}"
        yield from _statements(block.statements, 1)
        yield from _terminator(block.terminator)


def _place(block: ir.Block) -> str:
    return f"  # {block.span.file}:{block.span.line}" if block.span.line else ""


def _scoring(scoring: ir.Scoring) -> Iterator[str]:
    below = "" if scoring.denominator == 1 else f" / {scoring.denominator}"
    yield f"score {scoring.player} = {_tight(scoring.numerator, _ATOM if below else 0)}{below}"
    for tie in scoring.ties:
        yield f"tie {tie.order} {expression(tie.value)}"


# ---- statements ----------------------------------------------------------------------------------


def _statements(statements: Iterable[ir.Statement], level: int) -> Iterator[str]:
    for statement in statements:
        yield from _statement(statement, level)


def _statement(statement: ir.Statement, level: int) -> Iterator[str]:
    indent = "    " * level
    match statement:
        case ir.SetCell() | ir.SetLocal() | ir.SetLocalCell():
            yield f"{indent}{expression(statement.target)} := {expression(statement.value)}"
        case ir.Transfer(good, source, target, amount, up_to):
            much = f"up to {expression(amount)}" if up_to else expression(amount)
            yield (
                f"{indent}transfer {much} {good} from {expression(source)} to {expression(target)}"
            )
        case ir.PlaceCard(target, source, place):
            origin = "" if source is None else f" from {expression(source)}"
            yield f"{indent}put {expression(target)}{origin} at {expression(place)}"
        case ir.Branch(condition, then, otherwise):
            yield f"{indent}if {expression(condition)}"
            yield from _statements(then, level + 1)
            if otherwise:
                yield f"{indent}else"
                yield from _statements(otherwise, level + 1)
        case ir.Loop(range_, body):
            yield f"{indent}for {_range(range_)}"
            yield from _statements(body, level + 1)
        case ir.Do(routine, args):
            yield f"{indent}do {routine}({_list(args)})"
        case ir.Check(condition, reason):
            yield f'{indent}check {expression(condition)} "{reason}"'
        case ir.Reveal(value, _, text, to):
            whom = "" if to is None else f" to {expression(to)}"
            yield f'{indent}reveal {expression(value)}{whom} "{text}"'
        case ir.Leave():
            yield f"{indent}leave"
        case _:
            raise AssertionError(statement)


def _terminator(terminator: ir.Terminator) -> Iterator[str]:
    match terminator:
        case ir.Jump(target, back, finishes):
            note = " (round done)" if back else " (finished)" if finishes else ""
            yield f"    goto {target}{note}"
        case ir.Together(then, otherwise):
            yield f"    if it can be finished goto {then} else {otherwise}"
        case ir.Fork(condition, then, otherwise):
            yield f"    if {expression(condition)} goto {then} else {otherwise}"
        case ir.Enter(procedure, args, target):
            yield f"    call {procedure}({_list(args)}), then goto {target}"
        case ir.Exit():
            yield "    return"
        case ir.End():
            yield "    end"
        case ir.Decide():
            yield from _decide(terminator)
        case ir.Chance(verb, range_, where, weight, target):
            among = "" if where is None else f" where {expression(where)}"
            weighted = "" if weight is None else f" weight {expression(weight)}"
            yield f"    {verb} {_range(range_)}{among}{weighted}, then goto {target}"
        case _:
            raise AssertionError(terminator)


def _decide(decide: ir.Decide) -> Iterator[str]:
    secret = " secretly" if decide.secret else ""
    secret += " together" if decide.together else ""
    skip = "" if decide.skip is None else f", or goto {decide.skip} if there is nothing to choose"
    label = f" {decide.label}" if decide.label else ""
    label += f' "{decide.prompt}"' if decide.prompt else ""
    yield f"    decide{label} by {expression(decide.actor)}{secret}{skip}"
    for option in decide.options:
        params = ", ".join(_range(p.range) for p in option.params)
        cites = f" [{'; '.join(option.cites)}]" if option.cites else ""
        whole = " if it can be finished" if option.together else ""
        yield f"      {option.name}({params}): goto {option.target}{whole}{cites}"
        for line in option.head:
            if isinstance(line, ir.Define):
                yield f"        let {line.name} = {expression(line.value)}"
            else:
                yield f'        require {expression(line.condition)} "{_text(line.text)}"'


def _text(parts: tuple[ir.TextPart, ...]) -> str:
    return "".join(p if isinstance(p, str) else f"{{{expression(p.expr)}}}" for p in parts)


def _range(range_: ir.Range) -> str:
    return f"{range_.name} in {expression(range_.low)}..{expression(range_.high)}"


def _list(parts: Iterable[ir.Expr]) -> str:
    return ", ".join(expression(part) for part in parts)


# ---- expressions ---------------------------------------------------------------------------------


def expression(expr: ir.Expr) -> str:
    """An expression on one line."""
    return _tight(expr, 0)


def _tight(expr: ir.Expr, outside: int) -> str:
    """An expression, in parentheses if its context binds more tightly."""
    text, own = _printed(expr)
    return f"({text})" if own < outside else text


def _printed(expr: ir.Expr) -> tuple[str, int]:
    """The text of an expression and its binding strength."""
    match expr:
        case ir.Int(value):
            return str(value), _ATOM if value >= 0 else _TIGHTNESS["neg"]
        case ir.Local(name):
            return name, _ATOM
        case ir.LocalCell(name, index):
            return f"{name}[{expression(index)}]", _ATOM
        case ir.Select(index, items):
            return f"select({expression(index)} of {_list(items)})", _ATOM
        case ir.Cell(array, index) | ir.Lookup(array, index):
            return f"{array}[{_list(index)}]" if index else array, _ATOM
        case ir.Op():
            return _operation(expr)
        case ir.If(condition, then, otherwise):
            parts = (expression(condition), expression(then), expression(otherwise))
            return "if {} then {} else {}".format(*parts), 0
        case ir.Narrow(value):
            return f"narrow({expression(value)}, {expr.lo}..{expr.hi})", _ATOM
        case ir.Let(name, value, body):
            return f"let {name} = {expression(value)} in {expression(body)}", 0
        case ir.Call(function, args):
            return f"{function}({_list(args)})", _ATOM
        case ir.Aggregate():
            return _aggregate(expr), _ATOM
        case ir.Graph(kind, step, _, _, start, goal, bound):
            ends = expression(start) if goal is None else f"{expression(start)}, {expression(goal)}"
            within = f" within {bound}" if kind == "distance" else ""
            return f"{kind}({ends} by {step}{within})", _ATOM
        case ir.Field():
            return _field(expr), _ATOM
        case _:
            raise AssertionError(expr)


def _field(expr: ir.Field) -> str:
    parts = [f"{expr.kind}({expression(expr.place)} by {expr.relation}"]
    if expr.args:
        parts.append(f"({_list(expr.args)})")
    if expr.sources:
        parts.append(f" from {expr.sources}({_list(expr.source_args)})")
    if expr.within is not None:
        parts.append(f" within {expression(expr.within)}")
    if expr.stops:
        parts.append(f" stopping at {expr.stops}({_list(expr.stop_args)}) up to {expr.most}")
    return "".join(parts) + ")"


def _operation(expr: ir.Op) -> tuple[str, int]:
    if expr.kind in ("min", "max", "abs"):
        return f"{expr.kind}({_list(expr.args)})", _ATOM
    own = _TIGHTNESS[expr.kind]
    if expr.kind in ("neg", "not"):
        sign = "-" if expr.kind == "neg" else "not "
        return f"{sign}{_tight(expr.args[0], own)}", own
    first, *rest = expr.args
    # The right operand needs parentheses unless it binds more tightly: a - (b - c).
    shown = [_tight(first, own), *(_tight(arg, own + 1) for arg in rest)]
    return f" {_INFIX[expr.kind]} ".join(shown), own


def _aggregate(expr: ir.Aggregate) -> str:
    ranges = ", ".join(_range(r) for r in expr.ranges)
    where = "" if expr.where is None else f" where {expression(expr.where)}"
    body = "" if expr.body is None else f": {expression(expr.body)}"
    return f"{expr.kind}({ranges}{where}{body})"
