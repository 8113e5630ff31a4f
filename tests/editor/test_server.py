"""`rules lsp` as an editor meets it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from rules_dsl.editor.colours import LEGEND
from rules_dsl.language.sources import shipped_games
from tests.editor.editing import Editor, session

MAIN = """game orchard "Orchard"
    players 2
    source R "The rulebook"

include "board.rules"

const price = 3 "coins" [R 4 "Prices"]

action buy(f: Fruit) by p "buy {f} 😀" [R 5 "Buying"]
    require worth(f) <= price "too dear: {worth(f)}"
    bought[f] += 1
    n += 1

play
    while n < 4 decreases 4 - n
        choose p1: buy
    end

invariant few "Few fruits" [R 6]
    every f in Fruit: bought[f] <= 4

scoring
    score p = bought[apple]
"""
BOARD = """enum Fruit: apple, pear

state
    bought[Fruit]: 0..9 "Fruits bought" [R 5 "Buying"]
    n: 0..9

function worth(f: Fruit): 0..9 [R 4] = if f = apple then 2 else 3
"""
VARIANT = """variant dear of orchard "Dear"
    const price = 2
    amend action buy
        require f != pear or n > 1 "{f} is not ripe"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "orchard.rules").write_text(MAIN, encoding="utf-8")
    (tmp_path / "board.rules").write_text(BOARD, encoding="utf-8")
    (tmp_path / "dear.rules").write_text(VARIANT, encoding="utf-8")
    return tmp_path


def messages(editor: Editor, file: str) -> list[str]:
    return [d.message for d in editor.errors.get(file, [])]


def test_errors_as_one_types(folder: Path) -> None:
    """In all files of the game; a mended file is clean again, and broken text is no obstacle."""
    main, board = folder / "orchard.rules", folder / "board.rules"

    async def story(editor: Editor) -> None:
        await editor.open(main)
        assert messages(editor, "orchard.rules") == []
        await editor.open(board)
        await editor.write(board, BOARD.replace("bought[Fruit]", "sold[Fruit]"))
        assert "nothing is called `bought`" in messages(editor, "orchard.rules")[0]
        await editor.write(board, BOARD)
        assert messages(editor, "orchard.rules") == []
        await editor.write(main, MAIN.replace("<= price", "<= prise"))
        (error,) = editor.errors["orchard.rules"]
        assert error.code == "E0201"
        assert "did you mean `price`?" in error.message
        await editor.write(main, MAIN.replace("require worth(f) <=", "require worth(f"))
        assert editor.errors["orchard.rules"]
        symbols = await editor.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(main.as_uri()))
        )
        assert symbols is not None
        names = [s.name for s in symbols]
        assert {"orchard", "price", "buy", "few"} <= set(names)

    session(story, folder)


def test_errors_of_variants(folder: Path) -> None:
    """A change of the game that breaks a variant next to it is shown in the variant."""
    main = folder / "orchard.rules"

    async def story(editor: Editor) -> None:
        await editor.open(main)
        await editor.write(main, MAIN.replace("price", "cost"))
        while "dear.rules" not in editor.errors:
            await editor.news()
        assert "price" in messages(editor, "dear.rules")[0]

    session(story, folder)


def test_warnings(folder: Path) -> None:
    """What is not wrong but may not be meant is shown, with its code, once every number of players
    was checked, and goes when the file is mended."""
    board = folder / "board.rules"
    table = "\ntable Stall\n    columns sells: Fruit\n    row corner: apple\n"
    odd = "\nfunction sour(x: Stall): bool = x.sells = pear\n"

    async def story(editor: Editor) -> None:
        await editor.open(board)
        await editor.write(board, BOARD + table + odd)
        while not editor.errors["board.rules"]:
            await editor.news()
        (warning,) = editor.errors["board.rules"]
        assert warning.code == "W0601"
        assert warning.severity == lsp.DiagnosticSeverity.Warning
        assert "no row has `pear`" in warning.message
        await editor.write(board, BOARD + table + odd.replace("pear", "apple"))
        assert editor.errors["board.rules"] == []

    session(story, folder)


