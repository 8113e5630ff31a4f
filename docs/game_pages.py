"""Fills in what the pages of the large games take from the rules: python docs/game_pages.py.

A page holds marked places, `<!-- rulings of tikal -->` … `<!-- end -->`; what stands between the
marks is written anew. A test checks that the pages are as this would write them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import rules_dsl as rd
from rules_dsl.cli.game_argument import GameChoice
from rules_dsl.language.options import OptionInfo, option_infos

FOLDER = Path(__file__).parent / "pages" / "games"
GAMES = ("tzolkin", "tikal", "zimbabwe", "yucatan")
PAGES = tuple(FOLDER / f"{name}.md" for name in GAMES)
_PLACE = re.compile(r"(<!-- (\w+) of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str) -> str:
    """A page with its marked places written anew."""
    # Markdown takes a table for a table only behind an empty line.
    return _PLACE.sub(lambda m: f"{m[1]}\n{TABLES[m[2]](m[3])}\n{m[4]}", text)


def options(game: str) -> str:
    """The options of a game as a table."""
    return _choices(game, "option")


def rulings(game: str) -> str:
    """The rulings of a game as a table: the question, the answers, where it comes from."""
    return _choices(game, "ruling")


def variants(game: str) -> str:
    """The shipped house rules of a game as a table."""
    (info,) = [info for info in rd.games() if info.name == game]
    rows = [f"| `{name}` | {_declared(game, name)} |" for name in sorted(info.variants)]
    return "\n".join(["| house rule | |", "|---|---|", *rows, ""])


def _declared(game: str, name: str) -> str:
    """What a variant calls itself."""
    folder = Path(rd.__file__).parent.parent / "games" / game / "variants"
    text = (folder / f"{name}.rules").read_text(encoding="utf-8")
    match = re.search(rf'^variant {name} of \w+\s+"([^"]*)"', text, re.MULTILINE)
    assert match is not None, name
    return match[1]


def _choices(game: str, kind: str) -> str:
    infos = option_infos(GameChoice(game).program())
    rows = [
        f"| `{info.name}` | {info.text} | {_answers(info)} | {'; '.join(info.cites)} |"
        for info in infos
        if info.kind == kind
    ]
    return "\n".join(["| | question | answers | where |", "|---|---|---|---|", *rows, ""])


def _answers(info: OptionInfo) -> str:
    shown = [str(choice).lower() for choice in info.choices]
    default = str(info.default).lower()
    return ", ".join(f"**`{answer}`**" if answer == default else f"`{answer}`" for answer in shown)


TABLES = {"options": options, "rulings": rulings, "variants": variants}


def main() -> None:
    """Write all pages anew."""
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main()
