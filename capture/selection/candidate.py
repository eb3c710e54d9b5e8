"""A view that is compared with others."""

from __future__ import annotations

from typing import NamedTuple

from capture.selection.fingerprints import Fingerprints
from capture.selection.records import VERDICTS, Verdict, ViewMeasures


class Candidate(NamedTuple):
    """A view that was read and is not dropped for itself.

    Attributes:
        view_id: Its name within its scene.
        verdict: What its own numbers ask for.
        measures: Its numbers.
        prints: Its fingerprints.
    """

    view_id: str
    verdict: Verdict
    measures: ViewMeasures
    prints: Fingerprints

    @property
    def sharpness(self) -> float:
        """Sharpness of its picture."""
        return self.measures.quality.sharpness

    @property
    def merit(self) -> tuple[int, float, float, str]:
        """Sorts the best view first: by verdict, sharpness, depth and name."""
        depth = self.measures.quality.valid_depth_fraction or 0.0
        return VERDICTS.index(self.verdict), -self.sharpness, -depth, self.view_id
