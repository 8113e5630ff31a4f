"""The language server: requests of an editor, answered from the project.

Positions are counted from 0 there and from 1 here, and in the units that the editor chose.
"""

from __future__ import annotations

import asyncio
import gc
import os
from pathlib import Path
from typing import Protocol

from attrs import define, field
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import ServerTextPosition, ServerTextRange, TextDocument

from rules_dsl import __version__
from rules_dsl.editor.changes import CannotRename, Edit, fixes, rename
from rules_dsl.editor.colours import LEGEND, colours
from rules_dsl.editor.completion import proposals, signature
from rules_dsl.editor.hover import hover
from rules_dsl.editor.lenses import lenses
from rules_dsl.editor.memory import MOST_EDITS
from rules_dsl.editor.project import Analysis, Project
from rules_dsl.editor.proofs import Proof, kept_proofs
from rules_dsl.editor.symbols import COMPLETIONS, outline
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.formatter import LayoutError, format_text
from rules_dsl.language.sources import display_path
from rules_dsl.language.spans import Span

# Seconds without a key press before a text is checked, and before the rest is.
PAUSE, LONG_PAUSE = 0.05, 0.6


class PlaceQuestion(Protocol):
    """A question about a place in a file."""

    @property
    def text_document(self) -> lsp.TextDocumentIdentifier: ...

    @property
    def position(self) -> lsp.Position: ...


@define
class EditorSession:
    """One editor: its open files, and the diagnostics last published for each."""

    server: LanguageServer
    project: Project = field(factory=Project)
    # Number of changes of each file: a check that is out of date is skipped.
    changes: dict[Path, int] = field(factory=dict)
    told: dict[Path, set[str]] = field(factory=dict)
    proofs: dict[Path, dict[str, Proof]] = field(factory=dict)
    # Checks since the last full garbage collection.
    uncollected: int = 0

    # ---- places ----------------------------------------------------------------------------------

    def document(self, path: Path) -> TextDocument:
        """A file as the editor counts its positions."""
        uri = from_fs_path(str(path.resolve()))
        assert uri is not None
        return self.server.workspace.get_text_document(uri)

    def range(self, span: Span) -> lsp.Range:
        """A place as the editor counts it."""
        document = self.document(Path(span.file))
        start = ServerTextPosition(max(0, span.line - 1), max(0, span.column - 1))
        end = ServerTextPosition(max(0, span.end_line - 1), max(0, span.end_column - 1))
        return document.range_to_client_units(ServerTextRange(start, end))

    def location(self, span: Span) -> lsp.Location:
        """A place in a file."""
        return lsp.Location(self.document(Path(span.file)).uri, self.range(span))

    def place(self, params: PlaceQuestion) -> tuple[Path, str, int, int]:
        """The file, its name in messages, and the line and column that the editor asks about."""
        path = path_of(params.text_document.uri)
        document = self.server.workspace.get_text_document(params.text_document.uri)
        at = document.position_from_client_units(params.position)
        return path, display_path(path), at.line + 1, at.character + 1

    # ---- telling errors --------------------------------------------------------------------------

    async def changed(self, uri: str) -> None:
        """Check a changed file in a pause of typing, and the rest in a longer one."""
        path = path_of(uri)
        self.project.opened[path] = self.server.workspace.get_text_document(uri).source
        number = self.changes[path] = self.changes.get(path, 0) + 1
        await asyncio.sleep(PAUSE)
        if self.changes[path] != number:
            return
        analysis = self.project.analyse(path)
        self.tell(path, analysis)
        self.uncollected += 1
        await asyncio.sleep(LONG_PAUSE)
        if self.changes[path] == number:
            self.project.finish(analysis)
            self.tell(path, analysis)
            for _ in self.project.warn(analysis):
                await asyncio.sleep(0)  # a key that was pressed meanwhile is heard
                if self.changes[path] != number:
                    return
            if analysis.warnings:
                self.tell(path, analysis)
            self.collect()
        elif self.uncollected >= MOST_EDITS:
            self.collect()

    def collect(self) -> None:
        """Free the objects of earlier edits."""
        self.uncollected = 0
        gc.collect()

    def tell(self, path: Path, analysis: Analysis) -> None:
        """Publish the errors and warnings of all files of a game; files without any are cleared."""
        found: dict[str, list[lsp.Diagnostic]] = {file: [] for file in analysis.texts}
        for error in (*analysis.errors, *analysis.warnings):
            found.setdefault(error.span.file, []).append(self.diagnostic(error))
        told = self.told.setdefault(path, set())
        own = display_path(path)
        # The file itself comes last, after all files that its change affects.
        others = sorted((found.keys() | told) - {own})
        for file in (*others, own):
            errors = found.get(file, [])
            if errors or file in told or file == own:
                document = self.document(Path(file))
                self.server.text_document_publish_diagnostics(
                    lsp.PublishDiagnosticsParams(document.uri, errors, document.version)
                )
        self.told[path] = {file for file, errors in found.items() if errors}

    def diagnostic(self, error: Diagnostic) -> lsp.Diagnostic:
        """An error or a warning as the editor shows it."""
        severities = lsp.DiagnosticSeverity
        severity = severities.Warning if error.severity == "warning" else severities.Error
        related = [
            lsp.DiagnosticRelatedInformation(self.location(note.span), note.message)
            for note in error.notes
        ]
        hint = f"\n{error.hint}" if error.hint else ""
        return lsp.Diagnostic(
            self.range(error.span),
            f"{error.message}{hint}",
            severity,
            error.code,
            source="rules",
            related_information=related,
        )

    def text_edit(self, edit: Edit) -> lsp.TextEdit:
        """An edit as the editor makes it."""
        return lsp.TextEdit(self.range(edit.span), edit.text)

    def workspace_edit(self, edits: list[Edit]) -> lsp.WorkspaceEdit:
        """Edits by file."""
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            uri = self.document(Path(edit.span.file)).uri
            changes.setdefault(uri, []).append(self.text_edit(edit))
        return lsp.WorkspaceEdit(changes)

    def verdicts(self, path: Path) -> dict[str, Proof]:
        """The verdicts on the game of a file, if its text is that on the disk."""
        analysis = self.project.latest(path)
        for file, text in analysis.sources.texts.items():
            try:
                if Path(file).read_text(encoding="utf-8") != text:
                    return {}
            except OSError:
                return {}
        main = Path((analysis.sources.variants or [analysis.sources.main])[-1]).resolve()
        if main not in self.proofs:
            self.proofs[main] = kept_proofs(main)
        return self.proofs[main]


