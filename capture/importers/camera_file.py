"""A camera from a JSON file, in our names or those of common tools."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import orjson
from pydantic import ValidationError

from capture.importers.cameras import Size
from mira.errors import SceneSourceError
from mira.schema.capture import Calibration, CameraIntrinsics
from mira.schema.record import describe_fault
from mira.schema.session import DeviceInfo

Json = dict[str, Any]
Where = str | Path

_NAMES = {
    "width_px": ("width_px", "width"),
    "height_px": ("height_px", "height"),
    "fx_px": ("fx_px", "fx"),
    "fy_px": ("fy_px", "fy"),
    "cx_px": ("cx_px", "cx", "ppx"),
    "cy_px": ("cy_px", "cy", "ppy"),
    "distortion_model": ("distortion_model", "model"),
    "distortion_coeffs": ("distortion_coeffs", "coeffs", "D", "d"),
}
"""Our names of the values, and those that are read for them."""
_MATRICES = ("intrinsic_matrix", "camera_matrix", "K", "k")
_NESTED = ("intrinsic", "intrinsics", "camera_info", "color")
_LENSES = {"plumb_bob": "brown_conrady", "opencv": "brown_conrady", "radtan": "brown_conrady"}
"""Other names of a lens model whose coefficients are k1, k2, p1, p2, k3."""
_STEPS_PER_METRE_FROM = 10.0
"""`depth_scale` from here on counts steps a metre; RealSense gives metres a step."""


@dataclass(frozen=True)
class CameraFile:
    """What a camera file says.

    Attributes:
        where: The file, named in errors.
        values: Fields of `CameraIntrinsics`; the size may be missing.
        whole: Both cameras, where the file is a `Calibration`.
        depth_unit_m: Metres a step of depth, where it says so.
        device: The camera as it names itself, where it says so.
    """

    where: Where
    values: Json
    whole: Calibration | None = None
    depth_unit_m: float | None = None
    device: DeviceInfo | None = None

    def calibration(self, size_px: Size, *, of: str) -> Calibration:
        """See `CameraSource.calibration`."""
        if self.whole is not None:
            found = self.whole
        else:
            values = {"width_px": size_px[0], "height_px": size_px[1], **self.values}
            found = Calibration(color=CameraIntrinsics.model_validate(values))
        width_px, height_px = found.color.width_px, found.color.height_px
        if (width_px, height_px) != size_px:
            problem = f"expected {width_px}x{height_px} as the camera of {self.where} has"
            raise SceneSourceError(of, f"{problem}, found {size_px[0]}x{size_px[1]}")
        return found

    @classmethod
    def parse(cls, text: bytes, *, where: Where, step_limit_m: float) -> Self:
        """The camera in a JSON document.

        Read are a `Calibration`, `CameraIntrinsics`, `width`, `fx`, `cx` or `ppx` and the like, a
        3x3 matrix by rows (`K`) or by columns (Open3D's `intrinsic_matrix`), and any of those
        under `intrinsics`, `camera_info` or `color`.

        Args:
            text: The document, with or without a byte order mark.
            where: Named in errors.
            step_limit_m: A step of depth this large is refused.

        Raises:
            SceneSourceError: It is no JSON object, or a value is missing or impossible.
        """
        data = _object_of(text, where)
        unit_m = _depth_unit(data, where, step_limit_m)
        if isinstance(data.get("depth_to_color"), dict):
            return cls(where, {}, whole=_calibration(data, where), depth_unit_m=unit_m)
        values = _values(_flat(data), where)
        sized = {"width_px": 1, "height_px": 1, **values}
        try:
            CameraIntrinsics.model_validate(sized)
        except ValidationError as error:
            raise SceneSourceError(where, describe_fault(error)) from None
        return cls(where, values, depth_unit_m=unit_m, device=_device(data))


def _object_of(text: bytes, where: Where) -> Json:
    try:
        data = orjson.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as fault:
        raise SceneSourceError(where, f"expected JSON, found a fault: {fault}") from None
    if not isinstance(data, dict):
        raise SceneSourceError(where, f"expected an object, found {_brief(data)}")
    return data


def _flat(data: Json) -> Json:
    """An object with that of the camera in it, if there is one, laid over."""
    for name in _NESTED:
        if isinstance(data.get(name), dict):
            return {**data, **data[name]}
    return data


def _calibration(data: Json, where: Where) -> Calibration:
    known = {name: data[name] for name in Calibration.model_fields if name in data}
    try:
        return Calibration.model_validate(known)
    except ValidationError as error:
        raise SceneSourceError(where, describe_fault(error)) from None


def _values(data: Json, where: Where) -> Json:
    values: Json = {}
    for ours, names in _NAMES.items():
        given = [data[name] for name in names if data.get(name) is not None]
        if given:
            values[ours] = given[0]
    for name in _MATRICES:
        if data.get(name) is not None:
            values = {**_from_matrix(data[name], where, name), **values}
            break
    for name in ("fx_px", "fy_px", "cx_px", "cy_px"):
        if name not in values:
            found = ", ".join(sorted(values)) or "nothing"
            raise SceneSourceError(where, f"{name}: expected a number, found none (only {found})")
    for name, value in values.items():
        if isinstance(value, bool) or (name.endswith("_px") and isinstance(value, str)):
            raise SceneSourceError(where, f"{name}: expected a number, found {_brief(value)}")
    return _with_lens(values)


def _with_lens(values: Json) -> Json:
    """The values with our name of the lens model; none where its coefficients are all 0."""
    model, coefficients = values.get("distortion_model"), values.get("distortion_coeffs")
    if isinstance(coefficients, list) and not any(coefficients):
        return {**values, "distortion_model": "none", "distortion_coeffs": ()}
    if model is None and coefficients is not None:
        return {**values, "distortion_model": "brown_conrady"}
    if isinstance(model, str):
        return {**values, "distortion_model": _LENSES.get(model.casefold(), model)}
    return values


def _from_matrix(matrix: Any, where: Where, name: str) -> Json:
    """Focal lengths and centre of a 3x3 matrix, by rows or, as Open3D has it, by columns."""
    if isinstance(matrix, dict):
        matrix = matrix.get("data")
    flat = _flatten(matrix)
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in flat)
    if len(flat) != 9 or not numbers:
        raise SceneSourceError(where, f"{name}: expected 3x3 numbers, found {_brief(matrix)}")
    fx, skew, top, skew_by_columns, fy, right, cx, cy, one = flat
    if top == 0 and right == 0:
        skew = skew or skew_by_columns
    elif cx == 0 and cy == 0:
        cx, cy, skew = top, right, skew or skew_by_columns
    else:
        skew = math.nan
    if skew != 0 or one != 1:
        problem = f"{name}: expected a pinhole matrix without skew, found {_brief(matrix)}"
        raise SceneSourceError(where, problem)
    return {"fx_px": fx, "fy_px": fy, "cx_px": cx, "cy_px": cy}


def _flatten(matrix: Any) -> list[Any]:
    if not isinstance(matrix, list):
        return []
    return [value for row in matrix for value in (row if isinstance(row, list) else [row])]


def _depth_unit(data: Json, where: Where, limit_m: float) -> float | None:
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
    problem = f"{name}: expected metres a step below {limit_m:g}, found {_brief(value)}"
    raise SceneSourceError(where, problem)


def _device(data: Json) -> DeviceInfo | None:
    """The camera, where an Open3D recording names it."""
    name, serial = data.get("device_name"), data.get("serial_number")
    if not isinstance(name, str) or not name:
        return None
    return DeviceInfo(
        name=name, serial_number=serial if isinstance(serial, str) and serial else None
    )


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
