"""A reflection shows a thing of its own kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotate.plausibility.doubts import Doubt
from annotate.plausibility.layout import Layout
from mira.schema.annotation import Correspondence


def doubt_categories(layout: Layout, links: Iterable[Correspondence]) -> Iterator[Doubt]:
    """Links from one category to another; class-agnostic instances fit any."""
    for link in links:
        if link.reflection_of_id is None:
            continue
        reflection = layout.instances[link.reflected_id]
        target = layout.instances[link.reflection_of_id]
        own, other = reflection.category, target.category
        if own is not None and other is not None and own != other:
            message = (
                f"reflection {link.reflected_id} is a {own}, but instance "
                f"{link.reflection_of_id} that it is linked to is a {other}: is the link right?"
            )
            yield Doubt("link-category", "warning", link.reflected_id, message)