def path_of(uri: str) -> Path:
    """The file that an address names; an error for the editor if it cannot be a rule file.

    Opening a pipe would wait for a writer, and a device may have no end.
    """
    found = to_fs_path(uri) or uri
    try:
        path = Path(found).resolve()
    except (OSError, ValueError, RuntimeError):
        raise JsonRpcInvalidParams(f"{uri!r} is not a path") from None
    if os.path.exists(path) and not os.path.isfile(path):
        raise JsonRpcInvalidParams(f"{uri!r} is not a file")
    return path


def make_server() -> LanguageServer:
    """A server for rule files; `start_io()` runs it."""
    server = LanguageServer("rules", __version__)
    session = EditorSession(server)
    _documents(server, session)
    _places(server, session)
    _files(server, session)
    _edits(server, session)
    return server


def _documents(server: LanguageServer, session: EditorSession) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        await session.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        await session.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        session.proofs.clear()
        await session.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        session.project.opened.pop(path, None)
        session.changes[path] = session.changes.get(path, 0) + 1


def _places(server: LanguageServer, session: EditorSession) -> None:
    """Answers about a place in a file: meaning, declaration, uses, words that fit."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        path, file, line, column = session.place(params)
        analysis = session.project.latest(path)
        found = analysis.names.at(file, line, column)
        if found is None:
            return None
        text = hover(analysis, found[1], session.verdicts(path))
        markdown = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
        return lsp.Hover(markdown, session.range(found[0].span(file))) if text else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        path, file, line, column = session.place(params)
        names = session.project.latest(path).names
        found = names.at(file, line, column)
        return [session.location(d.span) for d in names.declarations(found[1])] if found else []

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        path, file, line, column = session.place(params)
        names = session.project.latest(path).names
        found = names.at(file, line, column)
        if found is None or not names.declarations(found[1]):
            return []
        declared = {d.span for d in names.declarations(found[1])}
        wanted = params.context.include_declaration
        spans = (word.span(where) for where, word in names.uses(found[1]))
        return [session.location(span) for span in spans if wanted or span not in declared]

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
    def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        path, file, line, column = session.place(params)
        analysis = session.project.latest(path)
        found = {p.text: p for p in reversed([*proposals(analysis, file, line, column)])}
        return [
            lsp.CompletionItem(p.text, kind=COMPLETIONS.get(p.kind), detail=p.detail or p.kind)
            for p in reversed(found.values())
        ]

    @server.feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","])
    )
    def signature_help(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        path, file, line, column = session.place(params)
        found = signature(session.project.latest(path).names, file, line, column)
        if found is None:
            return None
        parameters = [lsp.ParameterInformation(label) for label in found.parameters]
        one = lsp.SignatureInformation(found.text, parameters=parameters)
        return lsp.SignatureHelp([one], 0, found.active)


def _files(server: LanguageServer, session: EditorSession) -> None:
    """Answers about a whole file: outline, colours, verdicts."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path = path_of(params.text_document.uri)
        names = session.project.latest(path).names
        return outline(names.files[display_path(path)], session.range)

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(list(LEGEND), [])
    )
    def semantic_tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        path = path_of(params.text_document.uri)
        names = session.project.latest(path).names
        document = session.document(path)
        data: list[int] = []
        before = (0, 0)
        for piece, kind in colours(names, display_path(path)):
            line = document.lines[piece.line - 1]
            count = document.position_codec.client_num_units
            start = count(line[: piece.column - 1])
            down = piece.line - 1 - before[0]
            data += [
                down,
                start - (0 if down else before[1]),
                count(piece.text),
                LEGEND.index(kind),
                0,
            ]
            before = (piece.line - 1, start)
        return lsp.SemanticTokens(data)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path = path_of(params.text_document.uri)
        file = session.project.latest(path).names.files[display_path(path)]
        return [
            lsp.CodeLens(
                session.range(lens.span), lsp.Command(lens.title, lens.command, arguments=lens.args)
            )
            for lens in lenses(file, session.verdicts(path))
        ]


