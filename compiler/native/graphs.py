"""Questions about graphs as C functions.

A search finds everything about its start, and the answer is kept until a cell changes: rules ask
about many goals from one start. Where a test of the relation could fault, a search stops at its
goal, as in the Python back end, and nothing is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.lower.free import union
from compiler.native.errors import UnsupportedError
from compiler.native.expressions import Locals
from compiler.native.memo import Memo
from compiler.native.writer import Writer
from compiler.plan.heads import may_fault
from compiler.plan.neighbours import Neighbours, neighbours
from compiler.transform import size, substitute

if TYPE_CHECKING:
    from compiler.native.module import ModuleWriter

# Searches keep their nodes on the stack.
MAX_NODES = 16_384

_REACHES = """\
    u8 seen[{nodes}] = {{0}};
    u16 todo[{nodes} + 1];
    i32 count = 1;
    {recall}
    seen[a] = 1;
    todo[0] = (u16)a;
    while (count) {{
        i32 x = todo[--count];
        {early}
        {loop} {{
            {next}
            {follow}
        }}
    }}
    {keep}
    return seen[z];
"""

# Members of one component share its least node: `label` holds that node plus one, 0 if not known.
_COMPONENT = """\
    u16 *label = s->{memo};
    u16 todo[{nodes}];
    i32 end = 1, least = a, at;
    {recall}
    if (label[a]) return label[a] - 1;
    {keep}
    label[a] = 1;
    todo[0] = (u16)a;
    for (at = 0; at < end; at++) {{
        i32 x = todo[at];
        if (x < least) least = x;
        {loop} {{
            {next}
            if (label[y]{test}) continue;
            label[y] = 1;
            todo[end++] = (u16)y;
        }}
    }}
    for (at = 0; at < end; at++) label[todo[at]] = (u16)(least + 1);
    return least;
"""

_DISTANCE = """\
    i32 *best = s->{memo};
    u8 done[{nodes}];
    i32 at;
    {recall}
    for (at = 0; at < {nodes}; at++) {{ best[at] = {far}; done[at] = 0; }}
    best[a] = 0;
    for (;;) {{
        i32 x = -1, d = {far};
        for (at = 0; at < {nodes}; at++) if (!done[at] && best[at] < d) {{ x = at; d = best[at]; }}
        if (x < 0) break;
        {early}
        done[x] = 1;
        {loop} {{
            i32 c;
            {next}
            if (best[y] <= d + 1) continue;
            c = {price};
            if (c > 0 && d + c < best[y]) best[y] = d + c;
        }}
    }}
    {keep}
    return best[z];
"""

# With steps of price one, a queue gives the nodes in the order of their distance.
_STEPS = """\
    i32 *best = s->{memo};
    u16 todo[{nodes}];
    i32 at, end = 1;
    {recall}
    for (at = 0; at < {nodes}; at++) best[at] = {far};
    best[a] = 0;
    todo[0] = (u16)a;
    for (at = 0; at < end; at++) {{
        i32 x = todo[at], d = best[x];
        {early}
        if (d >= {bound}) break;
        {loop} {{
            {next}
            if (best[y] != {far}{test}) continue;
            best[y] = d + 1;
            todo[end++] = (u16)y;
        }}
    }}
    {keep}
    return best[z];
