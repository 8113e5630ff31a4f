"""Names of the rules in the reader's language, wherever they occur in a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping

Labels = Mapping[str, tuple[str, Mapping[str, str]]]
# Sentences of the engine itself, which no rule file can translate.
SENTENCES: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "ru": (
        (re.compile(r"^chance: draw (.+)$"), r"случай: вытянуто \1"),
        (re.compile(r"^chance: roll (.+)$"), r"случай: выпало \1"),
        (re.compile(r"^shown: (.+)$"), r"открыто: \1"),
        (re.compile(r"^(.+) has chosen$"), r"\1: выбор сделан"),
        (re.compile(r"^the game is over: nobody wins$"), r"игра окончена, победителя нет"),
        (re.compile(r"^the game is over: (.+) wins$"), r"игра окончена, победа: \1"),
        (re.compile(r": ([+-]?\d+) unseen$"), r": \1 взакрытую"),
        (re.compile(r"(?<=: )none(?= → )|(?<= → )none$"), "—"),
    ),
}


class Translation:
    """Replaces the names and English labels of a game by its labels in another language.

    Sentences of the engine are translated, too. Words for which the rules give no label stay as
    they are, and so does all text in English.

    >>> russian = Translation({"tikal": ("Tikal", {"ru": "Тикаль"})}, "ru")
    >>> russian("blue: place tikal"), russian("Tikal 3")
    ('blue: place Тикаль', 'Тикаль 3')
    >>> column = Translation({"building": ("construction column", {"ru": "столбец"})}, "ru")
    >>> column("construction column 2"), column("use building")
    ('столбец 2', 'use building')
    >>> russian("chance: draw tikal"), russian("blue has chosen")
    ('случай: вытянуто Тикаль', 'blue: выбор сделан')
    """

    def __init__(self, labels: Labels, language: str) -> None:
        self.sentences = SENTENCES.get(language, ())
        self.words: dict[str, str] = {}
        for name, (text, translations) in labels.items():
            if language in translations:
                self.words.setdefault(text, translations[language])
                # A name that says something else than its label is a word of English sentences.
                spaced = name.replace("_", " ")
                if spaced.casefold() == text.casefold():
                    self.words.setdefault(name, translations[language])
                    self.words.setdefault(spaced, translations[language])
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
