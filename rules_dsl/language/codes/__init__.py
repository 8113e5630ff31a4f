"""The catalogue of errors and warnings, for `rules explain`.

>>> explanation("E0320").title
'Goods, cards and pieces are not assigned'
"""

from __future__ import annotations

from rules_dsl.language.codes.explanation import Explanation
from rules_dsl.language.codes.flow import FLOW
from rules_dsl.language.codes.names import NAMES
from rules_dsl.language.codes.reading import READING
from rules_dsl.language.codes.types import TYPES
from rules_dsl.language.codes.variants import VARIANTS
from rules_dsl.language.codes.warnings import WARNINGS

__all__ = ["CATALOGUE", "Explanation", "explanation"]

CATALOGUE: dict[str, Explanation] = {
    entry.code: entry
    for part in (READING, NAMES, TYPES, FLOW, VARIANTS, WARNINGS)
    for entry in part
}


def explanation(code: str) -> Explanation:
    """The explanation of an error or a warning; `KeyError` if there is no such code.

    Case and the leading `E` do not matter: `e0320`, `0320` and `320` are the same.
    """
    written = code.strip().upper()
    letter = "W" if written.startswith("W") else "E"
    return CATALOGUE[letter + written.removeprefix(letter).zfill(4)]
