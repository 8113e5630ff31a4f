"""Loops too long to be carried out round by round, each with a fault and without."""

from __future__ import annotations

from textwrap import indent

from attrs import frozen

_RULES = """
game cut_loops
    players 2

good coin limit 10

state
    turns: 0..20 = 0
    heap[0..47]: 0..9 = 0
    next_[0..47]: 0..47 = 0
    shut[0..47]: bool = false
    filled: 0..48 = 0
    low: 0..9 = 0
    total: 0..500 = 0
    pool till bank
    pool purse[Player]

action grow(c: 0..47) by p
    require heap[c] < 3 and total < 400
    heap[c] += 1
    total += 1

action point(c: 0..47, d: 0..47) by p
    next_[c] = d

action close_(c: 0..47) by p
    shut[c] = not shut[c]

procedure spread(p: Player, c: 0..47)
{contract}{body}
action flow(c: 0..47) by p
    spread(p, c)

play
    while turns < 20 decreases 20 - turns
        turns += 1
        for p in Player
            choose p: grow, point, close_, flow

scoring
    score p = filled

invariant low_is_low
    low <= 2
"""


@frozen
class CutLoop:
    """A procedure with a long loop: as it fails, and as it holds."""

    name: str
    obligation: str
    bad: str
    good: str
    contract: str = ""
    # More rules: invariants.
    more: str = ""

    def rules(self, body: str) -> str:
        """The rule file."""
        contract = indent(self.contract.strip(), "    ") + "\n" if self.contract else ""
        text = _RULES.replace("{contract}", contract)
        return text.replace("{body}", indent(body.strip("\n"), "    ") + "\n") + self.more


# What makes the loop too much work to be carried out: every round may change any heap.
_WORK = "    if shut[k] and heap[next_[k]] < 9\n        heap[next_[k]] += 1\n"
_SUM = """
invariant all_is_counted
    sum(k in 0..47: heap[k]) = total
"""

