"""Views that stand out of their scene: softer than the rest, or of another reflective context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from capture.selection.bounds import in_percent, too_little
from capture.selection.candidate import Candidate
from capture.selection.fingerprints import shared_colours
from capture.selection.policy import QualityPolicy, ReflectionPolicy
from capture.selection.records import Remark


def on_softness(
    candidate: Candidate, candidates: Sequence[Candidate], *, policy: QualityPolicy
) -> Iterator[Remark]:
    """A remark where a view is much softer than the sharpest of its scene.

    Args:
        candidate: The view.
        candidates: All views of its scene.
        policy: The bounds.
    """
    sharpest = max(other.sharpness for other in candidates)
    if sharpest > 0:
        share = candidate.sharpness / sharpest
        text = f"{in_percent(share)} as sharp as the sharpest view of its scene"
        floor = policy.scene_sharpness_floor
        yield from too_little("soft-in-scene", share, floor, text)


def on_context(
    candidate: Candidate, candidates: Sequence[Candidate], *, policy: ReflectionPolicy
) -> Iterator[Remark]:
    """A note where a view shows a surface that no other view of its scene shows, or other colours.

    Args:
        candidate: The view.
        candidates: All views of its scene.
        policy: The bound.
    """
    others = [other for other in candidates if other is not candidate]
    labelled = [other for other in others if other.prints.labels]
    ours = candidate.prints.labels
    if ours and labelled and not any(ours & other.prints.labels for other in labelled):
        names = ", ".join(sorted(ours))
        text = f"only this view shows {names}: another surface is another scene"
        yield Remark(code="other-surface", verdict="keep", text=text)
        return
    found = (shared_colours(candidate.prints, other.prints) for other in others)
    shared = max((share for share in found if share is not None), default=1.0)
    if shared < policy.least_shared_colours:
        text = (
            f"shares at most {in_percent(shared)} of its colours with any other view of its scene: "
            "another reflective context is another scene"
        )
        yield Remark(code="other-context", verdict="keep", text=text)
