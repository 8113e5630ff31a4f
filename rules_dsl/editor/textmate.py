"""The TextMate grammar for editors that colour a file before the server has read it.

`python -m rules_dsl.editor.textmate` writes it into the VS Code extension. Colours that know what a
name means come from the server; this grammar knows the words of the language only.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rules_dsl.highlighting import keywords
from rules_dsl.language.files import write_text
from rules_dsl.language.parser import DECLARATIONS

FILE = Path(__file__).with_name("vscode") / "syntaxes" / "rules.tmLanguage.json"


def grammar() -> dict[str, Any]:
    """The grammar as data."""
    others = sorted(set(keywords()) - set(DECLARATIONS))
    return {
        "scopeName": "source.rules",
        "name": "Rules",
        "patterns": [
            {"match": "#.*$", "name": "comment.line.number-sign.rules"},
            {
                "match": r'\[[A-Z][A-Za-z0-9]* +(?:"[^"]*"|[0-9])(?:"[^"]*"|[^\]"])*\]',
                "name": "entity.other.attribute-name.cite.rules",
            },
            {
                "begin": '"',
                "end": '"|$',
                "name": "string.quoted.double.rules",
                "patterns": [
                    {"match": r"\\.", "name": "constant.character.escape.rules"},
                    {"match": r"\{[^}]*\}", "name": "meta.embedded.expression.rules"},
                ],
            },
            {
                "match": rf"^( *)(?:(add|replace|drop|amend) +)?({'|'.join(DECLARATIONS)})\b"
                r"(?: +([A-Za-z]\w*))?",
                "captures": {
                    "2": {"name": "keyword.control.rules"},
                    "3": {"name": "keyword.declaration.rules"},
                    "4": {"name": "entity.name.rules"},
                },
            },
            {"match": r"\b(?:true|false|none)\b", "name": "constant.language.rules"},
            {"match": rf"\b(?:{'|'.join(others)})\b", "name": "keyword.control.rules"},
            {"match": r"\b[A-Z]\w*\b", "name": "entity.name.type.rules"},
            {"match": r"\b\d+\b", "name": "constant.numeric.rules"},
            {"match": r"\b[a-z]\w*(?=\()", "name": "entity.name.function.rules"},
        ],
    }


def main() -> None:
    """Write the grammar into the extension."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    write_text(FILE, json.dumps(grammar(), indent=2) + "\n")


if __name__ == "__main__":
    main()