CUT_LOOPS = [
    CutLoop(
        "last_round_breaks_an_invariant", "invariant",
        f"for k in 0..47\n{_WORK}    if k = 47 and shut[k]\n        low = 3",
        f"for k in 0..47\n{_WORK}    if k = 47 and shut[k]\n        low = 2",
    ),
    CutLoop(
        "second_round_breaks_an_invariant", "invariant",
        f"for k in 0..47\n{_WORK}    if shut[k] and low < 9\n        low += 1",
        f"for k in 0..47\n{_WORK}    if shut[k] and low < 2\n        low += 1",
    ),
    CutLoop(
        "fault_in_a_late_round", "safety",
        f"for k in 0..47\n{_WORK}    if k > 40 and shut[k]\n        shut[k + 5] = true",
        f"for k in 0..47\n{_WORK}    if k > 40 and shut[k] and k < 43\n        shut[k + 5] = true",
    ),
    CutLoop(
        "local_is_carried_across_rounds", "safety",
        f"var n: 0..96 = 0\nfor k in 0..47\n{_WORK}    if shut[k]\n        n += 2\nfilled = n",
        f"var n: 0..96 = 0\nfor k in 0..47\n{_WORK}    if shut[k]\n        n += 1\nfilled = n",
    ),
    CutLoop(
        "counted_too_often", "safety",
        f"filled = 0\nfor k in 0..47\n{_WORK}    if shut[k]\n        filled += 1\nfilled += 1",
        f"filled = 0\nfor k in 0..46\n{_WORK}    if shut[k]\n        filled += 1\nfilled += 1",
    ),
    CutLoop(
        "counted_and_set", "safety",
        f"filled = 0\nfor k in 0..47\n{_WORK}    if shut[k]\n        filled = 40\n"
        "    if not shut[k]\n        filled += 1",
        f"filled = 0\nfor k in 0..47\n{_WORK}    if shut[k]\n        filled = 0\n"
        "    if not shut[k]\n        filled += 1",
    ),
    CutLoop(
        "before_across_the_loop", "safety",
        f"for k in 0..47\n{_WORK}    if k = 30 and shut[k]\n        low = 1",
        f"for k in 0..47\n{_WORK}    if k = 30 and shut[k]\n        filled = 1",
        contract="ensures low = before(low)",
    ),
    CutLoop(
        "return_in_the_loop", "invariant",
        f"for k in 0..47\n    low = 9\n{_WORK}    if shut[k]\n        return\n    low = 0",
        f"for k in 0..47\n    low = 9\n{_WORK}    low = 0\n    if shut[k]\n        return",
    ),
    CutLoop(
        "nothing_happens_behind_a_return", "safety",
        f"for k in 0..47\n{_WORK}    if shut[k]\n        return\nassert false",
        f"for k in 0..47\n{_WORK}    if shut[k]\n        return\nassert true",
    ),
    CutLoop(
        "nested_loops", "invariant",
        f"for j in 0..11\n    for i in 0..11\n        let k = i + j\n{indent(_WORK, '    ')}"
        "        if i = 11 and j = 11 and shut[k]\n            low = 3",
        f"for j in 0..11\n    for i in 0..11\n        let k = i + j\n{indent(_WORK, '    ')}"
        "        if i = 11 and j = 12 and shut[k]\n            low = 3",
    ),
    CutLoop(
        "no_round_at_all", "safety",
        f"low = 0\nfor k in c..46\n{_WORK}    low = 1\nassert low = 1",
        f"low = 0\nfor k in c..46\n{_WORK}    low = 1\nassert low <= 2",
    ),
    CutLoop(
        "sum_across_rounds", "invariant",
        f"for k in 0..47\n{_WORK}",
        f"for k in 0..47\n{_WORK}        if total < 500\n            total += 1\n"
        "        else\n            heap[next_[k]] -= 1",
        more=_SUM,
    ),
    CutLoop(
        "sum_where_ways_meet", "invariant",
        f"if shut[c]\n    for k in 0..47\n{indent(_WORK, '    ')}\ntotal += 0",
        "if shut[c]\n    for k in 0..47\n        if shut[k] and heap[next_[k]] < 9 and heap[k] > 0"
        "\n            heap[next_[k]] += 1\n            heap[k] -= 1",
        more=_SUM,
    ),
    CutLoop(
        "goods_across_rounds", "safety",
        "move up to 9 coin from till to purse[p]\n"
        "for k in 0..47\n    if shut[next_[k]] and till.coin > 0\n"
        "        move 1 coin from till to purse[p]\n"
        "move 1 coin from till to purse[p]",
        "move up to 9 coin from till to purse[p]\n"
        "for k in 0..47\n    if shut[next_[k]] and till.coin > 0\n"
        "        move 1 coin from till to purse[p]\n"
        "move up to 1 coin from till to purse[p]",
    ),
    CutLoop(
        "what_was_required_before", "safety",
        f"if heap[c] < 9\n    for k in 0..47\n{indent(_WORK, '    ')}    heap[c] += 1",
        f"for k in 0..47\n{_WORK}if heap[c] < 9\n    heap[c] += 1",
    ),
    CutLoop(
        "what_was_written_before", "safety",
        f"heap[c] = 3\nfor k in 0..47\n{_WORK}assert heap[c] = 3",
        f"next_[c] = 3\nfor k in 0..47\n{_WORK}assert next_[c] = 3",
    ),
    CutLoop(
        "written_in_the_loop_and_read_behind", "safety",
        f"for k in 0..47\n{_WORK}    heap[c] = 3\nif shut[c]\n    heap[next_[c]] = 4\n"
        "assert heap[c] = 3",
        f"for k in 0..47\n{_WORK}heap[c] = 3\nif shut[c] and next_[c] != c\n    heap[next_[c]] "
        "= 4\nassert heap[c] = 3",
    ),
    CutLoop(
        "rounds_are_counted_once", "safety",
        f"low = 1\nfor k in 0..46 + low\n{_WORK}    low = 2\n    next_[k] = min(47, k + low - 1)\n"
        "assert next_[47] = 47 and next_[46] != 47",
        f"low = 1\nfor k in 0..46 + low\n{_WORK}    low = 2\n    next_[k] = min(47, k + low - 1)\n"
        "assert low <= 2",
    ),
]  # fmt: skip
