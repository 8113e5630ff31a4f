"""Faults: rules that do something impossible, such as leaving the range of a number."""

from __future__ import annotations

from typing import NoReturn


class Fault(Exception):
    """The rules did something impossible; the verifier rules this out.

    >>> try:
    ...     raise_fault(("day", 1, 27, "a.rules", 12), 28)
    ... except Fault as fault:
    ...     print(fault)
    a.rules:12: day is 28, outside 1..27
    """

    # The number that was impossible: outside its range, or more goods than there are.
    value: int | None = None


class Endless(Fault):
    """The rules run on without a decision."""


def raise_fault(place: tuple[str, int, int, str, int], value: int | None) -> NoReturn:
    """Raise the fault that a generated check found."""
    what, low, high, file, line = place
    if low > high:  # an assertion, not a range
        fault = Fault(f"{file}:{line}: {what}")
        fault.value = value
        raise fault
    if value is None:
        raise Fault(f"{file}:{line}: {what} is none, where a value is needed")
    raise Fault(f"{file}:{line}: {what} is {int(value)}, outside {low}..{high}")
