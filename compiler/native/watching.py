"""Writing cells that kept answers were read from.

Answers that tell the same values of the same arrays apart form a group. A position has a number
for each group, another one whenever a cell changes in a way that matters to it, and an answer is
kept with that number.
"""

from __future__ import annotations

from compiler.layout import Layout, Slot
from compiler.plan.value_reads import ValuesRead


class Watch:
    """The groups of answers of a module."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.groups: list[ValuesRead] = []

    def group(self, read: ValuesRead) -> int:
        """The number of the group of answers that were read from these cells."""
        if read not in self.groups:
            self.groups.append(read)
        return self.groups.index(read)

    def watched(self, array: str) -> bool:
        """Whether any answer is read from an array."""
        return any(array in group for group in self.groups)

    def setter(self, array: str) -> str:
        """The name of what writes a cell of an array."""
        return f"set_{list(self.layout.arrays).index(array)}"

    def setters(self) -> list[str]:
        """Functions that write a cell, and one that compares the cells with other bytes."""
        lines: list[str] = []
        compared: list[str] = []
        for array, slot in self.layout.arrays.items():
            name, width = self.setter(array), slot.width
            if not self.watched(array):
                lines.append(f"#define {name}(s, a, v) put{width}(s, a, v)")
                continue
            first, size = slot.offset, slot.end - slot.offset
            told = [number for number, group in enumerate(self.groups) if array in group]
            compared.append(f"    if (__builtin_memcmp(s->b + {first}, from + {first}, {size})) {{")
            compared += [f"        {_told(number)}" for number in told]
            compared.append("    }")
            lines += [
                f"static inline void {name}(S *s, u32 a, i64 v) {{",
                f"    u64 was = get{width}(s, a), is;",
                f"    put{width}(s, a, v);",
                f"    is = get{width}(s, a);",
                "    if (was == is) return;",
            ]
            lines += [
                f"    {_test(slot, self.groups[number][array])}{_told(number)}" for number in told
            ]
            lines.append("}")
        head = "static inline void compare(S *s, const u8 *from) {"
        return [*lines, head, *compared, "    (void)s; (void)from;", "}"]


def _told(number: int) -> str:
    return f"s->now.group[{number}] = ++s->last;"


def _test(slot: Slot, values: frozenset[int] | None) -> str:
    """The condition that a change is one between values that are told apart."""
    if values is None:
        return ""
    stored = [
        int.from_bytes(slot.encode(v), "little") for v in sorted(values) if slot.lo <= v <= slot.hi
    ]
    tests = [f"was == {value} || is == {value}" for value in stored]
    return f"if ({' || '.join(tests) or '0'}) "
