"""What the audit draws by chance: the same on every machine, whatever is installed.

Names are put in the order of a hash of seed and name. So nothing depends on a generator's version,
and an order stays the order of what is left when some names are taken away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable


def derive_seed(seed: int, *purpose: str) -> int:
    """A seed of its own for each purpose, from 0 to 2**63 - 1."""
    return int.from_bytes(_hash(seed, *purpose)[:8], "big") >> 1


def draw_order(names: Iterable[str], *, seed: int) -> tuple[str, ...]:
    """Names in an order that the seed alone decides."""
    return tuple(sorted(names, key=lambda name: (_hash(seed, name), name)))


def draw_sample(
    names: Iterable[str], *, seed: int, size: int, avoid: Collection[str] = ()
) -> tuple[str, ...]:
    """Some names, in the order they were drawn.

    Args:
        names: What to draw from.
        seed: Decides the draw.
        size: How many; all where there are fewer.
        avoid: Names that are drawn only where the others do not suffice.
    """
    order = draw_order(names, seed=seed)
    fresh = [name for name in order if name not in avoid]
    again = [name for name in order if name in avoid]
    return tuple([*fresh, *again][:size])


def _hash(seed: int, *words: str) -> bytes:
    return hashlib.sha256("\0".join([str(seed), *words]).encode()).digest()
