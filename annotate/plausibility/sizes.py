"""A reflection is farther away than what it shows, so it is not larger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotate.plausibility.doubts import Doubt
from annotate.plausibility.layout import BoxPx, Layout
from annotate.plausibility.policy import PlausibilityPolicy
from mira.schema.annotation import Correspondence


def doubt_sizes(
    layout: Layout, links: Iterable[Correspondence], policy: PlausibilityPolicy
) -> Iterator[Doubt]:
    """Reflections that are larger than the object they are linked to.

    The image in a flat mirror is as far away as the light's way from the object over the mirror
    to the camera, which by the triangle inequality is no shorter than the straight one; a convex
    mirror makes it smaller still. A picture measures along its optical axis and an object turns
    its sides towards the mirror, so one extent may grow; hence both, width and height, must exceed
    the bound. It says nothing where a part of the object may be hidden: at the picture's edge, or
    where another instance touches it. That the reflection is cut off only makes it smaller.
    """
    for link in links:
        if link.real_id is None or link.reflection_of_id != link.real_id:
            continue
        own, real = layout.box_px(link.reflected_id), layout.box_px(link.real_id)
        if _is_larger(own, real, policy) and not _may_be_cut(link.real_id, layout, policy):
            yield _doubt(link.reflected_id, link.real_id, own, real)


def _is_larger(own: BoxPx, real: BoxPx, policy: PlausibilityPolicy) -> bool:
    width, height = policy.size_ratio * (real[2] - real[0]), policy.size_ratio * (real[3] - real[1])
    slack = policy.size_slack_px
    return own[2] - own[0] > width + slack and own[3] - own[1] > height + slack


def _may_be_cut(number: int, layout: Layout, policy: PlausibilityPolicy) -> bool:
    if layout.is_at_border(number, within_px=policy.border_px):
        return True
    return any(
        layout.are_near(number, other, within_px=policy.border_px)
        for other, instance in layout.instances.items()
        if other != number and instance.visibility == "direct"
    )


def _doubt(reflection: int, real: int, own: BoxPx, box: BoxPx) -> Doubt:
    sizes = [f"{round(b[2] - b[0])}x{round(b[3] - b[1])} px" for b in (own, box)]
    message = (
        f"reflection {reflection} is {sizes[0]}, object {real} that it is linked to {sizes[1]}: "
        "expected a reflection that is no larger; is the link right, or are the labels swapped?"
    )
    return Doubt("link-size", "warning", reflection, message)