"""

# Whether a cheap test holds is badly predicted: the node is always written, and kept if it does.
_FOLLOW = "if (seen[y]{test}) continue; seen[y] = 1; todo[count++] = (u16)y;"
_FOLLOW_CHEAPLY = (
    "i32 fresh = !(seen[y]{test}); seen[y] |= fresh; todo[count] = (u16)y; count += fresh;"
)
CHEAP = 16

_MEMO_TYPES = {"reaches": "u8", "component": "u16", "distance": "i32"}


def graph_function(module: ModuleWriter, expr: ir.Graph, name: str) -> None:
    """Write the search function for one kind of question over one relation."""
    if expr.nodes > MAX_NODES:
        raise UnsupportedError(f"a graph of more than {MAX_NODES:,} nodes")
    if expr.bound >= 2**30:
        raise UnsupportedError("a distance beyond 2^30")
    step = module.ir.functions[expr.step]
    body = module.simplifier.body(expr.step)
    found = neighbours(module.plan, expr)
    assert not union(found.moving) - {p.name for p in step.params}
    faulty = any(may_fault(module.simplifier, part) for part in (*found.moving, body))
    ahead = _between(module, expr, list(found.moving), "x", "y")
    test, cheap = "", False
    if found.moving:
        cheap = not faulty and sum(map(size, found.moving)) <= CHEAP
        test = f" {'|' if cheap else '||'} !{ahead}"
        if expr.kind == "component":
            test = f" || !({ahead} || {_between(module, expr, list(found.moving), 'y', 'x')})"
    priced = expr.kind == "distance" and step.hi > 1
    price = _between(module, expr, [body], "x", "y") if priced else ""
    early = ""
    if faulty and expr.kind != "component":
        early = f"if (x == z) return {'1' if expr.kind == 'reaches' else 'd'};"
    loop, following = _followers(module, expr, found, name)
    kind = (
        _DISTANCE
        if priced
        else {"reaches": _REACHES, "component": _COMPONENT, "distance": _STEPS}[expr.kind]
    )
    now = f"s->now.group[{module.watch.group(module.reads.function(expr.step))}]"
    recall, keep = _memory(expr, f"m_{name}", now, faulty)
    follow = _FOLLOW_CHEAPLY if cheap else _FOLLOW
    text = kind.format(
        nodes=expr.nodes, memo=f"m_{name}", recall=recall, keep=keep, early=early, loop=loop,
        next=following, test=test, follow=follow.format(test=test), price=price,
        bound=expr.bound, far=expr.bound + 1,
    )  # fmt: skip
    members = f"{_MEMO_TYPES[expr.kind]} m_{name}[{expr.nodes}]; i32 m_{name}_from;"
    module.memos[f"m_{name}"] = Memo(members)
    goal = "" if expr.goal is None else ", i32 z"
    writer = Writer([line for line in text.rstrip().split("\n") if line.strip()])
    module.define(f"static i32 {name}(S *s, i32 a{goal})", Locals(), writer, f"by {expr.step}")


def _memory(expr: ir.Graph, memo: str, now: str, faulty: bool) -> tuple[str, str]:
    """The lines that use the last answer if no cell has changed since, and that keep the next."""
    if expr.kind == "component":
        stale = "" if faulty else f"if (s->{memo}_ok[0] != {now}) "
        recall = f"{stale}fill((u8 *)label, {expr.nodes} * 2);"
        return recall, "" if faulty else f"s->{memo}_ok[0] = {now};"
    if faulty:
        return "", ""
    recall = f"if (s->{memo}_ok[0] == {now} && s->{memo}_from == a) return s->{memo}[z];"
    keep = f"s->{memo}_ok[0] = {now}; s->{memo}_from = a;"
    if expr.kind == "reaches":
        keep += f" __builtin_memcpy(s->{memo}, seen, {expr.nodes});"
    return recall, keep


def _followers(
    module: ModuleWriter, expr: ir.Graph, found: Neighbours, name: str
) -> tuple[str, str]:
    """The head of a loop over the nodes that may follow `x`, and the line that names each `y`."""
    if found.near is None:
        return f"for (i32 y = 0; y < {expr.nodes}; y++)", "if (x == y) continue;"
    starts = [0]
    for near in found.near:
        starts.append(starts[-1] + len(near))
    first = module.array("N", f"{name}_first", tuple(starts))
    to = module.array("N", f"{name}_to", tuple(y for near in found.near for y in near))
    return f"for (i32 k = {first}[x]; k < {first}[x + 1]; k++)", f"i32 y = {to}[k];"


def _between(
    module: ModuleWriter, expr: ir.Graph, parts: list[ir.Expr], first: str, second: str
) -> str:
    """C for a relation, or the price of a step, between two nodes."""
    from compiler.native.functions import ReturnWriter

    step = module.ir.functions[expr.step]
    offset = b.int_(expr.first)
    env = {
        param.name: b.add(ir.Local(node, lo=0, hi=expr.nodes - 1), offset)
        for param, node in zip(step.params, (first, second), strict=True)
    }
    local = Locals(names={first: first, second: second})
    writer = ReturnWriter(module, local, Writer())
    return writer.code(b.and_(*(substitute(e, env, module.ir.tables) for e in parts)))
