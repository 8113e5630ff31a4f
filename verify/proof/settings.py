"""How a check is run: what it looks at, how hard it tries, what it keeps."""

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
    # Whether a second solver looks at every proof.
    recheck: bool = False
    # Whether to keep what each proof used.
    cores: bool = False

    def describe(self) -> tuple[object, ...]:
        """The settings in a fixed order, for keys."""
        return (self.effort, tuple(sorted(self.kinds)), self.recheck, self.cores)
