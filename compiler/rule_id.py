"""The identity of a rule: its kind, its name, and the row of a table it belongs to.

The IR keeps rules by the text of their identity. Nothing else takes that text apart.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

RuleKind = Literal["action", "procedure", "member"]

_ACTION = "action "
# The member of a table for rows without one of their own.
DEFAULT_ROW = "default"


@frozen
class RuleId:
    """A rule: an action, a procedure, or a member of a table (of one row, where `row` is given).

    >>> str(RuleId("action", "beg")), str(RuleId("member", "Building.gained", "a1_14"))
    ('action beg', 'Building.gained.a1_14')
    >>> RuleId.of("Building.gained.a1_14").name
    'Building.gained'
    """

    kind: RuleKind
    name: str
    row: str = ""

    @classmethod
    def of(cls, text: str) -> RuleId:
        """The identity whose text the IR keeps.

        >>> RuleId.of("action beg")
        RuleId(kind='action', name='beg', row='')
        """
        if text.startswith(_ACTION):
            return cls("action", text.removeprefix(_ACTION))
        table, *rest = text.split(".")
        if not rest:
            return cls("procedure", text)
        return cls("member", f"{table}.{rest[0]}", ".".join(rest[1:]))

    def __str__(self) -> str:
        if self.kind == "action":
            return _ACTION + self.name
        return f"{self.name}.{self.row}" if self.row else self.name

    @property
    def written(self) -> str:
        """The name as its author wrote it, with the row if there is one."""
        return f"{self.name}.{self.row}" if self.row else self.name


def action_rule(name: str) -> str:
    """The name in the IR of the rule that carries out an action."""
    return str(RuleId("action", name))


def member_rule(table: str, member: str, row: str = "") -> str:
    """The name in the IR of a member of a table, or of the rule for one row."""
    return str(RuleId("member", f"{table}.{member}", row))


def is_action(rule: str) -> bool:
    """Whether a rule of the IR carries out an action."""
    return RuleId.of(rule).kind == "action"


def is_row_rule(rule: str) -> bool:
    """Whether a rule of the IR is a member of a table for one row."""
    return bool(RuleId.of(rule).row)


def rule_name(rule: str) -> str:
    """The name of a rule of the IR as its author wrote it.

    >>> rule_name("action beg"), rule_name("turn")
    ('beg', 'turn')
    """
    return RuleId.of(rule).written


def decision_name(rule: str, label: str) -> str:
    """The name of a decision point: its rule, and its label if it has one.

    >>> decision_name("action beg", "temple"), decision_name("turn", "")
    ('beg.temple', 'turn')
    """
    return f"{rule_name(rule)}.{label}" if label else rule_name(rule)
