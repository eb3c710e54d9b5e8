"""What sides of an item look like, coarsely, and what the looks are called."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.colours import COLOURS
from mira.sim.rooms.things.parts import Finish, Texture
from mira.sim.rooms.tracing.scene_mesh import SceneMesh

Floats = NDArray[np.float64]
_COARSE = 4
_FACES = 6
_PRINT_CONTRAST = 0.06
"""A look is a print when its coarse picture varies more than this."""


@dataclass(frozen=True, eq=False)
class LookSet:
    """The looks of some sides of an item.

    Attributes:
        pictures: A coarse picture of each, display colours in [0, 1], shape (k, 4, 4, 3).
        shares: Share of what is seen of the sides that each covers, shape (k,).
    """

    pictures: Floats
    shares: Floats

    def __len__(self) -> int:
        return len(self.shares)

    def share_like(self, pictures: Floats, *, distance: float) -> Floats:
        """Share covered by looks less than a distance away from each of n pictures, shape (n,).

        The distance is the root mean square difference of the coarse pictures.
        """
        apart = pictures[:, None] - self.pictures
        alike = np.mean(apart * apart, axis=(2, 3, 4)) < distance * distance
        return np.asarray(np.where(alike, self.shares, 0.0).sum(axis=1))

    def is_print(self, place: int) -> bool:
        """Whether a look is a picture rather than one colour."""
        return bool(self.pictures[place].std(axis=(0, 1)).max() > _PRINT_CONTRAST)

    def colour_name(self, place: int) -> str:
        """The named colour that a look's mean is nearest to."""
        mean = self.pictures[place].mean(axis=(0, 1))
        return min(COLOURS, key=lambda name: float(np.linalg.norm(mean - COLOURS[name])))


class Looks:
    """The looks of a scene's finishes, each worked out when it is first asked for."""

    def __init__(self, mesh: SceneMesh) -> None:
        self._mesh = mesh
        numbers: dict[Finish, int] = {}
        for finish in mesh.finishes:
            numbers.setdefault(finish, len(numbers))
        self._finishes = tuple(numbers)
        self._finish_of_part = np.array([numbers[finish] for finish in mesh.finishes])
        self._coarse = cache(_coarse)

    def of(
        self, triangles: NDArray[np.intp], wanted: NDArray[np.bool_], part_px: dict[int, int]
    ) -> LookSet:
        """The looks of some triangles, with their shares of what is seen of those.

        What is seen of a part is taken to be spread evenly over its triangles on the sides seen.

        Args:
            triangles: The triangles on all sides that are seen.
            wanted: Which of them are asked about, same shape.
            part_px: Pixels that each part shows.
        """
        mesh, part = self._mesh, self._mesh.part[triangles]
        area = _areas(mesh.corners[triangles])
        whole = np.bincount(part, area)
        pixels = np.zeros(len(whole))
        for number, count in part_px.items():
            if number < len(pixels):
                pixels[number] = count
        seen = area * (pixels / np.maximum(whole, 1e-12))[part]
        keys = self._finish_of_part[part] * (_FACES + 1) + mesh.picture[triangles] + 1
        values, place = np.unique(keys[wanted], return_inverse=True)
        shares = np.bincount(place.ravel(), seen[wanted], len(values))
        shown = np.flatnonzero(shares > 0)
        pictures = [self._picture(key) for key in values[shown].tolist()]
        return LookSet(
            np.array(pictures).reshape(-1, _COARSE, _COARSE, 3),
            shares[shown] / max(float(shares.sum()), 1e-12),
        )

    def _picture(self, key: int) -> Floats:
        finish, picture = divmod(key, _FACES + 1)
        return self._coarse(self._finishes[finish], picture - 1)


def _areas(corners: Floats) -> Floats:
    """Twice the areas of triangles, shape (n,)."""
    a, b, c = corners.transpose(1, 2, 0)
    (x, y, z), (u, v, w) = b - a, c - a
    squares = (y * w - z * v) ** 2 + (z * u - x * w) ** 2 + (x * v - y * u) ** 2
    return np.asarray(np.sqrt(squares), np.float64)


def _coarse(finish: Finish, picture: int) -> Floats:
    """A finish as a picture of few pixels; one colour where it is a repeated pattern."""
    plain = np.broadcast_to(np.array(finish.rgb), (_COARSE, _COARSE, 3))
    if finish.texture is None:
        return plain
    pixels = _pixels(finish.texture, max(picture, 0))
    small = cv2.resize(pixels, (_COARSE, _COARSE), interpolation=cv2.INTER_AREA) / 255.0
    repeated = finish.tile_m is not None and not finish.texture.cube
    if repeated or picture < 0:
        small = np.broadcast_to(small.mean(axis=(0, 1)), small.shape)
    return np.asarray(plain * small, np.float64)


def _pixels(texture: Texture, picture: int) -> NDArray[np.uint8]:
    if not texture.cube:
        return texture.pixels
    height = len(texture.pixels) // _FACES
    return np.ascontiguousarray(texture.pixels[picture * height : (picture + 1) * height])
