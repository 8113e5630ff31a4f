"""The explanation of a kind of error."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

# What an example is: declarations of a game, a whole file, or the changes of a variant; `nothing`
# if there is none to show.
Kind = Literal["declarations", "file", "changes", "nothing"]


@frozen
class Explanation:
    """A kind of error in plain words, with an example of it and of its repair."""

    code: str
    title: str
    text: str
    wrong: str = ""
    right: str = ""
    kind: Kind = "declarations"

    def __str__(self) -> str:
        parts = [f"{self.code}: {self.title}", self.text]
        if self.wrong:
            parts += ["Wrong:", _indented(self.wrong), "Right:", _indented(self.right)]
        return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join("    " + line if line else "" for line in text.split("\n"))
