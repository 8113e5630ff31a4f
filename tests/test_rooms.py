"""The arrows of the project point one way: language <- compiler <- verify <- front door."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


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
    files = [f.relative_to(ROOT) for p in ("rules_dsl", "compiler", "verify")
             for f in (ROOT / p).rglob("*.py")]  # fmt: skip
    assert {graph.room_of(file) for file in files} == set(graph.ORDER)


def test_a_backward_import_is_noticed(graph: ModuleType) -> None:
    assert graph.module_file("verify.proof.prover.Prover") == Path("verify/proof/prover.py")
    assert graph.module_file("compiler.ir") == Path("compiler/ir/__init__.py")
    assert graph.module_file("attrs.frozen") is None


def test_modules_are_short_enough_to_read(graph: ModuleType) -> None:
    long = {
        str(f.relative_to(ROOT)): lines
        for p in ("rules_dsl", "compiler", "verify", "games", "docs")
        for f in (ROOT / p).rglob("*.py")
        if (lines := len(f.read_text(encoding="utf-8").splitlines())) > 700
    }
    assert long == {}
