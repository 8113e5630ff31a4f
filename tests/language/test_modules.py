"""Games of several files; cites; options and rulings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import (
    SourceSet,
    gather,
    may_include,
    shipped_games,
    shipped_variants,
)
from tests.language.programs import codes, game, program

INCLUDING = game('include "parts.rules"\n\nconst total = part + other')


def test_included_declarations_belong_to_the_game() -> None:
    assert codes(INCLUDING, parts="const part = 1\nconst other = 2\n") == []


def test_a_file_is_included_once() -> None:
    text = game('include "a.rules"\ninclude "b.rules"\ninclude "a.rules"')
    one, two = 'include "b.rules"\nconst x = 1\n', 'include "a.rules"\nconst y = 1\n'
    assert codes(text, a=one, b=two) == []


def test_errors_name_the_file_they_are_in() -> None:
    sources = SourceSet(
        "main.rules",
        {},
        [],
        {"main.rules": INCLUDING, "parts.rules": "const part = 1\nconst other = = 2\n"},
    )
    with pytest.raises(RuleError) as caught:
        assemble(sources)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.span) == "parts.rules:2:15"
    assert "const other = = 2" in str(caught.value)


def test_names_of_another_file_are_noted() -> None:
    text = game('include "parts.rules"\n\nconst part = 2')
    assert codes(text, parts="const part = 1\n") == ["E0202"]


def test_a_missing_file() -> None:
    assert codes(game('include "parts.rules"')) == ["E0115"]


@pytest.mark.parametrize("name", ["parts.rules", "deeper/parts.rules"])
def test_what_may_be_included(name: str) -> None:
    assert may_include(name)


@pytest.mark.parametrize(
    "name", ["../parts.rules", "/parts.rules", "parts.txt", "parts", "a/../../b.rules", ""]
)
def test_what_may_not_be_included(name: str) -> None:
    assert not may_include(name)
    assert codes(game(f'include "{name}"')) == ["E0115"]


def test_gathering_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    (tmp_path / "game.rules").write_text(game('include "deeper/a.rules"'))
    (tmp_path / "deeper" / "a.rules").write_text('include "b.rules"\nconst x = y\n')
    (tmp_path / "deeper" / "b.rules").write_text("const y = 1\n")
    sources = gather(str(tmp_path / "game.rules"))
    assert [Path(p).stem for p in sources.closure(sources.main)] == ["game", "a", "b"]
    assemble(sources)


def test_the_digest_is_of_the_rules_not_of_their_place(tmp_path: Path) -> None:
    digests = []
    for folder, text in (("one", game()), ("two", game()), ("three", game("const x = 1"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.rules").write_text(text)
        digests.append(gather(str(tmp_path / folder / "game.rules")).digest())
    assert digests[0] == digests[1] != digests[2]


def test_a_variant_finds_its_game(tmp_path: Path) -> None:
    (tmp_path / "small.rules").write_text(game("const price = 3"))
    (tmp_path / "variants").mkdir()
    for name, base in (("dear", "small"), ("dearer", "dear")):
        (tmp_path / "variants" / f"{name}.rules").write_text(
            f"variant {name} of {base}\n    add const {name}_price = 4\n"
        )
    sources = gather(str(tmp_path / "variants" / "dearer.rules"))
    assert Path(sources.main).name == "small.rules"
    assert [Path(v).name for v in sources.variants] == ["dear.rules", "dearer.rules"]
    assert [v.name.name for v in assemble(sources).variants] == ["dear", "dearer"]


def test_every_shipped_variant_belongs_to_a_game() -> None:
    for name in shipped_games():
        for variant in shipped_variants(name):
            assert assemble(gather(variant)).game.name.name == name


def test_cites_are_of_declared_sources() -> None:
    assert codes(game('const x = 1 [R 3 "Prices"; R 4]')) == []
    assert codes(game("const x = 1 [Q 3]")) == ["E0205"]
    assert codes(game('action third by p\n    require points[p] > 1 "no" [Q 3]')) == ["E0205"]
    assert codes(game("function f(): bool = true\n    [R 3;\n    Q 4]")) == ["E0205"]


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("option size: 3, 5 = 3", []),
        ("option open: bool = true", []),
        ('ruling who: one, two, three = two "Who?" [R 4]', []),
        ("option size: 3, 5 = 4", ["E0412"]),
        ("option open: bool = perhaps", ["E0412"]),
        ("option size: 3 = 3", ["E0411"]),
        ("option size: 3, 3 = 3", ["E0202"]),
        ("option size: 3, many = 3", ["E0413"]),
        ("option size: 3, 5 = 3\n\nprocedure f()\n    size = 5", ["E0321"]),
    ],
)
def test_options(declaration: str, expected: list[str]) -> None:
    assert codes(game(declaration)) == expected


def test_options_keep_their_texts() -> None:
    found = program(game('ruling who: one, two = two "Who?" ru "Кто?" [R 4 "Seats"]'))
    (ruling,) = found.of(s.Option)
    assert ruling.kind == "ruling"
    assert ruling.text is not None
    assert ruling.text.translations == (("ru", "Кто?"),)
    assert str(ruling.cites[0]) == "R p. 4 Seats"
