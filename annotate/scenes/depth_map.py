"""Depth maps and cameras that fit their picture; what does not is left out and named."""

from __future__ import annotations

from pathlib import Path

from annotate.findings import FindingLog
from annotate.scenes.pictures import Picture, read_picture
from mira.errors import SceneSourceError
from mira.schema.capture import CameraIntrinsics

Size = tuple[int, int]


def read_depth(
    path: Path, *, size_px: Size | None, of: str, limit_px: int, log: FindingLog
) -> Picture | None:
    """A depth map; None where it cannot be used, which is then in the log.

    Args:
        path: The file.
        size_px: The size that it must have; None for any.
        of: What has that size, for the message.
        limit_px: Most pixels that are decoded.
        log: Takes what is wrong.
    """
    try:
        depth = read_picture(path, limit_px=limit_px)
    except SceneSourceError as error:
        log.error("depth-unreadable", "", error.problem, path=path)
        return None
    header = depth.header
    if not header.holds_depth:
        message = f"expected a 16-bit PNG of 1 channel, found {header.form}"
        log.error("depth-format", "", message, path=path)
        return None
    if size_px is not None and header.size_px != size_px:
        log.error("depth-size", "", _size_fault(size_px, of, header.size_px), path=path)
        return None
    return depth


def fitting_camera(
    camera: CameraIntrinsics, color: Picture, log: FindingLog, *, path: Path
) -> CameraIntrinsics | None:
    """The intrinsics of a file, unless they are those of a picture of another size."""
    found = (camera.width_px, camera.height_px)
    if found != color.header.size_px:
        message = _size_fault(color.header.size_px, "the picture", found)
        log.error("camera-size", "", message, path=path)
        return None
    return camera


def _size_fault(expected: Size, of: str, found: Size) -> str:
    return f"expected {expected[0]}x{expected[1]} as {of} has, found {found[0]}x{found[1]}"
