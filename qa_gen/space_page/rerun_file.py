"""The same scene as a file for the Rerun viewer."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from mira.errors import MissingExtraError
from mira.geometry.plane import Plane, reflect_through
from mira.store.atomic import os_faults
from qa_gen.space_page.cloud import CloudPoints, cloud_points
from qa_gen.space_page.records import SpaceBox, SpaceModel, SpaceProposal
from qa_gen.space_page.room_records import SpaceCloud

_DIRECT, _REFLECTED, _SURFACE = (29, 111, 209), (217, 100, 15), (18, 161, 80)
_GOOD, _BAD = (18, 161, 80), (211, 52, 47)
_LINE_M = 0.003
_CAMERA_M = 0.3
"""How far before the camera its picture's frame is drawn."""


def require_rerun() -> None:
    """See that the viewer's SDK is there.

    Raises:
        MissingExtraError: It is not installed.
    """
    _sdk()


def write_rerun_file(model: SpaceModel, path: Path) -> None:
    """Write a scene as an `.rrd` file, whole or not at all.

    The SDK puts the time of writing into the file, so equal scenes do not give equal bytes.

    Args:
        model: The scene.
        path: The file.

    Raises:
        MissingExtraError: The SDK is not installed.
        MiraError: The file cannot be written.
    """
    sdk = _sdk()
    partial = path.with_name(f".{path.name}.partial")
    with os_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(b"")
        try:
            stream = sdk.RecordingStream("mira", recording_id=model.annotation_sha256)
            stream.save(partial)
            _log(model, _Log(sdk, stream))
            stream.flush()
            stream.disconnect()
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


class _Log:
    """Writes shapes that stay as they are."""

    def __init__(self, sdk: Any, stream: Any) -> None:
        self.sdk, self._stream = sdk, stream

    def put(self, path: str, shape: Any) -> None:
        self._stream.log(path, shape, static=True)

    def put_boxes(
        self, path: str, boxes: list[SpaceBox], names: list[str], colour: tuple[int, int, int]
    ) -> None:
        if boxes:
            low, high = np.array([one.low_m for one in boxes]), [one.high_m for one in boxes]
            self.put(
                path,
                self.sdk.Boxes3D(
                    mins=low,
                    sizes=np.array(high) - low,
                    labels=names,
                    colors=[colour],
                    radii=[_LINE_M],
                ),
            )


def _log(model: SpaceModel, log: _Log) -> None:
    log.put("room", log.sdk.ViewCoordinates.RIGHT_HAND_Y_DOWN)
    _log_camera(model, log)
    if model.cloud is not None:
        _log_cloud(model, model.cloud, log)
    _log_surfaces(model, log)
    _log_instances(model, log)
    _log_links(model, log)
    log.put(
        "proposals",
        log.sdk.TextDocument(
            "\n".join(_line(one) for one in model.proposals) or "none", media_type="text/plain"
        ),
    )


def _log_camera(model: SpaceModel, log: _Log) -> None:
    if model.camera is None:
        return
    corners = _CAMERA_M * np.array(model.camera.corners_m)
    rays = [np.stack((np.zeros(3), corner)) for corner in corners]
    strips = [*rays, np.concatenate((corners, corners[:1]))]
    log.put("room/camera", log.sdk.LineStrips3D(strips, radii=[_LINE_M]))
    axes = log.sdk.Arrows3D(
        vectors=_CAMERA_M * np.eye(3),
        colors=[_BAD, _GOOD, (43, 98, 217)],
        labels=["x right", "y down", "z ahead"],
    )
    log.put("room/axes", axes)


def _log_cloud(model: SpaceModel, cloud: SpaceCloud, log: _Log) -> None:
    found = cloud_points(cloud)
    for name, points, mask in (
        ("direct", found.points_m, found.ways == 0),
        ("virtual", found.points_m, found.ways > 0),
        ("put_back", *_put_back(model, cloud, found)),
    ):
        if mask.any():
            shape = log.sdk.Points3D(points[mask], colors=found.colours[mask])
            log.put(f"room/readings/{name}", shape)


def _put_back(
    model: SpaceModel, cloud: SpaceCloud, found: CloudPoints
) -> tuple[Any, np.ndarray[Any, Any]]:
    """Readings where they really are, and which of them were put there."""
    planes = {
        one.surface_id: Plane(one.normal, one.offset_m)
        for one in model.surfaces
        if one.normal is not None and one.offset_m is not None
    }
    points, moved = found.points_m.copy(), np.zeros(len(found.ways), bool)
    for number, way in enumerate(cloud.light_ways, start=1):
        if way.is_known:
            mine = found.ways == number
            points[mine] = reflect_through(points[mine], [planes[k] for k in way.surface_ids])
            moved |= mine
    return points, moved


def _log_surfaces(model: SpaceModel, log: _Log) -> None:
    for one in model.surfaces:
        if not one.loops_m or one.normal is None or one.centre_m is None:
            continue
        path = f"room/surfaces/{one.surface_id}"
        closed = [np.array((*loop, loop[0])) for loop in one.loops_m]
        outline = log.sdk.LineStrips3D(closed, colors=[_SURFACE], radii=[_LINE_M])
        log.put(f"{path}/outline", outline)
        normal = log.sdk.Arrows3D(
            vectors=[_CAMERA_M * np.array(one.normal)],
            origins=[one.centre_m],
            colors=[_SURFACE],
            labels=[f"{one.name} {one.surface_id}, confidence {one.confidence:.2f}"],
        )
        log.put(f"{path}/normal", normal)


def _log_instances(model: SpaceModel, log: _Log) -> None:
    groups = {
        "direct": (_DIRECT, [one for one in model.instances if one.visibility == "direct"]),
        "reflected": (_REFLECTED, [one for one in model.instances if one.visibility != "direct"]),
    }
    for name, (colour, group) in groups.items():
        for kind in ("seen", "real"):
            sides = [(one, one.seen if kind == "seen" else one.real) for one in group]
            known = [(one, side) for one, side in sides if side is not None]
            log.put_boxes(
                f"room/instances/{name}/{kind}",
                [side.box for _, side in known],
                [f"{one.name} {one.instance_id}" for one, _ in known],
                colour,
            )


def _log_links(model: SpaceModel, log: _Log) -> None:
    for one in model.links:
        if one.put_back_m is None or one.thing_m is None or one.gap_m is None:
            continue
        line = log.sdk.LineStrips3D(
            [np.array((one.put_back_m, one.thing_m))],
            colors=[_GOOD if one.agrees else _BAD],
            radii=[2 * _LINE_M],
            labels=[f"{one.gap_m:.3f} m apart"],
        )
        log.put(f"room/links/{one.reflected_id}_{one.real_id}", line)


def _line(one: SpaceProposal) -> str:
    return f"{one.template_id} [{one.standing}] {one.question}: {one.answer} ({one.reason})"


def _sdk() -> Any:
    try:
        return import_module("rerun")
    except ImportError:
        raise MissingExtraError("rerun-sdk", "rerun") from None
