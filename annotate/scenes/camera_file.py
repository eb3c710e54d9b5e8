"""A camera from an intrinsics JSON file, in our names or those of common tools."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from annotate.findings import brief
from annotate.scenes.json_object import read_object
from mira.errors import SceneSourceError
from mira.schema.capture import CameraIntrinsics, DepthKind
from mira.schema.record import describe_fault

Json = dict[str, Any]

_NAMES = {
    "width_px": ("width_px", "width"),
    "height_px": ("height_px", "height"),
    "fx_px": ("fx_px", "fx"),
    "fy_px": ("fy_px", "fy"),
    "cx_px": ("cx_px", "cx", "ppx"),
    "cy_px": ("cy_px", "cy", "ppy"),
    "distortion_model": ("distortion_model", "model"),
    "distortion_coeffs": ("distortion_coeffs", "coeffs"),
}
"""Our names of the values, and those that are read for them."""
_MATRICES = ("intrinsic_matrix", "camera_matrix", "K")
_NESTED = ("intrinsic", "intrinsics")
_KINDS: dict[str, DepthKind] = {
    "metric": "metric",
    "normalised": "normalised",
    "normalized": "normalised",
}
_STEPS_PER_METRE_FROM = 10.0
"""`depth_scale` from here on counts steps a metre; RealSense gives metres a step."""


class CameraFile(NamedTuple):
    """What a camera file says."""

    path: Path
    intrinsics: CameraIntrinsics
    size_given: bool
    """Whether the file gave the size; else it is the picture's."""
    depth_kind: DepthKind
    """`metric` unless the file says otherwise."""
    depth_unit_m: float | None
    """Metres a step of depth; absent where the file does not say."""


def read_camera(path: Path, *, size_px: tuple[int, int], step_limit_m: float) -> CameraFile:
    """The camera in an intrinsics file.

    Args:
        path: A JSON file.
        size_px: Width and height to take where the file gives none.
        step_limit_m: A step of depth this large is refused.

    Raises:
        SceneSourceError: The file is no JSON object, or a value is missing or impossible.
    """
    data = _flat_object(path)
    values: Json = {}
    for ours, names in _NAMES.items():
        given = [data[name] for name in names if data.get(name) is not None]
        if given:
            values[ours] = given[0]
    for name in _MATRICES:
        if data.get(name) is not None:
            values = {**_from_matrix(data[name], path, name), **values}
            break
    size_given = "width_px" in values and "height_px" in values
    values = {"width_px": size_px[0], "height_px": size_px[1], **values}
    kind = _depth_kind(data.get("depth_kind"), path)
    return CameraFile(
        path=path,
        intrinsics=_intrinsics(values, path),
        size_given=size_given,
        depth_kind=kind,
        depth_unit_m=_depth_unit(data, path, step_limit_m) if kind == "metric" else None,
    )


def _flat_object(path: Path) -> Json:
    """The object of a file, with that of the camera in it, if there is one, laid over."""
    data = read_object(path)
    for name in _NESTED:
        if isinstance(data.get(name), dict):
            return {**data, **data[name]}
    return data


def _intrinsics(values: Json, path: Path) -> CameraIntrinsics:
    for name in ("fx_px", "fy_px", "cx_px", "cy_px"):
        if name not in values:
            found = ", ".join(sorted(values)) or "nothing"
            raise SceneSourceError(path, f"{name}: expected a number, found none (only {found})")
    for name, value in values.items():
        if isinstance(value, bool) or (name.endswith("_px") and isinstance(value, str)):
            raise SceneSourceError(path, f"{name}: expected a number, found {brief(value)}")
    try:
        return CameraIntrinsics.model_validate(values)
    except ValidationError as error:
        raise SceneSourceError(path, describe_fault(error)) from None


def _from_matrix(matrix: Any, path: Path, name: str) -> Json:
    """Focal lengths and centre of a 3x3 matrix, by rows or, as Open3D has it, by columns."""
    flat = _flatten(matrix)
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in flat)
    if len(flat) != 9 or not numbers:
        raise SceneSourceError(path, f"{name}: expected 3x3 numbers, found {brief(matrix)}")
    fx, skew, top, skew_by_columns, fy, right, cx, cy, one = flat
    if top == 0 and right == 0:
        skew = skew or skew_by_columns
    elif cx == 0 and cy == 0:
        cx, cy, skew = top, right, skew or skew_by_columns
    else:
        skew = math.nan
    if skew != 0 or one != 1:
        raise SceneSourceError(
            path, f"{name}: expected a pinhole matrix without skew, found {brief(matrix)}"
        )
    return {"fx_px": fx, "fy_px": fy, "cx_px": cx, "cy_px": cy}


def _flatten(matrix: Any) -> list[Any]:
    if not isinstance(matrix, list):
        return []
    return [value for row in matrix for value in (row if isinstance(row, list) else [row])]


def _depth_kind(value: Any, path: Path) -> DepthKind:
    kind = _KINDS.get(str(value if value is not None else "metric").casefold())
    if kind is None:
        raise SceneSourceError(
            path, f"depth_kind: expected metric or normalised, found {brief(value)}"
        )
    return kind


def _depth_unit(data: Json, path: Path, limit_m: float) -> float | None:
    name = next((key for key in ("depth_unit_m", "depth_scale") if data.get(key) is not None), None)
    if name is None:
        return None
    value = data[name]
    if isinstance(value, int | float) and not isinstance(value, bool):
        step = float(value)
        if name == "depth_scale" and step >= _STEPS_PER_METRE_FROM:
            step = 1 / step
        if 0 < step < limit_m:
            return step
    raise SceneSourceError(
        path, f"{name}: expected metres a step below {limit_m:g}, found {brief(value)}"
    )
