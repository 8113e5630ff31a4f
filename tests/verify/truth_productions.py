"""Which productions of the grammar small random games use, and how often.

`python -m tests.verify.truth_productions` prints the table.
"""

from __future__ import annotations

import re
from collections import Counter

from rules_dsl.language.diagnostics import Reporter
from rules_dsl.language.grammar import lark
from rules_dsl.language.parser import _chunks, _split_variant
from tests.verify.truth_games import program


def all_productions() -> set[str]:
    """The names under which productions occur in a parsed text; `expression` is for tests only."""
    return {
        rule.alias or rule.origin.name
        for rule in lark().rules
        if not rule.origin.name.startswith("_")
        and (rule.alias is not None or not rule.options.expand1)
    } - {"expression"}


def productions(text: str) -> Counter[str]:
    """The productions of one rule file."""
    reporter = Reporter()
    found: Counter[str] = Counter()
    for chunk in _chunks("small.rules", text, reporter):
        if re.match(r"variant\b", chunk.text):
            head, items = _split_variant("small.rules", chunk, reporter)
            parts = [(head.text, "declaration"), *((i.text, "variant_item") for i in items)]
        else:
            parts = [(chunk.text, "declaration")]
        for part, start in parts:
            tree = lark().parse(part.rstrip("\n") + "\n", start=start)
            found.update(str(node.data) for node in tree.iter_subtrees())
    return found


def programs_with(seeds: range) -> Counter[str]:
    """In how many programs each production occurs."""
    found: Counter[str] = Counter()
    for seed in seeds:
        used: set[str] = set()
        for text in program(seed).texts.values():
            used |= productions(text).keys()
        found.update(used)
    return found


if __name__ == "__main__":
    counts = programs_with(range(1_000))
    for name in sorted(all_productions(), key=lambda name: counts[name]):
        print(f"{counts[name]:6} {name}")
