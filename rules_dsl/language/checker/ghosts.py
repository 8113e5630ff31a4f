"""Ghosts: state that only proofs read. Play must not depend on it in any way."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.program import walk
from rules_dsl.language.symbols import FunctionSymbol, MemberFunction, PieceSymbol, VarSymbol

# The parts of declarations and statements that are for proofs. A function may read ghosts; what
# counts is where it is used.
_PROOF: dict[type[s.Node], frozenset[str]] = {
    s.Invariant: frozenset({"condition"}),
    s.Procedure: frozenset({"requires", "ensures", "decreases"}),
    s.TableProcedure: frozenset({"requires", "ensures", "decreases"}),
    s.Action: frozenset({"ensures"}),
    s.While: frozenset({"measure", "keeps"}),
    s.For: frozenset({"keeps"}),
    s.Choose: frozenset({"measure"}),
    s.Assert: frozenset({"condition", "reason"}),
    s.Function: frozenset({"body"}),
    s.TableFunction: frozenset({"default"}),
    s.RowFunction: frozenset({"value"}),
}
# Hints: who may read a ghost.
_READERS = "invariants, contracts, measures and changes of ghosts may read it"
_IN_EXAMPLES = "an example is played like a game, in which there are no ghosts; use an invariant"


def check_ghosts(ctx: Context) -> None:
    """Report uses by which a ghost would decide something in play."""
    ghosts = {
        symbol
        for symbol in ctx.globals.values()
        if isinstance(symbol, VarSymbol) and symbol.declaration.ghost
    }
    if not ghosts:
        return
    for piece in ctx.globals.values():
        if isinstance(piece, PieceSymbol):
            _check_places(ctx, piece, ghosts)
    reading = _reading(ctx, ghosts)
    for declaration in ctx.program.declarations:
        example = isinstance(declaration, s.Example)
        _visit(ctx, declaration, ghosts, reading, _IN_EXAMPLES if example else _READERS)


def _check_places(ctx: Context, piece: PieceSymbol, ghosts: set[VarSymbol]) -> None:
    names = {ghost.name for ghost in ghosts}
    declaration = piece.declaration
    counters = (spot.counter for spot in declaration.spots)
    for ident in (*declaration.piles, *(spot.name for spot in declaration.spots), *counters):
        if ident is not None and ident.name in names:
            ctx.error("E0452", f"`{ident}` is a ghost: no piece stands there", ident.span)


def _reading(
    ctx: Context, ghosts: set[VarSymbol]
) -> dict[FunctionSymbol | MemberFunction, VarSymbol]:
    """The functions that read ghosts, themselves or through others, each with one of them."""
    mentioned: dict[FunctionSymbol | MemberFunction, set[object]] = {
        function: {ctx.facts.refs.get(node) for part in parts for node in walk(part)}
        for function, parts in _functions(ctx)
    }
    found: dict[FunctionSymbol | MemberFunction, VarSymbol] = {}
    for function, symbols in mentioned.items():
        own = [symbol for symbol in ghosts if symbol in symbols]
        if own:
            found[function] = min(own, key=lambda symbol: symbol.name)
    waiting = list(found)
    while waiting:
        known = waiting.pop()
        for function, symbols in mentioned.items():
            if known in symbols and function not in found:
                found[function] = found[known]
                waiting.append(function)
    return found


def _functions(ctx: Context) -> Iterator[tuple[FunctionSymbol | MemberFunction, list[object]]]:
    for symbol in ctx.globals.values():
        if isinstance(symbol, FunctionSymbol):
            yield symbol, [symbol.declaration.body]
    for table in ctx.tables.values():
        for member in table.functions.values():
            yield member, [member.declaration.default, *member.bodies.values()]


def _visit(
    ctx: Context,
    node: object,
    ghosts: set[VarSymbol],
    reading: dict[FunctionSymbol | MemberFunction, VarSymbol],
    hint: str,
) -> None:
    """Report ghosts in a node, apart from the parts that are for proofs."""
    if isinstance(node, tuple | list):
        for part in node:
            _visit(ctx, part, ghosts, reading, hint)
        return
    if not isinstance(node, s.Node) or _changes(ctx, node, ghosts):
        return
    ref = ctx.facts.refs.get(node)
    if isinstance(ref, VarSymbol) and ref in ghosts:
        ctx.error("E0452", f"`{ref.name}` is a ghost: play cannot depend on it", node.span, hint)
    elif isinstance(ref, FunctionSymbol | MemberFunction) and ref in reading:
        what = f"`{ref.name}` reads the ghost `{reading[ref].name}`: play cannot depend on it"
        ctx.error("E0452", what, node.span, hint)
    if isinstance(node, s.Text):
        _visit(ctx, list(ctx.facts.templates.get(node, ())), ghosts, reading, hint)
    proof = _PROOF.get(type(node), frozenset())
    for field in attrs.fields(type(node)):
        if field.name not in proof and field.name != "span":
            _visit(ctx, getattr(node, field.name), ghosts, reading, hint)


def _changes(ctx: Context, node: s.Node, ghosts: set[VarSymbol]) -> bool:
    """Whether a statement changes a ghost; it does nothing else."""
    if not isinstance(node, s.Assign | s.SetChange | s.SetFill):
        return False
    base = node.target
    while isinstance(base, s.Index | s.Group):
        base = base.base if isinstance(base, s.Index) else base.inner
    return ctx.facts.refs.get(base) in ghosts
