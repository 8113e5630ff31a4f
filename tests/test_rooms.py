"""The arrows of the project point one way: language <- compiler <- verify <- front door."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
# Lines; a longer module has more than one job.
LONGEST_MODULE = 500
PACKAGES = ("rules_dsl/", "compiler/", "verify/", "games/")


@pytest.fixture(scope="module")
def graph() -> ModuleType:
    spec = importlib.util.spec_from_file_location("import_graph", ROOT / "docs" / "import_graph.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_imports_lead_to_earlier_rooms(graph: ModuleType) -> None:
    order = graph.ORDER
    backwards = [
        f"{source} imports {target}"
        for one, two, source, target in graph.links()
        if order.index(two) > order.index(one)
    ]
    assert backwards == []


def test_every_folder_is_a_room(graph: ModuleType) -> None:
    files = [
        f.relative_to(ROOT)
        for p in ("rules_dsl", "compiler", "verify")
        for f in (ROOT / p).rglob("*.py")
    ]
    assert {graph.room_of(file) for file in files} == set(graph.ORDER)


def test_a_backward_import_is_noticed(graph: ModuleType) -> None:
    assert graph.module_file("verify.proof.prover.Prover") == Path("verify/proof/prover.py")
    assert graph.module_file("compiler.ir") == Path("compiler/ir/__init__.py")
    assert graph.module_file("attrs.frozen") is None


def tracked_modules() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def test_modules_are_short_enough_to_read() -> None:
    lengths = {f: len(f.read_text(encoding="utf-8").splitlines()) for f in tracked_modules()}
    assert len(lengths) > 600
    assert {str(f.relative_to(ROOT)): n for f, n in lengths.items() if n > LONGEST_MODULE} == {}


# Nodes of the syntax tree and of the IR are always written with their package: `s.If`, `ir.If`.
QUALIFIED = ("rules_dsl/language/syntax/", "compiler/ir/")
# Players and options, with the defaults filled in or without: one notion.
SAME_NOTION = {"Configuration"}


@pytest.mark.parametrize("package", QUALIFIED)
def test_every_node_is_exported(package: str) -> None:
    room = importlib.import_module(package.rstrip("/").replace("/", "."))
    for file in (ROOT / package).glob("[!_]*.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        classes = {n.name for n in body if isinstance(n, ast.ClassDef)}
        exported = set(importlib.import_module(f"{room.__name__}.{file.stem}").__all__)
        assert classes <= exported <= vars(room).keys(), file.name


def test_a_class_name_means_one_thing() -> None:
    meanings: dict[str, set[str]] = {}
    for file in tracked_modules():
        where = file.relative_to(ROOT).as_posix()
        if not where.startswith(PACKAGES) or where.startswith(QUALIFIED):
            continue
        # The two code generators have the same parts under the same names.
        role = where.replace("compiler/native/", "compiler/python/")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                meanings.setdefault(node.name, set()).add(role)
    twice = {name: sorted(files) for name, files in meanings.items() if len(files) > 1}
    assert {n: f for n, f in twice.items() if n not in SAME_NOTION} == {}
    assert twice.keys() >= SAME_NOTION
