"""The rooms of the project and who imports whom: `python docs/import_graph.py` draws the picture.

The same reading of the sources is behind the test that the arrows point one way. Another checkout
is drawn with `python docs/import_graph.py CHECKOUT PICTURE`; `pictures/rooms_before.svg` is the
last one without rooms.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pages" / "pictures" / "rooms.svg"

# A room may import from those before it, never from those after it.
ORDER = (
    "rules_dsl/language", "compiler", "verify/analysis", "verify/encode", "verify/proof",
    "verify/search", "verify/agreement", "verify/compare", "verify/running", "verify/authoring",
    "verify", "rules_dsl",
)  # fmt: skip


def room_of(path: Path) -> str:
    """The room of a module: the package, or for `verify` and the language the folder in it.

    >>> room_of(Path("verify/proof/prover.py")), room_of(Path("rules_dsl/cli/show.py"))
    ('verify/proof', 'rules_dsl')
    """
    top, *rest = path.parts
    if top == "verify" and len(rest) > 1:
        return f"verify/{rest[0]}"
    return "rules_dsl/language" if path.parts[:2] == ("rules_dsl", "language") else top


def imports(path: Path, root: Path = ROOT) -> Iterator[str]:
    """The names of the modules that a module imports, wherever in it."""
    for node in ast.walk(ast.parse((root / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_file(name: str, root: Path = ROOT) -> Path | None:
    """The file of one of our modules, or of the module that a name is imported from."""
    parts = name.split(".")
    for end in (len(parts), len(parts) - 1):
        place = Path(*parts[:end]) if end else Path()
        for file in (place.with_suffix(".py"), place / "__init__.py") if end else ():
            if (root / file).exists():
                return file
    return None


def crossings(root: Path = ROOT) -> Counter[tuple[str, str]]:
    """How many imports lead from each room to another."""
    return Counter((one, two) for one, two, _, _ in links(root))


def modules(root: Path = ROOT) -> Iterator[Path]:
    """The modules of the three packages that hold code, relative to the checkout."""
    for package in ("rules_dsl", "compiler", "verify"):
        for file in sorted((root / package).rglob("*.py")):
            yield file.relative_to(root)


def links(root: Path = ROOT) -> Iterator[tuple[str, str, Path, Path]]:
    """Every import that leads from one room to another: the rooms, and the modules."""
    for path in modules(root):
        targets = {module_file(name, root) for name in imports(path, root)}
        for target in sorted(t for t in targets if t is not None):
            one, two = room_of(path), room_of(target)
            if one != two and target.parts[0] in ("rules_dsl", "compiler", "verify"):
                yield one, two, path, target


def rooms(root: Path = ROOT) -> tuple[str, ...]:
    """The rooms of a checkout, those of today in their order; a room that is gone stands first.

    >>> rooms() == ORDER
    True
    """
    found = Counter(room_of(path) for path in modules(root))
    gone = sorted(room for room in found if room not in ORDER)
    return (*gone, *(room for room in ORDER if room in found))


def drawing(root: Path = ROOT) -> str:
    """The rooms in order, one column, with an arc for every pair that is connected."""
    order = rooms(root)
    sizes = Counter(room_of(path) for path in modules(root))
    high, wide, left = 46, 640, 290
    at = {room: 30 + high * number for number, room in enumerate(order)}
    tall = high * len(order) + 20
    size = f'viewBox="0 0 {wide} {tall}" font-family="sans-serif" font-size="14"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    for (one, two), count in sorted(crossings(root).items()):
        start, end = at[one], at[two]
        bend = left + 30 + 0.55 * abs(start - end)
        colour = "#7a8fa6" if order.index(two) < order.index(one) else "#c0392b"
        out.append(
            f'<path d="M{left} {start} C{bend} {start} {bend} {end} {left} {end}" fill="none" '
            f'stroke="{colour}" stroke-width="{1 + min(5, count / 12):.1f}" opacity="0.7">'
            f"<title>{one} imports {two} {count} times</title></path>"
        )
    for room, y in at.items():
        out.append(
            f'<rect x="20" y="{y - 15}" width="{left - 20}" height="30" rx="6" fill="#f4efe4" '
            f'stroke="#8a7a55"/><text x="{left - 12}" y="{y + 5}" text-anchor="end">{room} '
            f"({sizes[room]})</text>"
        )
    return "\n".join([*out, "</svg>"]) + "\n"


if __name__ == "__main__":
    checkout, picture = (Path(a) for a in sys.argv[1:3]) if sys.argv[1:] else (ROOT, PICTURE)
    picture.write_text(drawing(checkout), encoding="utf-8")
    for (one, two), count in sorted(crossings(checkout).items()):
        print(f"{one} -> {two}: {count}")
