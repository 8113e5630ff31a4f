"""The catalogue of errors: what each code means, for `rules explain`.

>>> explanation("E0320").title
'Goods and cards are not assigned'
"""

from __future__ import annotations

from rules_dsl.language.codes.course import COURSE
from rules_dsl.language.codes.explanation import Explanation
from rules_dsl.language.codes.names import NAMES
from rules_dsl.language.codes.reading import READING
from rules_dsl.language.codes.types import TYPES
from rules_dsl.language.codes.variants import VARIANTS

__all__ = ["CATALOGUE", "Explanation", "explanation"]

CATALOGUE: dict[str, Explanation] = {
    entry.code: entry for part in (READING, NAMES, TYPES, COURSE, VARIANTS) for entry in part
}


def explanation(code: str) -> Explanation:
    """What an error code means; `KeyError` if there is no such code.

    Case and the leading `E` do not matter: `e0320`, `0320` and `320` are the same.
    """
    digits = code.strip().upper().removeprefix("E")
    return CATALOGUE[f"E{digits.zfill(4)}"]
