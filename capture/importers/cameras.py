"""Which cameras took a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from mira.schema.capture import Calibration, CameraIntrinsics

Size = tuple[int, int]
"""Width and height, pixels."""


class CameraSource(Protocol):
    """Tells the cameras of pictures by their size."""

    def calibration(self, size_px: Size, *, of: str) -> Calibration | None:
        """The cameras of a picture; None where they are unknown.

        Args:
            size_px: Its width and height.
            of: The picture, named in the error.

        Raises:
            SceneSourceError: The user names cameras that are those of another picture size.
        """
        ...


@dataclass(frozen=True)
class KnownCameras:
    """Cameras that a data set is known to have; a picture of another size has none of them."""

    cameras: tuple[CameraIntrinsics, ...] = ()

    def calibration(self, size_px: Size, *, of: str) -> Calibration | None:
        """See `CameraSource.calibration`; `of` is never at fault."""
        del of
        fitting = (cam for cam in self.cameras if (cam.width_px, cam.height_px) == size_px)
        camera = next(fitting, None)
        return None if camera is None else Calibration(color=camera)


NO_CAMERA = KnownCameras()
"""Where nobody knows the camera."""
