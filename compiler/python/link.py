"""From generated source to a code object whose lines are those of the rule files."""

from __future__ import annotations

import ast
from collections import Counter
from types import CodeType

from compiler.python.module import Source


def link(source: Source, name: str) -> CodeType:
    """Compile generated Python; tracebacks and debuggers show the rule files.

    Every function belongs to the file in which most of its lines are.
    """
    tree = ast.parse(source.text)
    files: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            files[node.name] = _file_of(source, node)
    for item in ast.walk(tree):
        line = getattr(item, "lineno", None)
        if line is None:
            continue
        place = source.spans[line - 1] if line <= len(source.spans) else None
        mapped = place.line if place is not None and place.line > 0 else 1
        item.lineno = item.end_lineno = mapped  # type: ignore[attr-defined]
        item.col_offset = item.end_col_offset = 0  # type: ignore[attr-defined]
    code = compile(tree, f"<{name}>", "exec")
    constants = tuple(
        part.replace(co_filename=files.get(part.co_name, part.co_filename))
        if isinstance(part, CodeType) and files.get(part.co_name)
        else part
        for part in code.co_consts
    )
    return code.replace(co_consts=constants)


def _file_of(source: Source, node: ast.FunctionDef) -> str:
    last = node.end_lineno or node.lineno
    lines = Counter(s.file for s in source.spans[node.lineno - 1 : last] if s.line > 0)
    return max(lines, key=lambda file: lines[file], default="")
