"""Rule texts written in the browser: each in its own folder, with a secret key.

A folder of its own keeps `include` from reading the texts of others.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from rules_dsl.language.files import write_text
from rules_dsl.web.desk import Refused
from rules_dsl.web.store import Store

LONGEST_TEXT = 200_000
MOST_DRAFTS = 500
FILE = "house.rules"


class Drafts:
    """The drafts of a server."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def offer(self, text: str) -> str:
        """A draft of a file that the server offers: the same one until it is edited."""
        for key in self.store:
            if (self.about(key) or {}).get("offered") is True and self.read(key) == text:
                return key
        return self.create(text, "", offered=True)

    def create(self, text: str, of: str, offered: bool = False) -> str:
        """A new draft; `of` is the game that it varies, if it is a variant."""
        if sum(1 for _ in self.store) >= MOST_DRAFTS:
            raise Refused(f"there are already {MOST_DRAFTS} drafts here")
        key = secrets.token_urlsafe(16)
        # The entry is what makes it a draft: it is written when the text is there.
        self.write(key, text)
        self.store.write(key, {"of": of, "offered": offered})
        return key

    def about(self, key: str) -> dict[str, Any] | None:
        """The metadata of a draft."""
        return self.store.read(key)

    def path(self, key: str) -> Path:
        """The rule file of a draft."""
        folder = self.store.path(key, "draft")
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder / FILE

    def read(self, key: str) -> str:
        """The text of a draft."""
        return self.path(key).read_text(encoding="utf-8")

    def write(self, key: str, text: str) -> None:
        """Replace the text of a draft; raises `Refused` for one that is too long."""
        if len(text) > LONGEST_TEXT:
            raise Refused(f"a text has at most {LONGEST_TEXT:,} characters here")
        write_text(self.path(key), text)
