"""Why a game cannot be played natively."""

from __future__ import annotations


class NativeError(Exception):
    """The native back end cannot be used: the message says why, in one sentence."""


class UnsupportedError(NativeError):
    """A construct of the rules for which there is no C; the Python back end plays them.

    >>> str(UnsupportedError("numbers beyond 10^12"))
    'the native back end does not support numbers beyond 10^12'
    """

    def __init__(self, construct: str) -> None:
        super().__init__(f"the native back end does not support {construct}")
        self.construct = construct


def unknown(node: object) -> UnsupportedError:
    """The error for a construct of the IR that the C writer has no case for."""
    return UnsupportedError(f"the construct `{type(node).__name__}`")
