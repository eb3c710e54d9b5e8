"""Chance that depends on the seed, the annotator and the file alone, each error on its own."""

from __future__ import annotations

import hashlib
import unicodedata
from enum import IntEnum

import numpy as np
from numpy.random import Generator


class Draw(IntEnum):
    """What is drawn by chance; the numbers are part of what a seed means and never change."""

    JITTER = 0
    MISS = 1
    EXTRA = 2
    WRONG_LINK = 3
    DROPPED_LINK = 4
    VISIBILITY = 5
    SURFACE_TYPE = 6
    HOLE = 7


class Chance:
    """Random numbers of one file.

    Every kind of error, and every shape, has a stream of its own: another rate changes which
    errors of that kind are made and nothing else, and a higher one adds to them.
    """

    def __init__(self, *, seed: int, annotator: str, path: str) -> None:
        """Start from what the file is, not from what was drawn before.

        Args:
            seed: Seed of the run.
            annotator: Code name of the simulated annotator.
            path: The file's path below the source, with slashes.
        """
        text = f"{seed}\n{annotator}\n{unicodedata.normalize('NFC', path)}"
        self._entropy = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    def of(self, draw: Draw, place: int) -> Generator:
        """The stream of one kind of error for the shape, or the instance, of that position."""
        return np.random.default_rng(np.random.SeedSequence(self._entropy, spawn_key=(draw, place)))

    def happens(self, draw: Draw, place: int, share: float) -> bool:
        """Whether an error of a probability is made."""
        return bool(self.of(draw, place).random() < share)