def test_questions(folder: Path) -> None:
    main = folder / "orchard.rules"

    async def story(editor: Editor) -> None:
        await editor.open(main)
        # What a name is: declaration, label, range, cite.
        about = await editor.text_document_hover_async(
            lsp.HoverParams(**editor.at(main, MAIN, "    bou"))
        )
        assert about is not None and isinstance(about.contents, lsp.MarkupContent)
        for part in ("bought[Fruit]: 0..9", "**Fruits bought**", "`0..9`", "[R p. 5 Buying]"):
            assert part in about.contents.value
        # Also in the braces of a text, behind a character of two units.
        place = editor.at(main, MAIN, '"too dear: {wor')
        found = await editor.text_document_definition_async(lsp.DefinitionParams(**place))
        assert isinstance(found, list)
        (one,) = found
        assert isinstance(one, lsp.Location)
        assert (Path(one.uri).name, one.range.start) == ("board.rules", lsp.Position(6, 9))
        # A local means itself within its rule.
        place = editor.at(main, MAIN, "worth(f")
        found = await editor.text_document_definition_async(lsp.DefinitionParams(**place))
        assert isinstance(found, list) and isinstance(found[0], lsp.Location)
        assert found[0].range.start == lsp.Position(8, 11)
        context = lsp.ReferenceContext(include_declaration=True)
        uses = await editor.text_document_references_async(
            lsp.ReferenceParams(context=context, **editor.at(main, MAIN, "every f in Fru"))
        )
        assert uses is not None
        assert sorted((Path(u.uri).name, u.range.start.line) for u in uses) == [
            ("board.rules", 0),
            ("board.rules", 3),
            ("board.rules", 6),
            ("orchard.rules", 8),
            ("orchard.rules", 19),
        ]
        # What may be written next.
        typed = MAIN.replace("    n += 1", "    bo\n    n += 1")
        await editor.write(main, typed)
        offered = await editor.text_document_completion_async(
            lsp.CompletionParams(**editor.at(main, typed, "    bo\n"[:-1]))
        )
        assert isinstance(offered, list)
        labels = {item.label: item.detail for item in offered}
        assert labels["bought"] == 'bought[Fruit]: 0..9 "Fruits bought" [R 5 "Buying"]'
        assert {"f", "p", "choose", "true", "Player", "apple", "worth"} <= labels.keys()
        calling = MAIN.replace("worth(f) <=", "worth( <=")
        await editor.write(main, calling)
        help_ = await editor.text_document_signature_help_async(
            lsp.SignatureHelpParams(**editor.at(main, calling, "require worth("))
        )
        assert help_ is not None
        assert help_.signatures[0].label == "worth(f: Fruit): 0..9"
        await editor.write(main, MAIN)
        tokens = await editor.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(main.as_uri()))
        )
        assert tokens is not None
        shown = coloured(MAIN, list(tokens.data))
        assert shown[:3] == [("game", "keyword"), ("orchard", "namespace"), ('"Orchard"', "string")]
        for pair in (
            ("buy", "event"),
            ("Fruit", "enum"),
            ("f", "parameter"),
            ("3", "number"),
            ("bought", "variable"),
            ('[R 5 "Buying"]', "decorator"),
        ):
            assert pair in shown

    session(story, folder)


