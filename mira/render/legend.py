"""What the pictures of a question show, in words."""

from __future__ import annotations

from collections.abc import Sequence

from mira.render.depth import DepthScale
from mira.render.pictures import PictureRole

_ORDINALS = ("first", "second", "third")


def picture_legend(
    pictures: Sequence[tuple[PictureRole, DepthScale | None]], *, mirrors_tinted: bool
) -> list[str]:
    """Lines that tell what each picture is, where there is anything to say.

    Args:
        pictures: What each shows, and what the colours of a depth picture mean, in order.
        mirrors_tinted: Whether reflective regions are tinted on them.
    """
    lines = []
    if len(pictures) > 1:
        named = zip(_ORDINALS, pictures, strict=False)
        lines.append(" ".join(_described(place, *picture) for place, picture in named))
    if mirrors_tinted:
        white = ", and white in the depth" if any(role == "depth" for role, _ in pictures) else ""
        lines.append(f"Mirrors and other reflective surfaces are tinted green{white}.")
    return lines


def _described(place: str, role: PictureRole, depth: DepthScale | None) -> str:
    if role == "rgb":
        return f"The {place} picture shows the scene."
    if role == "mask":
        return f"The {place} picture is a mask of it: white regions on black."
    span = depth.in_words if depth else None
    reach = f" ({span})" if span else ""
    colors = "blue is near, red is far, black is not measured"
    return f"The {place} picture shows its depth{reach}: {colors}."
