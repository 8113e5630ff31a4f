"""The two parts of an action."""

from __future__ import annotations

from rules_dsl.language import syntax as s


def returns(statement: s.Statement) -> bool:
    """Whether a statement of a function may return."""
    match statement:
        case s.Return():
            return True
        case s.If(branches, otherwise):
            return any(returns(x) for b in (*(b for _, b in branches), otherwise) for x in b)
    return False


def split_action(body: s.Block) -> tuple[s.Block, s.Block]:
    """The head of an action (up to its last leading `require`) and its effects."""
    last = -1
    for index, statement in enumerate(body):
        if isinstance(statement, s.Require):
            last = index
        elif not isinstance(statement, s.Let):
            break
    return body[: last + 1], body[last + 1 :]
