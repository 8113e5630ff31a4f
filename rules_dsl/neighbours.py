"""Whether `compiler`, `verify` and `games` are the packages that belong to this one.

Their names are plain words: a file of the user or another distribution may have one of them.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

NAMES = ("compiler", "verify", "games")


def check_neighbours() -> None:
    """Raise an `ImportError` that names the other package or file."""
    root = Path(__file__).resolve().parents[1]
    for name in NAMES:
        places = _places(name)
        if not any(Path(place).resolve() == root / name for place in places):
            found = places[0] if places else "nothing"
            raise ImportError(
                f"rules_dsl needs its own package `{name}`, but `import {name}` finds {found}: "
                "rename that, or take its folder off the path"
            )


def _places(name: str) -> list[str]:
    """The folders of a package, or the file of a module."""
    loaded = sys.modules.get(name)
    if loaded is not None:
        return [*getattr(loaded, "__path__", []), *filter(None, [getattr(loaded, "__file__", "")])]
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return []
    return [*(spec.submodule_search_locations or []), *filter(None, [spec.origin])]
