"""The text that `rules check` prints for a broken rule file.

Run as a program, this writes the `.expected` files anew: `python -m tests.diagnostics.rendering`;
read the difference before keeping it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rules_dsl.language.checking import diagnose
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import SourceSet, display_path, gather
from rules_dsl.language.unused_values import narrowing

BROKEN = Path(__file__).with_name("broken")


@cache
def errors(path: Path) -> RuleError | None:
    """The errors of a file, or its warnings, for every number of players."""
    try:
        sources = gather(str(path))
    except RuleError as error:
        return error
    found = diagnose(sources) or warnings(sources)
    return RuleError(found, sources.texts) if found else None


def warnings(sources: SourceSet) -> tuple[Diagnostic, ...]:
    """The warnings of a game without errors."""
    *_, found = narrowing(assemble(sources))
    return found


def rendered(path: Path) -> str:
    """The errors as text, with the name of the file and not its place on the disk."""
    error = errors(path)
    if error is None:
        return "no errors\n"
    text = error.render()
    for prefix in (str(path.parent), display_path(path.parent)):
        text = text.replace(prefix + "/", "")
    return text + "\n"


def main() -> None:
    """Write the present texts."""
    for path in sorted(BROKEN.glob("*.rules")):
        path.with_suffix(".expected").write_text(rendered(path), encoding="utf-8")


if __name__ == "__main__":
    main()
