"""W0601: comparisons of a table's column with a value that no row has.

What depends on them never happens. They are not errors: a symbol of the legend may be printed on no
component that is known today, and a variant may add a row that has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program
from rules_dsl.language.checker.context import Context
from rules_dsl.language.configurations import configurations
from rules_dsl.language.diagnostics import Diagnostic
from rules_dsl.language.program import Program, walk
from rules_dsl.language.symbols import ColumnSymbol, EnumValue


def still_unused(known: tuple[Diagnostic, ...] | None, ctx: Context) -> tuple[Diagnostic, ...]:
    """The warnings of other configurations that hold in this one, too; all if there are no others.

    Cells may depend on options and on the number of players: a value is shown only if no row has it
    in any configuration.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> still_unused(None, check_program(assemble(gather("kuhn_poker")), 2, {})[1])
    ()
    """
    found = {warning.span: warning for warning in _unused_values(ctx)}
    if known is not None:
        return tuple(warning for warning in known if warning.span in found)
    return tuple(sorted(found.values(), key=lambda w: (w.span.file, w.span.line, w.span.column)))


def narrowing(program: Program) -> Iterator[tuple[Diagnostic, ...]]:
    """The warnings that are left after each configuration of a game without errors.

    Stops as soon as none is left; the last answer is the one that counts.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> list(narrowing(assemble(gather("kuhn_poker"))))
    [()]
    """
    left: tuple[Diagnostic, ...] | None = None
    for configuration in configurations(program):
        _, ctx = check_program(program, configuration.players, configuration.options)
        left = still_unused(left, ctx)
        yield left
        if not left:
            return


def _unused_values(ctx: Context) -> Iterator[Diagnostic]:
    """The comparisons in the rules of a checked program whose result the rows decide alone.

    What invariants say about the rows is meant to hold, and examples are not rules.
    """
    for declaration in ctx.program.declarations:
        if isinstance(declaration, s.Invariant | s.Example):
            continue
        for node in walk(declaration):
            if isinstance(node, s.Binary) and node.op in ("=", "!="):
                for one, other in ((node.left, node.right), (node.right, node.left)):
                    column, value = _column(ctx, one), ctx.facts.refs.get(other)
                    if column is None or not isinstance(value, EnumValue):
                        continue
                    if value.index not in column.values:
                        yield _warning(column.declaration.name.name, value.name, node)


def _warning(column: str, value: str, node: s.Binary) -> Diagnostic:
    holds = "never" if node.op == "=" else "always"
    message = f"no row has `{value}` in the column `{column}`: this {holds} holds"
    hint = f"a variant that adds or changes a row with `{value}` brings it to life"
    return Diagnostic("W0601", message, node.span, hint)


def _column(ctx: Context, node: s.Expr) -> ColumnSymbol | None:
    """The column that an expression reads, if that is all it does."""
    inner = node.base if isinstance(node, s.Index) else node
    ref = ctx.facts.refs.get(inner)
    return ref if isinstance(ref, ColumnSymbol) else None
