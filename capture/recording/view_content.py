"""A take becomes the files of a view."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2

from capture.recording.taking import Take
from capture.sources.frames import FramePair
from capture.view_files import ViewContent, encode_view
from mira.geometry.alignment import align_depth_to_color
from mira.render.png import encode_png_quickly
from mira.render.quality import measure_quality, measure_sharpness
from mira.schema.capture import Calibration, ViewFrame
from mira.store.session import (
    EMITTER_OFF_COLOR_NAME,
    EMITTER_OFF_DEPTH_NAME,
    EMITTER_OFF_FRAME_NAME,
    RAW_NAME,
)


def files_of_take(take: Take) -> dict[str, bytes | Path]:
    """Content of a view's files by name, made from the sharpest pair."""
    content = content_of_pair(sharpest(take.pairs), take.state.calibration)
    frame = content.frame.model_copy(update={"inputs": take.inputs})
    files: dict[str, bytes | Path] = {
        **encode_view(
            ViewContent(
                color=content.color,
                depth=content.depth,
                depth_aligned=content.depth_aligned,
                frame=frame,
                calibration=take.state.calibration,
                device=take.state.device,
                settings=take.settings,
            )
        )
    }
    if take.emitter_off:
        dark = sharpest(take.emitter_off)
        files[EMITTER_OFF_COLOR_NAME] = encode_png_quickly(dark.color)
        files[EMITTER_OFF_DEPTH_NAME] = encode_png_quickly(dark.depth)
        files[EMITTER_OFF_FRAME_NAME] = frame_of(dark).to_json()
    if take.raw is not None:
        files[RAW_NAME] = take.raw
    return files


def content_of_pair(pair: FramePair, calibration: Calibration) -> ViewContent:
    """A pair with its depth on the picture's grid."""
    aligned = align_depth_to_color(pair.depth, calibration, depth_unit_m=pair.depth_unit_m)
    return ViewContent(
        color=pair.color,
        depth=pair.depth,
        depth_aligned=aligned,
        frame=frame_of(pair),
        calibration=calibration,
    )


def frame_of(pair: FramePair) -> ViewFrame:
    """What is said of a pair's frames; the share of depth readings is that of its own grid."""
    return ViewFrame(
        depth_unit_m=pair.depth_unit_m,
        depth_kind="metric",
        timing=pair.timing,
        quality=measure_quality(pair.color, pair.depth),
    )


def sharpest(pairs: Sequence[FramePair]) -> FramePair:
    """The sharpest of some pairs, the first of equals."""
    if len(pairs) == 1:
        return pairs[0]
    return max(pairs, key=lambda p: measure_sharpness(cv2.cvtColor(p.color, cv2.COLOR_RGB2GRAY)))
