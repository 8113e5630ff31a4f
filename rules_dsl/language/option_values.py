"""Values of options as people write them."""

from __future__ import annotations

OptionValue = str | int | bool


def shown(value: object) -> str:
    """The value of an option as it is written.

    >>> shown(True), shown(2018)
    ('true', '2018')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def setting(name: str, value: object) -> str:
    """An option with its value, as `--option` takes it.

    >>> setting("auction", True)
    'auction=true'
    """
    return f"{name}={shown(value)}"
