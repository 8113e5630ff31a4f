"""Shared libraries of games: from the user's cache, or built at first use."""

from __future__ import annotations

import ctypes
import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import frozen

from compiler.cache import key_of
from compiler.native.errors import NativeError
from compiler.native.toolchain import FLAGS, Toolchain, find_toolchain
from rules_dsl.language.user_cache import CacheSection

if TYPE_CHECKING:
    from compiler.runtime.game import Game

ABI = "3"
LIBRARIES = CacheSection("native", f"native {ABI}")
SUFFIX = "so"

# Functions that the C binding calls, in the order in which it expects their addresses.
API = (
    "PyCFunction_NewEx", "PyBytes_FromStringAndSize", "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong", "PyLong_AsUnsignedLongLongMask", "PyLong_AsLongLong",
    "PyList_New", "PyList_SetItem", "PyList_GetSlice", "PyList_SetSlice", "PyTuple_New",
    "PyTuple_SetItem", "PyObject_GetBuffer", "PyBuffer_Release", "PyErr_Occurred",
    "PyErr_SetString", "PyErr_CheckSignals", "PyEval_SaveThread", "PyEval_RestoreThread",
    "PyMem_RawMalloc", "PyMem_RawFree", "PyErr_NoMemory", "Py_IncRef", "Py_DecRef",
    "PyObject_CallObject", "PyObject_Vectorcall", "PyObject_Type", "PyType_GenericAlloc",
    "PyObject_GC_UnTrack", "PyBytes_AsString", "PyBytes_Size", "PyTuple_Size",
    "PyDescr_NewMethod", "PyDescr_NewGetSet",
)  # fmt: skip


# Called after a fault with the number of a function, counted as in `Functions`, and its arguments:
# it raises the error that the same call of the Python code raises.
OnFault = Callable[..., NoReturn]


@frozen
class Functions:
    """The functions of a game's library, in the order in which the binding makes them."""

    start: Callable[[int | None], tuple[bytes, int, int | None]]
    moves: Callable[[Any], list[int]]
    outcomes: Callable[[Any], list[tuple[int, int]]]
    step: Callable[[Any, int, int | None, int], tuple[bytes, int]]
    playout: Callable[[int], tuple[bytes, int, int]]
    games: Callable[..., int]
    batch: Callable[..., None]
    states: Callable[..., tuple[Any, ...]]
    close: Callable[[int], None]


def functions_of(
    game: Game, on_fault: OnFault, checked: bool = False, build: bool = True
) -> Functions | None:
    """The native functions of a game; raises `NativeError` if it cannot be played natively.

    Without `build` only what is in the cache is used: nothing if it is not there.
    """
    toolchain = find_toolchain()
    key, source = _key(game, toolchain, checked)
    path = LIBRARIES.load_file(key, SUFFIX)
    if path is None:
        if not build:
            return None
        library = toolchain.build(source or _source(game), checked)
        path = LIBRARIES.store_file(key, SUFFIX, library) or _unkept(library)
    return _open(path, on_fault)


def _source(game: Game) -> str:
    from compiler.pipeline import to_c

    return to_c(game.ir)


def _key(game: Game, toolchain: Toolchain, checked: bool) -> tuple[str, str | None]:
    """The key of a game's library and, if it had to be written to know it, its source."""
    build = (toolchain.identity(), *FLAGS, str(checked), ABI)
    if game.origin.as_written:
        options = repr(sorted(game.options.items()))
        variants = repr(game.variants)
        return key_of(
            "native", game.name, game.digest, str(game.players), options, variants, *build
        ), None
    source = _source(game)
    return key_of("native", hashlib.sha256(source.encode()).hexdigest(), *build), source


# Folders of libraries that could not be kept in the cache; they go when Python ends.
_folders: list[tempfile.TemporaryDirectory[str]] = []


def _unkept(library: bytes) -> Path:
    place = tempfile.TemporaryDirectory(prefix="rules-native-", ignore_cleanup_errors=True)
    _folders.append(place)
    path = Path(place.name) / f"game.{SUFFIX}"
    path.write_bytes(library)
    return path


def _open(path: Path, on_fault: OnFault) -> Functions:
    try:
        library = ctypes.PyDLL(str(path))
        start = library.rules_open
    except (OSError, AttributeError) as error:
        raise NativeError(f"the native code cannot be loaded: {error}") from None
    start.restype = ctypes.py_object
    addresses = [
        ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in API
    ]
    addresses += [id(ValueError), id(None), id(True), id(False)]
    table = (ctypes.c_void_p * len(addresses))(*addresses)
    return Functions(*start(table, ctypes.py_object(on_fault)))
