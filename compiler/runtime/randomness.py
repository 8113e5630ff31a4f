"""The generator behind seeds: SplitMix64, the same on every platform and in every back end.

Number k of a stream with key K is mix(K + (k + 1) * G mod 2^64), where G = 0x9E3779B97F4A7C15 and
mix is the finaliser of SplitMix64. A choice among n is (number * n) >> 64. A game's chance uses the
stream with key mix(seed), a random player's decisions the one with key mix(seed XOR D), where
D = 0xD1B54A32D192ED03; seeds count modulo 2^64.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
DECISIONS = 0xD1B54A32D192ED03


def mix(z: int) -> int:
    """The finaliser of SplitMix64.

    >>> hex(mix(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def chance_key(seed: int) -> int:
    """The key of the stream that resolves chance."""
    return mix(seed & MASK)


def decision_key(seed: int) -> int:
    """The key of the stream that a random player draws from."""
    return mix((seed ^ DECISIONS) & MASK)


def number(key: int, count: int) -> int:
    """Number `count` of a stream, counted from 0."""
    return mix((key + (count + 1) * GOLDEN) & MASK)


def below(key: int, count: int, n: int) -> int:
    """A choice among 0..n-1 made by number `count` of a stream.

    >>> [below(chance_key(7), k, 6) for k in range(5)]
    [3, 1, 5, 5, 3]
    """
    return (number(key, count) * n) >> 64


class Stream:
    """A stream of random numbers with a key."""

    def __init__(self, seed: int) -> None:
        self.key = mix(seed & MASK)
        self.count = 0

    def below(self, n: int) -> int:
        """A number below n."""
        self.count += 1
        return (mix((self.key + self.count * GOLDEN) & MASK) * n) >> 64

    def pick(self, weights: list[float]) -> int:
        """A place in a list, by weight."""
        at = self.below(1 << 53) / (1 << 53) * sum(weights)
        for place, weight in enumerate(weights):
            at -= weight
            if at < 0:
                return place
        return max(k for k, weight in enumerate(weights) if weight)
