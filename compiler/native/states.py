"""Positions whose methods are native: what `moves` and `play` do is done in C at once.

The C code reads and writes the attributes of a position where CPython keeps them. Where that is, is
found out by looking for known objects in the memory of an example; where they are not found,
positions keep the methods that are written in Python.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from array import array
from typing import TYPE_CHECKING, Any

from compiler.runtime.moves import Move, Notation

if TYPE_CHECKING:
    from compiler.native.library import Functions
    from compiler.runtime.state import State

# In the order in which compiler/native/states.h names them, behind the class of an object; a
# tuple's first item and the number of references come last.
OF_STATE = ("game", "seed", "_before", "_cells", "_code", "_codes", "_draws", "_key", "_listed")
OF_MOVE = ("_by", "_cells", "_code", "_notation", "_point", "_rules", "_text", "_words")
WORD = ctypes.sizeof(ctypes.c_void_p)


def native_states(functions: Functions, notation: Notation, plain: type[State]) -> type[State]:
    """The class of positions of a game with native code; `plain` where that is not possible."""
    places = _places(plain)
    if places is None:
        return plain
    made: type[State] = type(
        plain.__name__, (plain,), {"__slots__": (), "__module__": plain.__module__}
    )
    parts = (plain.moves, plain.play, notation.keeper, Move, notation, notation.rules)
    methods = functions.states(made, places, *parts)
    for name, method in zip(("moves", "play", "over", "player"), methods, strict=True):
        setattr(made, name, method)
    weakref.finalize(made, functions.close, id(made))
    return made


def _places(plain: type[State]) -> array[int] | None:
    """Where a position, a move and a tuple keep their parts; None if that is not found out."""
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return None
    state = plain.__new__(plain)
    counts = _counts()
    found = [_find(state, plain), *(_place(state, name) for name in OF_STATE)]
    found += [_place(Move.__new__(Move), name) for name in OF_MOVE]
    item = object()
    found.append(_find((item,), item))
    return None if counts is None or not all(found) else array("q", [*found, counts])


def _counts() -> int | None:
    """Where an object keeps the number of its references; None if that is not found out."""
    example = object()
    words = (ctypes.c_ssize_t * (example.__sizeof__() // WORD)).from_address(id(example))
    before = list(words)
    more = [example] * 1000
    risen = [k for k, word in enumerate(words) if word == before[k] + len(more)]
    return risen[0] * WORD if len(risen) == 1 else None


def _place(example: Any, name: str) -> int:
    """Where an object keeps an attribute, in bytes from its address; 0 if it is not found."""
    value = object()
    setattr(example, name, value)
    return _find(example, value)


def _find(holder: Any, value: object) -> int:
    words = (ctypes.c_size_t * (holder.__sizeof__() // WORD)).from_address(id(holder))
    at = [k for k, word in enumerate(words) if word == id(value)]
    return at[0] * WORD if len(at) == 1 else 0
