"""The unknowns of formulas."""

from __future__ import annotations

import z3


def gather_unknowns(part: z3.ExprRef, memo: dict[int, frozenset[int]]) -> None:
    """Note the unknowns of a formula and of all its parts.

    Walks the solver's own terms, not Python's wrappers of them: formulas are large.
    """
    context = part.ctx.ref()
    stack = [z3.Z3_to_app(context, part.as_ast())]
    while stack:
        node = stack[-1]
        identity = z3.Z3_get_ast_id(context, node)
        if identity in memo:
            stack.pop()
            continue
        arity = z3.Z3_get_app_num_args(context, node)
        parts = [z3.Z3_get_app_arg(context, node, k) for k in range(arity)]
        numbers = [z3.Z3_get_ast_id(context, p) for p in parts]
        missing = [
            z3.Z3_to_app(context, p) for p, n in zip(parts, numbers, strict=True) if n not in memo
        ]
        if missing:
            stack += missing
            continue
        stack.pop()
        found: frozenset[int] = frozenset().union(*(memo[n] for n in numbers))
        declaration = z3.Z3_get_app_decl(context, node)
        if z3.Z3_get_decl_kind(context, declaration) == z3.Z3_OP_UNINTERPRETED:
            found |= {identity}
        memo[identity] = found
