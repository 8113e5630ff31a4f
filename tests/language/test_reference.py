"""The language reference: its examples are a game, which is checked, formatted and played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler.examples import run_examples
from rules_dsl.language import syntax as s
from rules_dsl.language.checking import diagnose
from rules_dsl.language.formatter import format_text
from rules_dsl.language.grammar import GRAMMAR
from rules_dsl.language.parser import DECLARATIONS
from rules_dsl.language.program import assemble, walk
from rules_dsl.language.sources import gather
from tests.compiler.agreement import play_side_by_side
from tests.language.trees import parse

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pages" / "reference" / "language.md"
_BLOCK = re.compile(r'^```rules title="([\w.]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """The rule files that the page consists of."""
    found: dict[str, list[str]] = {}
    for title, text in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        found.setdefault(title, []).append(text)
    return {title: "\n".join(parts) for title, parts in found.items()}


FILES = files()
# Small games of their own.
SMALL = (
    "sealed.rules",
    "raising.rules",
    "council.rules",
    "heralds.rules",
    "lookout.rules",
    "terraces.rules",
    "ferry.rules",
    "harvest.rules",
    "guild.rules",
    "shore.rules",
    "quarry.rules",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("reference")
    for name, text in FILES.items():
        (where / name).write_text(text, encoding="utf-8")
    return where


def test_every_block_belongs_to_a_file() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("```rules") == len(_BLOCK.findall(page))
    assert set(FILES) == {"market.rules", "prices.rules", "house.rules", "endless.rules", *SMALL}


@pytest.mark.parametrize("name", sorted(FILES))
def test_blocks_are_formatted(name: str) -> None:
    assert format_text(FILES[name], name) == FILES[name]


@pytest.mark.parametrize("name", ["market.rules", "house.rules", *SMALL])
def test_the_game_is_sound_and_plays(name: str, folder: Path) -> None:
    sources = gather(str(folder / name))
    assert [d.render(sources.texts) for d in diagnose(sources)] == []
    for players in (2, 3) if name in ("council.rules", "ferry.rules") else (2, 3, 4):
        game = rd.load(str(folder / name), players=players)
        for seed in range(5):
            assert game.playout(seed=seed).over
            assert name not in SMALL or play_side_by_side(game, seed) > 0
    results = run_examples(assemble(sources))
    assert results or name in SMALL
    assert [r.message for r in results if not r.ok] == []


def test_the_game_without_end_plays(folder: Path) -> None:
    game = rd.load(str(folder / "endless.rules"))
    assert all(game.playout(seed=seed).over for seed in range(5))


@pytest.mark.parametrize("name", SMALL)
def test_the_small_games_are_proved(name: str, folder: Path) -> None:
    report = verify.run(rd.load(str(folder / name), players=2), jobs=1)
    assert [r for r in report.results if r.status not in ("PROVED", "TESTED")] == []


def test_every_kind_of_declaration_and_statement_is_shown() -> None:
    shown = {type(node) for text in FILES.values() for node in walk(parse(text).declarations)}
    # Abstract classes, what the parser makes itself, and what a table of the page shows.
    others = {
        s.Node, s.Expr, s.TypeExpr, s.Statement, s.Effect, s.Declaration, s.ExampleLine,
        s.VariantItem, s.File, s.Return, s.ExampleOver, s.ExampleWinners,
    }  # fmt: skip
    known = {c for c in vars(s).values() if isinstance(c, type) and issubclass(c, s.Node)}
    assert {c.__name__ for c in known - shown - others} == set()


def test_every_keyword_is_mentioned() -> None:
    page = PAGE.read_text(encoding="utf-8")
    words = set(re.findall(r'"([a-z]+)"', GRAMMAR.read_text(encoding="utf-8"))) | set(DECLARATIONS)
    assert {w for w in words if not re.search(rf"\b{w}\b", page)} == set()


def test_the_table_of_statements_parses() -> None:
    """The entries in the tables of statements, decisions and draws parse."""
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index("## Statements"), page.index("## Set-up")
    for row in re.findall(r"^\| (`.*?) \|", page[start:end], re.MULTILINE):
        for statement in re.findall(r"`([^`]+)`", row):
            body = statement
            if statement.startswith(("if ", "for ", "while ", "together")):
                body += "\n        end"
            elif statement.startswith("keeps "):
                body = f"while c decreases m\n        {statement}\n        end"
            elif statement.startswith("else"):
                lead = "" if statement.startswith("else if") else "else if d\n        end\n    "
                body = f"if c\n        end\n    {lead}{statement}\n        end"
            parse(f"procedure f()\n    {body}\n")
