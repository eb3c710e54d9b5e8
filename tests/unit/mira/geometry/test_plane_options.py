"""Which planes are tried for a mirror."""

from __future__ import annotations

import numpy as np
import pytest

from mira.geometry.camera import deproject_rays
from mira.geometry.instance_points import estimate_extent
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.pair_evidence import MirrorPair
from mira.geometry.plane_options import PlaneOption, find_options
from mira.geometry.relations import Extents
from mira.geometry.surroundings import find_surroundings

POLICY = MirrorGeometryPolicy()


@pytest.fixture
def options_of(ball_room, ball_camera):
    """Options of a mirror on its wall, of whose four pairs so many have images that are off."""

    def _options(moved: int) -> list[PlaneOption]:
        room = ball_room()
        depth, areas = room.depth_m(), OutlinedAreas(room.annotation())
        around = find_surroundings(
            depth,
            areas.surfaces[100],
            ball_camera,
            outlined=areas.outlined,
            mount_m=POLICY.surroundings.mirror_mount_m,
            policy=POLICY,
            rng=np.random.default_rng(0),
        )
        seen = {
            which: estimate_extent(depth, area, ball_camera, policy=POLICY.instances)
            for which, area in areas.instances.items()
        }
        pairs = [MirrorPair(10 + k, k, seen[k], seen[10 + k]) for k in range(1, 5)]
        for k in range(moved):
            off = (0.0, 0.3, 0.0)
            pairs[k] = pairs[k]._replace(virtual=_moved(pairs[k].virtual, off))
        ray = deproject_rays(ball_camera, (ball_camera.cx_px, ball_camera.cy_px))
        return find_options(around, pairs, middle_ray=ray, policy=POLICY)

    return _options


def _moved(extent, off):
    low, high = extent.extents_m
    return extent._replace(
        points_cam_m=extent.points_cam_m + off,
        centre_m=tuple(np.add(extent.centre_m, off)),
        extents_m=Extents(tuple(np.add(low, off)), tuple(np.add(high, off))),
    )


@pytest.mark.parametrize(("moved", "alone"), [(0, False), (1, False), (3, True)])
def test_pairs_are_tried_alone_where_the_wall_has_not_most_of_them(options_of, moved, alone):
    options = options_of(moved)
    assert any(option.ring is not None for option in options)
    assert any(option.ring is None for option in options) == alone


def test_one_pair_that_is_off_does_not_take_the_wall_away(options_of):
    (option,) = options_of(1)
    assert option.found.agrees.tolist() == [False, True, True, True]
    assert option.trust > 0.8
