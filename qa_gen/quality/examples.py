"""Some items of every template to look through, with their pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.errors import MiraError, WorkspaceError
from mira.render.boxes import draw_boxes
from mira.render.sizing import at_most
from mira.render.source import decode_color
from mira.render.style import RenderStyle
from mira.report.page import jpeg_uri
from mira.schema.qa import Box, QAItem, Wording
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy
from qa_gen.choosing import digest
from qa_gen.quality.policy import QualityPagePolicy

_PREFERRED = ("visual_bbox", "visual_bbox_desc")
"""Protocols whose words fit a picture with boxes."""
_ABOUT_ALL = frozenset({"ct", "re", "as", "cr"})
"""Sub-tasks whose answer rests on the whole picture."""
_PICTURES_KEPT = 2

ColorPictures = Callable[[QAItem], NDArray[np.uint8]]
"""Gives the colours of an item's picture, shape (height, width, 3)."""


class Example(NamedTuple):
    """An item on the page."""

    item: QAItem
    wording: Wording | None
    """The words shown; None where it has none."""
    uri: str
    """Its picture with marks, as a data URI; empty where there is none."""
    width_px: int
    """Width of the picture; 0 without one."""
    height_px: int
    """Height of the picture; 0 without one."""
    missing: str
    """Why there is no picture."""


class ExamplePicker:
    """Picks items by a hash of their ids while they pass; holds few of them.

    Args:
        most: So many of each template.
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._ranked: dict[str, list[tuple[bytes, str, QAItem]]] = {}

    def watching(self, items: Iterable[QAItem]) -> Iterator[QAItem]:
        """The items, looked at on their way."""
        for item in items:
            self._add(item)
            yield item

    def picked(self) -> tuple[QAItem, ...]:
        """Those picked, by picture, so that each is read once."""
        everyone = [entry[-1] for ranked in self._ranked.values() for entry in ranked]
        return tuple(sorted(everyone, key=lambda item: (item.image_id, item.item_id)))

    def _add(self, item: QAItem) -> None:
        ranked = self._ranked.setdefault(item.template_id, [])
        entry = digest("example", item.item_id), item.item_id, item
        if len(ranked) == self._most and (not ranked or entry[:2] >= ranked[-1][:2]):
            return
        ranked.append(entry)
        ranked.sort(key=lambda one: one[:2])
        del ranked[self._most :]


class WorkspaceColors:
    """Colours of a workspace's pictures; keeps those it decoded last.

    Args:
        workspace: Read only.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._views = {view.image_id: view for view in workspace.views()}
        self._read = lru_cache(_PICTURES_KEPT)(self._read_color)

    def __call__(self, item: QAItem) -> NDArray[np.uint8]:
        """The colours of an item's picture.

        Raises:
            MiraError: It is gone, or is no picture.
        """
        return self._read(item.image_id)

    def _read_color(self, image_id: str) -> NDArray[np.uint8]:
        view = self._views.get(image_id)
        if view is None:
            raise WorkspaceError(self._workspace.root, f"holds no picture {image_id!r}")
        data = self._workspace.read_picture(view, view.color)
        return decode_color(data, where=image_id)


def show_example(item: QAItem, colors: ColorPictures, policy: QualityPagePolicy) -> Example:
    """An item with its picture, cut out around its marks where the rest has no part in the answer.

    Args:
        item: The item.
        colors: Gives its picture; if it cannot be had, the example says why.
        policy: How pictures are cut out.
    """
    wording = next(
        (one for name in _PREFERRED for one in item.wordings if one.protocol == name),
        item.wordings[0] if item.wordings else None,
    )
    try:
        image_rgb = colors(item)
    except MiraError as error:
        return Example(item, wording, "", 0, 0, error.problem)
    marked = draw_boxes(image_rgb, item.marks, style=RenderStyle())
    height_px, width_px = image_rgb.shape[:2]
    is_whole = taxonomy().template(item.template_id).subtask in _ABOUT_ALL
    boxes = [] if is_whole else [mark.box_xyxy_px for mark in item.marks]
    x1, y1, x2, y2 = cut_around(boxes, width_px, height_px, policy)
    shown = at_most(marked[y1:y2, x1:x2], policy.thumbnail_px)
    uri = jpeg_uri(shown, quality=policy.jpeg_quality)
    return Example(item, wording, uri, shown.shape[1], shown.shape[0], "")


def cut_around(boxes: list[Box], width_px: int, height_px: int, policy: QualityPagePolicy) -> Box:
    """The part of a picture around all boxes, of the picture's own shape; all of it without any."""
    if not boxes:
        return 0, 0, width_px, height_px
    x1, y1 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x2, y2 = max(box[2] for box in boxes), max(box[3] for box in boxes)
    wider = 1 + policy.margin_share
    share = max(policy.least_shown, wider * (x2 - x1) / width_px, wider * (y2 - y1) / height_px)
    side_x, side_y = (max(1, round(min(1.0, share) * side)) for side in (width_px, height_px))
    left = min(max(0, (x1 + x2 - side_x) // 2), width_px - side_x)
    top = min(max(0, (y1 + y2 - side_y) // 2), height_px - side_y)
    return left, top, left + side_x, top + side_y
