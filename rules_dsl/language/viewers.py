"""Who sees a part of the state: for each place a set of players, a number with a bit for each.

A variable has a place for each combination of its indices, and so have a pool and a zone. If all
places are seen by the same players, their number is said once.
"""

from __future__ import annotations

from collections.abc import Sequence

Viewers = tuple[int, ...]


def everybody(players: int) -> Viewers:
    """All players, in all places.

    >>> everybody(3)
    (7,)
    """
    return (2**players - 1,)


def viewers_of(masks: Sequence[int]) -> Viewers:
    """The viewers of all places, said once if they are the same.

    >>> viewers_of([1, 2, 4]), viewers_of([5, 5])
    ((1, 2, 4), (5,))
    """
    return (masks[0],) if len(set(masks)) == 1 else tuple(masks)


def mask_at(viewers: Viewers, size: int, at: int) -> int:
    """The viewers of one of `size` cells that lie in the places one after another.

    >>> mask_at((1, 2), 6, 3)
    2
    """
    return viewers[at // (size // len(viewers))]


def sees(viewers: Viewers, size: int, at: int, player: int) -> bool:
    """Whether a player sees one of the cells.

    >>> sees((1, 2), 6, 3, 1), sees((1, 2), 6, 3, 0)
    (True, False)
    """
    return bool(mask_at(viewers, size, at) >> player & 1)


def seen_by(viewers: Viewers) -> str:
    """Viewers as text.

    >>> seen_by((0,)), seen_by((1, 6))
    ('seen by nobody', 'seen by 0 | 1 2')
    """
    places = [" ".join(str(k) for k in range(m.bit_length()) if m >> k & 1) for m in viewers]
    return f"seen by {' | '.join(p or 'nobody' for p in places)}"
