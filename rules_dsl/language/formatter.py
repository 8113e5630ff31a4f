"""The one canonical way to lay out a rule file.

Every line is printed anew from the syntax tree; comments and the author's blank lines are put back
where they stood. Formatting twice changes nothing.

>>> print(format_text("enum  Suit:hearts,spades#two\\n\\n\\n\\nconst n=3"), end="")
enum Suit: hearts, spades  #two
<BLANKLINE>
const n = 3
"""

from __future__ import annotations

from attrs import define, field

from rules_dsl.language.diagnostics import Reporter, RuleError
from rules_dsl.language.layout import INDENT
from rules_dsl.language.parser import parse_file
from rules_dsl.language.printer import Line, declaration_lines, line_text
from rules_dsl.language.shape import shape
from rules_dsl.language.spans import Span
from rules_dsl.language.syntax import File, Variant
from rules_dsl.language.trivia import Comment, LogicalLine, SourceText, read_trivia


class LayoutError(Exception):
    """The text in its canonical layout would not say the same: a mistake of the formatter."""


def format_text(text: str, path: str = "rules") -> str:
    """The text of a rule file in its canonical layout; raises `RuleError` if it does not parse.

    What is printed is parsed again: if it does not say the same, that is a `LayoutError`.
    """
    reporter = Reporter()
    tree = parse_file(path, text, reporter)
    if reporter:
        raise RuleError(reporter.diagnostics, {path: text})
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    formatted = _Formatter(read_trivia(text)).format(tree)
    again = parse_file(path, formatted, reporter)
    if reporter or shape(again) != shape(tree):
        raise LayoutError(f"{path} cannot be laid out without changing what it says")
    return formatted


@define
class _Formatter:
    source: SourceText
    out: list[str] = field(factory=list)
    # Columns in the source at which the open blocks start, by level.
    columns: list[int] = field(factory=list)
    # The level of the last printed line.
    level: int = 0
    index: int = 0

    def format(self, tree: File) -> str:
        several = False
        for declaration in tree.declarations:
            lines = list(declaration_lines(declaration, self.joined))
            apart = several
            several = len(lines) > 1
            starts = _item_starts(lines) if isinstance(declaration, Variant) else {}
            for number, line in enumerate(lines):
                if number == 0:
                    self.print(line, apart=bool(self.out) and (apart or several))
                else:
                    opened = lines[number - 1].opens and not (
                        number == 1 and isinstance(declaration, Variant)
                    )
                    self.print(line, apart=starts.get(number, False), opened=opened)
        self.comments(self.source.below, 0)
        return "\n".join(self.out) + "\n" if self.out else ""

    def joined(self, one: Span, two: Span) -> bool:
        """Whether two places are on one line of the source, as the grammar sees it."""
        return self.source.line_at(one.line) == self.source.line_at(two.line)

    def print(self, line: Line, apart: bool, opened: bool = False) -> None:
        """Print a line with the comments around it.

        `apart` asks for a blank line before it, `opened` says that it is the first of a block.
        """
        source = self.source.lines[self.index]
        self.index += 1
        blank = source.blank_before
        if source.above:
            if opened:
                source.above[0].blank_before = False
            elif apart:
                self.separate(source.above, line.level)
            self.comments(source.above, line.level)
        elif opened:
            blank = False
        elif apart:
            blank = True
        self.blank(blank)
        self.level = line.level
        self.columns[line.level :] = [source.column]
        trailing = f"  {source.trailing}" if source.trailing else ""
        self.out.append(_printed(line, source) + trailing)

    def separate(self, comments: list[Comment], level: int) -> None:
        """Put a blank line before the first comment that belongs to what follows."""
        for comment in comments:
            if self.comment_level(comment, level) <= level:
                comment.blank_before = True
                return

    def comments(self, comments: list[Comment], level: int) -> None:
        """Print comments before a line of a level, or at the end of the file."""
        for comment in comments:
            at = self.comment_level(comment, level)
            self.blank(comment.blank_before)
            self.level = at
            self.out.append(" " * (INDENT * at) + comment.text)

    def comment_level(self, comment: Comment, level: int) -> int:
        """The indentation of a comment: as what follows, or as the block above if deeper."""
        for at in range(self.level, level, -1):
            if at < len(self.columns) and self.columns[at] <= comment.column:
                return at
        return level

    def blank(self, wanted: bool) -> None:
        if wanted and self.out:
            self.out.append("")


def _item_starts(lines: list[Line]) -> dict[int, bool]:
    """The lines of a variant at which a change starts, and whether a blank line comes before it."""
    starts = [n for n, line in enumerate(lines) if line.level == 1]
    found: dict[int, bool] = {}
    for place, number in enumerate(starts[1:], 1):
        end = starts[place + 1] if place + 1 < len(starts) else len(lines)
        found[number] = end - number > 1 or number - starts[place - 1] > 1
    return found


def _printed(line: Line, source: LogicalLine) -> str:
    if not source.commented_inside:
        return line_text(line)
    # Only the author knows what a comment inside brackets belongs to: the lines stay as they are.
    shift = INDENT * line.level - source.column
    first, *rest = source.text.split("\n")
    out = [" " * (INDENT * line.level) + first.rstrip()]
    for text in rest:
        content = text.strip()
        indent = max(0, len(text) - len(text.lstrip()) + shift)
        out.append(" " * indent + content if content else "")
    return "\n".join(out)
