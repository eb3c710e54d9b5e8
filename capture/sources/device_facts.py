"""What the SDK's objects say, as records."""

from __future__ import annotations

from typing import Any, cast, get_args

import numpy as np

from capture.sources.frames import CameraFaultError, CameraState, FramePair
from mira.schema.capture import (
    Calibration,
    CameraIntrinsics,
    FrameTiming,
    RigidTransform,
    TimestampDomain,
)
from mira.schema.session import DeviceInfo, StreamSettings

_DOMAINS = get_args(TimestampDomain)
_COLORS = ("rgb8", "bgr8")


def state_of(sdk: Any, device: Any, profile: Any) -> CameraState:
    """What runs.

    Args:
        sdk: The module.
        device: The camera.
        profile: Its running streams, depth and colour.
    """
    depth = profile.get_stream(sdk.stream.depth).as_video_stream_profile()
    color = profile.get_stream(sdk.stream.color).as_video_stream_profile()
    return CameraState(
        device=device_info(sdk, device),
        streams=(_stream("depth", depth), _stream("color", color)),
        calibration=Calibration(
            color=_intrinsics(color.get_intrinsics()),
            depth=_intrinsics(depth.get_intrinsics()),
            depth_to_color=_transform(depth.get_extrinsics_to(color)),
        ),
    )


def device_info(sdk: Any, device: Any) -> DeviceInfo:
    """A camera as it names itself."""

    def said(info: Any) -> str | None:
        return str(device.get_info(info)) if device.supports(info) else None

    return DeviceInfo(
        name=said(sdk.camera_info.name) or "unnamed",
        serial_number=said(sdk.camera_info.serial_number),
        firmware_version=said(sdk.camera_info.firmware_version),
        usb_type=said(sdk.camera_info.usb_type_descriptor),
    )


def pair_of(sdk: Any, frames: Any) -> FramePair:
    """Copies of a frame set's two frames.

    Raises:
        CameraFaultError: One of the two is missing, or no picture.
    """
    color, depth = frames.get_color_frame(), frames.get_depth_frame()
    if not color or not depth:
        raise CameraFaultError("camera", "sent a frame set without both colour and depth")
    form = _require_format(color, _COLORS)
    _require_format(depth, ("z16",))
    pixels = np.asanyarray(color.get_data())
    if form == "bgr8":
        pixels = pixels[..., ::-1]
    exposure = sdk.frame_metadata_value.actual_exposure
    tells = color.supports_frame_metadata(exposure)
    return FramePair(
        # Copies: the SDK wants its buffers back.
        color=np.array(pixels, np.uint8),
        depth=np.array(np.asanyarray(depth.get_data()), np.uint16),
        depth_unit_m=_short(depth.get_units()),
        timing=_timing(color, depth),
        exposure=int(color.get_frame_metadata(exposure)) if tells else None,
    )


def _require_format(frame: Any, wanted: tuple[str, ...]) -> str:
    found = str(frame.get_profile().format().name)
    if found not in wanted:
        stream = frame.get_profile().stream_type().name
        raise CameraFaultError(
            f"camera: {stream}", f"expected {' or '.join(wanted)}, found {found}"
        )
    return found


def _timing(color: Any, depth: Any) -> FrameTiming:
    domains = [_domain(frame.get_frame_timestamp_domain()) for frame in (color, depth)]
    color_ms, depth_ms = color.get_timestamp(), depth.get_timestamp()
    return FrameTiming(
        color_frame=color.get_frame_number(),
        depth_frame=depth.get_frame_number(),
        color_ms=color_ms,
        depth_ms=depth_ms,
        color_domain=domains[0],
        depth_domain=domains[1],
        dt_ms=round(abs(color_ms - depth_ms), 6) if domains[0] == domains[1] else None,
    )


def _domain(domain: Any) -> TimestampDomain:
    if domain.name in _DOMAINS:
        return cast(TimestampDomain, domain.name)
    raise CameraFaultError("camera", f"sends times of a clock that is unknown here: {domain.name}")


def _stream(stream: Any, profile: Any) -> StreamSettings:
    return StreamSettings(
        stream=stream,
        width_px=profile.width(),
        height_px=profile.height(),
        fps=profile.fps(),
        pixel_format=profile.format().name,
    )


def _intrinsics(found: Any) -> CameraIntrinsics:
    return CameraIntrinsics(
        width_px=found.width,
        height_px=found.height,
        fx_px=_short(found.fx),
        fy_px=_short(found.fy),
        cx_px=_short(found.ppx),
        cy_px=_short(found.ppy),
        distortion_model=found.model.name,
        distortion_coeffs=tuple(_short(number) for number in found.coeffs),
    )


def _transform(found: Any) -> RigidTransform:
    # The SDK gives columns first.
    columns = [tuple(_short(number) for number in found.rotation[k : k + 3]) for k in (0, 3, 6)]
    rows = tuple(zip(*columns, strict=True))
    x, y, z = (_short(number) for number in found.translation)
    return RigidTransform(
        target="color",
        source="depth",
        rotation=(rows[0], rows[1], rows[2]),
        translation_m=(x, y, z),
    )


def _short(number: float) -> float:
    """A 32-bit float by the fewest digits that give it back exactly."""
    return float(str(np.float32(number)))
