"""Questions about graphs: neighbours known in advance, the rest looked up in the state."""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.lower.free import union
from compiler.plan.neighbours import neighbours
from compiler.python.expressions import Locals
from compiler.python.functions import ReturnWriter
from compiler.python.module_base import ModuleBase
from compiler.python.writer import Writer, identifier
from compiler.transform import substitute

_SEARCH = {
    "reaches": '''\
def {name}(s, a, z):
    """Whether a path leads from a to z."""
    seen = bytearray({nodes})
    seen[a] = 1
    todo = [a]
    while todo:
        x = todo.pop()
        if x == z:
            return True
        for y in {near}[x]:
            if not seen[y]{test}:
                seen[y] = 1
                todo.append(y)
    return False
''',
    "component": '''\
def {name}(s, a):
    """The least node connected with a."""
    seen = bytearray({nodes})
    seen[a] = 1
    todo = [a]
    least = a
    while todo:
        x = todo.pop()
        if x < least:
            least = x
        for y in {near}[x]:
            if not seen[y]{test}:
                seen[y] = 1
                todo.append(y)
    return least
''',
    "distance": '''\
def {name}(s, a, z):
    """The cheapest way from a to z, {far} if it costs more than {bound}."""
    best = [{far}] * {nodes}
    best[a] = 0
    ring = [[a]] + [[] for _ in range({bound})]
    for d in range({far}):
        for x in ring[d]:
            if best[x] < d:
                continue
            if x == z:
                return d
            for y in {near}[x]:
                if best[y] > d + 1:
                    c = {price}
                    if c > 0 and d + c < best[y]:
                        best[y] = d + c
                        ring[d + c].append(y)
    return {far}
''',
}


def graph_function(module: ModuleBase, expr: ir.Graph) -> Writer:
    """The search function for one kind of question over one relation."""
    step = module.ir.functions[expr.step]
    one, two = step.params[0].name, step.params[1].name
    body = module.simplifier.body(expr.step)
    found = neighbours(module.plan, expr)
    moving = list(found.moving)
    near = f"(range({expr.nodes}),) * {expr.nodes}" if found.near is None else repr(found.near)
    table = module.constant(f"near_{identifier(expr.step)}_{expr.kind}", near)
    writer = Writer()
    local = Locals()
    text = ReturnWriter(module, local, writer)  # type: ignore[arg-type]

    def nodes_renamed(exprs: list[ir.Expr], first: str, second: str) -> str:
        offset = b.int_(expr.first)
        lo, hi = expr.first, expr.first + expr.nodes - 1
        env = {
            one: b.add(ir.Local(first, lo=0, hi=hi - lo), offset),
            two: b.add(ir.Local(second, lo=0, hi=hi - lo), offset),
        }
        return text.code(b.and_(*(substitute(e, env, module.ir.tables) for e in exprs)), 2)

    test = ""
    if moving and expr.kind != "distance":
        ahead = nodes_renamed(moving, "x", "y")
        test = f" and {ahead}"
        if expr.kind == "component":
            test = f" and ({ahead} or {nodes_renamed(moving, 'y', 'x')})"
    price = "1"
    if expr.kind == "distance":
        if step.hi > 1:
            price = nodes_renamed([body], "x", "y")
        elif moving:
            price = f"int({nodes_renamed(moving, 'x', 'y')})"
    code = _SEARCH[expr.kind].format(
        name=module.graph_name(expr),
        nodes=expr.nodes,
        near=table,
        test=test,
        price=price,
        bound=expr.bound,
        far=expr.bound + 1,
    )
    for line in code.rstrip().split("\n"):
        writer.line(line, step.span)
    assert not union(tuple(moving)) - {one, two}
    return writer
