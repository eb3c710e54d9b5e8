"""Depth frames of capture sessions and of plain folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
from numpy.typing import NDArray

from mira.errors import MiraError, SimulationError
from mira.sim.depth_fit.frames import DepthFrame, DepthGrid, thumbnail_of
from mira.sim.depth_fit.surface_codes import read_codes
from mira.store.session import (
    COLOR_NAME,
    DEPTH_ALIGNED_NAME,
    DEPTH_NAME,
    FRAME_NAME,
    Session,
    is_session,
)

_MILLIMETRE = 0.001
_DEPTH_ENDING = "_depth.png"
_PICTURES = (".png", ".jpg", ".jpeg")
Fault = Callable[[MiraError], None]


class NormalisedDepthError(MiraError):
    """Depth without a unit, of which nothing can be estimated."""

    def __init__(self, path: Path) -> None:
        problem = "depth_kind: expected metric, found normalised: disparity needs metres"
        super().__init__(path, problem)


def read_frames(sources: tuple[Path, ...], fault: Fault) -> Iterator[DepthFrame]:
    """All depth frames of capture sessions and folders, one at a time.

    Of a folder these are `NAME_depth.png` with `NAME.png` and `NAME_intrinsics.json` (or one
    `intrinsics.json`), and `NAME.json` if it is annotated.

    Args:
        sources: The folders.
        fault: Takes what is wrong with a view, which is left out.

    Raises:
        NormalisedDepthError: A view's depth is normalised.
        MiraError: A source is no folder, or has no view with depth.
    """
    for source in sources:
        if not source.is_dir():
            raise MiraError(source, "expected a capture session or a folder, found neither")
        frames = _of_session(source, fault) if is_session(source) else _of_folder(source, fault)
        yield from frames


def _of_session(root: Path, fault: Fault) -> Iterator[DepthFrame]:
    session = Session.open(root)
    for scene_id in session.scenes():
        for view_id in session.committed(scene_id):
            try:
                frame = _view(session, scene_id, view_id)
            except NormalisedDepthError:
                raise
            except MiraError as error:
                fault(error)
            else:
                if frame is not None:
                    yield frame


def _view(session: Session, scene_id: str, view_id: str) -> DepthFrame | None:
    folder = session.view_folder(scene_id, view_id)
    own, aligned = folder / DEPTH_NAME, folder / DEPTH_ALIGNED_NAME
    if not own.exists() and not aligned.exists():
        return None
    meaning = session.read_frame(scene_id, view_id)
    if meaning.depth_kind == "normalised":
        raise NormalisedDepthError(folder / FRAME_NAME)
    if meaning.depth_unit_m is None:
        problem = "depth_unit_m: expected metres a step of depth, found none"
        raise SimulationError(folder / FRAME_NAME, problem)
    cameras = session.read_calibration(scene_id, view_id)
    color = _picture(folder / COLOR_NAME)
    grid = None
    if aligned.exists():
        steps = _depth(aligned)
        codes = read_codes(folder / "color.json", steps.shape)
        grid = DepthGrid(steps, meaning.depth_unit_m, cameras.color.fx_px, codes)
    annotated = grid if grid is not None and grid.codes is not None else None
    if own.exists() and cameras.depth is not None:
        grid = DepthGrid(_depth(own), meaning.depth_unit_m, cameras.depth.fx_px, None)
    if grid is None:
        raise SimulationError(own, "expected the depth camera in calib.json, found none")
    scene = f"{session.root}/{scene_id}"
    return DepthFrame(str(folder), scene, grid, annotated, thumbnail_of(color))


def _of_folder(folder: Path, fault: Fault) -> Iterator[DepthFrame]:
    maps = sorted(path for path in folder.iterdir() if path.name.endswith(_DEPTH_ENDING))
    if not maps:
        problem = "expected a capture session or pictures NAME.png with NAME_depth.png, found none"
        raise MiraError(folder, problem)
    for path in maps:
        try:
            yield _pair(path)
        except NormalisedDepthError:
            raise
        except MiraError as error:
            fault(error)


def _pair(path: Path) -> DepthFrame:
    stem = path.name.removesuffix(_DEPTH_ENDING)
    own = path.with_name(f"{stem}_intrinsics.json")
    camera = own if own.exists() else path.with_name("intrinsics.json")
    focal_px, unit_m = _camera(camera)
    steps = _depth(path)
    names = (path.with_name(f"{stem}{ending}") for ending in _PICTURES)
    color = next((name for name in names if name.exists()), None)
    codes = read_codes(path.with_name(f"{stem}.json"), steps.shape)
    grid = DepthGrid(steps, unit_m, focal_px, codes)
    return DepthFrame(
        name=str(path),
        scene=str(path.parent),
        grid=grid,
        annotated=grid if codes is not None else None,
        thumbnail=thumbnail_of(_picture(color)) if color else None,
    )


def _camera(path: Path) -> tuple[float, float]:
    """Focal length and unit of depth of an intrinsics file."""
    try:
        data = orjson.loads(path.read_bytes())
    except OSError as error:
        raise SimulationError(path, f"cannot be read: {error.strerror}") from None
    except orjson.JSONDecodeError as error:
        raise SimulationError(path, f"expected JSON, found a fault: {error}") from None
    if not isinstance(data, dict):
        raise SimulationError(path, "expected an object, found something else")
    if str(data.get("depth_kind", "metric")).startswith("normali"):
        raise NormalisedDepthError(path)
    matrix = np.ravel(data.get("intrinsic_matrix") or 0)
    focal_px = data.get("fx_px") or data.get("fx") or matrix.tolist()[0]
    unit_m = data.get("depth_unit_m") or data.get("depth_scale") or _MILLIMETRE
    for name, value in (("fx_px", focal_px), ("depth_unit_m", unit_m)):
        if not _is_positive(value):
            raise SimulationError(path, f"{name}: expected a positive number, found {value!r}")
    return float(focal_px), float(unit_m) if unit_m < 1 else 1 / float(unit_m)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _depth(path: Path) -> NDArray[np.uint16]:
    steps = _picture(path)
    if steps.dtype != np.uint16 or steps.ndim != 2:
        found = f"{steps.dtype} of shape {steps.shape}"
        raise SimulationError(path, f"expected 16 bit and one channel, found {found}")
    return np.asarray(steps, np.uint16)


def _picture(path: Path) -> NDArray[Any]:
    try:
        raw = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise SimulationError(path, f"cannot be read: {error.strerror}") from None
    try:
        picture = cv2.imdecode(raw, cv2.IMREAD_UNCHANGED)
    except cv2.error:
        picture = None
    if picture is None:
        raise SimulationError(path, "expected a picture, found one that cannot be decoded")
    return np.asarray(picture)
