"""Types of the rule language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

if TYPE_CHECKING:
    from rules_dsl.language.symbols import PoolSymbol, ZoneSymbol


@frozen
class IntType:
    """Whole numbers from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def contains(self, other: IntType) -> bool:
        """Whether every number of the other range is in this one."""
        return self.low <= other.low and other.high <= self.high

    def hull(self, other: IntType) -> IntType:
        """The smallest range that contains both."""
        return IntType(min(self.low, other.low), max(self.high, other.high))


@frozen
class BoolType:
    def __str__(self) -> str:
        return "bool"


EnumKind = Literal["enum", "table", "player", "goods", "choice"]


@frozen(eq=False)
class EnumType:
    """A finite set of names: an enum, rows of a table, players, goods, values of an option."""

    name: str
    values: tuple[str, ...]
    kind: EnumKind = "enum"
    labels: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return self.name

    @property
    def size(self) -> int:
        return len(self.values)


@frozen
class OptionalType:
    """A value or `none`."""

    inner: ScalarType

    def __str__(self) -> str:
        return f"{self.inner}?"


@frozen
class NoneType:
    """The type of `none` before anything is known about it."""

    def __str__(self) -> str:
        return "none"


@frozen
class SetType:
    """Any subset of a finite type."""

    inner: IntType | EnumType

    def __str__(self) -> str:
        return f"set of {self.inner}"


@frozen
class PoolType:
    """A pool as a place that goods move from and to."""

    pool: PoolSymbol

    def __str__(self) -> str:
        return f"pool {self.pool.name}"


@frozen
class ZoneType:
    """A zone as a place that cards move from and to."""

    zone: ZoneSymbol

    def __str__(self) -> str:
        return f"zone {self.zone.name}"


@frozen
class FractionType:
    """A number over a constant denominator; exists in `scoring` only."""

    denominator: int
    numerator: IntType

    def __str__(self) -> str:
        return f"number / {self.denominator}"


@frozen
class ErrorType:
    """The type of something wrong that was reported already; it fits everywhere."""

    def __str__(self) -> str:
        return "?"


ScalarType = IntType | BoolType | EnumType
ValueType = IntType | BoolType | EnumType | OptionalType
Type = (
    IntType | BoolType | EnumType | OptionalType | NoneType | SetType | PoolType | ZoneType
    | FractionType | ErrorType
)  # fmt: skip

BOOL = BoolType()
ERROR = ErrorType()
NONE = NoneType()


def bounds(type_: ValueType | NoneType) -> tuple[int, int]:
    """The least and greatest whole number that stands for a value of the type.

    >>> bounds(OptionalType(IntType(0, 5)))
    (-1, 5)
    """
    match type_:
        case IntType(low, high):
            return low, high
        case BoolType():
            return 0, 1
        case EnumType():
            return 0, max(0, len(type_.values) - 1)
        case NoneType():
            return -1, -1
        case OptionalType(inner):
            low, high = bounds(inner)
            return min(-1, low - 1), high
    raise AssertionError(type_)


def none_of(type_: OptionalType) -> int:
    """The whole number that stands for `none`: one below the least value, at most -1."""
    return min(-1, bounds(type_.inner)[0] - 1)
