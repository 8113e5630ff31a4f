"""Rule files in an editor: what `rules lsp` answers (extra `editor`).

Everything but the server itself works on texts and plain data, so that other front ends can use it.
"""
