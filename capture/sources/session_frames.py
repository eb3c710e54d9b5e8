"""A simulated camera that sees what a session holds: rehearsals without a camera."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.sources.software_device import Lookup, SimulatedCamera, SimulatedFrames
from mira.errors import CaptureError
from mira.render.source import decode_color, decode_depth
from mira.schema.capture import Calibration, RigidTransform
from mira.store.atomic import os_faults
from mira.store.session import CALIBRATION_NAME, COLOR_NAME, DEPTH_ALIGNED_NAME, DEPTH_NAME, Session

_FPS = 30
_FIRST_MS = 1000.0
_DARK_FRAMES = 12
"""A real camera's first frames are dark."""
_EXPOSURE_US = 156
_TEXTURE = 12.0
"""Without its projector, stereo finds depth where the picture's gradient is at least this."""
_NO_TURN = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class _Seen(NamedTuple):
    color: NDArray[np.uint8]
    depth: NDArray[np.uint16]


class SessionScenery:
    """The views of a session as what a simulated camera looks at, one at a time."""

    def __init__(self, session: Session, *, first_ms: float = _FIRST_MS) -> None:
        """Look through a session.

        Args:
            session: The session.
            first_ms: Where the camera's clock stands when it is first started.

        Raises:
            CaptureError: No view of it has metric depth and a camera.
        """
        self._session, self._first_ms = session, first_ms
        self._places = [
            (scene_id, view_id)
            for scene_id in session.scenes()
            for view_id in session.committed(scene_id)
            if self._fits(scene_id, view_id)
        ]
        if not self._places:
            raise CaptureError(
                session.root, "expected views with metric depth and a camera, found none"
            )
        kinds = {place: self._kind_of(*place) for place in self._places}
        self._calibration, self._unit_m = kinds[self._places[0]]
        self._places = [place for place in self._places if kinds[place] == kinds[self._places[0]]]
        # Started again, the camera goes on counting.
        self._number = 0
        self._scenes = [
            [place for place in self._places if place[0] == scene_id]
            for scene_id in dict.fromkeys(scene_id for scene_id, _ in self._places)
        ]
        self._looks_at = self._places[0]

    def look_at(self, scene: int, view: int) -> None:
        """Go to a view of a scene; of more than there are the first ones come again."""
        views = self._scenes[scene % len(self._scenes)]
        self._looks_at = views[view % len(views)]

    def camera(self) -> SimulatedCamera:
        """A camera that looks at it."""
        return SimulatedCamera(
            self._calibration,
            self._frames,
            fps=_FPS,
            depth_unit_m=self._unit_m,
            name="Simulated RGB-D camera",
        )

    def _frames(self, options: Lookup) -> Iterator[SimulatedFrames]:
        since, looked_at, seen = self._number, None, None
        while True:
            self._number += 1
            number = self._number
            if looked_at != self._looks_at or seen is None:
                looked_at = self._looks_at
                seen = self._see(*looked_at)
            light = min(1.0, (number - since) / _DARK_FRAMES)
            color = seen.color if light == 1 else (seen.color * light).astype(np.uint8)
            # Cameras tell microseconds, and recordings keep no more.
            time_ms = round(self._first_ms + number * 1000 / _FPS, 3)
            yield SimulatedFrames(
                color=color,
                depth=self._sensed(seen, options()),
                number=number,
                color_ms=time_ms,
                depth_ms=time_ms,
                metadata={"actual_exposure": round(_EXPOSURE_US * light)},
            )

    def _see(self, scene_id: str, view_id: str) -> _Seen:
        folder = self._session.view_folder(scene_id, view_id)
        own = folder / DEPTH_NAME
        path = own if own.is_file() else folder / DEPTH_ALIGNED_NAME
        with os_faults(folder):
            color, depth = (folder / COLOR_NAME).read_bytes(), path.read_bytes()
        return _Seen(
            decode_color(color, where=folder / COLOR_NAME), decode_depth(depth, where=path)
        )

    def _sensed(self, seen: _Seen, options: Mapping[str, float]) -> NDArray[np.uint16]:
        if options.get("depth.emitter_enabled", 1.0) > 0:
            return seen.depth
        grey = cv2.cvtColor(seen.color, cv2.COLOR_RGB2GRAY)
        grey = cv2.resize(grey, seen.depth.shape[::-1], interpolation=cv2.INTER_AREA)
        gradient = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
        textured = cv2.boxFilter(gradient, -1, (9, 9)) >= _TEXTURE
        return np.where(textured, seen.depth, 0).astype(np.uint16)

    def _fits(self, scene_id: str, view_id: str) -> bool:
        folder = self._session.view_folder(scene_id, view_id)
        has_depth = any((folder / name).is_file() for name in (DEPTH_NAME, DEPTH_ALIGNED_NAME))
        if not has_depth or not (folder / CALIBRATION_NAME).is_file():
            return False
        return self._session.read_frame(scene_id, view_id).depth_kind == "metric"

    def _kind_of(self, scene_id: str, view_id: str) -> tuple[Calibration, float]:
        """The view's cameras and unit; depth on the picture's grid is of one camera for both."""
        found = self._session.read_calibration(scene_id, view_id)
        unit_m = self._session.read_frame(scene_id, view_id).depth_unit_m
        assert unit_m is not None
        own = self._session.view_folder(scene_id, view_id) / DEPTH_NAME
        if own.is_file() and found.depth is not None and found.depth_to_color is not None:
            return found, unit_m
        still = RigidTransform(
            target="color", source="depth", rotation=_NO_TURN, translation_m=(0.0, 0.0, 0.0)
        )
        alone = Calibration(color=found.color, depth=found.color, depth_to_color=still)
        return alone, unit_m
