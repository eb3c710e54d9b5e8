"""The 3D page of a picture: one file that works without a network."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from mira.report.page import jpeg_uri, json_for_script, render_page
from mira.store.version import tool_version
from qa_gen.space_page.policy import SpacePolicy
from qa_gen.space_page.records import SpaceModel

_TEMPLATE = Path(__file__).parent / "templates" / "space_page.html.j2"


def space_page(model: SpaceModel, color_rgb: NDArray[np.uint8], *, policy: SpacePolicy) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        model: All that it shows.
        color_rgb: The picture beside it, shape (height, width, 3).
        policy: How large that picture is.
    """
    return render_page(
        _TEMPLATE,
        model=model,
        data=Markup(json_for_script(model.to_json(indent=False).decode())),
        picture=jpeg_uri(_shrunk(color_rgb, policy), quality=policy.jpeg_quality),
        width_px=color_rgb.shape[1],
        height_px=color_rgb.shape[0],
        version=tool_version(),
    )


def _shrunk(color_rgb: NDArray[np.uint8], policy: SpacePolicy) -> NDArray[np.uint8]:
    height, width = color_rgb.shape[:2]
    if width <= policy.picture_width_px:
        return color_rgb
    size = (policy.picture_width_px, max(1, round(height * policy.picture_width_px / width)))
    return np.asarray(cv2.resize(color_rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
