"""The rooms of the project and who imports whom: `python docs/import_graph.py` draws the picture.

The same reading of the sources is behind the test that the arrows point one way.
"""

from __future__ import annotations

import ast
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


def imports(path: Path) -> Iterator[str]:
    """The names of the modules that a module imports, wherever in it."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_file(name: str) -> Path | None:
    """The file of one of our modules, or of the module that a name is imported from."""
    parts = name.split(".")
    for end in (len(parts), len(parts) - 1):
        place = Path(*parts[:end]) if end else Path()
        for file in (place.with_suffix(".py"), place / "__init__.py") if end else ():
            if (ROOT / file).exists():
                return file
    return None


def crossings() -> Counter[tuple[str, str]]:
    """How many imports lead from each room to another."""
    return Counter((one, two) for one, two, _, _ in links())


def links() -> Iterator[tuple[str, str, Path, Path]]:
    """Every import that leads from one room to another: the rooms, and the modules."""
    for package in ("rules_dsl", "compiler", "verify"):
        for file in sorted((ROOT / package).rglob("*.py")):
            path = file.relative_to(ROOT)
            targets = {module_file(name) for name in imports(path)}
            for target in sorted(t for t in targets if t is not None):
                one, two = room_of(path), room_of(target)
                if one != two and two in ORDER:
                    yield one, two, path, target


def drawing() -> str:
    """The rooms in order, one column, with an arc for every pair that is connected."""
    high, wide, left = 46, 640, 250
    at = {room: 30 + high * number for number, room in enumerate(ORDER)}
    tall = high * len(ORDER) + 20
    size = f'viewBox="0 0 {wide} {tall}" font-family="sans-serif" font-size="14"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    for (one, two), count in sorted(crossings().items()):
        start, end = at[one], at[two]
        bend = left + 30 + 0.55 * abs(start - end)
        colour = "#7a8fa6" if ORDER.index(two) < ORDER.index(one) else "#c0392b"
        out.append(
            f'<path d="M{left} {start} C{bend} {start} {bend} {end} {left} {end}" fill="none" '
            f'stroke="{colour}" stroke-width="{1 + min(5, count / 12):.1f}" opacity="0.7">'
            f"<title>{one} imports {two} {count} times</title></path>"
        )
    for room, y in at.items():
        out.append(
            f'<rect x="20" y="{y - 15}" width="{left - 20}" height="30" rx="6" fill="#f4efe4" '
            f'stroke="#8a7a55"/><text x="{left - 12}" y="{y + 5}" text-anchor="end">{room}</text>'
        )
    return "\n".join([*out, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
    for (one, two), count in sorted(crossings().items()):
        print(f"{one} -> {two}: {count}")
