"""Messages for a text that does not parse, in the words of its author."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import TerminalDef

from rules_dsl.language.diagnostics import Reporter, did_you_mean
from rules_dsl.language.phrasing import better_phrasing
from rules_dsl.language.tree_builder import TreeBuilder

STATEMENTS = (
    "let", "var", "add", "remove", "move", "assert", "return", "end", "while", "for", "if", "else",
    "choose", "draw", "roll", "require", "assumes", "ensures", "decreases", "keeps",
)  # fmt: skip

_TOKEN_NAMES = {
    "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
    "NAME": "a name", "INT": "a number", "STRING": "a string", "CITE": "a cite", "$END": "the end",
    "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`", "COLON": "`:`", "COMMA": "`,`",
    "EQUAL": "`=`", "DOT": "`.`", "QMARK": "`?`", "CHANGE": "`+=`", "__ANON_0": "`..`",
    "COMPARE": "a comparison", "SIGN": "`+` or `-`", "FACTOR": "`*`, `div` or `mod`",
    "MODE": "`optionally`", "ORDER": "`most` or `fewest`", "CHANCE": "`draw`",
    "PROVENANCE": "`provisional`", "CLAMPED": "`clamped`", "BANK": "`bank`",
    "DROPPABLE": "a rule (`action`, `function`, …, `waive`)",
    "_SCORES": "`scores`", "_SPREAD": "`spread`", "_STEPS": "`steps`", "_LEGS": "`legs`",
    "_COMPONENT": "`component`",
    "AMENDABLE": "`action` or `procedure`",
}  # fmt: skip

# Notations of other languages, and their equivalents here.
_FOREIGN = {
    "==": "equality is written `=`", "&&": "write `and`", "&": "write `and`, of sets `*`",
    "||": "write `or`", "|": "write `or`, of sets `+`", "!": "write `not`",
    "%": "the remainder is written `mod`",
    ";": "a line needs no `;`", "'": 'strings are written "…"', "{": "blocks are made by indenting",
    "}": "blocks are made by indenting", "^": "there are no powers: multiply",
    "@": "names use letters, digits and `_`", "$": "names use letters, digits and `_`",
    "\\": "inside brackets, and after a comma, a line may be broken freely",
}  # fmt: skip

# Words of other languages at the start of a line, and their equivalents here.
_FOREIGN_WORDS = {
    "elif": "write `else if`", "elsif": "write `else if`", "elseif": "write `else if`",
    "def": "write `function`, `procedure` or `action`", "fn": "write `function`",
    "func": "write `function`", "class": "components are `enum`, `good` and `table`",
    "import": "another rule file is spliced with `include`", "print": "texts belong to actions",
    "switch": "write `if` and `else if`", "match": "write `if` and `else if`",
    "foreach": "write `for x in …`",
    "break": "a loop ends by its condition", "continue": "leave elements out with `where`",
}  # fmt: skip

# The right places of lines that are often put at the left margin.
_HOMES = (
    (("pool", "zone"), "pools and zones belong below `state`"),
    (("columns", "row"), "columns and rows belong below `table`"),
    (("players", "source"), "this belongs below `game`"),
    (("score", "tie"), "this belongs below `scoring`"),
    (("given", "do", "expect", "refuse", "allow", "seed", "with"), "this belongs below `example`"),
    (("require",), "requirements belong in an `action`"),
    (("amend", "replace", "add", "drop"), "changes belong below `variant`"),
)

# Typographic characters and letters of other alphabets that look like those of the language.
_LOOK_ALIKES = {
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2010": "-", "\u2011": "-", "\u201c": '"',
    "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"', "\u2018": '"', "\u2019": '"',
    "\u00d7": "*", "\u00b7": "*", "\u00f7": "div", "\u2264": "<=", "\u2265": ">=", "\u2260": "!=",
    "\u2026": "..", "\u2227": "and", "\u2228": "or", "\u00ac": "not", "\u2208": "in",
    "\u2200": "every", "\u2203": "some", "\u21d2": "implies", "\u00a0": " ", "\u037e": ";",
    "\u0410": "A", "\u0412": "B", "\u0415": "E", "\u041a": "K", "\u041c": "M", "\u041d": "H",
    "\u041e": "O", "\u0420": "P", "\u0421": "C", "\u0422": "T", "\u0425": "X", "\u0430": "a",
    "\u0435": "e", "\u043e": "o", "\u0440": "p", "\u0441": "c", "\u0443": "y", "\u0445": "x",
    "\u0456": "i", "\u0458": "j", "\u0455": "s", "\u03bf": "o", "\u03b1": "a", "\u0391": "A",
    "\u0392": "B", "\u0395": "E", "\u0397": "H", "\u0399": "I", "\u039a": "K", "\u039c": "M",
    "\u039d": "N", "\u039f": "O", "\u03a1": "P", "\u03a4": "T", "\u03a7": "X",
}  # fmt: skip

_CITE_LIKE = re.compile(r"\[[A-Z][A-Za-z0-9]*[ ]+(?:\"|[0-9])[^\]\n]*\]")


def explain(
    builder: TreeBuilder,
    text: str,
    words: Sequence[str],
    error: UnexpectedInput,
    terminals: Iterable[TerminalDef],
    reporter: Reporter,
) -> None:
    """Report an unexpected token; `words` may start the text."""
    patterns = {t.name: str(t.pattern.value) for t in terminals}
    _Explainer(builder, text.split("\n"), words, patterns, reporter).explain(error)


@frozen
class _Explainer:
    builder: TreeBuilder
    lines: list[str]
    words: Sequence[str]
    patterns: dict[str, str]
    reporter: Reporter

    def explain(self, error: UnexpectedInput) -> None:
        lines = self.lines
        known = error.line if error.line and error.line > 0 else len(lines) - 1
        line = max(1, min(known, len(lines)))
        column = error.column if error.column and error.column > 0 else 1
        if isinstance(error, UnexpectedCharacters):
            self.character(line, column)
            return
        assert isinstance(error, UnexpectedToken)
        if error.token.type in ("_NL", "$END", "_INDENT", "_DEDENT"):
            self.end(line, error)
        elif line == 1 and column == 1:
            self.start(str(error.token))
        else:
            self.token(line, column, error)

    # ---- a word too many -------------------------------------------------------------------------

    def start(self, word: str) -> None:
        """The first word of a declaration or change."""
        where = "a declaration" if "game" in self.words else "a change of a variant"
        hint = _FOREIGN_WORDS.get(word) or did_you_mean(word, self.words)
        if not hint and "game" not in self.words:
            hint = f"one of: {', '.join(self.words)}"
        elif not hint:
            hint = next(
                (text for words, text in _HOMES if word in words),
                "statements belong in `setup`, `play`, a `procedure` or an `action`",
            )
        self.reporter.error(
            "E0110", f"`{word}` does not start {where}", self.builder.at(1, 1, len(word)), hint=hint
        )

    def token(self, line: int, column: int, error: UnexpectedToken) -> None:
        token = error.token
        word = str(token).split("\n")[0]
        here = self.lines[line - 1]
        first = re.match(r"\s*([A-Za-z]\w*)", here)
        expected = set(error.accepts or error.expected)
        span = self.builder.at(line, column, len(word))
        if here[column - 2 : column] == "==":
            at = self.builder.at(line, column - 1, 2)
            self.reporter.error("E0101", "unexpected `==`", at, hint=_FOREIGN["=="])
            return
        if self.foreign(line, column):
            return
        said = f"unexpected `{word}`" if token.type != "STRING" else f"unexpected string {word}"
        better = better_phrasing(here, column)
        if better:
            self.reporter.error("E0101", said, span, hint=better)
            return
        cite = next((m for m in _CITE_LIKE.finditer(here) if m.start() < column <= m.end()), None)
        if cite is not None:
            at = self.builder.at(line, cite.start() + 1, len(cite.group()))
            hint = "a cite belongs at the end of the line"
            self.reporter.error("E0101", "a cite is not expected here", at, hint=hint)
            return
        if line > 1 and {"CHANGE", "EQUAL"} <= expected and first is not None:
            if first.group(1) == "require":
                at = self.builder.at(line, first.start(1) + 1, len("require"))
                hint = "elsewhere, `assert` states a condition, `assumes` one that callers prove"
                message = "requirements belong at the start of an `action`"
                self.reporter.error("E0101", message, at, hint=hint)
                return
            meant = did_you_mean(first.group(1), STATEMENTS)
            at = self.builder.at(line, first.start(1) + 1, len(first.group(1)))
            if meant and first.group(1) not in STATEMENTS and here[first.end() :][:1] == " ":
                message = f"`{first.group(1)}` does not start a statement"
                self.reporter.error("E0101", message, at, hint=meant)
                return
            if token.type in ("SIGN", "FACTOR", "COMPARE"):
                at = self.builder.at(line, first.start(1) + 1, len(here.strip()))
                hint = "assign it (`x = …`), or call a procedure"
                message = "this is a value, not something that happens"
                self.reporter.error("E0117", message, at, hint=hint)
                return
        self.reporter.error("E0101", said, span, hint=self.token_hint(here, column, error))

    def foreign(self, line: int, column: int) -> bool:
        """Report a notation of another language; returns whether it was one."""
        here = self.lines[line - 1]
        arrow = re.search(r"=>|->", here)
        if arrow is not None and arrow.start() < column <= arrow.end():
            hint = "one follows from the other: `implies`; at least: `>=`; a branch: indent it"
            at = self.builder.at(line, arrow.start() + 1, 2)
            self.reporter.error("E0101", f"unexpected `{arrow.group()}`", at, hint=hint)
            return True
        first = re.match(r"\s*([A-Za-z]\w*)", here)
        used = first is not None and here[first.end() :].lstrip()[:1] in ("=", "+", "-", "[", ".")
        if line > 1 and first is not None and first.group(1) in _FOREIGN_WORDS and not used:
            word = first.group(1)
            at = self.builder.at(line, first.start(1) + 1, len(word))
            self.reporter.error(
                "E0101", f"`{word}` does not start a statement", at, hint=_FOREIGN_WORDS[word]
            )
            return True
        twice = re.match(r"(\s*)([^\s+-]+)\s*(\+\+|--)\s*$", here)
        if twice is not None:
            at = self.builder.at(line, twice.start(3) + 1, 2)
            hint = f"write `{twice.group(2)} {twice.group(3)[0]}= 1`"
            self.reporter.error("E0101", f"unexpected `{twice.group(3)}`", at, hint=hint)
        return twice is not None

    def token_hint(self, here: str, column: int, error: UnexpectedToken) -> str:
        word = str(error.token)
        rest = here[column - 1 :]
        if rest.startswith(":="):
            return "an assignment is written `=`"
        if word == "is":
            return "equality is written `=`"
        if word == "then" and rest.rstrip() == "then":
            return "leave `then` out; the body of this line is indented below it"
        if rest.rstrip() == ":":
            return "leave the `:` out; the body of this line is indented below it"
        if error.token.type in ("COMPARE", "EQUAL") and re.search(r"[<>=]", here[: column - 1]):
            return "one comparison at a time: `a < b and b < c`"
        if error.token.type == "CITE":
            return "a cite belongs at the end of the line"
        change = re.match(r"\s*replace\s+const\s+(\w+)", here)
        if change is not None and word == "const":
            return f"write `const {change.group(1)} = …` without `replace`"
        names = re.findall("`([^`]+)`", " ".join(self.expected_names(error)))
        keyword = did_you_mean(word, [n for n in names if n.isalpha() and len(n) > 2])
        expected = self.expected(error)
        return keyword or (f"expected {expected}" if expected else "")

    # ---- a character that has no meaning ---------------------------------------------------------

    def character(self, line: int, column: int) -> None:
        here = self.lines[line - 1][column - 1 :] if line <= len(self.lines) else ""
        char = here[:1]
        span = self.builder.at(line, column, 1)
        if char == '"':
            self.reporter.error(
                "E0106",
                "this string is not closed on its line",
                self.builder.at(line, column, max(1, len(here))),
                hint='end it with `"`; inside a string write \\" for a quote',
            )
        elif char == "_":
            word = re.match(r"\w+", here)
            self.reporter.error(
                "E0111",
                "a name starts with a letter",
                self.builder.at(line, column, len(word.group()) if word else 1),
                hint="`_` may stand inside a name or at its end",
            )
        elif char and ord(char) > 127:
            self.foreign_letter(char, line, column)
        else:
            shown = char if char.isprintable() else f"U+{ord(char or chr(0)):04X}"
            hint = _FOREIGN.get(here[:2]) or _FOREIGN.get(char, "")
            if re.match(r"\{[^{}]+\}", here):
                hint = "a set is written `[a, b]`, or `each x in D where …`; blocks are indented"
            self.reporter.error("E0102", f"unexpected character `{shown}`", span, hint=hint)

    def foreign_letter(self, char: str, line: int, column: int) -> None:
        name = unicodedata.name(char, f"U+{ord(char):04X}")
        plain = _LOOK_ALIKES.get(char) or (
            unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
        )
        message = (
            f"names use Latin letters; this is {name}"
            if char.isalpha()
            else f"this character has no meaning here: {name}"
        )
        hint = "it belongs in strings: labels and titles"
        if plain.strip():
            hint = f"it looks like `{plain}`, but is another character: type `{plain}`"
        elif plain:
            hint = "type a plain space"
        self.reporter.error("E0107", message, self.builder.at(line, column, 1), hint=hint)

    # ---- something missing -----------------------------------------------------------------------

    def end(self, line: int, error: UnexpectedToken) -> None:
        token = error.token
        if token.type == "_INDENT":
            number = self.next_line(line)
            content = self.lines[number - 1]
            indent = len(content) - len(content.lstrip(" "))
            self.reporter.error(
                "E0121",
                "this line is indented, but the line above it opens no block",
                self.builder.at(number, indent + 1, len(content.rstrip()) - indent or 1),
                hint="indent it as the line above, or end that line with a comma to go on",
            )
            return
        number = self.previous_line(line)
        content = self.lines[number - 1]
        if self.foreign(number, len(content)):
            return
        indent = len(content) - len(content.lstrip(" "))
        expected = self.expected(error)
        below = token.type == "_DEDENT" or (token.type == "$END" and "_INDENT" in error.expected)
        if below or expected == "an indented block":
            self.reporter.error(
                "E0119",
                "something is missing below this line",
                self.builder.at(number, indent + 1, len(content.rstrip()) - indent or 1),
                hint=f"expected {expected}" if expected else "",
            )
            return
        if '"' not in content:
            content = content.split("#")[0]
        at = max(1, len(content.rstrip()))
        hint = better_phrasing(content, at) or (f"expected {expected}" if expected else "")
        self.reporter.error(
            "E0101",
            "something is missing at the end of this line",
            self.builder.at(number, at, 1),
            hint=hint,
        )

    def previous_line(self, line: int) -> int:
        number = min(line, len(self.lines))
        while number > 1 and not self.lines[number - 1].strip():
            number -= 1
        return number

    def next_line(self, line: int) -> int:
        number = min(line + 1, len(self.lines))
        while number < len(self.lines) and not self.lines[number - 1].strip():
            number += 1
        return number

    # ---- what could stand here -------------------------------------------------------------------

    def expected(self, error: UnexpectedToken) -> str:
        shown = sorted(set(self.expected_names(error)), key=lambda n: (n.startswith("`"), n))
        if len(shown) > 6:
            shown = [n for n in shown if not n.startswith("`") or len(n) <= 3][:6]
        if not shown:
            return ""
        return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]

    def expected_names(self, error: UnexpectedToken) -> Iterator[str]:
        for terminal in set(error.accepts or error.expected):
            if terminal in _TOKEN_NAMES:
                yield _TOKEN_NAMES[terminal]
            elif terminal in self.patterns and not terminal.startswith("_"):
                yield f"`{self.patterns[terminal]}`".replace("\\", "")


def report_indentation(builder: TreeBuilder, text: str, reporter: Reporter) -> None:
    """Find the line whose indentation fits no block above it."""
    levels = [0]
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.strip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if indent > levels[-1]:
            levels.append(indent)
            continue
        while indent < levels[-1]:
            levels.pop()
        if indent != levels[-1]:
            reporter.error(
                "E0104",
                "this indentation matches no line above",
                builder.at(number, 1, indent or 1),
                hint="use four spaces for each level",
            )
            return
    reporter.error(
        "E0104",
        "the indentation of this declaration is uneven",
        builder.at(1, 1, 1),
        hint="use four spaces for each level",
    )
