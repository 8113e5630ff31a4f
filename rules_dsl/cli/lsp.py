"""`rules lsp`: rule files in an editor."""

from __future__ import annotations

import click

from rules_dsl.cli.errors import BadInput


@click.command("lsp", short_help="Serve an editor: errors, names, colours, changes.")
def lsp_command() -> None:
    """Speak the Language Server Protocol over standard input and output.

    An editor starts this by itself; see the documentation on how to set one up.
    """
    try:
        from rules_dsl.editor.memory import full_collections_by_request
        from rules_dsl.editor.server import make_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise BadInput("`rules lsp` needs pygls: pip install 'rules-dsl[editor]'") from None
    with full_collections_by_request():
        make_server().start_io()