def coloured(text: str, data: list[int]) -> list[tuple[str, str]]:
    """The parts of a text with their colours, from the numbers of the protocol."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    found = []
    line = start = 0
    for k in range(0, len(data), 5):
        down, right, length, kind, _ = data[k : k + 5]
        line, start = line + down, right if down else start + right
        part = lines[line][start * 2 : (start + length) * 2].decode("utf-16-le")
        found.append((part, LEGEND[kind]))
    return found


def lines_after(edit: lsp.WorkspaceEdit, texts: dict[str, str]) -> dict[str, str]:
    """The texts after an edit of the editor."""
    result = dict(texts)
    for uri, edits in (edit.changes or {}).items():
        lines = result[Path(uri).name].split("\n")
        for one in sorted(edits, key=lambda e: e.range.start, reverse=True):
            start, end = one.range.start, one.range.end
            raw = lines[start.line].encode("utf-16-le")
            line = raw[: start.character * 2] + one.new_text.encode("utf-16-le")
            line += lines[end.line].encode("utf-16-le")[end.character * 2 :]
            lines[start.line : end.line + 1] = [line.decode("utf-16-le")]
        result[Path(uri).name] = "\n".join(lines)
    return result


def test_changes(folder: Path) -> None:
    main = folder / "orchard.rules"
    texts = {"orchard.rules": MAIN, "board.rules": BOARD, "dear.rules": VARIANT}

    async def story(editor: Editor) -> None:
        await editor.open(main)
        # Renaming reaches all files, variants too; what would break the game is refused.
        edit = await editor.text_document_rename_async(
            lsp.RenameParams(new_name="cost", **editor.at(main, MAIN, "const pri"))
        )
        assert edit is not None
        after = lines_after(edit, texts)
        assert after["orchard.rules"] == MAIN.replace("price", "cost")
        assert after["dear.rules"] == VARIANT.replace("price", "cost")
        refused = await editor.text_document_rename_async(
            lsp.RenameParams(new_name="bought", **editor.at(main, MAIN, "const pri"))
        )
        assert refused is None
        assert "declared twice" in editor.messages[0]
        local = await editor.text_document_rename_async(
            lsp.RenameParams(new_name="fruit", **editor.at(main, MAIN, "buy(f"))
        )
        assert local is not None
        after = lines_after(local, texts)
        assert 'buy(fruit: Fruit) by p "buy {fruit} 😀"' in after["orchard.rules"]
        assert "{worth(fruit)}" in after["orchard.rules"]
        assert "every f in Fruit" in after["orchard.rules"]
        # Also where a variant amends the rule; from there it is found, too.
        ripe = 'require fruit != pear or n > 1 "{fruit} is not ripe"'
        assert ripe in after["dear.rules"]
        variant = folder / "dear.rules"
        await editor.open(variant)
        place = editor.at(variant, VARIANT, "require f")
        again = await editor.text_document_rename_async(lsp.RenameParams(new_name="fruit", **place))
        assert again is not None
        assert lines_after(again, texts) == after
        # A hint is a click away.
        wrong = MAIN.replace("<= price", "<= prise")
        await editor.write(main, wrong)
        (error,) = editor.errors["orchard.rules"]
        actions = await editor.text_document_code_action_async(
            lsp.CodeActionParams(
                lsp.TextDocumentIdentifier(main.as_uri()),
                error.range,
                lsp.CodeActionContext([error]),
            )
        )
        assert actions is not None
        (action,) = actions
        assert isinstance(action, lsp.CodeAction) and action.edit is not None
        assert action.title == "Change to `price`"
        assert lines_after(action.edit, {**texts, "orchard.rules": wrong}) == texts
        # Formatting gives the canonical layout, and leaves alone what does not parse.
        untidy = MAIN.replace("const price = 3", "const price  =3")
        await editor.write(main, untidy)
        edits = await formatted(editor, main)
        assert [e.new_text for e in edits] == [MAIN]
        await editor.write(main, MAIN.replace("decreases", "("))
        assert await formatted(editor, main) == []

    session(story, folder)


async def formatted(editor: Editor, path: Path) -> list[lsp.TextEdit]:
    options = lsp.FormattingOptions(4, True)
    params = lsp.DocumentFormattingParams(lsp.TextDocumentIdentifier(path.as_uri()), options)
    return list(await editor.text_document_formatting_async(params) or [])


def test_verdicts(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Verdicts are shown until the text changes."""
    import verify
    from compiler.loading import load

    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    main = folder / "orchard.rules"
    text = MAIN.replace("bought[f] <= 4", "bought[f] <= 3")
    main.write_text(text, encoding="utf-8")
    verify.run(load(main), jobs=1)

    async def story(editor: Editor) -> None:
        await editor.open(main)
        document = lsp.TextDocumentIdentifier(main.as_uri())
        found = await editor.text_document_code_lens_async(lsp.CodeLensParams(document))
        assert found is not None
        commands = [lens.command for lens in found if lens.command is not None]
        (shown,) = [c for c in commands if c.command == "rules.showGame"]
        assert shown.title.startswith("REFUTED (invariant; 2 players, usual options): show game")
        record: Any = (shown.arguments or [""])[0]
        assert '"rules-record/1"' in record
        about = await editor.text_document_hover_async(
            lsp.HoverParams(**editor.at(main, text, "invariant few"))
        )
        assert about is not None and isinstance(about.contents, lsp.MarkupContent)
        assert "REFUTED (invariant; 2 players, usual options)" in about.contents.value
        await editor.write(main, text + "\n# one more line\n")
        found = await editor.text_document_code_lens_async(lsp.CodeLensParams(document))
        assert not found
        about = await editor.text_document_hover_async(
            lsp.HoverParams(**editor.at(main, text, "invariant few"))
        )
        assert about is not None and isinstance(about.contents, lsp.MarkupContent)
        assert "REFUTED" not in about.contents.value

    session(story, folder)


def test_a_module_of_a_large_game(tmp_path: Path) -> None:
    """A file that a game includes is checked with the game."""
    folder = tmp_path / "tzolkin"
    shutil.copytree(shipped_games()["tzolkin"].parent, folder)
    path = folder / "turn.rules"
    text = path.read_text(encoding="utf-8")

    async def story(editor: Editor) -> None:
        await editor.open(path)
        assert editor.errors["turn.rules"] == []
        await editor.write(path, text.replace("in_hand", "in_hnd", 1))
        assert "in_hnd" in editor.errors["turn.rules"][0].message

    session(story, folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_what_is_not_a_file_is_refused_and_not_waited_for(folder: Path) -> None:
    """Pipes beside the game, and questions about pipes, devices, folders and no paths at all."""
    main, pipe = folder / "orchard.rules", folder / "pipe.rules"
    os.mkfifo(pipe)
    odd = (pipe.as_uri(), folder.as_uri(), "file:///dev/zero", "file:///a%00b.rules")

    async def story(editor: Editor) -> None:
        await editor.open(main)
        assert messages(editor, "orchard.rules") == []
        for uri in odd:
            document = lsp.TextDocumentIdentifier(uri)
            with pytest.raises(JsonRpcException, match="is not a"):
                await editor.text_document_hover_async(
                    lsp.HoverParams(document, lsp.Position(0, 0))
                )
            with pytest.raises(JsonRpcException, match="is not a"):
                await editor.text_document_formatting_async(
                    lsp.DocumentFormattingParams(document, lsp.FormattingOptions(4, True))
                )
        found = await editor.text_document_hover_async(
            lsp.HoverParams(**editor.at(main, MAIN, "const pri"))
        )
        assert found is not None

    session(story, folder)
