"""An editor without a screen: a real client that talks to `rules lsp` in a separate process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient


class Editor(LanguageClient):
    """Opens and changes files, and keeps the diagnostics of the server."""

    def __init__(self) -> None:
        super().__init__("test", "1")
        self.errors: dict[str, list[lsp.Diagnostic]] = {}
        self.messages: list[str] = []
        self.told = asyncio.Event()
        self.versions: dict[Path, int] = {}
        self.seen: dict[str, int] = {}

        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.published))
        self.feature(lsp.WINDOW_SHOW_MESSAGE)(partial(self.shown))

    def published(self, params: lsp.PublishDiagnosticsParams) -> None:
        """Take the errors of a file; the file that was changed comes last, with its version."""
        name = Path(params.uri).name
        self.errors[name] = list(params.diagnostics)
        self.seen[name] = params.version or 0
        self.told.set()

    def shown(self, params: lsp.ShowMessageParams) -> None:
        """Take a message."""
        self.messages.append(params.message)

    async def open(self, path: Path) -> None:
        """Open a file and wait for its diagnostics."""
        text = path.read_text(encoding="utf-8")
        self.versions[path] = 1
        item = lsp.TextDocumentItem(path.as_uri(), "rules", 1, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await self.heard(path)

    async def write(self, path: Path, text: str) -> None:
        """Replace the whole text of a file and wait for its diagnostics."""
        self.versions[path] += 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[path], path.as_uri())
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
        await self.heard(path)

    async def heard(self, path: Path) -> None:
        """Wait until the server has told the errors of a file as it is."""
        while self.seen.get(path.name) != self.versions[path]:
            await self.news()

    async def news(self) -> None:
        """Wait until the server tells the errors of some file."""
        self.told.clear()
        await asyncio.wait_for(self.told.wait(), 120)

    def at(self, path: Path, text: str, after: str) -> dict[str, Any]:
        """The place right after a piece of the text, as arguments of a question."""
        before = text[: text.index(after) + len(after)]
        line = before.count("\n")
        column = len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
        return {
            "text_document": lsp.TextDocumentIdentifier(path.as_uri()),
            "position": lsp.Position(line, column),
        }


def session(story: Callable[[Editor], Awaitable[None]], folder: Path) -> None:
    """Play a story with a new server."""

    async def run() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "rules_dsl", "lsp")
        try:
            await editor.initialize_async(
                lsp.InitializeParams(lsp.ClientCapabilities(), root_uri=folder.as_uri())
            )
            editor.initialized(lsp.InitializedParams())
            await story(editor)
            await editor.shutdown_async(None)
        finally:
            editor.exit(None)
            await editor.stop()  # type: ignore[no-untyped-call]

    asyncio.run(run())
