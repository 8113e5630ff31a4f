"""Types as messages say them."""

from __future__ import annotations

from rules_dsl.language.types import (
    BoolType,
    EnumType,
    ErrorType,
    FractionType,
    IntType,
    NoneType,
    OptionalType,
    PoolType,
    SetType,
    Type,
    ZoneType,
)


def described(type_: Type) -> str:
    """A type as people say it."""
    match type_:
        case IntType():
            return "a number"
        case BoolType():
            return "a condition"
        case EnumType():
            return f"a {type_.name}"
        case NoneType():
            return "`none`"
        case OptionalType():
            return f"a {type_.inner} or none"
        case PoolType():
            return f"the pool `{type_.pool.name}`"
        case ZoneType():
            return f"the zone `{type_.zone.name}`"
        case SetType():
            return f"a {type_}"
        case FractionType():
            return "a fraction"
        case ErrorType():
            return "wrong"
    raise AssertionError(type_)
