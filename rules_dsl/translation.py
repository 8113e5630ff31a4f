"""Names of the rules in the reader's language, wherever they occur in a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules_dsl.language.braces import BRACES

LANGUAGES = ("en", "ru")
Labels = Mapping[str, tuple[str, Mapping[str, str]]]
# Sentences of the engine itself, which no rule file can translate.
SENTENCES: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "ru": (
        (re.compile(r"^chance: draw (.+)$"), r"случай: вытянуто \1"),
        (re.compile(r"^chance: roll (.+)$"), r"случай: выпало \1"),
        (re.compile(r"^( *)shown: (.+)$"), r"\1открыто: \2"),
        (re.compile(r"^(.+) has chosen$"), r"\1: выбор сделан"),
        (re.compile(r"^the game is over: nobody wins$"), r"игра окончена, победителя нет"),
        (re.compile(r"^the game is over: (.+) wins$"), r"игра окончена, победа: \1"),
        (re.compile(r"^(|[^:]+: )stop$"), r"\1хватит"),
        (re.compile(r"^(|[^:]+: )pass$"), r"\1пропустить"),
        (re.compile(r": ([+-]?\d+) unseen$"), r": \1 взакрытую"),
        (re.compile(r"(?<=: )none(?= → )|(?<= → )none$"), "—"),
    ),
}


# The player who made the move, in front of it.
SPEAKER = r"^(?P<speaker>(?:[\w' -]+: )?)"
# What the terminal adds to a move, such as its price.
REMARK = r"(?P<remark>(?:  .*)?)$"


class Translation:
    """Replaces the names and English labels of a game by its labels in another language.

    Sentences of the engine and notations are translated, too. Words for which the rules give no
    label stay as they are, and so does all text in English.

    >>> russian = Translation({"tikal": ("Tikal", {"ru": "Тикаль"})}, "ru")
    >>> russian("blue: place tikal"), russian("Tikal 3")
    ('blue: place Тикаль', 'Тикаль 3')
    >>> column = Translation({"building": ("construction column", {"ru": "столбец"})}, "ru")
    >>> column("construction column 2"), column("use building")
    ('столбец 2', 'use building')
    >>> russian("chance: draw tikal"), russian("blue has chosen"), russian("  shown: tikal")
    ('случай: вытянуто Тикаль', 'blue: выбор сделан', '  открыто: Тикаль')
    >>> notation = {"bid {n} on {c}": ("bid {n} on {c}", {"ru": "за {c} дать {n}"})}
    >>> Translation(notation, "ru")("red: bid 3 on the lamp")
    'red: за the lamp дать 3'
    """

    def __init__(self, labels: Labels, language: str) -> None:
        self.words: dict[str, str] = {}
        notations: dict[str, str] = {}
        for name, (text, translations) in labels.items():
            if language not in translations:
                continue
            if name == text and not text.isidentifier():
                notations[text] = translations[language]
            else:
                self.words.setdefault(text, translations[language])
                # A name that says something else than its label is a word of English sentences.
                spaced = name.replace("_", " ")
                if spaced.casefold() == text.casefold():
                    self.words.setdefault(name, translations[language])
                    self.words.setdefault(spaced, translations[language])
        # A move may fit two notations ("take {a}", "take {a} and {b}"): more words say more.
        said = sorted(notations, key=lambda text: len(BRACES.sub("", text)), reverse=True)
        self.sentences = [
            *(_sentence(text, notations[text]) for text in said),
            *SENTENCES.get(language, ()),
        ]
        longest = sorted(self.words, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest))
        self.pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") if longest else None

    def __call__(self, text: str) -> str:
        """The text with every known name in the other language."""
        for sentence, translated in self.sentences:
            text = sentence.sub(translated, text)
        if self.pattern is None:
            return text
        return self.pattern.sub(lambda found: self.words[found[0]], text)


def _sentence(notation: str, translated: str) -> tuple[re.Pattern[str], str]:
    """The pattern of the moves with a notation, and what replaces it."""
    holes: dict[str, str] = {}

    def group(written: str) -> str:
        if written in holes:
            return f"(?P={holes[written]})"
        holes[written] = f"hole{len(holes)}"
        return f"(?P<{holes[written]}>.+?)"

    words = BRACES.split(notation)
    words[::2] = map(re.escape, words[::2])
    words[1::2] = map(group, words[1::2])
    said = BRACES.split(translated)
    said[::2] = [text.replace("\\", "\\\\") for text in said[::2]]
    said[1::2] = [rf"\g<{holes[written]}>" for written in said[1::2]]
    return re.compile(
        f"{SPEAKER}{''.join(words)}{REMARK}"
    ), rf"\g<speaker>{''.join(said)}\g<remark>"