def _edits(server: LanguageServer, session: EditorSession) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def on_rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        path, file, line, column = session.place(params)
        found = session.project.latest(path).names.at(file, line, column)
        if found is None:
            return None
        try:
            edits = rename(session.project, path, found[1], params.new_name)
        except CannotRename as error:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, str(error)))
            return None
        return session.workspace_edit(edits)

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        path, file, line, column = session.place(params)
        names = session.project.latest(path).names
        found = names.at(file, line, column)
        if found is None or not names.declarations(found[1]):
            return None
        return session.range(found[0].span(file))

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        path = path_of(params.text_document.uri)
        document = session.document(path)
        try:
            text = format_text(document.source, display_path(path))
        except (RuleError, LayoutError):
            return []  # the errors are shown already
        if text == document.source:
            return []
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(document.lines), 0))
        return [lsp.TextEdit(whole, text)]

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix])
    )
    def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = path_of(params.text_document.uri)
        analysis = session.project.latest(path)
        file = display_path(path)
        found = []
        for error in analysis.errors:
            place = session.range(error.span)
            if error.span.file != file or not _meet(place, params.range):
                continue
            for title, edit in fixes(analysis, error):
                found.append(
                    lsp.CodeAction(
                        title,
                        lsp.CodeActionKind.QuickFix,
                        [session.diagnostic(error)],
                        edit=session.workspace_edit([edit]),
                        is_preferred=True,
                    )
                )
        return found


def _meet(one: lsp.Range, two: lsp.Range) -> bool:
    return one.start <= two.end and two.start <= one.end
