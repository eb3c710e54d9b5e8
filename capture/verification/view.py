"""One view of a session, all its files."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from capture.verification import pictures
from capture.verification.depth import check_alignment, check_depth_meaning
from capture.verification.files import check_files, check_recording
from capture.verification.pictures import PictureKind, Size, check_size, read_picture, size_px
from capture.verification.place import Place
from capture.verification.policy import VerificationPolicy
from capture.verification.timing import FrameRegister, PairCheck
from mira.schema.capture import Calibration, CameraIntrinsics, Scene, ViewFrame
from mira.schema.session import CaptureSession, CaptureSettings, DeviceInfo, Stream
from mira.store.session import (
    CALIBRATION_NAME,
    COLOR_NAME,
    DEPTH_ALIGNED_NAME,
    DEPTH_NAME,
    DEVICE_NAME,
    EMITTER_OFF_COLOR_NAME,
    EMITTER_OFF_DEPTH_NAME,
    EMITTER_OFF_FRAME_NAME,
    FRAME_NAME,
    SETTINGS_NAME,
    SURFACES_NAME,
)

Pixels = NDArray[Any]


class _Records(NamedTuple):
    """The records of a view; None for what is absent or damaged."""

    frame: ViewFrame | None
    dark_frame: ViewFrame | None
    calibration: Calibration | None
    device: DeviceInfo | None
    settings: CaptureSettings | None


class ViewCheck:
    """Checks the views of a session, one after the other."""

    def __init__(self, session: CaptureSession, policy: VerificationPolicy) -> None:
        """A check that has seen no view."""
        self._pairs = PairCheck(session, policy)
        self._frames = FrameRegister()
        self._policy = policy

    def check(self, place: Place, scene: Scene | None) -> None:
        """Note all that is wrong with a view.

        Args:
            place: The view.
            scene: Its scene; None where its record is missing or damaged.
        """
        check_files(place)
        records = _Records(
            frame=place.read_record(FRAME_NAME, ViewFrame),
            dark_frame=place.read_record(EMITTER_OFF_FRAME_NAME, ViewFrame),
            calibration=place.read_record(CALIBRATION_NAME, Calibration),
            device=place.read_record(DEVICE_NAME, DeviceInfo),
            settings=place.read_record(SETTINGS_NAME, CaptureSettings),
        )
        color, dark_color = self._check_pictures(place, records, scene)
        for name, frame, picture, depths in (
            (FRAME_NAME, records.frame, color, (DEPTH_NAME, DEPTH_ALIGNED_NAME)),
            (
                EMITTER_OFF_FRAME_NAME,
                records.dark_frame,
                dark_color,
                (EMITTER_OFF_DEPTH_NAME,),
            ),
        ):
            check_depth_meaning(place, name, frame, depths)
            timing = None if frame is None else frame.timing
            if timing is not None:
                self._pairs.check(place, name, timing, records.settings)
            if timing is not None and picture is not None:
                self._frames.check(place, name, timing, picture, records.device)
        check_recording(place, wanted_pairs=records.settings.raw_pairs if records.settings else 1)

    def _check_pictures(
        self, place: Place, records: _Records, scene: Scene | None
    ) -> tuple[Pixels | None, Pixels | None]:
        """Check all pictures; the colour pictures with and without the projector, if whole."""
        calibration, settings = records.calibration, records.settings
        camera = None if calibration is None else calibration.color
        size = _told_sizes(settings, "color", camera)
        color = self._read(place, COLOR_NAME, pictures.COLOR, size)
        if color is not None:
            size = {COLOR_NAME: size_px(color)}
        aligned = self._read(place, DEPTH_ALIGNED_NAME, pictures.DEPTH, size)
        dark_color = self._read(place, EMITTER_OFF_COLOR_NAME, pictures.COLOR, size)
        surfaces = self._read(place, SURFACES_NAME, pictures.LABELS, size)
        if surfaces is not None and scene is not None:
            _check_surfaces(place, surfaces, scene)
        camera = None if calibration is None else calibration.depth
        size = _told_sizes(settings, "depth", camera)
        depth = self._read(place, DEPTH_NAME, pictures.DEPTH, size)
        self._read(place, EMITTER_OFF_DEPTH_NAME, pictures.DEPTH, size)
        unit_m = None if records.frame is None else records.frame.depth_unit_m
        if depth is not None and aligned is not None and calibration is not None and unit_m:
            share = self._policy.max_realigned_share
            check_alignment(
                place, depth, aligned, calibration, depth_unit_m=unit_m, max_share=share
            )
        return color, dark_color

    def _read(
        self, place: Place, name: str, kind: PictureKind, size: dict[str, Size]
    ) -> Pixels | None:
        pixels = read_picture(place, name, kind, limit_px=self._policy.max_picture_px)
        if pixels is not None:
            check_size(place, name, pixels, size)
        return pixels


def _told_sizes(
    settings: CaptureSettings | None, stream: Stream, camera: CameraIntrinsics | None
) -> dict[str, Size]:
    """What records say of the size of a stream's pictures, by the record's name."""
    sizes = {}
    if camera is not None:
        sizes[CALIBRATION_NAME] = (camera.width_px, camera.height_px)
    for one in settings.actual.streams if settings is not None else ():
        if one.stream == stream:
            sizes[SETTINGS_NAME] = (one.width_px, one.height_px)
    return sizes


def _check_surfaces(place: Place, surfaces: Pixels, scene: Scene) -> None:
    known, most = len(scene.surfaces), int(surfaces.max(initial=0))
    if most > known:
        message = f"expected at most {known}, as many as the scene has surfaces, found {most}"
        place.note(SURFACES_NAME, "surface-number", message)
