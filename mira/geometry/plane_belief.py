"""What is known of a plane, with its doubt."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.plane import Plane, plane_of_polar, polar_of_plane, reflect_points

Array = NDArray[np.float64]


class PlaneBelief(NamedTuple):
    """A plane that does not go through the camera, and how well it is known.

    Attributes:
        polar: The vector q with `q · p = 1` on the plane, shape (3,).
        covariance: Of that vector, shape (3, 3).
    """

    polar: Array
    covariance: Array

    @classmethod
    def of_plane(cls, plane: Plane, covariance: Array) -> PlaneBelief:
        """A plane away from the camera, with the covariance of its polar vector."""
        return cls(polar_of_plane(plane), covariance)

    @property
    def plane(self) -> Plane:
        """The plane."""
        return plane_of_polar(self.polar)

    @property
    def normal_error_deg(self) -> float:
        """Standard error of the normal's direction: root of the summed variance of two tilts."""
        length = float(np.linalg.norm(self.polar))
        unit = self.polar / length
        across = (np.eye(3) - np.outer(unit, unit)) / length
        variance = float(np.trace(across @ self.covariance @ across.T))
        return math.degrees(math.sqrt(max(variance, 0.0)))

    def distance_error_m(self, ray: Array) -> float:
        """Standard error of where the plane is on a ray, measured across the plane.

        Args:
            ray: A direction from the camera that meets the plane, shape (3,).
        """
        along = 1 / abs(float(self.polar @ ray))
        spread = math.sqrt(max(float(ray @ self.covariance @ ray), 0.0)) * along**2
        # A step along the ray is shorter across the plane by the cosine of ray and normal.
        return spread / (along * float(np.linalg.norm(self.polar)))

    def reflected_spread(self, point_cam_m: Array) -> Array:
        """Covariance of where a point reflected across the plane is, shape (3, 3).

        Args:
            point_cam_m: The point, shape (3,).
        """
        squared = float(self.polar @ self.polar)
        beyond = (float(self.polar @ point_cam_m) - 1) / squared
        back = reflect_points(point_cam_m, self.plane)
        slope = -2 * (np.outer(self.polar, back) / squared + beyond * np.eye(3))
        return np.asarray(slope @ self.covariance @ slope.T)

    def reflected_doubt_m(self, point_cam_m: Array) -> float:
        """Standard deviation, in its worst direction, of where a reflected point is.

        Args:
            point_cam_m: The point, shape (3,).
        """
        largest = float(np.linalg.eigvalsh(self.reflected_spread(point_cam_m))[-1])
        return math.sqrt(max(largest, 0.0))
