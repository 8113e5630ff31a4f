"""The outline of a file, and how the kinds of names are called in the protocol."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from rules_dsl.editor.names import Declared, FileNames
from rules_dsl.language.spans import Span

_K, _C = lsp.SymbolKind, lsp.CompletionItemKind
_SYMBOLS = {
    "game": _K.Module, "variant": _K.Module, "source": _K.Namespace, "option": _K.Property,
    "ruling": _K.Property, "enum": _K.Enum, "goods": _K.Enum, "table": _K.Struct,
    "value": _K.EnumMember, "good": _K.EnumMember, "row": _K.EnumMember, "player": _K.EnumMember,
    "const": _K.Constant, "state": _K.Variable, "pool": _K.Variable, "zone": _K.Variable,
    "function": _K.Function, "row function": _K.Method, "row procedure": _K.Method,
    "piece": _K.Object, "relation": _K.Operator, "action": _K.Event, "procedure": _K.Function,
    "invariant": _K.Boolean, "column": _K.Field, "choice": _K.Key,
}  # fmt: skip
COMPLETIONS = {
    "keyword": _C.Keyword, "game": _C.Module, "variant": _C.Module, "option": _C.Property,
    "ruling": _C.Property, "enum": _C.Enum, "goods": _C.Enum, "table": _C.Struct,
    "value": _C.EnumMember, "good": _C.EnumMember, "row": _C.EnumMember, "player": _C.EnumMember,
    "const": _C.Constant, "state": _C.Variable, "pool": _C.Variable, "zone": _C.Variable,
    "function": _C.Function, "row function": _C.Method, "row procedure": _C.Method,
    "piece": _C.Struct, "relation": _C.Operator, "action": _C.Event, "procedure": _C.Function,
    "invariant": _C.Property, "column": _C.Field, "parameter": _C.Variable, "local": _C.Variable,
}  # fmt: skip


def outline(file: FileNames, place: Callable[[Span], lsp.Range]) -> list[lsp.DocumentSymbol]:
    """The declarations of a file; what is inside another one is below it."""
    tops: list[tuple[Declared, lsp.DocumentSymbol]] = []
    for declared in file.declared:
        if declared.kind == "choice":
            continue
        own = place(declared.span)
        whole = place(declared.whole)
        if not (whole.start <= own.start and own.end <= whole.end):
            whole = own
        symbol = lsp.DocumentSymbol(
            declared.name, _SYMBOLS[declared.kind], whole, own, declared.kind, children=[]
        )
        holder = next((s for d, s in reversed(tops) if _inside(declared.span, d.whole)), None)
        if holder is not None and holder.children is not None:
            holder.children = [*holder.children, symbol]
        else:
            tops.append((declared, symbol))
    return [symbol for _, symbol in tops]


def _inside(inner: Span, outer: Span) -> bool:
    start, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return start <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= end
