"""Settings of a check: its scope, its effort, and what it records."""

from __future__ import annotations

from attrs import frozen

# Obligations that are proved step by step.
STEPWISE = frozenset(
    {"init", "invariant", "safety", "conservation", "progress", "termination", "scoring"}
)


@frozen
class Settings:
    """What decides a verdict besides the rules.

    >>> Settings(frozenset({"safety"})).describe()
    ('normal', ('safety',), False, False)
    """

    kinds: frozenset[str]
    effort: str = "normal"
    # Whether a second solver checks every proof.
    recheck: bool = False
    # Whether to keep what each proof used.
    cores: bool = False

    def describe(self) -> tuple[object, ...]:
        """The settings in a fixed order, for keys."""
        return (self.effort, tuple(sorted(self.kinds)), self.recheck, self.cores)
