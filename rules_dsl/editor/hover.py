"""Hover text about a name: its declaration, label, range, cites and kept verdicts."""

from __future__ import annotations

from collections.abc import Mapping

from rules_dsl.editor.names import Declared, Key
from rules_dsl.editor.project import Analysis
from rules_dsl.editor.proofs import Proof
from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.option_values import shown
from rules_dsl.language.outline import cites_text
from rules_dsl.language.provenance import is_provisional
from rules_dsl.language.symbols import (
    BUILTINS,
    ConstSymbol,
    OptionSymbol,
    PoolSymbol,
    VarSymbol,
    ZoneSymbol,
)

_BUILTINS = {
    "players": "the number of players",
    "next": "`next(x)`: the value after x, round again at the end; `next(x, n)`: n further on",
    "ord": "`ord(x)`: the place of a value in its kind, from 0",
    "abs": "`abs(n)`: a number without its sign",
    "before": "`before(e)`: what an expression was when the rule began; in `ensures` only",
    "reaches": "`reaches(a, b by near)`: whether steps lead from a to b",
    "distance": "`distance(a, b by near)`: the least number of steps from a to b",
    "component": "`component(a by near)`: the group of places that a belongs to",
}


def hover(analysis: Analysis, key: Key, proofs: Mapping[str, Proof]) -> str:
    """Markdown about a name; empty if nothing is known of it."""
    declared = analysis.names.declarations(key)
    if not declared:
        return _BUILTINS[key[1]] if key[0] == "name" and key[1] in BUILTINS else ""
    return "\n\n---\n\n".join(_about(analysis, one, proofs) for one in declared)


def first_line(analysis: Analysis, declared: Declared) -> str:
    """The line of the source that declares a name."""
    lines = analysis.texts[declared.span.file].split("\n")
    return lines[declared.span.line - 1].strip()


def _about(analysis: Analysis, declared: Declared, proofs: Mapping[str, Proof]) -> str:
    parts = [f"```rules\n{first_line(analysis, declared)}\n```"]
    facts = [declared.kind]
    label = _label(analysis, declared)
    if label:
        facts.append(f"**{label}**")
    if analysis.context is not None:
        facts += _range(analysis.context, declared)
    if declared.node is not None and is_provisional(declared.node):
        facts.append("provisional")
    parts.append(" · ".join(facts))
    cites = _cites(declared.node)
    if cites:
        parts.append(f"*{cites_text(cites)}*")
    if declared.name in proofs:
        parts.append(str(proofs[declared.name]))
    return "\n\n".join(parts)


def _label(analysis: Analysis, declared: Declared) -> str:
    if analysis.program is not None and declared.name in analysis.program.labels:
        return analysis.program.labels[declared.name].value
    text = getattr(declared.node, "text", None) or getattr(declared.node, "note", None)
    return text.value if isinstance(text, s.Text) else ""


def _cites(node: s.Node | None) -> s.Cites:
    found: s.Cites = getattr(node, "cites", ())
    return found


def _range(ctx: Context, declared: Declared) -> list[str]:
    """The type of a name, and of a constant or option its value in this configuration."""
    local = next(
        (symbol for ident, symbol in ctx.facts.locals.items() if ident.span == declared.span), None
    )
    if local is not None:
        return [f"`{local.type}`"]
    symbol = ctx.globals.get(declared.name)
    if symbol is None or declared.kind in ("value", "choice", "column", "row"):
        return []
    match symbol:
        case VarSymbol() | ConstSymbol():
            size = f"[{', '.join(map(str, symbol.dimensions))}]" if symbol.dimensions else ""
            found = [f"`{symbol.type}`{f' for each {size}' if size else ''}"]
            if isinstance(symbol, ConstSymbol) and len(symbol.values) == 1:
                found.append(f"= {symbol.values[0]}")
            return found
        case OptionSymbol():
            choices = ", ".join(shown(c) for c in symbol.choices)
            return [f"one of {choices}"]
        case PoolSymbol():
            return [f"holds {', '.join(good.name for good in symbol.goods)}"]
        case ZoneSymbol():
            return [f"cards of {symbol.table.name}"]
        case _:
            result = getattr(symbol, "result", None)
            return [f"`{result}`"] if result is not None else []
